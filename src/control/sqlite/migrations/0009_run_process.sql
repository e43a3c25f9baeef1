ALTER TABLE `run` ADD `pid` integer;
