import { and, isNotNull, lte, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { pairingMs } from "../api/access/wall-pairings/wall-pairings.ts";
import { forgettingMs } from "../api/widgets/thumbnails.ts";
import { keptForMs } from "../core/idempotency.ts";
import { type AnyDb, directoryDb, openDb } from "../db/client.ts";
import {
  alertConditions,
  audit,
  events,
  forgottenPictures,
  helpCalls,
  hoursOutsideShifts,
  idempotencyKeys,
  incidents,
  messages,
  notifications,
  reportContents,
  shiftRecords,
  stops,
  subscriptionLogs,
  webhookAttempts,
  webhookDeliveries,
} from "../db/schema.ts";
import { agedAttempts, agedDeadLetters, agedFailures, agedPairings } from "../directory/aged-rows.ts";
import { knownMs, windowMs } from "../directory/attempts.ts";
import { forgetPictures } from "./forget-pictures.ts";
import { keptMs } from "./periods.ts";
import { type AgedRows, deleteAged } from "./queries.ts";

/** The maximum number of rows of each kind that one run deletes; the next run continues. */
export const rowsPerRun = 2_000;

/** The shortest periods. The database itself refuses to delete younger audit entries, and a request may read up to the minimum of history. */
const leastDays = { audit: 30, history: 93, events: 7 };

/**
 * Deletes the data whose period is over at `now` (epoch ms), up to a maximum number of rows, and logs how many.
 * @throws if a part failed, after doing the others; the next run tries again
 */
export async function forgetOld(env: Env, now: number): Promise<void> {
  const startedAt = Date.now();
  const forgotten: Record<string, number> = {};
  const failures: string[] = [];
  for (const [name, forget] of Object.entries(partsOf(env, now))) {
    try {
      forgotten[name] = await forget();
    } catch (error) {
      failures.push(`${name}: ${(error instanceof Error && error.cause) || error}`);
    }
  }
  console.log(JSON.stringify({ event: "forgotten", ...forgotten, failed: failures.length, durationMs: Date.now() - startedAt }));
  if (failures.length > 0) throw new Error(`Not forgotten: ${failures.join("; ")}`);
}

const agedKeys = { table: idempotencyKeys, time: idempotencyKeys.createdAt };

/** The parts to delete, by their name in the log. Each returns the number of rows that it deleted. */
function partsOf(env: Env, now: number): Record<string, () => Promise<number>> {
  const db = openDb(env);
  const directory = directoryDb(env);
  const olderThan = async (ageMs: number | null, rows: AgedRows, of: AnyDb = db) =>
    ageMs === null ? 0 : deleteAged(of, rows, now - ageMs, rowsPerRun);
  const history = async (table: SQLiteTable, time: SQLiteColumn, of: (until: number) => SQL | undefined) => {
    const ageMs = keptMs(env, "HISTORY_KEPT_DAYS", leastDays.history);
    return olderThan(ageMs, { table, time, of: of(now - (ageMs ?? 0)) });
  };
  // An event has one delivery for each subscription.
  const ofWebhooks = async (table: SQLiteTable, time: SQLiteColumn) => {
    const ageMs = keptMs(env, "EVENTS_KEPT_DAYS", leastDays.events);
    return ageMs === null ? 0 : deleteAged(db, { table, time }, now - ageMs, 10 * rowsPerRun);
  };
  // Stops are deleted after the record of their shift: without them the shift would seem to have run all the time.
  const withoutRecord = sql`${stops.shiftStart} < coalesce((SELECT min(${shiftRecords.startAt}) FROM ${shiftRecords}), ${now})`;
  return {
    idempotencyKeys: () => olderThan(keptForMs, agedKeys),
    directoryKeys: () => olderThan(keptForMs, agedKeys, directory),
    loginFailures: () => olderThan(windowMs, agedFailures, directory),
    knownAddresses: () => olderThan(knownMs, agedAttempts, directory),
    // Not at once: until then a wall that polls gets the answer that its code has expired.
    wallPairings: () => olderThan(pairingMs, agedPairings, directory),
    // The database refuses to delete younger ones by its own clock.
    audit: async () =>
      olderThan(keptMs(env, "AUDIT_KEPT_DAYS", leastDays.audit), {
        table: audit,
        time: audit.at,
        companyId: audit.companyId,
        of: sql`${audit.at} <= (unixepoch() - ${leastDays.audit * 86_400}) * 1000`,
      }),
    notifications: async () =>
      olderThan(keptMs(env, "NOTIFICATIONS_KEPT_DAYS"), { table: notifications, time: notifications.createdAt }),
    // An open call has no answer time, and is kept regardless of its age.
    helpCalls: async () => olderThan(keptMs(env, "NOTIFICATIONS_KEPT_DAYS"), { table: helpCalls, time: helpCalls.answeredAt }),
    messages: async () => olderThan(keptMs(env, "EVENTS_KEPT_DAYS"), { table: messages, time: messages.createdAt }),
    subscriptionLogs: async () =>
      olderThan(keptMs(env, "SUBSCRIPTION_LOGS_KEPT_DAYS"), { table: subscriptionLogs, time: subscriptionLogs.executeAt }),
    events: async () => olderThan(keptMs(env, "EVENTS_KEPT_DAYS", leastDays.events), { table: events, time: events.createdAt }),
    webhookDeliveries: () => ofWebhooks(webhookDeliveries, webhookDeliveries.createdAt),
    webhookAttempts: () => ofWebhooks(webhookAttempts, webhookAttempts.at),
    deadLetters: async () => olderThan(keptMs(env, "EVENTS_KEPT_DAYS", leastDays.events), agedDeadLetters, directory),
    reportContents: async () =>
      olderThan(keptMs(env, "EVENTS_KEPT_DAYS"), { table: reportContents, time: reportContents.createdAt }),
    incidents: async () =>
      olderThan(keptMs(env, "EVENTS_KEPT_DAYS", leastDays.events), {
        table: incidents,
        time: incidents.openedAt,
        of: isNotNull(incidents.resolvedAt),
      }),
    alertConditions: async () =>
      olderThan(keptMs(env, "EVENTS_KEPT_DAYS", leastDays.events), {
        table: alertConditions,
        time: alertConditions.updatedAt,
        of: isNotNull(alertConditions.until),
      }),
    shiftRecords: () => history(shiftRecords, shiftRecords.startAt, (until) => lte(shiftRecords.endAt, until)),
    stops: () => history(stops, stops.sliceStart, (until) => and(lte(stops.shiftEnd, until), withoutRecord)),
    hoursOutsideShifts: () => history(hoursOutsideShifts, hoursOutsideShifts.startAt, () => undefined),
    pictures: () => forgetPictures(env, now),
    pictureMarks: () => olderThan(forgettingMs, { table: forgottenPictures, time: forgottenPictures.at }),
  };
}
