CREATE TABLE `account` (
	`source` text NOT NULL,
	`number` text NOT NULL,
	`login` text NOT NULL,
	`is_bot` integer NOT NULL,
	`profile` text NOT NULL,
	`former_logins` text NOT NULL,
	`seen` integer NOT NULL,
	`missed` integer NOT NULL,
	PRIMARY KEY(`source`, `number`)
);
CREATE TABLE `address` (
	`source` text NOT NULL,
	`number` text NOT NULL,
	`address` text NOT NULL,
	`is_published` integer NOT NULL,
	`seen` integer NOT NULL,
	PRIMARY KEY(`source`, `number`, `address`)
);
CREATE TABLE `file_state` (
	`id` integer PRIMARY KEY NOT NULL CHECK (`id` = 1),
	`name` text NOT NULL,
	`changes` integer DEFAULT 0 NOT NULL
) STRICT;
INSERT INTO `file_state` (`id`, `name`) VALUES (1, lower(hex(randomblob(16))));
CREATE TABLE `repository` (
	`source` text NOT NULL,
	`number` text NOT NULL,
	`facts` text NOT NULL,
	`seen` integer NOT NULL,
	PRIMARY KEY(`source`, `number`)
);
CREATE TABLE `source` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`url` text NOT NULL,
	`forge` text NOT NULL,
	`selections` text NOT NULL,
	`noreply_host` text,
	`walk` integer NOT NULL,
	`completed_at` text,
	`paused_until` text,
	`last_run` text
);
CREATE TABLE `spelling` (
	`source` text NOT NULL,
	`address` text NOT NULL,
	`number` text,
	`login` text,
	`asked_at` text NOT NULL,
	PRIMARY KEY(`source`, `address`)
);
CREATE TABLE `step` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`source` text NOT NULL,
	`name` text NOT NULL,
	`ask` text NOT NULL,
	`cursor` text,
	`is_done` integer NOT NULL
);
CREATE UNIQUE INDEX `step_ask` ON `step` (`source`,`ask`);
CREATE INDEX `step_open` ON `step` (`source`,`is_done`,`id`);
CREATE TRIGGER `file_state_account_found` AFTER INSERT ON `account` BEGIN
	UPDATE `file_state` SET `changes` = `changes` + 1;
END;
CREATE TRIGGER `file_state_account_changed` AFTER UPDATE ON `account` BEGIN
	UPDATE `file_state` SET `changes` = `changes` + 1;
END;
CREATE TRIGGER `file_state_account_left` AFTER DELETE ON `account` BEGIN
	UPDATE `file_state` SET `changes` = `changes` + 1;
END;
CREATE TRIGGER `file_state_repository_found` AFTER INSERT ON `repository` BEGIN
	UPDATE `file_state` SET `changes` = `changes` + 1;
END;
CREATE TRIGGER `file_state_repository_changed` AFTER UPDATE ON `repository` BEGIN
	UPDATE `file_state` SET `changes` = `changes` + 1;
END;
CREATE TRIGGER `file_state_repository_left` AFTER DELETE ON `repository` BEGIN
	UPDATE `file_state` SET `changes` = `changes` + 1;
END;
