CREATE TABLE `identifier` (
	`row_id` integer NOT NULL,
	`hash` integer NOT NULL,
	PRIMARY KEY(`row_id`, `hash`)
) WITHOUT ROWID;
CREATE TABLE `unlisted_row` (
	`row_id` integer PRIMARY KEY NOT NULL
);
INSERT INTO `unlisted_row` (`row_id`) SELECT `row_id` FROM `developer`;
