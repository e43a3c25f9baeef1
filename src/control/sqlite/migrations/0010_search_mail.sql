ALTER TABLE `saved_search` ADD COLUMN `mail_to` text;
ALTER TABLE `saved_search` ADD COLUMN `mail_ms` integer;
