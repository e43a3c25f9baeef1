ALTER TABLE "control"."saved_search" ADD COLUMN "model" text COLLATE "C";
