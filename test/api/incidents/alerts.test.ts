import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { asc, eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { expect, it, vi } from "vitest";
import * as schema from "../../../src/db/schema.ts";
import { dispatchEvents } from "../../../src/jobs/dispatch-events.ts";
import { machineObject } from "../../../src/machine/stub.ts";
import { call } from "../../support/call.ts";
import { HOUR, MINUTE, NOON, SECOND, stopClockAtNoon } from "../../support/clock.ts";
import { createPersona, createUser } from "../../support/factories.ts";
import { configureMachine, countAt, createLine, flushMachine, ingest } from "../../support/machines.ts";

stopClockAtNoon();

const db = drizzle(env.DB);

/** A plant with a machine that stops after 2 minutes and is silent after 60, its admin, and a persona with an e-mail address. */
async function createPlant() {
  const line = await createLine({ commissionedAt: NOON - HOUR, noDataAfterSeconds: 3600 });
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

/** The clock goes to an instant, the machine's alarm rings, and its company is dispatched. */
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
  const rows = await db
    .select({ type: schema.events.type })
    .from(schema.events)
    .where(eq(schema.events.companyId, companyId))
    .orderBy(asc(schema.events.seq));
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

it("tells of a stop when it has lasted for five minutes, once, whatever is restarted, and of its end", async () => {
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

it("sets its alarm for the instant at which a rule is due, without any event", async () => {
  const plant = await createPlant();
  await createRule(plant, { kind: "stop", minutes: 5 });
  await ingest(plant.token, counts(plant, NOON - 10 * MINUTE, NOON));
  await goTo(NOON + 3 * MINUTE, plant);
  const object = machineObject(env, plant.machine.id);
  const { runInDurableObject } = await import("cloudflare:test");
  expect(await runInDurableObject(object, (_, { storage }) => storage.getAlarm())).toBe(NOON + 5 * MINUTE);
});
