CREATE TABLE `account` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`plan` text NOT NULL,
	`calls_per_month` integer,
	`calls_per_day` integer,
	`administrator` integer NOT NULL,
	`disabled` integer DEFAULT false NOT NULL,
	`created_ms` integer NOT NULL
) STRICT;
CREATE UNIQUE INDEX `account_email_key_unique` ON `account` (`email_key`);
CREATE TABLE `audit` (
	`sequence` integer PRIMARY KEY NOT NULL,
	`at_ms` integer NOT NULL,
	`actor` text NOT NULL,
	`action` text NOT NULL,
	`subject` text NOT NULL,
	`detail` text NOT NULL,
	`hash` text NOT NULL
) STRICT;
CREATE TABLE `instance` (
	`id` integer PRIMARY KEY NOT NULL CHECK (`id` = 1),
	`name` text NOT NULL,
	`latest_ms` integer NOT NULL,
	`probes` integer DEFAULT 0 NOT NULL
) STRICT;
CREATE TABLE `api_key` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`digest` blob NOT NULL,
	`hint` text NOT NULL,
	`created_ms` integer NOT NULL,
	`last_used_ms` integer,
	`revoked_ms` integer,
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
CREATE UNIQUE INDEX `api_key_digest_unique` ON `api_key` (`digest`);
CREATE INDEX `api_key_account` ON `api_key` (`account_id`);
CREATE UNIQUE INDEX `api_key_active` ON `api_key` (`account_id`) WHERE revoked_ms IS NULL;
CREATE TABLE `usage` (
	`window` text NOT NULL,
	`account_id` text NOT NULL,
	`used` integer NOT NULL CHECK (`used` > 0),
	PRIMARY KEY(`window`, `account_id`)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER `audit_no_update` BEFORE UPDATE ON `audit` BEGIN
	SELECT RAISE(ABORT, 'the audit log is append-only');
END;
CREATE TRIGGER `audit_no_delete` BEFORE DELETE ON `audit` BEGIN
	SELECT RAISE(ABORT, 'the audit log is append-only');
END;
