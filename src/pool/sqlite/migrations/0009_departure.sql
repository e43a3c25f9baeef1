ALTER TABLE `developer` ADD `first_row_id` integer;
CREATE TABLE `departure` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`login_key` text NOT NULL,
	`login` text NOT NULL,
	`import_id` integer,
	`at` text NOT NULL
);
CREATE INDEX `departure_login` ON `departure` (`login_key`);
CREATE INDEX `departure_import` ON `departure` (`import_id`);
