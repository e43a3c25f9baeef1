CREATE TABLE "pool"."card" (
	"row_id" integer PRIMARY KEY NOT NULL,
	"card" text COLLATE "C" NOT NULL
);
CREATE TABLE "pool"."decision" (
	"sequence" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "pool"."decision_sequence_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"id" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"a" text COLLATE "C" NOT NULL,
	"b" text COLLATE "C" NOT NULL,
	"at" text COLLATE "C" NOT NULL,
	"by" text COLLATE "C" NOT NULL,
	"reason" text COLLATE "C",
	"evidence" text COLLATE "C" NOT NULL,
	CONSTRAINT "decision_id_unique" UNIQUE("id")
);
CREATE TABLE "pool"."developer" (
	"row_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "pool"."developer_row_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"login_key" text COLLATE "C" NOT NULL,
	"login" text COLLATE "C" NOT NULL,
	"source" text COLLATE "C" NOT NULL,
	"searchable" boolean NOT NULL,
	"import_id" integer NOT NULL,
	"superseded_by" integer,
	"confirmed_by" integer,
	"change" text COLLATE "C" NOT NULL,
	"facts_hash" text COLLATE "C" NOT NULL,
	"whole_hash" text COLLATE "C" NOT NULL,
	"basis" text COLLATE "C"
);
CREATE TABLE "pool"."dossier" (
	"row_id" integer PRIMARY KEY NOT NULL,
	"facts" "bytea" NOT NULL,
	"analysis" "bytea" NOT NULL
);
CREATE TABLE "pool"."erasure" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "pool"."erasure_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"receipt_id" text COLLATE "C" NOT NULL,
	"at" text COLLATE "C" NOT NULL,
	"reason" text COLLATE "C",
	"developers" integer NOT NULL,
	"rows" integer NOT NULL,
	"identifiers" integer NOT NULL,
	"completed_at" text COLLATE "C",
	"undone_at" text COLLATE "C",
	CONSTRAINT "erasure_receipt_id_unique" UNIQUE("receipt_id")
);
CREATE TABLE "pool"."findable" (
	"row_id" integer PRIMARY KEY NOT NULL,
	"keys" text COLLATE "C" NOT NULL
);
CREATE TABLE "pool"."former_login" (
	"login_key" text COLLATE "C" NOT NULL,
	"row_id" integer NOT NULL,
	CONSTRAINT "former_login_login_key_row_id_pk" PRIMARY KEY("login_key","row_id")
);
CREATE TABLE "pool"."import_note" (
	"id" integer PRIMARY KEY NOT NULL,
	"holder" text COLLATE "C" NOT NULL,
	"progress" text COLLATE "C"
);
CREATE TABLE "pool"."import" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "pool"."import_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"source" text COLLATE "C" NOT NULL,
	"started_at" text COLLATE "C" NOT NULL,
	"committed_at" text COLLATE "C",
	"revision" integer,
	"is_swept" boolean DEFAULT false NOT NULL
);
CREATE TABLE "pool"."repository" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "pool"."repository_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"key" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"forge" text COLLATE "C",
	"is_shown" boolean NOT NULL,
	"fingerprint" text COLLATE "C" NOT NULL,
	"commits" integer NOT NULL,
	"files" integer NOT NULL,
	"last_day" integer NOT NULL,
	"columns" "bytea" NOT NULL
);
CREATE TABLE "pool"."pool_state" (
	"id" integer PRIMARY KEY NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"revision" integer NOT NULL,
	"changes" integer NOT NULL,
	"suppression" integer NOT NULL
);
CREATE TABLE "pool"."standing" (
	"row_id" integer PRIMARY KEY NOT NULL,
	"standing" text COLLATE "C" NOT NULL
);
CREATE TABLE "pool"."repository_author" (
	"repository_id" integer NOT NULL,
	"number" integer NOT NULL,
	"login_key" text COLLATE "C" NOT NULL,
	CONSTRAINT "repository_author_repository_id_number_pk" PRIMARY KEY("repository_id","number")
);
CREATE TABLE "pool"."repository_block" (
	"repository_id" integer NOT NULL,
	"sequence" integer NOT NULL,
	"first" text COLLATE "C" NOT NULL,
	"number" integer NOT NULL,
	"content" "bytea" NOT NULL,
	CONSTRAINT "repository_block_repository_id_sequence_pk" PRIMARY KEY("repository_id","sequence")
);
CREATE TABLE "pool"."repository_ownership" (
	"repository_id" integer PRIMARY KEY NOT NULL,
	"content" "bytea" NOT NULL
);
CREATE TABLE "pool"."repository_package" (
	"repository_id" integer NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"relation" text COLLATE "C" NOT NULL,
	"short" text COLLATE "C" NOT NULL,
	"paths" "bytea" NOT NULL,
	CONSTRAINT "repository_package_repository_id_name_relation_pk" PRIMARY KEY("repository_id","name","relation")
);
CREATE TABLE "pool"."search_index" (
	"edition" text COLLATE "C" NOT NULL,
	"sequence" integer NOT NULL,
	"content" "bytea" NOT NULL,
	CONSTRAINT "search_index_edition_sequence_pk" PRIMARY KEY("edition","sequence")
);
CREATE TABLE "pool"."source_count" (
	"source" text COLLATE "C" PRIMARY KEY NOT NULL,
	"developers" integer NOT NULL,
	"last_import_at" text COLLATE "C" NOT NULL
);
CREATE TABLE "pool"."suppressed" (
	"hash" "bytea" NOT NULL,
	"receipt_id" text COLLATE "C" NOT NULL,
	CONSTRAINT "suppressed_hash_receipt_id_pk" PRIMARY KEY("hash","receipt_id")
);
CREATE TABLE "pool"."suppression_salt" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "pool"."suppression_salt_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"salt" "bytea" NOT NULL
);
CREATE INDEX "developer_login" ON "pool"."developer" USING btree ("login_key","import_id");CREATE INDEX "developer_import" ON "pool"."developer" USING btree ("import_id");CREATE INDEX "developer_superseded" ON "pool"."developer" USING btree ("superseded_by") WHERE "pool"."developer"."superseded_by" is not null;CREATE INDEX "former_login_row" ON "pool"."former_login" USING btree ("row_id");CREATE INDEX "repository_key" ON "pool"."repository" USING btree ("key");CREATE INDEX "repository_author_login" ON "pool"."repository_author" USING btree ("login_key");CREATE INDEX "repository_package_name" ON "pool"."repository_package" USING btree ("name");CREATE INDEX "repository_package_short" ON "pool"."repository_package" USING btree ("short");

-- Compressing an index would take longer than sending it.
ALTER TABLE "pool"."search_index" ALTER COLUMN "content" SET STORAGE EXTERNAL;

INSERT INTO "pool"."pool_state" ("id", "name", "revision", "changes", "suppression")
  VALUES (1, replace(gen_random_uuid()::text, '-', ''), 0, 0, 0);
