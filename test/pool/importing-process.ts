/** A process that imports over and over until it is killed: argv are the pool's file and a count of people. */
import { openPool } from "../../src/pool/pool.ts";
import { invented } from "./invented.ts";

const [path = "", count = "0"] = process.argv.slice(2);
const pool = openPool(path, { now: () => new Date() });
for (let round = Number(pool.findCard("round")?.bio ?? "0") + 1; ; round++) {
  const load = pool.beginImport("test");
  for (let n = 0; n < Number(count); n += 50) {
    load.put(
      Array.from({ length: 50 }, (_, k) => invented({ login: `p${n + k}`, bio: `${round}` })),
    );
  }
  // One round brings a source, the next removes it.
  if (round % 2 === 0) load.removeSource("odd");
  else load.put([invented({ login: "guest", source: "odd", bio: `${round}` })]);
  load.put([invented({ login: "round", bio: `${round}` })]);
  load.commit();
  process.stdout.write(`${round}\n`);
}
