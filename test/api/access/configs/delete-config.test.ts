import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { type Role, roles } from "../../../../src/db/schema.ts";
import { call } from "../../../support/call.ts";
import { expectProblem } from "../../../support/expect-problem.ts";
import { createCompany, createUser, createUserConfig } from "../../../support/factories.ts";

const path = "/config";

async function newUser(role: Role, company?: number) {
  const companyId = company ?? (await createCompany()).companyId;
  const { token, userId } = await createUser(companyId, role);
  await createUserConfig(userId, companyId);
  const remove = (body: unknown) => call("DELETE", path, { token, body });
  return { companyId, userId, remove };
}

const hasConfig = async (userId: number) =>
  (await env.DB_0.prepare("select 1 from user_configs where user_id = ?").bind(userId).first()) !== null;

describe("a config", () => {
  it.each(roles)("of their own is deleted by a %s, also repeatedly", async (role) => {
    const { remove, ...own } = await newUser(role);
    const colleague = await newUser("user", own.companyId);
    for (let i = 0; i < 2; i++) expect(await remove({ ...own, more: 1 })).toMatchObject({ status: 204, body: null });
    expect(await hasConfig(own.userId)).toBe(false);
    expect(await hasConfig(colleague.userId)).toBe(true);
  });

  it.each(["admin", "superadmin", "superuser"] as const)("of a colleague is deleted by a %s", async (role) => {
    const { companyId, remove } = await newUser(role);
    const { userId } = await newUser("user", companyId);
    await remove({ userId, companyId: 2 ** 40 });
    const answer = await remove({ userId, companyId });
    expect(answer.status).toBe(204);
    expect(await hasConfig(userId)).toBe(false);
  });

  it.each(["user", "readonly"] as const)("of a colleague cannot be deleted by a %s", async (role) => {
    const { companyId, remove } = await newUser(role);
    const { userId } = await newUser("user", companyId);
    expectProblem(await remove({ userId, companyId }), 403);
    expectProblem(await remove({ userId: 2 ** 40, companyId }), 403);
    expect(await hasConfig(userId)).toBe(true);
  });

  it("of another company's user, of an unknown user or in another company does not exist", async () => {
    const other = await newUser("user");
    for (const role of roles) {
      const { companyId, userId, remove } = await newUser(role);
      expectProblem(await remove({ userId, companyId: other.companyId }), 404);
      if (role === "superuser") continue;
      expectProblem(await remove({ userId: other.userId, companyId: other.companyId }), 404);
      if (role === "user" || role === "readonly") continue;
      expectProblem(await remove({ userId: other.userId, companyId }), 404);
      expectProblem(await remove({ userId: 2 ** 40, companyId }), 404);
    }
    expect(await hasConfig(other.userId)).toBe(true);
    const { companyId, remove } = await newUser("superuser");
    expectProblem(await remove({ userId: other.userId, companyId }), 404);
    expect(await hasConfig(other.userId)).toBe(true);
    expect((await remove({ userId: other.userId, companyId: other.companyId })).status).toBe(204);
    expect(await hasConfig(other.userId)).toBe(false);
  });

  it("needs two valid ids", async () => {
    const { companyId, userId, remove } = await newUser("superuser");
    for (const bad of ["1", 0, -1, 1.5, 2 ** 53, null, true, [1]]) {
      expectProblem(await remove({ userId: bad, companyId }), 400, "/userId");
      expectProblem(await remove({ userId, companyId: bad }), 400, "/companyId");
    }
    expectProblem(await remove({}), 400, "/userId", "/companyId");
    for (const body of ["", "{", "[]", "null", undefined]) expectProblem(await remove(body), 400, "");
    expect(await hasConfig(userId)).toBe(true);
  });

  it("is deleted once by requests at the same time, all of which succeed", async () => {
    const { companyId, userId, remove } = await newUser("user");
    const answers = await Promise.all([1, 2, 3].map(() => remove({ userId, companyId })));
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204]);
  });
});
