ALTER TABLE "control"."webhook_target" ADD COLUMN "notices" text COLLATE "C" DEFAULT '[]' NOT NULL;
