/** The sign-in library's OAuth tables, with the library's column names. */
import { sql } from "drizzle-orm";
import type { TableKit } from "../../queries/table-kit.ts";
import { defineUserId, type SessionTable, type UserTable } from "./sign-in-tables.ts";

interface SignIn {
  readonly users: UserTable;
  readonly sessions: SessionTable;
}

/** @package */
export function defineOauthTables(kit: TableKit, signIn: SignIn) {
  const { table, text, instant } = kit;
  const clients = defineClients(kit, signIn);
  const resources = defineResources(kit);
  const refreshTokens = defineRefreshTokens(kit, signIn, clients);
  return {
    clients,
    resources,
    clientResources: defineClientResources(kit, clients, resources),
    refreshTokens,
    accessTokens: defineAccessTokens(kit, signIn, { clients, refreshTokens }),
    consents: defineConsents(kit, signIn, clients),
    clientAssertions: table("oauth_client_assertion", {
      id: text().primaryKey(),
      expiresAt: instant("expires_ms").notNull(),
    }),
  };
}

type Clients = ReturnType<typeof defineClients>;
type Resources = ReturnType<typeof defineResources>;
type RefreshTokens = ReturnType<typeof defineRefreshTokens>;

const defineTexts = ({ json }: TableKit, name?: string) => json(name).$type<readonly string[]>();

function defineClients(kit: TableKit, { users }: SignIn) {
  const { table, text, flag, instant, json } = kit;
  return table("oauth_client", {
    id: text().primaryKey(),
    clientId: text("client_id").notNull().unique(),
    clientSecret: text("client_secret"),
    clientDiscoveryId: text("client_discovery_id"),
    disabled: flag("disabled"),
    skipConsent: flag("skip_consent"),
    enableEndSession: flag("enable_end_session"),
    subjectType: text("subject_type"),
    scopes: defineTexts(kit),
    clientCredentialsScopes: json("client_credentials_scopes"),
    userId: defineUserId(kit, users),
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
    redirectUris: defineTexts(kit, "redirect_uris").notNull(),
    postLogoutRedirectUris: json("post_logout_redirect_uris"),
    backchannelLogoutUri: text("backchannel_logout_uri"),
    backchannelLogoutSessionRequired: flag("backchannel_logout_session_required"),
    tokenEndpointAuthMethod: text("token_endpoint_auth_method"),
    applicationType: text("application_type"),
    jwks: text(),
    jwksUri: text("jwks_uri"),
    grantTypes: json("grant_types"),
    responseTypes: json("response_types"),
    requirePKCE: flag("require_pkce"),
    dpopBoundAccessTokens: flag("dpop_bound_access_tokens"),
    referenceId: text("reference_id"),
    metadata: json(),
    /** Whether the operator registered the client, so that its name can be trusted. The library does not know this column. */
    isVerified: flag("is_verified").notNull().default(false),
  });
}

function defineClientId({ text }: TableKit, clients: Clients) {
  return text("client_id")
    .notNull()
    .references(() => clients.clientId, { onDelete: "cascade" });
}

function defineResources({ table, text, whole, flag, instant, json }: TableKit) {
  return table("oauth_resource", {
    id: text().primaryKey(),
    identifier: text().notNull().unique(),
    name: text().notNull(),
    accessTokenTtl: whole("access_token_ttl"),
    refreshTokenTtl: whole("refresh_token_ttl"),
    signingAlgorithm: text("signing_algorithm"),
    signingKeyId: text("signing_key_id"),
    allowedScopes: json("allowed_scopes"),
    customClaims: json("custom_claims"),
    dpopBoundAccessTokensRequired: flag("dpop_bound_access_tokens_required"),
    disabled: flag("disabled"),
    createdAt: instant("created_ms"),
    updatedAt: instant("updated_ms"),
    policyVersion: whole("policy_version"),
    metadata: json(),
  });
}

function defineClientResources(kit: TableKit, clients: Clients, resources: Resources) {
  const { table, text, instant, json, uniqueIndex } = kit;
  return table(
    "oauth_client_resource",
    {
      id: text().primaryKey(),
      clientId: defineClientId(kit, clients),
      resourceId: text("resource_id")
        .notNull()
        .references(() => resources.identifier, { onDelete: "cascade" }),
      metadata: json(),
      createdAt: instant("created_ms"),
    },
    (table) => [uniqueIndex("oauth_client_resource_pair").on(table.clientId, table.resourceId)],
  );
}

function defineGrantColumns(kit: TableKit, { users, sessions }: SignIn, clients: Clients) {
  const { text, instant, json } = kit;
  return {
    id: text().primaryKey(),
    token: text().notNull().unique(),
    clientId: defineClientId(kit, clients),
    sessionId: text("session_id").references(() => sessions.id, { onDelete: "set null" }),
    userId: defineUserId(kit, users).notNull(),
    referenceId: text("reference_id"),
    /** The id that all tokens from one authorization code have. */
    authorizationCodeId: text("authorization_code_id"),
    resources: defineTexts(kit),
    requestedUserInfoClaims: json("requested_user_info_claims"),
    expiresAt: instant("expires_ms").notNull(),
    createdAt: instant("created_ms").notNull(),
    revoked: instant("revoked_ms"),
    confirmation: json(),
    scopes: defineTexts(kit).notNull(),
  };
}

function defineRefreshTokens(kit: TableKit, signIn: SignIn, clients: Clients) {
  const { table, text, instant, index } = kit;
  return table(
    "oauth_refresh_token",
    {
      ...defineGrantColumns(kit, signIn, clients),
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
}

function defineAccessTokens(
  kit: TableKit,
  signIn: SignIn,
  { clients, refreshTokens }: { readonly clients: Clients; readonly refreshTokens: RefreshTokens },
) {
  const { table, text, index } = kit;
  return table(
    "oauth_access_token",
    {
      ...defineGrantColumns(kit, signIn, clients),
      refreshId: text("refresh_id").references(() => refreshTokens.id, { onDelete: "cascade" }),
    },
    (table) => [
      index("oauth_access_token_holder").on(table.userId, table.clientId),
      index("oauth_access_token_code").on(table.authorizationCodeId),
      index("oauth_access_token_refresh").on(table.refreshId),
    ],
  );
}

function defineConsents(kit: TableKit, { users }: SignIn, clients: Clients) {
  const { table, text, whole, instant, json, index, uniqueIndex } = kit;
  return table(
    "oauth_consent",
    {
      id: text().primaryKey(),
      clientId: defineClientId(kit, clients),
      userId: defineUserId(kit, users).notNull(),
      referenceId: text("reference_id"),
      resources: json(),
      requestedUserInfoClaims: json("requested_user_info_claims"),
      scopes: defineTexts(kit).notNull(),
      createdAt: instant("created_ms"),
      updatedAt: instant("updated_ms"),
      /** The minute of the assistant's last counted call. The library does not know this column. */
      lastUsedMs: whole("last_used_ms"),
    },
    (table) => [
      index("oauth_consent_client").on(table.clientId),
      uniqueIndex("oauth_consent_holder")
        .on(table.userId, table.clientId)
        .where(sql`reference_id IS NULL`),
    ],
  );
}
