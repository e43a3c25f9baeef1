import { Fault } from "../../contract/fault.ts";
import { Problem } from "../../contract/problem.ts";
import type { PeopleFinder } from "../../pool/pool.ts";
import type { PostgresDatabase } from "../../postgres/database.ts";
import { openSchema } from "../../postgres/migrate.ts";
import { createWordMethods } from "../answer.ts";
import { createRoleScoreCache } from "../role-scores.ts";
import type { RoleScoreCounts, SearchIndex } from "../search-index.ts";
import type { SearchParts } from "../search-parts.ts";
import { createDatabaseRefresher } from "./database-refresher.ts";
import type { GenerationInUse, SearchedIndex } from "./generation-in-use.ts";
import { type IndexShape, isInUse, usualShape } from "./generation-rows.ts";
import { countRoleScoresInDatabase } from "./querying/count-role-scores.ts";
import { explainInDatabase } from "./querying/explain-in-database.ts";
import { findInDatabase } from "./querying/find-in-database.ts";
import { lookUpInDatabase } from "./querying/look-up-in-database.ts";
import { searchSchemaKind } from "./schema.ts";

export { checkStoredIndex } from "./check-index.ts";
export { replaceIndex } from "./replace-index.ts";
export { searchSchemaKind } from "./schema.ts";

/**
 * Creates an index that stays in the database instead of memory. It reads and builds nothing before `start`. Its tables are
 * created or upgraded when the database is first used.
 * @throws Fault `configuration` if there is no database.
 */
export function createDatabaseIndex(parts: SearchParts): SearchIndex {
  const { database: settings } = parts;
  if (!settings) {
    throw new Fault("configuration", "search.engine is database, but database.url is not set.");
  }
  let opened: Promise<PostgresDatabase> | undefined;
  const open = () => {
    opened ??= openSchema(settings, searchSchemaKind).catch((error) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  const close = async () => (await opened?.catch(() => undefined))?.close();
  return createIndexOn({ open, close }, parts);
}

/**
 * Creates an index in a given database, with block sizes chosen by the caller. If `parts.database` is set, a worker thread builds
 * the index from the pool there. Otherwise this thread builds it from `parts.pool`.
 */
export function createIndexOn(
  database: {
    readonly open: () => Promise<PostgresDatabase>;
    readonly close: () => Promise<unknown>;
  },
  parts: SearchParts,
  shape: IndexShape = usualShape,
): SearchIndex {
  const { open } = database;
  const refresher = createDatabaseRefresher({ ...parts, open, shape });
  const cachedRoleScores = createRoleScoreCache<GenerationInUse, RoleScoreCounts | "too many">();
  /** Runs a query on the current generation. If that generation was removed meanwhile, the query runs again on the next one. */
  const ask = async <Answer>(
    work: (index: SearchedIndex) => Promise<Answer | undefined>,
  ): Promise<Answer> => {
    const { read } = await open();
    let { generation } = refresher;
    for (let last: number | undefined; generation && generation.id !== last; ) {
      const current: GenerationInUse = generation;
      const answer = await read(async (statements) => {
        const found = await work({ statements, generation: current });
        // A generation is marked as not ready before its rows are removed. If it is still ready, the rows read are complete.
        return (await isInUse(statements, current.id)) ? found : undefined;
      });
      if (answer !== undefined) return answer;
      last = current.id;
      generation = await refresher.reload();
    }
    throw new Problem("internal", { cause: new Error("The search index is not loaded yet.") });
  };
  return {
    ...createWordMethods(parts),
    get generation() {
      return refresher.loaded;
    },
    find: (query) => ask((index) => findInDatabase(index, query, parts)),
    explain: (person, query) => ask((index) => explainInDatabase(index, person, query, parts)),
    lookUp: (asked) => ask((index) => lookUpInDatabase(index, asked, parts)),
    countRoleScores: (role) =>
      ask((index) =>
        cachedRoleScores(index.generation, role, () => countRoleScoresInDatabase(index, role)),
      ).then((counted) => (counted === "too many" ? undefined : counted)),
    findPeople: (asked) => requireFinder(parts).find(asked),
    async start() {
      await requireFinder(parts).prepare();
      await refresher.reload();
      await refresher.refresh();
      refresher.follow();
    },
    refresh: refresher.refresh,
    discard: refresher.discard,
    async close() {
      await refresher.close();
      await database.close();
    },
  };
}

function requireFinder({ pool }: Pick<SearchParts, "pool">): PeopleFinder {
  if (pool.people) return pool.people;
  throw new Error("The pool of an index in a database must be able to find people.");
}
