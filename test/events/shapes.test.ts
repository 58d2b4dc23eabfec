import { describe, expect, it, test } from "vitest";
import type { z } from "zod";
import { seededRandom } from "../../scripts/random.ts";
import { recordId } from "../../src/core/record-id.ts";
import { eventTypeNumbers, eventTypes } from "../../src/db/values.ts";
import { catalogue } from "../../src/events/catalogue.ts";
import { aboutOf, decodeData, type EventData, encodeData, firstPlaceOf } from "../../src/events/shapes.ts";
import { eventOf, numberedOf, rowOf } from "../../src/events/stored.ts";
import { isoOf } from "../../src/oee/time.ts";

const RUNS = 200;
const machineId = 12;
const lineId = 3;

const isName = (member: string) => member.endsWith("Name") && member !== "breakName";
const isTime = (schema: z.ZodType) =>
  schema.safeParse("2026-03-02T09:14:05.000Z").success && !schema.safeParse("no time").success;

/** Data of a type as the catalogue has them, with random values, and null wherever they may be. */
function randomData(type: (typeof eventTypes)[number], random: () => number, at: number): EventData {
  const { data, example } = catalogue[type];
  const whole = (below: number) => Math.floor(random() * below);
  const ofMachine: EventData = { machineId, lineId, stopId: recordId(machineId, 1 + whole(1e6)) };
  Object.assign(ofMachine, { recordId: ofMachine.stopId, heldId: ofMachine.stopId });
  const randomValue = (schema: z.ZodType, known: unknown): unknown => {
    if (isTime(schema)) return isoOf(at - whole(1e9) + whole(1e8));
    if (typeof known === "boolean") return random() < 0.5;
    if (typeof known === "number") return Number.isInteger(known) ? whole(1e6) : Math.round(random() * 1e4) / 100;
    if (Array.isArray(known))
      return Array.from({ length: whole(4) }, () => (typeof known[0] === "string" ? `text ${whole(9)}` : whole(1e4)));
    if (typeof known === "object" && known !== null) return { minutes: whole(100), message: random() < 0.5 ? null : "Ñandú ✓" };
    return schema.safeParse("any text").success ? `"text" ${whole(1e6)} ✓` : (known ?? whole(1e6));
  };
  const valueFor = (member: string, schema: z.ZodType): unknown => {
    if (member in ofMachine) return ofMachine[member];
    if (isName(member) || (schema.safeParse(null).success && random() < 0.5)) return null;
    return randomValue(schema, example[member]);
  };
  const made: EventData = {};
  for (const [member, schema] of Object.entries(data.shape)) {
    if (member !== "changes") made[member] = valueFor(member, schema as z.ZodType);
  }
  if (!("changes" in data.shape)) return made;
  const fixed = [
    "machineId",
    "machineName",
    "lineId",
    "lineName",
    "stopId",
    "recordId",
    "shiftId",
    "shiftName",
    "isRemoved",
    "reasons",
  ];
  const members = Object.keys(made).filter((member) => {
    const isTimeOfShift = type.startsWith("shift.") && ["since", "until"].includes(member);
    return !fixed.includes(member) && !isTimeOfShift && !isName(member);
  });
  const changed = members.filter(() => random() < 0.3);
  made.changes = Object.fromEntries(
    changed.map((member) => [
      member,
      { from: random() < 0.3 ? null : valueFor(member, data.shape[member] as z.ZodType), to: made[member] },
    ]),
  );
  return made;
}

describe.each(eventTypes)("the data of %s", (type) => {
  test("are stored as an array without loss, whatever is null", () => {
    const random = seededRandom("shapes", type);
    for (let run = 0; run < RUNS; run++) {
      const at = Date.UTC(2026, 2, 2) + Math.floor(random() * 1e9);
      const data = randomData(type, random, at);
      const columns = { machineId, lineId, at };
      const stored = encodeData(type, data, columns);
      expect(stored, JSON.stringify(data)).not.toBeNull();
      const read = decodeData(type, JSON.parse(JSON.stringify(stored)), columns);
      expect(read).toEqual(data);
      expect(catalogue[type].data.safeParse(read).error).toBeUndefined();
    }
  });

  test("are stored as they are if they have another member, or lack one", () => {
    const at = Date.UTC(2026, 2, 2);
    const data = randomData(type, seededRandom("other", type), at);
    const [first = ""] = Object.keys(data);
    const { [first]: _, ...fewer } = data;
    for (const other of [{ ...data, later: 1 }, fewer, {}]) {
      const event = { id: "some-id", companyId: 1, machineId, type, at, data: other };
      const row = rowOf(event);
      expect(row).toMatchObject({ form: 0, key: "some-id", data: JSON.stringify(other) });
      expect(eventOf({ ...row, seq: 5, lineId: null, createdAt: at })).toEqual({ ...event, seq: 5 });
    }
  });
});

test("an event that a machine numbered does not store its id", () => {
  const random = seededRandom("ids");
  for (const type of eventTypes.filter((one) => /^(stop|shift|machine|operator)\./.test(one))) {
    const at = Date.UTC(2026, 2, 2);
    const data = { ...randomData(type, random, at), lineId: null };
    const about = aboutOf(data, machineId);
    const id = `${type}:${about}:${machineId}-318`;
    const row = rowOf({ id, companyId: 1, machineId, type, at, data });
    expect(row).toMatchObject({ n: 318, key: null, form: 1 });
    expect(eventOf({ ...row, seq: 1, lineId, createdAt: at })).toEqual({
      ...{ id, companyId: 1, seq: 1, machineId, type, at, data: { ...data, lineId } },
    });
    expect(numberedOf(id)).toEqual({ type, about, machineId, n: 318 });
    const place = firstPlaceOf(type, about, machineId);
    if (place !== null) expect(JSON.parse(row.data)[0]).toBe(place);
    // The id of something else is kept.
    const other = `${type}:${about + 1}:${machineId}-318`;
    if (!type.startsWith("machine.") || type === "machine.counts_held") {
      expect(rowOf({ id: other, companyId: 1, machineId, type, at, data })).toMatchObject({ n: 318, key: other });
    }
  }
});

it("never gives a number to another type", () => {
  // Add to this list, and change nothing in it: stored events have these numbers.
  expect(eventTypeNumbers).toEqual({
    ...{ "stop.opened": 1, "stop.closed": 2, "stop.changed": 3, "stop.classified": 4, "shift.closed": 5, "shift.revised": 6 },
    ...{ "machine.no_data": 7, "machine.signal_back": 8, "machine.counts_held": 9 },
    ...{ "operator.signed_in": 10, "operator.signed_out": 11 },
    ...{ "work_order.created": 12, "work_order.started": 13, "work_order.late": 14, "work_order.completed": 15 },
    ...{ "alert.opened": 16, "alert.escalated": 17, "alert.acknowledged": 18, "alert.resolved": 19, "help.called": 20 },
  });
  expect(Object.keys(eventTypeNumbers)).toEqual([...eventTypes]);
});

it("reads arrays that were stored earlier", () => {
  // A row of each shape as it was written. Add to this list, and change nothing in it.
  const at = Date.UTC(2026, 2, 2, 9, 31, 40);
  const columns = { machineId, lineId, at };
  const iso = (ms: number) => isoOf(at - ms);
  const of = { machineId, machineName: null, lineId, lineName: null };
  const flags = { isManual: false, isProgrammed: true, isIncludedInStops: true, isIncludedInAvailability: false };
  const stop = {
    ...{ ...of, stopId: recordId(machineId, 7), shiftId: 4, shiftName: null, since: iso(1055000), until: iso(0), ...flags },
    ...{
      name: null,
      breakName: "Lunch",
      generalCauseId: 21,
      generalCauseName: null,
      specificCauseId: null,
      specificCauseName: null,
    },
    ...{ componentId: 23, componentName: null, description: "Cap feeder" },
  };
  const causes = [21, "Cap feeder", null, 23, null, "Lunch"];
  expect(decodeData("stop.closed", [7, 4, 1055000, 0, 6, ...causes], columns)).toEqual(stop);
  expect(decodeData("stop.changed", [7, 4, 1055000, 0, 6, [1, null, 2, true], 1, ...causes], columns)).toEqual({
    ...{ ...stop, isRemoved: true },
    changes: { until: { from: null, to: iso(0) }, isManual: { from: true, to: false } },
  });
  expect(decodeData("stop.classified", [7, 4, 1055000, 0, 6, [8, null, 9, 2, 10, 3, 11, "x"], ...causes], columns)).toEqual({
    ...stop,
    changes: {
      generalCauseId: { from: null, to: 21 },
      specificCauseId: { from: 2, to: null },
      componentId: { from: 3, to: 23 },
      description: { from: "x", to: "Cap feeder" },
    },
  });
  const numbers = { availableMinutes: 340, noDataMinutes: 10, programmedMinutes: 40, nonProgrammedMinutes: 60, otherMinutes: 30 };
  const made = { cycles: 1445, total: 2890, defects: 58, availability: 77.27, effectiveness: 85, quality: 97.99, oee: 64.37 };
  const shift = {
    ...of,
    recordId: recordId(machineId, 2),
    shiftId: 4,
    shiftName: null,
    since: iso(9),
    until: iso(-9),
    ...numbers,
    ...made,
  };
  const ofShift = [2, 4, 9, -9, 340, 10, 40, 60, 30, 1445, 2890, 58, 77.27, 85, 97.99, 64.37];
  expect(decodeData("shift.closed", ofShift, columns)).toEqual(shift);
  expect(decodeData("shift.revised", [...ofShift, [8, 75]], columns)).toEqual({
    ...shift,
    changes: { availability: { from: 75, to: 77.27 } },
    reasons: null,
  });
  expect(decodeData("machine.signal_back", [600000, 0], columns)).toEqual({ ...of, since: iso(600000), until: iso(0) });
  expect(decodeData("operator.signed_out", [8, 10, null, 1], columns)).toEqual({
    ...{ ...of, operatorId: 8, operatorName: null, since: iso(10), until: null, isRemoved: true },
  });
  expect(
    decodeData("work_order.late", ["o-1", "WO-1", "Spring", "Backlog", -5, [12, 13], 5], { ...columns, machineId: null }),
  ).toEqual({
    ...{
      workOrderId: "o-1",
      code: "WO-1",
      name: "Spring",
      status: "Backlog",
      dueAt: iso(-5),
      machineIds: [12, 13],
      expectedAt: iso(5),
    },
  });
  expect(decodeData("alert.acknowledged", ["i-1", "r-1", "stop", null, [12], 60, 1, { minutes: 5 }, 7], columns)).toEqual({
    ...{ ...of, incidentId: "i-1", ruleId: "r-1", ruleName: null, kind: "stop", nodeId: null, machineIds: [12], since: iso(60) },
    ...{ level: 1, facts: { minutes: 5 }, userId: 7, userName: null, machineCount: null },
  });
  expect(decodeData("help.called", [41, 0, "Cap feeder jams", 9], columns)).toEqual({
    ...{ ...of, helpCallId: 41, since: iso(0), message: "Cap feeder jams", userId: 9, userName: null },
  });
  expect(decodeData("machine.counts_held", [9, "implausible", 1, 999999999, 1, 0], columns)).toEqual({
    ...{ ...of, heldId: recordId(machineId, 9), reason: "implausible", count: 1, units: 999999999, since: iso(1), until: iso(0) },
  });
});
