ALTER TABLE `repository` DROP COLUMN `named`;
