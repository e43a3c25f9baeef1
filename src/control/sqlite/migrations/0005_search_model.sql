ALTER TABLE `saved_search` ADD COLUMN `model` text;
