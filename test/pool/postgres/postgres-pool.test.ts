import { describe } from "bun:test";
import { hasPostgres } from "../../postgres/database.ts";
import { describePool } from "../pool-contract.ts";
import { openPostgresAt } from "./open.ts";

describe.skipIf(!hasPostgres)("the pool in PostgreSQL", () => describePool(openPostgresAt));
