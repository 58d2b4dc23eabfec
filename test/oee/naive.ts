import type { MachineEvent, ReadingEvent } from "../../src/oee/events.ts";
import type { Settings } from "../../src/oee/settings.ts";
import type { ManualStop } from "../../src/oee/timeline.ts";

// A second implementation of the ledger's rules, second by second, which examines everything for each second. It is slow, and only shares
// types with the engine. It supports events, limits and edges at whole seconds, in UTC, with settings that never change.

export interface NaiveStop {
  isManual: boolean;
  isProgrammed: boolean;
  isIncludedInAvailability: boolean;
  breakName: string | null;
}

export interface NaivePiece {
  start: number;
  end: number;
  kind: "available" | "noData" | "stop";
  stop: NaiveStop | null;
}

export interface NaiveMachine {
  settings: Settings;
  events: readonly MachineEvent[];
  manual: readonly ManualStop[];
  now: number;
}

interface NaiveShift {
  shiftId: number;
  start: number;
  end: number;
  breaks: { name: string; start: number; end: number; isIncludedInAvailability: boolean }[];
}

/** The kind of a second and, for a stop, the stop that it belongs to. */
interface Second {
  kind: NaivePiece["kind"];
  stopId: string;
  stop: NaiveStop | null;
}

const DAY = 86_400_000;

/** The readings that counts and samples were made from. */
const sentAs = new WeakMap<MachineEvent, ReadingEvent>();

/** A machine's events with each reading replaced by what it counts, found by looking at all readings before it. */
export function withoutReadings(machine: NaiveMachine): MachineEvent[] {
  const ordered = inOrder(machine.events);
  return ordered.map((event, i) => {
    if (event.kind !== "reading") return event;
    const { at, since, perPulse } = event;
    const standard = standardAt(machine, ordered, i);
    const earlier = ordered
      .slice(0, i)
      .filter((one) => one.kind === "reading" && one.counter === event.counter && one.at >= event.fedSince) as ReadingEvent[];
    const before = earlier.filter((one) => one.at < at);
    const together = earlier.filter((one) => one.at === at);
    const pulses = Math.max(0, shownSince(before, [...together, event], standard) - shownSince(before, together, standard));
    const covers = since === undefined ? {} : { since };
    const made: MachineEvent =
      perPulse && pulses > 0
        ? {
            ...{ kind: "count", at, cycles: pulses * perPulse.cycles, total: pulses * perPulse.total },
            ...{ defects: pulses * perPulse.defects, good: perPulse.good === null ? null : pulses * perPulse.good, ...covers },
          }
        : { kind: "sample", at, ...covers };
    sentAs.set(made, event);
    return made;
  });
}

/** What the readings of one time show more than those before it. */
function shownSince(before: readonly ReadingEvent[], together: readonly ReadingEvent[], standard: number | null): number {
  const [one] = together;
  const last = lastShown(before);
  if (!one || !last) return 0;
  const values = together.map(({ value }) => value);
  const top = Math.max(last.value, ...values);
  const below = values.filter((value) => value < last.value);
  if (below.length === 0) return top - last.value;
  const bottom = Math.max(...below);
  const { wraps } = one;
  if (!wraps || top >= wraps.at) return top - last.value + bottom;
  const wrapped = wraps.at - last.value + bottom;
  const cycles = standard === null ? null : Math.max(1 / wraps.pulsesPerCycle, (one.at - last.at) / standard);
  const most = cycles === null ? wraps.at / 2 : 20 * wraps.pulsesPerCycle * cycles;
  return wrapped <= most ? wrapped : top - last.value + bottom;
}

/** The reading that a counter showed last: of one time the highest below the reading before, if there is one, else the highest. */
function lastShown(readings: readonly ReadingEvent[]): ReadingEvent | null {
  const at = readings.at(-1)?.at;
  if (at === undefined) return null;
  const before = lastShown(readings.filter((one) => one.at < at));
  const newest = readings.filter((one) => one.at === at).sort((a, b) => a.value - b.value);
  return newest.findLast(({ value }) => before !== null && value < before.value) ?? newest.at(-1) ?? null;
}

/** The time line of a machine from its commissioning to now. */
export function naivePieces(machine: NaiveMachine): NaivePiece[] {
  const { commissionedAt } = machine.settings;
  const signal = machine.settings.signal === "counts" ? byCounts(machine) : byStates(machine);
  const shifts = naiveShifts(machine);
  const pieces: NaivePiece[] = [];
  let lastId = "";
  for (let t = commissionedAt; t < machine.now; t += 1000) {
    const { kind, stop, stopId } = withPeople(machine, shifts, t, signal(t));
    const last = pieces.at(-1);
    const id = `${kind} ${stopId}`;
    if (last && id === lastId) last.end = t + 1000;
    else pieces.push({ start: t, end: t + 1000, kind, stop });
    lastId = id;
  }
  return pieces;
}

/** The shifts that overlap [commissioning, now], each ending when the next one begins at the latest. */
export function naiveShifts({ settings, now }: NaiveMachine): NaiveShift[] {
  const all: NaiveShift[] = [];
  for (let day = Math.floor(settings.commissionedAt / DAY) - 2; day <= Math.floor(now / DAY) + 1; day++) {
    for (const shift of settings.shifts) {
      if (!shift.days.includes(((day + 3) % 7) + 1)) continue;
      const start = day * DAY + clock(shift.start);
      const end = start + forward(clock(shift.start), clock(shift.end));
      const breaks = shift.breaks.map((b) => {
        const breakStart = start + (forward(clock(shift.start), clock(b.start)) % DAY);
        return { ...b, start: breakStart, end: breakStart + forward(clock(b.start), clock(b.end)) };
      });
      all.push({ shiftId: shift.id, start, end, breaks });
    }
  }
  all.sort((a, b) => a.start - b.start || a.shiftId - b.shiftId);
  const firstOfEach = all.filter((shift, i) => all[i - 1]?.start !== shift.start);
  return firstOfEach
    .map((shift, i) => ({ ...shift, end: Math.min(shift.end, firstOfEach[i + 1]?.start ?? shift.end) }))
    .filter((shift) => shift.end > settings.commissionedAt && shift.start <= now);
}

/** Sums of one shift up to `asOf` over a time line. */
export function naiveSums(
  pieces: readonly NaivePiece[],
  shift: NaiveShift,
  asOf: number,
  isAnnotated: (stop: NaivePiece) => boolean,
) {
  const sums = { availableMs: 0, noDataMs: 0, programmedMs: 0, nonProgrammedMs: 0, otherMs: 0 };
  let annotatedMs = 0;
  let lateStartMs = 0;
  let nonProgrammedSinceAvailableMs = 0;
  const seconds: { bucket: keyof typeof sums; isAnnotated: boolean }[] = [];
  for (const piece of pieces) {
    for (let t = Math.max(piece.start, shift.start); t < Math.min(piece.end, asOf); t += 1000) {
      seconds.push({ bucket: bucket(piece), isAnnotated: piece.kind === "stop" && isAnnotated(piece) });
    }
  }
  const first = seconds.findIndex((second) => second.bucket === "availableMs");
  const last = seconds.findLastIndex((second) => second.bucket === "availableMs");
  for (const [i, second] of seconds.entries()) {
    sums[second.bucket] += 1000;
    const isDowntime = second.bucket === "programmedMs" || second.bucket === "nonProgrammedMs";
    if (isDowntime && second.isAnnotated) annotatedMs += 1000;
    if (second.bucket !== "nonProgrammedMs") continue;
    if (first === -1 || i < first) lateStartMs += 1000;
    if (first !== -1 && i > last) nonProgrammedSinceAvailableMs += 1000;
  }
  return { ...sums, annotatedMs, lateStartMs, nonProgrammedSinceAvailableMs };
}

/** Unit by unit: a good unit beyond a SKU's total makes up for one missing from the nearest SKU before it. */
function settled(notGood: number[]): number[] {
  const missing = [...notGood];
  for (const [later, lacks] of notGood.entries()) {
    for (let surplus = -lacks; surplus > 0; surplus--) {
      const nearest = missing.findLastIndex((one, i) => i < later && one > 0);
      if (nearest >= 0) missing[nearest] = (missing[nearest] ?? 0) - 1;
    }
  }
  return missing;
}

/** Production of one shift. */
export function naiveProduction(machine: NaiveMachine, shift: NaiveShift) {
  const { settings, events } = machine;
  const ordered = inOrder(events);
  const timeless = withoutTime(machine);
  const skuAt = (index: number) => ordered.slice(0, index).findLast((event) => event.kind === "sku")?.skuId ?? null;
  const standardOf = (skuId: string | null) =>
    new Map(Object.entries(settings.skuStandardsMs)).get(skuId ?? "") ?? settings.standardCycleMs;
  const perSku = new Map<string | null, NaiveSku>();
  let [cyclesWithStandard, unitsWithoutTime, withoutTimeMs] = [0, 0, 0];
  for (const [i, event] of ordered.entries()) {
    if (event.kind !== "count" || event.at < shift.start || event.at >= shift.end) continue;
    const skuId = skuAt(i);
    const standard = standardOf(skuId);
    const sum = perSku.get(skuId) ?? { cycles: 0, total: 0, defects: 0, ideal: 0, notGood: 0, late: 0, lateMs: 0 };
    sum.cycles += event.cycles;
    sum.total += event.total;
    sum.defects += event.good === null ? event.defects : 0;
    sum.notGood += event.good === null ? 0 : event.total - event.good;
    sum.ideal += event.cycles * (standard ?? 0);
    perSku.set(skuId, sum);
    if (timeless.has(event)) {
      unitsWithoutTime += event.total;
      withoutTimeMs += event.cycles * (standard ?? 0);
    } else if (standard !== null) cyclesWithStandard += event.cycles;
  }
  for (const { skuId, of, cyclesPerUnit } of lateRejects(ordered, shift)) {
    const sum = perSku.get(skuId);
    if (!sum) continue;
    sum.late += 1;
    sum.lateMs += (standardOf(of) ?? 0) * cyclesPerUnit;
  }
  const missing = settled([...perSku.values()].map((sku) => sku.notGood));
  const skus = [...perSku.values()].map((sku, i) => ({ ...sku, defects: sku.defects + Math.max(0, missing[i] ?? 0) }));
  const add = (of: (sku: (typeof skus)[number]) => number) => skus.reduce((total, sku) => total + of(sku), 0);
  return {
    cycles: add((sku) => sku.cycles),
    totalUnits: add((sku) => sku.total),
    defectUnits: add((sku) => sku.defects),
    unitsWithoutTime,
    idealMs: add((sku) => sku.ideal) - withoutTimeMs,
    cyclesWithStandard,
    lostByDefectsMs: add((sku) => (sku.total === 0 ? 0 : ((sku.defects - sku.late) * sku.ideal) / sku.total) + sku.lateMs),
  };
}

/**
 * Unit by unit: the rejects in a shift for which the SKU at their time had no unit left in the shift. Each is one of the units made since the
 * SKU was set or, when these are used up, one of the SKU made before it.
 */
export function lateRejects(ordered: readonly MachineEvent[], shift: NaiveShift) {
  const made = new Made(shift);
  return ordered.flatMap((event) => {
    if (event.kind === "sku") made.change(event.skuId);
    if (event.kind !== "count") return [];
    made.make(event);
    const rejects = event.good === null ? event.defects : 0;
    return Array.from({ length: rejects }, () => made.reject(event.at)).filter((late) => late !== null);
  });
}

/** The units that can be rejected: those of the shift by SKU, those since the SKU was set, and the SKU before. */
class Made {
  readonly #shift: NaiveShift;
  readonly #inShift = new Map<string | null, number>();
  #sku = { id: null as string | null, cycles: 0, total: 0, left: 0 };
  #before: { id: string | null; cycles: number; total: number } | null = null;

  constructor(shift: NaiveShift) {
    this.#shift = shift;
  }

  change(id: string): void {
    if (id === this.#sku.id) return;
    if (this.#sku.total > 0) this.#before = this.#sku;
    this.#sku = { id, cycles: 0, total: 0, left: 0 };
  }

  make({ at, cycles, total }: { at: number; cycles: number; total: number }): void {
    this.#sku.cycles += cycles;
    this.#sku.total += total;
    this.#sku.left += total;
    if (this.#isInShift(at)) this.#addInShift(total);
  }

  /** Takes a unit away. Null: it is one of the SKU's in the shift, or the instant is in another shift. */
  reject(at: number): { at: number; skuId: string | null; of: string | null; cyclesPerUnit: number } | null {
    const sku = this.#sku;
    const hasOwn = sku.left > 0;
    if (hasOwn) sku.left -= 1;
    if (!this.#isInShift(at)) return null;
    if ((this.#inShift.get(sku.id) ?? 0) > 0) {
      this.#addInShift(-1);
      return null;
    }
    const of = hasOwn ? sku : (this.#before ?? sku);
    return { at, skuId: sku.id, of: of.id, cyclesPerUnit: of.total > 0 ? of.cycles / of.total : 1 };
  }

  #isInShift(at: number): boolean {
    return this.#shift.start <= at && at < this.#shift.end;
  }

  #addInShift(units: number): void {
    this.#inShift.set(this.#sku.id, (this.#inShift.get(this.#sku.id) ?? 0) + units);
  }
}

interface NaiveSku {
  cycles: number;
  total: number;
  defects: number;
  ideal: number;
  notGood: number;
  late: number;
  lateMs: number;
}

/** Units and length of the last ten minutes of running time of a shift. */
export function naiveRecent(machine: NaiveMachine, pieces: readonly NaivePiece[], shift: NaiveShift, asOf: number) {
  const timeless = withoutTime(machine);
  let recentMs = 0;
  let recentUnits = 0;
  const timed = machine.events.filter((event) => event.kind === "count").filter((event) => !timeless.has(event));
  for (let t = asOf - 1000; t >= shift.start && recentMs < 600_000; t -= 1000) {
    const piece = pieces.find((one) => one.start <= t && t < one.end);
    if (piece?.kind !== "available") continue;
    recentMs += 1000;
    for (const event of timed) if (event.at === t) recentUnits += event.total;
  }
  return { recentMs, recentUnits };
}

/** Time of each operator in one shift up to `asOf`, by id. */
export function naiveOperatorTimes(machine: NaiveMachine, pieces: readonly NaivePiece[], shift: NaiveShift, asOf: number) {
  const rows = new Map<number, { operatorId: number; uptimeMs: number; downtimeMs: number }>();
  const ordered = inOrder(machine.events);
  const from = Math.max(shift.start, machine.settings.commissionedAt);
  const to = asOf < shift.end ? asOf + 1000 : asOf;
  for (let t = from; t < to; t += 1000) {
    const piece = t < asOf ? pieces.find((one) => one.start <= t && t < one.end) : undefined;
    for (const operatorId of present(machine, ordered, shift, t)) {
      const row = rows.get(operatorId) ?? { operatorId, uptimeMs: 0, downtimeMs: 0 };
      const sum = piece ? bucket(piece) : null;
      if (sum === "availableMs") row.uptimeMs += 1000;
      if (sum === "programmedMs" || sum === "nonProgrammedMs") row.downtimeMs += 1000;
      rows.set(operatorId, row);
    }
  }
  return [...rows.values()].sort((a, b) => a.operatorId - b.operatorId);
}

/** What each operator produced in one shift, and the SKU of the latest production. */
export function naiveOperatorUnits(machine: NaiveMachine, shift: NaiveShift) {
  const made: Record<string, { units: number; skuId: string | null }> = {};
  const ordered = inOrder(machine.events);
  for (const [i, event] of ordered.entries()) {
    if (event.kind !== "count" || event.total === 0 || event.at < shift.start || event.at >= shift.end) continue;
    const skuId = ordered.slice(0, i).findLast((earlier) => earlier.kind === "sku")?.skuId ?? null;
    for (const id of present(machine, ordered, shift, event.at))
      made[id] = { units: (made[id]?.units ?? 0) + event.total, skuId };
  }
  return made;
}

/** The operators at the machine in a second: those who are signed in, else those planned. */
function present(machine: NaiveMachine, ordered: readonly MachineEvent[], shift: NaiveShift, t: number): number[] {
  const last = new Map<number, MachineEvent & { kind: "operator" }>();
  for (const event of ordered) if (event.kind === "operator" && event.at <= t) last.set(event.operatorId, event);
  const isOver = (since: number) => naiveShifts(machine).some(({ end }) => since < end && end <= t);
  const signedIn = [...last.values()]
    .filter(({ action, at }) => action === "in" && !(machine.settings.signOutAtShiftEnd && isOver(at)))
    .map(({ operatorId }) => operatorId);
  if (signedIn.length > 0) return signedIn;
  const planned = machine.settings.plan.filter((p) => p.shiftId === shift.shiftId && p.since <= t && t < p.until);
  return [...new Set(planned.map((p) => p.operatorId))];
}

function bucket({ kind, stop }: NaivePiece): "availableMs" | "noDataMs" | "programmedMs" | "nonProgrammedMs" | "otherMs" {
  if (kind === "available") return "availableMs";
  if (kind === "noData" || !stop) return "noDataMs";
  if (!stop.isIncludedInAvailability) return "otherMs";
  return stop.isProgrammed ? "programmedMs" : "nonProgrammedMs";
}

/** The times of which nothing is known: from a sample to the next one, or to the time that it covers. */
function silences({ settings, events, now }: NaiveMachine): { start: number; end: number }[] {
  const limit = settings.noDataAfterMs;
  if (limit === null) return [];
  const found: { start: number; end: number }[] = [];
  let before = settings.commissionedAt;
  for (const event of [...inOrder(events), { kind: "sample" as const, at: now }]) {
    if (event.kind === "operator" || event.kind === "sku") continue;
    const knownFrom = Math.max("since" in event ? (event.since ?? event.at) : event.at, before);
    if (knownFrom - before > limit + (settings.reportingMs ?? 0)) found.push({ start: before, end: knownFrom });
    before = event.at;
  }
  return found;
}

/** The counts of which nobody knows when they were made: the first ones after a silence that do not say it. What takes no longer than the time between counts was made then. */
function withoutTime(machine: NaiveMachine): Set<MachineEvent> {
  const ordered = inOrder(machine.events);
  return new Set(
    [...afterSilence(machine)].filter((event) => {
      if (event.kind !== "count" || event.cycles === 0) return true;
      const standard = standardAt(machine, ordered, ordered.indexOf(event));
      return event.cycles > 1 && (standard === null || event.cycles * standard > machine.settings.stopAfterMs);
    }),
  );
}

/** The standard in force for the count at an index. */
function standardAt({ settings }: NaiveMachine, ordered: readonly MachineEvent[], index: number): number | null {
  const skuId = ordered.slice(0, index).findLast((event) => event.kind === "sku")?.skuId ?? "";
  return new Map(Object.entries(settings.skuStandardsMs)).get(skuId) ?? settings.standardCycleMs;
}

function afterSilence(machine: NaiveMachine): Set<MachineEvent> {
  const found = new Set<MachineEvent>();
  const ended = silences(machine).map(({ end }) => end);
  let last = Number.NEGATIVE_INFINITY;
  for (const event of inOrder(machine.events)) {
    if (event.kind !== "count") continue;
    const isFirst = ended.some((end) => last < end && end <= event.at);
    const isBesideFirst = [...found].some(({ at }) => at === event.at);
    if (event.since === undefined && (isFirst || isBesideFirst)) found.add(event);
    if (event.since === undefined || event.cycles > 0 || machine.settings.signal === "states") last = event.at;
  }
  return found;
}

/** What a gap without counts ends with: the time that was covered by the counts after it, and since when they cover it. */
interface Closing {
  at: number;
  since: number;
  /** In ms; infinite without a standard. */
  needed: number;
}

/** The ends of the gaps between counts, in order. Of the counts of one instant, those after one that covers nothing cover nothing either. */
function closings(machine: NaiveMachine): Closing[] {
  const ordered = inOrder(machine.events);
  const timeless = afterSilence(machine);
  const closing = ordered.flatMap((event, i) => {
    const covered =
      event.kind === "count" ? coveredBy(machine, event, standardAt(machine, ordered, i), timeless.has(event)) : null;
    return covered ?? [];
  });
  const found: Closing[] = [];
  for (const [at, together] of Map.groupBy(closing, (one) => one.at)) {
    const shut = together.findIndex(({ since }) => since === at);
    const covering = together.slice(0, shut === -1 ? together.length : shut);
    const since = Math.min(at, ...covering.map((one) => one.since));
    found.push({ at, since, needed: covering.reduce((sum, one) => sum + one.needed, 0) });
  }
  return found;
}

/** What a count covers, from its `at` on if that is nothing; null if it does not end a gap. */
function coveredBy(
  { settings }: NaiveMachine,
  event: MachineEvent & { kind: "count" },
  standard: number | null,
  isTimeless: boolean,
): Closing | null {
  const { at, cycles } = event;
  const supplied = settings.reportingMs && !isTimeless ? at - settings.reportingMs : at;
  const since = event.since ?? supplied;
  if (since === at) return { at, since, needed: 0 };
  return cycles === 0 ? null : { at, since, needed: standard === null ? Number.POSITIVE_INFINITY : cycles * standard };
}

function isSilent(silent: ReturnType<typeof silences>, t: number): boolean {
  return silent.some(({ start, end }) => start <= t && t < end);
}

function byCounts(machine: NaiveMachine): (t: number) => Second {
  const { commissionedAt, stopAfterMs, reportingMs = 0 } = machine.settings;
  const silent = silences(machine);
  const closed = closings(machine);
  const none: Second = { kind: "noData", stopId: "", stop: null };
  const running: Second = { kind: "available", stopId: "", stop: null };
  return (t) => {
    const start = closed.findLast(({ at }) => at <= t)?.at ?? commissionedAt;
    const end = closed.find(({ at }) => at > t);
    const knownFrom = end ? Math.max(start, end.since) : machine.now;
    const runningFrom = end ? Math.max(knownFrom, end.at - end.needed) : machine.now;
    if (t >= runningFrom) return running;
    if (t < knownFrom && isSilent(silent, t)) return none;
    const isStop = runningFrom - start > stopAfterMs + (end ? 0 : reportingMs);
    return isStop ? { kind: "stop", stopId: `gap ${start}`, stop: plain(false) } : running;
  };
}

function byStates(machine: NaiveMachine): (t: number) => Second {
  const states = inOrder(machine.events).filter((e) => e.kind === "state");
  const stateAt = (t: number) => states.findLast((e) => e.at <= t)?.state ?? "unavailable";
  const { commissionedAt, stopAfterMs } = machine.settings;
  const silent = silences(machine);
  const seconds: (string | null)[] = [];
  for (let t = commissionedAt; t < machine.now; t += 1000) {
    const state = stateAt(t);
    seconds.push(isSilent(silent, t) || state === "unavailable" ? null : state);
  }
  const isStill = (i: number) => seconds[i] !== null && seconds[i] !== undefined && seconds[i] !== "running";
  // A spell is identified by its first second, and every second of it knows its total length.
  const spellOf: { first: number; lengthMs: number }[] = [];
  for (let i = 0; i < seconds.length; i++) {
    if (!isStill(i)) continue;
    let last = i;
    while (isStill(last + 1)) last++;
    for (let j = i; j <= last; j++) spellOf[j] = { first: i, lengthMs: (last + 1 - i) * 1000 };
    i = last;
  }
  return (t) => {
    const i = (t - commissionedAt) / 1000;
    const spell = spellOf[i];
    if (seconds[i] === null) return { kind: "noData", stopId: "", stop: null };
    if (!spell || spell.lengthMs <= stopAfterMs) return { kind: "available", stopId: "", stop: null };
    const isProgrammed = seconds[i] === "setup" || seconds[i] === "maintenance";
    return { kind: "stop", stopId: `spell ${spell.first} ${isProgrammed}`, stop: plain(isProgrammed) };
  };
}

/** Manual stops first; then breaks, within stops by the signals. */
function withPeople({ manual }: NaiveMachine, shifts: readonly NaiveShift[], t: number, second: Second): Second {
  for (const [i, { start, end, isProgrammed, isIncludedInAvailability }] of manual.entries()) {
    if (start <= t && t < end) {
      return {
        kind: "stop",
        stopId: `manual ${i}`,
        stop: { isManual: true, isProgrammed, isIncludedInAvailability, breakName: null },
      };
    }
  }
  if (second.kind !== "stop") return second;
  const shift = shifts.find((one) => one.start <= t && t < one.end);
  const breaks = shift?.breaks.filter((b) => b.start <= t && t < b.end).sort((a, b) => a.start - b.start) ?? [];
  const [planned] = breaks;
  if (!planned) return second;
  const { name, isIncludedInAvailability } = planned;
  const stop = { isManual: false, isProgrammed: true, isIncludedInAvailability, breakName: name };
  return { kind: "stop", stopId: `${second.stopId} break ${name} ${planned.start}`, stop };
}

function plain(isProgrammed: boolean): NaiveStop {
  return { isManual: false, isProgrammed, isIncludedInAvailability: true, breakName: null };
}

function inOrder(events: readonly MachineEvent[]): MachineEvent[] {
  // Samples and counts have no order among themselves, other than by their content: the first one of an instant ends the silence before it.
  const ranks: Partial<Record<MachineEvent["kind"], number>> = { sku: 0, operator: 1, state: 2 };
  const key = (e: MachineEvent) => String(e.at).padStart(16, "0") + (ranks[e.kind] ?? 3) + JSON.stringify(sentAs.get(e) ?? e);
  return [...events].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

function clock(text: string): number {
  const [hours = 0, minutes = 0] = text.split(":").map(Number);
  return (hours * 60 + minutes) * 60_000;
}

/** The time from one time of day forward to the next occurrence of another: a whole day if they are equal. */
function forward(from: number, to: number): number {
  return to > from ? to - from : to + DAY - from;
}
