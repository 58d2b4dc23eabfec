import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, inject, it, vi } from "vitest";
import { call } from "../../support/call.ts";
import { HOUR, MINUTE, NOON, SECOND, stopClockAtNoon } from "../../support/clock.ts";
import { createCompany, createGatewayToken, createMachine, createShift, createSku, createUser } from "../../support/factories.ts";
import { machineObject } from "../../support/machine-object.ts";
import { countAt, flushMachine, ingest, recordsOf } from "../../support/machines.ts";
import { eventsIn } from "../../support/object-storage.ts";
import { changed as changedBinding, serviceWith } from "../../support/service.ts";

declare module "vitest" {
  interface ProvidedContext {
    histories: { runs: number };
  }
}

stopClockAtNoon();

interface Config {
  channel: number;
  type: "cycle" | "total" | "good" | "defect" | "rework";
  countingFactor: number;
}

/** A company with a 24 h shift, two machines on one node, in service since midnight, and a gateway. */
async function createTwoMachines() {
  const { companyId } = await createCompany();
  await createShift(companyId, { start: "00:00", end: "00:00" });
  const nodeId = companyId;
  const options = { nodeId, commissionedAt: NOON - 12 * HOUR, standardCycleSeconds: 10 };
  const [a, b] = [await createMachine(companyId, options), await createMachine(companyId, options)];
  const { token } = await createGatewayToken(companyId);
  const superuser = await createUser(companyId, "superuser");
  const entry = (ref: string, configs: Config[], isCountEnabled = true) => {
    return { machineRef: ref, isCountEnabled, configs: configs.map((one) => ({ ...one, nodeId })) };
  };
  const change = async (body: object) => {
    const path = "/backoffice/machines/count-sensors";
    return await call("PATCH", path, { token: superuser.token, body: { companyId, ...body } });
  };
  const changed = async (body: object) => expect(await change(body)).toMatchObject({ status: 204 });
  return { companyId, nodeId, a, b, token, superuser, entry, change, changed };
}

const total = (channel = 1, countingFactor = 1): Config => ({ channel, type: "total", countingFactor });
const tens = (nodeId: number, from: number) =>
  Array.from({ length: 10 }, (_, i) => countAt(nodeId, from + i * MINUTE, 1, { id: `${from} ${i}` }));
const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);

/** Units, cycles and defects of all shifts of a machine, and the number of its events. */
async function madeBy(machineId: number) {
  await flushMachine(machineId);
  const sums = { total: 0, cycles: 0, defects: 0 };
  for (const { totalUnits, cycles, defectUnits } of await recordsOf(machineId)) {
    sums.total += totalUnits;
    sums.cycles += cycles;
    sums.defects += defectUnits;
  }
  const events = await runInDurableObject(machineObject(env, machineId), (_, { storage }) => {
    return eventsIn(storage).length;
  });
  return { ...sums, events };
}

describe("the sensors in force at the time of a count decide what it means:", () => {
  it("a count sent again after its channel was moved to another machine is a duplicate", async () => {
    const { nodeId, a, b, token, entry, changed } = await createTwoMachines();
    await changed({ added: [entry(a.ref, [total()]), entry(b.ref, [])] });
    const batch = tens(nodeId, NOON - HOUR);
    expect(await ingest(token, batch)).toMatchObject({ accepted: 10, duplicates: 0, rejected: [] });
    pass(MINUTE);
    await changed({ updated: [entry(a.ref, []), entry(b.ref, [total()])] });
    expect(await ingest(token, batch)).toMatchObject({ accepted: 0, duplicates: 10, rejected: [] });
    expect(await ingest(token, [countAt(nodeId, Date.now(), 1, { id: "new" })])).toMatchObject({ accepted: 1 });
    expect([await madeBy(a.id), await madeBy(b.id)]).toMatchObject([
      { total: 10, events: 10 },
      { total: 1, events: 1 },
    ]);
  });

  it("a late count gets the machine, the type and the factor of its time, even if the current ones are cached", async () => {
    const { nodeId, a, b, token, entry, changed } = await createTwoMachines();
    await changed({ added: [entry(a.ref, [total(1, 2), total(2, 3)]), entry(b.ref, [])] });
    await ingest(token, [countAt(nodeId, NOON - 3 * HOUR)]);
    pass(MINUTE);
    await changed({
      updated: [entry(a.ref, [total(1, 10), { channel: 2, type: "defect", countingFactor: 1 }]), entry(b.ref, [total(3)])],
    });
    await ingest(token, [countAt(nodeId, Date.now()), countAt(nodeId, Date.now(), 1, { channel: 2 })]);
    expect(await madeBy(a.id)).toMatchObject({ total: 12, cycles: 2, defects: 1 });
    const late = [countAt(nodeId, NOON - 2 * HOUR), countAt(nodeId, NOON - 2 * HOUR, 1, { channel: 2 })];
    expect(await ingest(token, late)).toMatchObject({ accepted: 2 });
    expect(await madeBy(a.id)).toMatchObject({ total: 17, cycles: 4, defects: 1 });
    expect(await madeBy(b.id)).toMatchObject({ total: 0, events: 0 });
  });

  it("where cycles and units are counted apart, the target before the first count is what the cycles of the standard make", async () => {
    const { companyId, nodeId, a, token, superuser, entry, changed } = await createTwoMachines();
    const cycle: Config = { channel: 2, type: "cycle", countingFactor: 4 };
    await changed({ added: [entry(a.ref, [cycle, total(1, 1)])] });
    const targets = async () => {
      const [from, to] = [NOON - 12 * HOUR, NOON].map((at) => new Date(at).toISOString());
      const query = `companyId=${companyId}&machineIds=${a.id}&groupBy=hour&from=${from}&to=${to}`;
      await flushMachine(a.id);
      const { body } = await call("GET", `/v1/summary?${query}`, { token: superuser.token });
      return body.data.map(({ target }: { target: number }) => target);
    };
    const samples = Array.from({ length: 12 * 12 }, (_, i) => countAt(nodeId, NOON - 12 * HOUR + i * 5 * MINUTE, 0));
    await ingest(token, samples);
    // 360 cycles an hour at a standard of 10 s.
    expect(await targets()).toEqual(Array(12).fill(1440));
    await ingest(token, [countAt(nodeId, NOON - MINUTE, 1, { channel: 2 }), countAt(nodeId, NOON - MINUTE, 4)]);
    expect(await targets()).toEqual(Array(12).fill(1440));
  });

  it("a total that is added later does not change the good units before it", async () => {
    const { nodeId, a, token, entry, changed } = await createTwoMachines();
    const good: Config = { channel: 2, type: "good", countingFactor: 1 };
    await changed({ added: [entry(a.ref, [good])] });
    await ingest(token, [countAt(nodeId, NOON - 2 * HOUR, 5, { channel: 2 })]);
    pass(MINUTE);
    await changed({ updated: [entry(a.ref, [good, total()])] });
    await ingest(token, [
      countAt(nodeId, NOON - HOUR, 3, { channel: 2 }),
      countAt(nodeId, Date.now(), 10),
      countAt(nodeId, Date.now(), 9, { channel: 2 }),
    ]);
    expect(await madeBy(a.id)).toMatchObject({ total: 18, defects: 1 });
  });

  it("a total that was removed long ago decides what late good units mean, even if the gateway's machines are cached", async () => {
    const { nodeId, a, token, entry, changed } = await createTwoMachines();
    const good: Config = { channel: 2, type: "good", countingFactor: 1 };
    await changed({ added: [entry(a.ref, [good, total()])] });
    await ingest(token, [countAt(nodeId, NOON - 2 * HOUR, 10)]);
    pass(MINUTE);
    await changed({ updated: [entry(a.ref, [good])] });
    pass(3 * HOUR);
    await ingest(token, [countAt(nodeId, Date.now(), 5, { channel: 2 })]);
    await ingest(token, [countAt(nodeId, NOON - HOUR, 9, { channel: 2 })]);
    expect(await madeBy(a.id)).toMatchObject({ total: 15, defects: 1 });
  });

  it("while counting is disabled, pulses are not counted", async () => {
    const { nodeId, a, token, entry, changed } = await createTwoMachines();
    await changed({ added: [entry(a.ref, [total()])] });
    await ingest(token, [countAt(nodeId, NOON - HOUR, 1)]);
    const switchAt = [NOON + MINUTE, NOON + 10 * MINUTE];
    for (const [i, at] of switchAt.entries()) {
      vi.setSystemTime(at);
      await changed({ updated: [entry(a.ref, [total()], i === 1)] });
    }
    pass(10 * MINUTE);
    const times = [NOON, NOON + MINUTE, NOON + 9 * MINUTE, NOON + 10 * MINUTE];
    await ingest(
      token,
      times.map((at, i) => countAt(nodeId, at, 4 ** (i + 1))),
    );
    expect(await madeBy(a.id)).toMatchObject({ total: 1 + 4 + 256, events: 5 });
  });

  it("counts sent ahead of the clock stay with the machine that had the channel", async () => {
    const { nodeId, a, b, token, entry, changed } = await createTwoMachines();
    await changed({ added: [entry(a.ref, [total()]), entry(b.ref, [])] });
    const early = countAt(nodeId, NOON + 4 * MINUTE, 1, { id: "early" });
    await ingest(token, [early]);
    pass(MINUTE);
    await changed({ updated: [entry(a.ref, []), entry(b.ref, [total()])] });
    expect(await ingest(token, [early])).toMatchObject({ duplicates: 1 });
    expect(await ingest(token, [countAt(nodeId, NOON + 4 * MINUTE + 1)])).toMatchObject({ accepted: 1 });
    expect([(await madeBy(a.id)).events, (await madeBy(b.id)).events]).toEqual([1, 1]);
  });

  it("counts of a deleted machine stay with it, and later ones go to the next machine with the channel", async () => {
    const { nodeId, a, b, token, superuser, entry, changed } = await createTwoMachines();
    await changed({ added: [entry(a.ref, [total()])] });
    const batch = tens(nodeId, NOON - HOUR);
    await ingest(token, batch);
    pass(MINUTE);
    expect((await call("DELETE", `/v1/machines/${a.id}`, { token: superuser.token })).status).toBe(204);
    pass(MINUTE);
    const between = countAt(nodeId, Date.now());
    const { rejected } = await ingest(token, [between, ...batch]);
    expect(rejected).toMatchObject([{ index: 0, code: "unknown_channel" }]);
    pass(MINUTE);
    await changed({ added: [entry(b.ref, [total()])] });
    expect(await ingest(token, [between, ...batch])).toMatchObject({ accepted: 1, duplicates: 10 });
    expect([(await madeBy(a.id)).total, (await madeBy(b.id)).total]).toEqual([10, 1]);
  });
});

describe("a channel that moves between the look-up and the machine", () => {
  /** A batch with a count of channel 1, which machine a has, and a SKU of machine b: with a SKU each look-up is a batch, after which `moves` apply. */
  async function createMovingLine() {
    const line = await createTwoMachines();
    const { companyId, nodeId, a, b, superuser, entry, changed } = line;
    const { skuId } = await createSku(companyId);
    await changed({ added: [entry(a.ref, [total()]), entry(b.ref, [total(2)])] });
    const moveTo = (name: "a" | "b") => async () => {
      pass(MINUTE);
      const [mine, others] = [[total(1), total(2)], []];
      await changed({ updated: [entry(a.ref, name === "a" ? mine : others), entry(b.ref, name === "b" ? mine : others)] });
    };
    const set = { type: "sku", at: new Date(NOON).toISOString(), machineId: b.id, skuId };
    const send = async (at: number, moves: (() => Promise<void>)[]) => {
      const withSession = (start: string) => {
        const session = env.DB_0.withSession(start);
        const batch = async (statements: D1PreparedStatement[]) => {
          const results = await session.batch(statements);
          await moves.shift()?.();
          return results;
        };
        return changedBinding(session, { batch });
      };
      const via = serviceWith({ DB_0: changedBinding(env.DB_0, { withSession }) });
      const events = [set, countAt(nodeId, at, 1, { id: "moved" })];
      return await call("POST", "/v1/ingest", { token: superuser.token, body: { events }, via });
    };
    return { ...line, moveTo, send };
  }

  it("counts for the new machine", async () => {
    const { a, b, moveTo, send } = await createMovingLine();
    const moves = [moveTo("b")];
    const { status, body } = await send(NOON + 2 * MINUTE, moves);
    expect([status, moves.length]).toEqual([200, 0]);
    expect(body).toMatchObject({ accepted: 2, duplicates: 0, rejected: [] });
    expect([(await madeBy(a.id)).events, (await madeBy(b.id)).events]).toEqual([0, 2]);
  });

  it("and moves again and again is looked up later: nothing is lost or counted twice", async () => {
    const { a, b, moveTo, send } = await createMovingLine();
    const moves = [moveTo("b"), moveTo("a")];
    expect(await send(NOON + 4 * MINUTE, moves)).toMatchObject({ status: 503, headers: expect.anything() });
    expect([(await madeBy(a.id)).events, (await madeBy(b.id)).events]).toEqual([0, 1]);
    expect((await send(NOON + 4 * MINUTE, [])).body).toMatchObject({ accepted: 1, duplicates: 1, rejected: [] });
    expect([(await madeBy(a.id)).events, (await madeBy(b.id)).events]).toEqual([1, 1]);
  });
});

describe("until a machine has sent anything", () => {
  it("its sensors apply from its commissioning, however often they were set and whichever machine had the channel first", async () => {
    const { nodeId, a, b, token, entry, changed } = await createTwoMachines();
    await changed({ added: [entry(a.ref, [total(1, 7)]), entry(b.ref, [total(2)])] });
    pass(MINUTE);
    await changed({ updated: [entry(a.ref, []), entry(b.ref, [total(1, 5)])] });
    pass(MINUTE);
    await changed({ updated: [entry(b.ref, [total(1, 2), total(3, 4)])] });
    const at = NOON - 5 * HOUR;
    const sent = [countAt(nodeId, at), countAt(nodeId, at, 1, { channel: 3 }), countAt(nodeId, at, 1, { channel: 2 })];
    expect((await ingest(token, sent)).rejected).toMatchObject([{ index: 2, code: "unknown_channel" }]);
    expect(await madeBy(b.id)).toMatchObject({ total: 6 });
    expect(await madeBy(a.id)).toMatchObject({ events: 0 });
    // A channel's history only keeps the set-up in force: no count used the others.
    const rows = await env.DB_0.prepare("SELECT since FROM count_channels WHERE node_id = ?").bind(nodeId).all();
    expect(rows.results).toEqual([{ since: 0 }, { since: 0 }]);
  });

  it("a channel of a machine in use belongs to it until the channel is moved", async () => {
    const { nodeId, a, b, token, entry, changed } = await createTwoMachines();
    await changed({ added: [entry(a.ref, [total()])] });
    await ingest(token, [countAt(nodeId, NOON - HOUR)]);
    pass(MINUTE);
    await changed({ updated: [entry(a.ref, [])], added: [entry(b.ref, [total(), total(2)])] });
    await ingest(token, [countAt(nodeId, NOON - 30 * MINUTE), countAt(nodeId, NOON - 30 * MINUTE, 1, { channel: 2 })]);
    expect([(await madeBy(a.id)).total, (await madeBy(b.id)).total]).toEqual([2, 1]);
  });
});

describe("each machine whose channels change", () => {
  it("is notified of a new version of its set-up; for others nothing is written", async () => {
    const { companyId, a, b, entry, changed } = await createTwoMachines();
    const versions = async () => {
      const query = "SELECT config_version AS version FROM machines WHERE company_id = ? ORDER BY id";
      return (await env.DB_0.prepare(query).bind(companyId).all<{ version: number }>()).results.map(({ version }) => version);
    };
    const taken = async (id: number) =>
      await runInDurableObject(machineObject(env, id), (_, { storage }) => {
        return storage.kv.get<{ configVersion: number }>("identity")?.configVersion;
      });
    await changed({ added: [entry(a.ref, [total()]), entry(b.ref, [total(2)])] });
    expect(await versions()).toEqual([1, 1]);
    await changed({ updated: [entry(a.ref, [total()]), entry(b.ref, [total(2, 3)])] });
    expect([await versions(), await taken(a.id), await taken(b.id)]).toEqual([[1, 2], undefined, 2]);
    const audited = () => env.DB_0.prepare("SELECT count(*) AS n FROM audit WHERE company_id = ?").bind(companyId).first("n");
    expect(await audited()).toBe(2);
    await changed({ updated: [entry(a.ref, [total()]), entry(b.ref, [total(2, 3)])] });
    expect([await versions(), await audited()]).toEqual([[1, 2], 2]);
  });
});

// Any sequence of set-ups, with counts of all times and repeats in between, compared with the rule in its simplest form: the set-up
// in force at the time of an event determines its machine and what it counts.

interface Fed extends Config {
  machine: "a" | "b";
}
interface SetUp {
  fed: Fed[];
  isCounting: { a: boolean; b: boolean };
}
interface Sent {
  id: string;
  at: number;
  channel: number;
  value: number;
}

const types = ["total", "total", "cycle", "good", "defect", "rework"] as const;
const fed = (channel: number) =>
  fc.option(
    fc.record({
      channel: fc.constant(channel),
      machine: fc.constantFrom("a" as const, "b" as const),
      type: fc.constantFrom(...types),
      countingFactor: fc.integer({ min: 1, max: 3 }),
    }),
    { nil: null },
  );
const setUps = fc.record({
  fed: fc.tuple(fed(1), fed(2), fed(3)).map((all) => all.filter((one) => one !== null)),
  isCounting: fc.record({ a: fc.nat(4).map((n) => n > 0), b: fc.nat(4).map((n) => n > 0) }),
});
const counts = fc.array(
  fc.record({
    minutesAgo: fc.integer({ min: 0, max: 90 }),
    channel: fc.integer({ min: 1, max: 3 }),
    value: fc.integer({ min: 0, max: 9 }),
  }),
  { minLength: 1, maxLength: 12 },
);
const steps = fc.array(
  fc.oneof(fc.record({ setUp: setUps }), { weight: 2, arbitrary: fc.record({ counts }) }, fc.record({ again: fc.nat(20) })),
  { minLength: 6, maxLength: 14 },
);

const isRefused = ({ fed }: SetUp) =>
  (["a", "b"] as const).some((machine) => {
    const has = (...wanted: string[]) => fed.some((one) => one.machine === machine && wanted.includes(one.type));
    return has("total", "cycle") && has("good") && has("defect", "rework");
  });

/** Which type supplies the cycles and which the units of a machine with these types; each type its own if neither exists. */
const sourcesOf: [has: string[], cycles: string | null, units: string | null][] = [
  [["cycle", "total"], "cycle", "total"],
  [["cycle"], "cycle", "cycle"],
  [["total"], "total", "total"],
  [[], null, null],
];

/** The result of a machine's counts, by the rules of the channels. */
function expectedOf(machine: "a" | "b", events: readonly (Sent & { by: SetUp })[]) {
  const made = { total: 0, cycles: 0, defects: 0, events: 0 };
  let notGood = 0;
  for (const { channel, value, by } of events) {
    const own = by.fed.filter((one) => one.machine === machine);
    const config = own.find((one) => one.channel === channel);
    if (!config) continue;
    made.events++;
    if (!by.isCounting[machine]) continue;
    const types: string[] = own.map(({ type }) => type);
    const [, cycles, total] = sourcesOf.find(([has]) => has.every((one) => types.includes(one))) ?? [[], null, null];
    const units = (isMeant: boolean) => (isMeant ? value * config.countingFactor : 0);
    const unitsOfTotal = units(config.type === (total ?? config.type));
    if (config.type === (cycles ?? config.type)) made.cycles += value;
    made.total += unitsOfTotal;
    if (total !== null && types.includes("good")) notGood += unitsOfTotal - units(config.type === "good");
    else made.defects += units(/defect|rework/.test(config.type));
  }
  return { ...made, defects: made.defects + Math.max(0, notGood) };
}

it("whatever the order of set-ups, counts and repeats, each count belongs to one machine, once", {
  timeout: 600_000,
}, async () => {
  const play = async (
    script: ({ setUp: SetUp } | { counts: { minutesAgo: number; channel: number; value: number }[] } | { again: number })[],
  ) => {
    vi.setSystemTime(NOON);
    const { nodeId, a, b, token, entry, change, changed } = await createTwoMachines();
    const first: SetUp = {
      fed: [
        { ...total(1), machine: "a" },
        { ...total(2), machine: "b" },
      ],
      isCounting: { a: true, b: true },
    };
    const entriesOf = ({ fed, isCounting }: SetUp) =>
      (
        [
          ["a", a.ref],
          ["b", b.ref],
        ] as const
      ).map(([name, ref]) => {
        const own = fed.filter(({ machine }) => machine === name).map(({ machine: _, ...config }) => config);
        return entry(ref, own, isCounting[name]);
      });
    await changed({ added: entriesOf(first) });
    const heard = [a, b].map(({ id }) => ({ type: "heartbeat", machineId: id, at: new Date(NOON - 11 * HOUR).toISOString() }));
    await ingest(token, heard);
    const history = [{ since: 0, setUp: first }];
    const batches: Sent[][] = [];
    const known = new Map<string, Sent & { by: SetUp }>();
    const send = async (batch: Sent[]) => {
      const expected = { accepted: 0, duplicates: 0, rejected: 0 };
      for (const one of batch) {
        const { setUp } = history.findLast(({ since }) => since <= one.at) ?? { setUp: first };
        if (!setUp.fed.some(({ channel }) => channel === one.channel)) expected.rejected++;
        else if (known.has(one.id)) expected.duplicates++;
        else {
          expected.accepted++;
          known.set(one.id, { ...one, by: setUp });
        }
      }
      const { accepted, duplicates, rejected } = await ingest(
        token,
        batch.map(({ id, at, channel, value }) => countAt(nodeId, at, value, { id, channel })),
      );
      expect({ accepted, duplicates, rejected: rejected.length }).toEqual(expected);
    };
    for (const [i, step] of script.entries()) {
      pass(20 * MINUTE + SECOND);
      if ("setUp" in step) {
        const { status } = await change({ updated: entriesOf(step.setUp) });
        expect(status).toBe(isRefused(step.setUp) ? 400 : 204);
        if (status === 204) history.push({ since: Date.now(), setUp: step.setUp });
      } else if ("counts" in step) {
        const batch = step.counts.map(({ minutesAgo, channel, value }, j) => {
          return { id: `${i} ${j}`, at: Date.now() - minutesAgo * MINUTE, channel, value };
        });
        batches.push(batch);
        await send(batch);
      } else await send(batches[step.again % Math.max(1, batches.length)] ?? []);
    }
    for (const batch of batches) await send(batch);
    for (const [name, { id }] of [
      ["a", a],
      ["b", b],
    ] as const) {
      const expected = expectedOf(name, [...known.values()]);
      expect(await madeBy(id), name).toEqual({ ...expected, events: expected.events + 1 });
    }
  };
  await fc.assert(fc.asyncProperty(steps, play), { numRuns: inject("histories").runs });
});
