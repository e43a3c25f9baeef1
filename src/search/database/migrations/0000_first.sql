CREATE UNLOGGED TABLE "search"."arrival" (
	"row_id" integer NOT NULL,
	"base" integer NOT NULL,
	"login" text COLLATE "C" NOT NULL
);
CREATE TABLE "search"."block_list" (
	"generation" integer NOT NULL,
	"term" bigint NOT NULL,
	"block" integer NOT NULL,
	"bits" bit varying,
	"packed_bits" bit varying,
	"strengths" "bytea",
	"ceiling" integer NOT NULL,
	CONSTRAINT "block_list_generation_term_block_pk" PRIMARY KEY("generation","term","block")
);
CREATE TABLE "search"."block" (
	"generation" integer NOT NULL,
	"block" integer NOT NULL,
	"people" "bytea" NOT NULL,
	"tech_stack" "bytea" NOT NULL,
	"ceiling" integer NOT NULL,
	CONSTRAINT "block_generation_block_pk" PRIMARY KEY("generation","block")
);
CREATE TABLE "search"."generation" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "search"."generation_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"revision" integer NOT NULL,
	"edition" text COLLATE "C" NOT NULL,
	"developers" integer NOT NULL,
	"block_size" integer NOT NULL,
	"bases" "bytea" NOT NULL,
	"is_ready" boolean DEFAULT false NOT NULL,
	"build_ms" bigint
);
CREATE UNLOGGED TABLE "search"."ranking" (
	"ordinal" integer PRIMARY KEY NOT NULL,
	"row_id" integer NOT NULL,
	"login_rank" integer NOT NULL
);
CREATE UNLOGGED TABLE "search"."sparse_list" (
	"key" text COLLATE "C" NOT NULL,
	"term" bigint NOT NULL,
	"block" integer NOT NULL,
	"people" integer NOT NULL,
	"ordinals" "bytea",
	"strengths" "bytea",
	"ceiling" integer NOT NULL
);
CREATE TABLE "search"."term" (
	"generation" integer NOT NULL,
	"key" text COLLATE "C" NOT NULL,
	"people" integer NOT NULL,
	"ordinals" "bytea",
	"strengths" "bytea",
	CONSTRAINT "term_generation_key_pk" PRIMARY KEY("generation","key")
);

-- Few bytes of it are read at a time, which a compressed value does not allow.
ALTER TABLE "search"."block" ALTER COLUMN "people" SET STORAGE EXTERNAL;

-- Every count reads the bits of many rows: none is looked up in a second table, and those that hardly get smaller are not unpacked.
ALTER TABLE "search"."block_list" ALTER COLUMN "bits" SET STORAGE PLAIN, ALTER COLUMN "packed_bits" SET STORAGE MAIN;

-- Some builds of PostgreSQL have no lz4; then it compresses in its old way, which takes longer.
DO $$ BEGIN
	ALTER TABLE "search"."block_list" ALTER COLUMN "packed_bits" SET COMPRESSION lz4;
	ALTER TABLE "search"."block_list" ALTER COLUMN "strengths" SET COMPRESSION lz4;
	ALTER TABLE "search"."block" ALTER COLUMN "tech_stack" SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN NULL;
END $$;

-- Where Citus is, blocks lie on its servers, each with everything of it, and with a copy on a second one: an index is written
-- once and then only read, so nobody who searches misses a server that dies. A server is asked once for each of its parts.
DO $$
DECLARE
	workers integer;
BEGIN
	IF EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') THEN
		SELECT count(*) INTO workers FROM pg_dist_node WHERE shouldhaveshards AND isactive AND noderole = 'primary';
		IF workers > 0 THEN
			PERFORM set_config('citus.shard_replication_factor', least(workers, 2)::text, true);
			PERFORM create_distributed_table('search.block', 'block', shard_count => workers);
			PERFORM create_distributed_table('search.block_list', 'block', colocate_with => 'search.block');
		END IF;
	END IF;
END $$;
