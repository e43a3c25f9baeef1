/** A process that forgets one person after the other until it is killed: argv are the pool's file and a count. */
import { openSqlitePool } from "../../src/pool/sqlite/sqlite-pool.ts";

const [path = "", count = "0"] = process.argv.slice(2);
const pool = openSqlitePool(path, { now: () => new Date() });
process.stdout.write("ready\n");
for (let n = 0; n < Number(count); n++) {
  if (!(await pool.findCards([`p${n}`]))[0]) continue;
  const receipt = await pool.erasing.hide(`p${n}`);
  if (!receipt || receipt === "names the person") throw new Error(`p${n} was not forgotten`);
  process.stdout.write(`hidden ${n}\n`);
  if ((await pool.erasing.clean()) !== undefined) throw new Error("not clean");
  await pool.erasing.finish(receipt.id);
  process.stdout.write(`finished ${n}\n`);
}
await pool.close();
