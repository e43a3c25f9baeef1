/** Accounts and audit entries as plain data. */
import type { ControlRow } from "./tables/control-tables.ts";

export type AddRefusal = "account_taken" | "key_taken";

export type NewAccountRow = Omit<ControlRow<"accounts">, "disabled">;

export interface AccountRow extends ControlRow<"accounts"> {
  readonly keyHint: string | undefined;
  /** Time of the last use of a key, accurate to the minute. */
  readonly keyLastUsedMs: number | undefined;
}

export type AccountChange = Partial<
  Pick<AccountRow, "plan" | "callsPerMonth" | "callsPerDay" | "disabled">
>;

/** The actions of the audit log. The log's page has a sentence for each action, so a new action must also be added there. */
export const auditActions = [
  ...(["account.created", "account.disabled", "account.enabled"] as const),
  ...(["key.made", "key.regenerated", "key.recovered", "plan.changed"] as const),
  ...(["link.made", "link.used", "password.changed"] as const),
  ...(["sign-in.refused", "session.opened", "session.replaced", "session.ended"] as const),
  ...(["session.confirmed", "sessions.ended", "client.registered", "client.removed"] as const),
  ...(["grant.made", "grant.refused", "grant.revoked"] as const),
  ...(["identity.merged", "identity.split", "identity.undone"] as const),
  ...(["person.forgotten", "person.allowed", "erasures.repeated"] as const),
  ...(["run.started", "run.stopped", "run.ended", "source.asked"] as const),
  ...(["source.added", "source.changed", "source.removed"] as const),
  ...(["source.hook_on", "source.hook_off"] as const),
  ...(["webhook.added", "webhook.removed"] as const),
  ...(["list.added", "list.removed", "search.added", "search.removed"] as const),
  ...(["backup.started", "backup.stopped", "backup.made", "backup.fetched"] as const),
  ...(["folder.restored", "store.loss", "store.loss_accepted"] as const),
  "clock.accepted",
] as const;

export type AuditAction = (typeof auditActions)[number];

export interface NewAuditEntry {
  readonly at: Date;
  readonly actor: string;
  readonly action: AuditAction;
  /** The id of the account or receipt that the action concerns. */
  readonly subject: string;
  /** Details of the action. They never contain a secret. */
  readonly detail: Readonly<Record<string, string | number | boolean | null>>;
}

export interface AuditEntry extends Omit<NewAuditEntry, "at" | "action"> {
  /** The action as a text, because a newer version may have written an unknown action. */
  readonly action: string;
  readonly sequence: number;
  /** Time of the action, ISO 8601, UTC. */
  readonly at: string;
}

/** Selects entries of the audit log. An absent field selects all entries. */
export interface AuditFilter {
  /** An action, or its first part: `account` selects `account.created` and `account.disabled`. */
  readonly action?: string | undefined;
  /** Ids of accounts or receipts. Entries with one of them as actor or subject are selected. */
  readonly involved?: readonly string[] | undefined;
  /** `from` and `to` are UTC days. Entries of both days are selected. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Selects only entries before this sequence number. */
  readonly before?: number | undefined;
}

export interface NewKey {
  readonly id: string;
  readonly digest: Uint8Array;
  readonly hint: string;
  readonly createdMs: number;
}
