/** What sign-in stores: the records of its library, one-time links, and clients of grants. */
import type { AccountRow } from "./account-records.ts";

/** The sign-in library's access to the database. */
export interface SignInRecords {
  /** The database handle for the sign-in library's adapter. */
  readonly database: object;
  readonly provider: "sqlite" | "pg";
  readonly tables: Readonly<Record<string, object>>;
  /** Runs a step of the sign-in library. @throws if the store has stopped after a failure. */
  guarded<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** What a one-time link is for. */
export type LinkPurpose = "set-up" | "invitation" | "reset";

export interface LinkRow {
  readonly purpose: LinkPurpose;
  readonly account: AccountRow;
  readonly expiresMs: number;
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
