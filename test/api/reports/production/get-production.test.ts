import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { call } from "../../../support/call.ts";
import { HOUR, MINUTE } from "../../../support/clock.ts";
import { expectProblem } from "../../../support/expect-problem.ts";
import { createCompany, createLine, createMachine, createShift, createUser } from "../../../support/factories.ts";
import { createRunningLine } from "../../../support/running-line.ts";
import { createShiftParts } from "../../../support/shift-parts.ts";

const iso = (at: number) => new Date(at).toISOString();

interface Row {
  machine: { id: number; name: string };
  line: { id: number; name: string } | null;
  shift: { id: number; name: string } | null;
  start: string;
  end: string;
  total: number;
  defects: number;
  correct: number;
  target: number;
  scheduledTime: number;
}

async function ask(token: string, query: Record<string, unknown>) {
  const answer = await call("GET", `/v1/production?${new URLSearchParams(query as Record<string, string>)}`, { token });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data as Row[];
}

const sum = (rows: readonly Row[], of: "total" | "target" | "scheduledTime") => rows.reduce((all, row) => all + row[of], 0);

describe("a line that runs", () => {
  let line: Awaited<ReturnType<typeof createRunningLine>>;
  let token: string;
  beforeAll(async () => {
    line = await createRunningLine();
    token = (await createUser(line.companyId, "readonly")).token;
  });
  const all = () => ({ from: iso(line.startAt), to: iso(Date.now() + HOUR) });

  it.each([
    ["5min", 5],
    ["15min", 15],
    ["hour", 60],
  ] as const)("has each interval of %s, with the sums of its counts", async (interval, minutes) => {
    const rows = await ask(token, { ...all(), interval });
    const step = minutes * MINUTE;
    const first = Math.floor(line.startAt / step) * step;
    const now = Date.now();
    expect(rows.map(({ start }) => start)).toEqual(
      Array.from({ length: Math.ceil((now - first) / step) }, (_, i) => iso(first + i * step)),
    );
    // Counts of 2 every 30 s for an hour, none for half an hour, and again for half an hour.
    const counts = [...Array.from({ length: 121 }, (_, i) => i), ...Array.from({ length: 61 }, (_, i) => 180 + i)];
    for (const { start, end, total, defects, correct, machine, shift } of rows) {
      const within = counts.filter(
        (i) => Date.parse(start) <= line.startAt + i * 30_000 && line.startAt + i * 30_000 < Date.parse(end),
      );
      expect([start, total], interval).toEqual([start, 2 * within.length]);
      expect([Date.parse(end) - Date.parse(start), defects, correct, machine.id, shift]).toEqual([
        step,
        0,
        total,
        line.machine.id,
        null,
      ]);
    }
    // All of the time is scheduled, and the standard is 15 s per unit.
    expect(sum(rows, "scheduledTime")).toBeCloseTo((now - line.startAt) / MINUTE, 0);
    expect(sum(rows, "target")).toBeCloseTo((now - line.startAt) / 15_000, -1);
  });

  it("is extended from its last flush to now, in the same state", async () => {
    const own = await createRunningLine();
    const reader = await createUser(own.companyId, "readonly");
    const scheduled = async () =>
      (await ask(reader.token, { from: iso(own.startAt), to: iso(Date.now() + HOUR), interval: "shift" }))[0]?.scheduledTime ?? 0;
    const at = (minutesAgo: number) =>
      env.DB_0.prepare(
        "UPDATE shift_parts SET as_of = ?1, open_bucket = 'available', revision = 1e9 WHERE company_id = ?2 AND open_bucket IS NOT NULL",
      )
        .bind(Date.now() - minutesAgo * MINUTE, own.companyId)
        .run();
    await at(0);
    const before = await scheduled();
    await at(10);
    expect((await scheduled()) - before).toBeCloseTo(10, 0);
  });

  it("has the shift as one interval", async () => {
    const rows = await ask(token, { ...all(), interval: "shift" });
    expect(rows).toMatchObject([
      {
        shift: { id: line.shift.shiftId, name: line.shift.name },
        start: iso(line.startAt),
        end: iso(line.endAt),
        total: 364,
        scheduledTime: expect.closeTo((Date.now() - line.startAt) / MINUTE, 0),
      },
    ]);
    expect(rows[0]?.target).toBeCloseTo((Date.now() - line.startAt) / 15_000, -1);
  });

  it("has the full intervals that the range touches, by default those of today", async () => {
    const middle = Math.floor(line.startAt / HOUR) * HOUR + 2 * HOUR + 20 * MINUTE;
    const rows = await ask(token, { interval: "hour", from: iso(middle), to: iso(middle + HOUR) });
    expect(rows.map(({ start }) => start)).toEqual([iso(middle - 20 * MINUTE), iso(middle + 40 * MINUTE)]);
    expect(rows[0]?.scheduledTime).toBe(60);
    const quarters = await ask(token, { interval: "15min", from: iso(middle), to: iso(middle + 15 * MINUTE) });
    expect(quarters.map(({ start }) => start)).toEqual([iso(middle - 5 * MINUTE), iso(middle + 10 * MINUTE)]);
    const today = await ask(token, {});
    expect(today.every(({ start }) => start.slice(0, 10) === iso(Date.now()).slice(0, 10))).toBe(true);
    expect(today.length).toBeGreaterThan(0);
  });

  it("shows nothing of another company", async () => {
    const stranger = (await createUser((await createCompany()).companyId, "admin")).token;
    for (const interval of ["5min", "hour", "shift"]) {
      expect(await ask(stranger, { ...all(), interval })).toEqual([]);
      const path = `/v1/production?interval=${interval}&machineIds=${line.machine.id}`;
      expectProblem(await call("GET", path, { token: stranger }), 404);
    }
    expectProblem(await call("GET", `/v1/production?companyId=${line.companyId}`, { token: stranger }), 404);
  });
});

describe("parts of shifts", () => {
  it("are added up per interval, by machine name and start, and by line", async () => {
    const { companyId } = await createCompany();
    const { token } = await createUser(companyId, "user");
    const line = await createLine(companyId);
    const [saw, press] = [
      await createMachine(companyId, { name: "Saw", lineId: line.id }),
      await createMachine(companyId, { name: "Press" }),
    ];
    const { shiftId } = await createShift(companyId);
    const at = Date.parse("2026-03-02T06:00:00Z");
    const of = { companyId, shiftId, shiftStart: at, shiftEnd: at + 8 * HOUR };
    const half = (from: number, units: number, unitStandardMs: number | null) => ({
      ...{ startAt: at + from * MINUTE, endAt: at + (from + 30) * MINUTE, availableMs: 20 * MINUTE, nonProgrammedMs: 5 * MINUTE },
      ...{ programmedMs: 5 * MINUTE, totalUnits: units, defectUnits: 1, unitStandardMs, skuId: String(from) },
    });
    const triples: [number, number, number][] = [
      [4, 1, 5 * MINUTE],
      [0, 0, 0],
      [6, 0, 5 * MINUTE],
    ];
    await createShiftParts({ ...of, machineId: saw.id }, [
      { ...half(0, 10, 30_000), fiveMinutes: triples },
      {
        ...half(30, 8, null),
        fiveMinutes: [
          [0, 0, 0],
          [0, 0, 0],
          [0, 0, 0],
          [0, 0, 0],
          [0, 0, 0],
          [0, 0, 0],
          [8, 1, 5 * MINUTE],
        ],
      },
    ]);
    // In a shift long ago, which is a single part.
    await createShiftParts({ ...of, machineId: press.id }, [
      { startAt: at, endAt: at + 8 * HOUR, totalUnits: 800, availableMs: 8 * HOUR },
    ]);
    const range = { from: iso(at), to: iso(at + 24 * HOUR) };
    const hours = await ask(token, { ...range, interval: "hour" });
    expect(hours.map(({ machine, total }) => [machine.name, total])).toEqual([
      ["Press", 800],
      ["Saw", 18],
    ]);
    expect(hours[1]).toMatchObject({
      line: { id: line.id, name: line.name },
      defects: 2,
      correct: 16,
      target: 50,
      scheduledTime: 50,
    });
    const ofLine = await ask(token, { ...range, interval: "5min", lineIds: line.id });
    expect(ofLine.map(({ total }) => total)).toEqual([4, 0, 6, 0, 0, 0, 8, 0, 0, 0, 0, 0]);
    expect(ofLine.map(({ target }) => target)).toEqual([10, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    expect((await ask(token, { ...range, interval: "15min" })).map(({ total }) => total)).toEqual([10, 0, 8, 0]);
    const ofShifts = await ask(token, { ...range, interval: "shift" });
    expect(ofShifts.map(({ machine, total, target }) => [machine.name, total, target])).toEqual([
      ["Press", 800, 0],
      ["Saw", 18, 50],
    ]);
    expect(await ask(token, { from: iso(at + 1), to: iso(at + HOUR), interval: "shift" })).toEqual([]);
  });
});

it.each([
  [{ interval: "day" }, "/query/interval", /"5min".*"shift"/],
  [{ from: "2024-12-30T00:00:00Z", to: "2026-01-01T00:00:00Z" }, "/query/from", /366 days/],
  [{ colour: "red" }, "/query/colour", /is unknown/],
])("%o is refused", async (query, pointer, message) => {
  const { token } = await createUser((await createCompany()).companyId, "readonly");
  const answer = await call("GET", `/v1/production?${new URLSearchParams(query as Record<string, string>)}`, { token });
  expectProblem(answer, 400);
  expect(answer.body.errors[0].pointer).toBe(pointer);
  expect(answer.body.errors[0].message).toMatch(message);
});
