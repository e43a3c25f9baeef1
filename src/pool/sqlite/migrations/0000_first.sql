CREATE TABLE `card` (
	`row_id` integer PRIMARY KEY NOT NULL,
	`card` text NOT NULL
);
CREATE TABLE `developer` (
	`row_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`login_key` text NOT NULL,
	`login` text NOT NULL,
	`source` text NOT NULL,
	`searchable` integer NOT NULL,
	`import_id` integer NOT NULL,
	`superseded_by` integer,
	`confirmed_by` integer,
	`change` text NOT NULL,
	`facts_hash` text NOT NULL,
	`whole_hash` text NOT NULL
);
CREATE INDEX `developer_login` ON `developer` (`login_key`,`import_id`);
CREATE INDEX `developer_import` ON `developer` (`import_id`);
CREATE INDEX `developer_superseded` ON `developer` (`superseded_by`) WHERE "developer"."superseded_by" is not null;
CREATE TABLE `dossier` (
	`row_id` integer PRIMARY KEY NOT NULL,
	`facts` blob NOT NULL,
	`analysis` blob NOT NULL
);
CREATE TABLE `import` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`source` text NOT NULL,
	`started_at` text NOT NULL,
	`committed_at` text,
	`revision` integer,
	`is_swept` integer DEFAULT false NOT NULL
);
CREATE TABLE `pool_state` (
	`id` integer PRIMARY KEY NOT NULL,
	`revision` integer NOT NULL
);
CREATE TABLE `source_count` (
	`source` text PRIMARY KEY NOT NULL,
	`developers` integer NOT NULL,
	`last_import_at` text NOT NULL
);
CREATE TABLE `standing` (
	`row_id` integer PRIMARY KEY NOT NULL,
	`standing` text NOT NULL
);
