ALTER TABLE `developer` ADD `basis` text;
