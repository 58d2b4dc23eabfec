import type { StopMark } from "../../objects/machine-protocol.ts";
import type { Channel } from "../../objects/set-up.ts";
import type { Interval } from "../../oee/time.ts";
import { StoredEdits } from "../edits/stored-edits.ts";
import { HeldCounts } from "../inputs/held-counts.ts";
import { StoredEvents } from "../inputs/input-encoding.ts";
import { type ProjectionRow, ProjectionRows } from "../publish/projection-rows.ts";
import type { Identity } from "../settings/configuration.ts";
import { Channels } from "../settings/count-channels.ts";
import { StoredSettings } from "../settings/stored-settings.ts";
import { type Floor, floorPosition, NO_FLOOR } from "./floor.ts";
import { type Head, LedgerRows } from "./ledger-rows.ts";
import { overlapping } from "./reach.ts";
import { StateRow } from "./state-row.ts";
import { StoredAmendments } from "./stored-amendments.ts";
import { StoredCorrections } from "./stored-corrections.ts";
import { StoredDays } from "./stored-days.ts";
import { StoredImports } from "./stored-imports.ts";
import { StoredWithdrawals } from "./stored-withdrawals.ts";
import { UnreadableRows } from "./unreadable-rows.ts";
import { type RowKey, WaitingRows } from "./waiting-rows.ts";

const CHANNELS = "channels";
const INTERPRETED = "interpreted channels";
/** Thrown to take back what was stored. */
const TAKEN_BACK = Symbol("taken back");
const FLOOR = "books closed";

/** The state of a stop that was last published. Times are epoch ms. */
export interface PublishedStop {
  since: number;
  until: number | null;
  isManual: boolean;
  isProgrammed: boolean;
  isIncludedInStops: boolean;
  isIncludedInAvailability: boolean;
  name: string | null;
  breakName: string | null;
  generalCauseId: number | null;
  specificCauseId: number | null;
  componentId: number | null;
  description: string | null;
}

/** The state of an operator's time at the machine that was last published. */
export interface PublishedPresence {
  operatorId: number;
  start: number;
  /** Null: signed in. */
  end: number | null;
}

export interface StoredStop {
  seq: number;
  start: number;
  /** Null while the stop lasts. */
  end: number | null;
  /** The number of edits by people. */
  version: number;
  mark: StopMark | null;
  /** Null: nothing was published. Stops from before events existed have only some of the members. */
  published: Partial<PublishedStop> | null;
}

/** A request of a person that is carried out once, no matter how often it is sent. */
export interface RememberedEdit {
  id: string;
  requestHash: string;
  /** What its result is made of again: the numbers of stops, or how many counts were decided. */
  numbers: number[];
  at: number;
}

/** All access to the object's own database, in part through `events`, `held`, `edits`, `amendments`, `corrections`, `withdrawals`, `settings`, `waiting`, `projection` and `ledger`. Contains none of the ledger's rules. */
export class MachineStorage {
  readonly days: StoredDays;
  readonly events: StoredEvents;
  readonly held: HeldCounts;
  readonly edits: StoredEdits;
  readonly imports: StoredImports;
  readonly amendments: StoredAmendments;
  readonly corrections: StoredCorrections;
  readonly withdrawals: StoredWithdrawals;
  readonly settings: StoredSettings;
  readonly waiting: WaitingRows;
  readonly projection: ProjectionRows;
  readonly ledger: LedgerRows;
  /** The rows of a recalculation that has not ended. */
  readonly recalculated: LedgerRows;
  readonly unreadable: UnreadableRows;
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;
  readonly #state: StateRow;
  /** Cached values of the set-up, by name. */
  readonly #known = new Map<string, unknown>();
  /** The number of urgent changes since the object started: see `markUrgent`. */
  urgencies = 0;
  /** How many times the ledger went back since the object started. */
  rewinds = 0;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#sql = storage.sql;
    this.#state = new StateRow(storage);
    this.unreadable = new UnreadableRows(storage);
    this.days = new StoredDays(storage.sql, this.unreadable);
    this.imports = new StoredImports(storage.kv);
    this.amendments = new StoredAmendments(storage.sql, this.unreadable);
    const { days, imports, amendments } = this;
    const withdrawals = new StoredWithdrawals(storage.sql, this.unreadable);
    this.withdrawals = withdrawals;
    const channels = () => this.channels();
    this.events = new StoredEvents(storage.sql, this.#state, this.unreadable, {
      days,
      imports,
      amendments,
      withdrawals,
      channels,
    });
    this.held = new HeldCounts(storage.sql, this.#state, this.unreadable);
    this.edits = new StoredEdits(storage.sql, this.unreadable);
    this.corrections = new StoredCorrections(storage.sql, this.unreadable);
    this.settings = new StoredSettings(storage.sql, this.unreadable);
    this.waiting = new WaitingRows(storage.sql, this.#state);
    this.projection = new ProjectionRows(storage.sql, this.#state, this.unreadable);
    this.ledger = new LedgerRows(storage.sql, this.unreadable, "counting", () => this.floor().spansFrom);
    this.recalculated = new LedgerRows(storage.sql, this.unreadable, "recalculated", () => this.floor().at);
  }

  /** Does all of `work` or nothing. If it throws, everything in memory is read again. */
  transaction<T>(work: () => T): T {
    try {
      return this.#state.transaction(work);
    } catch (error) {
      this.#known.clear();
      this.ledger.reload();
      this.days.reload();
      this.imports.reload();
      this.amendments.reload();
      this.corrections.reload();
      this.withdrawals.reload();
      this.recalculated.reload();
      this.events.reload();
      this.unreadable.reload();
      throw error;
    }
  }

  /** Does work, and takes back all that it stored. Returns its result. */
  tryOut<T>(work: () => T): T {
    const { urgencies, rewinds } = this;
    const results: T[] = [];
    try {
      this.transaction(() => {
        results.push(work());
        throw TAKEN_BACK;
      });
    } catch (error) {
      if (error !== TAKEN_BACK) throw error;
    } finally {
      Object.assign(this, { urgencies, rewinds });
    }
    return results[0] as T;
  }

  identity(): Identity | null {
    return this.setUp<Identity>("identity");
  }

  saveIdentity(identity: Identity): void {
    this.saveSetUp("identity", identity);
  }

  head(): Head | null {
    return this.#state.get<Head>("head");
  }

  saveHead(head: Head): void {
    this.#state.set("head", head);
  }

  /** Where the books are closed. */
  floor(): Readonly<Floor> {
    return this.#state.get<Floor>(FLOOR) ?? NO_FLOOR;
  }

  saveFloor(floor: Floor): void {
    this.#state.set(FLOOR, floor);
  }

  /** Notes that the time line after a position of the ledger is written again. After a reopening, that makes it new from the floor on. */
  writeSpansAgain(after: string): void {
    const floor = this.floor();
    if (after < floorPosition(floor.spansFrom)) this.saveFloor({ ...floor, spansFrom: floor.at });
  }

  /** A small value that changes often; each belongs to the one module that names its key. Together they are one row. */
  value<T>(key: string): Readonly<T> | null {
    return this.#state.get<T>(key);
  }

  saveValue(key: string, value: unknown): void {
    if (JSON.stringify(value) !== JSON.stringify(this.#state.get(key))) this.#state.set(key, value);
  }

  /** Sets a value that may be lost: it is stored with the next saved one, and costs no row by itself. */
  noteValue(key: string, value: unknown): void {
    this.#state.note(key, value);
  }

  /** A part of the machine's set-up: a row of its own, which may be large and hardly ever changes. */
  setUp<T>(key: string): Readonly<T> | null {
    return this.#remembered(key, () => this.#storage.kv.get<T>(key));
  }

  saveSetUp(key: string, value: unknown): void {
    if (JSON.stringify(value) === JSON.stringify(this.setUp(key))) return;
    this.#storage.kv.put(key, value);
    this.#known.set(key, value);
  }

  /** The channels that fed the machine, and feed it. */
  channels(): Channels {
    return this.#remembered(INTERPRETED, () => new Channels(this.setUp<Channel[]>(CHANNELS) ?? [])) as Channels;
  }

  saveChannels(channels: readonly Channel[]): void {
    this.saveSetUp(CHANNELS, channels);
    this.#known.delete(INTERPRETED);
  }

  /** Does work that reads events as other channels would have them. */
  interpretedBy<T>(channels: Channels, work: () => T): T {
    this.#known.set(INTERPRETED, channels);
    try {
      return work();
    } finally {
      this.#known.delete(INTERPRETED);
    }
  }

  /** The published state of presences that end after an instant, in order of start. */
  publishedPresences(from: number): PublishedPresence[] {
    const query = `SELECT operator_id AS operatorId, start, "end" FROM told_presences
      WHERE ifnull("end", 9007199254740991) > ? ORDER BY start, operator_id`;
    return this.#sql.exec<{ operatorId: number; start: number; end: number | null }>(query, from).toArray();
  }

  savePublishedPresence({ operatorId, start, end }: PublishedPresence): void {
    const query = 'INSERT OR REPLACE INTO told_presences (operator_id, start, "end") VALUES (?, ?, ?)';
    this.#sql.exec(query, operatorId, start, end);
  }

  deletePublishedPresence({ operatorId, start }: PublishedPresence): void {
    this.#sql.exec("DELETE FROM told_presences WHERE operator_id = ? AND start = ?", operatorId, start);
  }

  /** Stops that overlap [start, end), in order of start, then number. An open stop has no upper limit. */
  stops({ start, end }: Interval): StoredStop[] {
    return this.#stops(`${overlapping("stops")} ORDER BY start, seq`, start, end);
  }

  stop(seq: number): StoredStop | null {
    return this.#stops("FROM stops WHERE seq = ?", seq)[0] ?? null;
  }

  saveStop({ seq, start, end, version, mark, published }: StoredStop): void {
    this.#sql.exec(
      'INSERT OR REPLACE INTO stops (seq, start, "end", version, mark, told) VALUES (?, ?, ?, ?, ?, ?)',
      ...[seq, start, end, version, mark && JSON.stringify(mark), published && JSON.stringify(published)],
    );
  }

  /** Records the published state of a stop. */
  savePublished(seq: number, published: PublishedStop): void {
    this.#sql.exec("UPDATE stops SET told = ? WHERE seq = ?", JSON.stringify(published), seq);
  }

  deleteStop(seq: number): void {
    this.#sql.exec("DELETE FROM stops WHERE seq = ?", seq);
  }

  /** Recorded stops that overlap [start, end), in order. */
  manualStops({ start, end }: Interval): Interval[] {
    // As with spans: they do not overlap.
    const query = `SELECT start, "end" FROM manual_stops
      WHERE start >= coalesce((SELECT max(start) FROM manual_stops WHERE start <= ?1), ?1) AND start < ?2 AND "end" > ?1 ORDER BY start`;
    return this.#sql.exec<{ start: number; end: number }>(query, start, end).toArray();
  }

  addManualStop({ start, end }: Interval): void {
    this.#sql.exec('INSERT INTO manual_stops (start, "end") VALUES (?, ?)', start, end);
  }

  deleteManualStop(start: number): void {
    this.#sql.exec("DELETE FROM manual_stops WHERE start = ?", start);
  }

  /** Where people split (cut) or joined stops in [start, end), in order. */
  boundaries({ start, end }: Interval): { at: number; kind: "cut" | "join" }[] {
    const query = "SELECT at, kind FROM boundaries WHERE at >= ? AND at < ? ORDER BY at";
    return this.#sql.exec<{ at: number; kind: "cut" | "join" }>(query, start, end).toArray();
  }

  /** Replaces an earlier boundary at the same instant. */
  saveBoundary(at: number, kind: "cut" | "join"): void {
    this.#sql.exec("INSERT OR REPLACE INTO boundaries (at, kind) VALUES (?, ?)", at, kind);
  }

  /** Deletes the boundaries from `start` to `end`, both included. */
  deleteBoundaries({ start, end }: Interval): void {
    this.#sql.exec("DELETE FROM boundaries WHERE at BETWEEN ? AND ?", start, end);
  }

  rememberedEdit(id: string): Omit<RememberedEdit, "id"> | null {
    type Row = { requestHash: string; seqs: string; at: number };
    const query = "SELECT request_hash AS requestHash, seqs, at FROM remembered_edits WHERE id = ?";
    const [row] = this.#sql.exec<Row>(query, id).toArray();
    return row ? { requestHash: row.requestHash, numbers: JSON.parse(row.seqs) as number[], at: row.at } : null;
  }

  rememberEdit({ id, requestHash, numbers, at }: RememberedEdit): void {
    const query = "INSERT INTO remembered_edits (id, request_hash, seqs, at) VALUES (?, ?, ?, ?)";
    this.#sql.exec(query, id, requestHash, JSON.stringify(numbers), at);
  }

  /** Forgets the edits up to an instant. */
  forgetEdits(until: number): void {
    this.#sql.exec("DELETE FROM remembered_edits WHERE at <= ?", until);
  }

  rememberedReport(id: string): { isChanged: boolean } | null {
    const query = "SELECT is_changed AS isChanged FROM remembered_reports WHERE id = ?";
    const [row] = this.#sql.exec<{ isChanged: number }>(query, id).toArray();
    return row ? { isChanged: row.isChanged === 1 } : null;
  }

  rememberReport(id: string, isChanged: boolean, at: number): void {
    this.#sql.exec("INSERT INTO remembered_reports (id, is_changed, at) VALUES (?, ?, ?)", id, isChanged ? 1 : 0, at);
  }

  /** Forgets the reports up to an instant. */
  forgetReports(until: number): void {
    this.#sql.exec("DELETE FROM remembered_reports WHERE at <= ?", until);
  }

  recordSeq(start: number): number | null {
    return this.#sql.exec<{ seq: number }>("SELECT seq FROM records WHERE start = ?", start).toArray()[0]?.seq ?? null;
  }

  saveRecordSeq(start: number, seq: number): void {
    this.#sql.exec("INSERT INTO records (start, seq) VALUES (?, ?)", start, seq);
  }

  /** Deletes a row that was never sent, or will not be sent again. */
  deleteProjectionRow({ kind, key }: RowKey): void {
    this.projection.delete({ kind, key });
    this.deleteParked({ kind, key });
    this.waiting.remove({ kind, key });
  }

  /** Increments the version of every row, and adds all rows to the outbox. */
  addAllToOutbox(): void {
    this.projection.raiseVersions();
    this.#sql.exec("DELETE FROM parked");
    this.waiting.addAll(this.projection.newest());
  }

  /** Forgets the rows that cannot be read: what they said is lost. */
  forgetUnreadable(): void {
    this.unreadable.forgetAll();
    this.days.reload();
    this.events.reload();
  }

  /** The rows to send next, with the sizes of their bodies: see `WaitingRows.first`. */
  *rowsToSend(limit: number, liveFrom?: number, to?: number): Generator<ProjectionRow & { bytes: number }> {
    for (const { kind, key } of this.waiting.first(limit, liveFrom, to)) {
      const row = this.projection.get(kind, key);
      if (row) yield { ...row, bytes: Buffer.byteLength(row.body) };
      // It could not be read.
      else this.waiting.remove({ kind, key });
    }
  }

  park({ kind, key }: RowKey, error: string, at: number): void {
    this.#sql.exec("INSERT OR REPLACE INTO parked (kind, key, error, at) VALUES (?, ?, ?, ?)", kind, key, error, at);
  }

  deleteParked({ kind, key }: RowKey): void {
    this.#sql.exec("DELETE FROM parked WHERE kind = ? AND key = ?", kind, key);
  }

  countParked(): number {
    return this.#sql.exec<{ n: number }>("SELECT count(*) AS n FROM parked").one().n;
  }

  /** Deletes those audit entries, ended conditions and deletions of held counts and orphans up to an instant that D1 has. */
  forget(until: number): void {
    this.#sql.exec(
      `DELETE FROM projection WHERE kind IN ('audit', 'condition', 'held', 'orphan') AND until <= ?
       AND (kind NOT IN ('held', 'orphan') OR body = 'null')
       AND (kind <> 'condition' OR body->>'until' IS NOT NULL)
       AND (kind, key) NOT IN (SELECT kind, key FROM outbox UNION ALL SELECT kind, key FROM parked
         UNION ALL SELECT value->>'kind', value->>'key' FROM json_each(?))`,
      until,
      JSON.stringify(this.waiting.listed() ?? []),
    );
  }

  #remembered<T>(key: string, read: () => T | undefined): T | null {
    if (!this.#known.has(key)) this.#known.set(key, read() ?? null);
    return this.#known.get(key) as T | null;
  }

  #stops(rest: string, ...bindings: number[]): StoredStop[] {
    type Row = { seq: number; start: number; end: number | null; version: number; mark: string | null; published: string | null };
    return this.#sql
      .exec<Row>(`SELECT seq, start, "end", version, mark, told AS published ${rest}`, ...bindings)
      .toArray()
      .map(({ mark, published, ...row }) => ({
        ...row,
        mark: this.#partOfStop<StopMark>(row.seq, "mark", mark),
        published: this.#partOfStop<Partial<PublishedStop>>(row.seq, "told", published),
      }));
  }

  /** A stop goes on without a mark or published state that cannot be read. */
  #partOfStop<T>(seq: number, column: "mark" | "told", text: string | null): T | null {
    if (text === null) return null;
    const remove = () => void this.#sql.exec(`UPDATE stops SET ${column} = NULL WHERE seq = ?`, seq);
    return this.unreadable.parse<T>({ table: `stops.${column}`, key: seq }, text, remove);
  }
}
