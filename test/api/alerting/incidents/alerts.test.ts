import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { asc, eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { expect, it, vi } from "vitest";
import { alertEvent } from "../../../../src/api/alerting/incidents/decide-incidents.ts";
import type { IncidentRow } from "../../../../src/api/alerting/incidents/queries.ts";
import * as schema from "../../../../src/db/schema.ts";
import { dispatchEvents } from "../../../../src/jobs/dispatch-events.ts";
import { call } from "../../../support/call.ts";
import { HOUR, MINUTE, NOON, SECOND, stopClockAtNoon } from "../../../support/clock.ts";
import { readEvents } from "../../../support/events.ts";
import {
  createMachine,
  createPersona,
  createShift,
  createSku,
  createStopCause,
  createUser,
  createWorkOrder,
} from "../../../support/factories.ts";
import { doJob } from "../../../support/jobs.ts";
import { machineObject } from "../../../support/machine-object.ts";
import { configureMachine, countAt, createLine, flushMachine, ingest } from "../../../support/machines.ts";
import { deafEnv } from "../../../support/webhooks.ts";

stopClockAtNoon();

const db = drizzle(env.DB_0);

/** A plant with a machine that stops after 2 minutes and is silent after 60, its admin, and a persona with an e-mail address. */
async function createPlant() {
  const line = await createLine({ commissionedAt: NOON - HOUR, noDataAfterSeconds: null });
  const admin = await createUser(line.companyId, "admin");
  const email = { id: crypto.randomUUID(), value: "ana@example.test", isActive: true, reference: "" };
  const persona = await createPersona(line.companyId, { email });
  return { ...line, admin, persona };
}

type Plant = Awaited<ReturnType<typeof createPlant>>;

async function createRule({ admin, machine }: Plant, when: object, more: object = {}) {
  const body = { name: "Rule", when, ...more };
  const answer = await call("POST", "/v1/alert-rules", { token: admin.token, body });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  await configureMachine(machine.id);
  return answer.body as { id: string };
}

/** Counts every 30 s from an instant until another, both included. */
function counts({ machine }: Plant, from: number, to: number, more: object = {}) {
  return Array.from({ length: Math.floor((to - from) / 30_000) + 1 }, (_, i) =>
    countAt(machine.nodeId, from + i * 30_000, 1, more),
  );
}

/** Sets the clock to an instant, fires the machine's alarm, and dispatches the events of its company. */
async function goTo(at: number, { companyId, machine }: Plant, ...others: { id: number }[]): Promise<void> {
  vi.setSystemTime(at);
  for (const { id } of [machine, ...others]) await flushMachine(id);
  await dispatchEvents(env, companyId, at);
}

async function incidentsOf(companyId: number) {
  return db
    .select()
    .from(schema.incidents)
    .where(eq(schema.incidents.companyId, companyId))
    .orderBy(asc(schema.incidents.openedAt));
}

async function eventsOf(companyId: number) {
  const rows = await readEvents(eq(schema.events.companyId, companyId));
  return rows.map(({ type }) => type).filter((type) => type.startsWith("alert."));
}

async function messagesOf(companyId: number) {
  const rows = await db
    .select()
    .from(schema.messages)
    .where(eq(schema.messages.companyId, companyId))
    .orderBy(asc(schema.messages.createdAt));
  return rows.map(({ kind, personaId }) => ({ kind, personaId }));
}

it("opens one incident when a stop has lasted five minutes, whatever restarts, and resolves it at its end", async () => {
  const plant = await createPlant();
  const { companyId, machine, token, persona } = plant;
  const rule = await createRule(
    plant,
    { kind: "stop", minutes: 5 },
    { levels: [{ afterMinutes: 0, personaIds: [persona.id], chatRoomIds: [] }] },
  );
  await ingest(token, counts(plant, NOON - 10 * MINUTE, NOON));
  await goTo(NOON + 3 * MINUTE, plant);
  await goTo(NOON + 5 * MINUTE - 1, plant);
  expect(await incidentsOf(companyId)).toEqual([]);
  await evictDurableObject(machineObject(env, machine.id));
  await goTo(NOON + 5 * MINUTE, plant);
  const [incident] = await incidentsOf(companyId);
  expect(incident).toMatchObject({
    ...{ ruleId: rule.id, subject: `machine:${machine.id}`, machineId: machine.id, since: NOON, openedAt: NOON + 5 * MINUTE },
    ...{ level: 1, nextLevelAt: null, resolvedAt: null },
  });
  await evictDurableObject(machineObject(env, machine.id));
  await goTo(NOON + 6 * MINUTE, plant);
  vi.setSystemTime(NOON + 10 * MINUTE);
  await ingest(token, counts(plant, NOON + 8 * MINUTE, NOON + 8 * MINUTE + 30 * SECOND));
  await goTo(NOON + 10 * MINUTE, plant);
  expect(await eventsOf(companyId)).toEqual(["alert.opened"]);
  await ingest(token, counts(plant, NOON + 9 * MINUTE, NOON + 9 * MINUTE + 30 * SECOND));
  await goTo(NOON + 10 * MINUTE + 10 * SECOND, plant);
  expect(await incidentsOf(companyId)).toMatchObject([{ id: incident?.id, resolvedAt: NOON + 10 * MINUTE + 10 * SECOND }]);
  expect(await eventsOf(companyId)).toEqual(["alert.opened", "alert.resolved"]);
  expect(await messagesOf(companyId)).toEqual([
    { kind: "alert_opened", personaId: persona.id },
    { kind: "alert_resolved", personaId: persona.id },
  ]);
});

it("sets the machine's alarm for the instant at which a rule is due, without any event", async () => {
  const plant = await createPlant();
  await createRule(plant, { kind: "stop", minutes: 5 });
  await ingest(plant.token, counts(plant, NOON - 10 * MINUTE, NOON));
  await goTo(NOON + 3 * MINUTE, plant);
  const object = machineObject(env, plant.machine.id);
  expect(await runInDurableObject(object, (_, { storage }) => storage.getAlarm())).toBe(NOON + 5 * MINUTE);
});

/** The incidents of a rule: when each condition began, and when each incident was opened and resolved, by the clock. */
async function cameOf(companyId: number) {
  const clock = (at: number | null) => at && new Date(at).toISOString().slice(11, 19);
  return (await incidentsOf(companyId)).map(({ since, openedAt, resolvedAt }) => [since, openedAt, resolvedAt].map(clock));
}

/** The result of trying a rule over the same time. */
async function tried({ admin }: Plant, when: object, from = NOON - HOUR) {
  const body = { rule: { name: "Tried", when }, from: new Date(from).toISOString() };
  const answer = await call("POST", "/v1/alert-rules/try", { token: admin.token, body });
  expect(answer.status).toBe(200);
  return answer.body.data.map((one: Record<string, string | null>) =>
    ["since", "openedAt", "resolvedAt"].map((member) => one[member]?.slice(11, 19) ?? null),
  );
}

it("finds the same as a try of the rule", async () => {
  const plant = await createPlant();
  const { companyId, token } = plant;
  const when = { kind: "stop", minutes: 5 };
  await createRule(plant, when);
  await ingest(token, counts(plant, NOON - 10 * MINUTE, NOON));
  await goTo(NOON + 5 * MINUTE, plant);
  vi.setSystemTime(NOON + 10 * MINUTE);
  await ingest(token, counts(plant, NOON + 9 * MINUTE, NOON + 10 * MINUTE));
  await goTo(NOON + 10 * MINUTE, plant);
  expect(await cameOf(companyId)).toEqual([["12:00:00", "12:05:00", "12:10:00"]]);
  expect((await tried(plant, when)).at(-1)).toEqual(["12:00:00", "12:05:00", "12:10:00"]);
  await goTo(NOON + 20 * MINUTE, plant);
  expect(await cameOf(companyId)).toEqual([
    ["12:00:00", "12:05:00", "12:10:00"],
    ["12:10:00", "12:20:00", null],
  ]);
  expect((await tried(plant, when)).at(-1)).toEqual(["12:10:00", "12:15:00", null]);
});

it("finds a stop by its cause when somebody classifies it, and not after the cause is removed", async () => {
  const plant = await createPlant();
  const { companyId, token, admin } = plant;
  const { causeId } = await createStopCause(companyId);
  const jam = await createRule(plant, { kind: "cause", causeIds: [causeId], minutes: 0 });
  const open = await createRule(plant, { kind: "unclassified", minutes: 5 });
  await ingest(token, counts(plant, NOON - 10 * MINUTE, NOON));
  await goTo(NOON + 6 * MINUTE, plant);
  expect(await incidentsOf(companyId)).toMatchObject([{ ruleId: open.id, resolvedAt: null }]);
  const { body } = await call("GET", "/v1/stops?isOpen=true", { token: admin.token });
  const stop = body.data.at(-1);
  const path = `/v1/stops/${stop.id}/classification`;
  const headers = { "if-match": (await call("GET", `/v1/stops/${stop.id}`, { token: admin.token })).headers.get("etag") ?? "" };
  const classified = await call("PUT", path, { token: admin.token, headers, body: { generalCauseId: causeId } });
  expect(classified.status, JSON.stringify(classified.body)).toBe(200);
  await dispatchEvents(env, companyId, NOON + 6 * MINUTE);
  const found = await incidentsOf(companyId);
  expect(found.find(({ ruleId }) => ruleId === open.id)?.resolvedAt).not.toBeNull();
  expect(found.find(({ ruleId }) => ruleId === jam.id)).toMatchObject({ resolvedAt: null, facts: { causeId } });
});

it("finds machines that do not run after the start of their shift, until they run", async () => {
  const plant = await createPlant();
  const { companyId, machine, token } = plant;
  await call("DELETE", `/v1/shifts/${plant.shiftId}`, { token: plant.admin.token });
  const machineB = await createMachine(companyId, { commissionedAt: NOON - HOUR, noDataAfterSeconds: null });
  await db.insert(schema.countSensors).values({ machineId: machineB.id, isCountEnabled: true, updatedAt: NOON });
  const channel = { companyId, nodeId: machineB.nodeId, channel: 1, machineId: machineB.id, type: "total" as const };
  await db.insert(schema.countChannels).values({ ...channel, countingFactor: 1 });
  await createShift(companyId, { start: "12:00", end: "20:00", machineIds: [machineB.id] });
  const late = { ...plant, machine: { ...machine, ...machineB } };
  await createRule(late, { kind: "not_running", minutes: 10 }, { machineIds: [machineB.id] });
  await goTo(NOON + 9 * MINUTE, late);
  expect(await cameOf(companyId)).toEqual([]);
  await goTo(NOON + 10 * MINUTE, late);
  expect(await cameOf(companyId)).toEqual([["12:00:00", "12:10:00", null]]);
  vi.setSystemTime(NOON + 20 * MINUTE);
  await ingest(token, counts(late, NOON + 15 * MINUTE, NOON + 20 * MINUTE));
  await goTo(NOON + 20 * MINUTE, late);
  expect(await cameOf(companyId)).toEqual([["12:00:00", "12:10:00", "12:20:00"]]);
});

it("opens a stop of a machine that may turn out to have no data only once a later sample is heard", async () => {
  const plant = await createPlant();
  const { companyId, machine, token, admin } = plant;
  await call("PATCH", `/v1/machines/${machine.id}`, { token: admin.token, body: { noDataAfterSeconds: 300 } });
  const stop = { kind: "stop", minutes: 5 };
  await createRule(plant, stop);
  await createRule(plant, { kind: "no_data", minutes: 5 });
  const beat = (at: number) => ({ type: "heartbeat", at: new Date(at).toISOString(), nodeId: machine.nodeId });
  await ingest(token, counts(plant, NOON - 10 * MINUTE, NOON));
  await ingest(token, [beat(NOON + 3 * MINUTE)]);
  await goTo(NOON + 6 * MINUTE, plant);
  expect(await cameOf(companyId), "a silence that may still become no data").toEqual([]);
  await ingest(token, [beat(NOON + 6 * MINUTE)]);
  await goTo(NOON + 6 * MINUTE + SECOND, plant);
  expect(await cameOf(companyId)).toEqual([["12:00:00", "12:06:01", null]]);
  expect((await tried(plant, stop)).at(-1)).toEqual(["12:00:00", "12:05:00", null]);
  vi.setSystemTime(NOON + 8 * MINUTE);
  await ingest(token, counts(plant, NOON + 7 * MINUTE, NOON + 8 * MINUTE));
  await goTo(NOON + 8 * MINUTE + SECOND, plant);
  expect((await cameOf(companyId)).map(([since, , resolvedAt]) => [since, resolvedAt])).toEqual([["12:00:00", "12:08:01"]]);
  // The gateway dies: no sample comes after 12:08.
  await goTo(NOON + 14 * MINUTE, plant);
  await goTo(NOON + 20 * MINUTE, plant);
  const [, gone, ...rest] = await incidentsOf(companyId);
  expect(gone).toMatchObject({ since: NOON + 8 * MINUTE, resolvedAt: null });
  expect(rest).toEqual([]);
  expect((await tried(plant, stop)).filter(([since]: (string | null)[]) => since === "12:08:00")).toEqual([]);
});

it("combines the machines of a silent gateway into one incident, which ends with the last of them", async () => {
  const plant = await createPlant();
  const { companyId, machine, token, admin, persona } = plant;
  const others = await Promise.all(
    [2, 3, 4].map((_, i) =>
      createMachine(companyId, {
        ...{ commissionedAt: NOON - HOUR, nodeId: machine.nodeId, noDataAfterSeconds: 300 },
        name: `Other ${i}`,
      }),
    ),
  );
  await call("PATCH", `/v1/machines/${machine.id}`, { token: admin.token, body: { noDataAfterSeconds: 300 } });
  await createRule(
    plant,
    { kind: "no_data", minutes: 10 },
    { levels: [{ afterMinutes: 0, personaIds: [persona.id], chatRoomIds: [] }] },
  );
  const beat = (at: number) => ({ type: "heartbeat", at: new Date(at).toISOString(), nodeId: machine.nodeId });
  await ingest(
    token,
    Array.from({ length: 16 }, (_, i) => beat(NOON - i * 4 * MINUTE)),
  );
  for (const { id } of others) await configureMachine(id);
  await goTo(NOON + 6 * MINUTE, plant, ...others);
  await goTo(NOON + 10 * MINUTE, plant, ...others);
  const [incident, ...rest] = await incidentsOf(companyId);
  expect(rest).toEqual([]);
  expect(incident?.subject).toBe(`gateway:${machine.nodeId}`);
  const shown = await call("GET", `/v1/incidents/${incident?.id}`, { token: admin.token });
  expect(shown.body.machines).toHaveLength(4);
  const ids = [machine, ...others].map(({ id }) => id).sort((a, b) => a - b);
  const about = async () => {
    const { nodeId, machineCount, machineIds } = (await call("GET", "/v1/incidents", { token: admin.token })).body.data[0];
    return { nodeId, machineCount, machineIds: machineIds.sort((a: number, b: number) => a - b) };
  };
  expect(await about()).toEqual({ nodeId: machine.nodeId, machineCount: 4, machineIds: ids });
  expect(await messagesOf(companyId)).toHaveLength(1);
  vi.setSystemTime(NOON + 11 * MINUTE);
  const again = (await tried(plant, { kind: "no_data", minutes: 10 })).at(-1);
  expect(again).toEqual(["12:00:00", "12:10:00", null]);
  vi.setSystemTime(NOON + 22 * MINUTE);
  await ingest(token, [beat(NOON + 20 * MINUTE), beat(NOON + 21 * MINUTE)]);
  await goTo(NOON + 22 * MINUTE, plant, ...others.slice(1));
  expect((await incidentsOf(companyId))[0]?.resolvedAt).toBeNull();
  // It stays open where the gateway's return has not been noticed yet.
  expect(await about()).toEqual({ nodeId: machine.nodeId, machineCount: 4, machineIds: [others[0]?.id] });
  await goTo(NOON + 22 * MINUTE, plant, ...others);
  expect((await incidentsOf(companyId))[0]?.resolvedAt).toBe(NOON + 22 * MINUTE);
  expect(await about()).toEqual({ nodeId: machine.nodeId, machineCount: 4, machineIds: [] });
  const published = (await readEvents(eq(schema.events.companyId, companyId))).filter(({ id }) =>
    id.endsWith(`:${incident?.id}`),
  );
  expect(published.map(({ type }) => type)).toEqual(["alert.opened", "alert.resolved"]);
  expect(published[0]?.data).toMatchObject({ nodeId: machine.nodeId, machineIds: expect.arrayContaining([expect.any(Number)]) });
  expect(published[1]?.data).toMatchObject({ nodeId: machine.nodeId, machineIds: expect.arrayContaining(ids) });
  expect(published[1]?.data.machineCount).toBe(4);
});

it("an event says how many machines it is about if it does not list all of them", () => {
  const incident = { id: "i", companyId: 1, machineId: 1, ruleId: "r", subject: "gateway:7", since: 0, level: 1, facts: {} };
  const machineIds = Array.from({ length: 1002 }, (_, i) => 1 + Math.floor(i / 2) * 2 + (i % 2));
  const { data } = alertEvent("alert.opened", incident as IncidentRow, { kind: "no_data" }, [...machineIds, 1, 2], 0);
  expect(data.machineIds).toEqual(machineIds.slice(0, 1000));
  expect(data.machineCount).toBe(1002);
});

it("counts short stops, and finds shares that are too low and defects that are too many", async () => {
  const plant = await createPlant();
  const { companyId, token, admin, machine } = plant;
  await call("PATCH", `/v1/machines/${machine.id}`, { token: admin.token, body: { standardCycleSeconds: 30 } });
  const rules = {
    micro: await createRule(plant, { kind: "short_stops", count: 2 }),
    oee: await createRule(plant, { kind: "oee", percent: 95, afterMinutes: 30 }),
    low: await createRule(plant, { kind: "availability", percent: 40, afterMinutes: 30 }),
    defects: await createRule(plant, { kind: "defects", percent: 10, units: 20 }),
  };
  const runs = [0, 10, 20, 30].flatMap((minute) => counts(plant, NOON - (40 - minute) * MINUTE, NOON - (33 - minute) * MINUTE));
  await ingest(token, [...runs, countAt(machine.nodeId, NOON - MINUTE, 9, { channel: 2 })]);
  await goTo(NOON, plant);
  const ruleIds = (await incidentsOf(companyId)).map(({ ruleId }) => ruleId).sort();
  expect(ruleIds).toEqual([rules.micro.id, rules.oee.id, rules.defects.id].sort());
  const alarmAt = await runInDurableObject(machineObject(env, machine.id), (_, { storage }) => storage.getAlarm());
  expect(alarmAt).toBeLessThanOrEqual(NOON + MINUTE);
  await goTo(NOON + 50 * MINUTE, plant);
  expect((await incidentsOf(companyId)).map(({ ruleId }) => ruleId)).toContain(rules.low.id);
});

it("continues an alert about short stops whose rule the object stored by its old name", async () => {
  const plant = await createPlant();
  const { companyId, token, machine } = plant;
  await createRule(plant, { kind: "short_stops", count: 2 });
  const runs = [0, 10, 20, 30].flatMap((minute) => counts(plant, NOON - (40 - minute) * MINUTE, NOON - (33 - minute) * MINUTE));
  await ingest(token, runs);
  await goTo(NOON, plant);
  const before = await incidentsOf(companyId);
  expect(before).toMatchObject([{ resolvedAt: null }]);
  await runInDurableObject(machineObject(env, machine.id), (_, { storage }) => {
    for (const [key, value] of [...storage.kv.list()]) {
      const text = JSON.stringify(value);
      if (text?.includes("short_stops")) storage.kv.put(key, JSON.parse(text.replaceAll("short_stops", "micro_stops")));
    }
  });
  await evictDurableObject(machineObject(env, machine.id));
  // It runs again, which ends an alert about one stop. The short stops are in the last hour still.
  await ingest(token, counts(plant, NOON + MINUTE, NOON + 9 * MINUTE));
  await goTo(NOON + 9 * MINUTE, plant);
  expect(await incidentsOf(companyId)).toEqual(before);
  await ingest(token, counts(plant, NOON + 9 * MINUTE, NOON + 100 * MINUTE));
  await goTo(NOON + 100 * MINUTE, plant);
  expect(await incidentsOf(companyId)).toMatchObject([{ id: before[0]?.id, resolvedAt: expect.any(Number) }]);
});

it("notifies the next level until somebody acknowledges", async () => {
  const plant = await createPlant();
  const { companyId, token, admin, persona } = plant;
  const [second, third] = await Promise.all([
    createPersona(companyId, { email: persona.email }),
    createPersona(companyId, { email: persona.email }),
  ]);
  const level = (afterMinutes: number, id: string) => ({ afterMinutes, personaIds: [id], chatRoomIds: [] });
  const levels = [level(0, persona.id), level(10, second.id), level(20, third.id)];
  await createRule(plant, { kind: "stop", minutes: 5 }, { levels });
  await ingest(token, counts(plant, NOON - 10 * MINUTE, NOON));
  await goTo(NOON + 5 * MINUTE, plant);
  await goTo(NOON + 14 * MINUTE, plant);
  expect(await messagesOf(companyId)).toHaveLength(1);
  await goTo(NOON + 15 * MINUTE, plant);
  await dispatchEvents(env, companyId, NOON + 15 * MINUTE);
  expect(await messagesOf(companyId)).toMatchObject([
    { kind: "alert_opened" },
    { kind: "alert_escalated", personaId: second.id },
  ]);
  const [open] = await incidentsOf(companyId);
  expect(open).toMatchObject({ level: 2, nextLevelAt: NOON + 25 * MINUTE });
  const path = `/v1/incidents/${open?.id}/acknowledge`;
  const first = await call("POST", path, { token: admin.token });
  expect(first.body).toMatchObject({ acknowledgedBy: { id: admin.userId }, nextLevelAt: null, level: 2 });
  expect((await call("POST", path, { token: admin.token })).body).toEqual(first.body);
  await goTo(NOON + 40 * MINUTE, plant);
  expect(await messagesOf(companyId)).toHaveLength(2);
  expect(await eventsOf(companyId)).toEqual(["alert.opened", "alert.escalated", "alert.acknowledged"]);
});

it("resolves the incidents of a rule that is changed, deactivated or deleted", async () => {
  for (const end of ["change", "inactive", "delete"] as const) {
    vi.setSystemTime(NOON);
    const plant = await createPlant();
    const { companyId, token, admin } = plant;
    const { id } = await createRule(plant, { kind: "stop", minutes: 5 });
    await ingest(token, counts(plant, NOON - 10 * MINUTE, NOON));
    await goTo(NOON + 6 * MINUTE, plant);
    vi.setSystemTime(NOON + 7 * MINUTE);
    const body = end === "change" ? { when: { kind: "stop", minutes: 30 } } : { isActive: false };
    await call(end === "delete" ? "DELETE" : "PATCH", `/v1/alert-rules/${id}`, {
      token: admin.token,
      ...(end !== "delete" && { body }),
    });
    await configureMachine(plant.machine.id);
    await goTo(NOON + 7 * MINUTE, plant);
    expect(await cameOf(companyId)).toEqual([["12:00:00", "12:06:00", "12:07:00"]]);
    await goTo(NOON + 30 * MINUTE, plant);
    expect(await incidentsOf(companyId)).toHaveLength(end === "change" ? 2 : 1);
  }
});

it("opens an incident for a call for help at once, until it is answered", async () => {
  const plant = await createPlant();
  const { companyId, admin, machine } = plant;
  const levels = [{ afterMinutes: 0, personaIds: [plant.persona.id], chatRoomIds: [] }];
  await createRule(plant, { kind: "help" }, { levels });
  await createRule(plant, { kind: "help" }, { machineIds: [(await createMachine(companyId)).id] });
  const { body } = await call("POST", `/v1/machines/${machine.id}/help-calls`, {
    token: admin.token,
    body: { message: "Mould leaks" },
  });
  await dispatchEvents(env, companyId, NOON);
  expect(await incidentsOf(companyId)).toMatchObject([
    { subject: `help:${body.id}`, machineId: machine.id, facts: { message: "Mould leaks" }, resolvedAt: null },
  ]);
  const sent = await db.select().from(schema.messages).where(eq(schema.messages.companyId, companyId));
  expect(sent).toMatchObject([{ kind: "alert_opened", params: { kind: "help", message: "Mould leaks" } }]);
  await call("POST", `/v1/help-calls/${body.id}/answer`, { token: admin.token });
  await dispatchEvents(env, companyId, NOON + MINUTE);
  expect(await incidentsOf(companyId)).toMatchObject([{ resolvedAt: NOON + MINUTE }]);
  vi.setSystemTime(NOON + MINUTE);
  expect(await tried(plant, { kind: "help" })).toEqual([["12:00:00", "12:00:00", "12:00:00"]]);
});

it("ends an open incident with the decommissioning, however late this is found", async () => {
  const plant = await createPlant();
  const { companyId, admin, machine } = plant;
  await createRule(plant, { kind: "stop", minutes: 5 });
  await ingest(plant.token, counts(plant, NOON - 10 * MINUTE, NOON));
  await goTo(NOON + 5 * MINUTE, plant);
  expect(await incidentsOf(companyId)).toMatchObject([{ resolvedAt: null }]);
  const endAt = NOON + 7 * MINUTE;
  const decommissionedAt = new Date(endAt).toISOString();
  await call("PATCH", `/v1/machines/${machine.id}`, { token: admin.token, body: { decommissionedAt } });
  await configureMachine(machine.id);
  await goTo(NOON + 9 * MINUTE, plant);
  const conditions = await db.select().from(schema.alertConditions).where(eq(schema.alertConditions.companyId, companyId));
  expect(conditions).toMatchObject([{ until: endAt }]);
  expect(await incidentsOf(companyId)).toMatchObject([{ resolvedAt: NOON + 9 * MINUTE }]);
});

it("opens one incident for a late order, until it is done", async () => {
  const plant = await createPlant();
  const { companyId, machine } = plant;
  await createRule(plant, { kind: "order_late" });
  const { skuId } = await createSku(companyId);
  const { workOrderId } = await createWorkOrder(machine, skuId, { estimatedDeliveryAt: NOON - 7 * MINUTE });
  for (const at of [NOON, NOON + MINUTE]) {
    await doJob("orders", at);
    await dispatchEvents(env, companyId, at);
  }
  expect(await incidentsOf(companyId)).toMatchObject([
    { subject: `order:${workOrderId}`, machineId: machine.id, facts: { minutes: 7 }, resolvedAt: null },
  ]);
  await db.update(schema.workOrders).set({ status: "Completed" }).where(eq(schema.workOrders.id, workOrderId));
  await doJob("orders", NOON + 2 * MINUTE);
  await dispatchEvents(env, companyId, NOON + 2 * MINUTE);
  expect(await incidentsOf(companyId)).toMatchObject([{ resolvedAt: NOON + 2 * MINUTE }]);
});

it("opens 200 incidents in a few trips, and each once if two handle them at the same time", async () => {
  const plant = await createPlant();
  const { companyId, persona } = plant;
  const rule = await createRule(
    plant,
    { kind: "stop", minutes: 5 },
    { levels: [{ afterMinutes: 0, personaIds: [persona.id], chatRoomIds: [] }] },
  );
  const rows = Array.from({ length: 200 }, (_, i) => ({
    ...{ id: `storm-${companyId}-${i}`, companyId, ruleId: rule.id, machineId: plant.machine.id, subject: `machine:storm ${i}` },
    ...{
      since: NOON - HOUR,
      dueAt: NOON,
      until: null,
      facts: {},
      revision: 1,
      handledRevision: 0,
      createdAt: NOON,
      updatedAt: NOON,
    },
  }));
  for (let i = 0; i < rows.length; i += 5) await db.insert(schema.alertConditions).values(rows.slice(i, i + 5));
  const two = [deafEnv(), deafEnv()];
  await Promise.all(two.map(({ env: counted }) => dispatchEvents(counted, companyId, NOON)));
  for (const { batches } of two) expect(batches()).toBeLessThanOrEqual(5);
  expect(await incidentsOf(companyId)).toHaveLength(200);
  expect(await eventsOf(companyId)).toHaveLength(200);
  expect(await messagesOf(companyId)).toHaveLength(200);
});
