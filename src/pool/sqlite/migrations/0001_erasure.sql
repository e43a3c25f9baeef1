CREATE TABLE `erasure` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`receipt_id` text NOT NULL,
	`at` text NOT NULL,
	`reason` text,
	`developers` integer NOT NULL,
	`rows` integer NOT NULL,
	`identifiers` integer NOT NULL,
	`completed_at` text,
	`undone_at` text
);
CREATE UNIQUE INDEX `erasure_receipt_id_unique` ON `erasure` (`receipt_id`);
CREATE TABLE `suppressed` (
	`hash` blob NOT NULL,
	`receipt_id` text NOT NULL,
	PRIMARY KEY(`hash`, `receipt_id`)
);
CREATE TABLE `suppression_salt` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`salt` blob NOT NULL
);
