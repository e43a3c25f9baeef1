import type { TableKit } from "../../queries/table-kit.ts";

/** The outcome of the latest reading of a source. */
export interface SourceState {
  /** Time when the source was last read completely, ISO 8601, UTC. */
  readonly completedAt?: string;
  readonly people?: number;
  readonly repositories?: number;
  /** Why the latest reading failed. */
  readonly fault?: string;
}

/** @package The tables of the sources that Roster reads by itself, of runs, and of the webhooks that are told. */
export function defineSourceTables(kit: TableKit) {
  const { table, text, whole, short, flag, instant, json, primaryKey, index } = kit;
  return {
    sources: table("source", {
      id: text().primaryKey(),
      /** The source in the form of a table of `[[sources]]`, without id and token. Null for a source of the settings file. */
      settings: json().$type<object>(),
      /** The node that reads the source. Empty means the server of the data folder. */
      reader: text().notNull(),
      /** The random part of the secret of the source's push hook. Null means that the hook is off. */
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
    runs: table("run", {
      id: text().primaryKey(),
      kind: text().notNull(),
      title: text().notNull(),
      source: text(),
      /** The id of an account, or `schedule`, `hook` or `command`. */
      by: text("started_by").notNull(),
      /** The name of the machine on which it runs or ended. */
      machine: text().notNull(),
      startedAt: instant("started_ms").notNull(),
      /** Time when it began, as long as it has not ended. */
      endedAt: instant("ended_ms").notNull(),
      state: text().$type<"running" | "done" | "stopped" | "failed">().notNull(),
      outcome: text().notNull(),
      /** The process that has not told how the run ended. */
      pid: whole(),
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
      /** The notices that it was told of and that are not over, as JSON. */
      notices: text().notNull().default("[]"),
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
