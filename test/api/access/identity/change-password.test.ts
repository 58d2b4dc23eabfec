import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { auditEntries } from "../../../support/audit.ts";
import { call } from "../../../support/call.ts";
import { expectProblem } from "../../../support/expect-problem.ts";
import { createCompany, createUser } from "../../../support/factories.ts";
import { overtakenBy } from "../../../support/overtaken.ts";

const password = "correct horse battery";
const next = "staple of the other horse";
const newUser = async () => createUser((await createCompany()).companyId, "readonly", { password });
const change = (token: string, currentPassword: unknown, newPassword: unknown) =>
  call("PUT", "/v1/password", { token, body: { currentPassword, newPassword } });
const login = (email: string, attempt: string) =>
  call("POST", "/identity/login", {
    body: { email, password: attempt },
    headers: { "cf-connecting-ip": `2001:db8:${crypto.randomUUID().slice(0, 4)}:${crypto.randomUUID().slice(0, 4)}::1` },
  });
const isIn = async (token: string) => (await call("GET", "/v1/notifications", { token })).status === 200;

describe("changing one's password", () => {
  it("gives a token, ends the others, and leaves an audit entry without either password", async () => {
    const { token, email, userId } = await newUser();
    const other = (await login(email, password)).body.data.jwt.token;
    expect(await isIn(other)).toBe(true);
    const { status, body } = await change(token, password, next);
    expect(status).toBe(200);
    expect(body).toEqual({ token: expect.any(String), exp: expect.any(Number) });
    expect([await isIn(body.token), await isIn(token), await isIn(other)]).toEqual([true, false, false]);
    expectProblem(await login(email, password), 401);
    expect((await login(email, next)).status).toBe(200);
    const entries = await auditEntries({ action: "user.change", objectId: userId });
    expect(entries).toEqual([expect.objectContaining({ userId, before: {}, after: { password: "(not shown)" } })]);
  });

  it("needs the current password, and accepts ten wrong attempts", async () => {
    const { token, email, userId } = await newUser();
    const statuses = await Promise.all(Array.from({ length: 14 }, async () => (await change(token, "wrong", next)).status));
    expect(statuses.sort()).toEqual([...Array(10).fill(400), ...Array(4).fill(429)]);
    const refused = await change(token, password, next);
    expectProblem(refused, 429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(880);
    expect([await isIn(token), (await login(email, password)).status]).toEqual([true, 200]);
    expect(await auditEntries({ action: "login.failure", objectId: userId })).toHaveLength(10);
  });

  it("counts an attempt before it checks whether the new password is easy to guess", async () => {
    const { token, email } = await newUser();
    const statuses = await Promise.all(
      Array.from({ length: 12 }, async () => (await change(token, "wrong", `${email} 2026`)).status),
    );
    expect(statuses.sort()).toEqual([...Array(10).fill(400), 429, 429]);
  });

  it("does not count an attempt with the right password and a weak new one", async () => {
    const { token, email } = await newUser();
    for (let i = 0; i < 11; i++) {
      const answer = await change(token, password, `${email} 2026`);
      expect([answer.status, answer.body.errors[0].pointer]).toEqual([400, "/newPassword"]);
    }
    expect((await change(token, password, next)).status).toBe(200);
  });

  it("refuses an invalid new password, and changes nothing", async () => {
    const { token, email, companyId } = await newUser();
    expectProblem(await change(token, "wrong", next), 400, "/currentPassword");
    expectProblem(await change(token, password, "too short"), 400, "/newPassword");
    expectProblem(await change(token, 3, "a\0".repeat(10)), 400, "/currentPassword", "/newPassword");
    const common = await change(token, password, "30SecondsToMars");
    expectProblem(common, 400, "/newPassword");
    expect(common.body.errors[0].code).toBe("common");
    await env.DB_0.prepare("update companies set name = 'Hagström' where id = ?").bind(companyId).run();
    for (const guessable of [`${email} 2026`, "Hagstrom hagstrom 1"]) {
      const answer = await change(token, password, guessable);
      expectProblem(answer, 400, "/newPassword");
      expect(answer.body.errors[0].code).toBe("guessable");
    }
    expect([await isIn(token), (await login(email, password)).status]).toEqual([true, 200]);
  });

  it("does not undo a password that someone else sets in the meantime", async () => {
    const { token, userId } = await newUser();
    const sets = () => env.DB_0.prepare("update users set password_hash = 'a new one' where id = ?").bind(userId).run();
    // The first batch reads the user.
    const body = { currentPassword: password, newPassword: next };
    expectProblem(await call("PUT", "/v1/password", { token, body, via: overtakenBy(sets) }), 409);
    const hash = env.DB_0.prepare("select password_hash from users where id = ?").bind(userId).first("password_hash");
    expect(await hash).toBe("a new one");
    const entries = env.DB_0.prepare("select count(*) from audit where action = 'user.change' and object_id = ?");
    expect(await entries.bind(String(userId)).first("count(*)")).toBe(0);
    expect(await isIn(token)).toBe(true);
  });

  it("keeps other changes of the user in the meantime", async () => {
    const { token, email, userId, companyId } = await newUser();
    const { token: admin } = await createUser(companyId, "superadmin");
    const renames = () => call("PATCH", `/v1/users/${userId}`, { token: admin, body: { name: "Renamed", role: "user" } });
    // Batches: the caller, the attempt, and the data that the new password replaces.
    const via = overtakenBy(
      async () => {},
      async () => {},
      renames,
    );
    const body = { currentPassword: password, newPassword: next };
    const answer = await call("PUT", "/v1/password", { token, body, via });
    expect([answer.status, (await login(email, next)).status]).toEqual([200, 200]);
    const user = env.DB_0.prepare("select name, role, token_version from users where id = ?").bind(userId);
    expect(await user.first()).toEqual({ name: "Renamed", role: "user", token_version: 3 });
    const counters = env.DIRECTORY.prepare("select count(*) from login_attempts where key like ? and failures > 0").bind(
      `%${email}%`,
    );
    expect(await counters.first("count(*)")).toBe(0);
  });
});
