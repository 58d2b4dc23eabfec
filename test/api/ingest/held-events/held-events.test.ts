import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { call } from "../../../support/call.ts";
import { DAY, HOUR, MINUTE, NOON, stopClockAtNoon } from "../../../support/clock.ts";
import { expectProblem } from "../../../support/expect-problem.ts";
import { createApiToken, createSku, createUser } from "../../../support/factories.ts";
import { machineObject } from "../../../support/machine-object.ts";
import { configureMachine, countAt, createLine, flushMachine, ingest, recordsOf } from "../../../support/machines.ts";

stopClockAtNoon();

const iso = (at: number) => new Date(at).toISOString();
const GLITCH = 999_999_999;

/** Changes the machine's set-up. */
async function reconfigure(machineId: number, change: string): Promise<void> {
  await env.DB_0.prepare(`UPDATE machines SET ${change}, config_version = config_version + 1 WHERE id = ?`).bind(machineId).run();
  await configureMachine(machineId);
}

/** A machine with a standard of 10 s, whose last count was an hour ago: 20 times what fits since are 7,200 cycles. */
async function createHeld(options: Parameters<typeof createLine>[0] = {}) {
  const line = await createLine({ standardCycleSeconds: 10, commissionedAt: NOON - 3 * DAY, ...options });
  const { machine, companyId, token: gateway } = line;
  const admin = await createUser(companyId, "admin");
  // Lasts longer than a login, whatever the clock.
  const { token } = await createApiToken({ ...admin, companyId, role: "admin" });
  await ingest(gateway, [countAt(machine.nodeId, NOON - HOUR, 5)]);
  const send = (...events: object[]) => ingest(gateway, events);
  const list = async (query = "") => {
    await flushMachine(machine.id);
    return (await call("GET", `/v1/held-events?${query}`, { token })).body.data;
  };
  const eventsOf = async (id: number, query = "") => (await call("GET", `/v1/held-events/${id}/events?${query}`, { token })).body;
  const decide = (action: string, id: number, body: object = {}, headers: Record<string, string> = {}) =>
    call("POST", `/v1/held-events/${id}/${action}`, { token, body, headers });
  const units = async () => {
    await flushMachine(machine.id);
    return (await recordsOf(machine.id)).reduce((sum, { totalUnits }) => sum + totalUnits, 0);
  };
  return {
    ...line,
    token,
    send,
    list,
    eventsOf,
    decide,
    units,
    count: (at: number, value: number, more = {}) => countAt(machine.nodeId, at, value, more),
  };
}

describe("a count that the machine cannot have made", () => {
  it("is accepted and named as held, and adds nothing", async () => {
    const { machine, send, list, eventsOf, units, count } = await createHeld();
    const answer = await send(count(NOON, GLITCH, { id: "g1" }));
    expect(answer).toMatchObject({ accepted: 1, duplicates: 0, rejected: [] });
    const [warning, ...more] = answer.warnings;
    expect([warning?.code, more]).toEqual(["held", []]);
    expect(warning?.message).toContain(String(GLITCH));
    const [entry, ...others] = await list();
    expect(others).toEqual([]);
    expect(entry).toEqual({
      ...{ id: entry.id, machine: { id: machine.id, name: machine.name }, day: "2040-05-16", reason: "implausible" },
      ...{ count: 1, units: GLITCH, first: iso(NOON), last: iso(NOON) },
    });
    const { data } = await eventsOf(entry.id);
    expect(data).toEqual([
      {
        ...{ id: data[0].id, eventId: "g1", kind: "count", at: iso(NOON), since: null, nodeId: machine.nodeId, channel: 1 },
        ...{ value: GLITCH, reading: null, units: GLITCH, heldAt: iso(NOON) },
      },
    ]);
    expect(await units()).toBe(5);
  });

  it("is one of more cycles than 20 times what fits since the last count of its channel", async () => {
    const { send, list, units, count } = await createHeld();
    await send(count(NOON, 7200));
    expect(await list()).toEqual([]);
    // Ten minutes later 1,200 are 20 times what fits.
    await send(count(NOON + 1, 1000));
    vi.setSystemTime(NOON + 10 * MINUTE);
    await send(count(NOON + 10 * MINUTE, 1201));
    expect(await list()).toMatchObject([{ count: 1, units: 1201 }]);
    expect(await units()).toBe(8205);
  });

  it("is checked by its `since`, by what its device collects, and by its own channel alone", async () => {
    const { companyId, machine, send, list, count } = await createHeld();
    await send(count(NOON, 3000, { since: iso(NOON - 2 * MINUTE), id: "a" }));
    expect(await list()).toMatchObject([{ count: 1, units: 3000 }]);
    await send(count(NOON + MINUTE, 3000, { since: iso(NOON - HOUR), id: "b" }));
    expect(await list()).toMatchObject([{ count: 1 }]);
    // Another channel that never counted: since the commissioning.
    const columns = "company_id, node_id, channel, machine_id, type, counting_factor";
    await env.DB_0.prepare(`INSERT INTO count_channels (${columns}) VALUES (?, ?, 3, ?, 'total', 1)`)
      .bind(companyId, machine.nodeId, machine.id)
      .run();
    await send(count(NOON + MINUTE, 5000, { channel: 3 }), count(NOON + MINUTE + 1, 5000, { channel: 1, id: "c" }));
    expect(await list()).toMatchObject([{ count: 2, units: 8000 }]);
    await reconfigure(machine.id, "reporting_seconds = 3600");
    await send(count(NOON + 2 * MINUTE, 7200));
    expect(await list()).toMatchObject([{ count: 2 }]);
  });

  it("is checked by the standard of the SKU in work, also of one that is set in the same request", async () => {
    const { companyId, machine, send, list, count } = await createHeld();
    const fast = await createSku(companyId, { standards: [{ standardCycleSeconds: 1 }] });
    await reconfigure(machine.id, "ref = ref");
    const set = { type: "sku", at: iso(NOON - MINUTE), machineId: machine.id, skuId: fast.skuId };
    await send(count(NOON, 72_000), set);
    expect(await list()).toEqual([]);
    await send(count(NOON + MINUTE, 1201));
    expect(await list()).toMatchObject([{ count: 1, units: 1201 }]);
  });

  it("has more than 1,000,000 pulses where there is no standard, or no cycles", async () => {
    const { send, list, count } = await createHeld({ standardCycleSeconds: null });
    await send(count(NOON, 1_000_000), count(NOON, 1_000_000, { channel: 2 }));
    expect(await list()).toEqual([]);
    await send(count(NOON + 1, 1_000_001), count(NOON + 1, 1_000_001, { channel: 2 }));
    expect(await list()).toMatchObject([{ count: 2, units: 2_000_002 }]);
  });

  it("follows the machine's `holdFactor`: null holds nothing", async () => {
    const { machine, token, send, list, count } = await createHeld();
    const change = async (holdFactor: number | null) => {
      const answer = await call("PATCH", `/v1/machines/${machine.id}`, { token, body: { holdFactor } });
      expect(answer.body.holdFactor).toBe(holdFactor);
      await configureMachine(machine.id);
    };
    await change(100);
    await send(count(NOON, 36_000));
    expect(await list()).toEqual([]);
    await change(null);
    await send(count(NOON + 1, GLITCH));
    expect(await list()).toEqual([]);
    expectProblem(await call("PATCH", `/v1/machines/${machine.id}`, { token, body: { holdFactor: 0.5 } }), 400, "/holdFactor");
  });

  it("is a duplicate when it is sent again, and warned of again; with other content it is a conflict", async () => {
    const { send, list, count } = await createHeld();
    const held = [count(NOON, GLITCH, { id: "g1" }), count(NOON + 1, GLITCH)];
    const first = await send(...held);
    expect(await send(...held)).toMatchObject({ accepted: 0, duplicates: 2, warnings: first.warnings });
    expect((await send(count(NOON, 3, { id: "g1" }))).rejected).toMatchObject([{ code: "conflict" }]);
    expect(await list()).toMatchObject([{ count: 2 }]);
  });

  it("shows that data flows: it is a sample", async () => {
    const { machine, token, send, count } = await createHeld();
    await send(count(NOON, GLITCH));
    const state = await call("GET", `/v1/machines/${machine.id}/state`, { token });
    expect(state.body).toMatchObject({ lastEventAt: iso(NOON), heldCounts: 1 });
  });

  it("is a finding of the set-up check until it is decided about", async () => {
    const { machine, token, send, list, decide, count } = await createHeld();
    const findings = async () => {
      const { data } = (await call("GET", "/v1/setup/check", { token })).body;
      return data.filter(({ code }: { code: string }) => code === "counts_held");
    };
    await send(count(NOON - DAY, 30_000_000), count(NOON, GLITCH), count(NOON + 1, 1));
    const entries = await list();
    expect(await findings()).toMatchObject([
      {
        severity: "warning",
        object: { type: "machine", id: machine.id },
        message: expect.stringMatching(/^2 counts .* 1029999999 units/),
      },
    ]);
    await decide("drop", entries[0].id);
    expect(await findings()).toMatchObject([{ message: expect.stringMatching(/^1 count is .* 30000000 units/) }]);
    await decide("drop", entries[1].id);
    expect(await findings()).toEqual([]);
  });

  it("is published once a day", async () => {
    const { machine, token, send, list, count } = await createHeld();
    await send(count(NOON, GLITCH));
    await send(count(NOON + 1, GLITCH));
    const [entry] = await list();
    const { data } = (await call("GET", "/v1/events?types=machine.counts_held", { token })).body;
    expect(data).toMatchObject([
      { data: { machineId: machine.id, heldId: entry.id, reason: "implausible", count: 1, units: GLITCH, since: iso(NOON) } },
    ]);
  });

  it("is listed by machine, day and reason, newest day first, and in pages", async () => {
    const { machine, send, list, eventsOf, count } = await createHeld();
    await send(count(NOON - 37 * HOUR, GLITCH), count(NOON - 13 * HOUR, GLITCH), count(NOON, GLITCH), count(NOON + 1, GLITCH));
    const all = await list();
    expect(all.map(({ day, count }: { day: string; count: number }) => [day, count])).toEqual([
      ["2040-05-16", 2],
      ["2040-05-15", 1],
      ["2040-05-14", 1],
    ]);
    expect(await list(`machineIds=${machine.id}&from=${iso(NOON - 13 * HOUR)}&to=${iso(NOON)}`)).toEqual([all[1]]);
    const first = await eventsOf(all[0].id, "limit=1&total=true");
    expect(first).toMatchObject({ data: [{ at: iso(NOON) }], total: 2 });
    const second = await eventsOf(all[0].id, `limit=1&cursor=${first.cursor}`);
    expect(second).toMatchObject({ data: [{ at: iso(NOON + 1) }], cursor: null });
  });
});

describe("a reading", () => {
  /** A machine whose channel 1 sent readings, the last one of 100 an hour ago. */
  async function createReading() {
    const held = await createHeld();
    const { nodeId } = held.machine;
    const read = (at: number, reading: number) => ({ type: "count", nodeId, channel: 1, at: iso(at), reading });
    await held.send(read(NOON - 90 * MINUTE, 70), read(NOON - HOUR, 100));
    return { ...held, read };
  }

  it("is checked by what it would count; the next one counts since the last that is not held", async () => {
    const { send, list, eventsOf, units, read } = await createReading();
    // 20 times the 360 cycles of an hour.
    await send(read(NOON, 7300));
    expect([await list(), await units()]).toEqual([[], 7235]);
    vi.setSystemTime(NOON + 2 * MINUTE);
    const answer = await send(read(NOON + MINUTE, GLITCH));
    expect(answer.warnings).toMatchObject([{ code: "held" }]);
    await send(read(NOON + 2 * MINUTE, 7306));
    expect(await units()).toBe(7241);
    const [entry] = await list();
    expect(entry).toMatchObject({ count: 1, units: GLITCH - 7300 });
    const { data } = await eventsOf(entry.id);
    expect(data).toMatchObject([{ at: iso(NOON + MINUTE), reading: GLITCH, value: GLITCH - 7300, units: GLITCH - 7300 }]);
  });

  it("that is accepted is the counter's total again: the next one counts since it", async () => {
    const { send, list, decide, units, read } = await createReading();
    vi.setSystemTime(NOON + 2 * MINUTE);
    await send(read(NOON + 1, 10_000), read(NOON + MINUTE, 10_006));
    const [{ id }] = await list();
    expect(await units()).toBe(35);
    expect((await decide("accept", id)).body).toMatchObject({ decided: 2, left: 0 });
    expect(await units()).toBe(35 + 9906);
    // Sent again, it is known.
    expect(await send(read(NOON + 1, 10_000))).toMatchObject({ duplicates: 1, warnings: [] });
    await send(read(NOON + 2 * MINUTE, 10_012));
    expect(await units()).toBe(35 + 9912);
  });

  it("that is late is checked by the readings before it", async () => {
    const { send, list, units, read } = await createReading();
    await send(read(NOON, 106));
    expect(await units()).toBe(41);
    // 5 minutes after the reading of 100: 600 are plausible, and 1,000 always.
    await send(read(NOON - 55 * MINUTE, 1101));
    expect(await list()).toMatchObject([{ count: 1, units: 1001 }]);
    await send(read(NOON - 54 * MINUTE, 1100));
    expect(await list()).toMatchObject([{ count: 1 }]);
    // The later one is lower: the counter was reset.
    expect(await units()).toBe(35 + 1000 + 106);
  });
});

describe("an admin", () => {
  it("accepts all of an entry: it counts at its own times, in shifts that are closed, too", async () => {
    const { companyId, machine, send, list, decide, units, count } = await createHeld();
    await send(count(NOON - 37 * HOUR, 40_000_000));
    await send(count(NOON - 1, 8000), count(NOON, 9000));
    const [today, past] = await list();
    const accepted = await decide("accept", today.id);
    expect([accepted.status, accepted.body]).toEqual([200, { decided: 2, units: 17_000, left: 0 }]);
    expect(await list()).toEqual([past]);
    expect(await units()).toBe(17_005);
    await decide("accept", past.id);
    expect(await list()).toEqual([]);
    expect((await recordsOf(machine.id)).map(({ totalUnits }) => totalUnits)).toContain(40_000_000);
    expectProblem(await decide("accept", past.id), 404);
    const admin = await createUser(companyId, "admin");
    const { data } = (await call("GET", "/v1/audit?action=held-events.accept", { token: admin.token })).body;
    expect(data).toHaveLength(2);
    expect(data.map(({ after }: { after: object }) => after)).toContainEqual({
      ...{ day: "2040-05-16", reason: "implausible", count: 0, units: 0 },
      decided: { count: 2, units: 17_000 },
    });
  });

  it("accepts or drops some events of it", async () => {
    const { send, list, eventsOf, decide, units, count } = await createHeld();
    await send(count(NOON - 2, 8000), count(NOON - 1, 9000), count(NOON, 10_000));
    const [{ id }] = await list();
    const ids = (await eventsOf(id)).data.map((event: { id: number }) => event.id);
    expect((await decide("accept", id, { ids: [ids[1]] })).body).toEqual({ decided: 1, units: 9000, left: 2 });
    expect(await list()).toMatchObject([{ count: 2, units: 18_000 }]);
    expect((await decide("drop", id, { ids: [ids[0]] })).body).toEqual({ decided: 1, units: 8000, left: 1 });
    expect(await list()).toMatchObject([{ count: 1, units: 10_000, first: iso(NOON) }]);
    expect(await units()).toBe(9005);
    // Neither is held any more.
    expectProblem(await decide("accept", id, { ids: [ids[0], ids[2]] }), 409);
    expectProblem(await decide("accept", id, { ids: [id + 2 ** 26] }), 400, "/ids/0");
    expectProblem(await decide("accept", id, { ids: [] }), 400, "/ids");
    expect(await units()).toBe(9005);
  });

  it("drops it: sent again, it is still a duplicate", async () => {
    const { send, list, decide, units, count } = await createHeld();
    await send(count(NOON, GLITCH, { id: "g1" }), count(NOON - 1, GLITCH));
    const [{ id }] = await list();
    expect((await decide("drop", id)).body).toEqual({ decided: 2, units: 2 * GLITCH, left: 0 });
    const again = await send(count(NOON, GLITCH, { id: "g1" }), count(NOON - 1, GLITCH));
    expect(again).toMatchObject({ accepted: 0, duplicates: 2, warnings: [] });
    expect([await list(), await units()]).toEqual([[], 5]);
  });

  it("accepts once with a key, however often the request comes", async () => {
    const { send, list, decide, units, count } = await createHeld();
    await send(count(NOON, 8000));
    const [{ id }] = await list();
    const key = { "idempotency-key": crypto.randomUUID() };
    const first = await decide("accept", id, {}, key);
    // The kept answer is lost, as if the service had stopped before it was stored: the object knows the request.
    await env.DB_0.prepare("DELETE FROM idempotency_keys").run();
    const again = await decide("accept", id, {}, key);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(await units()).toBe(8005);
  });

  it("accepts what is from days ago", async () => {
    const { send, list, decide, units, count } = await createHeld();
    await send(count(NOON, 8000));
    vi.setSystemTime(NOON + 10 * DAY);
    await send(count(NOON + 10 * DAY, 1));
    const before = await units();
    const [{ id }] = await list();
    expect((await decide("accept", id)).status).toBe(200);
    expect(await units()).toBe(before + 8000);
  });

  it("decides about the others when one cannot be read, and the entry ends when none can", async () => {
    vi.spyOn(console, "error").mockReturnValue(undefined);
    const { machine, send, list, eventsOf, decide, units, count } = await createHeld();
    await send(count(NOON - DAY, GLITCH), count(NOON - 1, 8000), count(NOON, 9000));
    const [today, past] = await list();
    await runInDurableObject(machineObject(env, machine.id), (_, { storage }) => {
      storage.sql.exec("UPDATE held SET body = 'x' WHERE seq < 3");
    });
    expect((await eventsOf(today.id)).data).toMatchObject([{ at: iso(NOON) }]);
    expect((await decide("accept", today.id)).body).toEqual({ decided: 1, units: 9000, left: 0 });
    expectProblem(await decide("drop", past.id), 404);
    expect([await list(), await units()]).toEqual([[], 9005]);
  });

  it("finds nothing that is older than 30 days", async () => {
    const { send, list, count } = await createHeld();
    await send(count(NOON, GLITCH));
    expect(await list()).toHaveLength(1);
    vi.setSystemTime(NOON + 30 * DAY - HOUR);
    await send(count(NOON + 30 * DAY - HOUR, 1));
    expect(await list()).toHaveLength(1);
    vi.setSystemTime(NOON + 30 * DAY + 2 * HOUR);
    expect(await list()).toEqual([]);
  });
});
