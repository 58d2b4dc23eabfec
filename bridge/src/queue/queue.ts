import type { DatabaseSync, StatementSync } from "node:sqlite";
import { type ClockStart, createClock } from "../clock.ts";
import { type EventDraft, newestOf } from "../readings/read-signal.ts";
import { isDamaged, openDatabase, StorageError } from "./database.ts";

/** The events of one signal of a machine, which are sent in their order. */
export interface Lane {
  id: number;
  source: string;
  machine: string;
  kind: EventDraft["kind"];
}

/** An event that waits. Its id in Andon is `QUEUE:SOURCE:SEQ`. */
export interface QueuedEvent {
  lane: number;
  seq: number;
  at: number;
  since: number | null;
  /** Whether its times are by the bridge's clock, which is corrected when it is sent first. */
  byBridge: boolean;
  /** What its times were corrected by when it was sent first; null: it was not sent. */
  offsetMs: number | null;
  /** Of counts the pulses, of states the state, of SKUs both ids as JSON. */
  content: number | string | null;
}

export interface QuarantinedEvent extends QueuedEvent {
  /** False: a value of which no event can be made. */
  isEvent: boolean;
  code: string;
  message: string;
}

/** Events of a machine that were dropped because the queue was full, or too old. */
export interface Drop {
  /** "": unknown. */
  machine: string;
  events: number;
  from: number;
  to: number;
}

export interface QueueStatus {
  events: number;
  oldestAt: number | null;
  bytes: number;
  quarantined: number;
}

export interface QueueOptions {
  folder: string;
  maxAgeMs: number;
  maxBytes: number;
  log(message: string): void;
}

/** The most rows of the quarantine; the oldest are dropped first. */
const MOST_QUARANTINED = 100_000;
/** How often a queue that cannot be written is tried. */
const REOPEN_MS = 2000;
/** So much is dropped at once when the queue is full. */
const DROP_AT_ONCE = 500;

/** What waits to be sent, what is known of the signals and where the sources are: one file, written before anything is acknowledged. */
export type Queue = ReturnType<typeof createQueue>;

export function createQueue({ folder, maxAgeMs, maxBytes, log }: QueueOptions) {
  const path = `${folder}/queue.db`;
  let database: DatabaseSync | null = null;
  let fault: string | null = null;
  let triedAt = 0;
  let id = "";
  let lanes = new Map<string, Lane>();
  let statements = new Map<string, StatementSync>();

  function open(): DatabaseSync {
    if (database) return database;
    if (fault !== null && Date.now() - triedAt < REOPEN_MS) throw new StorageError(fault);
    triedAt = Date.now();
    try {
      const opened = openDatabase(folder, log);
      statements = new Map();
      lanes = new Map();
      database = opened;
      id = meta("id") ?? "";
      for (const lane of all<Lane>("SELECT id, source, machine, kind FROM lanes")) lanes.set(laneKey(lane), lane);
      return opened;
    } catch (error) {
      failed(error);
      throw error;
    }
  }

  function failed(error: unknown): void {
    const { message } = error as Error;
    if (message !== fault) log(`Nothing can be stored, and nothing is acknowledged: ${message}`);
    fault = message;
  }

  function prepared(sql: string): StatementSync {
    const known = statements.get(sql);
    if (known) return known;
    const statement = open().prepare(sql);
    statements.set(sql, statement);
    return statement;
  }

  const all = <Row>(sql: string, ...values: (string | number | null)[]): Row[] =>
    prepared(sql).all(...values) as unknown as Row[];
  const run = (sql: string, ...values: (string | number | null)[]) => Number(prepared(sql).run(...values).changes);
  const meta = (key: string) => all<{ value: string }>("SELECT value FROM meta WHERE key = ?", key)[0]?.value ?? null;
  const setMeta = (key: string, value: string) => run("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", key, value);

  /**
   * Does everything or nothing, and returns when it is on the disk.
   * @throws StorageError if it is not
   */
  function transact<Result>(work: () => Result): Result {
    const opened = open();
    try {
      opened.exec("BEGIN IMMEDIATE");
      const result = work();
      opened.exec("COMMIT");
      if (fault !== null) log("The queue can be written again.");
      fault = null;
      return result;
    } catch (error) {
      // It has ended already if the disk was full.
      if (opened.isTransaction) opened.exec("ROLLBACK");
      lanes = new Map([...lanes].filter(([, lane]) => lane.id < (firstNewLane ?? Number.POSITIVE_INFINITY)));
      if ((error as { code?: string }).code !== "ERR_SQLITE_ERROR") throw error;
      // It is put aside when it is opened next.
      if (isDamaged(error)) close();
      else makeRoom(opened);
      const storage = new StorageError(`the queue ${path} cannot be written: ${(error as Error).message}`);
      failed(storage);
      throw storage;
    } finally {
      firstNewLane = null;
    }
  }

  /** On a full disk, events that Andon has can only be deleted if the log of changes does not grow. */
  function makeRoom(opened: DatabaseSync): void {
    try {
      opened.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch {
      // The next transaction says what is wrong.
    }
  }

  /** The first lane that the transaction under way has made. */
  let firstNewLane: number | null = null;

  function laneOf(source: string, machine: string, kind: EventDraft["kind"]): Lane {
    const known = lanes.get(laneKey({ source, machine, kind }));
    if (known) return known;
    const result = prepared("INSERT INTO lanes (source, machine, kind) VALUES (?, ?, ?)").run(source, machine, kind);
    const lane = { id: Number(result.lastInsertRowid), source, machine, kind };
    firstNewLane ??= lane.id;
    lanes.set(laneKey(lane), lane);
    return lane;
  }

  function close(): void {
    database?.close();
    database = null;
  }

  function nextSeq(): number {
    const [row] = all<{ seq: number }>(
      "INSERT INTO meta (key, value) VALUES ('seq', '1') ON CONFLICT (key) DO UPDATE SET value = value + 1 RETURNING CAST(value AS INTEGER) AS seq",
    );
    return row?.seq ?? 1;
  }

  /** What was read before the computer started anew is by another clock: what was measured of that one holds for it. */
  function fixOld(): void {
    const offset = meta("offset");
    if (offset !== null) run("UPDATE events SET offset_ms = ? WHERE by_bridge = 1 AND offset_ms IS NULL", Number(offset));
  }

  const saveClock = (start: ClockStart) => setMeta("clock", JSON.stringify(start));

  /** Adds what was dropped to what is known of the machine. */
  function noteDrop({ machine, events, from, to }: Drop): void {
    run(
      `INSERT INTO drops (machine, events, from_at, to_at) VALUES (?, ?, ?, ?) ON CONFLICT (machine) DO UPDATE SET
        events = events + excluded.events, from_at = min(from_at, excluded.from_at), to_at = max(to_at, excluded.to_at)`,
      machine,
      events,
      from,
      to,
    );
  }

  function dropWhere(lane: Lane, condition: string, ...values: number[]): number {
    const [dropped] = all<{ events: number; from: number | null; to: number | null }>(
      `SELECT count(*) AS events, min(at) AS "from", max(at) AS "to" FROM events WHERE lane = ? AND ${condition}`,
      lane.id,
      ...values,
    );
    if (!dropped?.events) return 0;
    run(`DELETE FROM events WHERE lane = ? AND ${condition}`, lane.id, ...values);
    noteDrop({ machine: lane.machine, events: dropped.events, from: dropped.from ?? 0, to: dropped.to ?? 0 });
    return dropped.events;
  }

  const usedBytes = () => {
    const number = (pragma: string) => Object.values(all<Record<string, number>>(`PRAGMA ${pragma}`)[0] ?? {})[0] ?? 0;
    return (number("page_count") - number("freelist_count")) * number("page_size");
  };

  /** The time of the oldest event of a lane; null: it has none. */
  const oldestOf = (lane: Lane) =>
    all<{ at: number }>("SELECT at FROM events WHERE lane = ? ORDER BY seq LIMIT 1", lane.id)[0]?.at ?? null;

  /** Drops what is too old, and the oldest if the queue is too large. Returns how many events. */
  function keepBounds(now: number): number {
    return transact(() => {
      let dropped = 0;
      for (const lane of lanes.values())
        if ((oldestOf(lane) ?? now) < now - maxAgeMs)
          // The times of files and of machines' own clocks may be long ago, and the events not old.
          dropped += dropWhere(lane, "at < ? AND by_bridge = 1", now - maxAgeMs);
      run(
        "DELETE FROM quarantine WHERE seq <= (SELECT seq FROM quarantine ORDER BY seq DESC LIMIT 1 OFFSET ?)",
        MOST_QUARANTINED,
      );
      while (usedBytes() > maxBytes) {
        const oldest = [...lanes.values()]
          .map((lane) => ({ lane, at: oldestOf(lane) }))
          .filter((head): head is { lane: Lane; at: number } => head.at !== null)
          .sort((a, b) => a.at - b.at)[0];
        if (!oldest) break;
        dropped += dropWhere(
          oldest.lane,
          "seq <= (SELECT max(seq) FROM (SELECT seq FROM events WHERE lane = ? ORDER BY seq LIMIT ?))",
          oldest.lane.id,
          DROP_AT_ONCE,
        );
      }
      return dropped;
    });
  }

  return {
    /** Opens the file if it is not open; says so if it cannot. */
    open: () => {
      open();
    },
    close,
    transact,
    /** Part of the id of every event: another file has another one. "": there is none yet. */
    id: () => id,
    /** Why nothing can be stored; null: it can. */
    fault: () => fault,
    lanes: () => {
      open();
      return [...lanes.values()];
    },

    /** The bridge's clock, which goes on where it was. Without a file it begins anew. */
    clock: () => {
      try {
        const known = JSON.parse(meta("clock") ?? "null") as ClockStart | null;
        const [event] = all<{ at: number | null }>("SELECT max(at) AS at FROM events WHERE by_bridge = 1");
        const read = all<{ state: string }>("SELECT state FROM signals").map(({ state }) => newestOf(JSON.parse(state)));
        // Not before what was read: a computer without a battery for its clock begins in the past, and its readings would be older than those.
        const clock = createClock(known, Math.max(event?.at ?? 0, ...read));
        transact(() => {
          if (known !== null && known.boot !== clock.start.boot) fixOld();
          saveClock(clock.start);
        });
        return clock;
      } catch (error) {
        if (!(error instanceof StorageError)) throw error;
        return createClock(null, 0);
      }
    },

    // Inside `transact`:
    addEvent: (source: string, machine: string, draft: EventDraft, byBridge: boolean) => {
      const { id: lane } = laneOf(source, machine, draft.kind);
      run(
        "INSERT INTO events (lane, seq, at, since, by_bridge, content) VALUES (?, ?, ?, ?, ?, ?)",
        lane,
        nextSeq(),
        draft.at,
        draft.since,
        byBridge ? 1 : 0,
        contentOf(draft),
      );
    },
    /** A value that is not sent: `draft` is what it would be, null if nothing can be made of it. */
    addRefused: (
      source: string,
      machine: string,
      kind: EventDraft["kind"],
      refused: { code: string; message: string; draft: EventDraft | null; at: number; byBridge: boolean },
    ) => {
      const { code, message, draft, at, byBridge } = refused;
      run(
        `INSERT INTO quarantine (seq, lane, at, since, by_bridge, content, is_event, code, message)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        nextSeq(),
        laneOf(source, machine, kind).id,
        draft?.at ?? at,
        draft?.since ?? null,
        byBridge ? 1 : 0,
        draft && contentOf(draft),
        draft ? 1 : 0,
        code,
        message,
      );
    },
    saveState: (source: string, signal: string, state: unknown) =>
      run("INSERT OR REPLACE INTO signals (source, signal, state) VALUES (?, ?, ?)", source, signal, JSON.stringify(state)),
    saveClock,
    saveCursor: (source: string, cursor: unknown) =>
      run("INSERT OR REPLACE INTO cursors (source, cursor) VALUES (?, ?)", source, JSON.stringify(cursor)),

    states: (source: string) =>
      new Map(
        all<{ signal: string; state: string }>("SELECT signal, state FROM signals WHERE source = ?", source).map((row) => [
          row.signal,
          row.state,
        ]),
      ),
    cursor: (source: string): unknown =>
      JSON.parse(all<{ cursor: string }>("SELECT cursor FROM cursors WHERE source = ?", source)[0]?.cursor ?? "null"),

    /** The oldest events of a lane. */
    oldest: (lane: number, most: number): QueuedEvent[] =>
      all<Row>("SELECT * FROM events WHERE lane = ? ORDER BY seq LIMIT ?", lane, most).map(queuedOf),
    /** Notes what the times of events are corrected by, before they are sent: sent again, they must have the same. */
    fixTimes: (events: readonly QueuedEvent[], offset: number) =>
      transact(() => {
        setMeta("offset", String(offset));
        for (const { lane, seq, offsetMs } of events)
          run("UPDATE events SET offset_ms = ? WHERE lane = ? AND seq = ?", offsetMs, lane, seq);
      }),
    /** Ends events that Andon has, and puts those into quarantine that it will never take. */
    settle: (done: readonly QueuedEvent[], refused: readonly { event: QueuedEvent; code: string; message: string }[]) =>
      transact(() => {
        for (const { lane, seq } of done) run("DELETE FROM events WHERE lane = ? AND seq = ?", lane, seq);
        for (const { event, code, message } of refused) {
          run(
            `INSERT INTO quarantine (seq, lane, at, since, by_bridge, offset_ms, content, is_event, code, message)
              SELECT seq, lane, at, since, by_bridge, offset_ms, content, 1, ?, ? FROM events WHERE lane = ? AND seq = ?`,
            code,
            message,
            event.lane,
            event.seq,
          );
          run("DELETE FROM events WHERE lane = ? AND seq = ?", event.lane, event.seq);
        }
      }),

    keepBounds,
    noteDrop: (drop: Drop) => transact(() => noteDrop(drop)),
    drops: (): Drop[] =>
      all<Drop>('SELECT machine, events, from_at AS "from", to_at AS "to" FROM drops ORDER BY to_at DESC LIMIT 50'),
    status: (): QueueStatus => {
      const count = (table: string) => all<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)[0]?.n ?? 0;
      const heads = [...lanes.values()].map(oldestOf).filter((at) => at !== null);
      return {
        events: count("events"),
        oldestAt: heads.length === 0 ? null : Math.min(...heads),
        bytes: usedBytes(),
        quarantined: count("quarantine"),
      };
    },

    quarantine: (): QuarantinedEvent[] =>
      all<Row & { is_event: number; code: string; message: string }>("SELECT * FROM quarantine ORDER BY seq").map((row) => ({
        ...queuedOf(row),
        isEvent: row.is_event === 1,
        code: row.code,
        message: row.message,
      })),
    /** Sends events of the quarantine again. Returns how many. */
    retry: (seqs: readonly number[]) =>
      transact(() => {
        let retried = 0;
        for (const seq of seqs) {
          retried += run(
            `INSERT INTO events (lane, seq, at, since, by_bridge, offset_ms, content)
              SELECT lane, seq, at, since, by_bridge, offset_ms, content FROM quarantine WHERE seq = ? AND is_event = 1`,
            seq,
          );
          run("DELETE FROM quarantine WHERE seq = ? AND is_event = 1", seq);
        }
        return retried;
      }),
    /** Deletes rows of the quarantine. Returns how many. */
    discard: (seqs: readonly number[]) =>
      transact(() => seqs.reduce((sum, seq) => sum + run("DELETE FROM quarantine WHERE seq = ?", seq), 0)),
  };
}

interface Row {
  lane: number;
  seq: number;
  at: number;
  since: number | null;
  by_bridge: number;
  offset_ms: number | null;
  content: number | string | null;
}

function queuedOf({ lane, seq, at, since, by_bridge, offset_ms, content }: Row): QueuedEvent {
  return { lane, seq, at, since, byBridge: by_bridge === 1, offsetMs: offset_ms, content };
}

function laneKey({ source, machine, kind }: Omit<Lane, "id">): string {
  return JSON.stringify([source, machine, kind]);
}

function contentOf(draft: EventDraft): number | string | null {
  if (draft.kind === "heartbeat") return null;
  if (draft.kind === "state") return draft.state;
  if (draft.kind === "sku") return JSON.stringify([draft.skuId, draft.workOrderId]);
  return draft.value;
}
