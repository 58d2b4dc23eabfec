import { decideIncidents } from "../api/alerting/incidents/decide-incidents.ts";
import {
  areAsRead,
  markHandled,
  saveIncidents,
  selectOpenIncidents,
  selectSubscribers,
  selectUnhandled,
} from "../api/alerting/incidents/queries.ts";
import { planAllMessages } from "../channels/plan-messages.ts";
import { companyDb } from "../db/client.ts";
import { isStaleRead, violatedUnique } from "../db/errors.ts";
import { expect } from "../db/expect.ts";
import { insertEvents } from "../events/queries.ts";
import { type QueueMessage, sendQueueMessages } from "../events/queues.ts";
import { SECOND_MS } from "../oee/time.ts";

/** The maximum number of conditions of one commit. */
const CONDITIONS_PER_RUN = 200;
const MAX_TRIES = 10;

/**
 * Opens, escalates and resolves a company's incidents, based on unhandled conditions and on levels that are due. Incidents, events and messages are
 * one commit; if the data it was based on has changed meanwhile, it is decided again. A commit takes three trips to D1, however many incidents it
 * opens.
 */
export async function handleConditions(env: Env, companyId: number, now: number): Promise<void> {
  const db = companyDb(env, "first-primary");
  for (let tries = 1; ; ) {
    const [conditions, open, subscribers] = await db.batch([
      selectUnhandled(db, companyId, CONDITIONS_PER_RUN),
      selectOpenIncidents(db, companyId, now),
      selectSubscribers(db, companyId),
    ]);
    const decided = decideIncidents({ now, conditions, open, subscribers });
    const { handled, incidents, events, messages } = decided;
    if (handled.length + incidents.length === 0) return;
    const planned = await planAllMessages({ env, db, companyId, now }, messages);
    try {
      await db.batch([
        expect(db, areAsRead(conditions, open)),
        markHandled(db, handled),
        ...(incidents.length > 0 ? [saveIncidents(db, incidents)] : []),
        ...(events.length > 0 ? [insertEvents(db, events, now)] : []),
        ...planned.flatMap(({ rows }) => rows),
      ]);
    } catch (error) {
      const isOvertaken = isStaleRead(error) || violatedUnique(error) !== null;
      if (!isOvertaken || tries >= MAX_TRIES) throw error;
      tries += 1;
      continue;
    }
    await sendQueueMessages(env, [
      ...planned.flatMap(({ queueMessages }) => queueMessages),
      ...levelsOf(companyId, incidents, now),
    ]);
  }
}

/** The queue messages for the next levels of incidents. */
function levelsOf(companyId: number, incidents: readonly { nextLevelAt: number | null }[], now: number): QueueMessage[] {
  return incidents.flatMap(({ nextLevelAt }) =>
    nextLevelAt === null
      ? []
      : [{ queue: "EVENTS", body: { companyId }, delaySeconds: Math.max(0, Math.ceil((nextLevelAt - now) / SECOND_MS)) }],
  );
}
