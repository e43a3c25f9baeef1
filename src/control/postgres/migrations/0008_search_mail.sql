ALTER TABLE "control"."saved_search" ADD COLUMN "mail_to" text COLLATE "C";
ALTER TABLE "control"."saved_search" ADD COLUMN "mail_ms" bigint;
