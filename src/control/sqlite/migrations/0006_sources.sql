CREATE TABLE `source` (
	`id` text PRIMARY KEY NOT NULL,
	`settings` text,
	`reader` text NOT NULL,
	`hook_salt` text,
	`state` text
) STRICT;
CREATE TABLE `source_ask` (
	`source_id` text NOT NULL,
	`repository` text NOT NULL,
	`at_ms` integer NOT NULL,
	PRIMARY KEY(`source_id`, `repository`)
) STRICT, WITHOUT ROWID;
CREATE TABLE `run` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`title` text NOT NULL,
	`source` text,
	`started_by` text NOT NULL,
	`machine` text NOT NULL,
	`started_ms` integer NOT NULL,
	`ended_ms` integer NOT NULL,
	`state` text NOT NULL,
	`outcome` text NOT NULL
) STRICT;
