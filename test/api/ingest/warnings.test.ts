import { describe, expect, it } from "vitest";
import { warningCodes } from "../../../src/core/warnings.ts";
import { call } from "../../support/call.ts";
import { HOUR, MINUTE, NOON, stopClockAtNoon } from "../../support/clock.ts";
import {
  createChannels,
  createCompany,
  createGatewayToken,
  createMachine,
  createShift,
  createSku,
  createUser,
} from "../../support/factories.ts";
import { countAt, createLine, ingest } from "../../support/machines.ts";

stopClockAtNoon();

const iso = (at: number) => new Date(at).toISOString();
const codesOf = (answer: Awaited<ReturnType<typeof ingest>>) =>
  answer.warnings.map(({ machineId, code }) => `${machineId} ${code}`).sort();

describe("the answer warns about a machine", () => {
  it("without a shift, also if all events are duplicates", async () => {
    const { companyId } = await createCompany();
    const machine = await createMachine(companyId, { standardCycleSeconds: 5 });
    await createChannels(machine, [{ channel: 1, type: "total" }]);
    const { token } = await createGatewayToken(companyId);
    const events = [countAt(machine.nodeId, NOON - HOUR), countAt(machine.nodeId, NOON)];
    const first = await ingest(token, events);
    expect(first).toMatchObject({ accepted: 2, warnings: [{ machineId: machine.id, code: "no_shift" }] });
    expect(first.warnings).toHaveLength(1);
    const again = await ingest(token, events);
    expect(again).toMatchObject({ accepted: 0, duplicates: 2, warnings: first.warnings });
  });

  it("whose device reports more seldom than its limits allow, with the value to set", async () => {
    const { companyId } = await createCompany();
    await createShift(companyId, { start: "00:00", end: "00:00" });
    const machine = await createMachine(companyId, { standardCycleSeconds: 12 });
    await createChannels(machine, [{ channel: 1, type: "total" }]);
    const { token } = await createGatewayToken(companyId);
    // As many as fit into the two minutes after which it is stopped.
    expect((await ingest(token, [countAt(machine.nodeId, NOON - HOUR, 10)])).warnings).toEqual([]);
    const seldom = await ingest(token, [countAt(machine.nodeId, NOON - MINUTE, 12)]);
    expect(seldom).toMatchObject({ accepted: 1, warnings: [{ machineId: machine.id, code: "reports_seldom" }] });
    expect(seldom.warnings[0]?.message).toMatch(/144 s.*stopAfterSeconds \(120\).*reportingSeconds to 180/);
    const covering = countAt(machine.nodeId, NOON, 12, { since: iso(NOON - 150_000) });
    expect((await ingest(token, [covering])).warnings).toEqual([]);
  });

  it("whose sender's clock is fast", async () => {
    const { machine, token } = await createLine({ standardCycleSeconds: 12 });
    expect((await ingest(token, [countAt(machine.nodeId, NOON + 10_000)])).warnings).toEqual([]);
    const { accepted, warnings } = await ingest(token, [countAt(machine.nodeId, NOON + 90_000)]);
    expect([accepted, warnings]).toEqual([
      1,
      [{ machineId: machine.id, code: "clock_ahead", message: expect.stringMatching(/90 s ahead/) }],
    ]);
    const late = await ingest(token, [countAt(machine.nodeId, NOON + 600_000)]);
    expect(late).toMatchObject({ accepted: 0, warnings: [], rejected: [{ code: "in_future" }] });
  });

  it("that counts outside all shifts, but not about heartbeats there", async () => {
    const { companyId } = await createCompany();
    await createShift(companyId, { start: "06:00", end: "14:00" });
    const machine = await createMachine(companyId, { standardCycleSeconds: 5 });
    const states = await createMachine(companyId, { signal: "states" });
    await createChannels(machine, [{ channel: 1, type: "total" }]);
    const { token } = await createGatewayToken(companyId);
    const night = NOON - 10 * HOUR;
    expect((await ingest(token, [countAt(machine.nodeId, NOON)])).warnings).toEqual([]);
    expect((await ingest(token, [{ type: "heartbeat", at: iso(night), machineId: machine.id }])).warnings).toEqual([]);
    expect((await ingest(token, [countAt(machine.nodeId, night, 0)])).warnings).toEqual([]);
    const { warnings } = await ingest(token, [countAt(machine.nodeId, night), countAt(machine.nodeId, night + MINUTE)]);
    expect(warnings).toMatchObject([{ machineId: machine.id, code: "outside_shifts" }]);
    expect(warnings[0]?.message).toContain(iso(night));
    const state = { type: "state", at: iso(night), machineId: states.id, state: "running" };
    expect(codesOf(await ingest(token, [state]))).toEqual([`${states.id} outside_shifts`]);
  });

  it("without a standard cycle, unless the SKU in production has one", async () => {
    const { companyId, machine, token } = await createLine({ nodeId: 1 });
    const fast = await createSku(companyId, { standards: [{ standardCycleSeconds: 5 }] });
    for (let i = 0; i < 2; i++) {
      expect(codesOf(await ingest(token, [countAt(1, NOON - HOUR)]))).toEqual([`${machine.id} no_standard_cycle`]);
    }
    const set = { type: "sku", at: iso(NOON - MINUTE), machineId: machine.id, skuId: fast.skuId };
    // In any order within the request, the earlier count has no SKU and the later one has that SKU.
    expect(codesOf(await ingest(token, [countAt(1, NOON), set]))).toEqual([]);
    expect(codesOf(await ingest(token, [countAt(1, NOON, 2)]))).toEqual([]);
  });

  it("whose SKU has no standard, when the SKU is set and when it is counted", async () => {
    const { companyId, machine, token } = await createLine({ nodeId: 2 });
    const { skuId } = await createSku(companyId);
    const set = { type: "sku", at: iso(NOON - MINUTE), machineId: machine.id, skuId };
    const { warnings } = await ingest(token, [set]);
    expect(warnings).toMatchObject([{ machineId: machine.id, code: "sku_without_standard" }]);
    expect(warnings[0]?.message).toContain(skuId);
    expect(codesOf(await ingest(token, [countAt(2, NOON)]))).toEqual([
      `${machine.id} no_standard_cycle`,
      `${machine.id} sku_without_standard`,
    ]);
    const own = await createLine({ nodeId: 3, standardCycleSeconds: 5 });
    const plain = await createSku(own.companyId);
    const setOwn = { type: "sku", at: iso(NOON - MINUTE), machineId: own.machine.id, skuId: plain.skuId };
    expect((await ingest(own.token, [setOwn, countAt(3, NOON)])).warnings).toEqual([]);
  });

  it("whose counting is disabled, only for pulses", async () => {
    const { companyId, machine, token } = await createLine({ standardCycleSeconds: 5 });
    const admin = await createUser(companyId, "admin");
    const configs = [{ type: "total", countingFactor: 1, channel: 1, nodeId: machine.nodeId }];
    const body = { isCountEnabled: false, configs };
    expect((await call("PUT", `/v1/machines/${machine.id}/count-sensor`, { token: admin.token, body })).status).toBe(200);
    expect(codesOf(await ingest(token, [countAt(machine.nodeId, NOON, 0)]))).toEqual([]);
    for (let i = 0; i < 2; i++) {
      expect(codesOf(await ingest(token, [countAt(machine.nodeId, NOON, 3)]))).toEqual([`${machine.id} counting_disabled`]);
    }
  });
});

it("each kind is given once per machine, and none for refused events", async () => {
  const { companyId } = await createCompany();
  const machines = [await createMachine(companyId), await createMachine(companyId)];
  for (const machine of machines) await createChannels(machine, [{ channel: 1, type: "total" }]);
  const { token } = await createGatewayToken(companyId);
  const events = machines.flatMap(({ nodeId }) => [1, 2, 3].map((i) => countAt(nodeId, NOON - i * MINUTE)));
  const expected = machines.flatMap(({ id }) => [`${id} no_shift`, `${id} no_standard_cycle`]).sort();
  expect(codesOf(await ingest(token, events))).toEqual(expected);
  const { rejected, warnings } = await ingest(token, [countAt(machines[0]?.nodeId ?? 0, NOON, 1, { channel: 9 })]);
  expect([rejected.length, warnings]).toEqual([1, []]);
  expect((await ingest(token, [])).warnings).toEqual([]);
});

it("the kinds are a fixed list that the API document has", async () => {
  const { body } = await call("GET", "/openapi.json");
  const { code } = body.components.schemas.IngestWarning.properties;
  expect(code.enum).toEqual([...warningCodes]);
  for (const one of warningCodes) expect(code.description).toContain(`\`${one}\``);
});
