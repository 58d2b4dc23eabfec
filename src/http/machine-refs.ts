import type { Context } from "hono";
import { refusal } from "../core/problem.ts";
import { selectMachinesOfRefs } from "../core/queries.ts";
import { ShortCache } from "../core/short-cache.ts";
import type { HonoEnv } from "./env.ts";
import { db } from "./session.ts";

/** The members of a query that names machines: see `machineMembers`. */
interface MachineQuery {
  companyId?: number | undefined;
  machineIds?: number[] | undefined;
  machineRefs?: string[] | undefined;
}

/** `company ref` -> the machine's id. Cached for programs that send the same refs repeatedly. */
const machines = new ShortCache<number>(30_000, 10_000);

/**
 * Adds the ids of the machines that a query names by their refs to `machineIds`, so that operations know ids alone. A ref is one of the
 * company in `companyId`, or of the caller's. One trip for those that were not named in the last 30 s.
 * @throws Problem 404 with a fault for each ref that names no machine
 */
export async function resolveMachineRefs(c: Context<HonoEnv>, query: MachineQuery): Promise<void> {
  const { machineRefs: refs, machineIds = [] } = query;
  const actor = c.get("actor");
  if (!refs || !actor) return;
  const companyId = actor.kind === "user" && actor.role === "superuser" ? (query.companyId ?? actor.companyId) : actor.companyId;
  const keyOf = (ref: string) => `${companyId} ${ref}`;
  const found = new Map<string, number>();
  for (const ref of refs) {
    const known = machines.get(keyOf(ref));
    if (known) found.set(ref, known.value);
  }
  const unknown = refs.filter((ref) => !found.has(ref));
  if (unknown.length > 0) {
    const readAt = Date.now();
    for (const { id, ref } of await selectMachinesOfRefs(db(c), companyId, unknown)) {
      found.set(ref, id);
      machines.set(keyOf(ref), id, readAt);
    }
  }
  const message = "is not a machine of this company";
  const faults = refs.flatMap((ref, i) =>
    found.has(ref) ? [] : [{ pointer: `/query/machineRefs/${i}`, code: "not_found" as const, message }],
  );
  if (faults.length > 0) throw refusal(404, faults);
  query.machineIds = [...new Set([...machineIds, ...found.values()])];
}
