CREATE TABLE `repository` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`key` text NOT NULL,
	`name` text NOT NULL,
	`forge` text,
	`is_shown` integer NOT NULL,
	`fingerprint` text NOT NULL,
	`commits` integer NOT NULL,
	`files` integer NOT NULL,
	`last_day` integer NOT NULL,
	`columns` blob NOT NULL
);
CREATE INDEX `repository_key` ON `repository` (`key`);
CREATE TABLE `repository_block` (
	`repository_id` integer NOT NULL,
	`sequence` integer NOT NULL,
	`first` text NOT NULL,
	`number` integer NOT NULL,
	`content` blob NOT NULL,
	PRIMARY KEY(`repository_id`, `sequence`)
);
CREATE TABLE `repository_author` (
	`repository_id` integer NOT NULL,
	`number` integer NOT NULL,
	`login_key` text NOT NULL,
	PRIMARY KEY(`repository_id`, `number`)
) WITHOUT ROWID;
CREATE INDEX `repository_author_login` ON `repository_author` (`login_key`);
CREATE TABLE `repository_package` (
	`repository_id` integer NOT NULL,
	`name` text NOT NULL,
	`relation` text NOT NULL,
	`short` text NOT NULL,
	`paths` blob NOT NULL,
	PRIMARY KEY(`repository_id`, `name`, `relation`)
) WITHOUT ROWID;
CREATE INDEX `repository_package_name` ON `repository_package` (`name`);
CREATE INDEX `repository_package_short` ON `repository_package` (`short`);
CREATE TABLE `repository_ownership` (
	`repository_id` integer PRIMARY KEY NOT NULL,
	`content` blob NOT NULL
);
