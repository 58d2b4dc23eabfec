import { env } from "cloudflare:workers";
import { createHmac } from "node:crypto";
import { drizzle } from "drizzle-orm/d1";
import { describe, expect, it, vi } from "vitest";
import { findReportMail } from "../../src/channels/report-mail.ts";
import { seal } from "../../src/core/cipher.ts";
import { companyDb } from "../../src/db/client.ts";
import { webhookSubscriptions } from "../../src/db/schema.ts";
import { insertEvents } from "../../src/events/queries.ts";
import { dispatchEvents } from "../../src/jobs/dispatch-events.ts";
import { runDueReport } from "../../src/jobs/run-report.ts";
import { scheduleDueReports } from "../../src/jobs/schedule-due-reports.ts";
import { call } from "../support/call.ts";
import { DAY, HOUR, MINUTE, NOON, stopClockAtNoon } from "../support/clock.ts";
import {
  createCompany,
  createHeldEntry,
  createLine,
  createMachine,
  createPersona,
  createShift,
  createShiftPart,
  createShiftRecord,
  createStopCause,
  createStopSlice,
  createSubscription,
  createUser,
} from "../support/factories.ts";
import { changed } from "../support/service.ts";

stopClockAtNoon();

const WEEK = 7 * DAY;
const all = async <T>(sql: string, ...values: unknown[]) =>
  (
    await env.DB_0.prepare(sql)
      .bind(...values)
      .all<T>()
  ).results;
type Log = {
  id: string;
  status: string;
  detail: string;
  shift_title: string;
  next_attempt_at: number | null;
  period_start: number;
  period_end: number;
};
const logsOf = (id: string) => all<Log>("SELECT * FROM subscription_logs WHERE subscription_id = ? ORDER BY execute_at, id", id);
const messagesOf = (companyId: number) =>
  all<{ id: string; address: string; kind: string; params: string }>(
    "SELECT * FROM messages WHERE company_id = ? AND channel = 'email' ORDER BY address",
    companyId,
  );

/** The shift from 03:00 to 11:00 on the day of the test's noon, or some days before. */
const shiftOn = (daysBefore = 0) => ({ start: NOON - 9 * HOUR - daysBefore * DAY, end: NOON - HOUR - daysBefore * DAY });

interface Ran {
  companyId: number;
  id: number;
}

/** Publishes a shift as a machine's object does: it was stopped for the second half of each hour. */
async function publish(machine: Ran, shiftId: number, { start, end }: { start: number; end: number }, good = 100, open = false) {
  const { companyId, id: machineId } = machine;
  const own = { companyId, machineId, shiftId };
  const sums = { availableMs: 30 * MINUTE, nonProgrammedMs: 30 * MINUTE, cycles: good, totalUnits: good, idealMs: 24 * MINUTE };
  for (let at = start; at < end; at += HOUR) {
    const part = { startAt: at, endAt: at + HOUR, hourStart: at, asOf: at + HOUR, openBucket: null };
    await createShiftPart({ ...own, shiftStart: start, shiftEnd: end, ...part }, sums);
    await createStopSlice({ ...own, shiftStart: start, shiftEnd: end, sliceStart: at + 30 * MINUTE, sliceEnd: at + HOUR });
  }
  const hours = (end - start) / HOUR;
  const times = { availableMs: hours * 30 * MINUTE, nonProgrammedMs: hours * 30 * MINUTE };
  await createShiftRecord({ ...own, startAt: start, endAt: end }, { ...times, openBucket: open ? "available" : null });
}

/** Reports that machines closed a shift. */
async function close(machines: readonly Ran[], shiftId: number, { start, end }: { start: number; end: number }) {
  const iso = (at: number) => new Date(at).toISOString();
  const recordOf = async (machineId: number) =>
    (await all<{ id: number }>("SELECT id FROM shift_records WHERE machine_id = ? AND start_at = ?", machineId, start))[0]?.id ??
    0;
  const rows = machines.map(async ({ id, companyId }) => ({
    ...{ id: `closed-${id}-${start}-${crypto.randomUUID()}`, companyId, machineId: id, type: "shift.closed" as const, at: end },
    data: { machineId: id, recordId: await recordOf(id), shiftId, shiftName: null, since: iso(start), until: iso(end) },
  }));
  await insertEvents(companyDb(env), await Promise.all(rows), Date.now());
  await dispatchEvents(env, machines[0]?.companyId ?? 0, Date.now());
}

async function newPlant(timezone = "UTC") {
  const { companyId } = await createCompany({ timezone });
  const shift = await createShift(companyId, { name: "Early", start: "03:00", end: "11:00" });
  const { lineId } = await createLine(companyId, { name: "Hall 1" });
  const press = await createMachine(companyId, { name: 'Press <b>"1"</b> & co', lineId, standardCycleSeconds: 12 });
  const saw = await createMachine(companyId, { name: "Saw" });
  const { token } = await createUser(companyId, "admin");
  return { companyId, shiftId: shift.shiftId, lineId, press, saw, token };
}

const active = { isActive: true, addresses: ["lead@example.test"] };

describe("a report after each shift", () => {
  it("runs once however many machines close the shift, only in its scope, and mails each address once", async () => {
    const { companyId, shiftId, lineId, press, saw, token } = await newPlant();
    const contact = { id: "c", value: "Lead@example.test", isActive: true, reference: "" };
    const persona = await createPersona(companyId, { email: contact });
    const silent = await createPersona(companyId);
    const ofAll = await createSubscription(companyId, {
      ...active,
      personaIds: [persona.id, silent.id],
      addresses: ["lead@example.test", "boss@example.test"],
    });
    const ofLine = await createSubscription(companyId, { ...active, lineIds: [lineId] });
    const ofOther = await createSubscription(companyId, { ...active, machineIds: [saw.id], shiftIds: [2 ** 40] });
    const inactive = await createSubscription(companyId, { ...active, isActive: false });
    const shift = shiftOn();
    for (const machine of [press, saw]) await publish(machine, shiftId, shift);
    await close([press], shiftId, shift);
    await close([saw], shiftId, shift);
    await close([press, saw], shiftId, shift);
    const [log, ...others] = await logsOf(ofAll.id);
    expect(others).toEqual([]);
    expect(log).toMatchObject({ status: "scheduled", shift_title: "Early", period_start: shift.start });
    expect(await logsOf(ofLine.id)).toHaveLength(1);
    for (const { id } of [ofOther, inactive]) expect(await logsOf(id)).toEqual([]);

    const id = log?.id ?? "";
    await runDueReport(env, id, NOON);
    expect((await logsOf(ofAll.id))[0]).toMatchObject({ status: "scheduled", detail: "" });
    await Promise.all([NOON + MINUTE, NOON + MINUTE, NOON + MINUTE].map((now) => runDueReport(env, id, now)));
    const done = (await call("GET", `/subscriptions/${ofAll.id}/logs`, { token })).body;
    expect(done).toMatchObject([
      { status: "succeeded", detail: "Mailed to 2 addresses; 1 persona has no active e-mail contact", shiftTitle: "Early" },
    ]);
    const messages = await messagesOf(companyId);
    expect(messages.map(({ address }) => address.toLowerCase())).toEqual(
      expect.arrayContaining(["boss@example.test", "lead@example.test"]),
    );
    expect(messages).toHaveLength(2);
    await runDueReport(env, id, NOON + HOUR);
    expect(await messagesOf(companyId)).toHaveLength(2);
  });

  it("waits for the end of the shift if a machine is decommissioned earlier", async () => {
    const { companyId, shiftId, press, saw } = await newPlant();
    const { id } = await createSubscription(companyId, active);
    const shift = shiftOn();
    for (const machine of [press, saw]) await publish(machine, shiftId, shift);
    await close([press], shiftId, { ...shift, end: shift.end - 3 * HOUR });
    expect(await logsOf(id)).toEqual([]);
    await close([saw], shiftId, shift);
    expect(await logsOf(id)).toMatchObject([{ status: "scheduled", period_start: shift.start, period_end: shift.end }]);
  });

  it("compares the shift with a week before, escapes names, and attaches the numbers", async () => {
    const { companyId, shiftId, press } = await newPlant();
    const cause = await createStopCause(companyId, { name: "Jam" });
    await publish(press, shiftId, shiftOn(), 100);
    await publish(press, shiftId, shiftOn(7), 80);
    await env.DB_0.prepare(
      "UPDATE stops SET general_cause_id = ?, classification_id = 1 WHERE machine_id = ? AND slice_start = ?",
    )
      .bind(cause.causeId, press.id, shiftOn().start + 30 * MINUTE)
      .run();
    const subscription = await createSubscription(companyId, { ...active, name: "<i>Hall</i>", language: "es" });
    await close([press], shiftId, shiftOn());
    // A stop that counts as none is listed, and its time counts.
    await env.DB_0.prepare(
      "UPDATE stops SET is_included_in_stops = 0 WHERE id = (SELECT max(id) FROM stops WHERE machine_id = ? AND start_at >= ?)",
    )
      .bind(press.id, shiftOn().start)
      .run();
    const [log] = await logsOf(subscription.id);
    await runDueReport(env, log?.id ?? "", NOON + MINUTE);
    const mail = await findReportMail(companyDb(env), log?.id ?? "");
    if (!mail) throw new Error("no mail");
    // 240 of 480 minutes available, 192 of them ideal: 50 % x 80 %.
    expect(mail.subject).toBe("Early, mié, 16 may, 03:00–11:00: OEE 40,0 % – <i>Hall</i>");
    expect(mail.text).toContain("OEE: 40,0 % (como la semana pasada)");
    expect(mail.text).toContain("Unidades buenas: 800 (+25 % frente a la semana pasada)");
    expect(mail.text).toContain("Paro: 4:00 h (como la semana pasada)");
    expect(mail.text).toContain('Press <b>"1"</b> & co: Jam');
    expect(mail.html).toContain("Press &#60;b&#62;&#34;1&#34;&#60;/b&#62; &#38; co");
    expect(mail.html).not.toMatch(/<i>|<b>"|<script|<img|src=|url\(/);
    expect(mail.html).toContain('lang="es"');
    const [summary, stops] = mail.attachments;
    expect(summary?.name).toBe("resumen-2040-05-16.csv");
    const [head, row] = (summary?.content ?? "").split("\r\n");
    expect(head?.charCodeAt(0)).toBe(0xfeff);
    const cells = Object.fromEntries(
      (head ?? "")
        .slice(1)
        .split(";")
        .map((name, i) => [name, i]),
    );
    const values = (row ?? "").match(/("([^"]|"")*"|[^;]*)(;|$)/g)?.map((cell) => cell.replace(/;$/, "")) ?? [];
    expect(values[cells["line.name"] ?? 0]).toBe("Hall 1");
    expect([values[cells.oee ?? 0], values[cells.correct ?? 0], values[cells.stopCount ?? 0]]).toEqual(["40", "800", "7"]);
    expect(stops?.content.trim().split("\r\n")).toHaveLength(9);
    expect(stops?.content).toContain("2040-05-16T03:30:00+00:00;2040-05-16T04:00:00+00:00;30;");
  });

  it("marks machines whose numbers are not plausible", async () => {
    const { companyId, shiftId, press, saw } = await newPlant();
    for (const machine of [press, { ...saw, companyId }]) await publish(machine, shiftId, shiftOn());
    // It made twice as much as fits into its running time.
    await env.DB_0.prepare("UPDATE shift_parts SET ideal_ms = 2 * available_ms WHERE machine_id = ?").bind(saw.id).run();
    const subscription = await createSubscription(companyId, { ...active });
    await close([press, saw], shiftId, shiftOn());
    const [log] = await logsOf(subscription.id);
    await runDueReport(env, log?.id ?? "", NOON + MINUTE);
    const mail = await findReportMail(companyDb(env), log?.id ?? "");
    const lines = mail?.text.split("\n") ?? [];
    const marked = lines.filter((line) => line.includes("not plausible: more was made than fits into the running time"));
    // 50 % of the time it ran, at twice its speed.
    expect(marked).toEqual([expect.stringContaining("OEE 100.0 %")]);
    expect(mail?.html).toContain("not plausible");
  });

  it.each([
    ["en", "Held back, and in no figure until an admin decides", "999,999,999 units", "1 more"],
    ["es", "Retenido, y en ninguna cifra hasta que decida un administrador", "999.999.999 unidades", "1 más"],
  ] as const)("says which counts are held, in %s", async (language, sentence, units, more) => {
    const { companyId, shiftId, lineId, press, saw } = await newPlant();
    const others = [await createMachine(companyId, { name: "Lathe" }), await createMachine(companyId, { name: "Drill" })];
    const ofOtherLine = await createMachine(companyId, { name: "Mill" });
    await env.DB_0.prepare("UPDATE machines SET line_id = ? WHERE company_id = ? AND id != ?")
      .bind(lineId, companyId, ofOtherLine.id)
      .run();
    const machines = [press, saw, ...others, ofOtherLine];
    for (const machine of machines) await publish(machine, shiftId, shiftOn());
    const { start, end } = shiftOn();
    const hold = (id: number, units: number, first: number, last: number) =>
      createHeldEntry({ companyId, machineId: id }, { units, first, last });
    await hold(press.id, 999_999_999, start - HOUR, start);
    await hold(saw.id, 3000, end - 1, end + HOUR);
    await hold(others[0]?.id ?? 0, 2000, start + HOUR, start + HOUR);
    await hold(others[1]?.id ?? 0, 1500, start + HOUR, start + HOUR);
    // Outside the report: another line, and other times of the day.
    await hold(ofOtherLine.id, 5000, start + HOUR, start + HOUR);
    await hold(saw.id, 70_000, start - 2 * HOUR, start - HOUR);
    const subscription = await createSubscription(companyId, { ...active, language, lineIds: [lineId] });
    await close(machines, shiftId, shiftOn());
    const [log] = await logsOf(subscription.id);
    await runDueReport(env, log?.id ?? "", NOON + MINUTE);
    const mail = await findReportMail(companyDb(env), log?.id ?? "");
    const [held, ...rest] = (mail?.text.split("\n") ?? []).filter((line) => line.includes(sentence));
    expect(rest).toEqual([]);
    expect(held).toMatch(
      new RegExp(`: Press <b>"1"</b> & co \\(${units}\\), Saw \\(3[.,]000 .*\\), Lathe \\(2[.,]000 .*\\), ${more}\\.$`),
    );
    expect(mail?.html).toContain(`${sentence} (/v1/held-events)`);
    expect(mail?.html).toContain("Press &#60;b&#62;");
  });

  it("says nothing of held counts where there are none", async () => {
    const { companyId, shiftId, press } = await newPlant();
    await publish(press, shiftId, shiftOn());
    const subscription = await createSubscription(companyId, { ...active });
    await close([press], shiftId, shiftOn());
    const [log] = await logsOf(subscription.id);
    await runDueReport(env, log?.id ?? "", NOON + MINUTE);
    const mail = await findReportMail(companyDb(env), log?.id ?? "");
    expect(mail?.text).toContain("OEE");
    expect(`${mail?.text} ${mail?.html}`).not.toContain("Held");
  });

  it("waits for machines that have not closed the shift, but at most ten minutes", async () => {
    const { companyId, shiftId, press, saw } = await newPlant();
    const shift = { start: NOON - 8 * HOUR, end: NOON };
    await publish(press, shiftId, shift);
    await publish(saw, shiftId, shift, 100, true);
    const patient = await createSubscription(companyId, active);
    const ofOne = await createSubscription(companyId, { ...active, machineIds: [press.id] });
    await close([press], shiftId, shift);
    const [waiting] = await logsOf(patient.id);
    const [own] = await logsOf(ofOne.id);
    for (const minute of [1, 3, 5, 7, 9]) await runDueReport(env, waiting?.id ?? "", NOON + minute * MINUTE);
    await runDueReport(env, own?.id ?? "", NOON + MINUTE);
    expect((await logsOf(ofOne.id))[0]?.status).toBe("succeeded");
    expect((await logsOf(patient.id))[0]).toMatchObject({ status: "scheduled", detail: "Waits for machines to close the shift" });
    await env.DB_0.prepare("UPDATE shift_records SET open_bucket = NULL WHERE machine_id = ?").bind(saw.id).run();
    await runDueReport(env, waiting?.id ?? "", NOON + 9.6 * MINUTE);
    expect((await logsOf(patient.id))[0]?.status).toBe("succeeded");

    const impatient = await createSubscription(companyId, active);
    await env.DB_0.prepare("UPDATE shift_records SET open_bucket = 'available' WHERE machine_id = ?").bind(saw.id).run();
    await close([press], shiftId, shift);
    const [late] = await logsOf(impatient.id);
    await runDueReport(env, late?.id ?? "", NOON + 10 * MINUTE);
    expect((await logsOf(impatient.id))[0]?.status).toBe("succeeded");
  });

  it("covers only the newest missed shift after the service was down", async () => {
    const { companyId, shiftId, press } = await newPlant();
    const subscription = await createSubscription(companyId, active);
    for (const days of [2, 1, 0]) await publish(press, shiftId, shiftOn(days));
    await close([press], shiftId, shiftOn(30));
    for (const days of [2, 1, 0]) await close([press], shiftId, shiftOn(days));
    for (const { id } of await logsOf(subscription.id)) await runDueReport(env, id, NOON + MINUTE);
    const missed = { status: "skipped", detail: "It was missed, and a newer period is reported instead" };
    expect(await logsOf(subscription.id)).toMatchObject([missed, missed, { status: "succeeded" }]);
    expect(await messagesOf(companyId)).toHaveLength(1);
  });

  it("logs why it is skipped", async () => {
    const { companyId, shiftId, press } = await newPlant();
    const persona = await createPersona(companyId);
    const nobody = await createSubscription(companyId, { isActive: true, personaIds: [persona.id] });
    const nothing = await createSubscription(companyId, active);
    const gone = await createSubscription(companyId, active);
    await close([press], shiftId, shiftOn());
    await env.DB_0.prepare("UPDATE report_subscriptions SET deleted_at = 1 WHERE id = ?").bind(gone.id).run();
    for (const { id } of [nobody, nothing, gone]) {
      const [log] = await logsOf(id);
      await runDueReport(env, log?.id ?? "", NOON + MINUTE);
    }
    const detailOf = async (id: string) => (await logsOf(id)).map(({ status, detail }) => `${status}: ${detail}`);
    expect(await detailOf(nobody.id)).toEqual(["skipped: There is nobody to send it to; 1 persona has no active e-mail contact"]);
    expect(await detailOf(nothing.id)).toEqual(["skipped: Nothing was scheduled to run"]);
    expect(await detailOf(gone.id)).toEqual(["skipped: The subscription was deleted"]);
  });

  it("is retried when it fails, and sends the contents that were made first", async () => {
    const { companyId, shiftId, press } = await newPlant();
    const subscription = await createSubscription(companyId, active);
    await publish(press, shiftId, shiftOn());
    await close([press], shiftId, shiftOn());
    const [log] = await logsOf(subscription.id);
    const id = log?.id ?? "";
    const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
    await env.DB_0.exec("CREATE TRIGGER no_contents BEFORE INSERT ON report_contents BEGIN SELECT RAISE(ABORT, 'full'); END");
    await runDueReport(env, id, NOON + MINUTE);
    expect(await messagesOf(companyId)).toEqual([]);
    expect((await logsOf(subscription.id))[0]).toMatchObject({
      status: "scheduled",
      detail: "The report could not be made: an error of the service. It is tried again",
      next_attempt_at: NOON + 2 * MINUTE,
    });
    for (let hour = 1; hour < 30; hour += 5) await runDueReport(env, id, NOON + hour * HOUR);
    expect((await logsOf(subscription.id))[0]).toMatchObject({ status: "failed", next_attempt_at: null });
    await env.DB_0.exec("DROP TRIGGER no_contents");
    expect(logged).toHaveBeenCalled();
    logged.mockRestore();

    // A process that died after storing the mail: the next one finds its lease expired.
    await env.DB_0.prepare("UPDATE subscription_logs SET status = 'running', attempts = 1, next_attempt_at = ? WHERE id = ?")
      .bind(NOON, id)
      .run();
    await runDueReport(env, id, NOON + 2 * MINUTE);
    const first = await findReportMail(companyDb(env), id);
    await env.DB_0.prepare("UPDATE subscription_logs SET status = 'running', attempts = 1, next_attempt_at = ? WHERE id = ?")
      .bind(NOON, id)
      .run();
    await env.DB_0.prepare("UPDATE shift_parts SET total_units = 1 WHERE machine_id = ?").bind(press.id).run();
    await runDueReport(env, id, NOON + 5 * MINUTE);
    expect(await findReportMail(companyDb(env), id)).toEqual(first);
    expect(await messagesOf(companyId)).toHaveLength(1);
    expect((await logsOf(subscription.id))[0]?.status).toBe("succeeded");
  });
});

describe("a report to webhooks", () => {
  const secret = Buffer.alloc(32, 3).toString("base64");
  const local = { ...env, ALLOW_LOOPBACK: "on" } as Env;

  async function newReceiver(companyId: number, answers: number[]) {
    const id = crypto.randomUUID();
    const stamps = { createdAt: NOON, updatedAt: NOON };
    const sealedSecret = await seal(env, ["webhook_subscriptions.sealed_secret", id], `whsec_${secret}`);
    const row = { id, companyId, url: `http://localhost:9/${id}`, isActive: true, description: "", sealedSecret, ...stamps };
    await drizzle(env.DB_0).insert(webhookSubscriptions).values(row);
    return { id, answers };
  }

  it("calls each once, signed, with the log's id, and retries only those that failed", async () => {
    const { companyId, shiftId, press } = await newPlant();
    await publish(press, shiftId, shiftOn());
    const receivers = [
      await newReceiver(companyId, [200]),
      await newReceiver(companyId, [500, 500, 204]),
      await newReceiver(companyId, []),
    ];
    const gone = receivers[2]?.id ?? "";
    await env.DB_0.prepare("UPDATE webhook_subscriptions SET ended_at = 1 WHERE id = ?").bind(gone).run();
    const calls: { url: string; headers: Headers; body: string }[] = [];
    const spy = vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
      const request = new Request(input as string | URL, init as RequestInit);
      calls.push({ url: request.url, headers: request.headers, body: await request.text() });
      const receiver = receivers.find(({ id }) => request.url.endsWith(id));
      return new Response(null, { status: receiver?.answers.shift() ?? 599 });
    });
    const subscription = await createSubscription(companyId, {
      isActive: true,
      webhookSubscriptionIds: receivers.map(({ id }) => id),
    });
    await close([press], shiftId, shiftOn());
    const [log] = await logsOf(subscription.id);
    const id = log?.id ?? "";
    await runDueReport(local, id, NOON + MINUTE);
    expect((await logsOf(subscription.id))[0]).toMatchObject({
      status: "scheduled",
      detail:
        "1 webhook called; the webhook at localhost:9 answered 500; 1 webhook subscription is not active. It is tried again",
    });
    await env.DB_0.prepare("UPDATE shift_parts SET total_units = 1 WHERE machine_id = ?").bind(press.id).run();
    for (const minute of [3, 10, 30, 60]) await runDueReport(local, id, NOON + minute * MINUTE);
    spy.mockRestore();
    expect((await logsOf(subscription.id))[0]).toMatchObject({
      status: "succeeded",
      detail: "2 webhooks called; 1 webhook subscription is not active",
    });
    const callsOf = (n: number) => calls.filter(({ url }) => url.endsWith(receivers[n]?.id ?? "none")).length;
    expect([callsOf(0), callsOf(1), callsOf(2)]).toEqual([1, 3, 0]);
    expect(new Set(calls.map(({ body }) => body)).size).toBe(1);
    for (const { headers, body } of calls) {
      expect(headers.get("webhook-id")).toBe(id);
      const signed = `${id}.${headers.get("webhook-timestamp")}.${body}`;
      const signature = createHmac("sha256", Buffer.from(secret, "base64")).update(signed).digest("base64");
      expect(headers.get("webhook-signature")).toBe(`v1,${signature}`);
    }
    expect(JSON.parse(calls[0]?.body ?? "")).toMatchObject({
      ...{ id, type: "report", url: null },
      data: {
        ...{
          subscriptionId: subscription.id,
          kind: "shift",
          shiftId,
          shiftName: "Early",
          lastWeek: null,
          unclassifiedShare: 100,
        },
        total: { oee: 40, correct: 800, unavailableTime: 240 },
        machines: [{ machineId: press.id, lineName: "Hall 1", stopCount: 8 }],
        stops: { length: 5 },
      },
    });
  });
});

describe("daily and weekly reports", () => {
  const daily = { ...active, kind: "daily" as const, time: "11:00" };

  it("run when they are due, once, and are due again the next day", async () => {
    const { companyId, shiftId, press } = await newPlant();
    await publish(press, shiftId, shiftOn(1));
    const due = await createSubscription(companyId, { ...daily, nextRunAt: NOON - HOUR });
    const later = await createSubscription(companyId, { ...daily, nextRunAt: NOON + HOUR });
    await Promise.all([scheduleDueReports(env, NOON), scheduleDueReports(env, NOON)]);
    const logs = await logsOf(due.id);
    expect(logs).toMatchObject([{ shift_title: "2040-05-15" }]);
    expect(await logsOf(later.id)).toEqual([]);
    await runDueReport(env, logs[0]?.id ?? "", NOON + MINUTE);
    expect((await logsOf(due.id))[0]).toMatchObject({ status: "succeeded" });
    const [row] = await all<{ next_run_at: number }>("SELECT next_run_at FROM report_subscriptions WHERE id = ?", due.id);
    expect(row?.next_run_at).toBe(NOON + 23 * HOUR);
    const mail = await findReportMail(companyDb(env), logs[0]?.id ?? "");
    expect(mail?.subject).toContain("Tuesday, 15 May 2040: OEE 40.0 %");
  });

  it("run even if the next time of another report cannot be computed", async () => {
    const { companyId: broken } = await createCompany({ timezone: "Nowhere/Nowhere" });
    await createSubscription(broken, { ...daily, nextRunAt: NOON - 2 * HOUR });
    const { companyId } = await createCompany();
    const { id } = await createSubscription(companyId, { ...daily, nextRunAt: NOON - HOUR });
    await expect(scheduleDueReports(env, NOON)).rejects.toThrow("time zone");
    expect(await logsOf(id)).toHaveLength(1);
    await env.DB_0.prepare("UPDATE companies SET timezone = 'UTC' WHERE id = ?").bind(broken).run();
  });

  it("are left out of a run that read them before someone changed them", async () => {
    const { companyId } = await createCompany();
    const { id, updatedAt } = await createSubscription(companyId, { ...daily, nextRunAt: NOON - HOUR });
    const other = await createSubscription(companyId, { ...daily, nextRunAt: NOON - HOUR });
    const withSession = (start: string) => {
      const session = env.DB_0.withSession(start);
      const batch = async (statements: D1PreparedStatement[]) => {
        await env.DB_0.prepare("UPDATE report_subscriptions SET updated_at = ? WHERE id = ?")
          .bind(updatedAt + 1, id)
          .run();
        return await session.batch(statements);
      };
      return { prepare: (text: string) => session.prepare(text), batch, getBookmark: () => session.getBookmark() };
    };
    await scheduleDueReports({ ...env, DB_0: changed(env.DB_0, { withSession }) }, NOON);
    expect([await logsOf(id), (await logsOf(other.id)).length]).toEqual([[], 1]);
    await scheduleDueReports(env, NOON);
    expect(await logsOf(id)).toHaveLength(1);
  });

  it("cover only the newest missed period after the service was down", async () => {
    const { companyId, shiftId, press } = await newPlant();
    await publish(press, shiftId, shiftOn(1));
    const { id } = await createSubscription(companyId, { ...daily, nextRunAt: NOON - HOUR - 3 * DAY });
    await scheduleDueReports(env, NOON);
    const logs = await logsOf(id);
    const missed = { status: "skipped", detail: "It was missed, and a newer period is reported instead", next_attempt_at: null };
    expect(logs.map(({ shift_title }) => shift_title)).toEqual(["2040-05-12", "2040-05-13", "2040-05-14", "2040-05-15"]);
    expect(logs.slice(0, 3)).toMatchObject([missed, missed, missed]);
    await runDueReport(env, logs[3]?.id ?? "", NOON + MINUTE);
    expect((await logsOf(id))[3]).toMatchObject({ status: "succeeded" });
    await scheduleDueReports(env, NOON + MINUTE);
    expect(await logsOf(id)).toHaveLength(4);
  });

  it("compare the last seven days with the seven days before, if weekly", async () => {
    const { companyId, shiftId, press } = await newPlant();
    for (const days of [1, 7, 8]) await publish(press, shiftId, shiftOn(days), days === 8 ? 50 : 100);
    const weekly = { ...active, kind: "weekly" as const, time: "11:00", weekdays: ["wednesday" as const] };
    const { id } = await createSubscription(companyId, { ...weekly, nextRunAt: NOON - HOUR });
    await scheduleDueReports(env, NOON);
    const [log] = await logsOf(id);
    await runDueReport(env, log?.id ?? "", NOON + MINUTE);
    const mail = await findReportMail(companyDb(env), log?.id ?? "");
    expect(mail?.text).toContain("Good units: 1,600 (+300 % on last week)");
    const [row] = await all<{ next_run_at: number }>("SELECT next_run_at FROM report_subscriptions WHERE id = ?", id);
    expect(row?.next_run_at).toBe(NOON - HOUR + WEEK);
  });

  it("run at their time in the company's time zone, even after it changes", async () => {
    const { companyId, token } = await newPlant("America/New_York");
    const body = { name: "Report", kind: "daily", time: "09:30", addresses: ["lead@example.test"] };
    const made = (await call("POST", "/v1/report-subscriptions", { token, body })).body;
    expect(made.nextRunAt).toBe("2040-05-16T13:30:00.000Z");
    const changed = await call("PATCH", `/v1/companies/${companyId}`, { token, body: { timezone: "Asia/Tokyo" } });
    expect(changed.status).toBe(200);
    await scheduleDueReports(env, Date.now());
    expect((await call("GET", `/v1/report-subscriptions/${made.id}`, { token })).body.nextRunAt).toBe("2040-05-17T00:30:00.000Z");
    expect(await logsOf(made.id)).toEqual([]);
    const off = await call("PATCH", `/v1/report-subscriptions/${made.id}`, { token, body: { isActive: false } });
    expect(off.body.nextRunAt).toBeNull();
  });
});
