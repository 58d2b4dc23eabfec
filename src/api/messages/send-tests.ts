import { deliver, leaseMs } from "../../channels/deliver.ts";
import { messageOf } from "../../channels/plan-messages.ts";
import { insertMessages, type MessageRow } from "../../channels/queries.ts";
import type { Caller } from "../../core/caller.ts";
import { tooManyRequests } from "../../core/problem.ts";
import type { ChannelName, MessageStatus } from "../../db/values.ts";
import { HOUR_MS, SECOND_MS } from "../../oee/time.ts";

/** Each test costs money somewhere, and disturbs somebody. */
export const testsPerHour = 30;

/** What came of a test message. */
export interface Tested {
  messageId: string;
  channel: ChannelName;
  contactId: string;
  status: MessageStatus;
  /** Why it failed; null: it did not. */
  reason: string | null;
}

/**
 * The messages of a test, which count as taken from the start: the caller stores them and sends them, and only a crash leaves them to others.
 * @param recent how many the recipient was sent within the hour
 * @throws 429
 */
export function testMessages(
  to: { companyId: number; personaId: string } | { companyId: number; chatRoomId: string },
  contacts: readonly { channel: ChannelName; contactId: string }[],
  recent: number,
): MessageRow[] {
  if (recent + contacts.length > testsPerHour) {
    throw tooManyRequests(`More than ${testsPerHour} tests in an hour. Wait.`, HOUR_MS / SECOND_MS);
  }
  const now = Date.now();
  const key = `test:${crypto.randomUUID()}`;
  return contacts.map((contact) => {
    const message = messageOf({ ...to, ...contact, kind: "test", params: {}, incidentId: null, now, dueAt: now }, key);
    return { ...message, attempts: 1, startedAt: now, nextAttemptAt: now + leaseMs };
  });
}

/** The statements that store the messages of a test. */
export function storeTests(caller: Caller, rows: readonly MessageRow[]) {
  return insertMessages(caller.db, rows);
}

/** Sends the messages of a test, and says what came of each. One that may still work is tried again like any other. */
export async function sendTests({ env, db }: Caller, companyId: number, rows: readonly MessageRow[]): Promise<Tested[]> {
  const results = await deliver(env, db, companyId, rows);
  return rows.map(({ id, channel, contactId }) => {
    const { status = "pending", error = null } = results.find((one) => one.id === id) ?? {};
    return { messageId: id, channel, contactId, status, reason: error };
  });
}
