import { expect, it, vi } from "vitest";
import { seededRandom } from "../../../scripts/random.ts";
import { call } from "../../support/call.ts";
import { DAY, HOUR, MINUTE, NOON, SECOND, stopClockAtNoon } from "../../support/clock.ts";
import { createCompany, createGatewayToken, createUser } from "../../support/factories.ts";
import { configureMachine, countAt, flushMachine, ingest } from "../../support/machines.ts";

stopClockAtNoon();

const START = NOON - 4 * DAY;
const NODE = 7;
const iso = (at: number) => new Date(at).toISOString();

/** The objects created so far, by kind. */
interface Made {
  machineId?: number;
  shiftId?: number;
  operatorId?: number;
}

type Send = (method: string, path: string, body: object) => Promise<{ id: number }>;

/** Each step of a plant's set-up, and the steps that it requires first. */
const steps: Record<string, { needs: string[]; take: (send: Send, companyId: number, made: Made) => Promise<Made> }> = {
  timezone: {
    needs: [],
    async take(send, companyId) {
      await send("PATCH", `/v1/companies/${companyId}`, { timezone: "Europe/Madrid" });
      return {};
    },
  },
  machine: {
    needs: [],
    async take(send) {
      const body = { name: "Press", ref: "PRESS", nodeId: NODE, commissionedAt: iso(START), noDataAfterSeconds: null };
      return { machineId: (await send("POST", "/v1/machines", body)).id };
    },
  },
  limits: {
    needs: ["machine"],
    async take(send, _, { machineId }) {
      const body = { stopAfterSeconds: 300, noDataAfterSeconds: 1800, standardCycleSeconds: 30 };
      await send("PATCH", `/v1/machines/${machineId}`, body);
      return {};
    },
  },
  shift: {
    needs: ["machine"],
    async take(send, _, { machineId }) {
      const days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
      const breaks = [{ name: "Lunch", start: "10:00", end: "10:30" }];
      const body = { name: "Early", start: "06:00", end: "15:00", days, breaks, machineIds: [machineId] };
      return { shiftId: (await send("POST", "/v1/shifts", body)).id };
    },
  },
  sensors: {
    needs: ["machine"],
    async take(send, companyId) {
      const configs = [
        { type: "total", countingFactor: 2, channel: 1, nodeId: NODE },
        { type: "defect", countingFactor: 1, channel: 2, nodeId: NODE },
      ];
      const added = [{ machineRef: "PRESS", isCountEnabled: true, configs }];
      await send("PATCH", "/backoffice/machines/count-sensors", { companyId, added, updated: [], deleted: [] });
      return {};
    },
  },
  sku: {
    needs: [],
    async take(send) {
      const standards = [{ machineId: null, standardCycleSeconds: 20 }];
      await send("POST", "/v1/skus", { id: "CAP", name: "Cap", standards });
      return {};
    },
  },
  operator: {
    needs: [],
    async take(send) {
      return { operatorId: (await send("POST", "/v1/operators", { name: "Ana", code: "1" })).id };
    },
  },
  plan: {
    needs: ["machine", "shift", "operator"],
    async take(send, _, { machineId, shiftId, operatorId }) {
      const dates = { since: iso(START - DAY), until: iso(NOON + DAY) };
      await send("POST", "/v1/operator-plans", { title: "Week", ...dates, assignments: [{ machineId, shiftId, operatorId }] });
      return {};
    },
  },
};

/** An order of the steps in which each comes after those that it requires. */
function orderOf(seed: number): string[] {
  const random = seededRandom("order of set-up", seed);
  const left = Object.keys(steps);
  const order: string[] = [];
  while (left.length > 0) {
    const possible = left.filter((name) => steps[name]?.needs.every((needed) => order.includes(needed)));
    const next = possible[Math.floor(random() * possible.length)] as string;
    order.push(next);
    left.splice(left.indexOf(next), 1);
  }
  return order;
}

/** Four days: the machine runs from 04:00 to 13:00 UTC with a stop of 20 minutes, an occasional defect, and an hour of silence. */
function history(): object[] {
  const events: object[] = [{ type: "sku", at: iso(START + 5 * HOUR), machineId: 0, skuId: "CAP" }];
  for (let day = 0; day < 5; day++) {
    for (let minute = 240; minute < 780; minute++) {
      const at = START - (START % DAY) + day * DAY + minute * MINUTE;
      if (at < START || at > NOON || (minute > 300 && minute < 320) || (minute > 500 && minute < 560)) continue;
      events.push(countAt(NODE, at, 2));
      if (minute % 50 === 0) events.push(countAt(NODE, at + SECOND, 1, { channel: 2 }));
    }
  }
  return events;
}

/** Sets the plant up, sends its history, and returns all reports of it, without the members that only differ between companies. */
async function reportsAfter(order: string[]) {
  vi.setSystemTime(NOON);
  const { companyId } = await createCompany();
  const { token } = await createUser(companyId, "superuser");
  const send: Send = async (method, path, body) => {
    const answer = await call(method, path, { token, body });
    expect(answer.status, `${order}: ${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  };
  let made: Made = {};
  for (const [i, name] of order.entries()) {
    vi.setSystemTime(NOON + (i + 1) * 20 * SECOND);
    made = { ...made, ...(await steps[name]?.take(send, companyId, made)) };
    // Rows published until then must not cause trouble.
    if (made.machineId) await configureMachine(made.machineId);
    if (made.machineId) await flushMachine(made.machineId);
  }
  const machineId = made.machineId as number;
  vi.setSystemTime(NOON + 5 * MINUTE);
  const { token: gateway } = await createGatewayToken(companyId);
  const [sku, ...events] = history();
  // SKU events may only name the machine by its id, and only people send these before anything was counted.
  await ingest(token, [{ ...sku, machineId }]);
  for (let i = 0; i < events.length; i += 1000) {
    const { rejected } = await ingest(gateway, events.slice(i, i + 1000));
    expect(rejected).toEqual([]);
  }
  await flushMachine(machineId);
  const post = async (path: string, body: object) => (await call("POST", path, { token, body })).body;
  const own = { companyIds: [companyId], direction: "asc", pageSize: 1000 };
  const range = { from: iso(START), to: iso(NOON + DAY) };
  const availability = await call("GET", `/machines/${machineId}/availability?start=${iso(START)}&end=${iso(NOON)}`, { token });
  const operators = await call("GET", `/machines/realtime/operators?machineId=${machineId}`, { token });
  const reports = {
    metrics: (await post("/v1/public/reports/metrics", own)).metrics,
    stops: (await post("/v1/public/reports/stops", own)).stops,
    chart: await post("/widget/stop-metrics", {
      filter_by: { company_id: companyId, date_range: range },
      metrics: ["stop_count", "stop_duration", "mttr", "mtbf"],
    }),
    availability: availability.body,
    operators: operators.body.data,
  };
  const isId = /(^|[a-z])(id|Id)$/;
  const stamps = ["createdAt", "updatedAt", "company"];
  return JSON.parse(
    JSON.stringify(reports, (name, value) =>
      isId.test(name) || name.endsWith("Id") || stamps.includes(name) ? undefined : value,
    ),
  );
}

it("does not matter until a machine has sent anything: all reports are the same", { timeout: 60_000 }, async () => {
  const natural = ["timezone", "machine", "limits", "shift", "sensors", "sku", "operator", "plan"];
  const expected = await reportsAfter(natural);
  // The shifts of four days, with numbers worth comparing.
  expect(expected.metrics).toHaveLength(5);
  const [, whole] = expected.metrics;
  expect(whole.shift.startTime).toMatch(/T04:00/);
  expect(whole.productionMetrics).toMatchObject({ total: 1848, cycleSpeed: 180 });
  expect(whole.shiftIndicators.noDataTime).toBe(60.98);
  expect(expected.stops).toHaveLength(4);
  expect(expected.operators).toMatchObject([{ operatorName: "Ana" }]);
  const reversed = ["machine", "sensors", "shift", "operator", "plan", "sku", "limits", "timezone"];
  for (const order of [reversed, ...Array.from({ length: 5 }, (_, seed) => orderOf(seed))]) {
    expect(await reportsAfter(order), order.join(", ")).toEqual(expected);
  }
});

it("a machine without events has no record of a shift that ends before its commissioning, even if it had one", async () => {
  const { companyId } = await createCompany();
  const { token } = await createUser(companyId, "superuser");
  const send = async (method: string, path: string, body: object) => (await call(method, path, { token, body })).body;
  const machine = { name: "Press", ref: "PRESS", nodeId: NODE, commissionedAt: iso(NOON) };
  const { id: machineId } = await send("POST", "/v1/machines", machine);
  const days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
  const shift = { name: "Day", start: "10:00", end: "18:00", days, breaks: [], machineIds: [machineId] };
  const { id: shiftId } = await send("POST", "/v1/shifts", shift);
  const endsOf = async () => {
    await configureMachine(machineId);
    await flushMachine(machineId);
    const { body } = await call("GET", `/v1/shift-records?machineIds=${machineId}`, { token });
    return body.data.map((record: { shift: { endTime: string } }) => record.shift.endTime);
  };
  expect(await endsOf()).toEqual([iso(NOON + 6 * HOUR)]);
  await send("PATCH", `/v1/shifts/${shiftId}`, { end: "11:00" });
  expect(await endsOf()).toEqual([]);
  await send("PATCH", `/v1/shifts/${shiftId}`, { end: "13:00" });
  expect(await endsOf()).toEqual([iso(NOON + HOUR)]);
});

it("a machine with events has no record of a shift that ended before its commissioning, as is found afterwards", async () => {
  const { companyId } = await createCompany();
  const { token } = await createUser(companyId, "superuser");
  const send = async (method: string, path: string, body: object) => {
    const answer = await call(method, path, { token, body });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  };
  const { id: machineId } = await send("POST", "/v1/machines", {
    ...{ companyId, name: "Press", ref: "PRESS", nodeId: NODE, commissionedAt: iso(NOON) },
  });
  const configs = [{ type: "total", countingFactor: 1, channel: 1, nodeId: NODE }];
  await send("PUT", `/v1/machines/${machineId}/count-sensor`, { isCountEnabled: true, configs });
  const days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
  const shift = { companyId, name: "Day", start: "10:00", end: "18:00", days, breaks: [], machineIds: [machineId] };
  const { id: shiftId } = await send("POST", "/v1/shifts", shift);
  vi.setSystemTime(NOON + 10 * MINUTE);
  await configureMachine(machineId);
  await send("POST", "/v1/ingest", { companyId, events: [countAt(NODE, NOON + MINUTE)] });
  const endsOf = async () => {
    await flushMachine(machineId);
    const { body } = await call("GET", `/v1/shift-records?companyId=${companyId}&machineIds=${machineId}`, { token });
    return body.data.map((record: { shift: { endTime: string } }) => record.shift.endTime);
  };
  expect(await endsOf()).toEqual([iso(NOON + 6 * HOUR)]);
  const dated = { effectiveFrom: iso(NOON), reason: "It ends earlier" };
  await send("PATCH", `/v1/shifts/${shiftId}?companyId=${companyId}`, { end: "11:00", ...dated });
  await configureMachine(machineId);
  expect(await endsOf()).toEqual([]);
});

it("the commissioning of a machine can be changed until its first event is stored, and then only become earlier", async () => {
  const { companyId } = await createCompany();
  const { token } = await createUser(companyId, "superuser");
  const send = (method: string, path: string, body: object) => call(method, path, { token, body });
  const { body: machine } = await send("POST", "/v1/machines", {
    name: "Press",
    ref: "PRESS",
    nodeId: NODE,
    commissionedAt: iso(NOON),
  });
  const days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
  await send("POST", "/v1/shifts", { name: "Day", start: "00:00", end: "00:00", days, breaks: [], machineIds: null });
  const configs = [{ type: "total", countingFactor: 1, channel: 1, nodeId: NODE }];
  await send("PUT", `/v1/machines/${machine.id}/count-sensor`, { isCountEnabled: true, configs });
  const events = [{ type: "count", at: iso(NOON - 30 * HOUR), nodeId: NODE, channel: 1, value: 7 }];
  const ingest = async () => (await send("POST", "/v1/ingest", { companyId, events })).body;
  expect((await ingest()).rejected).toMatchObject([{ code: "before_commissioning" }]);
  const path = `/v1/machines/${machine.id}`;
  expect((await send("PATCH", path, { commissionedAt: iso(NOON - 40 * HOUR) })).status).toBe(200);
  await configureMachine(machine.id);
  expect((await ingest()).accepted).toBe(1);
  // The database learns of the event later: the machine's object is asked.
  const refused = await send("PATCH", path, { commissionedAt: iso(NOON - 35 * HOUR) });
  expect([refused.status, refused.body.errors]).toMatchObject([400, [{ pointer: "/commissionedAt", code: "fixed" }]]);
  expect((await send("PATCH", path, { commissionedAt: iso(NOON - 40 * HOUR), name: "Renamed" })).status).toBe(200);
  expect((await send("PATCH", path, { commissionedAt: iso(NOON - 50 * HOUR) })).status).toBe(200);
});

it.each([
  ["without an event is in no report", false],
  ["with an event stays in the reports", true],
])("a deleted machine %s", async (_, isHeard) => {
  const { companyId } = await createCompany();
  const { token } = await createUser(companyId, "superuser");
  const send = (method: string, path: string, body?: object) => call(method, path, { token, ...(body && { body }) });
  const machine = { name: "Press", ref: "PRESS", nodeId: NODE, commissionedAt: iso(NOON - 2 * DAY), noDataAfterSeconds: null };
  const machineId: number = (await send("POST", "/v1/machines", machine)).body.id;
  const days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
  await send("POST", "/v1/shifts", { name: "Day", start: "06:00", end: "18:00", days, breaks: [], machineIds: null });
  const configs = [{ type: "total", countingFactor: 1, channel: 1, nodeId: NODE }];
  await send("PUT", `/v1/machines/${machineId}/count-sensor`, { isCountEnabled: true, configs });
  await configureMachine(machineId);
  if (isHeard) {
    const events = [{ type: "count", at: iso(NOON - HOUR), nodeId: NODE, channel: 1, value: 7 }];
    expect((await send("POST", "/v1/ingest", { companyId, events })).body.accepted).toBe(1);
  }
  await flushMachine(machineId);
  const reported = async () => {
    const own = { companyIds: [companyId] };
    const range = new URLSearchParams({ companyId: String(companyId), from: iso(START), to: iso(NOON + DAY) });
    return {
      records: (await send("POST", "/v1/public/reports/metrics", own)).body.totalCount,
      stops: (await send("POST", "/v1/public/reports/stops", own)).body.totalCount,
      stopped: (await send("GET", `/v1/summary?groupBy=machine&${range}`)).body.total.nonProgrammedDowntime,
    };
  };
  const before = await reported();
  expect(before).toMatchObject({ records: 3, stops: isHeard ? 4 : 3, stopped: 24 * 60 });
  vi.setSystemTime(NOON + MINUTE);
  expect((await send("DELETE", `/v1/machines/${machineId}`)).status).toBe(204);
  await configureMachine(machineId);
  await flushMachine(machineId);
  const after = isHeard ? { ...before, stopped: 24 * 60 + 1 } : { records: 0, stops: 0, stopped: 0 };
  expect(await reported()).toEqual(after);
});
