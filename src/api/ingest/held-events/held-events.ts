import { companyOf } from "../../../core/actor.ts";
import type { Caller, Reader } from "../../../core/caller.ts";
import { refuseIfClosed } from "../../../core/closed-books.ts";
import { type Page, pageOf, readPage } from "../../../core/cursor.ts";
import { once } from "../../../core/idempotency.ts";
import { checkOfIds } from "../../../core/named-ids.ts";
import { conflict, type Fault, invalid, notFound } from "../../../core/problem.ts";
import { recordOf } from "../../../core/record-id.ts";
import type { HeldDecided } from "../../../objects/machine-protocol.ts";
import { callMachine, editedBy } from "../../../objects/machines.ts";
import { heldEntryOf, heldEventOf } from "./held-event.ts";
import { findEntry, findMachine, selectEntriesInOrder } from "./queries.ts";
import type { HeldEventsQuery, HeldQuery } from "./query.ts";

// Counts that machines hold. Their objects have them; D1 knows what each entry sums up to.

/** A page of what is held, an entry for each machine, day and reason. */
export function listHeldEntries({ db, actor }: Reader, query: HeldQuery) {
  const companyId = companyOf(actor, query.companyId, actor.companyId);
  return readPage(db, query, {
    select: (page) => selectEntriesInOrder(db, { ...page, companyId }),
    keysOf: ({ day, id }) => [day, id],
    itemOf: heldEntryOf,
    check: checkOfIds(db, companyId, { machineIds: query.machineIds }),
  });
}

/** A page of the events of an entry, in the order of their arrival. */
export async function listHeldEvents(
  { db, env, actor, objects }: Pick<Caller, "db" | "env" | "actor" | "objects">,
  id: number,
  { cursor, limit, total }: HeldEventsQuery,
): Promise<Page<ReturnType<typeof heldEventOf>>> {
  const entry = await findEntry(db, id, companyOf(actor));
  if (!entry) throw noEntry(id);
  const { machineId, seq } = recordOf(id);
  const [after] = cursor ?? [0];
  const counts = await callMachine(env, machineId, (machine) => machine.heldCounts(seq, after, limit + 1), objects);
  const page = pageOf(
    counts,
    limit,
    (count) => [count.seq],
    (count) => heldEventOf(machineId, count),
  );
  return { ...page, ...(total && { total: entry.count }) };
}

/**
 * Accepts or drops held events.
 * @param ids the events of the entry; undefined: all
 */
export function decideHeldEvents(
  caller: Caller,
  id: number,
  action: "accept" | "drop",
  ids: readonly number[] | undefined,
): Promise<HeldDecided> {
  const { machineId, seq: entry } = recordOf(id);
  const faults = (ids ?? []).flatMap((one, i): Fault[] =>
    recordOf(one).machineId === machineId
      ? []
      : [{ pointer: `/ids/${i}`, code: "other_machine", message: "is an event of another machine" }],
  );
  if (faults.length > 0) throw invalid(faults);
  return once(caller, async () => {
    const { env, db, actor, request, objects } = caller;
    const machine = await findMachine(db, machineId, companyOf(actor));
    if (!machine) throw noEntry(id);
    const decision = { action, entry, seqs: ids?.map((one) => recordOf(one).seq) ?? null };
    const decided = await callMachine(
      env,
      machineId,
      (object) => object.decideHeld(decision, editedBy(caller), request, machine.configVersion),
      objects,
    );
    refuseIfClosed(decided, ids ? "/ids" : "/path/id");
    if ("refused" in decided) throw decided.refused === "conflict" ? conflict(decided.message) : noEntry(id);
    const { bookmark, ...answer } = decided;
    if (bookmark !== null) caller.continueAt(bookmark);
    return answer;
  });
}

function noEntry(id: number) {
  return notFound(`There are no held events ${id}.`);
}
