/** `bun add-entries.ts CONTROL.DB SIDE`: adds people to a list until it is full; prints how many it added. */
import { savedLimits } from "../../../../src/control/saved-records.ts";
import { openSqliteControlStore } from "../../../../src/control/sqlite/sqlite-control-store.ts";

const [path = "", side = ""] = process.argv.slice(2);
const control = openSqliteControlStore(path);
let added = 0;
for (let n = 0; n < savedLimits.entriesMax; n++) {
  const entry = { login: `${side}-${n}`, note: "", at: new Date() };
  const startedMs = performance.now();
  if ((await control.saved.putEntry("ada", "lst_1", entry)) === undefined) added += 1;
  // SQLite's lock is not fair: without a pause as long as a commit the other side might wait for it in vain.
  await Bun.sleep(performance.now() - startedMs);
}
await control.close();
process.stdout.write(String(added));
