import { type EventCode, transientCodes } from "../core/fault-codes.ts";
import {
  CHANNELS_PER_CALL,
  type HeardSignal,
  RECENT_COUNTS,
  type RefusedChannel,
  type SignalSource,
  type UnknownCount,
} from "../objects/signals.ts";
import { maxOf, minOf } from "../oee/extremes.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../oee/time.ts";

/** Why kept counts wait: what passes, and a commissioning that may become earlier, because who gives a channel to a machine may forget that first. */
export const waitingCodes: readonly EventCode[] = [...transientCodes, "before_commissioning"];

/** How long counts of unknown channels are kept after their arrival. Their own times do not matter: they may be wrong. */
const KEPT_MS = DAY_MS;
/** While counts are kept, the hub looks this often whether a channel takes them, should the call after a change of the sensors have failed. */
const LOOK_EVERY_MS = 10 * MINUTE_MS;
/** The most counts of a company that are kept, and their size. The sender that has the most loses its oldest. */
const MOST_KEPT = 100_000;
const MOST_BYTES = 24 * 1024 * 1024;
/** The most channels of a sender, and of a company. The one that was silent for the longest time is forgotten. */
const MOST_OF_SOURCE = 250;
const MOST_CHANNELS = 1000;
/** The counts of a sender that are written: so many at once, and then so many a second. A gateway that sends more takes no more of the hub's time. */
const BURST = 120_000;
const PER_SECOND = 1000;
/** What a kept count takes besides its id, roughly. */
const ROW_BYTES = 100;
/** How many signals a reader gets; of ignored ones as many as there can be. */
const MOST_SHOWN = 200;
/** The key of the channels that are ignored, as `[node, channel]` in JSON. */
const IGNORED = "ignored";

/** A channel with kept counts. */
export interface KeptChannel {
  id: number;
  nodeId: number;
  channel: number;
}

/** A kept count, by its key. */
export interface KeptCount extends UnknownCount {
  key: string;
}

interface Row extends Record<string, SqlStorageValue> {
  id: number;
  recent: string;
}

/**
 * What a company's hub keeps of counts that were refused: the channels, why, and for a day the counts of channels that feed no machine yet. Bounded in
 * every direction, because whoever has a gateway's token decides what comes.
 */
export class Signals {
  readonly #storage: DurableObjectStorage;
  /** How many counts of a sender may still be written, and as of when (epoch ms). In memory only: a hub that has slept has had no calls. */
  readonly #allowed = new Map<SignalSource, { left: number; at: number }>();

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  get #sql(): SqlStorage {
    return this.#storage.sql;
  }

  /** Notes what one request brought. */
  hear(source: SignalSource, channels: readonly RefusedChannel[], now: number): void {
    const some = channels.slice(0, CHANNELS_PER_CALL);
    const sent = some.reduce((sum, { unknown }) => sum + 1 + unknown.length, 0);
    if (!this.#isAllowed(source, sent, now)) return;
    const ignored = new Set((JSON.parse(this.#ignored()) as unknown[]).map((one) => JSON.stringify(one)));
    this.#storage.transactionSync(() => {
      for (const one of some) {
        const isIgnored = ignored.has(JSON.stringify([one.nodeId, one.channel]));
        this.#hearChannel(source, isIgnored ? { ...one, refused: one.refused + one.unknown.length, unknown: [] } : one, now);
      }
      this.#dropChannels(source);
      this.#dropOldest();
    });
  }

  /** What was heard lately, the latest first: of the channels that are ignored while they feed no machine, or all else. */
  heard(now: number, areIgnored = false): HeardSignal[] {
    const rows = this.#sql.exec<Record<string, SqlStorageValue>>(
      `SELECT *, (SELECT min(at) FROM kept_counts WHERE signal_id = signals.id) AS kept_from FROM signals WHERE last_at > ?
        AND (code = 'unknown_channel' AND (node_id, channel) IN (SELECT value->>0, value->>1 FROM json_each(?))) = ?
        ORDER BY last_at DESC, id LIMIT ?`,
      now - KEPT_MS,
      this.#ignored(),
      Number(areIgnored),
      areIgnored ? MOST_CHANNELS : MOST_SHOWN,
    );
    return rows.toArray().map((row) => ({
      source: row.source as SignalSource,
      nodeId: row.node_id as number,
      channel: row.channel as number,
      code: row.code as EventCode,
      message: row.message as string,
      firstAt: row.first_at as number,
      lastAt: row.last_at as number,
      sentAt: row.sent_at as number | null,
      refused: row.refused as number,
      recent: JSON.parse(row.recent as string) as number[],
      kept:
        row.kept_from === null
          ? null
          : { events: row.kept as number, pulses: row.kept_pulses as number, from: row.kept_from as number },
    }));
  }

  /** Ignores these channels from now on, and no others: what is kept of them is dropped. */
  ignore(channels: readonly { nodeId: number; channel: number }[]): void {
    const ignored = JSON.stringify(channels.map(({ nodeId, channel }) => [nodeId, channel]));
    if (ignored === this.#ignored()) return;
    this.#storage.transactionSync(() => {
      this.#storage.kv.put(IGNORED, ignored);
      this.#drop(
        "signal_id IN (SELECT id FROM signals WHERE (node_id, channel) IN (SELECT value->>0, value->>1 FROM json_each(?)))",
        ignored,
      );
    });
  }

  #ignored(): string {
    return this.#storage.kv.get<string>(IGNORED) ?? "[]";
  }

  /** The channels with kept counts. */
  kept(): KeptChannel[] {
    return this.#sql
      .exec<{ id: number; nodeId: number; channel: number }>(
        "SELECT id, node_id AS nodeId, channel FROM signals WHERE kept > 0 ORDER BY id",
      )
      .toArray();
  }

  /** The time of the earliest kept count (epoch ms); infinity: there is none. */
  earliest(): number {
    return minOf(
      this.kept().map(({ id }) => {
        const [row] = this.#sql.exec<{ at: number | null }>("SELECT min(at) AS at FROM kept_counts WHERE signal_id = ?", id);
        return row?.at ?? Number.POSITIVE_INFINITY;
      }),
    );
  }

  /** Kept counts of a channel after one of them (null: from the beginning), by time. */
  countsOf(signalId: number, after: KeptCount | null, limit: number): KeptCount[] {
    return this.#sql
      .exec<{ at: number; key: string; body: string }>(
        "SELECT at, key, body FROM kept_counts WHERE signal_id = ? AND (at, key) > (?, ?) ORDER BY at, key LIMIT ?",
        signalId,
        after?.at ?? Number.MIN_SAFE_INTEGER,
        after?.key ?? "",
        limit,
      )
      .toArray()
      .map(({ at, key, body }) => ({ ...(JSON.parse(body) as Omit<UnknownCount, "at">), at, key }));
  }

  /**
   * Forgets counts of a channel that a machine has now, or refused for good.
   * @param refusal why the last one that was tried was refused; null: none was
   */
  settle(signalId: number, counts: readonly KeptCount[], refusal: { code: EventCode; message: string } | null): void {
    this.#storage.transactionSync(() => {
      const keys = JSON.stringify(counts.map(({ at, key }) => [at, key]));
      this.#drop("signal_id = ? AND (at, key) IN (SELECT value->>0, value->>1 FROM json_each(?))", signalId, keys);
      if (refusal) {
        this.#sql.exec("UPDATE signals SET code = ?, message = ? WHERE id = ?", refusal.code, refusal.message, signalId);
      }
      // What only waited is over.
      const over = "DELETE FROM signals WHERE id = ? AND kept = 0 AND code IN (SELECT value FROM json_each(?))";
      this.#sql.exec(over, signalId, JSON.stringify(waitingCodes));
    });
  }

  /** Forgets what came more than a day ago. What seems to come from the future was heard while the clock was wrong. */
  forget(now: number): void {
    this.#storage.transactionSync(() => {
      for (const { source } of this.#sources()) {
        this.#drop("source = ? AND (heard_at <= ? OR heard_at > ?)", source, now - KEPT_MS, now + KEPT_MS);
      }
      this.#sql.exec("DELETE FROM signals WHERE kept = 0 AND (last_at <= ? OR last_at > ?)", now - KEPT_MS, now + KEPT_MS);
    });
  }

  /** When the hub has to look again (epoch ms); null: there is nothing. */
  dueAt(now: number): number | null {
    const [row] = this.#sql.exec<{ kept: number | null; last: number | null }>(
      "SELECT sum(kept) AS kept, min(last_at) AS last FROM signals",
    );
    if (!row || row.last === null) return null;
    return row.kept ? now + LOOK_EVERY_MS : Math.max(now + LOOK_EVERY_MS, row.last + KEPT_MS);
  }

  #isAllowed(source: SignalSource, sent: number, now: number): boolean {
    const before = this.#allowed.get(source) ?? { left: BURST, at: now };
    // If the clock was set back, nothing is added.
    const added = (Math.max(0, now - before.at) / SECOND_MS) * PER_SECOND;
    const left = Math.min(BURST, before.left + added);
    const isAllowed = sent <= left;
    this.#allowed.delete(source);
    this.#allowed.set(source, { left: isAllowed ? left - sent : left, at: now });
    const [oldest] = this.#allowed.keys();
    if (this.#allowed.size > MOST_CHANNELS && oldest) this.#allowed.delete(oldest);
    return isAllowed;
  }

  #hearChannel(source: SignalSource, sent: RefusedChannel, now: number): void {
    const { nodeId, channel, code, message, sentAt, refused, unknown } = sent;
    const { id, recent } = this.#sql
      .exec<Row>(
        `INSERT INTO signals (source, node_id, channel, code, message, first_at, last_at, sent_at, refused, recent, kept, kept_bytes, kept_pulses)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, '[]', 0, 0, 0)
          ON CONFLICT DO UPDATE SET code = excluded.code, message = excluded.message, last_at = excluded.last_at, sent_at = excluded.sent_at
          RETURNING id, recent`,
        ...[source, nodeId, channel, code, message, now, now, sentAt],
      )
      .one();
    const added = this.#keep(source, id, unknown, now);
    const times = [...added.map(({ at }) => at), ...Array.from({ length: Math.min(refused, RECENT_COUNTS) }, () => now)];
    const shown = [...(JSON.parse(recent) as number[]), ...times].slice(-RECENT_COUNTS);
    this.#sql.exec(
      `UPDATE signals SET refused = refused + ?, recent = ?, kept = kept + ?, kept_bytes = kept_bytes + ?, kept_pulses = kept_pulses + ? WHERE id = ?`,
      refused + added.length,
      JSON.stringify(shown),
      added.length,
      added.reduce((sum, { bytes }) => sum + bytes, 0),
      added.reduce((sum, { pulses }) => sum + pulses, 0),
      id,
    );
  }

  /** Keeps counts of a channel. Returns those that are new: a gateway sends what was refused again and again. */
  #keep(source: SignalSource, signalId: number, counts: readonly UnknownCount[], now: number) {
    if (counts.length === 0) return [];
    const rows = counts.map(({ at, ...body }) => {
      const key = body.id === null ? `=${body.value} ${body.reading} ${body.since}` : `#${body.id}`;
      return { at, key, bytes: ROW_BYTES + 4 * (body.id?.length ?? 0), pulses: body.value ?? 0, body };
    });
    return this.#sql
      .exec<{ at: number; bytes: number; pulses: number }>(
        `INSERT OR IGNORE INTO kept_counts (signal_id, at, key, source, heard_at, bytes, pulses, body)
          SELECT ?, value->>'at', value->>'key', ?, ?, value->>'bytes', value->>'pulses', value->'body' FROM json_each(?)
          RETURNING at, bytes, pulses`,
        ...[signalId, source, now, JSON.stringify(rows)],
      )
      .toArray();
  }

  /** Forgets the channels that are too many. */
  #dropChannels(source: SignalSource): void {
    const drop = (of: string, count: number) => {
      const ids = this.#sql
        .exec<{ id: number }>("SELECT id FROM signals WHERE source = ? ORDER BY last_at, id LIMIT ?", of, count)
        .toArray();
      for (const { id } of ids) {
        this.#sql.exec("DELETE FROM kept_counts WHERE signal_id = ?", id);
        this.#sql.exec("DELETE FROM signals WHERE id = ?", id);
      }
    };
    let sources = this.#sources();
    const tooMany = (sources.find((one) => one.source === source)?.channels ?? 0) - MOST_OF_SOURCE;
    if (tooMany > 0) {
      drop(source, tooMany);
      sources = this.#sources();
    }
    const all = sources.reduce((sum, { channels }) => sum + channels, 0);
    if (all <= MOST_CHANNELS) return;
    const most = maxOf(sources.map(({ channels }) => channels));
    drop(sources.find(({ channels }) => channels === most)?.source ?? source, all - MOST_CHANNELS);
  }

  /** Forgets the oldest counts of the sender that has the most, until what is left is not too much. */
  #dropOldest(): void {
    for (;;) {
      const sources = this.#sources();
      const events = sources.reduce((sum, { kept }) => sum + kept, 0);
      const bytes = sources.reduce((sum, one) => sum + one.bytes, 0);
      if (events <= MOST_KEPT && bytes <= MOST_BYTES) return;
      const isBytes = events <= MOST_KEPT;
      const sizes = sources.map((one) => (isBytes ? one.bytes : one.kept));
      const largest = sources[sizes.indexOf(maxOf(sizes))];
      if (!largest) return;
      const tooMany = isBytes ? Math.ceil(((bytes - MOST_BYTES) / largest.bytes) * largest.kept) : events - MOST_KEPT;
      const dropped = this.#drop(
        `(signal_id, at, key) IN (SELECT signal_id, at, key FROM kept_counts WHERE source = ? ORDER BY heard_at, at LIMIT ?)`,
        largest.source,
        Math.min(tooMany, largest.kept),
      );
      if (dropped === 0) return;
    }
  }

  /** Deletes kept counts, and what their channels say of them. Returns how many. */
  #drop(where: string, ...values: SqlStorageValue[]): number {
    const sums = new Map<number, { events: number; bytes: number; pulses: number }>();
    let dropped = 0;
    const gone = this.#sql.exec<{ id: number; bytes: number; pulses: number }>(
      `DELETE FROM kept_counts WHERE ${where} RETURNING signal_id AS id, bytes, pulses`,
      ...values,
    );
    for (const { id, bytes, pulses } of gone) {
      dropped += 1;
      const sum = sums.get(id) ?? { events: 0, bytes: 0, pulses: 0 };
      sums.set(id, { events: sum.events + 1, bytes: sum.bytes + bytes, pulses: sum.pulses + pulses });
    }
    for (const [id, { events, bytes, pulses }] of sums) {
      this.#sql.exec(
        "UPDATE signals SET kept = kept - ?, kept_bytes = kept_bytes - ?, kept_pulses = kept_pulses - ? WHERE id = ?",
        ...[events, bytes, pulses, id],
      );
    }
    return dropped;
  }

  /** The senders, with their channels and what is kept of them. */
  #sources() {
    return this.#sql
      .exec<{ source: SignalSource; channels: number; kept: number; bytes: number }>(
        "SELECT source, count(*) AS channels, sum(kept) AS kept, sum(kept_bytes) AS bytes FROM signals GROUP BY source",
      )
      .toArray();
  }
}
