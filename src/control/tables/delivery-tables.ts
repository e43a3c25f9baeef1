import type { TableKit } from "../../queries/table-kit.ts";
import type { DeliveryState, WebhookOff } from "../delivery-records.ts";

/** @package The tables of webhooks, and of what is to be sent to them. */
export function defineDeliveryTables({ table, text, whole, short, flag, json, index }: TableKit) {
  return {
    targets: table("webhook_target", {
      id: text().primaryKey(),
      url: text().notNull(),
      events: json().$type<readonly string[]>().notNull(),
      isLocal: flag("is_local").notNull(),
      createdMs: whole("created_ms").notNull(),
      /** Why nothing is sent. Null means that the target is on. */
      off: text().$type<WebhookOff>(),
      /** How far the changes of people were told. Null means that nothing was told yet. */
      told: text(),
    }),
    deliveries: table(
      "webhook_delivery",
      {
        id: text().primaryKey(),
        targetId: text("target_id").notNull(),
        event: text().notNull(),
        /** Empty after the delivery. */
        body: text().notNull(),
        createdMs: whole("created_ms").notNull(),
        /** When it is sent next. While it is being sent, the time when another attempt may begin. */
        dueMs: whole("due_ms").notNull(),
        attempts: short().notNull(),
        state: text().$type<DeliveryState>().notNull(),
        fault: text(),
        endedMs: whole("ended_ms"),
      },
      (table) => [index("webhook_delivery_due").on(table.targetId, table.state, table.dueMs)],
    ),
  };
}
