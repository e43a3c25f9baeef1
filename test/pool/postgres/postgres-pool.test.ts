import { describe } from "bun:test";
import { hasPostgres } from "../../postgres/database.ts";
import { describeErasedOwners } from "../erased-owners-contract.ts";
import { describeErasure } from "../erasure-contract.ts";
import { describePool } from "../pool-contract.ts";
import { openPostgresAt } from "./open.ts";

describe.skipIf(!hasPostgres)("the pool in PostgreSQL", () => {
  describePool(openPostgresAt, { runs: 10 });
  describeErasure(openPostgresAt);
  describeErasedOwners(openPostgresAt);
});
