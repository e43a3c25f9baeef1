/** Accounts and audit entries as the ports ControlStore and SignInStore take and return them: plain data. */
export interface AddRefusal {
  readonly ok: false;
  readonly code: "account_taken" | "key_taken";
}

export interface NewAccountRow {
  readonly id: string;
  readonly email: string;
  /** The e-mail in the form used for comparison. */
  readonly emailKey: string;
  readonly plan: string;
  /** `null`: the plan's limit; -1: unlimited. */
  readonly callsPerMonth: number | null;
  readonly callsPerDay: number | null;
  readonly administrator: boolean;
  readonly createdMs: number;
}

export interface AccountRow extends NewAccountRow {
  readonly disabled: boolean;
  readonly keyHint: string | undefined;
  /** To the minute. */
  readonly keyLastUsedMs: number | undefined;
}

export type AccountChange = Partial<
  Pick<AccountRow, "plan" | "callsPerMonth" | "callsPerDay" | "disabled">
>;

export interface NewAuditEntry {
  readonly at: Date;
  readonly actor: string;
  /** `account.created`, `key.replaced`, `plan.changed` ... */
  readonly action: string;
  /** What the entry is about: the id of an account or a receipt. */
  readonly subject: string;
  /** Never a secret. */
  readonly detail: Readonly<Record<string, string | number | boolean | null>>;
}

export interface AuditEntry extends Omit<NewAuditEntry, "at"> {
  readonly sequence: number;
  /** ISO 8601, UTC. */
  readonly at: string;
}

/** Selects entries of the audit log; without a field, it selects any. */
export interface AuditFilter {
  /** An action, or the part of it before a dot: `account` finds `account.created`. */
  readonly action?: string | undefined;
  /** Ids of the actor, and of what the entry is about. */
  readonly actor?: string | undefined;
  readonly subject?: string | undefined;
  /** UTC days, both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Only entries before this one. */
  readonly before?: number | undefined;
}
