import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it } from "vitest";
import type { Permission, Role } from "../../../../src/db/schema.ts";
import { auditEntries } from "../../../support/audit.ts";
import { type CallOptions, call } from "../../../support/call.ts";
import { expectProblem } from "../../../support/expect-problem.ts";
import { createCompany, createUser } from "../../../support/factories.ts";
import { overtakenBy } from "../../../support/overtaken.ts";

const path = "/v1/role-permissions";
const all = async () => (await env.DIRECTORY.prepare("select * from role_permissions order by id").all()).results;
// Grants are global: each test ends with those of the migration.
const seeded = await all();
afterEach(async () => {
  await env.DIRECTORY.prepare("delete from role_permissions").run();
  await env.DIRECTORY.prepare(
    "insert into role_permissions select value->>'id', value->>'role_id', value->>'permission_id', 0, 0 from json_each(?)",
  )
    .bind(JSON.stringify(seeded))
    .run();
});

async function newSuperuser() {
  const { companyId } = await createCompany();
  const { token } = await createUser(companyId, "superuser");
  const post = (body: unknown, headers = {}, via?: CallOptions["via"]) =>
    call("POST", path, { token, body, headers, ...(via && { via }) });
  const remove = (id: string, via?: CallOptions["via"]) => call("DELETE", `${path}/${id}`, { token, ...(via && { via }) });
  return { companyId, token, post, remove };
}

const idOf = (role: Role, permission: Permission) =>
  String(seeded.find(({ role_id, permission_id }) => role_id === role && permission_id === permission)?.id);
const alertsOfUsers = { roleId: "user", permissionId: "alerts:write" };

describe("a grant", () => {
  it("is made and taken by superusers, holds at once in the same isolate, and both are in the audit", async () => {
    const { companyId, post, remove } = await newSuperuser();
    const user = await createUser((await createCompany()).companyId, "user");
    const tryIt = async () => (await call("POST", "/v1/alert-rules", { token: user.token, body: {} })).status;
    expect(await tryIt()).toBe(403);
    const { status, body, headers } = await post(alertsOfUsers);
    expect(status).toBe(201);
    expect(body).toMatchObject(alertsOfUsers);
    expect(headers.get("location")).toBe(`${path}/${body.id}`);
    expect((await call("GET", `${path}/${body.id}`, { token: user.token })).body).toEqual(body);
    expect(await tryIt()).toBe(400);
    expect((await remove(body.id)).status).toBe(204);
    expect(await tryIt()).toBe(403);
    expectProblem(await remove(body.id), 404);
    expect(await all()).toEqual(seeded);
    const entries = await auditEntries({ objectId: body.id });
    expect(entries.map(({ action, before, after, companyId: of }) => ({ action, before, after, of }))).toEqual([
      { action: "role-permission.create", before: null, after: body, of: companyId },
      { action: "role-permission.delete", before: body, after: null, of: companyId },
    ]);
  });

  it("is one of a known permission to a role below superusers, and is made once", async () => {
    const { post } = await newSuperuser();
    expectProblem(await post({ roleId: "superuser", permissionId: "alerts:write" }), 400, "/roleId");
    expectProblem(await post({ roleId: "root", permissionId: "*" }), 400, "/permissionId", "/roleId");
    expectProblem(await post({ ...alertsOfUsers, more: 1 }), 400, "/more");
    expectProblem(await post({ roleId: "admin", permissionId: "alerts:write" }), 409, "/permissionId");
    const headers = { "idempotency-key": crypto.randomUUID() };
    const first = await post(alertsOfUsers, headers);
    expect(await post(alertsOfUsers, headers)).toMatchObject({ status: 201, body: first.body });
    expectProblem(await post(alertsOfUsers), 409, "/permissionId");
    expect(await all()).toHaveLength(seeded.length + 1);
  });

  it("is made by one of two requests at the same time", async () => {
    const { post } = await newSuperuser();
    const answers = await Promise.all([post(alertsOfUsers), post(alertsOfUsers)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expectProblem(
      await post(
        alertsOfUsers,
        {},
        overtakenBy(async () => post({ ...alertsOfUsers, roleId: "readonly" })),
      ),
      409,
      "/permissionId",
    );
    expect(await all()).toHaveLength(seeded.length + 2);
  });

  it("by which admins read and change the set-up is never taken from them", async () => {
    const { remove } = await newSuperuser();
    for (const role of ["admin", "superadmin"] as const) {
      for (const permission of ["set-up:read", "set-up:write"] as const) expectProblem(await remove(idOf(role, permission)), 409);
    }
    expect(await all()).toEqual(seeded);
    expect((await remove(idOf("user", "set-up:read"))).status).toBe(204);
  });

  it("that is taken while it is moved to another permission is taken as it is then", async () => {
    const { token, remove } = await newSuperuser();
    const move = (id: string, grant: object) => call("PUT", `/role-permissions/${id}`, { token, body: grant });
    const id = idOf("user", "set-up:read");
    await remove(idOf("user", "progress:write"));
    expect(
      (
        await remove(
          id,
          overtakenBy(() => move(id, { roleId: "user", permissionId: "progress:write" })),
        )
      ).status,
    ).toBe(204);
    const entry = (await auditEntries({ action: "role-permission.delete", objectId: id })).at(-1);
    expect(entry?.before).toMatchObject({ roleId: "user", permissionId: "progress:write" });
  });
});
