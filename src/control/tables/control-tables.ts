/** The tables of accounts and quota, for control.db and PostgreSQL. Instants are milliseconds since 1970. */
import type { TableKit } from "../../queries/table-kit.ts";
import { defineAccountTables } from "./account-tables.ts";
import { defineFolderTables } from "./folder-tables.ts";
import { defineOauthTables } from "./oauth-tables.ts";
import { defineSavedTables } from "./saved-tables.ts";
import { definePasswordTables, defineSignInTables } from "./sign-in-tables.ts";
import { defineSourceTables } from "./source-tables.ts";

export type ControlTables = ReturnType<typeof defineControlTables>;

export function defineControlTables(kit: TableKit) {
  const ofAccounts = defineAccountTables(kit);
  const { accounts } = ofAccounts;
  const ofSignIn = defineSignInTables(kit, accounts);
  return {
    ...ofAccounts,
    ...defineFolderTables(kit),
    ...defineSavedTables(kit, accounts),
    ...defineSourceTables(kit),
    ...definePasswordTables(kit, accounts),
    ...ofSignIn,
    ...defineOauthTables(kit, ofSignIn),
  };
}

/** Returns the sign-in library's tables, by the names of its models. */
export function listLibraryTables(tables: ControlTables) {
  return {
    user: tables.users,
    session: tables.sessions,
    account: tables.providerAccounts,
    verification: tables.verifications,
    oauthClient: tables.clients,
    oauthResource: tables.resources,
    oauthClientResource: tables.clientResources,
    oauthRefreshToken: tables.refreshTokens,
    oauthAccessToken: tables.accessTokens,
    oauthConsent: tables.consents,
    oauthClientAssertion: tables.clientAssertions,
    ssoProvider: tables.providers,
  };
}

export type ControlRow<Name extends keyof ControlTables> = ControlTables[Name]["$inferSelect"];
