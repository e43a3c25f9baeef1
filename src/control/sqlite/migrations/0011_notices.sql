ALTER TABLE `webhook_target` ADD `notices` text DEFAULT '[]' NOT NULL;
UPDATE `webhook_target` SET `events` = replace(replace(`events`, 'source.failed', 'notice.source'), 'backup.failed', 'notice.backup');
