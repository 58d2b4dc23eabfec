import type { Permission, Role } from "../db/schema.ts";
import { findGrants } from "../directory/grants.ts";
import type { Caller } from "./caller.ts";
import { ShortCache } from "./short-cache.ts";

/** The time within which a change of a grant takes effect. */
const CACHE_MS = 30_000;
const grants = new ShortCache<Set<string>>(CACHE_MS, 1);

/** True if a role has a permission. A superuser has all permissions, regardless of grants. */
export async function isGranted(caller: Pick<Caller, "directory">, role: Role, permission: Permission): Promise<boolean> {
  if (role === "superuser") return true;
  const readAt = Date.now();
  let known = grants.get("")?.value;
  if (!known) {
    known = await findGrants(caller.directory);
    grants.set("", known, readAt);
  }
  return known.has(`${role} ${permission}`);
}

/** Makes the next request to this isolate read the grants again. Other isolates cache them for up to 30 s. */
export function forgetGrants(): void {
  grants.delete("");
}
