CREATE TABLE `call_key` (
	`account_id` text NOT NULL,
	`key` blob NOT NULL,
	`request` blob NOT NULL,
	`at_ms` integer NOT NULL,
	PRIMARY KEY(`account_id`, `key`)
) STRICT, WITHOUT ROWID;
CREATE INDEX `call_key_at` ON `call_key` (`at_ms`);
