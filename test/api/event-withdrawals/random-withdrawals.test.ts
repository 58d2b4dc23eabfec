import { expect, inject, it, vi } from "vitest";
import { call } from "../../support/call.ts";
import { DAY, HOUR, MINUTE, NOON, stopClockAtNoon } from "../../support/clock.ts";
import { createApiToken, createChannels, createMachine, createSku, createUser } from "../../support/factories.ts";
import { configureMachine, createLine, flushMachine, ingest, recordsOf, stopsOf } from "../../support/machines.ts";

stopClockAtNoon();

const START = NOON - 5 * DAY;
const iso = (at: number) => new Date(at).toISOString();

/** Returns random numbers of [0, 1): always the same ones for a seed. */
function randomOf(seed: number): () => number {
  let state = seed + 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** An event of the machine, and when it was, in epoch ms. */
interface Sent {
  at: number;
  id: string;
  type: "count" | "heartbeat" | "sku";
  channel: number | null;
  value: number | null;
  skuId: string | null;
}

interface Filter {
  from: number;
  to: number;
  kinds: Sent["type"][] | null;
  channel: number | null;
  minValue: number | null;
  ids: string[] | null;
}

/** What a filter means, told apart from how the service does it. */
function isNamed({ from, to, kinds, channel, minValue, ids }: Filter, event: Sent): boolean {
  const isOfKind = kinds ? kinds.includes(event.type) : ids !== null || event.type !== "sku";
  const isOfChannel = channel === null || event.channel === channel;
  const isHigh = minValue === null || (event.value !== null && event.value >= minValue);
  return from <= event.at && event.at < to && isOfKind && isOfChannel && isHigh && (ids === null || ids.includes(event.id));
}

function eventsOf(random: () => number, skuIds: readonly string[]): Sent[] {
  const events: Sent[] = [];
  let at = START;
  while (at < NOON - HOUR) {
    at += 1 + Math.floor(random() ** 8 * 5 * HOUR + random() * 10 * MINUTE);
    const kind = random();
    const base = { at, id: `e${events.length}`, channel: null, value: null, skuId: null };
    if (kind < 0.1) events.push({ ...base, type: "sku", skuId: skuIds[events.length % 2] ?? "" });
    else if (kind < 0.25) events.push({ ...base, type: "heartbeat" });
    else {
      const value = random() < 0.1 ? 100_000 : 1 + Math.floor(random() * 5);
      events.push({ ...base, type: "count", channel: random() < 0.2 ? 2 : 1, value });
    }
  }
  return events.filter((event) => event.at < NOON - HOUR);
}

function filterOf(random: () => number, events: readonly Sent[]): Filter {
  const some = events.filter(() => random() < 0.2).map(({ id }) => id);
  const [from, what] = [START + Math.floor(random() * 4 * DAY), random()];
  const all = {
    from,
    to: Math.min(NOON, from + Math.floor(random() * 2 * DAY) + 1),
    kinds: null,
    channel: null,
    minValue: null,
    ids: null,
  };
  if (what < 0.2) return all;
  if (what < 0.4) return { ...all, from: START, to: NOON, minValue: 50_000 };
  if (what < 0.6) return { ...all, channel: 2 };
  if (what < 0.8) return { ...all, kinds: ["sku", "heartbeat"] };
  return { ...all, from: START, to: NOON, ids: some.length > 0 ? some.slice(0, 500) : ["none"] };
}

/** What was made of a machine's events: without what identifies its rows, and the recent speed, which stays what it was when the shift ran. */
async function numbersOf(machineId: number) {
  const closed = (await recordsOf(machineId)).filter(({ startAt }) => startAt < NOON - 12 * HOUR);
  const records = closed.map(({ id, machineId: _, revision, createdAt, updatedAt, recentMs, recentUnits, ...sums }) => sums);
  const stops = (await stopsOf(machineId)).filter(({ deletedAt, sliceEnd }) => deletedAt === null && (sliceEnd ?? NOON) < NOON);
  return { records, stops: stops.map(({ sliceStart, sliceEnd }) => [iso(sliceStart), sliceEnd && iso(sliceEnd)]) };
}

// A few histories in `npm test`, more in `npm run verify`.
const histories = Array.from({ length: inject("edits").runs }, (_, seed) => seed);

it.each(histories)("whatever is withdrawn and restored, a machine equals one that was never sent it: %i", async (seed) => {
  const random = randomOf(seed);
  const options = { commissionedAt: START, stopAfterSeconds: 600, noDataAfterSeconds: 3600, standardCycleSeconds: 10 };
  const { machine, companyId, token: gateway } = await createLine({ ...options, holdFactor: null });
  const twin = await createMachine(companyId, { ...options, holdFactor: null });
  await createChannels(twin, [
    { channel: 1, type: "total" },
    { channel: 2, type: "defect" },
  ]);
  const skuIds = [(await createSku(companyId)).skuId, (await createSku(companyId)).skuId];
  const { token } = await createApiToken({ ...(await createUser(companyId, "admin")), companyId, role: "admin" });
  for (const { id } of [machine, twin]) await configureMachine(id);

  const send = async (to: typeof machine, events: readonly Sent[]) => {
    const sent = events.map(({ type, at, id, channel, value, skuId }) => {
      if (type === "count") return { type, id, at: iso(at), nodeId: to.nodeId, channel, value };
      return { type, id, at: iso(at), machineId: to.id, ...(type === "sku" && { skuId }) };
    });
    if (sent.length > 0) expect((await ingest(gateway, sent)).rejected).toEqual([]);
    await flushMachine(to.id);
  };
  const events = eventsOf(random, skuIds);
  const holding = new Map<number, Filter>();
  // Some come late: when others of the same time have been withdrawn, and their days are archived.
  const parts = [0, 1, 2].map((part) =>
    events.filter((_, i) => (i * 7 + seed) % 5 === part || (part === 0 && (i * 7 + seed) % 5 > 2)),
  );
  for (const part of parts) {
    await send(machine, part);
    for (let n = 0; n < 2; n++) {
      const { from, to, ...filter } = filterOf(random, events);
      const body = { machineId: machine.id, from: iso(from), to: iso(to), ...filter, reason: "Random" };
      const done = await call("POST", "/v1/event-withdrawals", { token, body });
      if (done.status === 201) holding.set(done.body.id, { from, to, ...filter });
      else expect(done.body.errors, JSON.stringify(done.body)).toMatchObject([{ code: "no_match" }]);
    }
    const [first] = holding.keys();
    if (first !== undefined && random() < 0.6) {
      expect((await call("DELETE", `/v1/event-withdrawals/${first}`, { token })).status).toBe(204);
      holding.delete(first);
    }
    await flushMachine(machine.id);
  }
  await send(
    twin,
    events.filter((event) => ![...holding.values()].some((filter) => isNamed(filter, event))),
  );
  vi.setSystemTime(NOON + DAY);
  for (const { id } of [machine, twin]) await flushMachine(id);
  const [own, expected] = [await numbersOf(machine.id), await numbersOf(twin.id)];
  expect(expected.records.length).toBeGreaterThan(3);
  expect(own).toEqual(expected);
});
