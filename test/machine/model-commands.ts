import fc from "fast-check";
import type { IncomingEvent, OrphanEdit, StopEdit } from "../../src/objects/machine-protocol.ts";
import { type CountEvent, type MachineEvent, machineStates } from "../../src/oee/events.ts";
import type { Settings } from "../../src/oee/settings.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../support/clock.ts";
import { LATE_LIMIT, type OwnDay } from "./model.ts";
import { localTime } from "./model-clock.ts";
import { createPlant, type Plant, type SetUp, shiftMenu } from "./model-plant.ts";

/** Times are multiples of it, so that some of them coincide. */
const GRID = 15 * SECOND;

/** A step: a command, and three numbers from 0 to 1 for its choices. */
export type Step = [kind: keyof typeof commands, a: number, b: number, c: number];

/** The initial state of a machine, and the steps to do. */
export interface Script {
  setUp: SetUp;
  /** When the object first learns of the machine, and the time since the commissioning. */
  start: number;
  agedHours: number;
  /** Whether the object is sent its set-up, or reads it when it is first called. */
  isConfigured: boolean;
  steps: Step[];
}

// Generators

export const starts = [
  Date.UTC(2040, 4, 16, 4, 30),
  // The nights in which clocks change: Madrid, New York.
  Date.UTC(2040, 2, 24, 15),
  Date.UTC(2040, 9, 27, 12),
  Date.UTC(2040, 10, 3, 18),
];

const limits = {
  stopAfterMs: fc.constantFrom(0, 15_000, 2 * MINUTE, 2 * MINUTE, 20 * MINUTE),
  noDataAfterMs: fc.constantFrom(null, 5 * MINUTE, 5 * MINUTE, HOUR),
};

export function setUps(signal: Settings["signal"]): fc.Arbitrary<SetUp> {
  const planned = fc.record({
    operatorId: fc.nat(1),
    shiftId: fc.constantFrom(1, 2, 3),
    since: fc.constantFrom(0, Date.UTC(2040, 4, 16, 9)),
    until: fc.constantFrom(Date.UTC(2040, 4, 17, 3), Number.MAX_SAFE_INTEGER),
  });
  return fc.record({
    ...limits,
    signal: fc.constant(signal),
    timezone: fc.constantFrom("UTC", "Europe/Madrid", "America/New_York"),
    standardCycleMs: fc.constantFrom(null, 12 * SECOND),
    skuStandardsMs: fc.constantFrom({}, { A: 9 * SECOND, B: 20 * SECOND }),
    shifts: fc.subarray(shiftMenu, { maxLength: 4 }),
    signOutAtShiftEnd: fc.constantFrom(true, true, false),
    productionDay: fc.constantFrom("calendarDay", "shiftStart", "shiftEnd"),
    plan: fc.array(planned, { maxLength: 2 }),
    decommissionedAt: fc.constant(null),
    countingFactor: fc.constantFrom(1, 2),
    isCounting: fc.constant(true),
  });
}

export function scripts(signal: Settings["signal"], length: number): fc.Arbitrary<Script> {
  const part = fc.noBias(fc.integer({ min: 0, max: 9999 })).map((n) => n / 10_000);
  const kinds = Object.entries(weights).flatMap(([kind, weight]) => new Array(weight).fill(kind as Step[0]));
  const step = fc.tuple(fc.noBias(fc.constantFrom(...kinds)), part, part, part);
  return fc.record({
    setUp: setUps(signal),
    start: fc.constantFrom(...starts),
    agedHours: fc.constantFrom(0, 0, 1, 8, 60, 60, 250, 250),
    isConfigured: fc.boolean(),
    steps: fc.array(step, { minLength: 1, maxLength: length, size: "max" }),
  });
}

// Playing

/** Plays a script, and compares the object with its model on the way and at the end. */
export async function play({ setUp, start, agedHours, isConfigured, steps }: Script): Promise<void> {
  const plant = await createPlant(setUp, start - agedHours * HOUR, start);
  const story: Story = { plant, sent: [], ids: 0, moves: [] };
  await plant.changeSetUp(setUp);
  await plant.inObject(() => (isConfigured ? plant.configure() : plant.state()));
  // A machine that is older than any late event begins with a history, some of which it has forgotten.
  const past = agedHours > 48 ? series(plant.model.commissionedAt, agedHours > 200 ? 150 * MINUTE : 40 * MINUTE, 100, start) : [];
  const counts = past.map((at, i) => countOf(story, at, finer(i / 7, 1)));
  if (counts.length > 0) {
    await plant.inObject(async () => {
      await send(story, counts);
      await plant.ring();
    });
  }
  let next = 0;
  while (next < steps.length) {
    await plant.inObject(async () => {
      for (let step = steps[next]; step && step[0] !== "evict"; step = steps[++next]) {
        const [kind, a, b, c] = step;
        plant.pass(Math.floor(c * 40) * SECOND);
        await commands[kind](story, a, b, c);
      }
      if (next >= steps.length) await plant.published();
    });
    if (steps[next]?.[0] === "evict") {
      await plant.evict();
      if (++next >= steps.length) await plant.inObject(() => plant.published());
    }
  }
}

export interface Story {
  plant: Plant;
  /** The batches sent so far. */
  sent: IncomingEvent[][];
  ids: number;
  /** Since when the machine's channels feed it, each time that they came back to it. */
  moves: number[];
}

export function pick<T>(list: readonly T[], part: number): T | undefined {
  return list[Math.floor(part * list.length)];
}

/** Derives another number from 0 to 1 from the lower digits of a part. */
export function finer(part: number, factor: number): number {
  return (part * factor) % 1;
}

/** An instant up to now: on the grid, often a recent one, and one in four at an edge. */
function timeAt({ plant: { model } }: Story, a: number): number {
  // One time in ten is long ago, if the machine is that old.
  const earliest = Math.max(model.commissionedAt, model.now - (finer(a, 1000) < 0.1 ? 30 * 24 * HOUR : LATE_LIMIT));
  if (finer(a, 10) < 0.25) {
    const edges = model.shifts().flatMap((shift) => [shift, ...shift.breaks].flatMap(({ start, end }) => [start, end]));
    const edge = pick(
      edges.filter((at) => earliest <= at && at <= model.now),
      a,
    );
    if (edge !== undefined) return edge + ((pick([-GRID, 0, 0, GRID], finer(a, 100)) ?? 0) || 0);
  }
  const ago = a ** 3 * (model.now - earliest);
  return Math.max(earliest, Math.floor((model.now - ago) / GRID) * GRID);
}

function countOf({ plant }: Story, at: number, part: number): IncomingEvent {
  const { countingFactor = 1, isCounting = true } = plant.setUp ?? {};
  const value = Math.floor(part * 4);
  const channel = pick(["total", "total", "defect", "good", "cycle"] as const, finer(part, 10)) ?? "total";
  const units = value * countingFactor;
  const count: CountEvent = {
    kind: "count",
    at,
    cycles: channel === "defect" || channel === "good" ? 0 : value,
    total: channel === "defect" || channel === "good" ? 0 : units,
    defects: channel === "defect" ? units : 0,
    good: finer(part, 50) < 0.5 ? null : channel === "good" ? units : 0,
  };
  const event: MachineEvent = value > 0 && isCounting ? count : { kind: "sample", at };
  return { id: null, content: `count ${channel} ${value} ${count.good === null}`, event };
}

/** The counters of the machine. They go on at a steady rate and are reset every few hours, or wrap: none counts so much that it is held. */
const counters = [
  { name: "1:1", everyMs: 12 * SECOND, resetMs: 3 * HOUR, perPulse: { cycles: 1, total: 1, defects: 0, good: null } },
  { name: "1:2", everyMs: 4 * MINUTE, resetMs: 9 * HOUR, perPulse: { cycles: 0, total: 0, defects: 1, good: null } },
  {
    name: "1:3",
    everyMs: 5 * SECOND,
    wrapsAt: 256,
    pulsesPerCycle: 2,
    perPulse: { cycles: 0, total: 1, defects: 0, good: null },
  },
] as const;

/** A reading of a counter. Half of them are off by some pulses, so that they contradict others now and then. */
function readingOf({ plant, moves }: Story, at: number, part: number): IncomingEvent {
  const { countingFactor = 1, isCounting = true } = plant.setUp ?? {};
  const one = pick([counters[0], counters[0], counters[1], counters[2]], finer(part, 10)) ?? counters[0];
  const { cycles, total, defects } = one.perPulse;
  const off = Math.max(0, Math.floor(finer(part, 100) * 8) - 4);
  const passed = at - plant.model.commissionedAt;
  const wraps = "wrapsAt" in one ? { at: one.wrapsAt, pulsesPerCycle: one.pulsesPerCycle } : null;
  const shown = Math.floor(("resetMs" in one ? passed % one.resetMs : passed) / one.everyMs) + off;
  const value = wraps ? shown % wraps.at : shown;
  const event: MachineEvent = {
    ...{ kind: "reading", at, value, counter: one.name, fedSince: moves.findLast((since) => since <= at) ?? 0 },
    perPulse: isCounting ? { cycles, total: total * countingFactor, defects: defects * countingFactor, good: null } : null,
    ...(wraps && { wraps }),
  };
  return { id: null, content: `reading ${one.name} ${value}`, event };
}

/** A count in one of its two forms. */
function countOrReading(story: Story, at: number, part: number): IncomingEvent {
  return finer(part, 3) < 0.5 ? countOf(story, at, part) : readingOf(story, at, part);
}

function heartbeat(at: number): IncomingEvent {
  return { id: null, content: "heartbeat", event: { kind: "sample", at } };
}

/** A state, unless the machine takes none or already has one at that instant: the first of two would not be visible. */
function stateAt({ plant }: Story, at: number, part: number): IncomingEvent[] {
  const isTaken = plant.model.heard.some(({ event }) => event.kind === "state" && event.at === at);
  if (plant.setUp?.signal !== "states" || isTaken) return [];
  const state = pick(["running", "running", ...machineStates] as const, part) ?? "running";
  return [{ id: null, content: state, event: { kind: "state", at, state } }];
}

async function send(story: Story, events: IncomingEvent[]): Promise<void> {
  if (events.length === 0) return;
  story.sent.push(events);
  await story.plant.ingest(events);
}

function series(from: number, everyMs: number, count: number, until: number): number[] {
  return Array.from({ length: count }, (_, i) => from + i * everyMs).filter((at) => at <= until);
}

/** An existing stop, or occasionally one that does not exist. */
function stopOf({ plant: { model } }: Story, part: number): { seq: number; start: number; end: number; version: number | null } {
  const stop = pick(model.stops, part);
  const version = finer(part, 100) < 0.1 ? -1 : finer(part, 100) < 0.5 ? (stop?.version ?? null) : null;
  const { seq = 999, start = model.now - HOUR, end = null } = stop ?? {};
  return { seq: finer(part, 1000) < 0.03 ? 999 : seq, start, end: end ?? model.now, version };
}

function flagsOf(part: number) {
  const flags = { isProgrammed: part > 0.5, isIncludedInStops: part > 0.2, isIncludedInAvailability: finer(part, 10) > 0.3 };
  const names = ["isProgrammed", "isIncludedInStops", "isIncludedInAvailability"] as const;
  return Object.fromEntries(names.filter((_, i) => finer(part, 7 ** (i + 2)) > 0.4).map((name) => [name, flags[name]]));
}

function causesOf(part: number) {
  const generalCauseId = part > 0.3 ? 1 : null;
  const specificCauseId = finer(part, 10) > 0.5 ? 2 : null;
  return { description: part > 0.7 ? "why" : null, generalCauseId, specificCauseId, componentId: part > 0.9 ? 3 : null };
}

/** An edit, a moment later: no two edits happen at the same instant. */
async function edit({ plant }: Story, edit: StopEdit | OrphanEdit): Promise<void> {
  plant.pass(7);
  await plant.edit(edit);
}

/** A change of the set-up, a moment after whatever just began. */
async function change({ plant }: Story, part: number, change: Partial<SetUp>): Promise<void> {
  plant.pass(11);
  await plant.changeSetUp(change);
  if (part < 0.7) await plant.configure();
}

/** Up to when the books are closed: the API refuses changes of the set-up of before that. */
function closedTo({ model }: Plant): number {
  return model.closings.at(-1)?.to ?? 0;
}

/** Whether D1 answers and knows that the machine has begun: from then on the set-up has a past. */
async function isFollowed(plant: Plant): Promise<boolean> {
  if (plant.failing > 0 || plant.model.newestAt() === null) return false;
  return await plant.isKnownToHaveBegun();
}

/** A set-up that differs in one thing. */
export function otherSetUp({ shifts, skuStandardsMs }: SetUp, part: number): Partial<SetUp> {
  const value = finer(part, 10);
  const other = finer(part, 100);
  const standards = skuStandardsMs as Record<string, number>;
  const [id, which] = [pick(["A", "B"], other) ?? "A", pick(shiftMenu, other) ?? shiftMenu[0]];
  const rest = shifts.filter((shift) => shift.id !== which?.id);
  const moved = (which && {
    ...which,
    start: pick(["06:30", "15:00", "21:00"], value) ?? which.start,
  }) as (typeof shifts)[number];
  const changes: Partial<SetUp>[] = [
    { stopAfterMs: pick([0, MINUTE, 5 * MINUTE, 30 * MINUTE], value) ?? 0 },
    { noDataAfterMs: pick([null, 4 * MINUTE, 30 * MINUTE], value) ?? null },
    { standardCycleMs: pick([null, 7 * SECOND, 25 * SECOND], value) ?? null },
    { skuStandardsMs: { ...standards, [id]: pick([4 * SECOND, 14 * SECOND, 40 * SECOND], value) ?? SECOND } },
    { skuStandardsMs: Object.fromEntries(Object.entries(standards).filter(([sku]) => sku !== id)) },
    { shifts: rest },
    { shifts: [...rest, which as (typeof shifts)[number]].sort((a, b) => a.id - b.id) },
    { shifts: [...rest, moved].sort((a, b) => a.id - b.id) },
    { timezone: pick(["UTC", "Europe/Madrid", "America/New_York"], value) ?? "UTC" },
    { signOutAtShiftEnd: value < 0.5 },
    { productionDay: pick(["calendarDay", "shiftStart", "shiftEnd"] as const, value) ?? "calendarDay" },
    { signal: value < 0.5 ? "counts" : "states" },
  ];
  return pick(changes, part) ?? {};
}

/** Instants at which something is about to happen: a limit is reached or passed, or an edge comes. */
function momentsAhead({ plant: { model } }: Story): number[] {
  const { stopAfterMs, noDataAfterMs } = model.settingsAt(model.now);
  const counted = model.heard.findLast(({ event }) => event.kind === "count")?.event.at ?? model.commissionedAt;
  const heard = model.newestAt() ?? model.commissionedAt;
  const edges = model.shifts().flatMap((shift) => [shift, ...shift.breaks].flatMap(({ start, end }) => [start, end]));
  const exact = [counted + stopAfterMs, heard + (noDataAfterMs ?? 0), ...edges.filter((at) => at > model.now).slice(0, 2)];
  return exact.flatMap((at) => [at - 1, at, at + 1]).filter((at) => at > model.now);
}

/** Some shifts for a calendar day. */
export function someShifts(part: number): OwnDay["shifts"] {
  return shiftMenu.filter((_, i) => finer(part, 3 ** (i + 1)) > 0.6).map(({ days: _, ...shift }) => shift);
}

export const commands = {
  async run(story: Story, a: number, b: number, c: number) {
    const everyMs = pick([GRID, 30 * SECOND, MINUTE, 2 * MINUTE, 7 * MINUTE], c) ?? MINUTE;
    const times = series(timeAt(story, a), everyMs, 1 + Math.floor(b * 40), story.plant.model.now);
    await send(
      story,
      times.map((at, i) => countOf(story, at, finer(b + i / 7, 1))),
    );
  },
  async recent(story: Story, a: number, b: number) {
    const { now } = story.plant.model;
    const times = series(Math.floor((now - a * HOUR) / GRID) * GRID, MINUTE, 60, now);
    const possible = times.filter((at) => at >= story.plant.model.commissionedAt);
    await send(
      story,
      possible.map((at, i) => countOf(story, at, finer(b + i / 7, 1))),
    );
  },
  /** A counter that is read again and again, on time or late. */
  async readings(story: Story, a: number, b: number, c: number) {
    const everyMs = pick([GRID, MINUTE, 2 * MINUTE, 20 * MINUTE], c) ?? MINUTE;
    const times = series(timeAt(story, a), everyMs, 1 + Math.floor(b * 40), story.plant.model.now);
    await send(
      story,
      times.map((at, i) => readingOf(story, at, finer(b + i / 7, 1))),
    );
  },
  async reading(story: Story, a: number, b: number) {
    await send(story, [readingOf(story, timeAt(story, a), b)]);
  },
  /** The channels fed another machine, and come back. */
  async move(story: Story) {
    const { model } = story.plant;
    story.plant.pass(13);
    // Events that were sent ahead of the clock keep their sensors.
    story.moves.push(Math.max(model.now, (model.newestAt() ?? 0) + 1));
  },
  async pulse(story: Story, a: number, b: number) {
    await send(story, [countOf(story, timeAt(story, a), b)]);
  },
  async heartbeats(story: Story, a: number, b: number) {
    const times = series(timeAt(story, a), 4 * MINUTE, 1 + Math.floor(b * 60), story.plant.model.now);
    await send(story, times.map(heartbeat));
  },
  async states(story: Story, a: number, b: number, c: number) {
    const everyMs = pick([MINUTE, 5 * MINUTE, 40 * MINUTE], c) ?? MINUTE;
    const times = series(timeAt(story, a), everyMs, 1 + Math.floor(b * 8), story.plant.model.now);
    await send(
      story,
      times.flatMap((at, i) => stateAt(story, at, finer(b + i / 5, 10))),
    );
  },
  async operator(story: Story, a: number, b: number, c: number) {
    const operatorId = pick(story.plant.ids.operatorIds, b) ?? 0;
    const action = c > 0.4 ? "in" : "out";
    await send(story, [
      { id: null, content: `${operatorId} ${action}`, event: { kind: "operator", at: timeAt(story, a), operatorId, action } },
    ]);
  },
  async sku(story: Story, a: number, b: number, c: number) {
    const skuId = pick(story.plant.ids.skuIds, b) ?? "";
    const workOrderId = pick([null, ...story.plant.ids.orderIds], c) ?? null;
    // Few distinct instants, so that SKU events often meet.
    const at = Math.max(story.plant.model.commissionedAt, Math.floor(timeAt(story, a) / HOUR) * HOUR);
    const events: IncomingEvent[] = [
      { id: null, content: `${skuId} ${workOrderId}`, event: { kind: "sku", at, skuId, workOrderId } },
    ];
    // Some senders do not know yet what was changed last.
    if (finer(b, 10) < 0.3 && story.plant.version > 1) await story.plant.ingest(events, story.plant.version - 1);
    else await story.plant.ingestKnown(events);
  },
  /** Closes or reopens an order. */
  async order({ plant }: Story, a: number, b: number) {
    plant.pass(11);
    await plant.closeOrReopen(pick(plant.ids.orderIds, a) ?? "");
    if (finer(b, 10) < 0.7) await plant.configure();
  },
  /** A run that begins ahead of the clock. */
  async skuAhead({ plant }: Story, a: number, b: number, c: number) {
    const skuId = pick(plant.ids.skuIds, b) ?? "";
    const workOrderId = pick(plant.ids.orderIds, c) ?? null;
    const at = plant.model.now + Math.ceil(a * 20) * GRID;
    await plant.ingestKnown([{ id: null, content: `${skuId} ${workOrderId}`, event: { kind: "sku", at, skuId, workOrderId } }]);
  },
  /** Cuts the run of an order, as a person's report of progress does. */
  async cut(story: Story, a: number, b: number, c: number) {
    const { plant } = story;
    const workOrderId = pick(plant.ids.orderIds, b) ?? "";
    const newest = plant.model.newestAt() ?? plant.model.now;
    // Often where a run begins or ends, sometimes ahead, and at the limit of what may be cut.
    const at = c < 0.6 ? timeAt(story, a) : pick([plant.model.now + 2 * MINUTE, newest - LATE_LIMIT, newest - LATE_LIMIT - 1], a);
    const edge = pick(plant.model.runs(), finer(a, 100));
    await plant.cutRun(workOrderId, (c > 0.9 && (edge?.endAt ?? edge?.startAt)) || (at ?? newest));
  },
  /** Counts that the machine cannot have made. */
  async glitch(story: Story, a: number, b: number, c: number) {
    const at = timeAt(story, a);
    const value = 5_000_000 + Math.floor(c * 10);
    const isDefect = b < 0.2;
    const units = isDefect ? { cycles: 0, total: 0, defects: value } : { cycles: value, total: value, defects: 0 };
    const id = c > 0.7 ? `glitch ${++story.ids}` : null;
    const glitch: IncomingEvent = {
      id,
      content: `count ${isDefect} ${value}`,
      event: { kind: "count", at, ...units, good: null },
    };
    await send(story, c < 0.5 ? [glitch] : [countOf(story, at, b), glitch, countOf(story, at, c)]);
  },
  /** Decides about held counts: all of a day, or some. */
  async decide({ plant }: Story, a: number, b: number) {
    const { held, now } = plant.model;
    const day = pick(held, a)?.day ?? Math.floor(now / (24 * HOUR));
    const all = held.filter((one) => one.day === day).map(({ seq }) => seq);
    plant.pass(7);
    const seqs = all.length > 0 ? all.slice(0, 1 + Math.floor(finer(b, 10) * all.length)) : [1];
    await plant.decideHeld(b < 0.7 ? "accept" : "drop", day, seqs);
  },
  /** The books are closed up to an instant: often at an edge of a shift, or a midnight. */
  async closeBooks(story: Story, a: number, b: number) {
    const { plant } = story;
    const at = timeAt(story, a);
    const edges = plant.model.shifts().flatMap(({ start, end }) => [start, end]);
    const edge = edges.findLast((one) => one <= at) ?? at;
    const to = pick(
      [at, edge, Math.floor(at / HOUR) * HOUR, localTime(plant.setUp?.timezone ?? "UTC", Math.floor(at / DAY), 0)],
      b,
    );
    plant.pass(5);
    // Shifts that come when they are running already, to a machine that had none, have the counts since they began.
    const isAnyShift = edges.some((one) => one < at) || at === plant.model.commissionedAt;
    if (to !== undefined && to <= at && isAnyShift) await plant.closeBooks(to);
  },
  async reopenBooks({ plant }: Story, a: number) {
    plant.pass(5);
    if (plant.model.closings.length > 0) await plant.reopenBooks(a < 0.2);
  },
  /** Decides about events that were held because their books were closed. */
  async decideClosed({ plant }: Story, a: number, b: number) {
    const { heldClosed, now } = plant.model;
    const day = pick(heldClosed, a)?.day ?? Math.floor(now / DAY);
    const seqs = heldClosed.filter((one) => one.day === day).map(({ seq }) => seq);
    plant.pass(7);
    const some = finer(b, 10) < 0.5 ? seqs : seqs.slice(0, 1 + Math.floor(finer(b, 100) * seqs.length));
    await plant.decideClosed(b < 0.8 ? "accept" : "drop", day, some.length > 0 ? some : [1]);
  },
  /** A person adds units, or takes some away. */
  async correct({ plant, ...story }: Story, a: number, b: number, c: number) {
    const at = c < 0.05 ? plant.model.now + 1000 : timeAt({ plant, ...story }, a);
    plant.pass(5);
    const skuId = pick([null, null, null, ...plant.ids.skuIds], finer(b, 10)) ?? null;
    const workOrderId = pick([null, null, null, ...plant.ids.orderIds], finer(b, 100)) ?? null;
    const total = pick([-1, -7, -40, 3, 12, 0], finer(c, 10)) ?? 0;
    await plant.correct({ at, skuId, workOrderId, total, defects: total === 0 || finer(c, 100) < 0.3 ? 2 : 0 });
  },
  async undoCorrection({ plant }: Story, a: number) {
    plant.pass(5);
    await plant.undoCorrection(pick(plant.model.corrections, a)?.seq ?? 1);
  },
  /** An event with an id is identified by it: another one with the same id is a conflict. */
  async named(story: Story, a: number, b: number, c: number) {
    const { now } = story.plant.model;
    // An id is remembered for as long as an event may be late, not forever.
    const id = `id ${Math.floor(c * 12)} of day ${Math.floor(now / (24 * HOUR))}`;
    const at = Math.max(timeAt(story, a), story.plant.model.commissionedAt, now - 20 * HOUR);
    await send(story, [{ ...countOrReading(story, at, b), id }, countOrReading(story, timeAt(story, b), a)]);
  },
  async again(story: Story, a: number, b: number) {
    const batch = pick(story.sent, a) ?? [];
    await send(story, b > 0.5 ? batch.toReversed() : batch.slice(0, Math.ceil(b * 2 * batch.length)));
  },
  async mixed(story: Story, a: number, b: number, c: number) {
    const times = [a, b, c, finer(a, 3), finer(b, 3)].map((part) => timeAt(story, part));
    const states = stateAt(story, times[0] ?? 0, b);
    await send(story, [...times.map((at, i) => (i % 2 ? heartbeat(at) : countOrReading(story, at, finer(c, i + 2)))), ...states]);
  },
  /** At the limits of accepted times: 48 h before the newest, the commissioning, the end of service. */
  async atTheLimit(story: Story, a: number, b: number) {
    const { model } = story.plant;
    const newest = model.newestAt() ?? model.now;
    const end = model.history.at(-1)?.decommissionedAt ?? model.commissionedAt;
    const limit = pick([newest - LATE_LIMIT, newest - LATE_LIMIT, model.commissionedAt, end], a) ?? newest;
    await send(
      story,
      [-1, 0, 1].map((by) => countOrReading(story, limit + by, finer(b + by / 3 + 1, 1))),
    );
  },
  /** A gateway's clock may be ahead by five minutes. */
  async ahead(story: Story, a: number, b: number) {
    const at = story.plant.model.now + Math.ceil(a * 20) * GRID;
    await send(story, [countOrReading(story, at, b), heartbeat(at - 2 * GRID)]);
  },
  async soon({ plant }: Story, a: number, b: number) {
    await plant.wait(plant.model.now + Math.ceil(a * 600) * SECOND, b < 0.5);
  },
  async wait({ plant }: Story, a: number, b: number) {
    await plant.wait(plant.model.now + Math.ceil(a ** 2 * 600) * MINUTE, b < 0.3);
  },
  async until(story: Story, a: number, b: number) {
    const moment = pick(momentsAhead(story), a);
    if (moment !== undefined) await story.plant.wait(moment, b < 0.3);
  },
  /** No alarm fires for hours. */
  async sleep({ plant }: Story, a: number) {
    plant.pass(Math.ceil(a ** 2 * 30 * 60) * MINUTE);
  },
  /** The clock is set back far enough that an alarm or an edge lies in between. */
  async setBack({ plant }: Story, a: number) {
    plant.setBack(Math.ceil(a ** 2 * 70) * MINUTE);
  },
  /** A past time is recalculated, step by step: nothing changes. */
  async recalculate(story: Story, a: number, b: number) {
    const [from, until] = [timeAt(story, a), timeAt(story, b)].sort((one, other) => one - other) as [number, number];
    await story.plant.recalculate(from, until);
  },
  async ring({ plant }: Story, a: number) {
    await plant.ring();
    if (a < 0.3) await plant.ring();
    else if (a > 0.7) await plant.publish();
  },
  async publish({ plant }: Story) {
    await plant.published();
  },
  /** Replaced in `play`, which evicts the object. */
  async evict() {},
  async outage({ plant }: Story, a: number, b: number) {
    plant.failing = 1 + Math.floor(a * 3);
    plant.isLost = b < 0.5;
  },
  async operators({ plant }: Story) {
    await plant.operators();
  },
  /** Queries the operators, and again after only time has passed: half of the time right when something begins or ends. */
  async watch(story: Story, a: number, b: number) {
    const { plant } = story;
    await plant.operators();
    const moment = b < 0.5 ? pick(momentsAhead(story), a) : undefined;
    plant.pass(moment === undefined ? Math.ceil(a ** 2 * 90 * 60) * SECOND : moment - plant.model.now);
    await plant.operators();
  },
  async state({ plant }: Story) {
    await plant.state();
  },
  async explain({ plant }: Story, a: number, b: number) {
    const { model } = plant;
    const starts = model.begunShifts().map(({ start }) => start);
    await plant.explain(b < 0.05 ? model.now + HOUR : (pick(starts, 1 - a ** 2 - 1e-9) ?? model.now));
  },
  async limits(story: Story, a: number, b: number) {
    const stopAfterMs = pick([0, MINUTE, 2 * MINUTE, 20 * MINUTE], a) ?? 0;
    const noDataAfterMs = pick([null, 5 * MINUTE, 20 * MINUTE], finer(a, 10)) ?? null;
    await change(story, b, { stopAfterMs, noDataAfterMs });
  },
  async standards(story: Story, a: number, b: number) {
    const skuStandardsMs = pick([{}, { A: 5 * SECOND }, { B: 30 * SECOND }], finer(a, 10)) as Record<string, number>;
    await change(story, b, { standardCycleMs: pick([null, 10 * SECOND, 30 * SECOND], a) ?? null, skuStandardsMs });
  },
  async shifts(story: Story, a: number, b: number) {
    const shifts = shiftMenu.filter((_, i) => finer(a, 3 ** (i + 1)) > 0.4);
    await change(story, b, { shifts });
  },
  async signOuts(story: Story, a: number, b: number) {
    await change(story, b, { signOutAtShiftEnd: a < 0.5 });
  },
  async productionDays(story: Story, a: number, b: number) {
    await change(story, b, { productionDay: pick(["calendarDay", "shiftStart", "shiftEnd"] as const, a) ?? "calendarDay" });
  },
  async timezone(story: Story, a: number, b: number) {
    await change(story, b, { timezone: pick(["UTC", "Europe/Madrid", "America/New_York"], a) ?? "UTC" });
  },
  async plan(story: Story, a: number, b: number) {
    const { now } = story.plant.model;
    const all = [1, 2, 3].map((shiftId, i) => ({ operatorId: i, shiftId, since: now - a * 9 * HOUR, until: now + b * 9 * HOUR }));
    await change(story, b, { plan: all.filter((_, i) => finer(a, 3 ** (i + 1)) > 0.4).map(whole) });
  },
  async signal(story: Story, a: number, b: number) {
    await change(story, b, { signal: a < 0.5 ? "counts" : "states" });
  },
  async counting(story: Story, a: number) {
    Object.assign(story.plant.setUp ?? {}, { countingFactor: 1 + Math.floor(a * 3), isCounting: finer(a, 10) > 0.2 });
  },
  /** Somebody says afterwards what the set-up was: in a time, or since then. */
  async date(story: Story, a: number, b: number, c: number) {
    const { plant } = story;
    if (!(await isFollowed(plant))) return;
    // Changes that are planned ahead begin and end by a job, which has tests of its own.
    const times = [timeAt(story, a), timeAt(story, finer(a, 100))].map((at) => Math.min(at, plant.model.now));
    const [from, until] = times.sort((one, other) => one - other) as [number, number];
    plant.pass(17);
    const change = otherSetUp(plant.setUp as SetUp, b);
    // From the commissioning on, where it was wrong from the start.
    const since = c < 0.3 ? plant.model.commissionedAt : from;
    if (since < closedTo(plant)) return;
    await plant.date(change, since, finer(c, 10) < 0.5 || until <= since ? null : until);
  },
  async withdrawVersion({ plant }: Story, a: number) {
    if (!(await isFollowed(plant))) return;
    const dated = pick(
      plant.versions.filter((one) => one.isExplicit && !one.isWithdrawn && one.validFrom >= closedTo(plant)),
      a,
    );
    plant.pass(17);
    if (dated) await plant.withdrawVersion(dated);
  },
  /** A day of the past or the next days gets shifts of its own. */
  async calendarDay(story: Story, a: number, b: number, c: number) {
    const { plant } = story;
    if (plant.failing > 0) return;
    const { commissionedAt, now } = plant.model;
    // Often it is one of two days that change at once, of which the other one is a holiday. At an old machine both are archived, and so far apart that
    // what is computed again of the first one does not reach the other one.
    const [oldest, newest] = [Math.floor(commissionedAt / DAY), Math.floor((now - LATE_LIMIT) / DAY) - 1];
    const isFar = newest - oldest >= 4 && finer(b, 1000) < 0.6;
    const day = isFar
      ? oldest + Math.floor(a * (newest - oldest - 3))
      : Math.floor(timeAt(story, a) / DAY) + (pick([0, 0, 0, 1, 2], finer(a, 100)) ?? 0);
    const gap = isFar ? 4 + Math.floor(finer(a, 100) * (newest - day - 3)) : (pick([-1, 1, 4, 5, 6], finer(b, 100)) ?? 1);
    const days = isFar || finer(a, 1000) < 0.4 ? [day, day + gap] : [day];
    if (days.some((one) => localTime(plant.model.settingsAt(one * DAY).timezone, one, 0) <= closedTo(plant))) return;
    // One that begins at midnight takes the rest of the night from the shift before.
    const starts = pick(["00:00", "00:00", "05:00", "09:30", "13:00", "22:00"], b) ?? "05:00";
    const some = someShifts(b);
    const shifts = pick([null, [], some, some.slice(0, 1).map((shift) => ({ ...shift, start: starts, breaks: [] }))], c) ?? null;
    plant.pass(17);
    await plant.setDays(
      days.map((one) => ({ day: one, shifts: one === day ? shifts : [] })),
      finer(c, 10) < 0.4,
    );
  },
  /** Today gets shifts of its own from midnight on, when nothing was sent since yesterday: no event says that the shift of the night is another one. */
  async silentNight({ plant }: Story, a: number, b: number, c: number) {
    const { model } = plant;
    const today = Math.floor(model.now / DAY) + 1;
    const midnight = localTime(model.settingsAt(model.now).timezone, today, 0);
    if (plant.failing > 0 || midnight <= closedTo(plant)) return;
    plant.pass(midnight + Math.ceil(a * 5 * 60) * MINUTE - model.now);
    await plant.publish();
    plant.pass(17);
    const some = shiftMenu.map(({ days: _, ...shift }) => ({ ...shift, start: "00:00", breaks: [] }));
    await plant.setDays([{ day: today, shifts: some.filter((_, i) => i === Math.floor(b * 6)) }], finer(c, 10) < 0.4);
    // An event that follows would have the night computed again.
    await plant.published();
  },
  /** A file with counts of a past time, some of which may be known. */
  async import(story: Story, a: number, b: number, c: number) {
    const everyMs = pick([30 * SECOND, MINUTE, 7 * MINUTE, HOUR], c) ?? MINUTE;
    const times = series(timeAt(story, a), everyMs, 1 + Math.floor(b * 60), story.plant.model.now);
    const known = finer(c, 10) < 0.3 ? (pick(story.sent, a) ?? []) : [];
    const events = [...known, ...times.map((at, i) => countOrReading(story, at, finer(b + i / 7, 1)))];
    if (story.plant.failing === 0) await story.plant.import(events);
  },
  async undoImport({ plant }: Story, a: number) {
    const known = pick(
      plant.imports.filter(({ isWithdrawn }) => !isWithdrawn),
      a,
    );
    plant.pass(5);
    if (known) await plant.withdrawImport(known);
  },
  /** Events of a time count for nothing any more. */
  async withdraw(story: Story, a: number, b: number, c: number) {
    const [from, to] = [timeAt(story, a), timeAt(story, finer(a, 100)) + 1].sort((one, other) => one - other) as [number, number];
    const ids = story.plant.model.heard.flatMap(({ id }) => (id !== null && finer(b, 7) < 0.5 ? [id] : []));
    const all = { from, to, nodeId: null, channel: null, kinds: null, minValue: null, importId: null, ids: null };
    const filters = [
      all,
      { ...all, kinds: ["count" as const] },
      { ...all, kinds: ["sku" as const, "operator" as const] },
      { ...all, kinds: ["heartbeat" as const, "state" as const] },
      { ...all, minValue: 2 + Math.floor(finer(b, 10) * 5) },
      { ...all, from: story.plant.model.commissionedAt, ids },
    ];
    story.plant.pass(5);
    await story.plant.withdraw(pick(filters, c) ?? all);
  },
  /** Somebody says afterwards what was made, or who was there. */
  async amend(story: Story, a: number, b: number, c: number) {
    const { plant } = story;
    const [from, to] = [timeAt(story, a), timeAt(story, finer(a, 100))].sort((one, other) => one - other) as [number, number];
    const [start, end] = [from, Math.max(to, from + GRID)];
    const inside = [b, finer(b, 10), finer(b, 100)].map((part) => start + Math.floor((part * (end - start)) / GRID) * GRID);
    plant.pass(5);
    if (c < 0.5) {
      const starts = [...new Set([start, ...inside.slice(0, Math.floor(c * 8))])].sort((one, other) => one - other);
      const runs = starts.map((at, i) => ({
        start: at,
        skuId: pick(plant.ids.skuIds, finer(c, 10 * (i + 1))) ?? "A",
        workOrderId: pick([null, ...plant.ids.orderIds], finer(c, 100 * (i + 1))) ?? null,
      }));
      await plant.amend({ kind: "runs", start, end, runs });
    } else {
      const there = inside.slice(0, Math.floor(finer(c, 2) * 4)).map((at, i) => {
        const until = Math.min(end, at + Math.ceil(finer(b, i + 2) * 300) * MINUTE);
        return { operatorId: pick(plant.ids.operatorIds, finer(c, 10 * (i + 1))) ?? 0, start: at, end: until };
      });
      await plant.amend({ kind: "presences", start, end, presences: there.filter((one) => one.start < one.end) });
    }
  },
  async undoAmendment({ plant }: Story, a: number) {
    const live = plant.model.amendments.filter(({ isUndone }) => !isUndone);
    plant.pass(5);
    await plant.undoAmendment(pick(live, a) ?? { kind: "runs", n: 99 });
  },
  async restore({ plant }: Story, a: number) {
    const holding = plant.model.withdrawals.filter(({ isRestored }) => !isRestored);
    plant.pass(5);
    await plant.restore(pick(holding, a)?.seq ?? 99);
  },
  /** The end of service is announced before it comes: shifts that began after it would keep their records. */
  /** It can be withdrawn or moved until it has come; afterwards the set-up refuses to change it. */
  async decommission(story: Story, a: number, b: number) {
    const { model, failing } = story.plant;
    const at = model.now + (1 + Math.floor(b * 600)) * MINUTE;
    const end = story.plant.setUp?.decommissionedAt ?? null;
    if (failing === 0 && (end === null || model.now < end)) await change(story, 0, { decommissionedAt: a < 0.5 ? null : at });
  },
  async classify(story: Story, a: number, b: number, c: number) {
    const { seq, version } = stopOf(story, a);
    await edit(story, { action: "classify", seq, version, causes: b < 0.25 ? null : causesOf(b), flags: flagsOf(c) });
  },
  /** Some stops, of which somebody changed one since, get the causes that are named. */
  async classifyMany({ plant }: Story, a: number, b: number, c: number) {
    const some = plant.model.stops.filter((_, i) => finer(a + i * 0.618_034, 1) < 0.2 + b);
    const last = finer(a, 100) < 0.1 ? [{ seq: 999, version: 1 }] : [];
    const stops = some
      .slice(-40)
      .map(({ seq, version }, i) => ({ seq, version: finer(b + i / 7, 10) < 0.05 ? version + 1 : version }));
    const causes = pick(
      [
        { generalCauseId: 1 },
        { generalCauseId: 4 },
        { specificCauseId: 2 },
        { specificCauseId: 5 },
        { generalCauseId: 1, specificCauseId: 2 },
        { specificCauseId: null },
        { generalCauseId: null },
        {},
      ],
      c,
    );
    const componentId = pick([undefined, undefined, 3, null], finer(c, 100));
    // The API refuses a request that names nothing but what is taken away.
    const isNothing = componentId !== 3 && Object.values(causes ?? {}).every((id) => id === null);
    const description = isNothing ? "many" : pick([undefined, undefined, "many", null], finer(c, 10));
    const named = {
      ...causes,
      ...(description !== undefined && { description }),
      ...(componentId !== undefined && { componentId }),
    };
    plant.pass(7);
    await plant.classifyMany([...stops, ...last], named, finer(b, 100) < 0.3);
  },
  async undoMany({ plant }: Story, a: number, b: number) {
    plant.pass(7);
    const bulk = pick(plant.bulks, a);
    if (bulk !== undefined) await plant.undoMany(bulk, b < 0.3);
  },
  async mark(story: Story, a: number, b: number) {
    const { seq, version } = stopOf(story, a);
    const name = pick([undefined, null, "Jam"], finer(b, 10));
    await edit(story, { action: "change", seq, version, flags: flagsOf(b), ...(name !== undefined && { name }) });
  },
  async record(story: Story, a: number, b: number, c: number) {
    const start = timeAt(story, a);
    const end = start + Math.ceil(b ** 2 * 400) * MINUTE;
    // Stops that are recorded ahead have tests of their own.
    const until = Math.min(end, story.plant.model.now);
    const causes = c < 0.5 ? null : causesOf(c);
    if (until > start) await edit(story, { action: "record", start, end: until, name: null, causes, flags: flagsOf(b) });
  },
  async split(story: Story, a: number, b: number) {
    const { seq, version, start, end } = stopOf(story, a);
    const at = start + Math.floor(((end - start) * (b * 1.1 - 0.05)) / GRID) * GRID;
    await edit(story, { action: "split", seq, version, at });
  },
  async merge(story: Story, a: number, b: number) {
    const { stops } = story.plant.model;
    const adjoining = stops.flatMap((stop, i) => (stops[i + 1]?.start === stop.end ? [[stop.seq, stops[i + 1]?.seq ?? 0]] : []));
    const any = stops.length > 1 ? [stops[0]?.seq ?? 0, stops.at(-1)?.seq ?? 0] : [998, 999];
    await edit(story, { action: "merge", seqs: (b < 0.9 && pick(adjoining, a)) || any });
  },
  /** Puts what was said of a stop that is gone on another one, or forgets it. */
  async orphan(story: Story, a: number, b: number) {
    const { edits } = story.plant.model;
    const orphans = edits.filter(({ over, orphan }) => over === null && orphan !== null);
    const n = (b < 0.95 ? pick(orphans, a)?.n : edits.length) ?? 1;
    if (b < 0.3) await edit(story, { action: "drop", n });
    else await edit(story, { action: "attach", seq: stopOf(story, finer(a, 10)).seq, version: null, n });
  },
  async delete(story: Story, a: number, b: number) {
    const { manual, stops } = story.plant.model;
    const recorded = stops.filter(({ start }) => manual.some((one) => one.start <= start && start < one.end));
    const { seq, version } = pick(recorded, a) ?? stopOf(story, a);
    await edit(story, { action: "delete", seq, version: b < 0.1 ? -1 : version });
  },
} satisfies Record<string, (story: Story, a: number, b: number, c: number) => Promise<void>>;

const weights: Record<keyof typeof commands, number> = {
  ...{
    run: 14,
    recent: 16,
    readings: 14,
    reading: 20,
    move: 2,
    pulse: 20,
    heartbeats: 10,
    states: 14,
    operator: 12,
    sku: 9,
    cut: 7,
    order: 7,
    skuAhead: 3,
    named: 10,
    again: 14,
    mixed: 14,
    glitch: 4,
    decide: 4,
    correct: 5,
    undoCorrection: 2,
    recalculate: 6,
  },
  ...{ atTheLimit: 6, ahead: 7, soon: 3, wait: 3, until: 3, sleep: 3, setBack: 2, ring: 2, publish: 2, evict: 3, outage: 3 },
  ...{
    operators: 10,
    watch: 8,
    state: 6,
    explain: 10,
    limits: 1,
    standards: 1,
    shifts: 1,
    timezone: 1,
    plan: 1,
    signal: 1,
    signOuts: 1,
    productionDays: 1,
  },
  ...{
    date: 6,
    withdrawVersion: 2,
    calendarDay: 8,
    silentNight: 3,
    import: 5,
    undoImport: 2,
    withdraw: 5,
    restore: 3,
    amend: 6,
    undoAmendment: 3,
    closeBooks: 6,
    reopenBooks: 4,
    decideClosed: 5,
  },
  ...{
    counting: 3,
    decommission: 1,
    classify: 3,
    classifyMany: 4,
    undoMany: 4,
    mark: 3,
    record: 5,
    split: 3,
    merge: 3,
    delete: 2,
    orphan: 3,
  },
};

function whole<T extends { since: number; until: number }>(planned: T): T {
  return { ...planned, since: Math.floor(planned.since), until: Math.floor(planned.until) };
}
