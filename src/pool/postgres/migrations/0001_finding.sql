ALTER TABLE "pool"."findable" ADD COLUMN "score" smallint;
ALTER TABLE "pool"."findable" ADD COLUMN "names" text COLLATE "C";
ALTER TABLE "pool"."findable" ADD COLUMN "exact_keys" text[] COLLATE "C";
CREATE INDEX "findable_names" ON "pool"."findable" USING gin (array_to_tsvector(string_to_array("names", ' '))) WITH (fastupdate=false);
CREATE INDEX "findable_keys" ON "pool"."findable" USING gin ("exact_keys") WITH (fastupdate=false);
CREATE INDEX "findable_unprepared" ON "pool"."findable" USING btree ("row_id") WHERE "pool"."findable"."names" is null;
