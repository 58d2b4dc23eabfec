DROP INDEX `machines_unconfigured`;--> statement-breakpoint
CREATE INDEX `machines_unconfigured` ON `machines` (`id`) WHERE configured_version < config_version;