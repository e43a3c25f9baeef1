/**
 * Fills a folder in a process of its own: `bun fill-folder.ts FOLDER CALLS`. Its backup, FOLDER.tar.zst, is older than
 * an erasure, a new key, a new account and so many calls. A process of its own lets go of the files for sure.
 */
import pino from "pino";
import { openDataFolder } from "../../src/appliance/appliance.ts";
import { backUp } from "../../src/backup/backup.ts";
import { openTestAppliance, testConfig } from "../appliance.ts";
import { inventedPeople, testNow } from "../invented-people.ts";

export interface FilledFolder {
  readonly folder: string;
  readonly archive: string;
  readonly account: { readonly email: string; readonly key: string };
  readonly newKey: string;
  readonly later: { readonly key: string };
  readonly used: number;
  /** Who was forgotten after the backup. */
  readonly login: string;
}

const [folder = "", calls = "0"] = process.argv.slice(2);
const now = () => new Date(testNow);
const login = "ada-example";

const roster = await openTestAppliance({ folder, people: inventedPeople });
const account = await roster.newAccount("enterprise", { callsPerDay: "unlimited" });
await roster.client.get("nobody", account.key);
const around = { now, log: pino({ level: "silent" }), newId: () => "t", version: "0.0.0-test" };
const options = { create: false, search: false };
/** As a page does. */
async function keepList(id: string, ...logins: string[]): Promise<void> {
  const { control, close } = await openDataFolder(testConfig({ data: folder }), around, options);
  const [owner = { id: "" }] = await control.listAccounts();
  const by = { at: now(), actor: owner.id, action: "list.added", subject: id, detail: {} } as const;
  await control.saved.addList(owner.id, { id, name: id }, by);
  for (const login of logins) {
    await control.saved.putEntry(owner.id, id, { login, note: "", at: now() });
  }
  await close();
}
await keepList("first", login, "Ben-Sample");
const archive = `${folder}.tar.zst`;
await backUp({ data: folder, target: archive, version: "0.0.0-test", now });
for (let call = 0; call < Number(calls); call++) await roster.client.get("nobody", account.key);
const newKey = await roster.modules.accounts.regenerateKey(account.email);
const later = await roster.newAccount("pro");
await roster.close();
const beside = await openDataFolder(testConfig({ data: folder }), around, options);
if (!(await beside.erasure.forget(login, {})).ok) throw new Error("the erasure failed");
await beside.close();
await keepList("second", "chloe-specimen");
const filled: FilledFolder = {
  ...{ folder, archive, account, newKey, later, login, used: Number(calls) + 1 },
};
process.stdout.write(JSON.stringify(filled));
