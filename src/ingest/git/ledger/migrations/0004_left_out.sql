ALTER TABLE `place` ADD `left_out` text;
