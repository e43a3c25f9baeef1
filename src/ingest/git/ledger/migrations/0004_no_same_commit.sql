DROP TABLE `same_commit`;
--> statement-breakpoint
ALTER TABLE `shared_commit` DROP COLUMN `author`;
