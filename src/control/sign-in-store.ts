/**
 * The part of the port that sign-in needs: passwords, sessions, one-time links, grants of assistants. Reads of
 * credentials and whatever must be one transaction with the audit log are here; what the sign-in library
 * writes by itself (new sessions, clients, codes, tokens) it writes through `records`.
 */
import type { AccountRow, AddRefusal, NewAccountRow, NewAuditEntry } from "./account-records.ts";

export interface SignInStore {
  /** Where the sign-in library keeps its records. */
  readonly records: SignInRecords;
  /** Signs cookies; made at its first use, kept for good. */
  secret(): Promise<string>;

  findPassword(accountId: string): Promise<string | undefined>;
  /**
   * Ends every session of the account and its link; assistants stay connected.
   * @returns whether `before` was still its password; otherwise nothing is changed.
   */
  setPassword(change: PasswordChange, by: NewAuditEntry): Promise<boolean>;
  /** One transaction: nobody ever sees an account that cannot be signed in to. */
  addAccountWithPassword(
    account: NewAccountRow,
    hash: string,
    by: NewAuditEntry,
  ): Promise<AddRefusal | undefined>;
  /** Makes the library's row of an account that has none, so that a session can be opened. */
  ensureUser(account: AccountRow, at: Date): Promise<void>;

  /** Takes the place of the account's link before it, if any. */
  addLink(link: NewLink, by: NewAuditEntry): Promise<void>;
  /** @returns `undefined` when it is unknown, used or expired, or its account disabled. */
  findLink(digest: string, at: Date): Promise<LinkRow | undefined>;
  /** Uses it up and sets the password, in one transaction. */
  redeemLink(digest: string, use: LinkUse, by: LinkAudit): Promise<LinkRedemption>;

  /** With its account; `undefined` when it is unknown or past its rest, or its account disabled. */
  findSession(digest: string, at: Date): Promise<LiveSession | undefined>;
  /** Seen now: it rests until `expiresAt`. */
  touchSession(id: string, seen: { readonly at: Date; readonly expiresAt: Date }): Promise<void>;
  /** Latest seen first; those that have expired are left out. */
  listSessions(accountId: string, at: Date): Promise<readonly SessionRow[]>;
  /** @returns how many ended; nothing is logged when none did. */
  endSessions(accountId: string, which: SessionSelection, by: NewAuditEntry): Promise<number>;

  /**
   * For each digest, in order: the live access token's grant; `undefined` when it is unknown, expired or revoked, or
   * its account disabled.
   */
  findGrants(digests: readonly string[], at: Date): Promise<readonly (GrantRow | undefined)[]>;
  /** By the token's digest; `undefined` when it is unknown, or its account disabled. */
  findRefreshToken(digest: string): Promise<RefreshToken | undefined>;
  /** Keeps the answer that followed on this token, sealed, to be given again until `untilMs`. */
  keepAnswer(refreshTokenId: string, answer: SealedAnswer): Promise<void>;
  /** Ends every token that came of one code, in one transaction. */
  endFamily(family: string, by: NewAuditEntry): Promise<void>;
  hasConsent(accountId: string, clientId: string): Promise<boolean>;

  findClient(clientId: string): Promise<ClientRow | undefined>;
  /** Oldest first: those that registered by themselves under this name, or under none. */
  listClientsNamed(name: string | undefined): Promise<readonly RegisteredClient[]>;
  /** @param by of the operator who vouches for it; `undefined`: it registered by itself. */
  addClient(client: RegisteredClient, at: Date, by: NewAuditEntry | undefined): Promise<void>;
  /** It registered once more: it counts as registered now. */
  touchClient(clientId: string, at: Date): Promise<void>;
  /** Those that the operator vouches for, oldest first. */
  listVerifiedClients(): Promise<readonly VerifiedClient[]>;
  /** With every grant to it. @returns whether there was one. */
  removeClient(clientId: string, by: NewAuditEntry): Promise<boolean>;
  /** Oldest first: clients that the account consented to and that hold a live token. */
  listAssistants(accountId: string, at: Date): Promise<readonly AssistantRow[]>;
  /** Revokes consent, codes and tokens in one transaction. @returns whether there was anything. */
  endAssistant(accountId: string, assistantId: string, by: NewAuditEntry): Promise<boolean>;
  /** Removes what can never be of use again. */
  prune(at: Date): Promise<void>;
}

/** Opaque: accounts hands it on to the sign-in library, and looks no further. */
export interface SignInRecords {
  /** The sign-in library's adapter takes both. */
  readonly database: object;
  /** Which SQL it speaks. */
  readonly provider: "sqlite";
  readonly tables: Readonly<Record<string, object>>;
  /** Runs a step of the library's under the store's fail-stop. */
  guarded<Result>(work: () => Promise<Result>): Promise<Result>;
}

export interface PasswordChange {
  readonly accountId: string;
  readonly hash: string;
  /** The hash that takes its leave. */
  readonly before: string;
}

export type LinkKind = "set-up" | "invitation" | "reset";

export interface NewLink {
  readonly accountId: string;
  readonly digest: string;
  readonly purpose: LinkKind;
  readonly createdMs: number;
  readonly expiresMs: number;
}

export interface LinkRow {
  readonly purpose: LinkKind;
  readonly account: AccountRow;
  readonly expiresMs: number;
}

export interface LinkUse {
  readonly hash: string;
  readonly at: Date;
  /** A new e-mail of the account; only a set-up link may bring one. */
  readonly email?: { readonly email: string; readonly emailKey: string };
}

export type LinkAudit = (link: LinkRow) => NewAuditEntry;
export type LinkRedemption =
  | { readonly ok: true; readonly account: AccountRow }
  | { readonly ok: false; readonly code: "unknown" | "email_taken" };

export interface SessionRow {
  readonly id: string;
  readonly createdMs: number;
  /** It may have been seen again within a minute. */
  readonly lastSeenMs: number;
  readonly address: string | undefined;
  readonly userAgent: string | undefined;
}

export interface LiveSession extends SessionRow {
  readonly account: AccountRow;
}

/** One session, or all but one. */
export type SessionSelection = { readonly id: string } | { readonly except: string };

export interface GrantRow {
  readonly id: string;
  readonly accountId: string;
  readonly plan: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly resources: readonly string[];
}

export interface RefreshToken {
  readonly id: string;
  readonly accountId: string;
  readonly clientId: string;
  /** Alike in all tokens that came of one code. */
  readonly family: string;
  /** Another one was given in its place, or it was taken back. */
  readonly isSpent: boolean;
  readonly answer: SealedAnswer | undefined;
}

export interface SealedAnswer {
  readonly sealed: string;
  readonly untilMs: number;
}

export interface RegisteredClient {
  readonly clientId: string;
  readonly name: string | undefined;
  readonly uri: string | undefined;
  readonly softwareId: string | undefined;
  readonly softwareVersion: string | undefined;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly string[];
}

export interface VerifiedClient {
  readonly clientId: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly string[];
  readonly createdMs: number;
}

export interface ClientRow {
  readonly name: string | undefined;
  readonly uri: string | undefined;
  readonly scopes: readonly string[] | undefined;
  readonly isVerified: boolean;
}

export interface AssistantRow {
  readonly id: string;
  readonly name: string | undefined;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly string[];
  readonly connectedMs: number;
  /** To the minute. */
  readonly lastUsedMs: number | undefined;
}
