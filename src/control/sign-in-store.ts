/** The part of the port that sign-in needs: passwords, sessions, one-time links, and grants of assistants. */
import type { AccountRow, AddRefusal, NewAccountRow, NewAuditEntry } from "./account-records.ts";

export interface SignInStore {
  /** Where the sign-in library stores its records. */
  readonly records: SignInRecords;
  /** Returns the secret that signs cookies. It is created at its first use and never changes. */
  secret(): Promise<string>;

  findPassword(accountId: string): Promise<string | undefined>;
  /**
   * Sets the password, ends the account's sessions and removes its link.
   * @returns false if `before` is not the stored hash. Then nothing is changed.
   */
  setPassword(change: PasswordChange, by: NewAuditEntry): Promise<boolean>;
  /** Adds an account with a password, in one transaction. */
  addAccountWithPassword(
    account: NewAccountRow,
    hash: string,
    by: NewAuditEntry,
  ): Promise<AddRefusal | undefined>;
  /** Creates or updates the account's row in the tables of the sign-in library. */
  ensureUser(account: AccountRow, at: Date): Promise<void>;

  /** Adds a one-time link. It replaces an earlier link of the account. */
  addLink(link: NewLink, by: NewAuditEntry): Promise<void>;
  /** @returns `undefined` if the link cannot be used. */
  findLink(digest: string, at: Date): Promise<LinkRow | undefined>;
  /** Lists the invitations that enabled accounts have not accepted. */
  listInvitations(): Promise<readonly Pick<NewLink, "accountId" | "expiresMs">[]>;
  /** Consumes the link and sets the password, in one transaction. */
  redeemLink(digest: string, use: LinkUse, by: LinkAudit): Promise<LinkRedemption>;

  /** Returns a session with its account. `undefined` means that no session with this digest is valid. */
  findSession(digest: string, at: Date): Promise<LiveSession | undefined>;
  /** Records that the session was used. It now ends at `expiresAt`. */
  noteSession(id: string, seen: { readonly at: Date; readonly expiresAt: Date }): Promise<void>;
  /** Lists the valid sessions. The session that was used last comes first. */
  listSessions(accountId: string, at: Date): Promise<readonly SessionRow[]>;
  /**
   * @param by undefined if an entry of the audit log says already why the sessions end.
   * @returns the number of sessions that were ended.
   */
  endSessions(
    accountId: string,
    which: SessionSelection,
    by: NewAuditEntry | undefined,
  ): Promise<number>;

  /** Finds a grant by the digest of its access token. `undefined` means that no valid token has this digest. */
  findGrant(digest: string, at: Date): Promise<GrantRow | undefined>;
  /** Finds a refresh token by its digest. `undefined` means that no enabled account has the token. */
  findRefreshToken(digest: string): Promise<RefreshToken | undefined>;
  /** Stores the encrypted response to this refresh token. It can be sent again until `untilMs`. */
  storeAnswer(refreshTokenId: string, answer: SealedAnswer): Promise<void>;
  /** Ends every token that was issued from one authorization code, in one transaction. */
  endFamily(family: string, by: NewAuditEntry): Promise<void>;
  hasConsent(accountId: string, clientId: string): Promise<boolean>;

  findClient(clientId: string): Promise<ClientRow | undefined>;
  /** Lists clients that registered themselves under this name. `undefined` selects clients without a name. */
  listClientsNamed(name: string | undefined): Promise<readonly RegisteredClient[]>;
  /** @param by the audit entry of the operator who added the client. `undefined` means that the client registered itself. */
  addClient(client: RegisteredClient, at: Date, by: NewAuditEntry | undefined): Promise<void>;
  /** Records that the client registered again. */
  renewClient(clientId: string, at: Date): Promise<void>;
  /** Lists clients for which the operator vouches, the oldest first. */
  listVerifiedClients(): Promise<readonly VerifiedClient[]>;
  /** Removes a client for which the operator vouches, with every grant to it. @returns whether the client existed. */
  removeClient(clientId: string, by: NewAuditEntry): Promise<boolean>;
  /** Lists the assistants that are connected to the account, oldest first. */
  listAssistants(accountId: string, at: Date): Promise<readonly AssistantRow[]>;
  /** Disconnects an assistant from the account. @returns whether it was connected. */
  endAssistant(accountId: string, assistantId: string, by: NewAuditEntry): Promise<boolean>;
  /** Removes rows that can never be used again. */
  prune(at: Date): Promise<void>;
}

/** The sign-in library's access to the database. */
export interface SignInRecords {
  /** The database handle for the sign-in library's adapter. */
  readonly database: object;
  readonly provider: "sqlite" | "pg";
  readonly tables: Readonly<Record<string, object>>;
  /** Runs a step of the sign-in library. @throws if the store has stopped after a failure. */
  guarded<Result>(work: () => Promise<Result>): Promise<Result>;
}

interface PasswordChange {
  readonly accountId: string;
  readonly hash: string;
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
  /** Time of the last use, accurate to the minute. */
  readonly lastSeenMs: number;
  readonly address: string | undefined;
  readonly userAgent: string | undefined;
}

export interface LiveSession extends SessionRow {
  readonly account: AccountRow;
}

/** Selects one session, or all sessions except one. */
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
  /** The id that all tokens from one authorization code have. */
  readonly family: string;
  /** Whether the token was used or revoked. */
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
  /** Time of the last use, accurate to the minute. */
  readonly lastUsedMs: number | undefined;
}
