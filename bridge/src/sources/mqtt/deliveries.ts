import { crc32 } from "node:zlib";

/** A message as it matters here: which one it is, and what it says. */
export interface Delivered {
  messageId: number;
  dup: boolean;
  topic: string;
  payload: Buffer;
}

interface Entry {
  messageId: number;
  /** Of its topic and its payload. */
  sum: number;
  /** The broker has the acknowledgement, and answered something that it sent later. */
  isConfirmed: boolean;
  /** It came in the present connection. */
  isSeen: boolean;
}

/** How a broker chooses the ids of its messages: the next higher one, or the lowest that is free. */
type Ids = "unknown" | "up" | "lowest";

/** What is stored of it, in one transaction with the messages: message ids and sums in turn, oldest first. */
export interface StoredDeliveries {
  ids: Ids;
  qos1: number[];
  /** The ids of messages of QoS 2 that the broker has not released. */
  qos2: number[];
}

/** How many confirmed messages are remembered of a broker that counts its message ids up: one that lost its memory may send them again. */
const CONFIRMED = 64;
/** How many messages are remembered at most. */
const REMEMBERED = 4096;
/** Half of all message ids. */
const HALF = 32_768;

/**
 * Which messages of the present session are stored, though the broker may not know it: it sends them again when the acknowledgement was lost,
 * and they must not count twice. A message is known again by its id, its topic and its payload, and by the mark (DUP) with which a broker sends
 * it again.
 *
 * Most brokers count message ids up, and use an id again after 65,535 others. Some of these forget the mark: at the beginning of a connection they
 * are believed to send again what they have not confirmed. Other brokers take the lowest id that is free: their messages are forgotten as soon as
 * the acknowledgement is confirmed, so that the next message with the same id and payload is a new one.
 */
export function deliveries(stored: StoredDeliveries | null) {
  let entries: Entry[] = pairs(stored?.qos1 ?? []);
  let ids: Ids = stored?.ids ?? "unknown";
  const unreleased = new Set(stored?.qos2 ?? []);
  let newestId: number | null = null;
  let isBeginning = true;

  const isRepeat = (known: Entry, isMarked: boolean) =>
    isMarked || (isBeginning && ids === "up" && !known.isConfirmed && !known.isSeen);

  /** Learns from the id of a new message how the broker chooses ids. */
  const learn = (messageId: number) => {
    const isAhead = newestId !== null && messageId !== newestId && (messageId - newestId + 65_536) % 65_536 < HALF;
    if (newestId !== null && !isAhead) ids = "lowest";
    // The lowest one that was free would have been one of before.
    else if (isAhead && ids === "unknown" && entries.every(({ isConfirmed }) => isConfirmed)) ids = "up";
    newestId = messageId;
  };

  return {
    /** A connection began; without the session of before, what was sent in it cannot come again. */
    begin(isResumed: boolean) {
      isBeginning = true;
      newestId = null;
      for (const entry of entries) entry.isSeen = false;
      if (isResumed) return;
      entries = [];
      ids = "unknown";
      unreleased.clear();
    },

    /** Remembers a message of QoS 1 that is to be stored, and returns true; false: it is stored already. */
    isNew(message: Delivered): boolean {
      const { messageId, dup } = message;
      const sum = crc32(message.payload, crc32(message.topic));
      const place = entries.findLastIndex((entry) => entry.messageId === messageId);
      const known = entries[place];
      if (known?.sum === sum && isRepeat(known, dup)) {
        known.isSeen = true;
        return false;
      }
      isBeginning &&= dup;
      if (!dup) learn(messageId);
      // The id is used again: the broker has its acknowledgement, and those of all messages before.
      if (known) entries = entries.slice(place + 1);
      entries.push({ messageId, sum, isConfirmed: false, isSeen: true });
      if (entries.length > REMEMBERED) entries.shift();
      return true;
    },

    /** The same for QoS 2, whose ids are not used again before the broker has released them. */
    isNewExactly(messageId: number): boolean {
      if (unreleased.has(messageId)) return false;
      unreleased.add(messageId);
      return true;
    },

    release(messageId: number): boolean {
      return unreleased.delete(messageId);
    },

    /** The newest message of the present connection, unless it is confirmed: a mark for `confirm`. */
    newest(): Entry | undefined {
      const entry = entries.findLast(({ isSeen }) => isSeen);
      return entry?.isConfirmed ? undefined : entry;
    },

    /** The broker has the acknowledgements of all up to the mark. Returns whether what is to be stored has changed for good. */
    confirm(mark: Entry): boolean {
      const confirmed = entries.indexOf(mark) + 1;
      for (const entry of entries.slice(0, confirmed)) entry.isConfirmed = true;
      const kept = ids === "up" ? CONFIRMED : 0;
      if (confirmed > kept) entries = entries.slice(confirmed - kept);
      return ids !== "up" && confirmed > 0;
    },

    stored(): StoredDeliveries {
      return { ids, qos1: entries.flatMap(({ messageId, sum }) => [messageId, sum]), qos2: [...unreleased] };
    },
  };
}

function pairs(numbers: readonly number[]): Entry[] {
  return numbers.flatMap((messageId, index) => {
    const sum = numbers[index + 1];
    return index % 2 === 0 && sum !== undefined ? [{ messageId, sum, isConfirmed: false, isSeen: false }] : [];
  });
}
