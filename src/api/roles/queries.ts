import { and, eq, gt, sql } from "drizzle-orm";
import type { Db } from "../../db/client.ts";
import { type Permission, permissions, type Role, rolePermissions, roles } from "../../db/schema.ts";
import type { GrantQuery } from "./list-role-permissions.ts";

export { permissions, roles };

/** Makes a grant another one. One trip. Gives whether it did, or why not: it is not there, or the other one is there already. */
export async function changeGrant(db: Db, id: string, roleId: Role, permissionId: Permission, now: number) {
  const isTaken = sql`EXISTS (SELECT 1 FROM ${rolePermissions} AS other
    WHERE other.role_id = ${roleId} AND other.permission_id = ${permissionId} AND other.id <> ${id})`;
  const [changed, [found]] = await db.batch([
    db
      .update(rolePermissions)
      .set({ roleId, permissionId, updatedAt: now })
      .where(and(eq(rolePermissions.id, id), sql`NOT ${isTaken}`))
      .returning({ id: rolePermissions.id }),
    db.select({ id: rolePermissions.id }).from(rolePermissions).where(eq(rolePermissions.id, id)),
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
