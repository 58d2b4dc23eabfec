/** The roles of users and tokens, the highest first. */
export const roles = ["superuser", "superadmin", "admin", "user", "readonly"] as const;
