import type { TableKit } from "../../queries/table-kit.ts";
import type { EndedRun, SourceState } from "../source-records.ts";

/** @package The tables of the sources that Roster reads by itself, and of the runs that have ended. */
export function defineSourceTables({ table, text, whole, json, primaryKey }: TableKit) {
  return {
    sources: table("source", {
      id: text().primaryKey(),
      /** Null for a source of the settings file: only its hook and state are stored. */
      settings: json().$type<object>(),
      reader: text().notNull(),
      hookSalt: text("hook_salt"),
      state: json().$type<SourceState>(),
    }),
    sourceAsks: table(
      "source_ask",
      {
        sourceId: text("source_id").notNull(),
        /** Empty means the whole source. */
        repository: text().notNull(),
        atMs: whole("at_ms").notNull(),
      },
      (table) => [primaryKey({ columns: [table.sourceId, table.repository] })],
    ),
    endedRuns: table("run", {
      id: text().primaryKey(),
      kind: text().notNull(),
      title: text().notNull(),
      source: text(),
      by: text("started_by").notNull(),
      machine: text().notNull(),
      startedMs: whole("started_ms").notNull(),
      endedMs: whole("ended_ms").notNull(),
      state: text().$type<EndedRun["state"]>().notNull(),
      outcome: text().notNull(),
    }),
  };
}
