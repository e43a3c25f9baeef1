CREATE TABLE "pool"."identifier" (
	"row_id" integer NOT NULL,
	"hash" integer NOT NULL,
	CONSTRAINT "identifier_row_id_hash_pk" PRIMARY KEY("row_id","hash")
);
CREATE TABLE "pool"."unlisted_row" (
	"row_id" integer PRIMARY KEY NOT NULL
);
INSERT INTO "pool"."unlisted_row" ("row_id") SELECT "row_id" FROM "pool"."developer";
