// The roles of users and tokens, the highest first.

export const roles = ["superuser", "superadmin", "admin", "user", "readonly"] as const;
type Role = (typeof roles)[number];

/** The roles that somebody with this role may give. */
export function rolesUpTo(role: Role): readonly Role[] {
  return roles.slice(roles.indexOf(role));
}
