import type { PostgresDatabase } from "../../../postgres/database.ts";
import { runUnderBuildLock } from "../build-lock.ts";
import { findNewest, removeOutdated } from "../generation-rows.ts";
import { buildInDatabase } from "./build-in-database.ts";
import type { BuildSource } from "./write-block.ts";

/**
 * Builds the generation of the pool's revision, unless another node has built it meanwhile. Keeps the previous generation.
 * @returns false if another node is building, otherwise true.
 * @throws Fault `database_away`.
 */
export function buildInTurn(database: PostgresDatabase, source: BuildSource): Promise<boolean> {
  return runUnderBuildLock(database, async (session) => {
    const newest = await findNewest(session.orm, source.edition);
    if (newest?.revision === (await source.pool.revision())) return;
    await removeOutdated(session.orm, newest?.revision ?? 0);
    await buildInDatabase(session, source);
  });
}
