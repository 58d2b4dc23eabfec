import { isDeepStrictEqual } from "node:util";
import type { DryRunAnswer, ShiftDifference, SummedShifts } from "../../objects/machine-protocol.ts";
import type { SetUp } from "../../objects/set-up.ts";
import { minOf } from "../../oee/extremes.ts";
import { extendSums } from "../../oee/shift-ledger.ts";
import { ShiftCalendar } from "../../oee/shifts.ts";
import { DAY_MS } from "../../oee/time.ts";
import { advanceTo } from "../inputs/input-log.ts";
import { timeOf } from "../inputs/ledger-position.ts";
import type { RecordRow, RevisionRow } from "../publish/published-rows.ts";
import { membersOf } from "../publish/revisions.ts";
import { byVersions, takeOver } from "../settings/apply-settings.ts";
import type { Configuration } from "../settings/configuration.ts";
import type { Channels } from "../settings/count-channels.ts";
import type { MachineStorage } from "../storage/machine-storage.ts";
import { computedAsOf, computedUntil, markDirty, markDirtyAgain, progressOf } from "./progress.ts";
import { computeChangedShifts, publishWindow } from "./publish-shifts.ts";
import { RECENT_MS } from "./recalculate.ts";
import { recalculationOf, saveRecalculation, stepBounds } from "./recalculation.ts";
import { type Replay, type Replayed, replayStep } from "./replay.ts";

/** How many times it begins again because events came that are older than what it has replayed. */
const MOST_STARTS = 5;

/** The shifts that are computed: up to when they are. `isRecent`: by the usual computation, which follows the clock. */
interface Place {
  from: number | null;
  isRecent: boolean;
}

/**
 * What the shifts of a machine would be with another set-up: the machine takes it over, replays and computes its shifts as ever, in steps, and each step
 * takes back what it stored. Only replayed rows outlast a step; they are in the set of recalculated rows, and are deleted at its end, or when the object
 * starts again. All else is in memory: if the object is evicted, the dry run begins anew.
 *
 * A recalculation goes before it, because it uses the same set.
 */
export class DryRun {
  readonly #storage: MachineStorage;
  readonly #setUp: SetUp;
  readonly #mostShifts: number;
  #starts = 0;
  /** The number of rewinds when it began. Null: it begins with the next step. */
  #rewinds: number | null = null;
  /** When it began: from then on the set-up is taken over (epoch ms). */
  #since = 0;
  /** The set-up as the machine would follow it. */
  #wouldBe: { configuration: Configuration; channels: Channels } | null = null;
  /** What is to be replayed; null: nothing, or that has ended. */
  #replay: Replay | null = null;
  #replayed: Replayed | null = null;
  #place: Place = { from: null, isRecent: true };
  readonly #found = new Map<number, Found>();

  /** @param mostShifts the most shifts that the answer lists */
  constructor(storage: MachineStorage, setUp: SetUp, mostShifts: number) {
    this.#storage = storage;
    this.#setUp = setUp;
    this.#mostShifts = mostShifts;
  }

  /**
   * Does the next step.
   * @param present what the machine follows
   */
  step(present: Configuration, now: number): DryRunAnswer {
    const storage = this.#storage;
    if (recalculationOf(storage) || storage.ledger.replaced()) return { state: "busy" };
    if (this.#rewinds !== storage.rewinds) {
      if (++this.#starts > MOST_STARTS) return { state: "busy" };
      return this.#begin(present, now) ? this.#going() : { state: "busy" };
    }
    if (this.#replay) {
      this.#replayStep(this.#replay);
      return this.#going();
    }
    const next = this.#computeShifts(present, now);
    if (next) {
      this.#place = next;
      return this.#going();
    }
    this.end();
    return { state: "done", ...this.#answer() };
  }

  /** Deletes what is left of it. */
  end(): void {
    const storage = this.#storage;
    if (recalculationOf(storage) || storage.ledger.replaced() || !storage.recalculated.isAny()) return;
    storage.transaction(() => storage.recalculated.deleteAll());
  }

  #going(): DryRunAnswer {
    return { state: "going", reachedAt: this.#replay ? timeOf(this.#replay.replay?.pos ?? "") || null : this.#place.from };
  }

  /** Finds out what the machine would do. Returns false if its rows are too far behind. */
  #begin(present: Configuration, now: number): boolean {
    const storage = this.#storage;
    this.#rewinds = storage.rewinds;
    this.#found.clear();
    [this.#replay, this.#replayed] = [null, null];
    const at = this.#instant(now);
    this.#since = at;
    const touched = storage.tryOut(() => {
      if (!this.#bringUpToDate(present, at)) return null;
      const configuration = this.#takeOver();
      this.#wouldBe = { configuration, channels: storage.channels() };
      const asked = recalculationOf(storage);
      return { replay: asked && { from: asked.from, until: asked.until, begun: null, replay: null } };
    });
    if (!touched) return false;
    this.#replay = touched.replay;
    this.#place = { from: null, isRecent: true };
    return true;
  }

  #replayStep(state: Replay): void {
    const storage = this.#storage;
    const [wouldBe, head] = [this.#wouldBe, storage.head()];
    if (!wouldBe || !head) {
      this.#replay = null;
      return;
    }
    const step = storage.transaction(() =>
      storage.interpretedBy(wouldBe.channels, () => replayStep(storage, wouldBe.configuration, state, head)),
    );
    this.#replay = "on" in step ? step.on : null;
    if (!("replayed" in step)) return;
    this.#replayed = step.replayed;
    this.#place = { from: step.replayed.changedFrom, isRecent: false };
  }

  /** Computes the next shifts and notes those that differ. Returns up to where they are computed then; null: all are. */
  #computeShifts(present: Configuration, now: number): Place | null {
    const storage = this.#storage;
    const at = this.#instant(now);
    return storage.tryOut(() => {
      // Otherwise what has happened since the last computation would be among the differences.
      if (!this.#bringUpToDate(present, at)) {
        // It begins again, and that finds the same.
        this.#rewinds = null;
        return this.#place;
      }
      const { records, revisions, result } = storage.projection.watched(() => this.#next(present, at));
      const revised = new Set(revisions.map((body) => (JSON.parse(body) as RevisionRow).shiftStart));
      for (const [key, before] of records) {
        const found = differenceOf(before, storage.projection.get("record", key)?.body ?? null, revised.has(Number(key)));
        if (found) this.#found.set(Number(key), found);
      }
      return result;
    });
  }

  /** As the steps of a recalculation and the alarm after it. */
  #next(present: Configuration, at: number): Place | null {
    const storage = this.#storage;
    const configuration = this.#takeOver();
    saveRecalculation(storage, null);
    const replayed = this.#replayed;
    if (replayed) count(storage, replayed);
    const head = advanceTo(storage, configuration, at);
    const { from, isRecent } = this.#place;
    if (replayed && from !== null && !isRecent) {
      const until = replayed.until ?? at;
      const end = Math.min(until, from + stepBounds.days * DAY_MS);
      if (end < at - RECENT_MS) {
        const done = publishWindow(storage, configuration, head, { start: from, end }, at, byVersions);
        if (replayed.until !== null && done.until >= replayed.until) return { from: null, isRecent: true };
        return { from: done.until, isRecent: false };
      }
    }
    if (isRecent && from !== null) markDirtyAgain(storage, from);
    else {
      if (from !== null) markDirty(storage, from);
      markDirty(storage, runningFrom([present, configuration], at));
    }
    computeChangedShifts(storage, configuration, head, at);
    const rest = progressOf(storage).dirtyFrom;
    return Number.isFinite(computedUntil(storage)) && rest !== null ? { from: rest, isRecent: true } : null;
  }

  /** Computes the rows as of an instant. Returns false if they are so far behind that it takes more than one alarm. */
  #bringUpToDate(present: Configuration, at: number): boolean {
    const storage = this.#storage;
    const head = advanceTo(storage, present, at);
    markDirty(storage, runningFrom([present], at));
    computeChangedShifts(storage, present, head, at);
    return !Number.isFinite(computedUntil(storage));
  }

  /** Returns the configuration that the machine has then, with all settings of the past. */
  #takeOver(): Configuration {
    takeOver(this.#storage, this.#setUp, this.#since);
    const history = this.#storage.settings.history(0) ?? [{ since: 0, ...this.#setUp.settings }];
    return { identity: this.#setUp.identity, history, calendar: new ShiftCalendar(history) };
  }

  /** As of when it is done: everything computed so far keeps the settings that it was computed with. */
  #instant(now: number): number {
    return Math.max(now, computedAsOf(this.#storage) + 1);
  }

  #answer(): Omit<DryRunAnswer & { state: "done" }, "state"> {
    const found = [...this.#found.values()].sort((a, b) => a.shift.start - b.shift.start);
    const sums = { before: noSums(), after: noSums() };
    for (const { before, after } of found) {
      if (before) add(sums.before, before);
      if (after) add(sums.after, after);
    }
    return { count: found.length, shifts: found.slice(0, this.#mostShifts).map(({ shift }) => shift), sums };
  }
}

/** Makes replayed rows count. */
function count(storage: MachineStorage, { range, head }: Replayed): void {
  // Events have come since, and were folded by the present set-up.
  if (head) storage.ledger.takeBack(range.to);
  storage.ledger.replaceBy(range);
  if (head) storage.saveHead(head);
}

/** When the shift began that runs at an instant, by one of these; the instant itself outside shifts. */
function runningFrom(configurations: readonly Configuration[], at: number): number {
  return minOf(
    configurations.map(({ calendar, history: [{ commissionedAt }] }) => Math.max(calendar.at(at)?.start ?? at, commissionedAt)),
  );
}

/** A shift that would differ, with its records. */
interface Found {
  shift: ShiftDifference;
  before: RecordRow | null;
  after: RecordRow | null;
}

type Sums = Parameters<typeof extendSums>[0];

/** @param isRevised whether something of the shift differs that its record does not show, such as its stops */
function differenceOf(bodyBefore: string | null, bodyAfter: string | null, isRevised: boolean): Found | null {
  const [known, after] = [bodyBefore, bodyAfter].map((body) => body && (JSON.parse(body) as RecordRow | null));
  const record = after || known;
  if (!record) return null;
  // What merely goes on is not stored again.
  const before =
    known && (after ? { ...known, ...extendSums(known as RecordRow & Sums, (after as RecordRow & Sums).asOf) } : known);
  const [was, is] = [before ? shownOf(before) : null, after ? shownOf(after) : null];
  const differing = Object.keys({ ...was, ...is }).filter((member) => !isDeepStrictEqual(was?.[member], is?.[member]));
  if (differing.length === 0 && !isRevised) return null;
  const some = (members: Record<string, number | null> | null) =>
    members && Object.fromEntries(differing.map((member) => [member, members[member] ?? null]));
  const shift = { shiftId: record.shiftId, start: record.startAt, end: record.endAt, before: some(was), after: some(is) };
  return { shift, before: before || null, after: after || null };
}

/** The members of a record in reports, and what it was stamped with. */
function shownOf(row: RecordRow): Record<string, number | null> {
  const { lineId, hourlyRate } = row;
  // It is of running shifts: closed ones keep what it was in the end once their events are archived.
  const { actualSpeed: _, ...members } = membersOf(row);
  return {
    ...members,
    ...(lineId !== undefined && { lineId: lineId || null }),
    ...(hourlyRate !== undefined && { hourlyRate }),
  };
}

const summed = [
  ...(["availableMs", "programmedMs", "nonProgrammedMs", "otherMs", "noDataMs"] as const),
  ...(["idealMs", "totalUnits", "defectUnits"] as const),
];

function noSums(): SummedShifts {
  return Object.fromEntries(["shifts", ...summed].map((name) => [name, 0])) as unknown as SummedShifts;
}

function add(sums: SummedShifts, row: RecordRow): void {
  sums.shifts += 1;
  for (const name of summed) sums[name] += row[name];
}
