import fc from "fast-check";
import { expect } from "vitest";
import type { IncomingEvent, SentEvent } from "../../src/objects/machine-protocol.ts";
import { machineStates } from "../../src/oee/events.ts";
import type { Settings } from "../../src/oee/settings.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../support/clock.ts";
import { commands, finer, otherSetUp, pick, type Story, setUps, someShifts, starts } from "./model-commands.ts";
import { createPlant, type Plant, type SetUp, shiftMenu } from "./model-plant.ts";

// A plant that is put right afterwards, held against the model, which computes everything anew from what was right all the time.

/** What people say meanwhile of stops, units, runs and operators, and events that are late, or should never have been sent. */
const sayings = [
  ...(["classify", "mark", "record", "split", "merge", "delete", "orphan"] as const),
  ...(["correct", "undoCorrection", "amend", "undoAmendment", "withdraw", "restore", "import", "undoImport"] as const),
];

interface Said {
  kind: (typeof sayings)[number];
  parts: readonly [number, number, number];
}

interface CalendarDay {
  /** Which day before the start. */
  ago: number;
  isOfMachine: boolean;
  /** Its shifts, by part of the menu; null: those of its weekday. */
  shifts: number | null;
}

/** What was so, what was said instead, and in which order it is put right. */
export interface History {
  right: SetUp;
  /** Each makes another thing of the set-up wrong. */
  mistakes: readonly number[];
  factor: { right: number; wrong: number };
  days: { right: readonly CalendarDay[]; wrong: readonly CalendarDay[] };
  start: number;
  hours: number;
  /** Seeds of the events, and the share of them that is late. */
  events: number;
  late: number;
  said: readonly Said[];
  /** One for each thing that is done. */
  order: readonly number[];
}

const part = fc.noBias(fc.integer({ min: 0, max: 9999 })).map((n) => n / 10_000);

export function histories(signal: Settings["signal"]): fc.Arbitrary<History> {
  const day = fc.record({ ago: fc.nat(4), isOfMachine: fc.boolean(), shifts: fc.option(part) });
  const days = fc.array(day, { maxLength: 2 });
  return fc.record({
    right: setUps(signal),
    mistakes: fc.array(part, { minLength: 1, maxLength: 5 }),
    factor: fc.record({ right: fc.constantFrom(1, 2, 3), wrong: fc.constantFrom(1, 2) }),
    days: fc.record({ right: days, wrong: days }),
    start: fc.constantFrom(...starts),
    // Events of more than two days ago are archived, and recalculated in steps.
    hours: fc.constantFrom(10, 30, 70, 110),
    events: part,
    late: fc.constantFrom(0, 0.1, 0.4),
    said: fc.array(fc.record({ kind: fc.constantFrom(...sayings), parts: fc.tuple(part, part, part) }), { maxLength: 8 }),
    order: fc.array(part, { minLength: 30, maxLength: 30 }),
  });
}

/** An event as it was sent, and as it counts. */
interface Sent {
  known: IncomingEvent & { pulses?: number };
  sent: SentEvent;
}

/** The events of a machine from its commissioning on. */
function eventsOf(history: History, plant: Plant): Sent[] {
  const { start, hours, events: seed } = history;
  const all: Sent[] = [];
  for (let at = start - hours * HOUR, n = 0; ; n++) {
    const random = finer(seed * 31 + n * 0.618_034 + 0.07, 1);
    const isSilent = finer(random, 100) < 0.06;
    const gap = isSilent ? finer(random, 13) ** 2 * 9 * HOUR : (0.1 + finer(random, 19)) * 14 * MINUTE;
    at += Math.max(1, Math.floor(gap / (15 * SECOND))) * 15 * SECOND;
    if (at > start) return all;
    const { known, sent } = eventOf(history, plant, at, random);
    all.push({ known: { ...known, id: `e${n}` }, sent: { ...sent, id: `e${n}` } });
  }
}

/** An event at an instant: mostly a count. */
function eventOf({ right, factor }: History, { ids }: Plant, at: number, random: number): Sent {
  const which = finer(random, 7);
  const id = null;
  const both = (known: IncomingEvent): Sent => ({ known, sent: known });
  if (which < 0.05) {
    const [skuId, workOrderId] = [pick(ids.skuIds, random) ?? "A", pick([null, ...ids.orderIds], finer(random, 10)) ?? null];
    return both({ id, content: `${skuId} ${workOrderId}`, event: { kind: "sku", at, skuId, workOrderId } });
  }
  if (which < 0.1) {
    const [operatorId, action] = [pick(ids.operatorIds, random) ?? 0, finer(random, 10) < 0.6 ? "in" : "out"] as const;
    return both({ id, content: `${action} ${operatorId}`, event: { kind: "operator", at, operatorId, action } });
  }
  if (which < 0.2 && right.signal === "states") {
    const state = pick(["running", "running", ...machineStates] as const, random) ?? "running";
    return both({ id, content: state, event: { kind: "state", at, state } });
  }
  const [value, channel] = [Math.floor(finer(random, 10) * 5), finer(random, 1000) < 0.15 ? 2 : 1];
  const units = value * factor.right;
  const made = channel === 1 ? { cycles: value, total: units, defects: 0 } : { cycles: 0, total: 0, defects: units };
  const event = value > 0 ? { kind: "count" as const, at, ...made, good: null } : { kind: "sample" as const, at };
  const content = `count ${ids.machineId} ${channel} ${value}`;
  return { known: { id, content, event, pulses: value }, sent: { id, at, nodeId: ids.machineId, channel, value } };
}

/** Plays a history. `isKilled`: the object is killed after everything that is done, and in the middle of each recalculation. */
export async function putRight(history: History, isKilled: boolean): Promise<void> {
  const { right, mistakes, factor, days, start, hours, late, said, order } = history;
  let wrong = right;
  for (const mistake of mistakes) wrong = { ...wrong, ...otherSetUp(wrong, mistake) };
  const plant = await createPlant(wrong, start - hours * HOUR, start);
  const story: Story = { plant, sent: [], ids: 0, moves: [] };
  await plant.changeSetUp(wrong);
  await plant.setFactor(factor.wrong);
  await plant.inObject(async () => {
    await plant.configure();
    for (const day of days.wrong) await setDay(plant, start, day, day.shifts);
  });
  const all = eventsOf(history, plant);
  const isLate = (_: Sent, i: number) => finer(history.events * 7 + i * 0.381_966, 1) < late;
  const send = async (events: readonly Sent[]) => {
    if (events.length === 0) return;
    story.sent.push(events.map(({ known }) => known));
    await plant.ingest(
      events.map(({ known }) => known),
      plant.version,
      events.map(({ sent }) => sent),
    );
  };
  const onTime = all.filter((one, i) => !isLate(one, i));
  const lateOnes = all.filter(isLate);
  await plant.inObject(async () => {
    const size = Math.ceil(onTime.length / 3);
    for (let i = 0; i < onTime.length; i += size) {
      await send(onTime.slice(i, i + size));
      await plant.ring();
      await plant.publish();
    }
  });
  const half = Math.ceil(lateOnes.length / 2);
  const todo: (() => Promise<void>)[] = [
    ...thingsOf(right, wrong).map((thing) => () => plant.date(thing(plant.setUp as SetUp), plant.model.commissionedAt, null)),
    () => plant.setFactor(factor.right),
    // Of two for the same day, the one that holds is said last.
    async () => {
      for (const day of days.wrong) await setDay(plant, start, day, null);
      for (const day of days.right) await setDay(plant, start, day, day.shifts);
    },
    () => send(lateOnes.slice(0, half)),
    () => send(lateOnes.slice(half)),
    ...said.map(
      ({ kind, parts }) =>
        () =>
          commands[kind](story, ...parts),
    ),
  ];
  const inTurn = todo.map((work, i) => ({ work, place: order[i] ?? 0 })).sort((a, b) => a.place - b.place);
  plant.isKilled = isKilled;
  for (const { work, place } of inTurn) {
    await plant.inObject(async () => {
      plant.pass(1 + Math.floor(finer(place, 100) * 60) * SECOND);
      await work();
      if (finer(place, 10) < 0.3 && !isKilled) await plant.ring();
    });
    if (!isKilled) continue;
    for (let isOver = false; !isOver; ) {
      await plant.evict();
      await plant.inObject(async () => {
        isOver = await plant.goOn(1 + Math.floor(finer(place, 1000) * 4));
      });
    }
  }
  await plant.inObject(() => plant.published());
  const wanted = withoutNames({ ...right, since: 0 });
  expect(plant.model.history.map((one) => withoutNames({ ...plant.setUp, ...one } as SetUp & { since: number }))).toEqual([
    wanted,
  ]);
  await plant.forget();
}

/** The settings that are wrong. */
function thingsOf(right: SetUp, wrong: SetUp): ((now: SetUp) => Partial<SetUp>)[] {
  const isWrong = (member: keyof SetUp) => JSON.stringify(right[member]) !== JSON.stringify(wrong[member]);
  const groups: (keyof SetUp)[][] = [
    ["stopAfterMs", "noDataAfterMs", "standardCycleMs", "signal"],
    ["timezone", "signOutAtShiftEnd", "productionDay"],
    ["skuStandardsMs"],
  ];
  const together = groups
    .filter((members) => members.some(isWrong))
    .map((members) => () => Object.fromEntries(members.map((member) => [member, right[member]])));
  const ids = shiftMenu.map(({ id }) => id);
  const shiftOf = (setUp: SetUp, id: number) => setUp.shifts.find((shift) => shift.id === id);
  const ofShifts = ids
    .filter((id) => JSON.stringify(shiftOf(right, id)) !== JSON.stringify(shiftOf(wrong, id)))
    .map((id) => (now: SetUp) => {
      const meant = shiftOf(right, id);
      const others = now.shifts.filter((shift) => shift.id !== id);
      return { shifts: [...others, ...(meant ? [meant] : [])].sort((a, b) => a.id - b.id) };
    });
  return [...together, ...ofShifts];
}

async function setDay(plant: Plant, start: number, { ago, isOfMachine }: CalendarDay, shifts: number | null): Promise<void> {
  await plant.setDay(Math.floor(start / DAY) - ago, isOfMachine, shifts === null ? null : someShifts(shifts));
}

function withoutNames({ since, timezone, signal, stopAfterMs, noDataAfterMs, ...rest }: SetUp & { since: number }) {
  const { standardCycleMs, skuStandardsMs, signOutAtShiftEnd, productionDay, shifts } = rest;
  const times = shifts.map(({ id, start, end, breaks }) => ({ id: id % 100, start, end, breaks }));
  return {
    ...{ since, timezone, signal, stopAfterMs, noDataAfterMs, standardCycleMs, skuStandardsMs, signOutAtShiftEnd, productionDay },
    shifts: times,
  };
}
