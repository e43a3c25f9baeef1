/** Makes one control store after the other, each in a folder of its own, until killed. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openAccounts } from "../../src/accounts/accounts.ts";
import { openSqliteControlStore } from "../../src/control/sqlite/sqlite-control-store.ts";

const folder = process.argv[2] as string;
for (let index = 0; ; index += 1) {
  const path = join(folder, String(index));
  mkdirSync(path);
  const control = openSqliteControlStore(join(path, "control.db"));
  await (await openAccounts(control, { now: () => new Date() })).create({
    email: "a@b.c",
    plan: "free",
  });
  await control.close();
}
