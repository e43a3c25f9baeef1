/** Standard input into an empty pool, and that pool to standard output. */
import { exportFile, importFile } from "../../src/ingest/ingest.ts";
import { openPool } from "../../src/pool/pool.ts";
import { plainJudge } from "./sample.ts";

const pool = openPool(":memory:", { now: () => new Date() });
await importFile("-", { pool, judge: plainJudge });
await exportFile(pool, "-");
pool.close();
