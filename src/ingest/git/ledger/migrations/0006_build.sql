-- Drops what earlier versions kept of people; `IF EXISTS`, because newer migrations no longer make it.
DROP TABLE IF EXISTS `link`;
DROP TABLE IF EXISTS `first_name`;
DROP TABLE IF EXISTS `touched`;
DROP TABLE IF EXISTS `person`;
DROP TABLE IF EXISTS `person_key`;
DROP TABLE IF EXISTS `departed`;
DROP TABLE IF EXISTS `suggestion`;
DROP TABLE IF EXISTS `rejected`;
DROP TABLE IF EXISTS `credit_key`;
DROP TABLE IF EXISTS `owner_key`;
DROP TABLE IF EXISTS `work`;
DROP TABLE IF EXISTS `repository`;
DELETE FROM `credit`;
DELETE FROM `same_commit`;
DROP INDEX IF EXISTS `same_commit_one`;
DROP INDEX IF EXISTS `same_commit_other`;
DROP INDEX IF EXISTS `spelling_account`;
DROP INDEX IF EXISTS `spelling_persona`;
DROP INDEX IF EXISTS `spelling_linked`;
DROP INDEX IF EXISTS `spelling_person`;
DELETE FROM `spelling` WHERE `id` NOT IN (SELECT `spelling_id` FROM `mention`);
ALTER TABLE `spelling` DROP COLUMN `account`;
ALTER TABLE `spelling` DROP COLUMN `told`;
ALTER TABLE `spelling` DROP COLUMN `persona`;
ALTER TABLE `spelling` DROP COLUMN `persona_digest`;
ALTER TABLE `spelling` DROP COLUMN `is_linked`;
ALTER TABLE `spelling` DROP COLUMN `first_full`;
ALTER TABLE `spelling` DROP COLUMN `first_alone`;
ALTER TABLE `spelling` DROP COLUMN `person_id`;
ALTER TABLE `spelling` ADD `traits` text;
UPDATE `place` SET `repository_id` = NULL;
ALTER TABLE `place` DROP COLUMN `is_counted`;
ALTER TABLE `place` DROP COLUMN `is_leaving`;
ALTER TABLE `place` DROP COLUMN `summary`;
ALTER TABLE `place` ADD `changes` integer DEFAULT 0 NOT NULL;
ALTER TABLE `ledger_state` DROP COLUMN `identified`;
ALTER TABLE `brought` ADD `digest` text;
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
CREATE INDEX `work_repository` ON `work` (`repository_id`);
CREATE TABLE `identity` (
	`digest` text PRIMARY KEY NOT NULL,
	`content` text NOT NULL
);
CREATE TRIGGER `place_history_read` AFTER INSERT ON `history` BEGIN
	UPDATE `place` SET `changes` = `changes` + 1 WHERE `id` = NEW.`place_id`;
END;
CREATE TRIGGER `place_history_changed` AFTER UPDATE ON `history` BEGIN
	UPDATE `place` SET `changes` = `changes` + 1 WHERE `id` = NEW.`place_id`;
END;
CREATE TRIGGER `place_people_changed` AFTER UPDATE ON `history_people` BEGIN
	UPDATE `place` SET `changes` = `changes` + 1 WHERE `id` = NEW.`place_id`;
END;
CREATE TRIGGER `place_note_added` AFTER INSERT ON `note` BEGIN
	UPDATE `place` SET `changes` = `changes` + 1 WHERE `id` = NEW.`place_id`;
END;
CREATE TRIGGER `place_note_removed` AFTER DELETE ON `note` BEGIN
	UPDATE `place` SET `changes` = `changes` + 1 WHERE `id` = OLD.`place_id`;
END;
