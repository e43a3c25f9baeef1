import pino from "pino";
import { openAppliance, openDataFolder } from "../../src/appliance/appliance.ts";
import { readConfig } from "../../src/config/config.ts";

/**
 * Fills a folder with the demo people, repeated as often as needed, each time under other names.
 * @returns some of their logins.
 */
export async function putPeople(data: string, people: number): Promise<string[]> {
  const { config, around } = prepare(data);
  await (await openAppliance(config, around)).close();
  const folder = await openDataFolder(config, around, { create: false, search: false });
  const { pool } = folder.modules;
  const judge = folder.judge(around.now().toISOString().slice(0, 10));
  const judged = (await Array.fromAsync(pool.facts())).flat().map(judge);
  const load = await pool.beginImport("bench");
  for (let made = 0, copy = 1; made < people; copy++) {
    const batch = judged.slice(0, people - made).map((one) => {
      const login = `${one.facts.login}-${copy}`;
      const facts = { ...one.facts, login, source: "bench" };
      return {
        ...{ ...one, facts, card: { ...one.card, login } },
        standing: { ...one.standing, login },
      };
    });
    for (let at = 0; at < batch.length; at += 100) await load.put(batch.slice(at, at + 100));
    made += batch.length;
  }
  await load.removeSource("demo");
  await load.commit();
  await folder.close();
  return judged.slice(0, 1000).map(({ facts }) => `${facts.login}-1`);
}

function prepare(data: string) {
  const { config } = readConfig({ data, adminKeyFile: `${data}.key` }, {});
  const log = pino({ level: "silent" });
  const now = () => new Date();
  return { config, around: { now, log, newId: () => crypto.randomUUID(), version: "0.0.0-bench" } };
}
