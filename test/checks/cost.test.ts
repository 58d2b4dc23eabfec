import { expect, it } from "vitest";
import { billOf, billOfCrons, type Tally } from "../../scripts/bench/cost/tally.ts";

// A shift of eight hours on two machines; a month of one machine is 45 times as much: 3 shifts, 30 days, 2 machines.
const tally: Tally = {
  invocations: { ingest: 2000, cron: 480 },
  objects: { machines: { calls: { ingest: 4000, alarm: 100 }, activeMs: 5000, starts: 0 } },
  d1: { machines: 100, cron: 900 },
  sql: {
    "object of machines: put state": { runs: 4000, rowsRead: 0, rowsWritten: 4000 },
    "object of machines: setAlarm": { runs: 100, rowsRead: 0, rowsWritten: 100 },
    "object of machines: SELECT 1": { runs: 10, rowsRead: 2_000_000, rowsWritten: 0 },
    "D1 from machines: insert": { runs: 100, rowsRead: 0, rowsWritten: 300 },
    "D1 from cron: update": { runs: 10, rowsRead: 0, rowsWritten: 1000 },
  },
  queueMessages: 20,
  jobMessages: 30,
  logLines: { machines: 10, service: 500 },
  r2: { cron: { classA: 48, classB: 0 } },
  frames: 0,
  objectBytes: 8e6,
};

it("gives a machine its share of the counts at the platform's prices, and none to the crons", () => {
  const { counts, shares, dollars } = billOf(tally, 8, 2, false);
  expect(counts).toMatchObject({
    workerRequests: 3000,
    machineCalls: 6000,
    machineAlarms: 150,
    objectRowsWritten: 6150,
    alarmsSet: 150,
    d1RowsWritten: 450,
    objectBytes: 4e6,
  });
  const dollarsOf = (name: string) => Number(shares[name]?.toFixed(6));
  expect(dollarsOf("Worker requests")).toBe(0.027);
  expect(dollarsOf("object requests")).toBe(0.027675);
  expect(dollarsOf("rows written in objects")).toBe(0.18);
  expect(dollarsOf("alarms set")).toBe(0.0045);
  expect(dollarsOf("rows read in objects")).toBe(0.09);
  expect(dollarsOf("rows written in D1")).toBe(0.0135);
  expect(dollarsOf("queues")).toBe(0.00108);
  expect(dollarsOf("objects' storage")).toBe(0.0008);
  expect(dollarsOf("R2")).toBe(0);
  expect(dollarsOf("logs")).toBe(0.00027);
  expect(dollars).toBeCloseTo(
    Object.values(shares).reduce((sum, one) => sum + one, 0),
    9,
  );
});

it("counts 20 pings of a wall as one request", () => {
  const { counts } = billOf(tally, 8, 2, true);
  expect(counts.hubCalls).toBeCloseTo(86_400 / 25 / 20 / 2, 9);
});

it("has the cost of the crons separately", () => {
  const perMonth = 90;
  const requests = (480 * 0.3) / 1e6;
  const cpu = (480 * 5 * 0.02) / 1e6;
  const messages = (30 * 3 * 0.4) / 1e6;
  const lines = (500 * 0.6) / 1e6;
  expect(billOfCrons(tally, 8)).toBeCloseTo(perMonth * (requests + cpu + messages + lines + 1000 / 1e6 + (48 * 4.5) / 1e6), 9);
});
