CREATE TABLE `found_person` (
	`search_id` text NOT NULL,
	`login_key` text NOT NULL,
	`login` text NOT NULL,
	`seen_score` real,
	`score` real,
	PRIMARY KEY(`search_id`, `login_key`),
	FOREIGN KEY (`search_id`) REFERENCES `saved_search`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
CREATE INDEX `found_person_login` ON `found_person` (`login_key`);
CREATE TABLE `list_entry` (
	`list_id` text NOT NULL,
	`login_key` text NOT NULL,
	`login` text NOT NULL,
	`note` text NOT NULL,
	`added_ms` integer NOT NULL,
	PRIMARY KEY(`list_id`, `login_key`),
	FOREIGN KEY (`list_id`) REFERENCES `people_list`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
CREATE INDEX `list_entry_login` ON `list_entry` (`login_key`);
CREATE TABLE `people_list` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`changed_ms` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
CREATE UNIQUE INDEX `people_list_name` ON `people_list` (`account_id`,`name_key`);
CREATE TABLE `saved_search` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`query` text NOT NULL,
	`total` integer NOT NULL,
	`seen_ms` integer NOT NULL,
	`ran_ms` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
CREATE UNIQUE INDEX `saved_search_name` ON `saved_search` (`account_id`,`name_key`);
