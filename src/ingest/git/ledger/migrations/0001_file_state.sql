CREATE TABLE `file_state` (
	`id` integer PRIMARY KEY NOT NULL CHECK (`id` = 1),
	`name` text NOT NULL,
	`changes` integer DEFAULT 0 NOT NULL
) STRICT;
INSERT INTO `file_state` (`id`, `name`) VALUES (1, lower(hex(randomblob(16))));
CREATE TRIGGER `file_state_read` AFTER INSERT ON `history` BEGIN
	UPDATE `file_state` SET `changes` = `changes` + 1;
END;
CREATE TRIGGER `file_state_changed` AFTER UPDATE ON `history` BEGIN
	UPDATE `file_state` SET `changes` = `changes` + 1;
END;
CREATE TRIGGER `file_state_forgotten` AFTER DELETE ON `history` BEGIN
	UPDATE `file_state` SET `changes` = `changes` + 1;
END;
