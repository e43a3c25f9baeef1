CREATE TABLE "control"."source" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"settings" text COLLATE "C",
	"reader" text COLLATE "C" NOT NULL,
	"hook_salt" text COLLATE "C",
	"state" text COLLATE "C"
);
CREATE TABLE "control"."source_ask" (
	"source_id" text COLLATE "C" NOT NULL,
	"repository" text COLLATE "C" NOT NULL,
	"at_ms" bigint NOT NULL,
	CONSTRAINT "source_ask_source_id_repository_pk" PRIMARY KEY("source_id","repository")
);
CREATE TABLE "control"."run" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"title" text COLLATE "C" NOT NULL,
	"source" text COLLATE "C",
	"started_by" text COLLATE "C" NOT NULL,
	"machine" text COLLATE "C" NOT NULL,
	"started_ms" bigint NOT NULL,
	"ended_ms" bigint NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"outcome" text COLLATE "C" NOT NULL
);
