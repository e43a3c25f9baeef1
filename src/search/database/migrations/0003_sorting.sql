ALTER TABLE "search"."block" ADD COLUMN "activity" "bytea" DEFAULT ''::bytea NOT NULL;
ALTER TABLE "search"."block" ADD COLUMN "experience" "bytea" DEFAULT ''::bytea NOT NULL;
ALTER TABLE "search"."block" ADD COLUMN "followers" "bytea" DEFAULT ''::bytea NOT NULL;

-- No index of an older version can be sorted.
UPDATE "search"."generation" SET "edition" = '';
