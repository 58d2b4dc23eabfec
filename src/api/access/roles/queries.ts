import { and, eq, gt, type SQL } from "drizzle-orm";
import type { Db } from "../../../db/client.ts";
import { isAsRead, isUnchanged } from "../../../db/expect.ts";
import { rolePermissions } from "../../../db/schema.ts";
import type { GrantQuery } from "./query.ts";

export type GrantRow = typeof rolePermissions.$inferSelect;

/** A role and a permission that it is granted. Each combination exists at most once. */
export type Grant = Pick<GrantRow, "roleId" | "permissionId">;

/** The statement that reads a grant by its id. */
export function selectGrant(db: Db, id: string) {
  return db.select().from(rolePermissions).where(eq(rolePermissions.id, id));
}

/** The statement that reads the grant of a permission to a role. */
export function selectGrantOf(db: Db, grant: Grant) {
  return db.select().from(rolePermissions).where(isOf(grant));
}

/** Condition: the grant is unchanged since it was read. */
export function isSameGrant(grant: GrantRow): SQL {
  return isUnchanged(rolePermissions, grant);
}

/** Condition: the grant of a permission to a role is unchanged since it was read. */
export function isSameGrantOf(grant: Grant, row: GrantRow | undefined): SQL {
  return isAsRead(rolePermissions, isOf(grant), row);
}

/** The statement that replaces a grant. */
export function updateGrant(db: Db, { id, ...values }: GrantRow) {
  return db.update(rolePermissions).set(values).where(eq(rolePermissions.id, id));
}

/** Grants in the order of their ids. Reads one more than the limit. */
export function selectGrants(db: Db, { cursor, limit }: GrantQuery) {
  return db
    .select()
    .from(rolePermissions)
    .where(cursor && gt(rolePermissions.id, cursor[0]))
    .orderBy(rolePermissions.id)
    .limit(limit + 1);
}

function isOf({ roleId, permissionId }: Grant) {
  return and(eq(rolePermissions.roleId, roleId), eq(rolePermissions.permissionId, permissionId));
}
