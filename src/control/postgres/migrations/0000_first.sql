CREATE TABLE "control"."found_person" (
	"search_id" text COLLATE "C" NOT NULL,
	"login_key" text COLLATE "C" NOT NULL,
	"login" text COLLATE "C" NOT NULL,
	"seen_score" double precision,
	"score" double precision,
	CONSTRAINT "found_person_search_id_login_key_pk" PRIMARY KEY("search_id","login_key")
);
CREATE TABLE "control"."list_entry" (
	"list_id" text COLLATE "C" NOT NULL,
	"login_key" text COLLATE "C" NOT NULL,
	"login" text COLLATE "C" NOT NULL,
	"note" text COLLATE "C" NOT NULL,
	"added_ms" bigint NOT NULL,
	CONSTRAINT "list_entry_list_id_login_key_pk" PRIMARY KEY("list_id","login_key")
);
CREATE TABLE "control"."people_list" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"name_key" text COLLATE "C" NOT NULL,
	"changed_ms" bigint NOT NULL
);
CREATE TABLE "control"."saved_search" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"name_key" text COLLATE "C" NOT NULL,
	"query" text COLLATE "C" NOT NULL,
	"total" bigint NOT NULL,
	"seen_ms" bigint NOT NULL,
	"ran_ms" bigint NOT NULL
);
CREATE TABLE "control"."oauth_access_token" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"token" text COLLATE "C" NOT NULL,
	"client_id" text COLLATE "C" NOT NULL,
	"session_id" text COLLATE "C",
	"user_id" text COLLATE "C" NOT NULL,
	"reference_id" text COLLATE "C",
	"authorization_code_id" text COLLATE "C",
	"resources" text COLLATE "C",
	"requested_user_info_claims" text COLLATE "C",
	"expires_ms" bigint NOT NULL,
	"created_ms" bigint NOT NULL,
	"revoked_ms" bigint,
	"confirmation" text COLLATE "C",
	"scopes" text COLLATE "C" NOT NULL,
	"refresh_id" text COLLATE "C",
	CONSTRAINT "oauth_access_token_token_unique" UNIQUE("token")
);
CREATE TABLE "control"."oauth_client_assertion" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"expires_ms" bigint NOT NULL
);
CREATE TABLE "control"."oauth_client_resource" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"client_id" text COLLATE "C" NOT NULL,
	"resource_id" text COLLATE "C" NOT NULL,
	"metadata" text COLLATE "C",
	"created_ms" bigint
);
CREATE TABLE "control"."oauth_client" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"client_id" text COLLATE "C" NOT NULL,
	"client_secret" text COLLATE "C",
	"client_discovery_id" text COLLATE "C",
	"disabled" boolean,
	"skip_consent" boolean,
	"enable_end_session" boolean,
	"subject_type" text COLLATE "C",
	"scopes" text COLLATE "C",
	"client_credentials_scopes" text COLLATE "C",
	"user_id" text COLLATE "C",
	"created_ms" bigint,
	"updated_ms" bigint,
	"name" text COLLATE "C",
	"uri" text COLLATE "C",
	"icon" text COLLATE "C",
	"contacts" text COLLATE "C",
	"tos" text COLLATE "C",
	"policy" text COLLATE "C",
	"software_id" text COLLATE "C",
	"software_version" text COLLATE "C",
	"software_statement" text COLLATE "C",
	"redirect_uris" text COLLATE "C" NOT NULL,
	"post_logout_redirect_uris" text COLLATE "C",
	"backchannel_logout_uri" text COLLATE "C",
	"backchannel_logout_session_required" boolean,
	"token_endpoint_auth_method" text COLLATE "C",
	"application_type" text COLLATE "C",
	"jwks" text COLLATE "C",
	"jwks_uri" text COLLATE "C",
	"grant_types" text COLLATE "C",
	"response_types" text COLLATE "C",
	"require_pkce" boolean,
	"dpop_bound_access_tokens" boolean,
	"reference_id" text COLLATE "C",
	"metadata" text COLLATE "C",
	"is_verified" boolean DEFAULT false NOT NULL,
	CONSTRAINT "oauth_client_client_id_unique" UNIQUE("client_id")
);
CREATE TABLE "control"."oauth_consent" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"client_id" text COLLATE "C" NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"reference_id" text COLLATE "C",
	"resources" text COLLATE "C",
	"requested_user_info_claims" text COLLATE "C",
	"scopes" text COLLATE "C" NOT NULL,
	"created_ms" bigint,
	"updated_ms" bigint,
	"last_used_ms" bigint
);
CREATE TABLE "control"."link" (
	"account_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"digest" text COLLATE "C" NOT NULL,
	"purpose" text COLLATE "C" NOT NULL,
	"created_ms" bigint NOT NULL,
	"expires_ms" bigint NOT NULL,
	CONSTRAINT "link_digest_unique" UNIQUE("digest")
);
CREATE TABLE "control"."password" (
	"account_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"changed_ms" bigint NOT NULL
);
CREATE TABLE "control"."provider_account" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"provider_id" text COLLATE "C" NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"access_token" text COLLATE "C",
	"refresh_token" text COLLATE "C",
	"id_token" text COLLATE "C",
	"access_token_expires_ms" bigint,
	"refresh_token_expires_ms" bigint,
	"scope" text COLLATE "C",
	"password" text COLLATE "C",
	"created_ms" bigint NOT NULL,
	"updated_ms" bigint NOT NULL
);
CREATE TABLE "control"."oauth_refresh_token" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"token" text COLLATE "C" NOT NULL,
	"client_id" text COLLATE "C" NOT NULL,
	"session_id" text COLLATE "C",
	"user_id" text COLLATE "C" NOT NULL,
	"reference_id" text COLLATE "C",
	"authorization_code_id" text COLLATE "C",
	"resources" text COLLATE "C",
	"requested_user_info_claims" text COLLATE "C",
	"expires_ms" bigint NOT NULL,
	"created_ms" bigint NOT NULL,
	"revoked_ms" bigint,
	"confirmation" text COLLATE "C",
	"scopes" text COLLATE "C" NOT NULL,
	"rotated_ms" bigint,
	"rotation_replay_response" text COLLATE "C",
	"rotation_replay_expires_ms" bigint,
	"auth_time_ms" bigint,
	CONSTRAINT "oauth_refresh_token_token_unique" UNIQUE("token")
);
CREATE TABLE "control"."oauth_resource" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"identifier" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"access_token_ttl" bigint,
	"refresh_token_ttl" bigint,
	"signing_algorithm" text COLLATE "C",
	"signing_key_id" text COLLATE "C",
	"allowed_scopes" text COLLATE "C",
	"custom_claims" text COLLATE "C",
	"dpop_bound_access_tokens_required" boolean,
	"disabled" boolean,
	"created_ms" bigint,
	"updated_ms" bigint,
	"policy_version" bigint,
	"metadata" text COLLATE "C",
	CONSTRAINT "oauth_resource_identifier_unique" UNIQUE("identifier")
);
CREATE TABLE "control"."session" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"token" text COLLATE "C" NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"expires_ms" bigint NOT NULL,
	"created_ms" bigint NOT NULL,
	"updated_ms" bigint NOT NULL,
	"ip_address" text COLLATE "C",
	"user_agent" text COLLATE "C",
	CONSTRAINT "session_token_unique" UNIQUE("token")
);
CREATE TABLE "control"."sso_provider" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"issuer" text COLLATE "C" NOT NULL,
	"oidc_config" text COLLATE "C",
	"saml_config" text COLLATE "C",
	"user_id" text COLLATE "C",
	"provider_id" text COLLATE "C" NOT NULL,
	"organization_id" text COLLATE "C",
	"domain" text COLLATE "C" NOT NULL,
	"domain_verified" boolean,
	CONSTRAINT "sso_provider_provider_id_unique" UNIQUE("provider_id")
);
CREATE TABLE "control"."user" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"email" text COLLATE "C" NOT NULL,
	"email_verified" boolean NOT NULL,
	"image" text COLLATE "C",
	"created_ms" bigint NOT NULL,
	"updated_ms" bigint NOT NULL,
	CONSTRAINT "user_email_unique" UNIQUE("email")
);
CREATE TABLE "control"."verification" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"identifier" text COLLATE "C" NOT NULL,
	"value" text COLLATE "C" NOT NULL,
	"expires_ms" bigint NOT NULL,
	"created_ms" bigint NOT NULL,
	"updated_ms" bigint NOT NULL
);
CREATE TABLE "control"."account" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"email" text COLLATE "C" NOT NULL,
	"email_key" text COLLATE "C" NOT NULL,
	"plan" text COLLATE "C" NOT NULL,
	"calls_per_month" bigint,
	"calls_per_day" bigint,
	"administrator" boolean NOT NULL,
	"disabled" boolean DEFAULT false NOT NULL,
	"created_ms" bigint NOT NULL,
	CONSTRAINT "account_email_key_unique" UNIQUE("email_key")
);
CREATE TABLE "control"."audit" (
	"sequence" bigint PRIMARY KEY NOT NULL,
	"at_ms" bigint NOT NULL,
	"actor" text COLLATE "C" NOT NULL,
	"action" text COLLATE "C" NOT NULL,
	"subject" text COLLATE "C" NOT NULL,
	"detail" text COLLATE "C" NOT NULL,
	"hash" text COLLATE "C" NOT NULL
);
CREATE TABLE "control"."data_file" (
	"file" text COLLATE "C" PRIMARY KEY NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"changes" bigint NOT NULL
);
CREATE TABLE "control"."instance" (
	"id" bigint PRIMARY KEY NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"latest_ms" bigint NOT NULL,
	"probes" bigint DEFAULT 0 NOT NULL,
	"charges" bigint DEFAULT 0 NOT NULL,
	"backed_up_ms" bigint,
	"sign_in_secret" text COLLATE "C"
);
CREATE TABLE "control"."erasure" (
	"receipt_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"at" text COLLATE "C" NOT NULL,
	"reason" text COLLATE "C",
	"developers" bigint NOT NULL,
	"rows" bigint NOT NULL,
	"identifiers" bigint NOT NULL,
	"completed_at" text COLLATE "C",
	"undone_at" text COLLATE "C"
);
CREATE TABLE "control"."suppressed" (
	"hash" "bytea" NOT NULL,
	"receipt_id" text COLLATE "C" NOT NULL,
	CONSTRAINT "suppressed_hash_receipt_id_pk" PRIMARY KEY("hash","receipt_id")
);
CREATE TABLE "control"."suppression_salt" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "control"."suppression_salt_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"salt" "bytea" NOT NULL,
	CONSTRAINT "suppression_salt_once" UNIQUE("salt")
);
CREATE TABLE "control"."api_key" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"digest" "bytea" NOT NULL,
	"hint" text COLLATE "C" NOT NULL,
	"created_ms" bigint NOT NULL,
	"last_used_ms" bigint,
	"revoked_ms" bigint,
	CONSTRAINT "api_key_digest_unique" UNIQUE("digest")
);
CREATE TABLE "control"."loss" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "control"."loss_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at_ms" bigint NOT NULL,
	"what" text COLLATE "C" NOT NULL,
	"accepted_ms" bigint
);
CREATE TABLE "control"."usage" (
	"window" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"used" bigint NOT NULL,
	CONSTRAINT "usage_window_account_id_pk" PRIMARY KEY("window","account_id")
);
ALTER TABLE "control"."found_person" ADD CONSTRAINT "found_person_search_id_saved_search_id_fk" FOREIGN KEY ("search_id") REFERENCES "control"."saved_search"("id") ON DELETE cascade ON UPDATE no action;ALTER TABLE "control"."list_entry" ADD CONSTRAINT "list_entry_list_id_people_list_id_fk" FOREIGN KEY ("list_id") REFERENCES "control"."people_list"("id") ON DELETE cascade ON UPDATE no action;ALTER TABLE "control"."people_list" ADD CONSTRAINT "people_list_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "control"."account"("id") ON DELETE cascade ON UPDATE no action;ALTER TABLE "control"."saved_search" ADD CONSTRAINT "saved_search_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "control"."account"("id") ON DELETE cascade ON UPDATE no action;ALTER TABLE "control"."oauth_access_token" ADD CONSTRAINT "oauth_access_token_client_id_oauth_client_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "control"."oauth_client"("client_id") ON DELETE cascade ON UPDATE no action;ALTER TABLE "control"."oauth_access_token" ADD CONSTRAINT "oauth_access_token_session_id_session_id_fk" FOREIGN KEY ("session_id") REFERENCES "control"."session"("id") ON DELETE set null ON UPDATE no action;ALTER TABLE "control"."oauth_access_token" ADD CONSTRAINT "oauth_access_token_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "control"."user"("id") ON DELETE cascade ON UPDATE no action;ALTER TABLE "control"."oauth_access_token" ADD CONSTRAINT "oauth_access_token_refresh_id_oauth_refresh_token_id_fk" FOREIGN KEY ("refresh_id") REFERENCES "control"."oauth_refresh_token"("id") ON DELETE cascade ON UPDATE no action;ALTER TABLE "control"."oauth_client_resource" ADD CONSTRAINT "oauth_client_resource_client_id_oauth_client_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "control"."oauth_client"("client_id") ON DELETE cascade ON UPDATE no action;ALTER TABLE "control"."oauth_client_resource" ADD CONSTRAINT "oauth_client_resource_resource_id_oauth_resource_identifier_fk" FOREIGN KEY ("resource_id") REFERENCES "control"."oauth_resource"("identifier") ON DELETE cascade ON UPDATE no action;ALTER TABLE "control"."oauth_client" ADD CONSTRAINT "oauth_client_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "control"."user"("id") ON DELETE cascade ON UPDATE no action;ALTER TABLE "control"."oauth_consent" ADD CONSTRAINT "oauth_consent_client_id_oauth_client_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "control"."oauth_client"("client_id") ON DELETE cascade ON UPDATE no action;ALTER TABLE "control"."oauth_consent" ADD CONSTRAINT "oauth_consent_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "control"."user"("id") ON DELETE cascade ON UPDATE no action;ALTER TABLE "control"."link" ADD CONSTRAINT "link_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "control"."account"("id") ON DELETE no action ON UPDATE no action;ALTER TABLE "control"."password" ADD CONSTRAINT "password_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "control"."account"("id") ON DELETE no action ON UPDATE no action;ALTER TABLE "control"."provider_account" ADD CONSTRAINT "provider_account_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "control"."user"("id") ON DELETE cascade ON UPDATE no action;ALTER TABLE "control"."oauth_refresh_token" ADD CONSTRAINT "oauth_refresh_token_client_id_oauth_client_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "control"."oauth_client"("client_id") ON DELETE cascade ON UPDATE no action;ALTER TABLE "control"."oauth_refresh_token" ADD CONSTRAINT "oauth_refresh_token_session_id_session_id_fk" FOREIGN KEY ("session_id") REFERENCES "control"."session"("id") ON DELETE set null ON UPDATE no action;ALTER TABLE "control"."oauth_refresh_token" ADD CONSTRAINT "oauth_refresh_token_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "control"."user"("id") ON DELETE cascade ON UPDATE no action;ALTER TABLE "control"."session" ADD CONSTRAINT "session_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "control"."user"("id") ON DELETE cascade ON UPDATE no action;ALTER TABLE "control"."sso_provider" ADD CONSTRAINT "sso_provider_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "control"."user"("id") ON DELETE cascade ON UPDATE no action;ALTER TABLE "control"."user" ADD CONSTRAINT "user_id_account_id_fk" FOREIGN KEY ("id") REFERENCES "control"."account"("id") ON DELETE no action ON UPDATE no action;ALTER TABLE "control"."api_key" ADD CONSTRAINT "api_key_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "control"."account"("id") ON DELETE no action ON UPDATE no action;CREATE INDEX "found_person_login" ON "control"."found_person" USING btree ("login_key");CREATE INDEX "list_entry_login" ON "control"."list_entry" USING btree ("login_key");CREATE UNIQUE INDEX "people_list_name" ON "control"."people_list" USING btree ("account_id","name_key");CREATE UNIQUE INDEX "saved_search_name" ON "control"."saved_search" USING btree ("account_id","name_key");CREATE INDEX "oauth_access_token_holder" ON "control"."oauth_access_token" USING btree ("user_id","client_id");CREATE INDEX "oauth_access_token_code" ON "control"."oauth_access_token" USING btree ("authorization_code_id");CREATE INDEX "oauth_access_token_refresh" ON "control"."oauth_access_token" USING btree ("refresh_id");CREATE UNIQUE INDEX "oauth_client_resource_pair" ON "control"."oauth_client_resource" USING btree ("client_id","resource_id");CREATE INDEX "oauth_consent_client" ON "control"."oauth_consent" USING btree ("client_id");CREATE UNIQUE INDEX "oauth_consent_holder" ON "control"."oauth_consent" USING btree ("user_id","client_id") WHERE reference_id IS NULL;CREATE INDEX "provider_account_user" ON "control"."provider_account" USING btree ("user_id");CREATE UNIQUE INDEX "provider_account_name" ON "control"."provider_account" USING btree ("provider_id","account_id");CREATE INDEX "oauth_refresh_token_holder" ON "control"."oauth_refresh_token" USING btree ("user_id","client_id");CREATE INDEX "oauth_refresh_token_code" ON "control"."oauth_refresh_token" USING btree ("authorization_code_id");CREATE INDEX "session_user" ON "control"."session" USING btree ("user_id");CREATE INDEX "verification_identifier" ON "control"."verification" USING btree ("identifier");CREATE INDEX "suppressed_receipt" ON "control"."suppressed" USING btree ("receipt_id");CREATE INDEX "api_key_account" ON "control"."api_key" USING btree ("account_id");CREATE UNIQUE INDEX "api_key_active" ON "control"."api_key" USING btree ("account_id") WHERE revoked_ms IS NULL;
