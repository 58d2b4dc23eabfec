import type { MachineEvent } from "../../src/oee/events.ts";
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
export function naiveProduction({ settings, events }: NaiveMachine, shift: NaiveShift) {
  const ordered = inOrder(events);
  const skuAt = (index: number) => ordered.slice(0, index).findLast((event) => event.kind === "sku")?.skuId ?? null;
  const standardOf = (skuId: string | null) =>
    new Map(Object.entries(settings.skuStandardsMs)).get(skuId ?? "") ?? settings.standardCycleMs;
  const perSku = new Map<string | null, NaiveSku>();
  let cyclesWithStandard = 0;
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
    if (standard !== null) cyclesWithStandard += event.cycles;
    perSku.set(skuId, sum);
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
    idealMs: add((sku) => sku.ideal),
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
  let recentMs = 0;
  let recentUnits = 0;
  for (let t = asOf - 1000; t >= shift.start && recentMs < 600_000; t -= 1000) {
    const piece = pieces.find((one) => one.start <= t && t < one.end);
    if (piece?.kind !== "available") continue;
    recentMs += 1000;
    for (const event of machine.events) if (event.kind === "count" && event.at === t) recentUnits += event.total;
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

/** The start of the gap longer than `limit` between neighbours of `times` that contains a second, or null. */
function gapAt({ settings, now }: NaiveMachine, times: readonly number[], t: number, limit: number): number | null {
  let before = settings.commissionedAt;
  let after = now;
  for (const time of times) {
    if (time <= t && time > before) before = time;
    if (time > t && time < after) after = time;
  }
  return after - before > limit ? before : null;
}

function isSilent(machine: NaiveMachine, t: number): boolean {
  const { noDataAfterMs } = machine.settings;
  const samples = machine.events.filter((e) => e.kind !== "operator" && e.kind !== "sku").map((e) => e.at);
  return noDataAfterMs !== null && gapAt(machine, samples, t, noDataAfterMs) !== null;
}

function byCounts(machine: NaiveMachine): (t: number) => Second {
  const counts = machine.events.filter((e) => e.kind === "count").map((e) => e.at);
  return (t) => {
    if (isSilent(machine, t)) return { kind: "noData", stopId: "", stop: null };
    const gap = gapAt(machine, counts, t, machine.settings.stopAfterMs);
    if (gap === null) return { kind: "available", stopId: "", stop: null };
    return { kind: "stop", stopId: `gap ${gap}`, stop: plain(false) };
  };
}

function byStates(machine: NaiveMachine): (t: number) => Second {
  const states = inOrder(machine.events).filter((e) => e.kind === "state");
  const stateAt = (t: number) => states.findLast((e) => e.at <= t)?.state ?? "unavailable";
  const { commissionedAt, stopAfterMs } = machine.settings;
  const seconds: (string | null)[] = [];
  for (let t = commissionedAt; t < machine.now; t += 1000) {
    const state = stateAt(t);
    seconds.push(isSilent(machine, t) || state === "unavailable" ? null : state);
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
  const kinds = ["sku", "operator", "state", "sample", "count"];
  const key = (e: MachineEvent) => String(e.at).padStart(16, "0") + kinds.indexOf(e.kind) + JSON.stringify(e);
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
