import { allowPermission, allowRoles } from "../../http/permission.ts";

type Permission = Parameters<typeof allowPermission>[0];

/** Who reads and who writes, by permission. */
export function accessBy(read: Permission, write: Permission) {
  const change = allowPermission(write);
  return { read: allowPermission(read), create: allowPermission(write, { isIdempotent: true }), change, remove: change };
}

/** As most of the set-up: everyone reads it, its writers are granted that. */
export const setUpAccess = accessBy("set-up:read", "set-up:write");

/** As the set-up; superusers alone create and delete. */
export const superuserAccess = {
  ...setUpAccess,
  create: allowRoles(["superuser"], { isIdempotent: true }),
  remove: allowRoles(["superuser"]),
};
