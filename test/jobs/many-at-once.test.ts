import { env } from "cloudflare:workers";
import { and, eq, isNotNull } from "drizzle-orm";
import { beforeEach, expect, inject, it, vi } from "vitest";
import type { Mail } from "../../scripts/mailbox.ts";
import { companyDb } from "../../src/db/client.ts";
import * as schema from "../../src/db/schema.ts";
import { dispatchEvents } from "../../src/jobs/dispatch-events.ts";
import { messagesPerHour, sendMessages } from "../../src/jobs/send-messages.ts";
import type { Received, Receivers } from "../receivers.ts";
import { call } from "../support/call.ts";
import { HOUR, MINUTE, NOON, SECOND, stopClockAtNoon } from "../support/clock.ts";
import {
  createChannels,
  createCompany,
  createGatewayToken,
  createMachine,
  createPersona,
  createShift,
  createUser,
} from "../support/factories.ts";
import { configureMachine, countAt, flushMachine, ingest } from "../support/machines.ts";

// How many messages people get when a whole plant fails: docs/performance.md has the figures.

stopClockAtNoon();

// Nothing passes through the queues: the work in D1 is processed by hand, with the receivers.
beforeEach(() => {
  const send = vi.spyOn(Object.getPrototypeOf(env.EVENTS), "sendBatch").mockResolvedValue(undefined);
  return () => send.mockRestore();
});

declare module "vitest" {
  interface ProvidedContext {
    failing: { machines: number };
  }
}

/** 200 in `npm run verify`. */
const MACHINES = inject("failing").machines;
const receivers = inject("receivers" as never) as Receivers;
const on = {
  ...env,
  ALLOW_LOOPBACK: "on",
  MAIL_FROM: "Andon <andon@plant.example>",
  SMTP_URL: `smtp://localhost:${receivers.smtpPort}`,
  TWILIO_ACCOUNT_SID: "AC0123",
  TWILIO_AUTH_TOKEN: "secret",
  TWILIO_SMS_FROM: "+15550100",
  TWILIO_URL: receivers.url,
} as Env;

const contact = (value: string) => ({ id: crypto.randomUUID(), value, isActive: true, reference: "" });

/**
 * A plant whose machines have this many gateways, with a rule that notifies a persona with three contacts, and a second one after ten minutes,
 * by mail.
 */
async function createPlant(gateways: number, when: object) {
  const { companyId } = await createCompany();
  await createShift(companyId, { start: "00:00", end: "00:00" });
  const { token } = await createGatewayToken(companyId);
  const nodeIds = Array.from({ length: gateways }, (_, i) => companyId * 1000 + i);
  const machines = await Promise.all(
    Array.from({ length: MACHINES }, async (_, i) => {
      const own = { nodeId: nodeIds[i % gateways] as number, commissionedAt: NOON - HOUR, noDataAfterSeconds: 300 };
      const machine = await createMachine(companyId, own);
      await createChannels(machine, [{ channel: i + 1, type: "total" }]);
      return { ...machine, channel: i + 1 };
    }),
  );
  const { token: admin, userId } = await createUser(companyId, "admin");
  const mailbox = (name: string) => `${name}-${crypto.randomUUID().slice(0, 8)}@plant.example`;
  const [email, second] = [mailbox("first"), mailbox("second")];
  await companyDb(env).update(schema.users).set({ email }).where(eq(schema.users.id, userId));
  const number = `+34${Date.now() % 1e4}${companyId}`;
  const personas = [
    await createPersona(companyId, { language: "english", email: contact(email), sms: contact(number) }),
    await createPersona(companyId, { language: "spanish", email: contact(second) }),
  ];
  const level = (afterMinutes: number, i: number) => ({ afterMinutes, personaIds: [personas[i]?.id], chatRoomIds: [] });
  const body = { name: "Rule", when, levels: [level(0, 0), level(10, 1)] };
  const created = await call("POST", "/v1/alert-rules", { token: admin, body });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  for (const { id } of machines) await configureMachine(id);

  /** Every machine counts twice a minute between two times. */
  const run = async (from: number, to: number) => {
    vi.setSystemTime(to);
    const times = Array.from({ length: Math.floor((to - from) / (30 * SECOND)) + 1 }, (_, i) => from + i * 30 * SECOND);
    const counts = machines.flatMap(({ nodeId, channel }) => times.map((at) => countAt(nodeId, at, 1, { channel })));
    for (let i = 0; i < counts.length; i += 1000) await ingest(token, counts.slice(i, i + 1000));
  };
  const heartbeats = async (at: number) => {
    vi.setSystemTime(at);
    await ingest(
      token,
      nodeIds.map((nodeId) => ({ type: "heartbeat", at: new Date(at).toISOString(), nodeId })),
    );
  };
  /** Sets the clock to an instant, fires the machines' alarms, and processes all queues. */
  const goTo = async (at: number, { rings = true } = {}) => {
    vi.setSystemTime(at);
    for (const { id } of rings ? machines : []) await flushMachine(id);
    await dispatchEvents(on, companyId, at);
    await sendMessages(on, companyId);
  };
  /** The results so far: incidents, the open ones, and the messages that each contact received. */
  const cameOut = async () => {
    const db = companyDb(env, "first-primary");
    const { incidents, messages } = schema;
    const found = await db.select().from(incidents).where(eq(incidents.companyId, companyId));
    const sent = and(eq(messages.companyId, companyId), isNotNull(messages.sentAt));
    const all = await db.select({ channel: messages.channel }).from(messages).where(sent);
    const mails = await (await fetch(receivers.mailsUrl)).json<Mail[]>();
    const texts = await (await fetch(`${receivers.url}/received`)).json<Received[]>();
    const received = {
      mails: mails.filter(({ to }) => to === email).length,
      mailsOfSecond: mails.filter(({ to }) => to === second).length,
      texts: texts.filter((one) => new URLSearchParams(one.body).get("To") === number).length,
      notifications: (await db.select().from(schema.notifications).where(eq(schema.notifications.userId, userId))).length,
    };
    expect(all).toHaveLength(Object.values(received).reduce((sum, count) => sum + count));
    return { incidents: found.length, open: found.filter((one) => one.resolvedAt === null).length, ...received };
  };
  const digests = async () => {
    const mails = await (await fetch(receivers.mailsUrl)).json<Mail[]>();
    return mails.filter(({ to, subject }) => to === email && / messages$/.test(subject)).map(({ subject }) => subject);
  };
  const subjects = async () => {
    const mails = await (await fetch(receivers.mailsUrl)).json<Mail[]>();
    const to = (address: string) => mails.filter((mail) => mail.to === address).map(({ subject }) => subject);
    return { first: to(email).sort(), second: to(second).sort() };
  };
  return { nodeIds, run, heartbeats, goTo, cameOut, digests, subjects };
}

it.each([1, 10])(
  "machines behind %i silent gateways cause one incident and one message per gateway",
  { timeout: 600_000 },
  async (gateways) => {
    const plant = await createPlant(gateways, { kind: "no_data", minutes: 10 });
    for (let at = NOON - 20 * MINUTE; at <= NOON; at += 4 * MINUTE) await plant.heartbeats(at);
    await plant.goTo(NOON + 10 * MINUTE);
    const counts = { mails: gateways, texts: gateways, notifications: gateways };
    expect(await plant.cameOut()).toEqual({ incidents: gateways, open: gateways, ...counts, mailsOfSecond: 0 });
    await plant.goTo(NOON + 20 * MINUTE, { rings: false });
    expect(await plant.cameOut()).toMatchObject({ incidents: gateways, mails: gateways, mailsOfSecond: gateways });
    await plant.heartbeats(NOON + 21 * MINUTE);
    await plant.heartbeats(NOON + 22 * MINUTE);
    await plant.goTo(NOON + 22 * MINUTE);
    expect(await plant.cameOut()).toEqual({
      ...{ incidents: gateways, open: 0, mailsOfSecond: 2 * gateways },
      ...{ mails: 2 * gateways, texts: 2 * gateways, notifications: 2 * gateways },
    });
    const each = MACHINES / gateways;
    const subjectsOf = (prefix: string, text: (nodeId: number) => string) =>
      plant.nodeIds.map((nodeId) => `${prefix}${text(nodeId)}: Rule`);
    const [english, spanish] = [
      (nodeId: number) => `Gateway ${nodeId}, ${each} machines`,
      (nodeId: number) => `Pasarela ${nodeId}, ${each} máquinas`,
    ];
    expect(await plant.subjects()).toEqual({
      first: [...subjectsOf("", english), ...subjectsOf("Resolved: ", english)].sort(),
      second: [...subjectsOf("Sigue abierta: ", spanish), ...subjectsOf("Resuelta: ", spanish)].sort(),
    });
  },
);

it("machines that stop at once cause an incident each, and contacts get the hourly limit plus one digest", {
  timeout: 600_000,
}, async () => {
  const plant = await createPlant(10, { kind: "stop", minutes: 5 });
  await plant.run(NOON - 2 * MINUTE, NOON);
  for (const minute of [2, 4, 5.5]) await plant.heartbeats(NOON + minute * MINUTE);
  await plant.goTo(NOON + 5.5 * MINUTE);
  const most = messagesPerHour;
  const full = { mails: most, texts: most, notifications: most };
  expect(await plant.cameOut()).toEqual({ incidents: MACHINES, open: MACHINES, ...full, mailsOfSecond: 0 });
  await plant.heartbeats(NOON + 8 * MINUTE);
  await plant.heartbeats(NOON + 12 * MINUTE);
  await plant.goTo(NOON + 15.5 * MINUTE, { rings: false });
  await plant.run(NOON + 16 * MINUTE, NOON + 18 * MINUTE);
  await plant.goTo(NOON + 18 * MINUTE);
  expect(await plant.cameOut()).toEqual({ incidents: MACHINES, open: 0, ...full, mailsOfSecond: most });
  await plant.goTo(NOON + HOUR, { rings: false });
  const all = { mails: most + 1, texts: most + 1, notifications: most + 1, mailsOfSecond: most + 1 };
  expect(await plant.cameOut()).toMatchObject(all);
  expect(await plant.digests()).toEqual([`${2 * MACHINES - most} messages`]);
});
