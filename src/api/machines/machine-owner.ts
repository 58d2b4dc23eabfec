import { ShortCache } from "../../core/short-cache.ts";

// The object of another company's machine must not be woken. A machine never changes its company, so its owner can be cached, which saves a
// trip for machines that are requested often.
const owners = new ShortCache<number>(30_000, 5_000);

/** The company of a machine that existed within the last 30 s; undefined if `find` does not find one. */
export async function machineOwner(machineId: number, find: () => Promise<number | undefined>): Promise<number | undefined> {
  const known = owners.get(String(machineId))?.value;
  if (known !== undefined) return known;
  const readAt = Date.now();
  const found = await find();
  if (found !== undefined) owners.set(String(machineId), found, readAt);
  return found;
}
