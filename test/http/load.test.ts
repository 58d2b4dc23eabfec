import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { OBJECT_MS, Slots, STORAGE_MS, within } from "../../src/limits/load.ts";
import { callMachine } from "../../src/objects/machines.ts";
import { call } from "../support/call.ts";
import { eventually } from "../support/eventually.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { createCompany, createMachine, createUser } from "../support/factories.ts";
import { machineObject } from "../support/machine-object.ts";
import { countAt, createLine, flushMachine, ingest, recordsOf } from "../support/machines.ts";
import { changed, serviceWith } from "../support/service.ts";
import { probe } from "./probe-app.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const never = () => new Promise<never>(() => {});
const fakeTimers = () => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
/** Waits until the code under test waits for something with a deadline. */
const deadlineSet = () => eventually(() => expect(vi.getTimerCount()).toBeGreaterThan(0));

/** A database in which every query is replaced. */
function databaseThat(does: () => Promise<unknown>): D1Database {
  const statement = { bind: () => statement, all: does, run: does, raw: does, first: does };
  const session = { prepare: () => statement, batch: does, getBookmark: () => null };
  return { withSession: () => session } as unknown as D1Database;
}

/** Machines' objects in which every call is replaced. */
function objectsThat(does: () => Promise<unknown>): Env["MACHINES"] {
  return changed(env.MACHINES, { getByName: () => new Proxy({}, { get: () => does }) });
}

describe("slots", () => {
  it("are limited per key, and can be given back", () => {
    const slots = new Slots(1000);
    const [first, second] = [slots.take("a", 2), slots.take("a", 2)];
    expect([first, second].every(Boolean)).toBe(true);
    expect(slots.take("a", 2)).toBeNull();
    expect(slots.take("b", 2)).not.toBeNull();
    first?.();
    first?.();
    second?.();
    const third = slots.take("a", 1);
    first?.();
    expect(slots.take("a", 1)).toBeNull();
    third?.();
    expect(slots.take("a", 1)).not.toBeNull();
  });

  it("become free when nobody gives them back", () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const slots = new Slots(1000);
    const late = slots.take("a", 1);
    vi.setSystemTime(Date.now() + 999);
    expect(slots.take("a", 1)).toBeNull();
    vi.setSystemTime(Date.now() + 1);
    expect(slots.take("a", 1)).not.toBeNull();
    late?.();
    expect(slots.take("a", 1)).toBeNull();
  });
});

describe("a deadline", () => {
  it("returns a result in time, and leaves no timer", async () => {
    vi.useFakeTimers();
    expect(await within(1000, "it", Promise.resolve(7))).toBe(7);
    await expect(within(1000, "it", Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("fails without a result", async () => {
    vi.useFakeTimers();
    const refusal = expect(within(1000, "it", never())).rejects.toMatchObject({ name: "StorageBusy" });
    await vi.advanceTimersByTimeAsync(1000);
    await refusal;
  });
});

describe("an isolate", () => {
  it("refuses requests at once while it is full, and accepts them again afterwards", async () => {
    const gates: (() => void)[] = [];
    const DB_0 = databaseThat(() => new Promise((open) => gates.push(() => open({ results: [] }))));
    // Of eight slots two are for requests without a token, and two of those requests may wait.
    const via = probe({ DB_0, MAX_REQUESTS_IN_FLIGHT: "8" });
    const ask = () => call("GET", "/probe/read", { via });
    const asked = [ask(), ask(), ask(), ask()];
    await eventually(() => expect(gates).toHaveLength(2));
    const startedAt = performance.now();
    const refused = await ask();
    // A slot is waited for up to 2 s.
    expect(performance.now() - startedAt, "ms").toBeLessThan(1500);
    expectProblem(refused, 503);
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(refused.headers.get("x-content-type-options")).toBe("nosniff");
    expect(gates).toHaveLength(2);
    for (const open of gates.splice(0)) open();
    await eventually(() => expect(gates).toHaveLength(2));
    for (const open of gates.splice(0)) open();
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const next = ask();
    await eventually(() => expect(gates).toHaveLength(1));
    gates[0]?.();
    expect((await next).status).toBe(200);
  });

  it("has room again after requests that failed", async () => {
    vi.spyOn(console, "error").mockReturnValue(undefined);
    const via = probe({ MAX_REQUESTS_IN_FLIGHT: "1" });
    for (let i = 0; i < 3; i++) expectProblem(await call("GET", "/probe/failure", { via }), 500);
  });
});

describe("storage that does not answer", () => {
  async function newReader() {
    const { companyId } = await createCompany();
    const { token } = await createUser(companyId, "user");
    const machine = await createMachine(companyId);
    // The account is cached, and the object has its set-up, before anything hangs.
    expect((await call("GET", `/v1/machines/${machine.id}/state`, { token })).status).toBe(200);
    return { token, path: `/v1/machines/${machine.id}/state` };
  }

  it("is abandoned: the database", async () => {
    const error = vi.spyOn(console, "error").mockReturnValue(undefined);
    const { token, path } = await newReader();
    fakeTimers();
    const asked = call("GET", path, { token, via: serviceWith({ DB_0: databaseThat(never) }) });
    await deadlineSet();
    await vi.advanceTimersByTimeAsync(STORAGE_MS);
    vi.useRealTimers();
    const answer = await asked;
    expectProblem(answer, 503);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(error.mock.calls.join()).toContain("the database did not answer");
  });

  it("is abandoned: a machine's object, whose slot is free again", async () => {
    vi.spyOn(console, "error").mockReturnValue(undefined);
    fakeTimers();
    const machineId = 2 ** 40;
    const hung = { ...env, MACHINES: objectsThat(never) };
    const calls = Array.from({ length: 16 }, () => callMachine(hung, machineId, (machine) => machine.state()));
    const outcomes = Promise.allSettled(calls);
    const usage = { calls: 0, durationMs: 0, underWay: 0, since: 0 };
    const beyond = callMachine(hung, machineId, (machine) => machine.state(), usage);
    await expect(beyond).rejects.toMatchObject({ name: "StorageBusy", message: expect.stringContaining("16 calls") });
    expect(usage.calls).toBe(0);
    const healthy = { ...env, MACHINES: objectsThat(async () => null) };
    // More than the number of slots, one after the other.
    for (let i = 0; i < 40; i++) expect(await callMachine(healthy, machineId + 1, (machine) => machine.state())).toBeNull();
    await vi.advanceTimersByTimeAsync(OBJECT_MS);
    expect(new Set((await outcomes).map(({ status }) => status))).toEqual(new Set(["rejected"]));
    expect(await callMachine(healthy, machineId, (machine) => machine.state())).toBeNull();
  });

  it("causes a 503 for the callers of that machine, and nothing for others", async () => {
    vi.spyOn(console, "error").mockReturnValue(undefined);
    const { token, path } = await newReader();
    const answer = await call("GET", path, {
      token,
      via: serviceWith({ MACHINES: objectsThat(() => Promise.reject(new Error("machine 1 did not answer within 15000 ms"))) }),
    });
    expectProblem(answer, 503);
    expect((await call("GET", path, { token })).status).toBe(200);
  });

  it("causes refusals of the many callers of a stuck machine, while all others are served", async () => {
    vi.spyOn(console, "error").mockReturnValue(undefined);
    const stuck = await newReader();
    const well = await newReader();
    const name = stuck.path.split("/")[3];
    let release = () => {};
    const released = new Promise<null>((resolve) => {
      release = () => resolve(null);
    });
    const hung = new Proxy({}, { get: () => () => released });
    const getByName = (of: string) => (of === name ? hung : env.MACHINES.getByName(of));
    const via = serviceWith({ MACHINES: changed(env.MACHINES, { getByName }) });
    const held = Array.from({ length: 16 }, () => call("GET", stuck.path, { token: stuck.token, via }));
    // They begin one after the other, and the last one waits for the object some moments from now.
    await new Promise((resolve) => setTimeout(resolve, 200));
    for (let i = 0; i < 60; i++) expect((await call("GET", well.path, { token: well.token, via })).status).toBe(200);
    expectProblem(await call("GET", stuck.path, { token: stuck.token, via }), 503);
    release();
    expect(new Set((await Promise.all(held)).map(({ status }) => status))).toEqual(new Set([404]));
  });

  it("is abandoned: the pictures", async () => {
    vi.spyOn(console, "error").mockReturnValue(undefined);
    fakeTimers();
    const THUMBNAILS = changed(env.THUMBNAILS, { get: never });
    const asked = call("GET", `/thumbnails/${"0".repeat(64)}.png`, { via: serviceWith({ THUMBNAILS }) });
    await deadlineSet();
    await vi.advanceTimersByTimeAsync(STORAGE_MS);
    vi.useRealTimers();
    expectProblem(await asked, 503);
  });

  it("does not stop a machine's object: it flushes again, and its data arrives", async () => {
    const error = vi.spyOn(console, "error").mockReturnValue(undefined);
    const { machine, token } = await createLine();
    await ingest(token, [countAt(machine.nodeId, Date.now() - 60_000, 5)]);
    // Its first alarm fires at once, and the next one only after ten seconds.
    const sent = await eventually(async () => {
      const records = await recordsOf(machine.id);
      expect(records).not.toEqual([]);
      return records;
    });
    await ingest(token, [countAt(machine.nodeId, Date.now() - 30_000, 5)]);
    const nextAlarm = await runInDurableObject(machineObject(env, machine.id), async (object, { storage }) => {
      const inner = object as unknown as { env: Env };
      const real = inner.env;
      inner.env = { ...real, DB_0: databaseThat(never) };
      fakeTimers();
      const rung = object.publish(0);
      await deadlineSet();
      await vi.advanceTimersByTimeAsync(STORAGE_MS);
      vi.useRealTimers();
      await rung;
      inner.env = real;
      return storage.getAlarm();
    });
    expect(error.mock.calls.join()).toContain("the database did not answer");
    expect(nextAlarm).toBeGreaterThan(0);
    expect(await recordsOf(machine.id)).toEqual(sent);
    await flushMachine(machine.id);
    const units = (records: typeof sent) => records.reduce((sum, { totalUnits }) => sum + totalUnits, 0);
    expect(units(await recordsOf(machine.id))).toBe(units(sent) + 5);
  });
});
