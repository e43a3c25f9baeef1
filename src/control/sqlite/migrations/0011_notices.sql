ALTER TABLE `webhook_target` ADD `notices` text DEFAULT '[]' NOT NULL;
