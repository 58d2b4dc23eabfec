import { companyOf } from "../../../core/actor.ts";
import type { Caller, Reader } from "../../../core/caller.ts";
import { readPage } from "../../../core/cursor.ts";
import { checkOfIds } from "../../../core/named-ids.ts";
import { notFound } from "../../../core/problem.ts";
import { selectUserName } from "../../../core/queries.ts";
import { write } from "../../../core/write.ts";
import { nextUpdatedAt } from "../../../db/expect.ts";
import { insertEvents } from "../../../events/queries.ts";
import { dispatchAfterwards } from "../../../events/queues.ts";
import { alertEvent, machinesOf } from "./decide-incidents.ts";
import { incidentOf, withMachines } from "./incident.ts";
import { isSameIncident, selectIncident, selectIncidentsInOrder, selectMachinesOf, updateIncident } from "./queries.ts";
import type { IncidentQuery } from "./query.ts";

/** A page of incidents. */
export function listIncidents({ db, actor }: Reader, query: IncidentQuery) {
  const companyId = companyOf(actor, query.companyId, actor.companyId);
  return readPage(db, query, {
    select: (page) => selectIncidentsInOrder(db, { ...page, companyId }),
    keysOf: ({ openedAt, id }) => [openedAt, id],
    itemOf: incidentOf,
    check: checkOfIds(db, companyId, { machineIds: query.machineIds, lineIds: query.lineIds }),
  });
}

/** An incident with its machines. Throws 404 if the caller's company has none with that id. */
export async function getIncident({ db, actor }: Caller, id: string) {
  const [[found], machines] = await db.batch([selectIncident(db, id, companyOf(actor)), selectMachinesOf(db, id)]);
  if (!found) throw noIncident(id);
  return withMachines(found, machines);
}

/** Acknowledges an incident, so that no further level is notified. An incident that was already acknowledged or resolved stays as it is. */
export async function acknowledgeIncident(caller: Caller, id: string) {
  const { actor, db } = caller;
  const { answer, companyId } = await write(
    caller,
    (read) => [selectIncident(read, id, companyOf(actor)), selectMachinesOf(read, id), selectUserName(read, actor.userId)],
    ([found], machines, [user]) => {
      if (!found) throw noIncident(id);
      if (found.acknowledgedAt !== null || found.resolvedAt !== null) return { answer: withMachines(found, machines) };
      const now = nextUpdatedAt(found);
      const change = { acknowledgedAt: now, acknowledgedBy: actor.userId, nextLevelAt: null, updatedAt: now };
      const next = { ...found, ...change, acknowledgedByName: user?.name ?? null };
      const event = alertEvent("alert.acknowledged", next, found, machinesOf(found), now);
      return {
        expect: [isSameIncident(found)],
        rows: [
          updateIncident(db, id, change),
          insertEvents(db, [{ ...event, data: { ...event.data, userId: actor.userId, userName: null } }], now),
        ],
        audit: {
          action: "incident.acknowledge",
          companyId: found.companyId,
          objectId: id,
          before: incidentOf(found),
          after: incidentOf(next),
        },
        answer: withMachines(next, machines),
      };
    },
  );
  dispatchAfterwards(caller, companyId);
  return answer;
}

function noIncident(id: string) {
  return notFound(`There is no incident ${id}.`);
}
