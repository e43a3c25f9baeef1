CREATE TABLE `data_file` (
	`file` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`changes` integer NOT NULL
) STRICT;
CREATE TABLE `erasure` (
	`receipt_id` text PRIMARY KEY NOT NULL,
	`at` text NOT NULL,
	`reason` text,
	`developers` integer NOT NULL,
	`rows` integer NOT NULL,
	`identifiers` integer NOT NULL,
	`completed_at` text,
	`undone_at` text
) STRICT;
CREATE TABLE `suppressed` (
	`hash` blob NOT NULL,
	`receipt_id` text NOT NULL,
	PRIMARY KEY(`hash`, `receipt_id`)
) STRICT, WITHOUT ROWID;
CREATE INDEX `suppressed_receipt` ON `suppressed` (`receipt_id`);
CREATE TABLE `suppression_salt` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`salt` blob NOT NULL
) STRICT;
CREATE UNIQUE INDEX `suppression_salt_once` ON `suppression_salt` (`salt`);
CREATE TABLE `loss` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at_ms` integer NOT NULL,
	`what` text NOT NULL,
	`accepted_ms` integer
) STRICT;
ALTER TABLE `instance` ADD `charges` integer DEFAULT 0 NOT NULL;
ALTER TABLE `instance` ADD `backed_up_ms` integer;
