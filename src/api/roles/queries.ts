import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../db/client.ts";
import { type Permission, permissions, type Role, rolePermissions, roles } from "../../db/schema.ts";
import type { keepAnswer } from "../../http/idempotency.ts";
import type { Audit } from "../../http/old-audit.ts";
import type { GrantQuery } from "./list-role-permissions.ts";

export { permissions, roles };

/** What a grant gives to whom. */
export interface Grant {
  roleId: Role;
  permissionId: Permission;
}

/**
 * Makes a grant another one. One trip. Gives whether it did, or why not: it is not there, or the other one is there already.
 * @param keep gives the statements that keep the answer once a condition holds
 */
export async function changeGrant(
  db: Db,
  id: string,
  { roleId, permissionId }: Grant,
  keep: (condition: SQL) => ReturnType<typeof keepAnswer>,
  audit: Audit,
  now: number,
) {
  const isTaken = sql`EXISTS (SELECT 1 FROM ${rolePermissions} AS other
    WHERE other.role_id = ${roleId} AND other.permission_id = ${permissionId} AND other.id <> ${id})`;
  const isChangeable = and(eq(rolePermissions.id, id), sql`NOT ${isTaken}`);
  const before = sql`json_object('roleId', ${rolePermissions.roleId}, 'permissionId', ${rolePermissions.permissionId})`;
  const entry = { companyId: null, objectId: id, before, after: { roleId, permissionId } };
  const [, changed, [found]] = await db.batch([
    audit({ action: "role-permission.change", ...entry }, sql`FROM ${rolePermissions} WHERE ${isChangeable}`),
    db
      .update(rolePermissions)
      .set({ roleId, permissionId, updatedAt: now })
      .where(isChangeable)
      .returning({ id: rolePermissions.id }),
    db.select({ id: rolePermissions.id }).from(rolePermissions).where(eq(rolePermissions.id, id)),
    ...keep(sql`EXISTS (SELECT 1 FROM ${rolePermissions} WHERE ${isChangeable})`),
  ]);
  if (changed.length > 0) return "changed";
  return found ? "taken" : "not_found";
}

/** Grants by id, one more than the limit. One trip. */
export function listRolePermissions(db: Db, { cursor, limit }: GrantQuery) {
  return db
    .select()
    .from(rolePermissions)
    .where(cursor && gt(rolePermissions.id, cursor[0]))
    .orderBy(rolePermissions.id)
    .limit(limit + 1);
}
