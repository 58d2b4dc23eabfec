import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Permission, permissions, type Role, roles } from "../../../../src/db/schema.ts";
import { auditEntries } from "../../../support/audit.ts";
import { type CallOptions, call } from "../../../support/call.ts";
import { expectProblem } from "../../../support/expect-problem.ts";
import { createCompany, createUser } from "../../../support/factories.ts";
import { overtakenBy } from "../../../support/overtaken.ts";

const pathOf = (id: string) => `/role-permissions/${id}`;

async function newSuperuser() {
  const { companyId } = await createCompany();
  const { token } = await createUser(companyId, "superuser");
  const put = (id: string, body: unknown, via?: CallOptions["via"]) =>
    call("PUT", pathOf(id), { token, body, ...(via && { via }) });
  return { companyId, token, put };
}

// Grants are global: each test begins with those of the migration.
const all = async () =>
  (await env.DIRECTORY.prepare("select id, role_id, permission_id from role_permissions order by id").all()).results;
const seeded = await all();
const idOf = (role: Role, permission: Permission) =>
  String(seeded.find(({ role_id, permission_id }) => role_id === role && permission_id === permission)?.id);
beforeEach(async () => {
  await env.DIRECTORY.prepare("delete from role_permissions").run();
  await env.DIRECTORY.prepare(
    "insert into role_permissions select value->>'id', value->>'role_id', value->>'permission_id', 0, 0 from json_each(?)",
  )
    .bind(JSON.stringify(seeded))
    .run();
});

describe("a grant", () => {
  it("is reassigned without changing others", async () => {
    const { put } = await newSuperuser();
    const id = idOf("readonly", "configs:write");
    await put(id, {});
    const { status, body } = await put(id, { roleId: "user", permissionId: "configs:manage", more: 1 });
    expect({ status, body }).toEqual({ status: 204, body: null });
    const expected = seeded.map((grant) => (grant.id === id ? { id, role_id: "user", permission_id: "configs:manage" } : grant));
    expect(await all()).toEqual(expected);
    expect((await put(id, { roleId: "user", permissionId: "configs:manage" })).status).toBe(204);
    expect(await all()).toEqual(expected);
  });

  it("cannot become one that exists (409), and an unknown one is a 404", async () => {
    const { put } = await newSuperuser();
    const body = { roleId: "user", permissionId: "targets:write" };
    expectProblem(await put(idOf("user", "progress:write"), body), 409);
    expectProblem(await put(crypto.randomUUID(), body), 404);
    expectProblem(await put(crypto.randomUUID(), { roleId: "readonly", permissionId: "targets:write" }), 404);
    expect(await all()).toEqual(seeded);
  });

  it("needs a known role and permission", async () => {
    const { put } = await newSuperuser();
    const id = idOf("user", "progress:write");
    const unknown = await put(id, { roleId: "root", permissionId: "*" });
    expectProblem(unknown, 400, "/roleId", "/permissionId");
    const [first, second] = unknown.body.errors.map(({ message }: { message: string }) => message);
    for (const permission of permissions) expect(first).toContain(permission);
    for (const role of roles) expect(second).toContain(role);
    expectProblem(await put(id, {}), 400, "/roleId", "/permissionId");
    expectProblem(await put(id, { roleId: ["user"], permissionId: null }), 400, "/roleId", "/permissionId");
    for (const body of ["", "{", "[]", "null"]) expectProblem(await put(id, body), 400, "");
    const good = { roleId: "readonly", permissionId: "targets:write" };
    expectProblem(await put("a".repeat(101), good), 400, "/path/id");
    expectProblem(await put("%00", good), 400, "/path/id");
    expect(await all()).toEqual(seeded);
  });

  it("can be the target of several changes at the same time, of which one succeeds", async () => {
    const { put } = await newSuperuser();
    const ids = (["work-orders:write", "targets:write", "progress:write"] as const).map((one) => idOf("user", one));
    const answers = await Promise.all(ids.map((id) => put(id, { roleId: "readonly", permissionId: "configs:manage" })));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409, 409]);
    expect(
      (await all()).filter(({ role_id, permission_id }) => role_id === "readonly" && permission_id === "configs:manage"),
    ).toEqual([expect.objectContaining({ id: ids[answers.findIndex(({ status }) => status === 204)] })]);
  });
});

describe("a change that another one overtakes", () => {
  const wanted = { roleId: "readonly", permissionId: "configs:manage" };

  it("is refused if the other one made the same grant", async () => {
    const { put } = await newSuperuser();
    const [slow, quick] = [idOf("user", "progress:write"), idOf("user", "targets:write")];
    expectProblem(
      await put(
        slow,
        wanted,
        overtakenBy(() => put(quick, wanted)),
      ),
      409,
    );
    const expected = seeded.map((grant) => {
      return grant.id === quick ? { id: quick, role_id: "readonly", permission_id: "configs:manage" } : grant;
    });
    expect(await all()).toEqual(expected);
  });

  it("is made after it if both are of one grant", async () => {
    const { put } = await newSuperuser();
    const id = idOf("user", "progress:write");
    const other = { roleId: "superuser", permissionId: "progress:write" };
    expect(
      (
        await put(
          id,
          wanted,
          overtakenBy(() => put(id, other)),
        )
      ).status,
    ).toBe(204);
    const entry = (await auditEntries({ action: "role-permission.change", objectId: id })).at(-1);
    expect(other).toMatchObject(entry?.before as object);
  });
});

describe("a reassigned grant", () => {
  // One clock for everything, so that the age of cached data is known.
  let now = Date.now();
  const pass = (ms: number) => {
    now += ms;
    vi.setSystemTime(now);
  };
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"] });
    pass(60_000);
  });
  afterEach(() => vi.useRealTimers());

  it("takes effect within thirty seconds, for both roles", async () => {
    const { companyId, put } = await newSuperuser();
    const user = await createUser(companyId, "user");
    const readonly = await createUser(companyId, "readonly");
    // Deletes another user's config, which needs both permissions.
    const manage = (token: string) => call("DELETE", "/config", { token, body: { userId: user.userId, companyId } });
    const others = (token: string) => call("DELETE", "/config", { token, body: { userId: readonly.userId, companyId } });

    expectProblem(await manage(readonly.token), 403);
    expect((await put(idOf("admin", "configs:manage"), { roleId: "readonly", permissionId: "configs:manage" })).status).toBe(204);
    pass(30_000);
    expect((await manage(readonly.token)).status).toBe(204);
    expectProblem(await others(user.token), 403);
    expectProblem(await others((await createUser(companyId, "admin")).token), 403);

    expect((await put(idOf("readonly", "configs:write"), { roleId: "superuser", permissionId: "configs:write" })).status).toBe(
      204,
    );
    pass(30_000);
    expectProblem(await manage(readonly.token), 403);
    expect((await manage(user.token)).status).toBe(204);
  });

  it("never locks the superuser out", async () => {
    await env.DIRECTORY.prepare("delete from role_permissions where permission_id <> 'targets:write'").run();
    const { companyId, token, put } = await newSuperuser();
    const user = await createUser(companyId, "user");
    const body = { userId: user.userId, companyId };
    expectProblem(await call("DELETE", "/config", { token: user.token, body }), 403);
    expect((await call("DELETE", "/config", { token, body })).status).toBe(204);
    const grant = { roleId: "superuser", permissionId: "configs:write" };
    expect((await put(idOf("user", "targets:write"), grant)).status).toBe(204);
    expect((await put(idOf("user", "targets:write"), { ...grant, roleId: "user" })).status).toBe(204);
    pass(30_000);
    expect((await call("DELETE", "/config", { token, body })).status).toBe(204);
    expect((await call("DELETE", "/config", { token: user.token, body })).status).toBe(204);
  });
});
