CREATE TABLE `brought` (
	`login` text PRIMARY KEY NOT NULL
);
CREATE TABLE `history` (
	`place_id` integer PRIMARY KEY NOT NULL,
	`names` blob NOT NULL,
	`sense` blob NOT NULL
);
CREATE TABLE `ledger_state` (
	`id` integer PRIMARY KEY NOT NULL,
	`revision` integer NOT NULL,
	`applied` text
);
CREATE TABLE `place` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`directory` text,
	`path` text NOT NULL,
	`name` text NOT NULL,
	`forge` text,
	`owner` text,
	`head` text NOT NULL,
	`mailmap` text NOT NULL,
	`edition` text NOT NULL,
	`read_at` text NOT NULL,
	`commits` integer NOT NULL,
	`roots` text NOT NULL,
	`latest` integer NOT NULL,
	`summary` text
);
CREATE INDEX `place_directory` ON `place` (`directory`);
CREATE TABLE `segment` (
	`place_id` integer NOT NULL,
	`sequence` integer NOT NULL,
	`commits` blob NOT NULL,
	PRIMARY KEY(`place_id`, `sequence`)
);
