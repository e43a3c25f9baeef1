ALTER TABLE "control"."webhook_target" ADD COLUMN "notices" text COLLATE "C" DEFAULT '[]' NOT NULL;
UPDATE "control"."webhook_target" SET "events" = replace(replace("events", 'source.failed', 'notice.source'), 'backup.failed', 'notice.backup');
