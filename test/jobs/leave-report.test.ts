import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, inject, it, vi } from "vitest";
import type { Mail } from "../../scripts/mailbox.ts";
import { leaveTokenOf } from "../../src/channels/leave-link.ts";
import { type Place, seal } from "../../src/core/cipher.ts";
import service from "../../src/index.ts";
import { runDueReport } from "../../src/jobs/run-report.ts";
import type { Receivers } from "../receivers.ts";
import { call } from "../support/call.ts";
import { DAY, HOUR, MINUTE, NOON, stopClockAtNoon } from "../support/clock.ts";
import {
  createCompany,
  createMachine,
  createPersona,
  createShift,
  createShiftPart,
  createShiftRecord,
  createSubscription,
  createUser,
} from "../support/factories.ts";
import { changed, serviceWith } from "../support/service.ts";

stopClockAtNoon();

const receivers = inject("receivers" as never) as Receivers;
const on = (PUBLIC_URL: string) =>
  ({
    ...env,
    PUBLIC_URL,
    MAIL_FROM: "Andon <andon@plant.example>",
    SMTP_URL: `smtp://localhost:${receivers.smtpPort}`,
  }) as Env;
const newAddress = () => `${crypto.randomUUID().slice(0, 8)}@plant.example`;
const mailsTo = async (address: string) =>
  (await (await fetch(receivers.mailsUrl)).json<Mail[]>()).filter(({ to }) => to.toLowerCase() === address.toLowerCase());

/** A report about yesterday, which `send` mails at once. */
async function office(options: Parameters<typeof createSubscription>[1] = {}) {
  const { companyId } = await createCompany({ timezone: "UTC" });
  const { shiftId } = await createShift(companyId);
  const { id: machineId } = await createMachine(companyId);
  const [start, end] = [NOON - DAY, NOON - DAY + HOUR];
  const sums = { availableMs: HOUR, cycles: 5, totalUnits: 5 };
  const of = { companyId, machineId, shiftId };
  const part = { startAt: start, endAt: end, hourStart: start, asOf: end, openBucket: null };
  await createShiftPart({ ...of, shiftStart: start, shiftEnd: end, ...part }, sums);
  await createShiftRecord({ ...of, startAt: start, endAt: end }, { ...sums, openBucket: null });
  const daily = { kind: "daily" as const, time: "06:30", isActive: true };
  const { id } = await createSubscription(companyId, { name: "Hall <1>", ...daily, ...options });
  const { token } = await createUser(companyId, "admin");
  let runs = 0;
  const send = async (publicUrl = "https://andon.example"): Promise<string> => {
    // A report runs once in ten seconds.
    vi.setSystemTime(NOON + ++runs * MINUTE);
    const { body: log } = await call("POST", `/v1/report-subscriptions/${id}/run`, { token });
    await runDueReport(on(publicUrl), log.id, Date.now());
    const batch = createMessageBatch("andon-messages", [
      { id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body: { companyId } },
    ]);
    const context = createExecutionContext();
    await service.queue(batch, on(publicUrl), context);
    await getQueueResult(batch, context);
    const { body: logs } = await call("GET", `/subscriptions/${id}/logs`, { token });
    return logs[0].detail;
  };
  const path = `/v1/report-subscriptions/${id}`;
  const shown = async () => (await call("GET", path, { token })).body;
  return { companyId, id, token, send, path, shown };
}

/** The header of a mail; null: it has none. */
function header(mail: Mail | undefined, name: string): string | null {
  const found = mail?.headers.find((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`));
  return (
    found
      ?.slice(name.length + 1)
      .replaceAll(/\s+/g, " ")
      .trim() ?? null
  );
}

/** Pages of the service, as browsers and mail programs ask for them. */
const page = (method: string, path: string, options: Parameters<typeof call>[2] = {}) =>
  call(method, path, { via: serviceWith({}), ...options });

describe("the readers of a report's mail", () => {
  it("leave it with one click of their mail program, at any of its addresses, and only they", async () => {
    const [own, other] = [newAddress(), newAddress()];
    const contact = { id: "c", value: own.toUpperCase(), isActive: true, reference: "" };
    const { companyId, id, send, shown } = await office({ addresses: [own, other] });
    const persona = await createPersona(companyId, { email: contact });
    await env.DB_0.prepare("UPDATE report_subscriptions SET persona_ids = ? WHERE id = ?").bind(`["${persona.id}"]`, id).run();
    expect(await send()).toBe("Mailed to 2 addresses");
    const [mail] = await mailsTo(own);
    const [, link = ""] = /^<(.+)>$/.exec(header(mail, "List-Unsubscribe") ?? "") ?? [];
    expect(link).toMatch(/^https:\/\/andon\.example\/reports\/leave\/[\w.-]+$/);
    expect(link).not.toContain(own);
    expect(header(mail, "List-Unsubscribe-Post")).toBe("List-Unsubscribe=One-Click");
    expect(mail?.html).toContain(`href="${link}"`);
    expect(mail?.text).toContain(`Do not get this report any more: ${link}`);

    const path = new URL(link).pathname;
    const version = (await shown()).updatedAt;
    const answer = await page("POST", path, {
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "List-Unsubscribe=One-Click",
    });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/html; charset=UTF-8"]);
    const { leftAddresses, addresses, updatedAt } = await shown();
    expect({ leftAddresses, addresses }).toEqual({ leftAddresses: [own.toUpperCase()], addresses: [own, other] });
    expect(updatedAt > version).toBe(true);
    // Leaving again is no other change.
    expect((await page("POST", path)).status).toBe(200);
    expect((await shown()).updatedAt).toBe(updatedAt);

    expect(await send()).toBe("Mailed to 1 address; 1 reader has left");
    expect([(await mailsTo(own)).length, (await mailsTo(other)).length]).toEqual([1, 2]);
  });

  it("see what they leave, in its language; opening the link changes nothing", async () => {
    const address = newAddress();
    const { send, shown } = await office({ addresses: [address], language: "es" });
    await send();
    const [mail] = await mailsTo(address);
    expect(mail?.text).toContain("No recibir más este informe: https://andon.example/");
    const { pathname } = new URL(/<(.+)>/.exec(header(mail, "List-Unsubscribe") ?? "")?.[1] ?? "");
    const asked = await page("GET", pathname);
    expect(asked.status).toBe(200);
    expect(asked.body).toContain('<html lang="es">');
    expect(asked.body).toContain("¿Dejar de recibir el informe «Hall &#60;1&#62;»?");
    expect(asked.body).toContain(address);
    expect(asked.body).toContain('<form method="post">');
    const policy = asked.headers.get("content-security-policy");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("form-action 'self'");
    expect(policy).not.toContain("script-src");
    expect(asked.headers.get("referrer-policy")).toBe("no-referrer");
    expect((await page("HEAD", pathname)).status).toBe(200);
    expect((await shown()).leftAddresses).toEqual([]);
    const left = await page("POST", pathname);
    expect(left.body).toContain("Ya no recibe el informe «Hall &#60;1&#62;».");
    expect((await page("GET", pathname)).body).not.toContain("<form");
    // Nobody is left.
    expect(await send()).toBe("There is nobody to send it to; 1 reader has left");
  });

  it("have a link without a click where the service has no https, and none where it does not know its address", async () => {
    const address = newAddress();
    const { send } = await office({ addresses: [address] });
    await send("http://plant.local:8080");
    await send("");
    const [first, second] = (await mailsTo(address)).sort((a, b) => a.headers.length - b.headers.length).reverse();
    expect(header(first, "List-Unsubscribe")).toMatch(/^<http:\/\/plant\.local:8080\/reports\/leave\//);
    expect(header(first, "List-Unsubscribe-Post")).toBeNull();
    expect(header(second, "List-Unsubscribe")).toBeNull();
    expect(second?.text).not.toContain("any more");
  });

  it("are shown to admins only, who add them again", async () => {
    const [one, two, three] = [newAddress(), newAddress(), newAddress()];
    const { companyId, id, token, path, shown, send } = await office({ addresses: [one, two, three] });
    for (const [i, address] of [one, two, three].entries()) {
      vi.setSystemTime(NOON + i);
      await page("POST", `/reports/leave/${await leaveTokenOf(env, { subscriptionId: id, address })}`);
    }
    const reader = await createUser(companyId, "readonly");
    expect((await call("GET", path, { token: reader.token })).body.leftAddresses).toBeNull();
    const change = async (body: object) => (await call("PATCH", path, { token, body })).body;
    // A program that writes its list again does not add those who left.
    expect(await change({ addresses: [one, two, three] })).toMatchObject({ leftAddresses: [one, two, three] });
    expect(await change({ leftAddresses: [one, three] })).toMatchObject({ leftAddresses: [one, three] });
    await change({ addresses: [two, three] });
    expect(await change({ addresses: [one.toUpperCase(), two, three] })).toMatchObject({ leftAddresses: [three] });
    expect(await send()).toBe("Mailed to 2 addresses; 1 reader has left");
    // Nobody leaves for somebody else.
    const refused = await call("PATCH", path, { token, body: { leftAddresses: [three, two] } });
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([400, "/leftAddresses/1"]);
    expect((await shown()).leftAddresses).toEqual([three]);
    const { body: audit } = await call("GET", `/v1/audit?objectId=${id}&action=report-subscription.leave`, { token });
    expect(audit.data).toMatchObject([
      { userId: 0, userName: null, before: { leftAddresses: [one, two] }, after: { leftAddresses: [one, two, three] } },
      { after: { leftAddresses: [one, two] } },
      { before: { leftAddresses: [] }, companyId },
    ]);
  });

  it("leave nothing with a link that was changed, cut off, or sealed for something else, nor a deleted report", async () => {
    const address = newAddress();
    const { id, token, path, shown } = await office({ addresses: [address] });
    const good = await leaveTokenOf(env, { subscriptionId: id, address });
    const sealed = async (text: string, place: Place = ["leave link"]) =>
      (await seal(env, place, text)).replaceAll("+", "-").replaceAll("/", "_");
    const wrong = [
      good.slice(0, -4),
      `${good.startsWith("A") ? "B" : "A"}${good.slice(1)}`,
      "x",
      "%00",
      await sealed(id),
      await sealed(JSON.stringify({ subscriptionId: id, address })),
      await sealed("null"),
      await sealed(JSON.stringify({ leaves: id, address }), ["chat_rooms.sealed_url", id]),
      await leaveTokenOf(env, { subscriptionId: crypto.randomUUID(), address }),
    ];
    for (const token of wrong) {
      for (const method of ["GET", "POST"]) {
        const answer = await page(method, `/reports/leave/${token}`);
        expect([answer.status, answer.headers.get("content-type")], token).toEqual([404, "text/html; charset=UTF-8"]);
      }
    }
    const inSpanish = await page("GET", "/reports/leave/x", { headers: { "accept-language": "es-MX,es;q=0.9" } });
    expect(inSpanish.body).toContain("Este enlace no es válido");
    expect((await shown()).leftAddresses).toEqual([]);
    await call("DELETE", path, { token });
    for (const method of ["GET", "POST"]) expect((await page(method, `/reports/leave/${good}`)).status).toBe(404);
    expect((await page("DELETE", `/reports/leave/${good}`)).status).toBe(405);
    expect((await page("POST", `/reports/leave/${good}`, { body: "x".repeat(5000) })).status).toBe(413);
  });

  it("leave at the same time, and are all noted; of very many the oldest are forgotten", async () => {
    const { id, shown } = await office({ addresses: ["lead@plant.example"] });
    const many = Array.from({ length: 499 }, (_, i) => `r${i}@plant.example`);
    await env.DB_0.prepare("UPDATE report_subscriptions SET left_addresses = ? WHERE id = ?")
      .bind(JSON.stringify(many), id)
      .run();
    const tokens = await Promise.all(
      ["a@x.example", "b@x.example"].map((address) => leaveTokenOf(env, { subscriptionId: id, address })),
    );
    const answers = await Promise.all(tokens.map((token) => page("POST", `/reports/leave/${token}`)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const { leftAddresses } = await shown();
    expect(leftAddresses).toHaveLength(500);
    expect(leftAddresses.slice(-2).sort()).toEqual(["a@x.example", "b@x.example"]);
    expect(leftAddresses[0]).toBe("r1@plant.example");
  });

  it("get an error when it could not be stored, and then have not left", async () => {
    const { id, shown } = await office({ addresses: ["lead@plant.example"] });
    const token = await leaveTokenOf(env, { subscriptionId: id, address: "lead@plant.example" });
    let batches = 0;
    const withSession = (start: string) =>
      changed(env.DB_0.withSession(start), {
        batch: (statements: D1PreparedStatement[]) => {
          if (++batches > 1) throw new Error("D1_ERROR: no more");
          return env.DB_0.batch(statements);
        },
      });
    const answer = await page("POST", `/reports/leave/${token}`, {
      via: serviceWith({ DB_0: changed(env.DB_0, { withSession }) }),
    });
    expect(answer.status).toBeGreaterThanOrEqual(500);
    expect((await shown()).leftAddresses).toEqual([]);
  });
});
