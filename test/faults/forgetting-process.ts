/** A process that forgets one person after the other until it is killed: argv are the pool's file and a count. */
import { writeSync } from "node:fs";
import { openSqlitePool } from "../../src/pool/sqlite/sqlite-pool.ts";

const [path = "", count = "0"] = process.argv.slice(2);
const pool = openSqlitePool(path, { now: () => new Date() });
writeSync(1, "ready\n");
for (let n = 0; n < Number(count); n++) {
  if (!(await pool.findCards([`p${n}`]))[0]) continue;
  const receipt = await pool.erasing.hide(`p${n}`);
  if (!receipt || receipt === "names the person") throw new Error(`p${n} was not forgotten`);
  writeSync(1, `hidden ${n}\n`);
  if ((await pool.erasing.clean()) !== undefined) throw new Error("not clean");
  await pool.erasing.finish(receipt.id);
  writeSync(1, `finished ${n}\n`);
}
await pool.close();
