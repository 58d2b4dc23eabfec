import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { asc, eq } from "drizzle-orm";
import { beforeEach, describe, expect, inject, it, vi } from "vitest";
import type { Mail } from "../../scripts/mailbox.ts";
import { retrySeconds } from "../../src/channels/deliver.ts";
import { type Message, messageOf, planMessages, type Recipients } from "../../src/channels/plan-messages.ts";
import { insertMessages } from "../../src/channels/queries.ts";
import type { AlertParams } from "../../src/channels/texts/kinds.ts";
import { seal } from "../../src/core/cipher.ts";
import { companyDb } from "../../src/db/client.ts";
import * as schema from "../../src/db/schema.ts";
import service from "../../src/index.ts";
import { consume } from "../../src/jobs/consume.ts";
import { messagesPerHour } from "../../src/jobs/send-messages.ts";
import type { Received, Receivers } from "../receivers.ts";
import { call } from "../support/call.ts";
import { HOUR, MINUTE, SECOND } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { createCompany, createMachine, createPersona, createUser } from "../support/factories.ts";

// With real servers for mail, Twilio, chat rooms and push services (test/receivers.ts).

const receivers = inject("receivers" as never) as Receivers;
/** A Monday at 10:00 in Madrid, later than all alarms. */
const TEN = Date.UTC(2040, 3, 16, 8);

/** With every channel set up for the receivers. */
const on = {
  ...env,
  ALLOW_LOOPBACK: "on",
  PUBLIC_URL: "https://andon.example",
  MAIL_FROM: "Andon <andon@plant.example>",
  SMTP_URL: `smtp://localhost:${receivers.smtpPort}`,
  VAPID_PRIVATE_KEY: receivers.vapidKey,
  VAPID_CONTACT: "mailto:andon@plant.example",
  TWILIO_ACCOUNT_SID: "AC0123",
  TWILIO_AUTH_TOKEN: "secret",
  TWILIO_SMS_FROM: "+15550100",
  TWILIO_WHATSAPP_FROM: "+15550101",
  TWILIO_WHATSAPP_TEMPLATE_EN: "HX01",
  TWILIO_WHATSAPP_TEMPLATE_ES: "HX02",
  TWILIO_URL: receivers.url,
} as Env;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: TEN });
  return () => vi.useRealTimers();
});

const alert = (more: Partial<AlertParams> = {}): AlertParams => ({
  ...{ ruleName: "Long stop", kind: "stop", machineName: "Press 1", lineName: null, minutes: 12, cause: null },
  ...{ value: null, threshold: null, since: TEN - 12 * MINUTE, incidentId: "i1", custom: null },
  ...more,
});

const contact = (value: string) => ({ id: crypto.randomUUID(), value, isActive: true, reference: "" });
const daily = (day: { start: string; end: string }) =>
  Object.fromEntries(schema.weekdays.map((name) => [name, day])) as schema.AlertHours;

async function office(options: Parameters<typeof createPersona>[1] = {}) {
  const { companyId } = await createCompany({ timezone: "Europe/Madrid" });
  const persona = await createPersona(companyId, { language: "english", ...options });
  const db = companyDb(env, "first-primary");
  const tell = async (
    key: string,
    params: AlertParams = alert(),
    to: Recipients = { personaIds: [persona.id] },
    more: Partial<Message> = {},
  ) => {
    const what = { kind: "alert_opened", params, incidentId: "i1", key, ...more } as Message;
    const { rows } = await planMessages({ env: on, db, companyId, now: Date.now() }, to, what);
    const [first, ...others] = rows;
    if (first) await db.batch([first, ...others]);
  };
  const run = async (bindings: Env = on) => {
    const batch = createMessageBatch("andon-messages", [
      { id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body: { companyId } },
    ]);
    const context = createExecutionContext();
    await service.queue(batch, bindings, context);
    expect((await getQueueResult(batch, context)).retryMessages ?? []).toEqual([]);
  };
  const messages = () =>
    companyDb(env, "first-primary")
      .select()
      .from(schema.messages)
      .where(eq(schema.messages.companyId, companyId))
      .orderBy(asc(schema.messages.createdAt), asc(schema.messages.kind), asc(schema.messages.id));
  const passUntil = (at: number) => vi.setSystemTime(at);
  return { companyId, persona, tell, run, messages, passUntil };
}

async function createRoom(companyId: number, service: "teams" | "slack", language: "en" | "es"): Promise<string> {
  const id = crypto.randomUUID();
  const sealedUrl = await seal(env, ["chat_rooms.sealed_url", id], `${receivers.url}/${service}/${companyId}`);
  const row = { id, companyId, name: service, service, language, sealedUrl, isActive: true };
  await companyDb(env)
    .insert(schema.chatRooms)
    .values({ ...row, createdAt: 0, updatedAt: 0 });
  return row.id;
}

/** Adds machines to an incident. */
async function addToIncident(companyId: number, incidentId: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const { id: machineId } = await createMachine(companyId, { name });
    // Twice, as after a short return.
    const condition = { companyId, machineId, incidentId, ruleId: "r1", subject: "gateway:7", since: TEN, dueAt: TEN, facts: {} };
    const rows = [1, 2].map(() => ({ ...condition, id: crypto.randomUUID(), revision: 1, createdAt: TEN, updatedAt: TEN }));
    await companyDb(env).insert(schema.alertConditions).values(rows);
  }
}

const mailsTo = async (address: string) =>
  (await (await fetch(receivers.mailsUrl)).json<Mail[]>()).filter(({ to }) => to === address);
const requestsTo = async (path: string) =>
  (await (await fetch(`${receivers.url}/received`)).json<Received[]>()).filter((one) => one.path.startsWith(path));
const newAddress = () => `${crypto.randomUUID().slice(0, 8)}@plant.example`;

describe("personas with one address", () => {
  const contact = (value: string) => ({ id: crypto.randomUUID(), value, isActive: true, reference: "" });

  it("get one message for each event: for the one who may be notified first, and no second one when it is planned again", async () => {
    const closed = { start: "12:00", end: "13:00" };
    const night = Object.fromEntries(schema.weekdays.map((day) => [day, closed])) as schema.AlertHours;
    const { companyId, persona, tell, messages } = await office({
      email: contact("Team@Example.com "),
      sms: contact("+34 600 000 001"),
      alertHours: night,
    });
    const email = contact("team@example.com");
    const other = await createPersona(companyId, { email, sms: contact("+34600000001") });
    const alone = await createPersona(companyId, { email: contact("head@example.com") });
    const to = { personaIds: [persona.id, other.id, alone.id] };
    await tell("opened", alert(), to);
    const planned = await messages();
    const whom = planned.map(({ channel, personaId, status }) => `${channel} ${personaId} ${status}`);
    const ofOther = [`email ${other.id} pending`, `sms ${other.id} pending`];
    expect(whom.sort()).toEqual([...ofOther, `email ${alone.id} pending`].sort());
    vi.setSystemTime(Date.UTC(2040, 3, 16, 10, 30));
    await tell("opened", alert(), to);
    expect(await messages()).toHaveLength(3);
    await tell("resolved", alert(), to);
    expect(await messages()).toHaveLength(6);
  });
});

describe("a message", () => {
  it("is sent by mail, with a link, in the persona's language and the plant's time", async () => {
    const address = newAddress();
    const { tell, run, messages } = await office({ email: contact(address), language: "spanish" });
    await tell("i1:opened");
    await run();
    expect(await messages()).toMatchObject([{ channel: "email", status: "sent", attempts: 1, nextAttemptAt: null, sentAt: TEN }]);
    const [mail, ...others] = await mailsTo(address);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ from: '"Andon" <andon@plant.example>', subject: "Press 1: Long stop" });
    expect(mail?.text).toContain("Parada durante 12 min, desde el 16 abr, 09:48.");
    expect(mail?.text).toContain("https://andon.example/");
  });

  it("is sent once, even if planned several times and processed concurrently", async () => {
    const address = newAddress();
    const { tell, run, messages } = await office({ email: contact(address) });
    await tell("i1:opened");
    await tell("i1:opened");
    await Promise.all([run(), run(), run()]);
    await tell("i1:opened");
    await run();
    expect(await messages()).toHaveLength(1);
    expect(await mailsTo(address)).toHaveLength(1);
  });

  it("contains no header or markup injected by a name", async () => {
    const address = newAddress();
    const { tell, run } = await office({ email: contact(address) });
    await tell("i1:opened", alert({ machineName: "Press\r\nBcc: thief@plant.example", cause: "<img src=x>" }));
    await run();
    const [mail] = await mailsTo(address);
    expect(mail?.subject).toBe("Press Bcc: thief@plant.example: Long stop");
    expect(mail?.html).not.toContain("<img");
    expect(await mailsTo("thief@plant.example")).toEqual([]);
  });

  it("uses the rule's own text, with its variables filled in", async () => {
    const address = newAddress();
    const { tell, run } = await office({ email: contact(address) });
    await tell("i1:opened", alert({ custom: { en: "{machine} is down for {minutes} min: {cause}", es: "" } }));
    await run();
    expect((await mailsTo(address))[0]?.text).toContain("Press 1 is down for 12 min: –");
  });

  it("contains what a call for help says", async () => {
    const address = newAddress();
    const { tell, run } = await office({ email: contact(address) });
    await tell("i1:opened", alert({ kind: "help", ruleName: "Help", message: "Mould leaks" }));
    await run();
    expect((await mailsTo(address))[0]?.text).toContain("Help was called at 16 Apr, 09:48: Mould leaks");
  });

  it("is sent as notification, text message, WhatsApp and push, and to Teams and Slack rooms", async () => {
    const email = newAddress();
    const number = "+34600111222";
    const { companyId, persona, tell, run, messages } = await office({
      email: { ...contact(email), isActive: false },
      sms: contact(number),
      whatsapp: contact(number),
      push: [contact(JSON.stringify(receivers.subscription))],
    });
    const { token, userId } = await createUser(companyId, "user");
    await env.DB_0.prepare("UPDATE users SET email = ? WHERE id = ?").bind(email, userId).run();
    const chatRoomIds = [await createRoom(companyId, "teams", "en"), await createRoom(companyId, "slack", "es")];
    await tell("i1:opened", alert({ machineName: `Press ${companyId} <1>` }), { personaIds: [persona.id], chatRoomIds });
    await run();
    expect((await messages()).map(({ channel, status, error }) => [channel, status, error]).sort()).toEqual([
      ["chat", "sent", null],
      ["chat", "sent", null],
      ["in_app", "sent", null],
      ["push", "sent", null],
      ["sms", "sent", null],
      ["whatsapp", "sent", null],
    ]);
    const title = `Press ${companyId} <1>: Long stop`;
    const inbox = (await call("GET", "/v1/notifications", { token })).body.data;
    expect(inbox).toMatchObject([{ title, body: "Stopped for 12 min, since 16 Apr, 09:48.", readAt: null }]);

    const twilio = (await requestsTo("/2010-04-01/Accounts/AC0123/Messages.json"))
      .map(({ headers, body }) => ({ headers, form: Object.fromEntries(new URLSearchParams(body)) }))
      .filter(({ form }) => Object.values(form).some((value) => value.includes(title)));
    expect(twilio).toHaveLength(2);
    expect(twilio[0]?.headers.authorization).toBe(`Basic ${btoa("AC0123:secret")}`);
    const forms = twilio.map(({ form }) => form).sort((a, b) => Number("ContentSid" in a) - Number("ContentSid" in b));
    expect(forms[0]).toMatchObject({
      To: number,
      From: "+15550100",
      Body: expect.stringMatching(/https:\/\/andon.example\/\S+$/),
    });
    expect(forms[1]).toMatchObject({ To: `whatsapp:${number}`, From: "whatsapp:+15550101", ContentSid: "HX01" });
    expect(JSON.parse(forms[1]?.ContentVariables ?? "")).toEqual({
      1: title,
      2: "Stopped for 12 min, since 16 Apr, 09:48.",
      3: expect.stringContaining("https://andon.example/"),
    });

    const pushed = (await requestsTo("/push")).filter(({ push }) => (push as { title: string }).title === title);
    expect(pushed).toHaveLength(1);
    expect(pushed[0]?.push).toMatchObject({ title, body: expect.stringContaining("Stopped"), url: expect.any(String) });
    expect(pushed[0]?.headers).toMatchObject({
      "content-encoding": "aes128gcm",
      authorization: expect.stringMatching(/^vapid t=/),
    });

    const [card] = await requestsTo(`/teams/${companyId}`);
    expect(JSON.parse(card?.body ?? "")).toMatchObject({
      type: "message",
      attachments: [{ content: { body: [{ inlines: [{ type: "TextRun", text: title }] }, { inlines: [{}] }] } }],
    });
    const [slack] = await requestsTo(`/slack/${companyId}`);
    expect(JSON.parse(slack?.body ?? "").text).toMatch(new RegExp(`^\\*Press ${companyId} &lt;1&gt;: Long stop\\*\nParada`));
  });
});

describe("a message of a silent gateway", () => {
  const silent = (incidentId: string, more: Partial<AlertParams> = {}) =>
    alert({ ruleName: "Silence", kind: "no_data", nodeId: 7, lineName: "Line A", incidentId, ...more });

  it("names the machines known when it is sent, on every channel and in both languages", async () => {
    const [address, number] = [newAddress(), "+34600111333"];
    const contacts = { email: contact(address), sms: contact(number), whatsapp: contact(number) };
    const push = [contact(JSON.stringify(receivers.subscription))];
    const { companyId, persona, tell, run } = await office({ ...contacts, push });
    const to = { personaIds: [persona.id], chatRoomIds: [await createRoom(companyId, "slack", "es")] };
    const incidentId = crypto.randomUUID();
    const about = silent(incidentId, { nodeId: companyId });
    await addToIncident(companyId, incidentId, ["Press 1"]);
    await tell("opened", about, to);
    await addToIncident(companyId, incidentId, ["Press 2", "Press 3", "Press 4", "Press 5", "Press 6", "Press 7"]);
    await run();
    const title = `Gateway ${companyId}, 7 machines: Silence`;
    const machines = "Press 1, Press 2, Press 3, Press 4, Press 5 and 2 more";
    const [mail] = await mailsTo(address);
    expect(mail?.subject).toBe(title);
    expect(mail?.text).toContain(`No data for 12 min, since 16 Apr, 09:48.\n${machines}`);
    const forms = (await requestsTo("/2010-04-01/")).map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
    const own = forms.map(({ Body, ContentVariables }) => Body ?? ContentVariables ?? "").filter((text) => text.includes(title));
    expect(own).toEqual([expect.stringContaining(machines), expect.stringContaining(machines)]);
    const pushed = (await requestsTo("/push")).map((one) => one.push as { title: string; body: string });
    expect(pushed.find((one) => one.title === title)?.body).toContain(machines);
    const [slack] = await requestsTo(`/slack/${companyId}`);
    expect(JSON.parse(slack?.body ?? "").text).toContain(
      `*Pasarela ${companyId}, 7 máquinas: Silence*\nSin datos durante 12 min, desde el 16 abr, 09:48.\nPress 1, Press 2, Press 3, Press 4, Press 5 y 2 más`,
    );
    await tell("resolved", about, to, { kind: "alert_resolved" });
    await run();
    const ended = (await mailsTo(address)).find(({ subject }) => subject === `Resolved: ${title}`);
    expect(ended?.text).toContain(`and lasted 12 min.\n${machines}`);
  });

  it("names a single known machine in the title, and all machines in a rule's own text", async () => {
    const address = newAddress();
    const { companyId, tell, run } = await office({ email: contact(address) });
    const [one, two] = [crypto.randomUUID(), crypto.randomUUID()];
    await addToIncident(companyId, one, ["Press 1"]);
    await addToIncident(companyId, two, ["Press 1", "Press 2"]);
    await tell("one", silent(one));
    await tell("two", silent(two, { custom: { en: "Go and see: {machine}", es: "" } }));
    await run();
    const mails = await mailsTo(address);
    expect(mails.map(({ subject }) => subject).sort()).toEqual([
      "Gateway 7, 2 machines: Silence",
      "Press 1, Line A, gateway 7: Silence",
    ]);
    expect(mails.find(({ subject }) => subject.startsWith("Gateway"))?.text).toContain("Go and see: Press 1 and Press 2");
  });

  it("names its machines in a digest too", async () => {
    const address = newAddress();
    const alertHours = daily({ start: "12:00", end: "24:00" });
    const { companyId, tell, run, passUntil } = await office({ email: contact(address), alertHours });
    const incidentId = crypto.randomUUID();
    await tell("opened", silent(incidentId));
    await tell("other", alert());
    await addToIncident(companyId, incidentId, ["Press 1", "Press 2"]);
    passUntil(TEN + 2 * HOUR);
    await run();
    const [digest] = await mailsTo(address);
    expect(digest?.subject).toBe("2 messages");
    expect(digest?.text).toContain(
      "Gateway 7, 2 machines: Silence – No data for 12 min, since 16 Apr, 09:48. Press 1 and Press 2",
    );
  });
});

describe("a message that fails", () => {
  it("has the error channel_off if the service has not set up its channel", async () => {
    const { tell, run, messages } = await office({ email: contact(newAddress()), sms: contact("+34600111222") });
    await tell("i1:opened");
    await run(env);
    const failed = { status: "failed", error: "channel_off", nextAttemptAt: null };
    expect(await messages()).toMatchObject([failed, failed]);
  });

  it("is retried with growing pauses, then fails with the reason", async () => {
    const { tell, run, messages, passUntil } = await office({ email: contact(`later-${newAddress()}`) });
    await tell("i1:opened");
    for (const seconds of retrySeconds) {
      await run();
      const [message] = await messages();
      expect(message).toMatchObject({ status: "pending", error: expect.stringContaining("451 not now") });
      expect(message?.nextAttemptAt).toBe(Date.now() + seconds * SECOND);
      passUntil(Date.now() + seconds * SECOND - 1);
      await run();
      expect((await messages())[0]?.attempts).toBe(message?.attempts);
      passUntil(Date.now() + 1);
    }
    await run();
    expect(await messages()).toMatchObject([{ status: "failed", attempts: retrySeconds.length + 1, nextAttemptAt: null }]);
  });

  it.each([
    ["a mailbox that is not there", { email: contact("nobody@plant.example") }, "550 no such mailbox"],
    ["a number that is not valid", { sms: contact("+34600111222") }, "answer 400:"],
  ])("is not retried for %s", async (_, contacts, reason) => {
    const { tell, run, messages } = await office(contacts);
    await tell("i1:opened");
    await run({ ...on, TWILIO_URL: `${receivers.url}/answer-400` } as Env);
    expect(await messages()).toMatchObject([{ status: "failed", attempts: 1, error: expect.stringContaining(reason) }]);
  });

  it("is retried when the server hangs up in the middle", async () => {
    const { tell, run, messages } = await office({ email: contact(newAddress()) });
    await tell("i1:opened");
    await run({ ...on, SMTP_URL: `smtp://localhost:${receivers.hangUpPort}` } as Env);
    expect(await messages()).toMatchObject([{ status: "pending", attempts: 1, error: "SMTP: the server hung up" }]);
  });

  it.each([404, 410])("ends a push subscription that answers %i", async (status) => {
    const gone = contact(JSON.stringify({ ...receivers.subscription, endpoint: `${receivers.url}/push/answer-${status}` }));
    const kept = contact(JSON.stringify(receivers.subscription));
    const { companyId, tell, run, messages } = await office({ push: [gone, kept] });
    const { token } = await createUser(companyId, "admin");
    await tell("i1:opened");
    await run();
    expect((await messages()).map(({ status }) => status).sort()).toEqual(["failed", "sent"]);
    const [persona] = (await call("GET", "/v1/personas", { token })).body.data;
    expect(persona.push).toEqual([kept]);
  });

  it("is not sent to a contact that was deactivated meanwhile", async () => {
    const { companyId, persona, tell, run, messages } = await office({ email: contact(newAddress()) });
    const { token } = await createUser(companyId, "admin");
    await tell("i1:opened");
    await call("PATCH", `/v1/personas/${persona.id}`, { token, body: { email: { isActive: false } } });
    await run();
    expect(await messages()).toMatchObject([{ status: "failed", error: "contact_gone" }]);
  });

  it("is sent again after its lease has expired", async () => {
    const address = newAddress();
    const { tell, run, messages, passUntil } = await office({ email: contact(address) });
    await tell("i1:opened");
    const [message] = await messages();
    const leaseUntil = TEN + 5 * MINUTE;
    await env.DB_0.prepare("UPDATE messages SET attempts = 1, next_attempt_at = ?, started_at = ? WHERE id = ?")
      .bind(leaseUntil, TEN, message?.id)
      .run();
    passUntil(leaseUntil - 1);
    await run();
    expect(await mailsTo(address)).toEqual([]);
    passUntil(leaseUntil);
    await run();
    expect(await messages()).toMatchObject([{ status: "sent", attempts: 2 }]);
    expect((await mailsTo(address))[0]?.messageId).toBe(`<${message?.id}@plant.example>`);
  });
});

describe("outside of a persona's hours", () => {
  const nights = { alertHours: daily({ start: "22:00", end: "06:00" }) };
  const tonight = TEN + 12 * HOUR;

  it("messages are held, and sent as one digest when the hours begin", async () => {
    const address = newAddress();
    const { tell, run, messages, passUntil } = await office({ ...nights, email: contact(address) });
    for (let i = 1; i <= 25; i++) await tell(`i${i}:opened`, alert({ machineName: `Press ${i}` }));
    await run();
    expect(new Set((await messages()).map(({ status, nextAttemptAt }) => `${status} ${nextAttemptAt}`))).toEqual(
      new Set([`held ${tonight}`]),
    );
    passUntil(tonight - 1);
    await run();
    expect(await mailsTo(address)).toEqual([]);
    passUntil(tonight);
    await Promise.all([run(), run()]);
    const [mail, ...others] = await mailsTo(address);
    expect(others).toEqual([]);
    expect(mail?.subject).toBe("25 messages");
    expect(mail?.text).toMatch(/Press 1: Long stop – Stopped[\s\S]*Press 20: [\s\S]*and 5 more/);
    const all = await messages();
    const digest = all.find(({ kind }) => kind === "digest");
    expect(digest).toMatchObject({ status: "sent" });
    const digested = all.filter(({ kind }) => kind !== "digest");
    expect(new Set(digested.map(({ status, digestId }) => `${status} ${digestId}`))).toEqual(new Set([`digested ${digest?.id}`]));
  });

  it("a single held message is sent as it is, and hours can cross midnight", async () => {
    const address = newAddress();
    const { tell, run, passUntil } = await office({ ...nights, email: contact(address) });
    passUntil(tonight + 7 * HOUR);
    await tell("i1:opened");
    await run();
    expect((await mailsTo(address)).map(({ subject }) => subject)).toEqual(["Press 1: Long stop"]);
    passUntil(tonight + 8 * HOUR);
    await tell("i2:opened");
    await run();
    expect(await mailsTo(address)).toHaveLength(1);
    passUntil(tonight + 24 * HOUR);
    await run();
    expect((await mailsTo(address)).map(({ subject }) => subject)).toEqual(["Press 1: Long stop", "Press 1: Long stop"]);
  });

  it("nothing is sent to personas without any hours", async () => {
    const { tell, run, messages } = await office({
      alertHours: daily({ start: "00:00", end: "00:00" }),
      email: contact(newAddress()),
    });
    await tell("i1:opened");
    await run();
    expect(await messages()).toMatchObject([{ status: "failed", error: "no_hours" }]);
  });

  it("messages follow hours that changed after they were planned", async () => {
    const address = newAddress();
    const { companyId, persona, tell, run, messages } = await office({ email: contact(address) });
    const { token } = await createUser(companyId, "admin");
    await tell("i1:opened");
    await call("PATCH", `/v1/personas/${persona.id}`, { token, body: nights });
    await run();
    expect(await messages()).toMatchObject([{ status: "held", nextAttemptAt: tonight }]);
    expect(await mailsTo(address)).toEqual([]);
  });
});

it(`sends a contact ${messagesPerHour} messages in an hour, and one with the count after it`, async () => {
  const address = newAddress();
  const { tell, run, messages, passUntil } = await office({ email: contact(address) });
  const count = messagesPerHour + 15;
  passUntil(TEN + 10 * MINUTE);
  for (let i = 1; i <= count - 3; i++) await tell(`i${i}:opened`);
  await Promise.all([run(), run(), run()]);
  expect(await mailsTo(address)).toHaveLength(messagesPerHour);
  passUntil(TEN + 50 * MINUTE);
  for (let i = count - 2; i <= count; i++) await tell(`i${i}:opened`);
  await run();
  expect(await mailsTo(address)).toHaveLength(messagesPerHour);
  expect((await messages()).filter(({ status }) => status === "held")).toHaveLength(15);
  passUntil(TEN + HOUR);
  await run();
  const mails = await mailsTo(address);
  expect(mails).toHaveLength(messagesPerHour + 1);
  expect(mails[0]?.subject).toBe("15 messages");
});

it("counts the messages to an address separately for each company", async () => {
  const address = newAddress();
  const [loud, quiet] = [await office(), await office()];
  for (let i = 1; i <= messagesPerHour; i++) await loud.tell(`i${i}:opened`, alert(), { addresses: [address] });
  await loud.run();
  await quiet.tell("i1:opened", alert(), { addresses: [address] });
  await quiet.run();
  expect(await quiet.messages()).toMatchObject([{ status: "sent" }]);
  expect(await mailsTo(address)).toHaveLength(messagesPerHour + 1);
});

it("makes one digest for each contact, however many messages are held", async () => {
  const [address, other] = [newAddress(), newAddress()];
  const { companyId, persona, run, messages, passUntil } = await office({ email: contact(address) });
  const second = await createPersona(companyId, { language: "english", email: contact(other) });
  const db = companyDb(env, "first-primary");
  const held = [persona, second].flatMap(({ id: personaId, email }) =>
    Array.from({ length: 1100 }, (_, i) => {
      const base = { companyId, kind: "alert_opened" as const, params: alert({ machineName: `Press ${i}` }), incidentId: "i1" };
      const row = messageOf(
        { ...base, now: TEN + i, channel: "email", contactId: email.id, personaId, dueAt: TEN + HOUR },
        `i${i}`,
      );
      return { ...row, status: "held" as const };
    }),
  );
  for (const statement of insertMessages(db, held)) await statement;
  passUntil(TEN + HOUR);
  await Promise.all([run(), run()]);
  for (const one of [address, other]) {
    const mails = await mailsTo(one);
    expect(mails.map(({ subject }) => subject)).toEqual(["1100 messages"]);
    expect(mails[0]?.text).toMatch(/Press 0: [\s\S]*Press 19: [\s\S]*and 1080 more/);
  }
  const statuses = (await messages()).map(({ status }) => status);
  expect(statuses.filter((status) => status === "digested")).toHaveLength(2200);
});

it("hanging receivers of one company do not delay messages of another", async () => {
  const hanging = await office({ sms: contact("+34600111223") });
  const address = newAddress();
  const good = await office({ email: contact(address) });
  for (let i = 0; i < 15; i++) await hanging.tell(`i${i}:opened`);
  await good.tell("i1:opened");
  const { fetch } = globalThis;
  const answering = Promise.withResolvers<void>();
  const calls = vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    if (String(input).includes("/2010-04-01/")) await answering.promise;
    return await fetch(input, init);
  });
  const background: Promise<unknown>[] = [];
  for (const { companyId } of [hanging, good]) {
    const message = { body: { companyId }, attempts: 1, ack: vi.fn(), retry: vi.fn() };
    const batch = { queue: "andon-messages", messages: [message] } as unknown as MessageBatch;
    await consume(batch, on, { waitUntil: (work) => background.push(work) });
    expect(message.ack).toHaveBeenCalled();
  }
  await eventually(async () => expect((await good.messages())[0]?.status).toBe("sent"));
  expect(await mailsTo(address)).toHaveLength(1);
  expect(new Set((await hanging.messages()).map(({ status }) => status))).toEqual(new Set(["pending"]));
  answering.resolve();
  await Promise.all(background);
  calls.mockRestore();
  expect(new Set((await hanging.messages()).map(({ status }) => status))).toEqual(new Set(["sent"]));
});
