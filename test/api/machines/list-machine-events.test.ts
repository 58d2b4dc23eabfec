import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { MachineStorage } from "../../../src/machine/storage/machine-storage.ts";
import { call } from "../../support/call.ts";
import { DAY, HOUR, MINUTE, NOON, stopClockAtNoon } from "../../support/clock.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { createOperator, createSku, createUser } from "../../support/factories.ts";
import { machineObject } from "../../support/machine-object.ts";
import { countAt, createLine, flushMachine, ingest } from "../../support/machines.ts";
import { changeState, eventsIn } from "../../support/object-storage.ts";

stopClockAtNoon();

const DAYS = 6;
const FROM = NOON - DAYS * DAY;
const iso = (at: number) => new Date(at).toISOString();

interface Item {
  type: string;
  at: string;
  [member: string]: unknown;
}

/** A machine that was sent events for some days, of which the first ones are archived, and the events. */
async function newMachine() {
  vi.setSystemTime(NOON);
  const line = await createLine({ commissionedAt: FROM, stopAfterSeconds: 600, noDataAfterSeconds: null });
  const { machine, companyId } = line;
  const operator = await createOperator(companyId);
  const { skuId } = await createSku(companyId);
  const sent: Record<string, unknown>[] = [];
  for (let day = FROM; day < NOON; day += DAY) {
    vi.setSystemTime(day + DAY);
    const events: Record<string, unknown>[] = [];
    for (let at = day; at < day + DAY; at += 20 * MINUTE) {
      const id = `gw1-${String(sent.length + events.length).padStart(6, "0")}`;
      const { type, nodeId, channel, value } = countAt(machine.nodeId, at, 2);
      events.push({ type, at: iso(at), nodeId, channel, value, id });
    }
    const at = iso(day + HOUR + 1);
    events.splice(4, 0, { type: "sku", at, skuId }, { type: "operator", at, operatorId: operator.id, action: "in" });
    const count = { type: "count", nodeId: machine.nodeId, channel: 1 };
    events.push({ ...count, at: iso(day + DAY - MINUTE), since: iso(day + DAY - 2 * MINUTE), reading: 70 + sent.length });
    events.push({ type: "heartbeat", at: iso(day + DAY - 30_000) });
    const named = events.map((event) => ("nodeId" in event ? event : { ...event, machineId: machine.id }));
    await ingest(line.token, named);
    sent.push(...events);
    await flushMachine(machine.id);
  }
  vi.setSystemTime(NOON);
  const { token } = await createUser(companyId, "admin");
  const path = `/v1/machines/${machine.id}/events?from=${iso(FROM)}&to=${iso(NOON)}`;
  const items = async (more = "") => {
    const { status, body } = await call("GET", `${path}&format=ndjson${more}`, { token });
    expect(status).toBe(200);
    return String(body)
      .split("\n")
      .slice(0, -1)
      .map((text): Item => JSON.parse(text));
  };
  const inObject = <T>(work: (storage: DurableObjectStorage) => T) =>
    runInDurableObject(machineObject(env, machine.id), (_, { storage }) => work(storage));
  return { ...line, token, gateway: line.token, sent, path, items, inObject };
}

describe("the events that a machine was sent", () => {
  let plant: Awaited<ReturnType<typeof newMachine>>;
  beforeAll(async () => {
    plant = await newMachine();
  });

  it("are sent as a file, as they came and in order, and the end says that they are complete", async () => {
    const { sent, items, inObject } = plant;
    expect(await inObject((storage) => new MachineStorage(storage).days.parts(0, 1_000_000).length)).toBeGreaterThan(2);
    expect(await inObject((storage) => eventsIn(storage).length)).toBeGreaterThan(0);
    const all = await items();
    expect(all).toHaveLength(sent.length + 1);
    for (const [i, event] of sent.entries()) expect(all[i]).toMatchObject(event);
    expect(all.slice(0, -1).every(({ receivedAt }) => typeof receivedAt === "string")).toBe(true);
    expect(all.at(-1)).toMatchObject({ type: "end", at: iso(NOON), isComplete: true, completeFrom: null });
  });

  it("are the same page by page, also if days are archived meanwhile", async () => {
    const { gateway, machine, sent, path, token, items, inObject } = plant;
    const paged: Item[] = [];
    let cursor: string | null = "";
    for (let page = 0; cursor !== null; page++) {
      const { body } = await call("GET", `${path}&limit=31${cursor && `&cursor=${cursor}`}`, { token });
      expect(body.data.length).toBeLessThanOrEqual(31);
      paged.push(...body.data);
      cursor = body.cursor;
      if (page === 13) {
        const before = await inObject((storage) => new MachineStorage(storage).events.archivedTo());
        vi.setSystemTime(NOON + 2 * DAY);
        await ingest(gateway, [countAt(machine.nodeId, NOON + 2 * DAY - MINUTE)]);
        await flushMachine(machine.id);
        expect(await inObject((storage) => new MachineStorage(storage).events.archivedTo())).toBeGreaterThan(before);
        vi.setSystemTime(NOON);
      }
    }
    expect(paged).toHaveLength(sent.length + 1);
    expect(paged).toEqual(await items());
  });

  it("are CSV if that is asked for, and only those of the requested time", async () => {
    const { machine, token, sent } = plant;
    const [from, to] = [FROM + 10 * HOUR, FROM + 15 * HOUR];
    const path = `/v1/machines/${machine.id}/events?from=${iso(from)}&to=${iso(to)}`;
    const { body, headers } = await call("GET", path, { token, headers: { accept: "text/csv" } });
    expect(headers.get("content-type")).toContain("text/csv");
    const asked = sent.filter(({ at }) => iso(from) <= String(at) && String(at) < iso(to));
    expect(asked.length).toBeGreaterThan(10);
    const rows = String(body).split("\r\n").slice(1, -1);
    expect(rows.map((row) => row.split(",")[1])).toEqual([...asked.map(({ at }) => at), iso(to)]);
  });

  it("are of 93 days at most, and of a time that is one", async () => {
    const { machine, token } = plant;
    const ask = (from: number, to: number) =>
      call("GET", `/v1/machines/${machine.id}/events?from=${iso(from)}&to=${iso(to)}`, { token });
    expect((await ask(NOON - 93 * DAY, NOON)).status).toBe(200);
    expectProblem(await ask(NOON - 94 * DAY, NOON), 400, "/query/to");
    expectProblem(await ask(NOON, NOON), 400, "/query/from");
  });
});

it("a damaged day is named in place of its events, the other days are sent, and the machine is degraded", async () => {
  const { machine, token, sent, items, inObject } = await newMachine();
  const day = Math.floor(FROM / DAY) + 1;
  await inObject((storage) => {
    const bytes = new Uint8Array(
      storage.sql.exec<{ body: ArrayBuffer }>("SELECT body FROM days WHERE k = ?", day * 1000).one().body,
    ).slice();
    bytes[20] = (bytes[20] ?? 0) ^ 1;
    storage.sql.exec("UPDATE days SET body = ? WHERE k = ?", bytes, day * 1000);
  });
  await evictDurableObject(machineObject(env, machine.id));
  const isOfDay = ({ at }: { at?: unknown }) => Math.floor(Date.parse(String(at)) / DAY) === day;
  const lost = sent.filter(isOfDay).length;
  const all = await items();
  expect(all.filter(({ type }) => type === "damaged")).toMatchObject([
    { at: iso(day * DAY), damaged: { part: 0, events: lost } },
  ]);
  expect(all).toHaveLength(sent.length - lost + 2);
  expect(all.filter(isOfDay)).toHaveLength(1);
  expect(all.at(-1)).toMatchObject({ type: "end", isComplete: false });
  const { body } = await call("GET", `/v1/machines/${machine.id}/state`, { token });
  expect(body.isDegraded).toBe(true);
});

it("a machine that version 0.1.0 made forget events says since when they are complete", async () => {
  const { machine, items, inObject } = await newMachine();
  await inObject((storage) => changeState(storage, { "complete from": FROM + HOUR }));
  await evictDurableObject(machineObject(env, machine.id));
  expect((await items()).at(-1)).toMatchObject({ type: "end", isComplete: false, completeFrom: iso(FROM + HOUR) });
});
