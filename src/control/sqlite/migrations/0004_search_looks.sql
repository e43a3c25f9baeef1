ALTER TABLE `saved_search` ADD COLUMN `looked_ms` integer;
--> statement-breakpoint
ALTER TABLE `saved_search` ADD COLUMN `revision` integer;
