/**
 * Makes every machine's object read its set-up again and publish again all that the database lacks. The version is higher than any that an
 * object may know: none changed more than once a second.
 */
export const republishSql = "UPDATE machines SET config_version = max(config_version + 1, unixepoch()), configured_version = 0";
