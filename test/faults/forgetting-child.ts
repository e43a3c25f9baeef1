/**
 * Forgets the people named, one after the other, as the command does, until killed. Each login that it prints was
 * gone before, in every file.
 */
import { writeSync } from "node:fs";
import pino from "pino";
import { openDataFolder } from "../../src/appliance/appliance.ts";
import { testConfig } from "../appliance.ts";

const [data = "", ...logins] = process.argv.slice(2);
const around = {
  ...{ now: () => new Date(), newId: () => "forget", log: pino({ level: "silent" }) },
  version: "0.0.0-test",
};
const options = { create: false, search: false };
const { erasure } = await openDataFolder(testConfig({ data }), around, options);
for (const login of logins) {
  const outcome = await erasure.forget(login, {});
  if (!outcome.ok && outcome.code === "names_person") throw new Error(`${login} stays`);
  if (outcome.ok) writeSync(1, `${login}\n`);
}
setInterval(() => undefined, 60_000);
