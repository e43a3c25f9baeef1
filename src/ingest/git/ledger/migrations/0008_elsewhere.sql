ALTER TABLE `work` ADD `elsewhere` integer DEFAULT 0 NOT NULL;
