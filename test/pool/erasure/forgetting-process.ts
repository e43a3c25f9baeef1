/** A process that forgets one person after the other until it is killed: argv are the pool's file and a count. */
import { openPool } from "../../../src/pool/pool.ts";

const [path = "", count = "0"] = process.argv.slice(2);
const pool = openPool(path, { now: () => new Date() });
process.stdout.write("ready\n");
for (let n = 0; n < Number(count); n++) {
  if (!pool.findCard(`p${n}`)) continue;
  const receipt = pool.erasing.hide(`p${n}`);
  if (!receipt || receipt === "names the person") throw new Error(`p${n} was not forgotten`);
  process.stdout.write(`hidden ${n}\n`);
  if (pool.erasing.clean() !== undefined) throw new Error("not clean");
  pool.erasing.finish(receipt.id);
  process.stdout.write(`finished ${n}\n`);
}
pool.close();
