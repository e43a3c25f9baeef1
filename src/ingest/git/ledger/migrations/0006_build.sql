DROP TABLE `link`;
--> statement-breakpoint
DROP TABLE `first_name`;
--> statement-breakpoint
DROP TABLE `touched`;
--> statement-breakpoint
DROP TABLE `person`;
--> statement-breakpoint
DROP TABLE `person_key`;
--> statement-breakpoint
DROP TABLE `departed`;
--> statement-breakpoint
DROP TABLE `suggestion`;
--> statement-breakpoint
DROP TABLE `rejected`;
--> statement-breakpoint
DROP TABLE `credit_key`;
--> statement-breakpoint
DROP TABLE `owner_key`;
--> statement-breakpoint
DROP TABLE `work`;
--> statement-breakpoint
DROP TABLE `repository`;
--> statement-breakpoint
DELETE FROM `credit`;
--> statement-breakpoint
DELETE FROM `same_commit`;
--> statement-breakpoint
DROP INDEX `same_commit_one`;
--> statement-breakpoint
DROP INDEX `same_commit_other`;
--> statement-breakpoint
DROP INDEX `spelling_account`;
--> statement-breakpoint
DROP INDEX `spelling_persona`;
--> statement-breakpoint
DROP INDEX `spelling_linked`;
--> statement-breakpoint
DROP INDEX `spelling_person`;
--> statement-breakpoint
DELETE FROM `spelling` WHERE `id` NOT IN (SELECT `spelling_id` FROM `mention`);
--> statement-breakpoint
ALTER TABLE `spelling` DROP COLUMN `account`;
--> statement-breakpoint
ALTER TABLE `spelling` DROP COLUMN `told`;
--> statement-breakpoint
ALTER TABLE `spelling` DROP COLUMN `persona`;
--> statement-breakpoint
ALTER TABLE `spelling` DROP COLUMN `persona_digest`;
--> statement-breakpoint
ALTER TABLE `spelling` DROP COLUMN `is_linked`;
--> statement-breakpoint
ALTER TABLE `spelling` DROP COLUMN `first_full`;
--> statement-breakpoint
ALTER TABLE `spelling` DROP COLUMN `first_alone`;
--> statement-breakpoint
ALTER TABLE `spelling` DROP COLUMN `person_id`;
--> statement-breakpoint
ALTER TABLE `spelling` ADD `traits` text;
--> statement-breakpoint
UPDATE `place` SET `repository_id` = NULL;
--> statement-breakpoint
ALTER TABLE `place` DROP COLUMN `is_counted`;
--> statement-breakpoint
ALTER TABLE `place` DROP COLUMN `is_leaving`;
--> statement-breakpoint
ALTER TABLE `place` DROP COLUMN `summary`;
--> statement-breakpoint
ALTER TABLE `place` ADD `changes` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `ledger_state` DROP COLUMN `identified`;
--> statement-breakpoint
ALTER TABLE `brought` ADD `digest` text;
--> statement-breakpoint
CREATE TABLE `repository` (
	`id` integer PRIMARY KEY NOT NULL,
	`inputs` text NOT NULL,
	`name` text NOT NULL,
	`digest` text NOT NULL,
	`lines` blob NOT NULL,
	`authors` text NOT NULL,
	`standing` text,
	`named` text
);
--> statement-breakpoint
CREATE TABLE `work` (
	`spelling_id` integer NOT NULL,
	`repository_id` integer NOT NULL,
	`commits` integer NOT NULL,
	`counted` integer NOT NULL,
	`busiest` integer NOT NULL,
	`routine` integer NOT NULL,
	`is_work` integer NOT NULL,
	`first` integer,
	`last` integer,
	`sharers` text NOT NULL,
	`digest` text NOT NULL,
	`content` blob NOT NULL,
	PRIMARY KEY(`spelling_id`, `repository_id`)
);
--> statement-breakpoint
CREATE INDEX `work_repository` ON `work` (`repository_id`);
--> statement-breakpoint
CREATE TABLE `identity` (
	`digest` text PRIMARY KEY NOT NULL,
	`content` text NOT NULL
);
--> statement-breakpoint
CREATE TRIGGER `place_history_read` AFTER INSERT ON `history` BEGIN
	UPDATE `place` SET `changes` = `changes` + 1 WHERE `id` = NEW.`place_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `place_history_changed` AFTER UPDATE ON `history` BEGIN
	UPDATE `place` SET `changes` = `changes` + 1 WHERE `id` = NEW.`place_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `place_people_changed` AFTER UPDATE ON `history_people` BEGIN
	UPDATE `place` SET `changes` = `changes` + 1 WHERE `id` = NEW.`place_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `place_note_added` AFTER INSERT ON `note` BEGIN
	UPDATE `place` SET `changes` = `changes` + 1 WHERE `id` = NEW.`place_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `place_note_removed` AFTER DELETE ON `note` BEGIN
	UPDATE `place` SET `changes` = `changes` + 1 WHERE `id` = OLD.`place_id`;
END;
