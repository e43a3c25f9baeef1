ALTER TABLE `place` ADD `indexed` integer DEFAULT 0 NOT NULL;
ALTER TABLE `place` ADD `is_counted` integer DEFAULT false NOT NULL;
ALTER TABLE `place` ADD `repository_id` integer;
ALTER TABLE `place` ADD `is_leaving` integer DEFAULT false NOT NULL;
CREATE TABLE `history_people` (
	`place_id` integer PRIMARY KEY NOT NULL,
	`content` blob NOT NULL
);
ALTER TABLE `ledger_state` ADD `identified` text;
ALTER TABLE `ledger_state` DROP COLUMN `revision`;
CREATE TABLE `commit_holder` (
	`fingerprint` integer NOT NULL,
	`place_id` integer NOT NULL,
	PRIMARY KEY(`fingerprint`, `place_id`)
) WITHOUT ROWID;
CREATE TABLE `shared_commit` (
	`place_id` integer NOT NULL,
	`fingerprint` integer NOT NULL,
	`author` integer,
	PRIMARY KEY(`place_id`, `fingerprint`)
) WITHOUT ROWID;
CREATE INDEX `shared_commit_fingerprint` ON `shared_commit` (`fingerprint`);
CREATE TABLE `kin` (
	`place_id` integer NOT NULL,
	`other_id` integer NOT NULL,
	PRIMARY KEY(`place_id`, `other_id`)
) WITHOUT ROWID;
CREATE INDEX `place_repository` ON `place` (`repository_id`);
CREATE TABLE `spelling` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`raw_email` text NOT NULL,
	`place` text NOT NULL,
	`folded` text NOT NULL,
	`address` text NOT NULL,
	`raw_address` text NOT NULL,
	`account` text,
	`told` text,
	`persona` text,
	`persona_digest` text,
	`is_linked` integer DEFAULT false NOT NULL,
	`first_full` text,
	`first_alone` text,
	`person_id` integer
);
CREATE UNIQUE INDEX `spelling_written` ON `spelling` (`raw_email`, `name`, `email`, `place`);
CREATE INDEX `spelling_address` ON `spelling` (`address`);
CREATE INDEX `spelling_raw_address` ON `spelling` (`raw_address`);
CREATE INDEX `spelling_folded` ON `spelling` (`folded`);
CREATE TABLE `credit` (
	`named_id` integer NOT NULL,
	`repository_id` integer NOT NULL,
	`author_id` integer NOT NULL,
	`kind` text NOT NULL,
	`count` integer NOT NULL,
	`first` integer NOT NULL,
	`last` integer NOT NULL,
	PRIMARY KEY(`named_id`, `repository_id`, `author_id`, `kind`)
) WITHOUT ROWID;
CREATE INDEX `credit_repository` ON `credit` (`repository_id`);
CREATE TABLE `same_commit` (
	`repository_id` integer NOT NULL,
	`one` integer NOT NULL,
	`other` integer NOT NULL,
	PRIMARY KEY(`repository_id`, `one`, `other`)
) WITHOUT ROWID;
CREATE TABLE `mention` (
	`place_id` integer NOT NULL,
	`spelling_id` integer NOT NULL,
	`number` integer NOT NULL,
	`sample` text,
	PRIMARY KEY(`place_id`, `spelling_id`)
) WITHOUT ROWID;
CREATE INDEX `mention_spelling` ON `mention` (`spelling_id`);
