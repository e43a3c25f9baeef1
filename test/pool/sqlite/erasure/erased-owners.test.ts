import { describe } from "bun:test";
import { openSqlitePool } from "../../../../src/pool/sqlite/sqlite-pool.ts";
import { describeErasedOwners } from "../../erased-owners-contract.ts";

describe("the pool in SQLite", () => describeErasedOwners(openSqlitePool));
