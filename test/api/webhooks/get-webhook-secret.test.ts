import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { unseal } from "../../../src/core/cipher.ts";
import { auditEntries } from "../../support/audit.ts";
import { type CallOptions, call } from "../../support/call.ts";
import { createCompany, createUser } from "../../support/factories.ts";
import { overtakenBy } from "../../support/overtaken.ts";

const path = "/webhook-subscriptions/secret";
const stored = async (companyId: number) =>
  (await env.DB_0.prepare("select sealed_secret from webhook_secrets where company_id = ?").bind(companyId).all()).results;

async function newAdmin(company?: number) {
  const companyId = company ?? (await createCompany()).companyId;
  const { token } = await createUser(companyId, "admin");
  const get = (via?: CallOptions["via"]) => call("GET", path, { token, ...(via && { via }) });
  return { companyId, token, get };
}

describe("the secret of a company's webhooks", () => {
  it("is a JSON string of 32 random bytes, the same for all of its admins on every call", async () => {
    const { companyId, get } = await newAdmin();
    const { status, body, headers } = await get();
    expect(status).toBe(200);
    expect(headers.get("content-type")).toMatch(/^application\/json/);
    expect(headers.get("cache-control")).toBe("private, no-store");
    expect(body).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(body.slice("whsec_".length), "base64")).toHaveLength(32);
    const again = await get();
    expect(again.body).toBe(body);
    expect((await (await newAdmin(companyId)).get()).body).toBe(body);
    expect((await (await newAdmin()).get()).body).not.toBe(body);
  });

  it("is encrypted at rest", async () => {
    const { companyId, get } = await newAdmin();
    const { body } = await get();
    const [row] = await stored(companyId);
    const sealed = String(row?.sealed_secret);
    expect(sealed).toMatch(/^v1\.[0-9a-f]{6}\.[\w+/=]+$/);
    expect(Buffer.from(sealed.slice(10), "base64").toString("latin1")).not.toContain("whsec_");
    expect(sealed).not.toContain(body.slice("whsec_".length));
    expect(await unseal(env, ["webhook_secrets.sealed_secret", companyId], sealed)).toBe(body);
  });

  it("is created once by requests at the same time", async () => {
    const { companyId, get } = await newAdmin();
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => get()));
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    expect(await stored(companyId)).toHaveLength(1);
  });

  it("is the one that another request created in the meantime", async () => {
    const { companyId, get } = await newAdmin();
    const made: string[] = [];
    const overtaken = await get(overtakenBy(async () => made.push((await get()).body)));
    expect([overtaken.status, overtaken.body]).toEqual([200, made[0]]);
    expect(await stored(companyId)).toHaveLength(1);
    expect(await auditEntries({ action: "webhook-secret.create", companyId })).toHaveLength(1);
  });

  it("is not returned from a row that was tampered with", async () => {
    const { companyId, token, get } = await newAdmin();
    await get();
    await env.DB_0.prepare("update webhook_secrets set sealed_secret = 'AAAA' where company_id = ?").bind(companyId).run();
    const { status, body } = await get();
    expect([status, body.detail]).toEqual([409, expect.stringContaining("/v1/webhook-secret/rotate")]);
    // As the answer says; besides, `/health` would call the key lost in the tests that follow.
    expect((await call("POST", "/v1/webhook-secret/rotate", { token })).status).toBe(200);
    expect((await get()).body).toMatch(/^whsec_/);
  });
});
