ALTER TABLE `place` ADD `notes` text;
CREATE TABLE `note` (
	`place_id` integer NOT NULL,
	`fingerprint` integer NOT NULL,
	`content` text NOT NULL,
	`verdict` text NOT NULL,
	`lines` text NOT NULL,
	PRIMARY KEY(`place_id`, `fingerprint`)
) WITHOUT ROWID;
