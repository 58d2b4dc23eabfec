import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { call } from "../../../support/call.ts";
import { expectProblem } from "../../../support/expect-problem.ts";
import { createCompany, createUser } from "../../../support/factories.ts";

const path = "/v2/alert-settings/superuser/persona/new";
const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

async function newSuperuser() {
  const { companyId } = await createCompany();
  const { token } = await createUser((await createCompany()).companyId, "superuser");
  const put = (body: unknown, headers: Record<string, string> = {}) => call("PUT", path, { token, body, headers });
  return { companyId, put };
}

const stored = async (companyId: number) =>
  (await env.DB_0.prepare("select * from personas where company_id = ?").bind(companyId).all()).results;

describe("a new persona", () => {
  it("is active all day and without contacts by default, in the contract's shape", async () => {
    const { companyId, put } = await newSuperuser();
    await put({});
    const { status, body } = await put({ name: "Night shift", companyId, isUser: true, language: "german" });
    const contact = { id: uuid, value: "", isActive: false, reference: "" };
    const day = { start: "00:00", end: "24:00" };
    expect({ status, body }).toStrictEqual({
      status: 200,
      body: {
        data: {
          id: uuid,
          name: "Night shift",
          isActive: true,
          isUser: false,
          sms: contact,
          whatsapp: contact,
          email: contact,
          push: [],
          alertHours: {
            sunday: day,
            monday: day,
            tuesday: day,
            wednesday: day,
            thursday: day,
            friday: day,
            saturday: day,
          },
          alertIds: [],
          language: "spanish",
        },
      },
    });
    const { data } = body;
    expect(new Set([data.id, data.sms.id, data.whatsapp.id, data.email.id]).size).toBe(4);
    expect(await stored(companyId)).toEqual([
      {
        id: data.id,
        company_id: companyId,
        name: "Night shift",
        is_active: 1,
        is_user: 0,
        sms: JSON.stringify(data.sms),
        whatsapp: JSON.stringify(data.whatsapp),
        email: JSON.stringify(data.email),
        push: "[]",
        alert_hours: JSON.stringify(data.alertHours),
        alert_ids: "[]",
        language: "spanish",
        created_at: expect.any(Number),
        updated_at: expect.any(Number),
      },
    ]);
  });

  it("is created with each call", async () => {
    const { companyId, put } = await newSuperuser();
    const answers = await Promise.all([1, 2, 3].map(() => put({ name: "Same", companyId })));
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(3);
    expect(await stored(companyId)).toHaveLength(3);
  });

  it("needs a company that exists", async () => {
    const { put } = await newSuperuser();
    expectProblem(await put({ name: "A", companyId: 2 ** 40 }), 404);
  });

  it("names each fault of the body", async () => {
    const { companyId, put } = await newSuperuser();
    const name = "A";
    const faulty: [string, object][] = [
      ["/name", { companyId }],
      ["/name", { name: "", companyId }],
      ["/name", { name: 3, companyId }],
      ["/name", { name: "n".repeat(201), companyId }],
      ["/name", { name: "a\0", companyId }],
      ["/name", { name: "\udfff", companyId }],
      ["/companyId", { name }],
      ["/companyId", { name, companyId: String(companyId) }],
      ["/companyId", { name, companyId: 0 }],
      ["/companyId", { name, companyId: 2 ** 53 }],
    ];
    for (const [pointer, body] of faulty) expectProblem(await put(body), 400, pointer);
    for (const body of ["", "{", "[]", "null"]) expectProblem(await put(body), 400, "");
    expect(await stored(companyId)).toEqual([]);
  });
});

describe("with an Idempotency-Key", () => {
  const newKey = () => ({ "idempotency-key": crypto.randomUUID() });

  it("a repeated request gets the first answer, another body a conflict", async () => {
    const { companyId, put } = await newSuperuser();
    const key = newKey();
    const first = await put({ name: "é€😀", companyId }, key);
    const again = await put({ name: "é€😀", companyId }, key);
    expect(again.body).toStrictEqual(first.body);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.headers.get("content-type")).toBe(first.headers.get("content-type"));
    expectProblem(await put({ name: "B", companyId }, key), 409);
    expect(await stored(companyId)).toHaveLength(1);
  });

  it("a refusal is not kept", async () => {
    const { companyId, put } = await newSuperuser();
    const key = newKey();
    expectProblem(await put({ name: "A", companyId: 2 ** 40 }, key), 404);
    expectProblem(await put({ name: "", companyId }, key), 400);
    expect((await put({ name: "A", companyId }, key)).status).toBe(200);
  });

  it("two requests at the same time create one persona", async () => {
    const { companyId, put } = await newSuperuser();
    const key = newKey();
    const answers = await Promise.all([1, 2, 3].map(() => put({ name: "A", companyId }, key)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    expect(await stored(companyId)).toHaveLength(1);
  });
});
