/** A process that imports over and over until it is killed: argv are the pool's file and a count of people. */
import { openSqlitePool } from "../../src/pool/sqlite/sqlite-pool.ts";
import { invented } from "../pool/invented.ts";

const [path = "", count = "0"] = process.argv.slice(2);
const pool = openSqlitePool(path, { now: () => new Date() });
for (let round = Number((await pool.findCards(["round"]))[0]?.bio ?? "0") + 1; ; round++) {
  const load = await pool.beginImport("test");
  for (let n = 0; n < Number(count); n += 50) {
    await load.put(
      Array.from({ length: 50 }, (_, k) => invented({ login: `p${n + k}`, bio: `${round}` })),
    );
  }
  // One round brings a source, the next removes it.
  if (round % 2 === 0) await load.removeSource("odd");
  else await load.put([invented({ login: "guest", source: "odd", bio: `${round}` })]);
  await load.put([invented({ login: "round", bio: `${round}` })]);
  await load.commit();
  process.stdout.write(`${round}\n`);
}
