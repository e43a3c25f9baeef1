ALTER TABLE `saved_search` ADD COLUMN `looked_ms` integer;
ALTER TABLE `saved_search` ADD COLUMN `revision` integer;
