import type { TableKit } from "../../queries/table-kit.ts";
import type { AccountTable } from "./account-tables.ts";

/** @package Tables of sign-in that only Roster reads and writes. */
export function definePasswordTables({ table, text, whole }: TableKit, accounts: AccountTable) {
  return {
    passwords: table("password", {
      accountId: text("account_id")
        .primaryKey()
        .references(() => accounts.id),
      /** The argon2id hash of the password, with its parameters. */
      hash: text().notNull(),
      changedMs: whole("changed_ms").notNull(),
    }),
    /** One-time links. An account has at most one link. */
    links: table("link", {
      accountId: text("account_id")
        .primaryKey()
        .references(() => accounts.id),
      digest: text().notNull().unique(),
      purpose: text().notNull(),
      createdMs: whole("created_ms").notNull(),
      expiresMs: whole("expires_ms").notNull(),
    }),
  };
}

/**
 * @package Tables of the sign-in library (better-auth 1.7.25, oauth-provider and sso 1.7.5). The keys of the columns are the
 * library's names. Tokens are stored as SHA-256 digests in base64url.
 */
export function defineSignInTables(kit: TableKit, accounts: AccountTable) {
  const users = defineUsers(kit, accounts);
  return {
    users,
    sessions: defineSessions(kit, users),
    verifications: defineVerifications(kit),
    ...defineProviderTables(kit, users),
  };
}

/** @package */
export type UserTable = ReturnType<typeof defineUsers>;

/** Users who have signed in. A user's id is the account's id. */
function defineUsers({ table, text, flag, instant }: TableKit, accounts: AccountTable) {
  return table("user", {
    id: text()
      .primaryKey()
      .references(() => accounts.id),
    name: text().notNull(),
    email: text().notNull().unique(),
    emailVerified: flag("email_verified").notNull(),
    image: text(),
    createdAt: instant("created_ms").notNull(),
    updatedAt: instant("updated_ms").notNull(),
  });
}

/** @package */
export function defineUserId({ text }: TableKit, users: UserTable) {
  return text("user_id").references(() => users.id, { onDelete: "cascade" });
}

/** @package */
export type SessionTable = ReturnType<typeof defineSessions>;

function defineSessions(kit: TableKit, users: UserTable) {
  const { table, text, instant, index } = kit;
  return table(
    "session",
    {
      id: text().primaryKey(),
      /** The digest of the token. The token itself is only in the browser's cookie. */
      token: text().notNull().unique(),
      userId: defineUserId(kit, users).notNull(),
      /** Time when the session ends if it is not used again. */
      expiresAt: instant("expires_ms").notNull(),
      createdAt: instant("created_ms").notNull(),
      /** Time of the last use, accurate to the minute. */
      updatedAt: instant("updated_ms").notNull(),
      ipAddress: text("ip_address"),
      userAgent: text("user_agent"),
    },
    (table) => [index("session_user").on(table.userId)],
  );
}

/** Unfinished steps of signing in: authorization codes, and sign-ins in progress at a provider. */
function defineVerifications({ table, text, instant, index }: TableKit) {
  return table(
    "verification",
    {
      id: text().primaryKey(),
      identifier: text().notNull(),
      value: text().notNull(),
      expiresAt: instant("expires_ms").notNull(),
      createdAt: instant("created_ms").notNull(),
      updatedAt: instant("updated_ms").notNull(),
    },
    (table) => [index("verification_identifier").on(table.identifier)],
  );
}

function defineProviderTables(kit: TableKit, users: UserTable) {
  const { table, text, flag, instant, index, uniqueIndex } = kit;
  return {
    /** The identity of an account at a single sign-on provider. */
    providerAccounts: table(
      "provider_account",
      {
        id: text().primaryKey(),
        accountId: text("account_id").notNull(),
        providerId: text("provider_id").notNull(),
        userId: defineUserId(kit, users).notNull(),
        accessToken: text("access_token"),
        refreshToken: text("refresh_token"),
        idToken: text("id_token"),
        accessTokenExpiresAt: instant("access_token_expires_ms"),
        refreshTokenExpiresAt: instant("refresh_token_expires_ms"),
        scope: text(),
        password: text(),
        createdAt: instant("created_ms").notNull(),
        updatedAt: instant("updated_ms").notNull(),
      },
      (table) => [
        index("provider_account_user").on(table.userId),
        uniqueIndex("provider_account_name").on(table.providerId, table.accountId),
      ],
    ),
    /** The library requires this table, although Roster's settings define the providers. */
    providers: table("sso_provider", {
      id: text().primaryKey(),
      issuer: text().notNull(),
      oidcConfig: text("oidc_config"),
      samlConfig: text("saml_config"),
      userId: defineUserId(kit, users),
      providerId: text("provider_id").notNull().unique(),
      organizationId: text("organization_id"),
      domain: text().notNull(),
      domainVerified: flag("domain_verified"),
    }),
  };
}
