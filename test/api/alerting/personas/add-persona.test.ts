import { describe, expect, it } from "vitest";
import { call } from "../../../support/call.ts";
import { createCompany, createUser } from "../../../support/factories.ts";

const path = "/v1/personas";

describe("POST /v1/personas", () => {
  it("adds a persona of the admin's own company, which is active all day and has no contacts", async () => {
    const { companyId } = await createCompany();
    const { token } = await createUser(companyId, "admin");
    const { status, body, headers } = await call("POST", path, { token, body: { name: "Night lead" } });
    expect(status).toBe(201);
    expect(body).toMatchObject({ name: "Night lead", isActive: true, alertIds: [], email: { value: "", isActive: false } });
    expect(headers.get("location")).toBe(`${path}/${body.id}`);
    expect((await call("GET", `${path}/${body.id}`, { token })).body).toEqual(body);
  });

  it("makes one persona of a repeated request", async () => {
    const { companyId } = await createCompany();
    const { token } = await createUser(companyId, "admin");
    const headers = { "idempotency-key": crypto.randomUUID() };
    const first = await call("POST", path, { token, headers, body: { name: "Night lead" } });
    const second = await call("POST", path, { token, headers, body: { name: "Night lead" } });
    expect([second.status, second.body]).toEqual([201, first.body]);
    expect((await call("GET", path, { token })).body.data).toHaveLength(1);
  });

  it("refuses another company to all but superusers, and a name that is empty", async () => {
    const [own, other] = [await createCompany(), await createCompany()];
    const { token } = await createUser(own.companyId, "admin");
    expect((await call("POST", path, { token, body: { name: "Lead", companyId: other.companyId } })).status).toBe(404);
    const { status, body } = await call("POST", path, { token, body: { name: " " } });
    expect([status, body.errors[0].pointer]).toEqual([400, "/name"]);
    expect((await call("GET", path, { token })).body.data).toEqual([]);
  });
});
