import { deliver, leaseMs } from "../channels/deliver.ts";
import { nextHours } from "../channels/hours.ts";
import { messageOf } from "../channels/plan-messages.ts";
import {
  areHeld,
  claimMessages,
  type HeldRow,
  insertMessages,
  selectContacts,
  selectHeld,
  updateHeld,
} from "../channels/queries.ts";
import type { Listed, MessageParams } from "../channels/texts/kinds.ts";
import { type CompanyDb, companyDb } from "../db/client.ts";
import { isStaleRead } from "../db/errors.ts";
import { expect } from "../db/expect.ts";
import { sendQueueMessages } from "../events/queues.ts";
import { HOUR_MS, SECOND_MS } from "../oee/time.ts";

/** The hourly limit: messages per contact and clock hour, not counting tests, reports and digests. The rest is sent as one digest after the hour. */
export const messagesPerHour = 20;

/** Messages per claim: few enough to finish within half a minute even if nobody answers. */
const PER_CLAIM = 10;
/** A run claims no more messages after this time; the next run takes the rest. */
const RUN_MS = 8 * SECOND_MS;

/** Held messages read per query, not including those that a digest only counts. */
const HELD_PER_RUN = 2000;

/** Messages that a digest lists; the others are counted. */
const LISTED = 20;

/** Sends the due messages of a company: first held messages are released, one by one or as digests, then all due messages are claimed and sent. */
export async function sendMessages(env: Env, companyId: number): Promise<void> {
  const db = companyDb(env, "first-primary");
  await releaseHeld(db, companyId);
  const again = { queue: "MESSAGES" as const, body: { companyId } };
  const startedAt = Date.now();
  while (Date.now() - startedAt <= RUN_MS) {
    const now = Date.now();
    const hourStart = Math.floor(now / HOUR_MS) * HOUR_MS;
    const claimed = await claimMessages(db, companyId, {
      ...{ now, leaseUntil: now + leaseMs, limit: PER_CLAIM },
      ...{ perHour: messagesPerHour, hourStart, hourEnd: hourStart + HOUR_MS },
    });
    const results = await deliver(env, db, companyId, claimed);
    const dueTimes = results.flatMap(({ nextAttemptAt }) => nextAttemptAt ?? []);
    await sendQueueMessages(
      env,
      [...new Set(dueTimes)].map((at) => ({ ...again, delaySeconds: Math.max(0, Math.ceil((at - now) / SECOND_MS)) })),
    );
    if (claimed.length < PER_CLAIM) return;
  }
  await sendQueueMessages(env, [again]);
}

/** Releases held messages that are due. A contact with one message gets that message; a contact with several gets one digest. */
async function releaseHeld(db: CompanyDb, companyId: number): Promise<void> {
  while (true) {
    const now = Date.now();
    const held = await selectHeld(db, companyId, now, { listed: LISTED, limit: HELD_PER_RUN });
    if (held.length === 0) return;
    const contacts = await selectContacts(db, companyId, held);
    const groups = Map.groupBy(held, ({ personaId, contactId, isForDigest }) => `${personaId} ${contactId} ${isForDigest}`);
    for (const rows of groups.values()) {
      const first = rows[0] as HeldRow;
      const persona = contacts.personas.find(({ id }) => id === first.personaId);
      const dueAt = persona ? nextHours(persona.alertHours, contacts.timezone, now) : now;
      if (dueAt === null) await updateHeld(db, first, now, { status: "failed", nextAttemptAt: null, error: "no_hours" });
      else if (dueAt > now) await updateHeld(db, first, now, { nextAttemptAt: dueAt });
      else if (first.isForDigest && first.count > 1) await fold(db, first, rows, now);
      else await updateHeld(db, first, now, { status: "pending", nextAttemptAt: now });
    }
    if (held.length < HELD_PER_RUN) return;
  }
}

/** Makes a digest of a contact's held messages. It lists the first ones and counts the rest. */
async function fold(db: CompanyDb, first: HeldRow, listed: readonly HeldRow[], now: number): Promise<void> {
  const params: MessageParams["digest"] = {
    count: first.count,
    items: listed.map(({ kind, params }) => ({ kind, params }) as unknown as Listed),
  };
  const { personaId, chatRoomId, address, language, channel, contactId, companyId } = first;
  const digest = messageOf(
    {
      ...{ companyId, kind: "digest", params, incidentId: null, now, channel, contactId, dueAt: now },
      ...(personaId !== null && { personaId }),
      ...(chatRoomId !== null && { chatRoomId }),
      ...(address !== null && { address }),
      ...(language !== null && { language }),
    },
    `digest:${first.id}`,
  );
  try {
    await db.batch([
      expect(db, [areHeld(first, now, first.count)]),
      updateHeld(db, first, now, { status: "digested", nextAttemptAt: null, digestId: digest.id }),
      ...insertMessages(db, [digest]),
    ]);
  } catch (error) {
    // Another consumer has made the digest.
    if (!isStaleRead(error)) throw error;
  }
}
