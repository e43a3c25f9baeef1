/** Standard input into an empty pool, and that pool to standard output. */
import { exportFile, importFile } from "../../../src/ingest/ingest.ts";
import { openSqlitePool } from "../../../src/pool/sqlite/sqlite-pool.ts";
import { plainJudge } from "../sample.ts";

const pool = openSqlitePool(":memory:", { now: () => new Date() });
await importFile("-", { pool, judge: plainJudge });
await exportFile(pool, "-");
await pool.close();
