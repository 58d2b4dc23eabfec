import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { call } from "../../../support/call.ts";
import { MINUTE } from "../../../support/clock.ts";
import { expectProblem } from "../../../support/expect-problem.ts";
import {
  createCompany,
  createGatewayToken,
  createMachine,
  createShift,
  createSku,
  createUser,
  createWorkOrder,
} from "../../../support/factories.ts";
import { countAt, flushMachine, ingest, recordsOf } from "../../../support/machines.ts";

const config = (channel: number, more: object = {}) => ({ type: "total", countingFactor: 1, channel, nodeId: 7, ...more });
/** A config as it is shown. */
const shown = (channel: number, more: object = {}) => config(channel, { wrapsAt: null, ...more });

async function newPlant() {
  const { companyId } = await createCompany();
  const machine = await createMachine(companyId, { nodeId: 7 });
  const admin = await createUser(companyId, "admin");
  const put = (id: number | string, body: object, token = admin.token, headers = {}) =>
    call("PUT", `/v1/machines/${id}/count-sensor`, { token, body: { isCountEnabled: true, configs: [], ...body }, headers });
  const list = async (token = admin.token, query = "") => (await call("GET", `/v1/count-sensors${query}`, { token })).body;
  return { companyId, machine, admin, put, list };
}

describe("an admin sets the sensors of a machine", () => {
  it("with or without earlier ones, and sees what op 2 and the admin wrote", async () => {
    const { companyId, machine, put, list } = await newPlant();
    const other = await createMachine(companyId);
    await createMachine(companyId);
    const { token } = await createUser((await createCompany()).companyId, "superuser");
    const ofOther = {
      machineId: other.id,
      machineRef: other.ref,
      isCountEnabled: false,
      configs: [shown(5, { countingFactor: 3 })],
    };
    const added = [{ machineRef: other.ref, isCountEnabled: false, configs: [config(5, { countingFactor: 3 })] }];
    expect((await call("PATCH", "/backoffice/machines/count-sensors", { token, body: { companyId, added } })).status).toBe(204);
    const first = { isCountEnabled: true, configs: [shown(2, { type: "defect" }), shown(1, { countingFactor: 0.000001 })] };
    const made = await put(machine.id, first);
    const item = { machineId: machine.id, machineRef: machine.ref, ...first, configs: first.configs.toReversed() };
    expect(made).toMatchObject({ status: 200, body: item });
    expect(await list()).toEqual({ data: [item, ofOther], cursor: null });
    const second = { isCountEnabled: false, configs: [shown(1, { countingFactor: 1_000_000 })] };
    expect((await put(machine.id, second)).body).toEqual({ machineId: machine.id, machineRef: machine.ref, ...second });
    expect((await list()).data[0]).toMatchObject(second);

    const { data, cursor } = await list(token, `?companyId=${companyId}&limit=1`);
    expect(data).toMatchObject([{ machineId: machine.id }]);
    expect(await list(token, `?companyId=${companyId}&limit=1&cursor=${cursor}`)).toEqual({ data: [ofOther], cursor: null });
    expect((await list(token)).data).toEqual([]);
  });

  it("once with an Idempotency-Key, and the audit has it", async () => {
    const { companyId, machine, admin, put, list } = await newPlant();
    const headers = { "idempotency-key": crypto.randomUUID() };
    const first = await put(machine.id, { configs: [config(1)] }, admin.token, headers);
    await put(machine.id, { configs: [config(2)] });
    const replayed = await put(machine.id, { configs: [config(1)] }, admin.token, headers);
    expect([replayed.status, replayed.body]).toEqual([200, first.body]);
    expect((await list()).data).toMatchObject([{ configs: [config(2)] }]);
    const entries = (await call("GET", "/v1/audit", { token: admin.token })).body.data;
    expect(entries).toMatchObject([
      {
        action: "count-sensors.change",
        userId: admin.userId,
        objectId: String(companyId),
        before: { sensors: [{ machineId: machine.id, configs: [config(1)] }] },
        after: { sensors: [{ machineId: machine.id, configs: [config(2)] }] },
      },
      { action: "count-sensors.change", before: { sensors: [] } },
    ]);
  });

  it("with the number at which a counter wraps, which op 2 leaves as it is, and the audit has it", async () => {
    const { companyId, machine, admin, put, list } = await newPlant();
    const { token } = await createUser(companyId, "superuser");
    const patch = (configs: object[]) => {
      const updated = [{ machineRef: machine.ref, isCountEnabled: true, configs }];
      return call("PATCH", "/backoffice/machines/count-sensors", { token, body: { companyId, updated } });
    };
    const wrapping = shown(1, { wrapsAt: 65_536 });
    expect((await put(machine.id, { configs: [wrapping, config(2)] })).body.configs).toEqual([wrapping, shown(2)]);
    expect((await patch([config(1, { countingFactor: 2 }), config(3, { wrapsAt: 256 })])).status).toBe(204);
    const [{ configs }] = (await list()).data;
    expect(configs).toEqual([{ ...wrapping, countingFactor: 2 }, shown(3)]);
    const widest = shown(1, { wrapsAt: 2 ** 53 - 1 });
    expect((await put(machine.id, { configs: [widest] })).body.configs).toEqual([widest]);
    expect((await put(machine.id, { configs: [config(1)] })).body.configs).toEqual([shown(1)]);
    const sensors = (configs: object[]) => ({ sensors: [{ machineId: machine.id, configs }] });
    expect((await call("GET", "/v1/audit", { token: admin.token })).body.data).toMatchObject([
      { before: sensors([widest]), after: sensors([shown(1)]) },
      { before: sensors(configs), after: sensors([widest]) },
      { before: sensors([wrapping, shown(2)]), after: sensors(configs) },
      { before: { sensors: [] }, after: sensors([wrapping, shown(2)]) },
    ]);
  });

  it("in fractions of a unit: ten pulses of a tenth are one unit in reports, orders and operator shares", async () => {
    const { companyId, machine, admin, put } = await newPlant();
    await createShift(companyId, { start: "00:00", end: "00:00" });
    const { token } = await createGatewayToken(companyId);
    const { skuId } = await createSku(companyId);
    const { workOrderId } = await createWorkOrder(machine, skuId);
    await put(machine.id, { configs: [config(1, { countingFactor: 0.1 }), config(2, { type: "defect", countingFactor: 0.3 })] });
    const now = Date.now();
    const events = Array.from({ length: 10 }, (_, i) => countAt(7, now - (i + 1) * 1000, 1));
    const set = { type: "sku", at: new Date(now - MINUTE).toISOString(), machineId: machine.id, skuId, workOrderId };
    const scrap = Array.from({ length: 2 }, (_, i) => countAt(7, now - (i + 1) * 1000, 1, { channel: 2 }));
    expect(await ingest(token, [set, ...events, ...scrap])).toMatchObject({ accepted: 13 });
    await flushMachine(machine.id);
    expect((await recordsOf(machine.id)).at(-1)).toMatchObject({ totalUnits: 1, defectUnits: 0.6, cycles: 10, recentUnits: 1 });
    const run = await env.DB_0.prepare("SELECT correct, defects FROM order_runs WHERE machine_id = ?").bind(machine.id).first();
    expect(run).toEqual({ correct: 0.4, defects: 0.6 });
    const order = await call("GET", `/v1/work-orders/${workOrderId}`, { token: admin.token });
    expect(order.body.progress).toMatchObject([{ skuId, correct: 0.4, defects: 0.6 }]);
    const superuser = await createUser(companyId, "superuser");
    const report = await call("POST", "/v1/public/reports/metrics", {
      token: superuser.token,
      body: { companyIds: [companyId], pageSize: 1 },
    });
    expect(report.body.metrics[0].productionMetrics).toMatchObject({ total: 1, defects: 1, correct: 0, quality: 40 });
    const start = encodeURIComponent(report.body.metrics[0].shift.startTime);
    const explained = await call("GET", `/v1/machines/${machine.id}/shifts/${start}/explain`, { token: admin.token });
    expect(explained.body.skus).toMatchObject([{ skuId, total: 1, defects: 0.6 }]);
  });
});

describe("a refusal changes nothing:", () => {
  it("of invalid members", async () => {
    const { machine, put, list } = await newPlant();
    const faulty: [string, object][] = [
      ["/configs/0/countingFactor", { configs: [config(1, { countingFactor: 0 })] }],
      ["/configs/0/countingFactor", { configs: [config(1, { countingFactor: 0.0000001 })] }],
      ["/configs/0/countingFactor", { configs: [config(1, { countingFactor: 1.2345678 })] }],
      ["/configs/0/countingFactor", { configs: [config(1, { countingFactor: 1_000_000.5 })] }],
      ["/configs/0/wrapsAt", { configs: [config(1, { wrapsAt: 1 })] }],
      ["/configs/0/wrapsAt", { configs: [config(1, { wrapsAt: 256.5 })] }],
      ["/configs/0/wrapsAt", { configs: [config(1, { wrapsAt: 2 ** 53 })] }],
      ["/configs/0/factor", { configs: [config(1, { factor: 2 })] }],
      ["/machineRef", { machineRef: machine.ref }],
      ["/isCountEnabled", { isCountEnabled: "yes" }],
      ["/configs/1/channel", { configs: [config(1), config(1, { type: "defect" })] }],
    ];
    for (const [pointer, body] of faulty) expectProblem(await put(machine.id, body), 400, pointer);
    expect((await list()).data).toEqual([]);
  });

  it("of good units in addition to a total and defects, which could contradict each other, also by op 2", async () => {
    const { companyId, machine, put, list } = await newPlant();
    const { token } = await createUser(companyId, "superuser");
    for (const types of [
      ["total", "good", "defect"],
      ["cycle", "good", "rework"],
      ["cycle", "total", "good", "defect"],
    ]) {
      const configs = types.map((type, i) => config(i, { type }));
      const refused = await put(machine.id, { configs });
      expectProblem(refused, 400, "/configs");
      expect(refused.body.detail).toContain("good");
      const added = [{ machineRef: machine.ref, isCountEnabled: true, configs }];
      const answer = await call("PATCH", "/backoffice/machines/count-sensors", { token, body: { companyId, added } });
      expectProblem(answer, 400, "/added/0/configs");
    }
    expect((await list()).data).toEqual([]);
    for (const types of [
      ["cycle", "total", "good"],
      ["cycle", "total", "defect", "rework"],
      ["good", "defect", "rework"],
    ]) {
      expect((await put(machine.id, { configs: types.map((type, i) => config(i, { type })) })).status, types.join()).toBe(200);
    }
  });

  it("of a channel of another machine, and of an unknown or another company's machine", async () => {
    const { companyId, machine, admin, put, list } = await newPlant();
    const other = await createMachine(companyId);
    await put(other.id, { configs: [config(1)] });
    const taken = await put(machine.id, { configs: [config(2), config(1)] });
    expectProblem(taken, 409, "/configs/1/channel");
    expect(taken.body.detail).toContain(other.ref);
    const stranger = await createMachine((await createCompany()).companyId);
    const gone = await createMachine(companyId, { deletedAt: Date.now() });
    for (const id of [stranger.id, gone.id, 999_999_999]) expectProblem(await put(id, { configs: [config(2)] }), 404);
    expectProblem(await call("GET", `/v1/count-sensors?companyId=${stranger.companyId}`, { token: admin.token }), 404);
    expect((await list()).data).toMatchObject([{ machineId: other.id }]);
    const { token } = await createUser(companyId, "superuser");
    expect((await put(stranger.id, { configs: [config(1)] }, token)).status).toBe(200);
  });
});
