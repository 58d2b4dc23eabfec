import { deliver, leaseMs } from "../../../channels/deliver.ts";
import { messageOf } from "../../../channels/plan-messages.ts";
import { insertMessages, type MessageRow } from "../../../channels/queries.ts";
import type { AuditAction } from "../../../core/audit.ts";
import type { Caller } from "../../../core/caller.ts";
import { tooManyRequests } from "../../../core/problem.ts";
import type { Decision } from "../../../core/write.ts";
import type { ChannelName, MessageStatus } from "../../../db/values.ts";
import { HOUR_MS, SECOND_MS } from "../../../oee/time.ts";

/** The maximum number of tests per recipient and hour: each may cost money, and disturbs someone. */
export const testsPerHour = 30;

/** The result of a test message. */
export interface Tested {
  messageId: string;
  channel: ChannelName;
  contactId: string;
  status: MessageStatus;
  /** The reason of a failure; null if it did not fail. */
  reason: string | null;
}

/**
 * Decides what a test stores: its messages, marked as claimed because the caller sends them right away. After a crash the cron sends them.
 * @param audited the action and object of the audit entry, and more members of its `after`
 * @param recent the number of test messages to the recipient within the last hour
 * @throws Problem 429 if there were too many
 */
export function decideTest(
  { db }: Caller,
  audited: { action: AuditAction; objectId: string; after?: object },
  to: { companyId: number; personaId: string } | { companyId: number; chatRoomId: string },
  contacts: readonly { channel: ChannelName; contactId: string }[],
  recent = 0,
): Decision<MessageRow[]> {
  if (recent + contacts.length > testsPerHour) throw tooManyTests();
  const now = Date.now();
  const key = `test:${crypto.randomUUID()}`;
  const rows = contacts.map((contact): MessageRow => {
    const message = messageOf({ ...to, ...contact, kind: "test", params: {}, incidentId: null, now, dueAt: now }, key);
    return { ...message, attempts: 1, startedAt: now, nextAttemptAt: now + leaseMs };
  });
  const { action, objectId, after = {} } = audited;
  const messageIds = rows.map(({ id }) => id);
  return {
    rows: insertMessages(db, rows),
    audit: { action, companyId: to.companyId, objectId, before: null, after: { ...after, messageIds } },
    answer: rows,
  };
}

/** The 429 for tests of a recipient that had `testsPerHour` of them. */
export function tooManyTests() {
  return tooManyRequests(`More than ${testsPerHour} tests in an hour. Wait.`, HOUR_MS / SECOND_MS);
}

/** Sends the messages of a test. Returns the result of each. A failure that may be temporary is retried like any other. */
export async function sendTests({ env, db, outside }: Caller, rows: readonly MessageRow[]): Promise<Tested[]> {
  const [first] = rows;
  const results = first ? await outside(() => deliver(env, db, first.companyId, rows)) : [];
  return rows.map(({ id, channel, contactId }) => {
    const { status = "pending", error = null } = results.find((one) => one.id === id) ?? {};
    return { messageId: id, channel, contactId, status, reason: error };
  });
}
