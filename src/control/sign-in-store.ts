/**
 * The part of the port that sign-in needs: passwords, sessions, one-time links, grants of assistants. It contains the
 * reads of credentials and every write that shares a transaction with the audit log. The sign-in library writes its own
 * rows (new sessions, clients, codes, tokens) through `records`.
 */
import type { AccountRow, AddRefusal, NewAccountRow, NewAuditEntry } from "./account-records.ts";

export interface SignInStore {
  /** Where the sign-in library stores its records. */
  readonly records: SignInRecords;
  /** Returns the secret that signs cookies. It is created at its first use and never changes. */
  secret(): Promise<string>;

  findPassword(accountId: string): Promise<string | undefined>;
  /**
   * Sets the password. Also ends the account's sessions and removes its link; assistants stay connected.
   * @returns whether `before` was still the stored hash; otherwise nothing is changed.
   */
  setPassword(change: PasswordChange, by: NewAuditEntry): Promise<boolean>;
  /** Adds an account with a password in one transaction, so that there is never an account that no one can sign in to. */
  addAccountWithPassword(
    account: NewAccountRow,
    hash: string,
    by: NewAuditEntry,
  ): Promise<AddRefusal | undefined>;
  /** Creates or updates the account's row in the sign-in library's tables, which a session needs. */
  ensureUser(account: AccountRow, at: Date): Promise<void>;

  /** Replaces the account's earlier link, if any. */
  addLink(link: NewLink, by: NewAuditEntry): Promise<void>;
  /** @returns `undefined` if the link is unknown, used or expired, or its account is disabled. */
  findLink(digest: string, at: Date): Promise<LinkRow | undefined>;
  /** Lists invitations that enabled accounts have not accepted, including expired ones until they are pruned. */
  listInvitations(): Promise<readonly Pick<NewLink, "accountId" | "expiresMs">[]>;
  /** Consumes the link and sets the password, in one transaction. */
  redeemLink(digest: string, use: LinkUse, by: LinkAudit): Promise<LinkRedemption>;

  /** Returns a session with its account; `undefined` if it is unknown or was idle too long, or the account is disabled. */
  findSession(digest: string, at: Date): Promise<LiveSession | undefined>;
  /** Records that the session was used. Without further use, it now ends at `expiresAt`. */
  noteSession(id: string, seen: { readonly at: Date; readonly expiresAt: Date }): Promise<void>;
  /** Lists sessions, the most recently used first, without expired ones. */
  listSessions(accountId: string, at: Date): Promise<readonly SessionRow[]>;
  /** @returns how many sessions ended. If none did, nothing is logged. */
  endSessions(accountId: string, which: SessionSelection, by: NewAuditEntry): Promise<number>;

  /** Finds a grant by an access token's digest; `undefined` for an unknown, expired or revoked token, or a disabled account. */
  findGrant(digest: string, at: Date): Promise<GrantRow | undefined>;
  /** Finds a refresh token by its digest; `undefined` if the token is unknown or its account is disabled. */
  findRefreshToken(digest: string): Promise<RefreshToken | undefined>;
  /** Stores the encrypted response to this refresh token, which can be sent again until `untilMs`. */
  storeAnswer(refreshTokenId: string, answer: SealedAnswer): Promise<void>;
  /** Ends every token that was issued from one authorization code, in one transaction. */
  endFamily(family: string, by: NewAuditEntry): Promise<void>;
  hasConsent(accountId: string, clientId: string): Promise<boolean>;

  findClient(clientId: string): Promise<ClientRow | undefined>;
  /** Lists clients that registered themselves under this name, oldest first; `undefined`: clients without a name. */
  listClientsNamed(name: string | undefined): Promise<readonly RegisteredClient[]>;
  /** @param by the audit entry of the operator who vouches for the client; `undefined`: the client registered itself. */
  addClient(client: RegisteredClient, at: Date, by: NewAuditEntry | undefined): Promise<void>;
  /** Records that the client registered again: it counts as registered at `at`. */
  renewClient(clientId: string, at: Date): Promise<void>;
  /** Lists clients that the operator vouches for, the oldest first. */
  listVerifiedClients(): Promise<readonly VerifiedClient[]>;
  /** Removes a verified client with every grant to it. @returns whether the client existed. */
  removeClient(clientId: string, by: NewAuditEntry): Promise<boolean>;
  /** Lists clients that the account consented to and that hold a valid token, oldest first. */
  listAssistants(accountId: string, at: Date): Promise<readonly AssistantRow[]>;
  /** Revokes the consent to an assistant, its codes and its tokens, in one transaction. @returns whether there was a consent. */
  endAssistant(accountId: string, assistantId: string, by: NewAuditEntry): Promise<boolean>;
  /** Removes rows that can never be used again. */
  prune(at: Date): Promise<void>;
}

/** The sign-in library's access to the database. The `accounts` module passes it on without using it. */
export interface SignInRecords {
  /** The database handle for the sign-in library's adapter. */
  readonly database: object;
  readonly provider: "sqlite" | "pg";
  readonly tables: Readonly<Record<string, object>>;
  /** Runs a database step of the sign-in library. A store that has stopped after a failure refuses it. */
  guarded<Result>(work: () => Promise<Result>): Promise<Result>;
}

interface PasswordChange {
  readonly accountId: string;
  readonly hash: string;
  /** The hash to be replaced. */
  readonly before: string;
}

/** What a one-time link is for. */
export type LinkPurpose = "set-up" | "invitation" | "reset";

interface NewLink {
  readonly accountId: string;
  readonly digest: string;
  readonly purpose: LinkPurpose;
  readonly createdMs: number;
  readonly expiresMs: number;
}

export interface LinkRow {
  readonly purpose: LinkPurpose;
  readonly account: AccountRow;
  readonly expiresMs: number;
}

interface LinkUse {
  readonly hash: string;
  readonly at: Date;
  /** The account's new e-mail. Only a set-up link may change it. */
  readonly email?: { readonly email: string; readonly emailKey: string };
}

type LinkAudit = (link: LinkRow) => NewAuditEntry;
type LinkRedemption =
  | { readonly ok: true; readonly account: AccountRow }
  | { readonly ok: false; readonly code: "unknown" | "email_taken" };

export interface SessionRow {
  readonly id: string;
  readonly createdMs: number;
  /** May be up to a minute old. */
  readonly lastSeenMs: number;
  readonly address: string | undefined;
  readonly userAgent: string | undefined;
}

export interface LiveSession extends SessionRow {
  readonly account: AccountRow;
}

/** Selects one session, or all but one. */
type SessionSelection = { readonly id: string } | { readonly except: string };

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
  /** Identifies the tokens that were all issued from one authorization code. */
  readonly family: string;
  /** Whether the token was rotated or revoked. */
  readonly isSpent: boolean;
  readonly answer: SealedAnswer | undefined;
}

interface SealedAnswer {
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

interface VerifiedClient {
  readonly clientId: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly string[];
  readonly createdMs: number;
}

interface ClientRow {
  readonly name: string | undefined;
  readonly uri: string | undefined;
  readonly scopes: readonly string[] | undefined;
  readonly isVerified: boolean;
}

interface AssistantRow {
  readonly id: string;
  readonly name: string | undefined;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly string[];
  readonly connectedMs: number;
  /** Accurate to the minute. */
  readonly lastUsedMs: number | undefined;
}
