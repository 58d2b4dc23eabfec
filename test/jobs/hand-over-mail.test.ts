import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, inject, it, vi } from "vitest";
import type { Mail } from "../../scripts/mailbox.ts";
import service from "../../src/index.ts";
import { runDueReport } from "../../src/jobs/run-report.ts";
import type { Receivers } from "../receivers.ts";
import { call } from "../support/call.ts";
import { HOUR, MINUTE, NOON, stopClockAtNoon } from "../support/clock.ts";
import {
  createCompany,
  createHandOver,
  createLine,
  createMachine,
  createShift,
  createShiftPart,
  createShiftRecord,
  createSubscription,
  createUser,
} from "../support/factories.ts";

// What a shift hands over, in the mail of its report, as a mail server gets it.

stopClockAtNoon();

const receivers = inject("receivers" as never) as Receivers;
const on = {
  ...env,
  PUBLIC_URL: "https://andon.example",
  MAIL_FROM: "Andon <andon@plant.example>",
  SMTP_URL: `smtp://localhost:${receivers.smtpPort}`,
} as Env;
/** The shift that ended an hour ago, in a zone in which it began on another date than in UTC. */
const timezone = "Pacific/Honolulu";
const [start, end] = [NOON - 9 * HOUR, NOON - HOUR];
const date = new Intl.DateTimeFormat("sv", { timeZone: timezone }).format(start);

/** A plant of two lines, whose shift is over. `mailOf` sends the report of a subscription, and returns what arrives. */
async function newPlant() {
  const { companyId } = await createCompany({ timezone });
  const { shiftId } = await createShift(companyId, { name: "Early" });
  const { userId, token } = await createUser(companyId, "admin");
  const lines = [await createLine(companyId, { name: "Hall <1>" }), await createLine(companyId, { name: "Hall 2" })] as const;
  const machineIds: number[] = [];
  for (const { lineId } of lines) {
    const { id: machineId } = await createMachine(companyId, { lineId });
    machineIds.push(machineId);
    const sums = { availableMs: 8 * HOUR, cycles: 5, totalUnits: 5 };
    const of = { companyId, machineId, shiftId };
    const part = { startAt: start, endAt: end, hourStart: start, asOf: end, openBucket: null };
    await createShiftPart({ ...of, shiftStart: start, shiftEnd: end, ...part }, sums);
    await createShiftRecord({ ...of, startAt: start, endAt: end }, { ...sums, openBucket: null });
  }
  let runs = 0;
  const mailOf = async (options: Parameters<typeof createSubscription>[1] = {}) => {
    const address = `${crypto.randomUUID().slice(0, 8)}@plant.example`;
    const { id } = await createSubscription(companyId, { isActive: true, addresses: [address], ...options });
    vi.setSystemTime(NOON + ++runs * MINUTE);
    const { body: log } = await call("POST", `/v1/report-subscriptions/${id}/run`, { token });
    await runDueReport(on, log.id, Date.now());
    const batch = createMessageBatch("andon-messages", [
      { id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body: { companyId } },
    ]);
    const context = createExecutionContext();
    await service.queue(batch, on, context);
    await getQueueResult(batch, context);
    const mails = (await (await fetch(receivers.mailsUrl)).json<Mail[]>()).filter(({ to }) => to === address);
    expect(mails).toHaveLength(1);
    return mails[0] as Mail;
  };
  const write = (lineId: number, options: object = {}) =>
    createHandOver({ companyId, shiftId, date }, userId, { lineId, shiftStart: start, shiftEnd: end, ...options });
  return { companyId, shiftId, userId, lines, machineIds, mailOf, write };
}

it("has the notes, what to watch, and a link, in HTML and as text", async () => {
  const { shiftId, userId, mailOf, write } = await newPlant();
  const notes = { safety: "Near miss <at> the door", quality: "Flash on cavity 12.\nSorted by hand.", people: null, other: null };
  await write(0, { notes, watch: ["Tool back at 16:00", "Roll 4 & 5 in bay 3"], writtenByName: "Inés Lozano" });
  const { text, html } = await mailOf();
  const url = `https://andon.example/desk/handover?day=${date}&shift=${shiftId}`;
  expect(text).toContain(
    [
      "HAND-OVER",
      "Written by Inés Lozano · nobody has acknowledged it",
      "Safety: Near miss <at> the door",
      "Quality: Flash on cavity 12.",
      "  Sorted by hand.",
      "To watch:",
      "- Tool back at 16:00",
      "- Roll 4 & 5 in bay 3",
      `Open the hand-over: ${url}`,
    ].join("\n"),
  );
  expect(text).not.toContain("People:");
  expect(html).toContain("Near miss &#60;at&#62; the door");
  expect(html).toContain("Flash on cavity 12.<br>Sorted by hand.");
  expect(html).toContain("Roll 4 &#38; 5 in bay 3</li>");
  expect(html).toContain(`href="${url.replaceAll("&", "&#38;")}"`);

  await env.DB_0.prepare("UPDATE hand_overs SET acknowledged_at = ?, acknowledged_by_name = ? WHERE written_by = ?")
    .bind(NOON, "Javier Soto", userId)
    .run();
  const spanish = await mailOf({ language: "es" });
  expect(spanish.text).toContain("RELEVO\nEscrito por Inés Lozano · confirmado por Javier Soto\nSeguridad: Near miss");
});

it("is about the lines of the report, and only about its shift", async () => {
  const { companyId, shiftId, userId, lines, machineIds, mailOf, write } = await newPlant();
  const [first, second] = lines;
  const note = (quality: string) => ({ notes: { safety: null, quality, people: null, other: null } });
  await write(0, note("of all"));
  await write(first.lineId, note("of the first"));
  await write(second.lineId, note("of the second"));
  await createHandOver({ companyId, shiftId, date: "2040-05-01" }, userId, note("of another day"));
  const other = await createShift(companyId, { name: "Late" });
  await createHandOver({ companyId, shiftId: other.shiftId, date }, userId, note("of another shift"));
  const found = ({ text = "" }: Mail) => text.match(/of (all|the first|the second|another \w+)$/gm);
  const all = await mailOf();
  expect(found(all)).toEqual(["of all", "of the first", "of the second"]);
  expect(all.text).toContain("HAND-OVER: HALL <1>");
  expect(all.text).toContain(`&line=${first.lineId}&shift=${shiftId}`);
  expect(found(await mailOf({ lineIds: [second.lineId] }))).toEqual(["of all", "of the second"]);
  expect(found(await mailOf({ machineIds: machineIds.slice(0, 1) }))).toEqual(["of all", "of the first"]);
  expect(found(await mailOf({ kind: "daily", time: "06:30" }))).toBeNull();
});

it("says so if more lines have handed over than it shows, and says nothing if nobody has", async () => {
  const { companyId, mailOf, write } = await newPlant();
  expect((await mailOf()).text).not.toMatch(/HAND-OVER/);
  for (let i = 0; i < 6; i++) await write((await createLine(companyId, { name: `Line ${i}` })).lineId);
  const { text = "", html } = await mailOf();
  expect(text.match(/^HAND-OVER: LINE/gm)).toHaveLength(5);
  expect(text).toContain("More lines have handed over: see the board.");
  expect(html).toContain("More lines have handed over: see the board.");
});
