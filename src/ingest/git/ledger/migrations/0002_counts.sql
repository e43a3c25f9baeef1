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
CREATE TABLE `repository` (
	`id` integer PRIMARY KEY NOT NULL,
	`inputs` text NOT NULL,
	`name` text NOT NULL,
	`digest` text NOT NULL,
	`lines` blob NOT NULL,
	`standing` text,
	`authors` text NOT NULL,
	`erased_from` text,
	`is_due` integer DEFAULT true NOT NULL
);
CREATE INDEX `repository_due` ON `repository` (`is_due`);
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
CREATE INDEX `spelling_account` ON `spelling` (`account`);
CREATE INDEX `spelling_persona` ON `spelling` (`persona`);
CREATE INDEX `spelling_linked` ON `spelling` (`is_linked`);
CREATE INDEX `spelling_person` ON `spelling` (`person_id`);
CREATE TABLE `work` (
	`spelling_id` integer NOT NULL,
	`repository_id` integer NOT NULL,
	`commits` integer NOT NULL,
	`counted` integer NOT NULL,
	`routine` integer NOT NULL,
	`capped` integer,
	`is_work` integer NOT NULL,
	`first` integer,
	`last` integer,
	`content` blob NOT NULL,
	PRIMARY KEY(`spelling_id`, `repository_id`)
);
CREATE INDEX `work_repository` ON `work` (`repository_id`);
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
CREATE TABLE `credit_key` (
	`key` integer NOT NULL,
	`named_id` integer NOT NULL,
	PRIMARY KEY(`key`, `named_id`)
) WITHOUT ROWID;
CREATE INDEX `credit_key_named` ON `credit_key` (`named_id`);
CREATE TABLE `same_commit` (
	`repository_id` integer NOT NULL,
	`one` integer NOT NULL,
	`other` integer NOT NULL,
	PRIMARY KEY(`repository_id`, `one`, `other`)
) WITHOUT ROWID;
CREATE INDEX `same_commit_one` ON `same_commit` (`one`);
CREATE INDEX `same_commit_other` ON `same_commit` (`other`);
CREATE TABLE `mention` (
	`place_id` integer NOT NULL,
	`spelling_id` integer NOT NULL,
	`number` integer NOT NULL,
	`sample` text,
	PRIMARY KEY(`place_id`, `spelling_id`)
) WITHOUT ROWID;
CREATE INDEX `mention_spelling` ON `mention` (`spelling_id`);
CREATE TABLE `owner_key` (
	`key` integer NOT NULL,
	`repository_id` integer NOT NULL,
	PRIMARY KEY(`key`, `repository_id`)
) WITHOUT ROWID;
CREATE INDEX `owner_key_repository` ON `owner_key` (`repository_id`);
CREATE TABLE `link` (
	`key` integer NOT NULL,
	`spelling_id` integer NOT NULL,
	`reach` integer NOT NULL,
	PRIMARY KEY(`key`, `spelling_id`, `reach`)
) WITHOUT ROWID;
CREATE INDEX `link_spelling` ON `link` (`spelling_id`);
CREATE TABLE `first_name` (
	`word` text PRIMARY KEY NOT NULL,
	`of_full` integer NOT NULL,
	`alone` integer NOT NULL
) WITHOUT ROWID;
CREATE TABLE `touched` (
	`spelling_id` integer PRIMARY KEY NOT NULL
);
CREATE TABLE `person` (
	`id` integer PRIMARY KEY NOT NULL,
	`login` text NOT NULL,
	`class` text NOT NULL,
	`is_shown` integer NOT NULL,
	`has_account` integer NOT NULL,
	`aliases` integer NOT NULL,
	`digest` text NOT NULL,
	`is_due` integer DEFAULT true NOT NULL
);
CREATE INDEX `person_due` ON `person` (`is_due`);
CREATE TABLE `person_key` (
	`key` integer NOT NULL,
	`person_id` integer NOT NULL,
	PRIMARY KEY(`key`, `person_id`)
) WITHOUT ROWID;
CREATE INDEX `person_key_person` ON `person_key` (`person_id`);
CREATE TABLE `departed` (
	`login` text PRIMARY KEY NOT NULL
);
CREATE TABLE `suggestion` (
	`one` integer NOT NULL,
	`other` integer NOT NULL,
	PRIMARY KEY(`one`, `other`)
) WITHOUT ROWID;
CREATE INDEX `suggestion_other` ON `suggestion` (`other`);
CREATE TABLE `rejected` (
	`spelling_id` integer NOT NULL,
	`position` integer NOT NULL,
	`origin` text NOT NULL,
	`reason` text NOT NULL,
	PRIMARY KEY(`spelling_id`, `origin`)
) WITHOUT ROWID;
