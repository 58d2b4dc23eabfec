import type { Loss } from "../source.ts";

/** What mosquitto and brokers like it tell of themselves. */
export const DROPPED = "$SYS/broker/publish/messages/dropped";
export const UPTIME = "$SYS/broker/uptime";

/** What is stored of the broker's own count of the messages that it dropped. Instants are epoch ms. */
export interface BrokerCount {
  dropped: number | null;
  /** When the broker began to run. */
  beganAt: number | null;
  /** When it told its uptime last, and the time before: what it dropped before the latter, it had told by then. */
  heardAt: number;
  heardBeforeAt: number;
}

/** Its start is known as exactly as its uptime comes: two that differ by less are one. */
const SAME_START_MS = 60_000;

/** What the count is after a message of the broker about itself, and what it says to be lost; the same count: it says nothing. */
export function countOf(
  before: BrokerCount | null,
  topic: string,
  text: string,
  now: number,
): { count: BrokerCount | null; loss: Loss | null } {
  const found = /^\d{1,15}/.exec(text)?.[0];
  const known = before ?? { dropped: null, beganAt: null, heardAt: now, heardBeforeAt: now };
  if (found === undefined) return { count: before, loss: null };
  if (topic === UPTIME) {
    const beganAt = now - Number(found) * 1000;
    const isRestarted = known.beganAt !== null && beganAt > known.beganAt + SAME_START_MS;
    // A broker that started again counts from 0.
    const dropped = isRestarted && known.dropped !== null ? 0 : known.dropped;
    return { count: { dropped, beganAt, heardAt: now, heardBeforeAt: known.heardAt }, loss: null };
  }
  const dropped = Number(found);
  const count = { ...known, dropped };
  if (known.dropped === null) return { count, loss: null };
  const events = dropped < known.dropped ? dropped : dropped - known.dropped;
  if (events === 0) return { count, loss: null };
  const reason = `The broker dropped ${events} messages, of all its clients and topics: a queue was full (max_queued_messages)`;
  return { count, loss: { signal: null, events, from: known.heardBeforeAt, to: now, reason } };
}

/** What is stored of the numbers that a machine gives its messages. */
export interface Sequence {
  number: number;
  /** When it came, epoch ms. */
  at: number;
}

/** The messages that are missing between two. A lower number than before: the machine started again. */
export function missing(before: Sequence | undefined, now: Sequence): Omit<Loss, "signal"> | null {
  if (before === undefined || now.number <= before.number + 1) return null;
  const [first, last] = [before.number + 1, now.number - 1];
  const which = first === last ? `The message ${first}` : `The messages ${first} to ${last}`;
  const reason = `${which} did not come, by the numbers that the machine gives them`;
  return { events: last - first + 1, from: before.at, to: now.at, reason };
}
