/**
 * Regenerates keys of the accounts named, one after the other, until killed. Each line it prints was durable before: `EMAIL KEY`.
 */
import { writeSync } from "node:fs";
import { openAccounts } from "../../src/accounts/accounts.ts";
import { openSqliteControlStore } from "../../src/control/sqlite/sqlite-control-store.ts";

const [path, ...emails] = process.argv.slice(2) as [string, ...string[]];
const accounts = await openAccounts(openSqliteControlStore(path), { now: () => new Date() });
for (let turn = 0; ; turn += 1) {
  const email = emails[turn % emails.length] as string;
  const key = await accounts.regenerateKey(email);
  writeSync(1, `${email} ${key}\n`);
  await Bun.sleep(15);
}
