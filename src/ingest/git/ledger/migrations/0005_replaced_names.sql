ALTER TABLE `mention` ADD `replaced` text;
