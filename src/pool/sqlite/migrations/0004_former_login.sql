CREATE TABLE `former_login` (
	`login_key` text NOT NULL,
	`row_id` integer NOT NULL,
	PRIMARY KEY(`login_key`, `row_id`)
) WITHOUT ROWID;
CREATE INDEX `former_login_row` ON `former_login` (`row_id`);
CREATE TABLE `findable` (
	`row_id` integer PRIMARY KEY NOT NULL,
	`keys` text NOT NULL
);
