import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { auditEntries } from "../../../support/audit.ts";
import { type CallOptions, call } from "../../../support/call.ts";
import { expectProblem } from "../../../support/expect-problem.ts";
import { createApiToken, createCompany, createMachine, createPersona, createUser } from "../../../support/factories.ts";
import { overtakenBy } from "../../../support/overtaken.ts";

const path = "/v1/push-devices";
const keys = { p256dh: "B".padEnd(87, "A"), auth: "A".repeat(22) };
const endpointOf = (n: number | string) => `https://push.example.com/${n}`;
/** A browser's subscription. */
const subscriptionOf = (n: number | string) => JSON.stringify({ endpoint: endpointOf(n), keys });
const contactOf = (value: string) => ({ id: crypto.randomUUID(), value, isActive: false, reference: "" });

async function createOperator() {
  const { companyId } = await createCompany();
  const { token, email, userId } = await createUser(companyId, "user");
  const admin = await createUser(companyId, "admin");
  const put = (body: object, via?: CallOptions["via"]) => call("PUT", path, { token, body, ...(via && { via }) });
  const turn = async (n: number | string, isOn: boolean) =>
    (await put({ subscription: subscriptionOf(n), isOn, name: "Chrome, Android", language: "spanish" })).body;
  const state = async () => (await call("GET", "/v1/push-key", { token })).body;
  const personas = async () => (await call("GET", "/v1/personas", { token: admin.token })).body.data;
  const audited = async () =>
    (await auditEntries({ companyId })).map(({ action }) => action).filter((action) => action.startsWith("persona."));
  return { companyId, token, email, userId, admin, put, turn, state, personas, audited };
}

describe("PUT /v1/push-devices", () => {
  it("creates a persona for a user without one, with the browser as its contact; off removes it", async () => {
    const { email, turn, state, personas, audited } = await createOperator();
    expect(await state()).toEqual({ key: null, endpoints: [], isNotified: false });
    expect(await turn(1, true)).toEqual({ key: null, endpoints: [endpointOf(1)], isNotified: false });
    expect(await personas()).toMatchObject([
      {
        isUser: true,
        isActive: true,
        language: "spanish",
        email: { value: email, isActive: false },
        alertIds: [],
        push: [{ value: subscriptionOf(1), isActive: true, reference: "Chrome, Android" }],
      },
    ]);
    expect(await turn(1, true)).toEqual(await state());
    expect((await turn(2, true)).endpoints).toEqual([endpointOf(1), endpointOf(2)]);
    expect((await turn(1, false)).endpoints).toEqual([endpointOf(2)]);
    expect((await turn(1, false)).endpoints).toEqual([endpointOf(2)]);
    expect((await state()).endpoints).toEqual([endpointOf(2)]);
    expect(await audited()).toEqual(["persona.create", "persona.change", "persona.change"]);
  });

  it("creates no persona to turn off a browser that is not on", async () => {
    const { turn, personas } = await createOperator();
    expect(await turn(1, false)).toEqual({ key: null, endpoints: [], isNotified: false });
    expect(await personas()).toEqual([]);
  });

  it("applies to all personas of the company with the user's e-mail address, and to no others", async () => {
    const { companyId, email, turn, personas } = await createOperator();
    const [one, other] = [await createPersona(companyId), await createPersona(companyId)];
    await createPersona(companyId, { email: contactOf(`not-${email}`) });
    const abroad = await createPersona((await createCompany()).companyId, { email: contactOf(email) });
    for (const [id, address] of [
      [one.id, email],
      [other.id, email.toUpperCase()],
    ]) {
      const sql = "UPDATE personas SET email = json_set(email, '$.value', ?) WHERE id = ?";
      await env.DB_0.prepare(sql).bind(address, id).run();
    }
    expect((await turn(1, true)).endpoints).toEqual([endpointOf(1)]);
    const withPush = (await personas()).filter(({ push }: { push: unknown[] }) => push.length > 0);
    expect(withPush.map(({ id }: { id: string }) => id).sort()).toEqual([one.id, other.id].sort());
    const stored = await env.DB_0.prepare("SELECT push FROM personas WHERE id = ?").bind(abroad.id).first("push");
    expect(stored).toBe("[]");
  });

  it("replaces the browser's earlier subscription, and keeps those of other browsers", async () => {
    const { companyId, email, put, turn, personas } = await createOperator();
    await createPersona(companyId, { email: contactOf(email) });
    await turn(1, true);
    await turn(2, true);
    const renewed = JSON.stringify({ endpoint: endpointOf(1), keys: { ...keys, auth: "B".repeat(22) } });
    await put({ subscription: renewed, isOn: true });
    const [{ push }] = await personas();
    expect(push.map(({ value }: { value: string }) => value)).toEqual([subscriptionOf(2), renewed]);
  });

  it("keeps the newest 20", async () => {
    const { turn, state } = await createOperator();
    for (let n = 0; n < 21; n++) await turn(n, true);
    const { endpoints } = await state();
    expect(endpoints).toHaveLength(20);
    expect(endpoints).not.toContain(endpointOf(0));
    expect(endpoints).toContain(endpointOf(20));
  });

  it("says whether a rule or a report notifies the user", async () => {
    const { email, companyId, admin, state } = await createOperator();
    const persona = await createPersona(companyId, { email: contactOf(email) });
    await createMachine(companyId);
    const send = (method: string, to: string, body?: object) => call(method, to, { token: admin.token, ...(body && { body }) });
    const isNotified = async () => (await state()).isNotified;
    expect(await isNotified()).toBe(false);
    const levels = [{ afterMinutes: 0, personaIds: [persona.id], chatRoomIds: [] }];
    const rule = await send("POST", "/v1/alert-rules", { name: "Stops", when: { kind: "stop", minutes: 5 }, levels });
    expect(rule.status, JSON.stringify(rule.body)).toBe(201);
    expect(await isNotified()).toBe(true);
    await send("PATCH", `/v1/alert-rules/${rule.body.id}`, { levels: [{ ...levels[0], personaIds: [] }] });
    expect(await isNotified()).toBe(false);
    await send("PATCH", `/v1/personas/${persona.id}`, { alertIds: [rule.body.id] });
    expect(await isNotified()).toBe(true);
    await send("PATCH", `/v1/personas/${persona.id}`, { isActive: false });
    expect(await isNotified()).toBe(false);
  });

  it("creates one persona for two browsers at the same time, and stores both", async () => {
    const { put, turn, personas, state } = await createOperator();
    const via = overtakenBy(() => turn("first", true));
    const late = await put({ subscription: subscriptionOf("second"), isOn: true }, via);
    expect(late.status, JSON.stringify(late.body)).toBe(200);
    expect(await personas()).toHaveLength(1);
    expect((await state()).endpoints).toEqual([endpointOf("first"), endpointOf("second")]);
  });

  it.each([
    ["no JSON", "nonsense", "custom"],
    ["no keys", JSON.stringify({ endpoint: endpointOf(1) }), "custom"],
    ["an address inside", JSON.stringify({ endpoint: "https://10.0.0.1/", keys }), "not_public"],
  ])("refuses a subscription that is %s", async (_, subscription, code) => {
    const { put, personas } = await createOperator();
    const answer = await put({ subscription, isOn: true });
    expectProblem(answer, 400);
    expect(answer.body.errors).toMatchObject([{ pointer: "/subscription", code }]);
    expect(await personas()).toEqual([]);
  });

  it("is for people, not for programs", async () => {
    const { companyId } = await createCompany();
    const { token } = await createApiToken(await createUser(companyId, "admin"));
    expectProblem(await call("PUT", path, { token, body: { subscription: subscriptionOf(1), isOn: true } }), 403);
    expectProblem(await call("GET", "/v1/push-key", { token }), 403);
  });
});
