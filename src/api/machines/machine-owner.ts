import { ShortCache } from "../../core/short-cache.ts";

// No object is woken for a machine that is not the caller's, and no machine ever goes to another company: one that is
// looked at again and again is one trip each time, not two.
const owners = new ShortCache<number>(30_000, 5_000);

/** The company of a machine that was there 30 s ago or later; undefined when `find` knows no such machine. */
export async function machineOwner(machineId: number, find: () => Promise<number | undefined>): Promise<number | undefined> {
  const known = owners.get(String(machineId))?.value;
  if (known !== undefined) return known;
  const readAt = Date.now();
  const found = await find();
  if (found !== undefined) owners.set(String(machineId), found, readAt);
  return found;
}
