import type { Db } from "../db/client.ts";
import type { Permission, Role } from "../db/schema.ts";
import { listGrants } from "./queries.ts";
import { ShortCache } from "./short-cache.ts";

/** The time within which a change of a grant takes effect. */
const CACHE_MS = 30_000;
const grants = new ShortCache<Set<string>>(CACHE_MS, 1);

/** True if a role has a permission. A superuser has all permissions, regardless of grants. */
export async function isGranted(db: Db, role: Role, permission: Permission): Promise<boolean> {
  if (role === "superuser") return true;
  const readAt = Date.now();
  let known = grants.get("")?.value;
  if (!known) {
    known = await listGrants(db);
    grants.set("", known, readAt);
  }
  return known.has(`${role} ${permission}`);
}
