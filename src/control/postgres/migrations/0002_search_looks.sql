ALTER TABLE "control"."saved_search" ADD COLUMN "looked_ms" bigint;
ALTER TABLE "control"."saved_search" ADD COLUMN "revision" bigint;
