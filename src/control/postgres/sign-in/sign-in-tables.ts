/**
 * The tables of sign-in in PostgreSQL. Those in the first part are ours; those in the second belong to the sign-in
 * library, whose adapter finds a table by its key in `libraryTables` and a column by its key here, so both keep the
 * library's names (better-auth 1.7.25, oauth-provider and sso 1.7.5). Lists and objects are JSON texts.
 * Tokens are SHA-256 digests in base64url.
 */
import { sql } from "drizzle-orm";
import { boolean, index, uniqueIndex } from "drizzle-orm/pg-core";
import { instant, json, text, whole } from "../../../postgres/column-types.ts";
import { accounts, controlSchema } from "../tables.ts";

/** @package argon2id, in the form that names its own parameters. */
export const passwords = controlSchema.table("password", {
  accountId: text("account_id")
    .primaryKey()
    .references(() => accounts.id),
  hash: text().notNull(),
  changedMs: whole("changed_ms").notNull(),
});

/** @package One-time links; one per account, so that a new one replaces the old. */
export const links = controlSchema.table("link", {
  accountId: text("account_id")
    .primaryKey()
    .references(() => accounts.id),
  digest: text().notNull().unique(),
  purpose: text().notNull(),
  createdMs: whole("created_ms").notNull(),
  expiresMs: whole("expires_ms").notNull(),
});

/** @package Users who have signed in: the id is the account's. */
export const user = controlSchema.table("user", {
  id: text()
    .primaryKey()
    .references(() => accounts.id),
  name: text().notNull(),
  email: text().notNull().unique(),
  emailVerified: boolean("email_verified").notNull(),
  image: text(),
  createdAt: instant("created_ms").notNull(),
  updatedAt: instant("updated_ms").notNull(),
});

const userId = () => text("user_id").references(() => user.id, { onDelete: "cascade" });

/** @package */
export const sessions = controlSchema.table(
  "session",
  {
    id: text().primaryKey(),
    /** The digest; the token itself is in the browser's cookie only. */
    token: text().notNull().unique(),
    userId: userId().notNull(),
    /** The end when idle; the absolute end follows from `createdAt`. */
    expiresAt: instant("expires_ms").notNull(),
    createdAt: instant("created_ms").notNull(),
    /** When it was last seen; written at most once a minute. */
    updatedAt: instant("updated_ms").notNull(),
    ipAddress: text("ip_address"),
    userAgent: text("user_agent"),
  },
  (table) => [index("session_user").on(table.userId)],
);

/** @package An account's identity at a provider of single sign-on. */
export const providerAccounts = controlSchema.table(
  "provider_account",
  {
    id: text().primaryKey(),
    accountId: text("account_id").notNull(),
    providerId: text("provider_id").notNull(),
    userId: userId().notNull(),
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
);

/** @package Pending steps: authorization codes, sign-ins under way at a provider. */
export const verifications = controlSchema.table(
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

/** @package */
export const clients = controlSchema.table("oauth_client", {
  id: text().primaryKey(),
  clientId: text("client_id").notNull().unique(),
  clientSecret: text("client_secret"),
  clientDiscoveryId: text("client_discovery_id"),
  disabled: boolean("disabled"),
  skipConsent: boolean("skip_consent"),
  enableEndSession: boolean("enable_end_session"),
  subjectType: text("subject_type"),
  scopes: json(),
  clientCredentialsScopes: json("client_credentials_scopes"),
  userId: userId(),
  createdAt: instant("created_ms"),
  updatedAt: instant("updated_ms"),
  name: text(),
  uri: text(),
  icon: text(),
  contacts: json(),
  tos: text(),
  policy: text(),
  softwareId: text("software_id"),
  softwareVersion: text("software_version"),
  softwareStatement: text("software_statement"),
  redirectUris: json("redirect_uris").notNull(),
  postLogoutRedirectUris: json("post_logout_redirect_uris"),
  backchannelLogoutUri: text("backchannel_logout_uri"),
  backchannelLogoutSessionRequired: boolean("backchannel_logout_session_required"),
  tokenEndpointAuthMethod: text("token_endpoint_auth_method"),
  applicationType: text("application_type"),
  jwks: text(),
  jwksUri: text("jwks_uri"),
  grantTypes: json("grant_types"),
  responseTypes: json("response_types"),
  requirePKCE: boolean("require_pkce"),
  dpopBoundAccessTokens: boolean("dpop_bound_access_tokens"),
  referenceId: text("reference_id"),
  metadata: json(),
  /** Ours: the operator registered it, so its name can be believed. The library never writes it. */
  isVerified: boolean("is_verified").notNull().default(false),
});

const clientId = () =>
  text("client_id")
    .notNull()
    .references(() => clients.clientId, { onDelete: "cascade" });

/** @package */
export const resources = controlSchema.table("oauth_resource", {
  id: text().primaryKey(),
  identifier: text().notNull().unique(),
  name: text().notNull(),
  accessTokenTtl: whole("access_token_ttl"),
  refreshTokenTtl: whole("refresh_token_ttl"),
  signingAlgorithm: text("signing_algorithm"),
  signingKeyId: text("signing_key_id"),
  allowedScopes: json("allowed_scopes"),
  customClaims: json("custom_claims"),
  dpopBoundAccessTokensRequired: boolean("dpop_bound_access_tokens_required"),
  disabled: boolean("disabled"),
  createdAt: instant("created_ms"),
  updatedAt: instant("updated_ms"),
  policyVersion: whole("policy_version"),
  metadata: json(),
});

/** @package */
export const clientResources = controlSchema.table(
  "oauth_client_resource",
  {
    id: text().primaryKey(),
    clientId: clientId(),
    resourceId: text("resource_id")
      .notNull()
      .references(() => resources.identifier, { onDelete: "cascade" }),
    metadata: json(),
    createdAt: instant("created_ms"),
  },
  (table) => [uniqueIndex("oauth_client_resource_pair").on(table.clientId, table.resourceId)],
);

const grantColumns = () => ({
  id: text().primaryKey(),
  token: text().notNull().unique(),
  clientId: clientId(),
  sessionId: text("session_id").references(() => sessions.id, { onDelete: "set null" }),
  userId: userId().notNull(),
  referenceId: text("reference_id"),
  /** The same in all tokens that were issued from one code. */
  authorizationCodeId: text("authorization_code_id"),
  resources: json(),
  requestedUserInfoClaims: json("requested_user_info_claims"),
  expiresAt: instant("expires_ms").notNull(),
  createdAt: instant("created_ms").notNull(),
  revoked: instant("revoked_ms"),
  confirmation: json(),
  scopes: json().notNull(),
});

/** @package */
export const refreshTokens = controlSchema.table(
  "oauth_refresh_token",
  {
    ...grantColumns(),
    rotatedAt: instant("rotated_ms"),
    rotationReplayResponse: text("rotation_replay_response"),
    rotationReplayExpiresAt: instant("rotation_replay_expires_ms"),
    authTime: instant("auth_time_ms"),
  },
  (table) => [
    index("oauth_refresh_token_holder").on(table.userId, table.clientId),
    index("oauth_refresh_token_code").on(table.authorizationCodeId),
  ],
);

/** @package */
export const accessTokens = controlSchema.table(
  "oauth_access_token",
  {
    ...grantColumns(),
    refreshId: text("refresh_id").references(() => refreshTokens.id, { onDelete: "cascade" }),
  },
  (table) => [
    index("oauth_access_token_holder").on(table.userId, table.clientId),
    index("oauth_access_token_code").on(table.authorizationCodeId),
    index("oauth_access_token_refresh").on(table.refreshId),
  ],
);

/** @package */
export const consents = controlSchema.table(
  "oauth_consent",
  {
    id: text().primaryKey(),
    clientId: clientId(),
    userId: userId().notNull(),
    referenceId: text("reference_id"),
    resources: json(),
    requestedUserInfoClaims: json("requested_user_info_claims"),
    scopes: json().notNull(),
    createdAt: instant("created_ms"),
    updatedAt: instant("updated_ms"),
    /** Ours: when a call was last counted under it, to the minute. */
    lastUsedMs: whole("last_used_ms"),
  },
  (table) => [
    index("oauth_consent_client").on(table.clientId),
    uniqueIndex("oauth_consent_holder")
      .on(table.userId, table.clientId)
      .where(sql`reference_id IS NULL`),
  ],
);

/** @package */
export const clientAssertions = controlSchema.table("oauth_client_assertion", {
  id: text().primaryKey(),
  expiresAt: instant("expires_ms").notNull(),
});

/** @package Providers come from the settings, but the library requires the table. */
export const ssoProviders = controlSchema.table("sso_provider", {
  id: text().primaryKey(),
  issuer: text().notNull(),
  oidcConfig: text("oidc_config"),
  samlConfig: text("saml_config"),
  userId: userId(),
  providerId: text("provider_id").notNull().unique(),
  organizationId: text("organization_id"),
  domain: text().notNull(),
  domainVerified: boolean("domain_verified"),
});

/** @package The tables by the library's names of its models. */
export const libraryTables = {
  user,
  session: sessions,
  account: providerAccounts,
  verification: verifications,
  oauthClient: clients,
  oauthResource: resources,
  oauthClientResource: clientResources,
  oauthRefreshToken: refreshTokens,
  oauthAccessToken: accessTokens,
  oauthConsent: consents,
  oauthClientAssertion: clientAssertions,
  ssoProvider: ssoProviders,
};
