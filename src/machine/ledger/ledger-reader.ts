import type { MachineNow, OperatorShare, ShiftExplanation } from "../../objects/machine-protocol.ts";
import { applyCorrections, correctedProduction, nothingOf, sumOfCorrections } from "../../oee/corrections.ts";
import { maxOf, minOf } from "../../oee/extremes.ts";
import { openSpans, type Presence, plannedAt, signedInAt } from "../../oee/machine.ts";
import { operatorTimes } from "../../oee/operators.ts";
import { type ShiftTally, unitsWithoutTimeIn } from "../../oee/production.ts";
import type { DeepReadonly } from "../../oee/read-only.ts";
import { type Settings, type SettingsHistory, settingsAt, standardCycleMs } from "../../oee/settings.ts";
import { bucketOf, isScheduled, type Segment, segmentsOf } from "../../oee/shift-ledger.ts";
import { type ShiftPart, shiftParts, targetOf, targetUnitsIn, wholeShift } from "../../oee/shift-parts.ts";
import { type ShiftRecord, shiftRecord } from "../../oee/shift-record.ts";
import { ShiftCalendar, type ShiftOccurrence } from "../../oee/shifts.ts";
import { nextThreshold, type Span } from "../../oee/signal.ts";
import { isSlow, measuredTime, shortStops } from "../../oee/speed.ts";
import { clip, DAY_MS, HOUR_MS, type Interval } from "../../oee/time.ts";
import { type Piece, type TimelineEdits, timelineOf } from "../../oee/timeline.ts";
import { roundUnits } from "../../oee/units.ts";
import { flagsOf, hasCause } from "../edits/marks.ts";
import { unitsCounted } from "../inputs/units-counted.ts";
import { keptFigures } from "../publish/projection.ts";
import type { Configuration, Identity } from "../settings/configuration.ts";
import { partFrom } from "../storage/floor.ts";
import type { Head } from "../storage/ledger-rows.ts";
import type { MachineStorage, StoredStop } from "../storage/machine-storage.ts";
import type { StoredCorrection } from "../storage/stored-corrections.ts";
import { KeptOverview } from "./overview.ts";
import { Roster } from "./shift-roster.ts";

/** Since when the counts of shifts are kept by part; without a value, always. Set by a migration of the object. */
const PARTS_FROM_KEY = "parts from";

/** How far back to look for the end of the last shift. */
const LOOK_BACK_MS = 14 * DAY_MS;

/** The running shift (null: none) with its pieces, and what the machine is doing. */
interface Present {
  shift: ShiftOccurrence | null;
  pieces: Piece[];
  state: MachineNow;
  /** The stop that the machine is in, if it is numbered already. */
  stop: StoredStop | null;
}

/** A machine's ledger, read as of one instant. Changes nothing. */
export class LedgerReader {
  readonly now: number;
  /** End of the ledger: now, or the decommissioning. */
  readonly until: number;
  /** End of the time line: in service one millisecond after now, so that the last piece is the state from now on, even at an edge. */
  readonly end: number;
  readonly #storage: MachineStorage;
  readonly #history: SettingsHistory;
  readonly #calendar: ShiftCalendar;
  readonly #head: Head;
  readonly #settings: Settings;
  readonly #commissionedAt: number;
  readonly #isOver: boolean;
  /** The spans that are not certain yet; null until they are needed. */
  #openSpans: Span[] | null = null;
  /** The running shift; null until it is needed. */
  #known: Present | null = null;

  constructor(storage: MachineStorage, { history, calendar }: Configuration, head: Head, now: number) {
    this.#storage = storage;
    this.#history = history;
    this.#calendar = calendar;
    this.#head = head;
    this.#settings = settingsAt(history, now);
    this.#commissionedAt = history[0].commissionedAt;
    this.now = now;
    this.until = Math.min(now, this.#settings.decommissionedAt ?? now);
    this.#isOver = this.until === this.#settings.decommissionedAt;
    this.end = this.#isOver ? this.until : now + 1;
  }

  /** A reader with all settings of the past, and what else follows from them. */
  withPast(identity: Identity): { reader: LedgerReader; calendar: ShiftCalendar; history: SettingsHistory } {
    const history = this.#storage.settings.history(0) ?? this.#history;
    const calendar = new ShiftCalendar(history);
    return { reader: new LedgerReader(this.#storage, { identity, history, calendar }, this.#head, this.now), calendar, history };
  }

  /** What the signals say of a window, in order, clipped to it. */
  spans(window: Interval): Span[] {
    return this.#spans(window).flatMap((span) => {
      const part = clip(span, window.start, window.end);
      return part ? [{ ...span, ...part }] : [];
    });
  }

  /** The time line of a window. Stops at its edges are returned whole. */
  pieces(window: Interval): Piece[] {
    const reach = this.#withWholeStops(window);
    const spans = this.#spans(reach).flatMap((span) => {
      if (isStopped(span)) return [span];
      const part = clip(span, reach.start, reach.end);
      return part ? [{ ...span, ...part }] : [];
    });
    return timelineOf(spans, this.#calendar.between(reach.start, reach.end), this.#edits(reach)).flatMap((piece) => {
      const part = clip(piece, window.start, window.end);
      if (!part) return [];
      return piece.stop ? [piece] : [{ ...piece, ...part }];
    });
  }

  /** Pieces with the edits that people made to their stops. */
  marked(pieces: readonly Piece[]): Piece[] {
    const reach = { start: pieces[0]?.start ?? 0, end: pieces.at(-1)?.end ?? 0 };
    const marks = new Map(this.#storage.stops(reach).map((stop) => [stop.start, stop.mark]));
    return pieces.map((piece) => {
      const mark = marks.get(piece.start);
      if (!piece.stop || !mark) return piece;
      const { isProgrammed, isIncludedInAvailability } = flagsOf(mark);
      const stop = {
        ...piece.stop,
        isProgrammed: isProgrammed ?? piece.stop.isProgrammed,
        isIncludedInAvailability: isIncludedInAvailability ?? piece.stop.isIncludedInAvailability,
        isAnnotated: hasCause(mark.classification),
      };
      return { ...piece, stop };
    });
  }

  /** Whether a piece is still going on: its end is not known. */
  isOpen(piece: Interval): boolean {
    return piece.end > this.until;
  }

  /** The record of a shift, with its corrections. */
  record(occurrence: ShiftOccurrence, pieces: readonly Piece[]): ShiftRecord {
    const record = this.#countedRecord(occurrence, pieces);
    if (this.#storage.corrections.counting(occurrence).length === 0) return record;
    const { parts, applied } = this.parts(occurrence, record);
    const corrected = sumOfCorrections(applied.map((one) => one.applied));
    const made = correctedProduction(record.made, this.#countedParts(occurrence, record), parts);
    return { ...record, made, ...(corrected && { corrected }) };
  }

  #countedRecord(occurrence: ShiftOccurrence, pieces: readonly Piece[]): ShiftRecord {
    const tally = this.#tally(occurrence);
    return shiftRecord({
      occurrence,
      pieces,
      asOf: Math.min(occurrence.end, this.until),
      isOpen: occurrence.end > this.now && !this.#isOver,
      tally,
      standardCycleMs: this.#standardOf(occurrence),
      unitsCounted: (interval) => this.#unitsTimed(tally, interval),
    });
  }

  /** The parts of the shift with this record, with its corrections, and what became of each of these. */
  parts(occurrence: ShiftOccurrence, record: ShiftRecord): { parts: ShiftPart[]; applied: StoredCorrection[] } {
    const parts = this.#countedParts(occurrence, record);
    const corrections = this.#storage.corrections.in(occurrence);
    const counting = corrections.filter(({ undone }) => undone === null);
    const applied = applyCorrections(parts, counting);
    const appliedOf = new Map(counting.map(({ seq }, i) => [seq, applied[i] ?? null]));
    return { parts, applied: corrections.map((one) => ({ ...one, applied: appliedOf.get(one.seq) ?? nothingOf(one.applied) })) };
  }

  /** The parts of a shift as of now, with its corrections. */
  partsOf(occurrence: ShiftOccurrence): ShiftPart[] {
    const pieces = this.marked(this.pieces({ start: occurrence.start, end: Math.min(occurrence.end, this.end) }));
    return this.parts(occurrence, this.#countedRecord(occurrence, pieces)).parts;
  }

  /** Whether the counts of a shift were kept by part: others cannot be corrected. */
  hasParts({ start }: Interval): boolean {
    return start >= (this.#storage.value<number>(PARTS_FROM_KEY) ?? 0);
  }

  #countedParts(occurrence: ShiftOccurrence, record: ShiftRecord): ShiftPart[] {
    const { segments, sums } = record;
    if (!this.hasParts(occurrence)) return [wholeShift(record, segments[0]?.start ?? sums.asOf, occurrence.end)];
    const { run, part } = this.#head.ledger;
    const channels = this.#storage.channels();
    return shiftParts({
      hours: this.#calendar.hours(occurrence),
      record,
      runs: [...this.#storage.ledger.runs(occurrence), ...(run ? [run] : [])],
      tally: this.#tally(occurrence),
      tallies: [...this.#storage.ledger.partTallies(occurrence), ...(part?.shiftStart === occurrence.start ? [part] : [])],
      standardAt: (skuId, at) => standardCycleMs(settingsAt(this.#history, at), skuId),
      unitsPerCycleAt: (at) => channels.unitsPerCycleAt(at),
      changes: [...this.#history.map(({ since }) => since), ...channels.changes()],
    });
  }

  /** The operators of a shift, by id, with their shares in its segments. */
  shares(occurrence: ShiftOccurrence, segments: readonly Segment[]): OperatorShare[] {
    const signedIn = signedInAt(this.#head.ledger, occurrence.start, this.#calendar);
    const presences = [...this.#storage.ledger.presences(occurrence), ...signedIn];
    const credited = this.#tally(occurrence)?.perOperator ?? {};
    const corrected = this.#creditedByCorrections(occurrence, presences);
    return operatorTimes(occurrence, segments, presences, this.#history).map((time) => {
      const { units = 0, skuId = null } = credited[time.operatorId] ?? {};
      const own = corrected.filter(({ operatorIds }) => operatorIds.includes(time.operatorId));
      const sum = roundUnits(own.reduce((all, { total }) => Math.max(0, all + total), units));
      return { ...time, units: sum, skuId: skuId ?? own.findLast(({ total }) => total > 0)?.skuId ?? null };
    });
  }

  /** The units that corrections added, each with the operators who are credited: those at the machine at its instant, as for a count. */
  #creditedByCorrections({ start, end, shiftId }: ShiftOccurrence, presences: readonly Presence[]) {
    return this.#storage.corrections.counting({ start, end }).flatMap(({ at, applied }) => {
      if (!applied || applied.total === 0) return [];
      const present = presences.filter((one) => one.start <= at && at < one.end).map(({ operatorId }) => operatorId);
      const planned = plannedAt(settingsAt(this.#history, at).plan, shiftId, at);
      return [{ total: applied.total, skuId: applied.skuId, operatorIds: present.length > 0 ? present : planned }];
    });
  }

  /** The shift that starts at an instant, with everything behind its numbers; null when none starts then, or it is in the future. */
  explain(start: number): ShiftExplanation | null {
    const occurrence = this.#calendar.at(start);
    if (occurrence?.start !== start || start >= this.end) return null;
    if (occurrence.end <= this.#commissionedAt || this.until < this.#commissionedAt) return null;
    const pieces = this.marked(this.pieces({ start, end: Math.min(occurrence.end, this.end) }));
    const stops = new Map(this.#storage.stops(occurrence).map((stop) => [stop.start, stop.seq]));
    const record = this.record(occurrence, pieces);
    const { asOf } = record.sums;
    const segments = pieces.flatMap((piece) => {
      const [segment] = segmentsOf([piece], { start, end: asOf });
      const stop = piece.stop && { seq: stops.get(piece.start) ?? null, breakName: piece.stop.breakName };
      return segment ? [{ ...segment, stop }] : [];
    });
    const made = { ...record.made, ...keptFigures(this.#storage, occurrence) };
    const corrections = this.parts(occurrence, record).applied.filter(({ undone }) => undone === null);
    const skus = [...(this.#tally(occurrence)?.perSku ?? [])];
    return { ...record, made, occurrence, segments, skus, corrections: corrections.map(explainedCorrection) };
  }

  /** Whether the running shift has a stop that is not numbered yet; `computeChangedShifts` numbers it. */
  hasUnnumberedStop(): boolean {
    const { shift, pieces } = this.#present();
    if (!shift) return false;
    const numbered = new Set(this.#storage.stops({ start: shift.start, end: this.end }).map(({ start }) => start));
    return pieces.some((piece) => piece.stop && !numbered.has(piece.start));
  }

  /** The machine's state and the numbers of its running shift, valid until something other than time changes them. */
  overview(): KeptOverview {
    const { shift, pieces, state, stop } = this.#present();
    const breakName = pieces.at(-1)?.stop?.breakName ?? null;
    const planned = breakName === null ? null : shift?.breaks.find(({ start, end }) => start <= this.now && this.now < end);
    const said = stop && {
      name: stop.mark?.name ?? null,
      classification: stop.mark?.classification ?? null,
      breakName,
      plannedUntil: planned?.end ?? null,
    };
    const now = { ...state, asOf: this.now, stop: said };
    if (!shift) return new KeptOverview({ ...now, numbers: null }, this.now + 1);
    const record = this.record(shift, pieces);
    const { sums } = record;
    const { recentUnits, recentMs, ...made } = record.made;
    const { parts } = this.parts(shift, record);
    const targetUnits = parts.reduce((units, part) => units + targetOf(part), 0);
    const unitStandardMs = parts.at(-1)?.unitStandardMs ?? null;
    const targetPerMs = isScheduled(sums.openBucket) ? targetUnitsIn(1, unitStandardMs) : 0;
    const short = shortStops(pieces, this.now);
    const slow = sums.openBucket === "available" && this.#isSlow(shift, record, unitStandardMs, short.length);
    const numbers = { sums, made, targetUnits, targetPerMs, shortStops: short.length, isSlow: slow };
    const until = minOf([this.#steadyUntil(shift), ...short.map(({ end }) => end + HOUR_MS)]);
    return new KeptOverview({ ...now, numbers }, until);
  }

  /** Measured up to the newest event, so that only events and stops change the result. */
  #isSlow(shift: Interval, { segments, made }: ShiftRecord, unitStandardMs: number | null, shortStopCount: number): boolean {
    const { heardAt } = this.#present().state;
    const { standardCycleMs } = made;
    const window = { start: this.#head.ledger.run?.start ?? 0, end: Math.min(heardAt ?? 0, this.now) };
    const hasStandard = standardCycleMs !== null && unitStandardMs !== null;
    const measured = hasStandard ? measuredTime(segments, standardCycleMs, window) : [];
    const tally = this.#tally(shift);
    const units = measured.reduce((sum, interval) => sum + this.#unitsTimed(tally, interval), 0);
    return isSlow(measured, units, unitStandardMs ?? 0, shortStopCount);
  }

  #present(): Present {
    this.#known ??= this.#findPresent();
    return this.#known;
  }

  #findPresent(): Present {
    const { ledger } = this.#head;
    const shift = this.#isOver || this.now < this.#commissionedAt ? null : this.#calendar.at(this.now);
    const pieces = shift ? this.marked(this.pieces({ start: shift.start, end: this.end })) : [];
    const current = pieces.at(-1);
    // A stored stop with a later start has become part of this one through a late event.
    const known = current?.stop ? this.#storage.stops({ start: current.start, end: this.end }) : [];
    const stop = known.findLast(({ start }) => start === current?.start) ?? null;
    const state = {
      bucket: current ? bucketOf(current) : null,
      since: current?.start ?? this.#unscheduledSince(),
      stopSeq: stop?.seq ?? null,
      shift,
      skuId: ledger.skuId,
      workOrderId: ledger.run?.workOrderId ?? null,
      signedIn: signedInAt(ledger, this.now, this.#calendar).map(({ operatorId, start }) => ({ operatorId, since: start })),
      heardAt: this.#storage.events.newestAt(),
    };
    return { shift, pieces, state, stop };
  }

  /** The roster of the running shift, valid until something other than time changes it; null outside shifts. */
  roster(): Roster | null {
    const occurrence = this.#calendar.at(this.now);
    if (!occurrence || this.#isOver) return null;
    const pieces = this.marked(this.pieces({ start: occurrence.start, end: this.end }));
    const sharesUntil = (end: number) => this.shares(occurrence, segmentsOf(pieces, { start: occurrence.start, end }));
    const laterShares = new Map(sharesUntil(this.end).map((share) => [share.operatorId, share]));
    const shares = sharesUntil(this.now).map((share) => {
      const later = laterShares.get(share.operatorId) ?? share;
      return { ...share, uptimePerMs: later.uptimeMs - share.uptimeMs, downtimePerMs: later.downtimeMs - share.downtimeMs };
    });
    return new Roster(occurrence, shares, this.now, this.#steadyUntil(occurrence));
  }

  /** The next instant at which something other than time changes a shift, if no event or edit comes before. */
  #steadyUntil(occurrence: ShiftOccurrence): number {
    // After the clock was set back, recorded stops may lie in the future.
    const ahead = { start: this.now, end: Number.MAX_SAFE_INTEGER };
    const edges = [occurrence, ...occurrence.breaks, ...this.#storage.manualStops(ahead)].flatMap(({ start, end }) => [
      start,
      end,
    ]);
    const planned = this.#history.at(-1)?.plan ?? [];
    const changes = [...this.#history.map(({ since }) => since), ...planned.flatMap(({ since, until }) => [since, until])];
    const instants = [
      ...edges,
      ...changes,
      ...this.#storage.boundaries(ahead).map(({ at }) => at),
      this.#commissionedAt,
      this.#settings.decommissionedAt,
      nextThreshold(this.#head.ledger.signal, this.now),
      this.#storage.events.nextAt(this.#head.pos),
    ];
    return minOf(instants.filter((at) => at !== null && at > this.now).map(Number));
  }

  /** Start of the time out of service or outside shifts; null before the commissioning, and when no shift ended lately. */
  #unscheduledSince(): number | null {
    if (this.#isOver) return this.until;
    if (this.now < this.#commissionedAt) return null;
    return this.#calendar.between(this.now - LOOK_BACK_MS, this.now).at(-1)?.end ?? null;
  }

  /** The spans that overlap a window, in order, not clipped to it. */
  #spans(window: Interval): Span[] {
    this.#openSpans ??= openSpans(this.#head.ledger, this.until, this.end).flatMap((span) =>
      partFrom(span, this.#storage.floor().spansFrom),
    );
    return [...this.#storage.ledger.spans(window), ...this.#openSpans.filter((span) => overlaps(span, window))];
  }

  /** Extends a window so that its edges cut no stop: by signals, recorded, or joined with the stop next to it. */
  #withWholeStops(window: Interval): Interval {
    const stoppedAt = (at: number) => {
      const instant = { start: at, end: at + 1 };
      return [...this.#spans(instant).filter(isStopped), ...this.#storage.manualStops(instant)];
    };
    const isJoin = (at: number) => this.#storage.boundaries({ start: at, end: at + 1 }).some(({ kind }) => kind === "join");
    const earlier = (at: number) => minOf([at, ...stoppedAt(isJoin(at) ? at - 1 : at).map((stop) => stop.start)]);
    const later = (at: number) => maxOf([at, ...stoppedAt(isJoin(at) ? at : at - 1).map((stop) => stop.end)]);
    return { start: untilStable(window.start, earlier), end: untilStable(window.end, later) };
  }

  #edits(reach: Interval): TimelineEdits {
    const boundaries = this.#storage.boundaries(reach);
    const times = (kind: "cut" | "join") => boundaries.filter((one) => one.kind === kind).map((one) => one.at);
    // A recorded stop has its flags in its mark, like any other stop.
    const manual = this.#storage
      .manualStops(reach)
      .map((stop) => ({ ...stop, isProgrammed: false, isIncludedInAvailability: true }));
    return { manual, cuts: times("cut"), joins: times("join") };
  }

  /** The standard of the SKU in work at the end of a shift, or now while it runs. */
  #standardOf(occurrence: ShiftOccurrence): number | null {
    if (occurrence.end > this.now && !this.#isOver) return standardCycleMs(this.#settings, this.#head.ledger.skuId);
    const end = Math.min(occurrence.end, this.until);
    return standardCycleMs(settingsAt(this.#history, end - 1), this.#storage.ledger.skuBefore(end));
  }

  /** The units of a shift that were counted in an interval. No speed is made of those whose time is not known. */
  #unitsTimed(tally: DeepReadonly<ShiftTally> | null, interval: Interval): number {
    return unitsCounted(this.#storage, this.#history, interval) - unitsWithoutTimeIn(tally, interval);
  }

  #tally({ start }: Interval): DeepReadonly<ShiftTally> | null {
    const { tally } = this.#head.ledger;
    return tally?.start === start ? tally : this.#storage.ledger.tally(start);
  }
}

/** A correction as the explanation of its shift has it. */
function explainedCorrection({ seq, at, skuId, workOrderId, total, defects, applied }: StoredCorrection) {
  const of = applied ?? { skuId, workOrderId, total: 0, defects: 0 };
  return {
    ...{ seq, at, skuId: of.skuId, workOrderId: of.workOrderId, total, defects },
    ...{ appliedTotal: of.total, appliedDefects: of.defects },
  };
}

function isStopped({ kind }: Span): boolean {
  return kind === "planned" || kind === "unplanned";
}

function overlaps(a: Interval, b: Interval): boolean {
  return a.start < b.end && b.start < a.end;
}

function untilStable(from: number, step: (at: number) => number): number {
  let at = from;
  for (let next = step(at); next !== at; next = step(at)) at = next;
  return at;
}
