CREATE TABLE `webhook_target` (
	`id` text PRIMARY KEY NOT NULL,
	`url` text NOT NULL,
	`events` text NOT NULL,
	`is_local` integer NOT NULL,
	`told` text NOT NULL,
	`fault` text
) STRICT;
CREATE TABLE `webhook_delivery` (
	`id` text PRIMARY KEY NOT NULL,
	`target_id` text NOT NULL,
	`body` text NOT NULL,
	`created_ms` integer NOT NULL,
	`due_ms` integer,
	`attempts` integer NOT NULL
) STRICT;
CREATE INDEX `webhook_delivery_due` ON `webhook_delivery` (`target_id`,`due_ms`);
