import { expect, it } from "vitest";
import log from "../fixtures/nist-mazak01-execution.csv?raw";
import { call } from "../support/call.ts";
import { DAY } from "../support/clock.ts";
import { createCompany, createMachine, createShift, createUser } from "../support/factories.ts";
import { flushMachine, ingest, recordsOf } from "../support/machines.ts";

const END = Date.UTC(2016, 11, 19);

const rows = log
  .trim()
  .split("\n")
  .slice(1)
  .map((line) => line.split(","))
  .map(([timestamp = "", value = ""]) => ({ timestamp, at: Date.parse(timestamp), value }));

/** The log's own intervals, summed per UTC day: running, not running, unavailable. */
function sumsByDay() {
  const days = new Map<number, { running: number; stopped: number; unavailable: number }>();
  for (const [i, { at, value }] of rows.entries()) {
    const until = rows[i + 1]?.at ?? END;
    for (let start = at; start < until; ) {
      const day = Math.floor(start / DAY) * DAY;
      const end = Math.min(until, day + DAY);
      const sums = days.get(day) ?? { running: 0, stopped: 0, unavailable: 0 };
      sums[value === "ACTIVE" ? "running" : value === "UNAVAILABLE" ? "unavailable" : "stopped"] += end - start;
      days.set(day, sums);
      start = end;
    }
  }
  return days;
}

it("gives each day of a real machine the available, unavailable and no-data time of its own log", async () => {
  const { companyId } = await createCompany({ timezone: "UTC" });
  await createShift(companyId, { start: "00:00", end: "00:00" });
  const machine = await createMachine(companyId, {
    signal: "states",
    stopAfterSeconds: 0,
    noDataAfterSeconds: null,
    commissionedAt: rows[0]?.at ?? 0,
    decommissionedAt: END,
  });
  const { token } = await createUser(companyId, "admin");
  const states: Record<string, string> = { ACTIVE: "running", UNAVAILABLE: "unavailable", FEED_HOLD: "down", STOPPED: "down" };
  const events = rows.map(({ timestamp, value }) => ({
    type: "state",
    at: timestamp,
    machineId: machine.machineId,
    state: states[value] ?? "idle",
  }));
  for (let i = 0; i < events.length; i += 1000) {
    const batch = events.slice(i, i + 1000);
    expect(await ingest(token, batch)).toMatchObject({ accepted: batch.length, duplicates: 0, rejected: [], warnings: [] });
  }
  await flushMachine(machine.machineId);

  const expected = sumsByDay();
  const records = await recordsOf(machine.machineId);
  expect(records.map((record) => record.startAt)).toEqual([...expected.keys()]);
  for (const record of records) {
    const sums = expected.get(record.startAt);
    expect(record.availableMs, String(record.startAt)).toBe(sums?.running);
    expect(record.nonProgrammedMs).toBe(sums?.stopped);
    expect(record.noDataMs).toBe(sums?.unavailable);
  }

  const { token: superuser } = await createUser(companyId, "superuser");
  const report = await call("POST", "/v1/public/reports/metrics", {
    token: superuser,
    body: { companyIds: [companyId], direction: "asc" },
  });
  expect(report.body.totalCount).toBe(expected.size);
  for (const item of report.body.metrics) {
    const sums = expected.get(Date.parse(item.shift.startTime));
    expect(item.shiftIndicators.availableTime).toBeCloseTo((sums?.running ?? -1) / 60_000, 2);
    expect(item.shiftIndicators.unavailableTime).toBeCloseTo((sums?.stopped ?? -1) / 60_000, 2);
    expect(item.shiftIndicators.noDataTime).toBeCloseTo((sums?.unavailable ?? -1) / 60_000, 2);
  }
});
