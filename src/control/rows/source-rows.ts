import { asc, eq, inArray } from "drizzle-orm";
import { execute, fetchRows, type Queries, type Work } from "../../queries/work.ts";
import type { NewAuditEntry } from "../account-records.ts";
import type { SourceAsk, SourceState, StoredSource } from "../source-records.ts";
import type { ControlTables } from "../tables/control-tables.ts";
import type { RowsContext } from "./rows-context.ts";

/** Stores sources, without their tokens, and what nodes ask of each other about them. */
export function createSourceRows({ tables, read, commitOne, transact }: RowsContext) {
  const { sources, sourceAsks } = tables;
  const putLogged = (id: string, change: SourceChange, by: NewAuditEntry): Promise<void> =>
    transact(function* (queries, log) {
      yield* putSource(queries, tables, id, change);
      yield* log(by);
    });
  return {
    /** Lists all sources by id. A source without settings stands in the settings file, or stood there once. */
    list: (): Promise<readonly StoredSource[]> =>
      read((queries) => fetchRows(queries.select().from(sources).orderBy(asc(sources.id)))),
    save: (id: string, settings: object, reader: string, by: NewAuditEntry): Promise<void> =>
      putLogged(id, { settings, reader }, by),
    /** Removes a source with its hook, its state and what was asked of it. */
    remove: (id: string, by: NewAuditEntry): Promise<void> =>
      transact(function* (queries, log) {
        yield* execute(queries.delete(sources).where(eq(sources.id, id)));
        yield* execute(queries.delete(sourceAsks).where(eq(sourceAsks.sourceId, id)));
        yield* log(by);
      }),
    /** Turns the push hook on with a new salt, or off without one. */
    setHook: (id: string, salt: string | undefined, by: NewAuditEntry): Promise<void> =>
      putLogged(id, { hookSalt: salt ?? null }, by),
    /** Notes the outcome of a reading. */
    noteState: (id: string, state: SourceState): Promise<void> =>
      commitOne((queries) => putSource(queries, tables, id, { state })),
    /** Asks the source's reader to read it soon. The same request is stored once. */
    ask: (id: string, repository: string | undefined, at: Date): Promise<void> =>
      commitOne((queries) => {
        const row = { sourceId: id, repository: repository ?? "", atMs: at.getTime() };
        return execute(queries.insert(sourceAsks).values(row).onConflictDoNothing());
      }),
    /** Returns and removes what was asked of these sources. No other node gets the same request. */
    takeAsks: (ids: readonly string[]): Promise<readonly SourceAsk[]> =>
      commitOne(function* (queries) {
        if (ids.length === 0) return [];
        const isMeant = inArray(sourceAsks.sourceId, [...ids]);
        const rows = yield* fetchRows(queries.delete(sourceAsks).where(isMeant).returning());
        return rows
          .sort((a, b) => a.atMs - b.atMs)
          .map((row) => ({ id: row.sourceId, repository: row.repository || undefined }));
      }),
  };
}

type SourceChange = Partial<Omit<StoredSource, "id">>;

function* putSource(
  queries: Queries,
  { sources }: ControlTables,
  id: string,
  change: SourceChange,
): Work<void> {
  const row = { id, reader: "", ...change };
  const conflict = { target: sources.id, set: change };
  yield* execute(queries.insert(sources).values(row).onConflictDoUpdate(conflict));
}
