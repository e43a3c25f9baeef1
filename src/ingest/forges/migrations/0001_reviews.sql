ALTER TABLE `repository` ADD `reviewed` text;
CREATE TABLE `review` (
	`source` text NOT NULL,
	`repository` text NOT NULL,
	`change` text NOT NULL,
	`number` text NOT NULL,
	`verdict` text NOT NULL,
	`day` text NOT NULL,
	`content` text NOT NULL,
	PRIMARY KEY(`source`, `repository`, `change`, `number`)
);
CREATE TRIGGER `file_state_review_found` AFTER INSERT ON `review` BEGIN
	UPDATE `file_state` SET `changes` = `changes` + 1;
END;
CREATE TRIGGER `file_state_review_left` AFTER DELETE ON `review` BEGIN
	UPDATE `file_state` SET `changes` = `changes` + 1;
END;
