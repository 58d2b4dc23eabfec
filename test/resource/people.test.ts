import { env } from "cloudflare:workers";
import { createHash } from "node:crypto";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Role } from "../../src/db/schema.ts";
import { auditEntries } from "../support/audit.ts";
import { call } from "../support/call.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { createCompany, createGatewayToken, createMachine, createUser } from "../support/factories.ts";
import { createDashboard, createFavorite, createInstance, createWidget } from "../support/widgets.ts";

const password = "a long enough password";
const newEmail = () => `${crypto.randomUUID().slice(0, 8)}@example.test`;
const letPass = (ms: number) => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });

async function newOffice(role: Role = "admin", company?: number) {
  const companyId = company ?? (await createCompany()).companyId;
  const { token, userId } = await createUser(companyId, role, { password });
  const ask = (method: string, path: string, body?: unknown) => call(method, path, { token, body });
  const made = async (path: string, body: object) => {
    const answer = await ask("POST", path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };
  return { companyId, userId, token, ask, made };
}

afterEach(() => {
  vi.useRealTimers();
});

describe("companies", () => {
  it("are created and deleted by superusers, and changed by their own admins", async () => {
    const superuser = await newOffice("superuser");
    const company = await superuser.made("/v1/companies", { name: "Plant", timezone: "Europe/Madrid" });
    const path = `/v1/companies/${company.id}`;
    expect(company).toEqual({
      id: expect.any(Number),
      name: "Plant",
      currency: "EUR",
      jurisdiction: null,
      signOutAtShiftEnd: true,
      productionDay: "shiftStart",
      weekStart: "monday",
      lockAfterDays: null,
      oeeThresholds: { badBelow: 60, goodFrom: 85 },
      availabilityThresholds: { badBelow: 75, goodFrom: 90 },
      coverageThresholds: { badBelow: 96, goodFrom: 96 },
      timezone: "Europe/Madrid",
      createdAt: expect.any(String),
      updatedAt: company.createdAt,
      deletedAt: null,
    });
    const [own, other] = [await newOffice("admin", company.id), await newOffice("superadmin")];
    expect((await own.ask("GET", "/v1/companies")).body).toEqual({ data: [company], cursor: null });
    expect((await own.ask("PATCH", path, { name: "Plant 2" })).body).toMatchObject({
      name: "Plant 2",
      timezone: "Europe/Madrid",
    });
    expectProblem(await other.ask("GET", path), 404);
    expectProblem(await other.ask("PATCH", path, { name: "Mine" }), 404);
    expect((await superuser.ask("GET", path)).body).toMatchObject({ name: "Plant 2" });
    // Other test files have also created companies, maybe more than a page of them.
    const listed: number[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const { body } = await superuser.ask("GET", `/v1/companies?limit=500${cursor && `&cursor=${cursor}`}`);
      listed.push(...body.data.map(({ id }: { id: number }) => id));
      cursor = body.cursor;
    }
    expect(listed).toEqual(expect.arrayContaining([company.id, superuser.companyId, other.companyId]));
  });

  it("have an IANA time zone, and notify their machines of a new one", async () => {
    const { companyId, ask } = await newOffice();
    const superuser = await newOffice("superuser");
    const { id } = await createMachine(companyId);
    const version = async () =>
      await env.DB_0.prepare("select config_version from machines where id = ?").bind(id).first("config_version");
    for (const timezone of ["Mars/Base", "", "+01:00", "Europe/Madrid; x", 1]) {
      expectProblem(await ask("PATCH", `/v1/companies/${companyId}`, { timezone }), 400, "/timezone");
      expectProblem(await superuser.ask("POST", "/v1/companies", { name: "A", timezone }), 400, "/timezone");
    }
    await ask("PATCH", `/v1/companies/${companyId}`, { name: "Other", timezone: "UTC" });
    expect(await version()).toBe(1);
    await ask("PATCH", `/v1/companies/${companyId}`, { timezone: "America/New_York" });
    expect(await version()).toBe(2);
  });

  it("have the currency of their hourly rates, which changes no numbers", async () => {
    const { companyId, ask } = await newOffice();
    const path = `/v1/companies/${companyId}`;
    const { id } = await createMachine(companyId);
    for (const currency of ["eur", "EURO", "XQQ", "", null, 978]) {
      expectProblem(await ask("PATCH", path, { currency }), 400, "/currency");
    }
    expect((await ask("PATCH", path, { currency: "MXN" })).body).toMatchObject({ currency: "MXN" });
    expect((await ask("GET", path)).body).toMatchObject({ currency: "MXN" });
    expect(await env.DB_0.prepare("select config_version from machines where id = ?").bind(id).first("config_version")).toBe(1);
  });

  it("have thresholds for colours, which change no numbers; those of an earlier version have the usual ones", async () => {
    const { companyId, ask } = await newOffice();
    const path = `/v1/companies/${companyId}`;
    const { id } = await createMachine(companyId);
    const usual = (await ask("GET", path)).body;
    expect(usual).toMatchObject({ oeeThresholds: { badBelow: 60, goodFrom: 85 } });
    for (const [oeeThresholds, pointer] of [
      [null, ""],
      [{ badBelow: 60 }, "/goodFrom"],
      [{ badBelow: 60, goodFrom: 59 }, "/goodFrom"],
      [{ badBelow: 60, goodFrom: 101 }, "/goodFrom"],
      [{ badBelow: 60, goodFrom: 70, best: 90 }, "/best"],
    ]) {
      expectProblem(await ask("PATCH", path, { oeeThresholds }), 400, `/oeeThresholds${pointer}`);
    }
    const oeeThresholds = { badBelow: 55.5, goodFrom: 55.5 };
    const changed = await ask("PATCH", path, { oeeThresholds });
    expect(changed.body).toEqual({ ...usual, oeeThresholds, updatedAt: changed.body.updatedAt });
    expect((await ask("GET", path)).body).toEqual(changed.body);
    expect(await env.DB_0.prepare("select config_version from machines where id = ?").bind(id).first("config_version")).toBe(1);
    const { body: audit } = await ask("GET", `/v1/audit?objectType=company`);
    expect(audit.data[0]).toMatchObject({ after: { oeeThresholds }, before: { oeeThresholds: { badBelow: 60, goodFrom: 85 } } });
  });

  it("that are deleted sign everyone out; one with machines, or the own one, cannot be deleted", async () => {
    const superuser = await newOffice("superuser");
    const { companyId, token } = await newOffice();
    const gateway = await createGatewayToken(companyId);
    const machine = await createMachine(companyId);
    const path = `/v1/companies/${companyId}`;
    const refused = await superuser.ask("DELETE", path);
    expectProblem(refused, 409, "");
    expect(refused.body.detail).toContain("1 machine");
    expect((await superuser.ask("DELETE", `/v1/machines/${machine.id}`)).status).toBe(204);
    expect((await superuser.ask("DELETE", path)).status).toBe(204);
    expectProblem(await superuser.ask("GET", path), 404);
    letPass(31_000);
    expectProblem(await call("GET", "/v1/machines", { token }), 401);
    expectProblem(await call("POST", "/v1/ingest", { token: gateway.token, body: { events: [] } }), 401);
    expectProblem(await superuser.ask("DELETE", `/v1/companies/${superuser.companyId}`), 409);
    expectProblem(await superuser.ask("POST", "/v1/operators", { companyId, name: "A", code: "A" }), 404, "/companyId");
  });
});

describe("users", () => {
  const login = (email: string, secret = password) => call("POST", "/identity/login", { body: { email, password: secret } });

  it("sign in with the password that they were given, until it is changed", async () => {
    const { made, ask } = await newOffice();
    const email = newEmail();
    const user = await made("/v1/users", { name: "Ana", email: email.toUpperCase(), password, role: "user" });
    expect(user).toMatchObject({ email, role: "user", isActive: true });
    const { token } = (await login(email)).body.data.jwt;
    expect((await call("GET", "/v1/machines", { token })).status).toBe(200);
    expect((await ask("PATCH", `/v1/users/${user.id}`, { name: "Ana Ruiz" })).status).toBe(200);
    letPass(31_000);
    expect((await call("GET", "/v1/machines", { token })).status).toBe(200);
    expect((await ask("PATCH", `/v1/users/${user.id}`, { password: "another long password" })).status).toBe(200);
    letPass(62_000);
    expectProblem(await call("GET", "/v1/machines", { token }), 401);
    expectProblem(await login(email), 401);
    expect((await login(email, "another long password")).status).toBe(200);
  });

  it("cannot get a common password, or one made of their name or address", async () => {
    const { made, ask, companyId } = await newOffice();
    await env.DB_0.prepare("update companies set name = 'Hagström & Sons' where id = ?").bind(companyId).run();
    const body = { name: "Ana Ruiz", email: newEmail(), role: "user" };
    const user = await made("/v1/users", { ...body, password });
    const refused = [
      "30SecondsToMars",
      "Ana Ruiz Ana Ruiz 1",
      `${body.email} 1`,
      "hagstrom hagstrom",
      "Password-Password",
      "x7Gk!x7Gk!x7Gk!",
    ];
    for (const guessed of refused) {
      expectProblem(await ask("POST", "/v1/users", { ...body, password: guessed }), 400, "/password");
      expectProblem(await ask("PATCH", `/v1/users/${user.id}`, { password: guessed }), 400, "/password");
    }
    const renamed = { name: "Bartholomew", password: "bartholomew 2026!" };
    expectProblem(await ask("PATCH", `/v1/users/${user.id}`, renamed), 400, "/password");
    expectProblem(await ask("PATCH", `/v1/users/${user.id}`, { password: "a\0 long enough password" }), 400, "/password");
    expect((await login(body.email)).status, "nothing changed").toBe(200);
  });

  it.each([
    ["role", { role: "readonly" }],
    ["isActive", { isActive: false }],
  ])("are signed out by a change of their %s", async (_member, change) => {
    const { companyId, ask } = await newOffice();
    const { userId, token } = await createUser(companyId, "user");
    const version = async () =>
      await env.DB_0.prepare("select token_version from users where id = ?").bind(userId).first("token_version");
    await ask("PATCH", `/v1/users/${userId}`, { role: "user", isActive: true });
    expect(await version()).toBe(1);
    await ask("PATCH", `/v1/users/${userId}`, change);
    expect(await version()).toBe(2);
    letPass(31_000);
    expectProblem(await call("GET", "/v1/machines", { token }), 401);
  });

  it("have a unique address, which is free again after they are deleted", async () => {
    const { made, ask } = await newOffice();
    const elsewhere = await newOffice();
    const email = newEmail();
    const body = { name: "Ana", email, password, role: "user" };
    const { id } = await made("/v1/users", body);
    expectProblem(await elsewhere.ask("POST", "/v1/users", { ...body, email: email.toUpperCase() }), 409, "/email");
    const other = await made("/v1/users", { ...body, email: newEmail() });
    expectProblem(await ask("PATCH", `/v1/users/${other.id}`, { email }), 409, "/email");
    const { token } = (await login(email)).body.data.jwt;
    expect((await ask("DELETE", `/v1/users/${id}`)).status).toBe(204);
    expectProblem(await login(email), 401);
    letPass(31_000);
    expectProblem(await call("GET", "/v1/machines", { token }), 401);
    const again = await elsewhere.made("/v1/users", body);
    expect((await login(email)).body.data).toMatchObject({ id: again.id, companyId: elsewhere.companyId });
  });

  it("cannot be created, changed or deleted by users with a lower role", async () => {
    const company = (await createCompany()).companyId;
    const ranks = ["readonly", "user", "admin", "superadmin", "superuser"] as const;
    for (const actor of ["admin", "superadmin", "superuser"] as const) {
      const { ask } = await newOffice(actor, company);
      for (const role of ranks) {
        const isAbove = ranks.indexOf(role) > ranks.indexOf(actor);
        const needsPassword = ranks.indexOf(role) >= ranks.indexOf("admin");
        const { userId } = await createUser(company, role);
        const { userId: lower } = await createUser(company, "readonly");
        const answers = [
          await ask("POST", "/v1/users", { name: "A", email: newEmail(), password, role }),
          await ask("PATCH", `/v1/users/${lower}`, { role }),
          await ask("PATCH", `/v1/users/${userId}`, { name: "B" }),
          await ask("PATCH", `/v1/users/${userId}`, { role: "readonly" }),
        ];
        expect(
          answers.map(({ status }) => status),
          `${actor} ${role}`,
        ).toEqual(isAbove ? [403, 403, 403, 403] : [201, 200, 200, needsPassword ? 400 : 200]);
        const { userId: another } = await createUser(company, role);
        expect((await ask("DELETE", `/v1/users/${another}`)).status).toBe(isAbove ? 403 : 204);
      }
    }
  });

  it("need their password for a change of how they sign in, so that a stolen token is not enough", async () => {
    const { userId, ask } = await newOffice("superuser");
    const hash = () => env.DB_0.prepare("select password_hash from users where id = ?").bind(userId).first("password_hash");
    const before = await hash();
    expectProblem(await ask("PATCH", `/v1/users/${userId}`, { password: "another long password" }), 409);
    expect(await hash()).toBe(before);
  });

  it("need their own password to change how another admin signs in, who is notified", async () => {
    const { companyId } = await createCompany();
    for (const [by, role] of [
      ["admin", "admin"],
      ["superadmin", "admin"],
      ["superuser", "superuser"],
    ] as const) {
      const actor = await createUser(companyId, by, { password });
      const target = await createUser(companyId, role, { password });
      const path = `/v1/users/${target.userId}`;
      const patch = (body: object) => call("PATCH", path, { token: actor.token, body });
      const inbox = async () => (await call("GET", "/v1/notifications", { token: target.token })).body.data;
      const row = () => env.DB_0.prepare("select * from users where id = ?").bind(target.userId).first();
      const before = await row();
      for (const change of [{ password: "another long password" }, { email: newEmail() }]) {
        expectProblem(await patch(change), 400, "/currentPassword");
        const wrong = await patch({ ...change, currentPassword: "not my password" });
        expectProblem(wrong, 400, "/currentPassword");
        expect(wrong.body.errors[0].code).toBe("wrong");
      }
      expect(await row()).toEqual(before);
      expect(await inbox()).toEqual([]);
      expect(await auditEntries({ action: "login.failure", objectId: actor.userId })).toHaveLength(2);

      // A change that does not mention signing in takes no password, and an unchanged address is no change.
      expect((await patch({ name: "Ana", email: target.email })).status).toBe(200);
      const email = newEmail();
      const changed = await patch({ email, currentPassword: password });
      expect(changed.body).toMatchObject({ email, name: "Ana" });
      const [received, ...others] = await inbox();
      expect(others).toEqual([]);
      expect(received).toMatchObject({ title: "Your e-mail address was changed", readAt: null });
      expect((await patch({ password: "another long password", currentPassword: password })).status).toBe(200);
      expect((await login(email, "another long password")).status).toBe(200);
      const sql = "select title from notifications where user_id = ? order by created_at, title";
      const { results } = await env.DB_0.prepare(sql).bind(target.userId).all();
      expect(results.map(({ title }) => title)).toEqual(["Your e-mail address was changed", "Your password was changed"]);
      const entries = await auditEntries({ action: "user.change", objectId: target.userId });
      expect(JSON.stringify(entries)).not.toMatch(/currentPassword|long/);
    }
  });

  it("need their own password to demote another admin, so that no admin's address is changed without it", async () => {
    const { companyId, ask } = await newOffice();
    const { userId, token } = await createUser(companyId, "admin");
    const patch = (body: object) => ask("PATCH", `/v1/users/${userId}`, body);
    const row = () => env.DB_0.prepare("select * from users where id = ?").bind(userId).first();
    const before = await row();
    for (const sent of [{ role: "user" }, { role: "readonly", email: newEmail() }]) {
      expectProblem(await patch(sent), 400, "/currentPassword");
      expectProblem(await patch({ ...sent, currentPassword: "not my password" }), 400, "/currentPassword");
    }
    expect(await row()).toEqual(before);
    expect((await patch({ role: "admin", name: "Same" })).status).toBe(200);
    const { body } = await call("GET", "/v1/notifications", { token });
    expect(body.data).toEqual([]);
    expect((await patch({ role: "user", currentPassword: password })).body).toMatchObject({ role: "user" });
    const sql = "select title from notifications where user_id = ?";
    expect(await env.DB_0.prepare(sql).bind(userId).first("title")).toBe("Your role was changed");
  });

  it("may try as many passwords as in a login when they change another admin", async () => {
    const { companyId } = await createCompany();
    const actor = await createUser(companyId, "admin", { password });
    const target = await createUser(companyId, "admin");
    const body = { email: newEmail(), currentPassword: "not my password" };
    const headers = { "cf-connecting-ip": "192.0.2.77" };
    const patch = (sent: object) => call("PATCH", `/v1/users/${target.userId}`, { token: actor.token, body: sent, headers });
    for (let i = 0; i < 10; i++) expectProblem(await patch(body), 400, "/currentPassword");
    expectProblem(await patch({ ...body, currentPassword: password }), 429);
  });

  it("need no password to change how a user without administration signs in, and are refused before any password check", async () => {
    const { companyId, ask } = await newOffice();
    for (const role of ["user", "readonly"] as const) {
      const { userId } = await createUser(companyId, role);
      expect((await ask("PATCH", `/v1/users/${userId}`, { email: newEmail() })).status).toBe(200);
      const { results } = await env.DB_0.prepare("select 1 from notifications where user_id = ?").bind(userId).all();
      expect(results).toEqual([]);
    }
    const { userId } = await createUser(companyId, "superadmin");
    expectProblem(await ask("PATCH", `/v1/users/${userId}`, { email: newEmail() }), 403);
  });

  it("cannot lock themselves out", async () => {
    const { userId, ask } = await newOffice("superuser");
    const path = `/v1/users/${userId}`;
    expectProblem(await ask("PATCH", path, { role: "admin" }), 409);
    expectProblem(await ask("PATCH", path, { isActive: false }), 409);
    expectProblem(await ask("DELETE", path), 409);
    expect((await ask("PATCH", path, { name: "Me", role: "superuser" })).status).toBe(200);
  });
});

describe("a gateway token", () => {
  it("is shown once, stored as its hash, valid only for ingest, and refused within 30 s of its end", async () => {
    const { ask, made, companyId } = await newOffice();
    const { token, id } = await made("/v1/gateway-tokens", { name: "Hall 1" });
    expect(token).toMatch(/^andon_gw_[0-9a-z]+_[\w-]{43}$/);
    expect(Number.parseInt(token.split("_")[2], 36)).toBe(companyId);
    const row = await env.DB_0.prepare("select * from gateway_tokens where id = ?").bind(id).first();
    expect(row).toMatchObject({ token_hash: createHash("sha256").update(token).digest("hex"), revoked_at: null });
    expect(JSON.stringify(row)).not.toContain(token);
    for (const path of ["/v1/gateway-tokens", `/v1/gateway-tokens/${id}`]) {
      expect(JSON.stringify((await ask("GET", path)).body)).not.toMatch(/andon_gw_|token"/);
    }
    const send = () =>
      call("POST", "/v1/ingest", { token, body: { events: [{ type: "heartbeat", at: new Date().toISOString(), nodeId: 1 }] } });
    expect((await send()).status).toBe(200);
    expectProblem(await call("GET", "/v1/machines", { token }), 403);
    expect((await ask("DELETE", `/v1/gateway-tokens/${id}`)).status).toBe(204);
    letPass(31_000);
    expectProblem(await send(), 401);
  });
});

describe("a dashboard", () => {
  const l10n = { en: "Stops", es: "Paradas" };
  const texts = { title: l10n, description: l10n, spec: {} };

  it("keeps, changes, adds and removes its instances", async () => {
    const { companyId, userId, ask, made } = await newOffice();
    const [own, system] = [await createWidget(companyId), await createWidget(null)];
    const sent = [
      { widgetId: own.id, specOverride: { limit: 5 }, visualConfig: { x: 0 } },
      { widgetId: system.id, specOverride: {}, visualConfig: { x: 1 } },
    ];
    const dashboard = await made("/v1/dashboards", { ...texts, instances: sent });
    const path = `/v1/dashboards/${dashboard.id}`;
    expect(dashboard.instances).toHaveLength(2);
    // In the order in which they were sent.
    expect(dashboard.instances).toEqual(sent.map((one) => expect.objectContaining(one)));
    expect((await ask("GET", `/v1/dashboards/${dashboard.id}`)).body.instances).toEqual(dashboard.instances);
    const [first, second] = sent.map(({ widgetId }) =>
      dashboard.instances.find((one: { widgetId: string }) => one.widgetId === widgetId),
    );
    expect(first).toMatchObject({ dashboardId: dashboard.id, deletedAt: null, widget: { id: own.id, isSystem: false } });
    await createFavorite(userId, dashboard.id);

    const instances = [{ id: first.id, widgetId: own.id, specOverride: { limit: 9 } }, { widgetId: own.id }];
    const changed = (await ask("PATCH", path, { instances })).body;
    expect(changed).toMatchObject({ isFavorited: true, title: l10n });
    expect(changed.instances).toHaveLength(2);
    const kept = changed.instances.find((one: { id: string }) => one.id === first.id);
    expect(kept).toMatchObject({ specOverride: { limit: 9 }, visualConfig: {}, createdAt: first.createdAt });
    expect(changed.instances.map(({ id }: { id: string }) => id)).not.toContain(second.id);

    const foreign = await createWidget((await createCompany()).companyId);
    const theirs = await createInstance({ dashboardId: (await createDashboard(companyId)).id, widgetId: own.id });
    expectProblem(
      await ask("PATCH", path, { instances: [{ widgetId: own.id }, { widgetId: foreign.id }] }),
      400,
      "/instances/1/widgetId",
    );
    for (const id of [theirs.id, second.id]) {
      expectProblem(await ask("PATCH", path, { instances: [{ id, widgetId: own.id }] }), 400, "/instances/0/id");
    }
    expect((await ask("GET", path)).body).toEqual(changed);
  });

  it("can be restored from the archive", async () => {
    const { ask, made } = await newOffice();
    const { id } = await made("/v1/dashboards", texts);
    expect((await ask("PATCH", `/widgets/dashboards/${id}/archive`)).body.archivedAt).toMatch(/Z$/);
    const opened = await ask("POST", `/v1/dashboards/${id}/unarchive`);
    expect(opened).toMatchObject({ status: 200, body: { id, archivedAt: null } });
    expect((await ask("GET", `/v1/dashboards/${id}`)).body).toEqual(opened.body);
    expect((await ask("POST", `/v1/dashboards/${id}/unarchive`)).status).toBe(200);
    expectProblem(await (await newOffice()).ask("POST", `/v1/dashboards/${id}/unarchive`), 404);
  });

  it("of the system is visible to all and changed only by superusers, like a widget", async () => {
    const { ask } = await newOffice("superadmin");
    const superuser = await newOffice("superuser");
    const widget = await createWidget((await createCompany()).companyId);
    for (const path of ["/v1/widgets", "/v1/dashboards"]) {
      expectProblem(await ask("POST", path, { ...texts, isSystem: true }), 403);
      const made = await superuser.made(path, { ...texts, isSystem: true });
      expect(made.isSystem).toBe(true);
      expect((await ask("GET", `${path}/${made.id}`)).body).toEqual(made);
      expect((await ask("GET", `${path}?limit=500`)).body.data).toContainEqual(made);
      expectProblem(await ask("PATCH", `${path}/${made.id}`, { spec: {} }), 403);
      expectProblem(await ask("DELETE", `${path}/${made.id}`), 403);
      expect((await superuser.ask("PATCH", `${path}/${made.id}`, { spec: { a: 1 } })).body).toMatchObject({ spec: { a: 1 } });
      if (path === "/v1/dashboards") {
        const instances = [{ widgetId: widget.id }];
        expectProblem(await superuser.ask("PATCH", `${path}/${made.id}`, { instances }), 400, "/instances/0/widgetId");
      }
      expect((await superuser.ask("DELETE", `${path}/${made.id}`)).status).toBe(204);
    }
  });

  it("refuses a spec that is nested too deeply", async () => {
    const { ask } = await newOffice();
    const deep = (depth: number) => JSON.parse(`${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`);
    expect((await ask("POST", "/v1/dashboards", { ...texts, spec: deep(50) })).status).toBe(201);
    expectProblem(await ask("POST", "/v1/dashboards", { ...texts, spec: deep(51) }), 400, "/spec");
    expectProblem(await ask("POST", "/v1/widgets", { ...texts, spec: deep(5000) }), 400, "/spec");
  });
});
