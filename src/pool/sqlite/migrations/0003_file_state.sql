CREATE TABLE `file_state` (
	`id` integer PRIMARY KEY NOT NULL CHECK (`id` = 1),
	`name` text NOT NULL,
	`changes` integer DEFAULT 0 NOT NULL
) STRICT;
INSERT INTO `file_state` (`id`, `name`, `changes`)
	VALUES (1, lower(hex(randomblob(16))), coalesce((SELECT max(`revision`) FROM `pool_state`), 0));
CREATE TRIGGER `file_state_first_revision` AFTER INSERT ON `pool_state` BEGIN
	UPDATE `file_state` SET `changes` = `changes` + 1;
END;
CREATE TRIGGER `file_state_revision` AFTER UPDATE ON `pool_state` WHEN new.`revision` <> old.`revision` BEGIN
	UPDATE `file_state` SET `changes` = `changes` + 1;
END;
CREATE TRIGGER `file_state_decision` AFTER INSERT ON `decision` BEGIN
	UPDATE `file_state` SET `changes` = `changes` + 1;
END;
CREATE TRIGGER `file_state_undecided` AFTER DELETE ON `decision` BEGIN
	UPDATE `file_state` SET `changes` = `changes` + 1;
END;
CREATE TRIGGER `file_state_erasure` AFTER INSERT ON `erasure` BEGIN
	UPDATE `file_state` SET `changes` = `changes` + 1;
END;
CREATE TRIGGER `file_state_erasure_ended` AFTER UPDATE ON `erasure` BEGIN
	UPDATE `file_state` SET `changes` = `changes` + 1;
END;
