import { describe, expect, it, vi } from "vitest";
import { HOUR, MINUTE, NOON, stopClockAtNoon } from "../../support/clock.ts";
import { createWorkOrder } from "../../support/factories.ts";
import { countAt, flushMachine, ingest, type recordsOf } from "../../support/machines.ts";
import { iso, plant, TO } from "./closed-plant.ts";

stopClockAtNoon();

describe("closing the books", () => {
  it("stores what the shifts sum up to, which is what reports say for good", async () => {
    const { close, get, send, machineId, locked } = await plant();
    const before = await locked();
    const answer = await close();
    expect(answer.body).toMatchObject({ from: null, to: iso(TO), state: "closed", isForced: true, machinesLeft: 0 });
    expect(answer.status).toBe(201);
    const { id } = answer.body;
    expect(answer.headers.get("location")).toBe(`/v1/books/closings/${id}`);
    const { machines } = await get(id);
    expect(machines).toHaveLength(1);
    const [{ sums, sumsNow }] = machines;
    expect(machines[0]).toMatchObject({ machine: { id: machineId }, state: "closed", waitsFor: null });
    expect(sums).toEqual(sumsNow);
    expect(sums.total).toBe((before.records as { totalUnits: number }[]).reduce((sum, one) => sum + one.totalUnits, 0));
    expect(sums.total).toBeGreaterThan(100);
    expect((await send("GET", "/v1/books/closings?total=true")).body).toMatchObject({ data: [{ id }], total: 1 });
  });

  it("holds late events, names them in warnings, and offers them when the books are reopened", async () => {
    const { close, reopen, held, locked, gateway, nodeId, machineId, send } = await plant();
    const { id } = (await close()).body;
    const before = await locked();
    const late = countAt(nodeId, TO - HOUR - 1, 7, { id: "late" });
    const first = await ingest(gateway, [late]);
    expect(first).toMatchObject({ accepted: 1, duplicates: 0, rejected: [] });
    expect(first.warnings.map(({ code }) => code)).toContain("held");
    expect(await ingest(gateway, [late])).toMatchObject({ accepted: 0, duplicates: 1 });
    await flushMachine(machineId);
    expect(await locked()).toEqual(before);
    const [entry] = await held();
    expect(entry).toMatchObject({ reason: "closedBooks", count: 1, units: 7 });
    const accept = () => send("POST", `/v1/held-events/${entry.id}/accept`, {});
    expect(await accept()).toMatchObject({ status: 409, body: { detail: expect.stringContaining(iso(TO)) } });
    expect((await reopen(id)).body).toMatchObject({ state: "reopened", reopenReason: "A mistake", machinesLeft: 0 });
    expect(await held()).toHaveLength(1);
    expect(await accept()).toMatchObject({ status: 200, body: { decided: 1, units: 7, left: 0 } });
    await flushMachine(machineId);
    expect(await held()).toHaveLength(0);
    const total = (rows: Awaited<ReturnType<typeof locked>>) =>
      (rows.records as { totalUnits: number }[]).reduce((sum, one) => sum + one.totalUnits, 0);
    expect(total(await locked())).toBe(total(before) + 7);
  });

  it("refuses a calendar day that begins where it ends: it could give its night to the shift before", async () => {
    const { close, send } = await plant();
    await close();
    const day = (at: number) => send("POST", "/v1/calendar-days", { date: iso(at).slice(0, 10), scope: "company", closed: true });
    expect(await day(TO)).toMatchObject({ status: 409, body: { errors: [{ pointer: "/date", code: "closed_books" }] } });
    expect((await day(TO + 24 * HOUR)).status).toBe(201);
  });

  it("keeps the time before as it was when a late event after it shortens a gap across it", async () => {
    const { close, locked, gateway, nodeId, machineId, reopen } = await plant();
    const open = await locked();
    const { id } = (await close()).body;
    const before = await locked();
    expect(before.records).toEqual(open.records);
    // With it, the gap across is no stop any more.
    await ingest(gateway, [countAt(nodeId, TO + 3 * MINUTE, 100, { id: "between", since: iso(TO - 16 * MINUTE) })]);
    await flushMachine(machineId);
    expect(await locked()).toEqual(before);
    await reopen(id);
    await flushMachine(machineId);
    expect((await locked()).records).not.toEqual(before.records);
  });

  it("lets an event of its instant end the run of an order that went on, which keeps what it made before", async () => {
    const { close, machine, machineId, gateway, sku, send, locked } = await plant();
    const { skuId } = await sku();
    const { workOrderId } = await createWorkOrder(machine, skuId);
    const run = (at: number, order: string | null) => ({ type: "sku", at: iso(at), machineId, skuId, workOrderId: order });
    const produced = async () => {
      await flushMachine(machineId);
      return (await send("GET", `/v1/work-orders/${workOrderId}`)).body.produced;
    };
    await ingest(gateway, [run(TO - HOUR, workOrderId)]);
    const whole = await produced();
    expect((await close()).body.state).toBe("closed");
    expect(await produced()).toBe(whole);
    // The hour has no counts within 20 minutes of its end, and one each four minutes before.
    await ingest(gateway, [run(TO, null)]);
    expect(await produced()).toBe(10);
    expect(whole).toBeGreaterThan(400);
    expect((await locked()).runs).toMatchObject([{ start_at: TO - HOUR, end_at: TO, correct: 10 }]);
  });

  it("leaves the numbers as they were when it is reopened without any change", async () => {
    const { close, locked, machineId, reopen } = await plant();
    const [ever, before] = [await locked(NOON), await locked()];
    const { id } = (await close()).body;
    await reopen(id);
    await flushMachine(machineId);
    expect(await locked()).toEqual(before);
    expect((await locked(NOON)).records).toEqual(ever.records);
  });

  it("leaves all of their time to the shifts after it, also to one in which a stop goes on", async () => {
    const { close, locked } = await plant();
    const times = async () => {
      const { records } = await locked(NOON);
      return (records as Awaited<ReturnType<typeof recordsOf>>).map((one) => ({
        ...{ startAt: one.startAt, units: one.totalUnits, availableMs: one.availableMs },
        stoppedMs: one.nonProgrammedMs + one.programmedMs + one.noDataMs + one.otherMs,
      }));
    };
    const before = await times();
    expect(before.some(({ startAt }) => startAt === TO)).toBe(true);
    await close();
    expect(await times()).toEqual(before);
  });

  it("names what people have left open, unless it is forced with a reason", async () => {
    const { send } = await plant();
    const close = (body: object) => send("POST", "/v1/books/closings", { to: iso(TO), ...body });
    const refused = await close({});
    expect(refused.status).toBe(409);
    expect(refused.body.errors.map(({ code }: { code: string }) => code)).toContain("unclassified_stops");
    expect(await close({ force: true })).toMatchObject({ status: 400, body: { errors: [{ pointer: "/reason" }] } });
    expect(await close({ to: iso(NOON + HOUR), force: true, reason: "x" })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: "/to" }] },
    });
    const { body } = await close({ force: true, reason: "Nobody knows" });
    expect(body.findings).toContainEqual({ code: "unclassified_stops", count: expect.any(Number) });
    expect(await close({ force: true, reason: "Again" })).toMatchObject({
      status: 409,
      body: { errors: [{ code: "closed_books" }] },
    });
  });

  it("is reopened from the newest one on", async () => {
    const { close, reopen } = await plant();
    const first = (await close({ to: iso(TO - 24 * HOUR) })).body;
    const second = (await close()).body;
    expect(second).toMatchObject({ from: iso(TO - 24 * HOUR), state: "closed" });
    expect((await reopen(first.id)).status).toBe(409);
    expect((await reopen(second.id)).body.state).toBe("reopened");
    expect((await reopen(second.id)).status).toBe(409);
    expect((await reopen(first.id)).body.state).toBe("reopened");
  });

  it("can be done again after a reopening", async () => {
    const { close, reopen, machineId, locked, get } = await plant();
    const first = (await close()).body;
    await reopen(first.id);
    await flushMachine(machineId);
    vi.setSystemTime(Date.now() + MINUTE);
    const again = (await close()).body;
    expect(again.state).toBe("closed");
    const { machines } = await get(again.id);
    expect(machines[0].sums).toEqual((await get(first.id)).machines[0].sums);
    expect((await locked()).records?.length).toBeGreaterThan(0);
  });
});
