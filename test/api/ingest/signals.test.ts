import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { CompanyHub } from "../../../src/live/company-hub.ts";
import { Signals } from "../../../src/live/signals.ts";
import { MachineState } from "../../../src/machine/machine-object.ts";
import type { RefusedChannel } from "../../../src/objects/signals.ts";
import { call } from "../../support/call.ts";
import { DAY, HOUR, MINUTE, SECOND, stopClock } from "../../support/clock.ts";
import { eventually } from "../../support/eventually.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import {
  createApiToken,
  createChannels,
  createCompany,
  createGatewayToken,
  createMachine,
  createShift,
  createUser,
} from "../../support/factories.ts";
import { countAt, flushMachine, ingest, recordsOf } from "../../support/machines.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

interface Signal {
  status: string;
  nodeId: number;
  channel: number;
  code: string | null;
  machine: { id: number; name: string } | null;
  kept: { events: number; pulses: number; from: string } | null;
  recent: string[];
  [member: string]: unknown;
}

const hubOf = (companyId: number) => env.HUBS.getByName(String(companyId)) as DurableObjectStub<CompanyHub>;
const ringAt = (companyId: number) => runDurableObjectAlarm(hubOf(companyId));

/** A company with a 24 h shift, a machine without count sensors, an admin and a gateway. */
async function plant() {
  const { companyId } = await createCompany();
  await createShift(companyId, { start: "00:00", end: "00:00" });
  const machine = await createMachine(companyId, { standardCycleSeconds: 1 });
  const gateway = await createGatewayToken(companyId);
  const admin = await createUser(companyId, "admin");
  // Unlike that of a session, its token has no end.
  const reader = await createApiToken(admin);
  const signals = async (query = "") => {
    const answer = await call("GET", `/v1/signals${query}`, { token: reader.token });
    expect(answer.status).toBe(200);
    return answer.body.signals as Signal[];
  };
  /** Waits until the hub has heard of so many counts of the node. */
  const heard = (events: number) =>
    eventually(async () => {
      const found = (await signals()).filter(({ status }) => status !== "counted");
      expect(found.reduce((sum, one) => sum + (one.events as number), 0)).toBe(events);
      return found;
    });
  const adopt = async (channel: number, more: object = {}, { nodeId, id } = machine) => {
    const configs = [{ type: "total", countingFactor: 4, channel, nodeId }];
    const answer = await call("PUT", `/v1/machines/${id}/count-sensor`, {
      token: admin.token,
      body: { isCountEnabled: true, configs, ...more },
    });
    expect(answer.status).toBe(200);
  };
  const units = async ({ id } = machine) => {
    await flushMachine(id);
    return (await recordsOf(id)).reduce((sum, { totalUnits }) => sum + totalUnits, 0);
  };
  return { companyId, machine, gateway, token: gateway.token, admin, signals, heard, adopt, units };
}

/** Counts of a channel, one a second, the last one now. */
function pulses(nodeId: number, channel: number, howMany: number, more: (i: number) => object = () => ({})) {
  const now = Date.now();
  return Array.from({ length: howMany }, (_, i) => countAt(nodeId, now - (howMany - 1 - i) * SECOND, 1, { channel, ...more(i) }));
}

describe("PUT /v1/signals/ignored", () => {
  /** Has the hub read now what is ignored: otherwise it does so after the answer. */
  const told = (companyId: number) => hubOf(companyId).ignore();

  async function ignoringPlant() {
    const all = await plant();
    const { companyId, admin, machine } = all;
    const ignore = async (channel: number, isIgnored = true, more: object = {}) => {
      const body = { nodeId: machine.nodeId, channel, isIgnored, ...more };
      const answer = await call("PUT", "/v1/signals/ignored", { token: admin.token, body });
      await told(companyId);
      return answer;
    };
    return { ...all, ignore };
  }

  it("hides a channel and drops what is kept of it, until it is taken back, also after the hub was evicted", async () => {
    const { companyId, machine, token, signals, heard, ignore, adopt, units } = await ignoringPlant();
    await ingest(token, [...pulses(machine.nodeId, 9, 3), ...pulses(machine.nodeId, 8, 2)]);
    await heard(5);
    expect((await ignore(9)).status).toBe(204);
    expect(await signals()).toMatchObject([{ channel: 8, kept: { events: 2 } }]);
    await evictDurableObject(hubOf(companyId));
    await ingest(token, pulses(machine.nodeId, 9, 4));
    const ignored = () => signals("?ignored=true");
    await eventually(async () =>
      expect(await ignored()).toMatchObject([{ channel: 9, status: "ignored", events: 7, kept: null }]),
    );
    expect(await signals()).toMatchObject([{ channel: 8 }]);
    // Nothing is left to be counted.
    await adopt(9);
    await ringAt(companyId);
    expect(await units()).toBe(0);
    expect((await signals()).map(({ channel, status }) => [channel, status])).toEqual([
      [8, "unknown"],
      [9, "counted"],
    ]);
    await adopt(8);
    expect((await ignore(9, false)).status).toBe(204);
    expect(await ignored()).toEqual([]);
    await ingest(token, pulses(machine.nodeId, 9, 1));
    await eventually(async () =>
      expect((await signals()).find(({ channel }) => channel === 9)).toMatchObject({ kept: { events: 1 } }),
    );
  });

  it("lists ignored channels that are silent, the latest first, and how many there are", async () => {
    const { machine, admin, ignore } = await ignoringPlant();
    for (const channel of [3, 1, 2]) await ignore(channel);
    // Twice is once.
    await ignore(3);
    const { body } = await call("GET", "/v1/signals?ignored=true", { token: admin.token });
    expect(body).toMatchObject({
      ignored: 3,
      signals: [2, 1, 3].map((channel) => ({ channel, status: "ignored", nodeId: machine.nodeId })),
    });
    expect(body.signals[0]).toMatchObject({ lastAt: null, events: 0, kept: null, gatewayToken: null });
    expect((await call("GET", "/v1/signals", { token: admin.token })).body).toMatchObject({ ignored: 3, signals: [] });
  });

  it("is known to a hub that missed the change, at the latest when it looks at what it keeps", async () => {
    const { companyId, machine, token, admin, heard } = await plant();
    await ingest(token, pulses(machine.nodeId, 9, 3));
    await heard(3);
    vi.spyOn(CompanyHub.prototype, "ignore").mockRejectedValueOnce(new Error("The hub is away"));
    const body = { nodeId: machine.nodeId, channel: 9, isIgnored: true };
    expect((await call("PUT", "/v1/signals/ignored", { token: admin.token, body })).status).toBe(204);
    const kept = () =>
      runInDurableObject(hubOf(companyId), (_, { storage }) => storage.sql.exec("SELECT count(*) AS n FROM kept_counts").one().n);
    await ringAt(companyId);
    expect(await kept()).toBe(0);
  });

  it("refuses more than 500 channels, and members that are wrong, and changes nothing", async () => {
    const { companyId, admin, ignore } = await ignoringPlant();
    const full = Array.from({ length: 500 }, (_, channel) => ({ nodeId: 5, channel, since: 1 }));
    await env.DB_0.prepare("UPDATE companies SET ignored_channels = ? WHERE id = ?").bind(JSON.stringify(full), companyId).run();
    expectProblem(await ignore(7), 409);
    expectProblem(await ignore(7, true, { channel: -1, isIgnored: "yes", more: 1 }), 400, "/channel", "/isIgnored", "/more");
    const { body } = await call("GET", "/v1/signals?ignored=true", { token: admin.token });
    expect(body.signals).toHaveLength(500);
    expect((await ignore(7, false, { nodeId: 5 })).status).toBe(204);
    expect((await ignore(7)).status).toBe(204);
  });
});

describe("GET /v1/signals", () => {
  it("lists a channel that feeds no machine, with who sent its counts and what is kept of them", async () => {
    const { machine, gateway, token, heard } = await plant();
    const events = pulses(machine.nodeId, 9, 3, () => ({ value: 2 }));
    const { accepted, rejected } = await ingest(token, events);
    expect({ accepted, codes: rejected.map(({ code }) => code) }).toEqual({
      accepted: 0,
      codes: Array.from({ length: 3 }, () => "unknown_channel"),
    });
    const [signal, ...others] = await heard(3);
    expect(others).toEqual([]);
    expect(signal).toMatchObject({
      ...{ status: "unknown", nodeId: machine.nodeId, channel: 9, code: "unknown_channel", machine: null, type: null },
      gatewayToken: { id: gateway.gatewayTokenId },
      kept: { events: 3, pulses: 6, from: events[0]?.at },
      recent: events.map(({ at }) => at),
    });
  });

  it("says that a gateway's clock is wrong, and keeps no counts of the future", async () => {
    const { machine, token, heard } = await plant();
    await createChannels(machine, [{ channel: 1, type: "total" }]);
    const at = Date.now() + 12 * MINUTE;
    await ingest(token, [countAt(machine.nodeId, at)]);
    const [signal] = await heard(1);
    expect(signal).toMatchObject({
      ...{ status: "refused", code: "in_future", kept: null, events: 1, machine: { id: machine.id }, type: "total" },
      sentAt: new Date(at).toISOString(),
    });
    expect(Date.parse(String(signal?.lastAt))).toBeLessThan(at - 11 * MINUTE);
  });

  it("lists counts that are not well-formed, by the channel that they name", async () => {
    const { machine, token, heard } = await plant();
    const bad = { type: "count", at: "yesterday", nodeId: machine.nodeId, channel: 3, value: -1 };
    await ingest(token, [bad, { ...bad, nodeId: "x" }, { type: "heartbeat" }]);
    expect(await heard(1)).toMatchObject([{ status: "refused", code: "invalid_event", channel: 3, sentAt: null, kept: null }]);
  });

  it("lists the channels that feed machines, with the counts of the last two minutes", async () => {
    const { companyId, machine, token, signals } = await plant();
    await createChannels(machine, [
      { channel: 1, type: "total", countingFactor: 2 },
      { channel: 2, type: "defect" },
    ]);
    const other = await createMachine(companyId);
    await createChannels(other, [{ channel: 1, type: "total" }]);
    const events = pulses(machine.nodeId, 1, 2);
    await ingest(token, [countAt(machine.nodeId, Date.now() - 10 * MINUTE), ...events]);
    const found = await signals(`?machineIds=${machine.id}`);
    expect(found).toMatchObject([
      {
        ...{ status: "counted", channel: 1, code: null, machine: { id: machine.id, name: machine.name } },
        ...{ type: "total", countingFactor: 2, events: 2, recent: events.map(({ at }) => at), kept: null },
      },
      { status: "counted", channel: 2, type: "defect", events: 0, lastAt: null, recent: [] },
    ]);
    expect(await signals()).toHaveLength(3);
  });

  it("shows a company nothing of another one, and refuses its machines", async () => {
    const [one, other] = [await plant(), await plant()];
    await ingest(one.token, pulses(one.machine.nodeId, 9, 1));
    await one.heard(1);
    expect(await other.signals()).toEqual([]);
    const { status } = await call("GET", `/v1/signals?machineIds=${one.machine.id}`, { token: other.admin.token });
    expect(status).toBe(404);
    const tooMany = Array.from({ length: 33 }, (_, i) => i).join(",");
    expect((await call("GET", `/v1/signals?machineIds=${tooMany}`, { token: one.admin.token })).status).toBe(400);
    // The same node and channel of another company.
    await other.adopt(9, {}, { ...other.machine, nodeId: one.machine.nodeId });
    expect(await one.heard(1)).toMatchObject([{ kept: { events: 1 } }]);
    expect(await other.units()).toBe(0);
  });

  it("costs a gateway whose counts all have a machine no call, and answers a refused count although the hub fails", async () => {
    const { machine, token } = await plant();
    await createChannels(machine, [{ channel: 1, type: "total" }]);
    const hear = vi.spyOn(CompanyHub.prototype, "hear").mockRejectedValue(new Error("down"));
    await ingest(token, pulses(machine.nodeId, 1, 5));
    await scheduler.wait(100);
    expect(hear).not.toHaveBeenCalled();
    const { accepted, rejected } = await ingest(token, [...pulses(machine.nodeId, 1, 1), ...pulses(machine.nodeId, 2, 1)]);
    expect({ accepted, rejected: rejected.length }).toEqual({ accepted: 1, rejected: 1 });
    await eventually(() => expect(hear).toHaveBeenCalledTimes(1));
  });
});

describe("counts of an unknown channel", () => {
  it("count since the first one once a machine has the channel, each once, and are duplicates when they are sent again", async () => {
    const { machine, token, signals, heard, adopt, units } = await plant();
    const events = pulses(machine.nodeId, 9, 13, (i) => (i % 2 ? {} : { id: `p${i}` }));
    await ingest(token, events);
    await ingest(token, events);
    await heard(13);
    await adopt(9);
    await eventually(async () => expect(await units()).toBe(52));
    const { accepted, duplicates, rejected } = await ingest(token, events);
    expect({ accepted, duplicates, rejected }).toEqual({ accepted: 0, duplicates: 13, rejected: [] });
    expect(await units()).toBe(52);
    expect(await signals()).toMatchObject([{ status: "counted", channel: 9, events: 13 }]);
  });

  it("count for a machine with earlier events if the change of its sensors holds from the first one on", async () => {
    const { machine, token, heard, units, admin } = await plant();
    await createChannels(machine, [{ channel: 1, type: "total" }]);
    await ingest(token, [countAt(machine.nodeId, Date.now() - HOUR, 100)]);
    const events = pulses(machine.nodeId, 9, 5);
    await ingest(token, events);
    const [signal] = await heard(5);
    const configs = [1, 9].map((channel) => ({ type: "total", countingFactor: 1, channel, nodeId: machine.nodeId }));
    const put = (more: object) =>
      call("PUT", `/v1/machines/${machine.id}/count-sensor`, {
        token: admin.token,
        body: { isCountEnabled: true, configs, ...more },
      });
    expect((await put({ effectiveFrom: signal?.kept?.from, reason: "It was connected then" })).status).toBe(200);
    await eventually(async () => expect(await units()).toBe(105));
  });

  it("stay kept where the channel feeds the machine only from now on", async () => {
    const { machine, token, heard, adopt, units, companyId } = await plant();
    await createChannels(machine, [{ channel: 1, type: "total" }]);
    await ingest(token, [countAt(machine.nodeId, Date.now() - HOUR, 100), ...pulses(machine.nodeId, 9, 5)]);
    await heard(5);
    await adopt(9);
    await ringAt(companyId);
    expect(await units()).toBe(100);
    expect(await heard(5)).toMatchObject([{ status: "unknown", kept: { events: 5 }, machine: { id: machine.id } }]);
  });

  it("count after a stop between the change and the delivery, and after a machine that failed", async () => {
    const { companyId, machine, token, heard, adopt, units } = await plant();
    await ingest(token, pulses(machine.nodeId, 9, 4));
    await heard(4);
    // The call after the change is lost: the hub finds it by itself.
    const lost = vi.spyOn(CompanyHub.prototype, "countKept").mockRejectedValue(new Error("down"));
    await adopt(9);
    await eventually(() => expect(lost).toHaveBeenCalled());
    await evictDurableObject(hubOf(companyId));
    expect(await units()).toBe(0);
    const failing = vi.spyOn(MachineState.prototype, "ingest").mockRejectedValueOnce(new Error("down"));
    await ringAt(companyId);
    expect(failing).toHaveBeenCalledTimes(1);
    expect(await heard(4)).toMatchObject([{ kept: { events: 4 } }]);
    await ringAt(companyId);
    expect(await units()).toBe(16);
    expect(await heard(0)).toEqual([]);
  });

  it("of one machine count although another one fails, and the alarm of the hub goes on", async () => {
    const { companyId, machine, token, heard, adopt, units } = await plant();
    const other = await createMachine(companyId, { nodeId: machine.nodeId, standardCycleSeconds: 1 });
    await ingest(token, [...pulses(machine.nodeId, 8, 1), ...pulses(machine.nodeId, 9, 2)]);
    await heard(3);
    const lost = vi.spyOn(CompanyHub.prototype, "countKept").mockResolvedValue(undefined);
    await adopt(8);
    await adopt(9, {}, other);
    await eventually(() => expect(lost).toHaveBeenCalledTimes(2));
    vi.spyOn(MachineState.prototype, "ingest").mockRejectedValueOnce(new Error("down"));
    await ringAt(companyId);
    expect(await heard(1)).toMatchObject([{ channel: 8, kept: { events: 1 } }]);
    expect([await units(), await units(other)]).toEqual([0, 8]);
    await runInDurableObject(hubOf(companyId), async (_, { storage }) => {
      expect(storage.kv.get("failing alarm")).toBeUndefined();
      const at = (await storage.getAlarm()) ?? Number.POSITIVE_INFINITY;
      expect(at).toBeLessThan(Date.now() + 6 * SECOND);
    });
    await ringAt(companyId);
    expect(await units()).toBe(4);
  });

  it("from before the commissioning of their machine wait for an earlier one", async () => {
    const { companyId, token, heard, admin, units, adopt } = await plant();
    const late = await createMachine(companyId, { commissionedAt: Date.now() - 2 * SECOND, standardCycleSeconds: 1 });
    await ingest(token, pulses(late.nodeId, 9, 10));
    await heard(10);
    await adopt(9, {}, late);
    await eventually(async () => expect(await units(late)).toBeGreaterThan(0));
    const counted = (await units(late)) / 4;
    const [signal] = await heard(10);
    expect(signal).toMatchObject({ status: "refused", code: "before_commissioning", kept: { events: 10 - counted } });
    const body = { commissionedAt: signal?.kept?.from };
    const path = `/v1/machines/${late.id}`;
    expect(await call("PATCH", path, { token: admin.token, body })).toMatchObject({ status: 200 });
    await ringAt(companyId);
    await eventually(async () => expect(await units(late)).toBe(40));
  });

  it("are forgotten a day after they arrived, whatever time they say and however often they are sent", async () => {
    const { companyId, machine, token, heard } = await plant();
    const start = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: start });
    const old = countAt(machine.nodeId, start - 400 * DAY, 1, { channel: 9 });
    const early = countAt(machine.nodeId, start + 4 * MINUTE, 1, { channel: 9 });
    await ingest(token, [old, early]);
    await heard(2);
    vi.setSystemTime(start + DAY - MINUTE);
    await ingest(token, [old, early]);
    await scheduler.wait(200);
    await ringAt(companyId);
    expect(await heard(2)).toMatchObject([{ kept: { events: 2 } }]);
    vi.setSystemTime(start + DAY + MINUTE);
    await ringAt(companyId);
    expect(await heard(2)).toMatchObject([{ kept: null, status: "unknown" }]);
    vi.setSystemTime(start + 2 * DAY + MINUTE);
    await ringAt(companyId);
    expect(await heard(0)).toEqual([]);
    await runInDurableObject(hubOf(companyId), (_, { storage }) => {
      expect(storage.sql.exec("SELECT * FROM signals").toArray()).toEqual([]);
      expect(storage.sql.exec("SELECT * FROM kept_counts").toArray()).toEqual([]);
    });
  });
});

describe("what a hub keeps is bounded:", () => {
  const channel = (
    channel: number,
    from: number,
    howMany: number,
    idOf: (i: number) => string | null = () => null,
  ): RefusedChannel => ({
    ...{ nodeId: 1, channel, code: "unknown_channel", message: "", sentAt: null, refused: 0 },
    unknown: Array.from({ length: howMany }, (_, i) => ({ id: idOf(i), at: from + i, value: 1 })),
  });

  it("the oldest of more than 100,000 counts go first, of the sender that has the most", async () => {
    const { companyId } = await createCompany();
    await runInDurableObject(hubOf(companyId), async (hub, { storage }) => {
      await hub.signals();
      const signals = new Signals(storage);
      const now = Date.now();
      signals.hear("gateway:2", [channel(5, 0, 500)], now);
      for (let i = 0; i < 101; i++) signals.hear("gateway:1", [channel(9, i * 1000, 1000)], now + i);
      const kept = signals.heard(now).map(({ source, kept }) => [source, kept?.events, kept?.from]);
      expect(kept).toEqual([
        ["gateway:1", 99_500, 1500],
        ["gateway:2", 500, 0],
      ]);
      expect(storage.sql.exec("SELECT count(*) AS n FROM kept_counts").one()).toEqual({ n: 100_000 });
    });
  });

  it("the counts of a company take at most 24 MB", async () => {
    const { companyId } = await createCompany();
    await runInDurableObject(hubOf(companyId), async (hub, { storage }) => {
      await hub.signals();
      const signals = new Signals(storage);
      const now = Date.now();
      const long = (i: number) => `${i}`.padEnd(128, "é");
      for (let i = 0; i < 50; i++) signals.hear("gateway:1", [channel(9, i * 1000, 1000, long)], now + i);
      const { bytes } = storage.sql
        .exec<{ bytes: number }>("SELECT sum(length(CAST(key AS BLOB)) + length(CAST(body AS BLOB))) AS bytes FROM kept_counts")
        .one();
      expect(bytes).toBeLessThan(24 * 1024 * 1024);
      expect(signals.heard(now)[0]?.kept?.events).toBeGreaterThan(35_000);
    });
  });

  it("a sender has at most 250 channels and a company 1,000, without those that were silent for the longest time", async () => {
    const { companyId } = await createCompany();
    await runInDurableObject(hubOf(companyId), async (hub, { storage }) => {
      await hub.signals();
      const signals = new Signals(storage);
      const now = Date.now();
      const countOf = () =>
        storage.sql.exec("SELECT source, count(*) AS n FROM signals GROUP BY source ORDER BY source").toArray();
      for (let i = 0; i < 300; i++) signals.hear("gateway:1", [channel(i, 0, 1)], now + i);
      expect(countOf()).toEqual([{ source: "gateway:1", n: 250 }]);
      expect(storage.sql.exec("SELECT min(channel) AS first FROM signals").one()).toEqual({ first: 50 });
      for (const source of [2, 3, 4, 5] as const) {
        for (let i = 0; i < 250; i++) signals.hear(`gateway:${source}`, [channel(i, 0, 1)], now + i);
      }
      expect(countOf().reduce((sum, { n }) => sum + Number(n), 0)).toBe(1000);
      expect(storage.sql.exec("SELECT count(*) AS n FROM kept_counts").one()).toEqual({ n: 1000 });
    });
  });

  it("a gateway that sends more than 1,000 counts a second for long is not written any more", async () => {
    stopClock();
    const { companyId } = await createCompany();
    await runInDurableObject(hubOf(companyId), async (hub, { storage }) => {
      await hub.signals();
      const signals = new Signals(storage);
      const now = Date.now();
      for (let i = 0; i < 130; i++) signals.hear("gateway:1", [channel(9, i * 1000, 1000)], now);
      const [before] = signals.heard(now);
      expect(before?.refused).toBe(119_000);
      signals.hear("gateway:2", [channel(9, 0, 1)], now);
      expect(signals.heard(now)).toHaveLength(2);
      signals.hear("gateway:1", [channel(9, 200_000, 900)], now + SECOND);
      expect(signals.heard(now).find(({ source }) => source === "gateway:1")?.refused).toBe(119_900);
    });
  });
});
