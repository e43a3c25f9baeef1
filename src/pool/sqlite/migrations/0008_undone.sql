ALTER TABLE `decision` ADD `undone_at` text;
