import { allowPermission, allowRoles } from "../../http/permission.ts";

type Permission = Parameters<typeof allowPermission>[0];

/** Who reads and who writes, by permission. */
export function accessBy(read: Permission, write: Permission) {
  const change = allowPermission(write, { isIdempotent: true });
  return { read: allowPermission(read), create: change, change, remove: change };
}

/** As most of the set-up: everyone reads it, its writers are granted that. */
export const setUpAccess = accessBy("set-up:read", "set-up:write");

/** As the set-up; superusers alone create and delete. */
const superusers = allowRoles(["superuser"], { isIdempotent: true });
export const superuserAccess = { ...setUpAccess, create: superusers, remove: superusers };
