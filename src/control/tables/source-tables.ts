import type { TableKit } from "../../queries/table-kit.ts";
import type { EndedRun, SourceState } from "../source-records.ts";

/** @package The tables of the sources that Roster reads by itself, of ended runs, and of the webhooks that are told. */
export function defineSourceTables(kit: TableKit) {
  const { table, text, whole, short, flag, json, primaryKey, index } = kit;
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
    targets: table("webhook_target", {
      id: text().primaryKey(),
      url: text().notNull(),
      /** The types of events that it gets. */
      events: json().$type<readonly string[]>().notNull(),
      /** Whether its address may be on this machine or on its link. */
      isLocal: flag("is_local").notNull(),
      /** How far the changes of people were told. Empty means that nothing was told yet. */
      told: text().notNull(),
      /** Why the latest attempts failed. */
      fault: text(),
    }),
    deliveries: table(
      "webhook_delivery",
      {
        id: text().primaryKey(),
        targetId: text("target_id").notNull(),
        body: text().notNull(),
        createdMs: whole("created_ms").notNull(),
        /** When it may be sent next, also while it is being sent. Null means that it is dead. */
        dueMs: whole("due_ms"),
        attempts: short().notNull(),
      },
      (table) => [index("webhook_delivery_due").on(table.targetId, table.dueMs)],
    ),
  };
}
