import { describe } from "bun:test";
import { openSqlitePool } from "../../../src/pool/sqlite/sqlite-pool.ts";
import { describePool } from "../pool-contract.ts";

describe("the pool in SQLite", () => describePool(openSqlitePool));
