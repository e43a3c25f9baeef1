CREATE TABLE `decision` (
	`sequence` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`kind` text NOT NULL,
	`a` text NOT NULL,
	`b` text NOT NULL,
	`at` text NOT NULL,
	`by` text NOT NULL,
	`reason` text,
	`evidence` text NOT NULL
);
CREATE UNIQUE INDEX `decision_id_unique` ON `decision` (`id`);