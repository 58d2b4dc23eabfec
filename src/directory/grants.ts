import { and, eq, gt, type SQL } from "drizzle-orm";
import type { DirectoryDb } from "../db/client.ts";
import { isAsRead, isUnchanged } from "../db/expect.ts";
import { rolePermissions } from "../db/schema/directory.ts";

export type GrantRow = typeof rolePermissions.$inferSelect;

/** A role and a permission that it is granted. Each combination exists at most once. */
export type Grant = Pick<GrantRow, "roleId" | "permissionId">;

/** Every grant, as `role permission`. */
export async function findGrants(directory: DirectoryDb): Promise<Set<string>> {
  const { roleId, permissionId } = rolePermissions;
  const grants = await directory.select({ roleId, permissionId }).from(rolePermissions);
  return new Set(grants.map((grant) => `${grant.roleId} ${grant.permissionId}`));
}

/** The statement that reads a grant by its id. */
export function selectGrant(directory: DirectoryDb, id: string) {
  return directory.select().from(rolePermissions).where(eq(rolePermissions.id, id));
}

/** A grant by its id. */
export async function findGrant(directory: DirectoryDb, id: string): Promise<GrantRow | undefined> {
  return (await selectGrant(directory, id))[0];
}

/** The statement that reads the grant of a permission to a role. */
export function selectGrantOf(directory: DirectoryDb, grant: Grant) {
  return directory.select().from(rolePermissions).where(isOf(grant));
}

/** Condition: the grant is unchanged since it was read. */
export function isSameGrant(grant: GrantRow): SQL {
  return isUnchanged(rolePermissions, grant);
}

/** Condition: the grant of a permission to a role is unchanged since it was read. */
export function isSameGrantOf(grant: Grant, row: GrantRow | undefined): SQL {
  return isAsRead(rolePermissions, isOf(grant), row);
}

/** The statement that stores a new grant. */
export function insertGrant(directory: DirectoryDb, grant: GrantRow) {
  return directory.insert(rolePermissions).values(grant);
}

/** The statement that deletes a grant. */
export function deleteGrant(directory: DirectoryDb, id: string) {
  return directory.delete(rolePermissions).where(eq(rolePermissions.id, id));
}

/** The statement that replaces a grant. */
export function updateGrant(directory: DirectoryDb, { id, ...values }: GrantRow) {
  return directory.update(rolePermissions).set(values).where(eq(rolePermissions.id, id));
}

/** Grants in the order of their ids, after the one of the cursor. Reads one more than the limit. */
export function selectGrants(
  directory: DirectoryDb,
  { cursor, limit }: { cursor?: readonly [string] | undefined; limit: number },
) {
  return directory
    .select()
    .from(rolePermissions)
    .where(cursor && gt(rolePermissions.id, cursor[0]))
    .orderBy(rolePermissions.id)
    .limit(limit + 1);
}

function isOf({ roleId, permissionId }: Grant) {
  return and(eq(rolePermissions.roleId, roleId), eq(rolePermissions.permissionId, permissionId));
}
