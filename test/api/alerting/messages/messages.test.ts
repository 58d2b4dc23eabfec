import { describe, expect, it } from "vitest";
import { call } from "../../../support/call.ts";
import { expectProblem } from "../../../support/expect-problem.ts";
import {
  createChatRoom,
  createCompany,
  createMachine,
  createMessage,
  createPersona,
  createUser,
} from "../../../support/factories.ts";

const contact = (value: string) => ({ id: crypto.randomUUID(), value, isActive: true, reference: "" });

async function newOffice() {
  const { companyId } = await createCompany();
  const { token, email } = await createUser(companyId, "admin");
  const ask = (method: string, path: string, body?: object) => call(method, path, { token, ...(body && { body }) });
  return { companyId, email, ask };
}

describe("GET /v1/messages", () => {
  it("lists the company's messages, newest first, masked, by filters", async () => {
    const { companyId, ask } = await newOffice();
    const persona = await createPersona(companyId, { sms: contact("+34600111222") });
    const old = await createMessage(companyId, { createdAt: Date.now() - 1000, incidentId: "i1" });
    const sms = { personaId: persona.id, address: null, contactId: persona.sms.id, channel: "sms" as const };
    const recent = await createMessage(companyId, { ...sms, status: "failed", error: "channel_off" });
    await createMessage((await createCompany()).companyId);
    const { data } = (await ask("GET", "/v1/messages")).body;
    expect(data).toMatchObject([
      { id: recent.id, recipient: persona.name, contact: "…222", status: "failed", reason: "channel_off" },
      { id: old.id, recipient: "a…@plant.example", contact: "a…@plant.example", status: "sent", reason: null },
    ]);
    for (const filter of [
      "incidentIds=i1",
      "channels=email",
      "statuses=sent",
      `to=${new Date(recent.createdAt).toISOString()}`,
    ]) {
      const found = (await ask("GET", `/v1/messages?${filter}`)).body.data;
      expect(
        found.map(({ id }: { id: string }) => id),
        filter,
      ).toEqual([old.id]);
    }
    expect((await ask("GET", `/v1/messages?personaIds=${persona.id}`)).body.data).toHaveLength(1);
  });
});

describe("the filters of GET /v1/messages", () => {
  it("are refused if they are invalid, and show nothing of another company", async () => {
    const { ask } = await newOffice();
    const other = await newOffice();
    const persona = await createPersona(other.companyId, { email: contact("ana@plant.example") });
    await createMessage(other.companyId, { personaId: persona.id, address: null, incidentId: "i7" });
    for (const query of [`personaIds=${persona.id}`, "incidentIds=i7", "channels=email"]) {
      expect((await ask("GET", `/v1/messages?${query}`)).body.data, query).toEqual([]);
    }
    for (const [query, pointer] of [
      ["channels=pigeon", "/query/channels/0"],
      ["statuses=lost", "/query/statuses/0"],
      ["from=now", "/query/from"],
      ["cursor=x", "/query/cursor"],
      ["kinds=test", "/query/kinds"],
    ] as const) {
      expectProblem(await ask("GET", `/v1/messages?${query}`), 400, pointer);
    }
    expectProblem(await ask("GET", "/v1/messages?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z"), 400);
    expectProblem(await ask("GET", `/v1/messages?companyId=${other.companyId}`), 404);
  });
});

describe("POST /v1/personas/{id}/test", () => {
  it("notifies the user with the persona's address on the board at once, and says so", async () => {
    const { companyId, email, ask } = await newOffice();
    const day = { start: "00:00", end: "00:00" };
    const { id, alertHours } = await createPersona(companyId, { email: contact(email), language: "english" });
    const never = Object.fromEntries(Object.keys(alertHours).map((name) => [name, day]));
    await ask("PATCH", `/v1/personas/${id}`, { alertHours: never });
    const tested = await ask("POST", `/v1/personas/${id}/test`, { channel: "in_app" });
    expect(tested.body).toMatchObject({ data: [{ channel: "in_app", status: "sent", reason: null }] });
    expect((await ask("GET", "/v1/notifications")).body.data).toMatchObject([{ title: "Test message" }]);
  });

  it("says that a channel is off, and refuses one that the persona has no contact of", async () => {
    const { companyId, ask } = await newOffice();
    const { id } = await createPersona(companyId, { sms: contact("+34600111222") });
    const tested = await ask("POST", `/v1/personas/${id}/test`, { channel: "sms" });
    expect(tested.body).toMatchObject({ data: [{ status: "failed", reason: "channel_off" }] });
    expectProblem(await ask("POST", `/v1/personas/${id}/test`, { channel: "whatsapp" }), 400, "/channel");
    await ask("PATCH", `/v1/personas/${id}`, { isActive: false });
    expectProblem(await ask("POST", `/v1/personas/${id}/test`, { channel: "sms" }), 400, "/channel");
  });
});

describe("POST /v1/chat-rooms/{id}/test", () => {
  it("says why a room cannot be reached, up to 30 times an hour", async () => {
    const { companyId, ask } = await newOffice();
    const { id } = await createChatRoom(companyId);
    const tested = await ask("POST", `/v1/chat-rooms/${id}/test`);
    expect(tested.body).toMatchObject({
      data: [{ channel: "chat", status: "pending", reason: expect.stringContaining("was not called") }],
    });
    for (let i = 1; i < 30; i++)
      await createMessage(companyId, { chatRoomId: id, contactId: id, startedAt: Date.now(), channel: "chat" });
    expectProblem(await ask("POST", `/v1/chat-rooms/${id}/test`), 429);
  });
});

describe("DELETE /v1/personas/{id}", () => {
  it("deletes it, unless an alert rule notifies it", async () => {
    const { companyId, ask } = await newOffice();
    const { id } = await createPersona(companyId);
    await createMachine(companyId);
    const levels = [{ afterMinutes: 0, personaIds: [id], chatRoomIds: [] }];
    const rule = await ask("POST", "/v1/alert-rules", { name: "Stopped", when: { kind: "stop", minutes: 10 }, levels });
    expect(rule.status, JSON.stringify(rule.body)).toBe(201);
    expectProblem(await ask("DELETE", `/v1/personas/${id}`), 409, "");
    expect((await ask("GET", `/v1/personas/${id}`)).status).toBe(200);
    await ask("DELETE", `/v1/alert-rules/${rule.body.id}`);
    expect((await ask("DELETE", `/v1/personas/${id}`)).status).toBe(204);
    expectProblem(await ask("GET", `/v1/personas/${id}`), 404);
  });
});
