import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { dashboard as dashboardSchema } from "../../../../src/api/widgets/shapes.ts";
import { roles } from "../../../../src/db/schema.ts";
import { auditEntries } from "../../../support/audit.ts";
import { type CallOptions, call } from "../../../support/call.ts";
import { expectProblem } from "../../../support/expect-problem.ts";
import { createCompany, createUser } from "../../../support/factories.ts";
import { overtakenBy } from "../../../support/overtaken.ts";
import {
  createDashboard,
  createFavorite,
  createInstance,
  createWidget,
  dashboardShape,
  instanceShape,
  widgetShape,
} from "../../../support/widgets.ts";

const archive = (token: string, id: string, via?: CallOptions["via"]) =>
  call("PATCH", `/widgets/dashboards/${id}/archive`, { token, ...(via && { via }) });
const newUser = async (role: (typeof roles)[number] = "user") => createUser((await createCompany()).companyId, role);
const archivedAtOf = (id: string) =>
  env.DB_0.prepare("select archived_at from dashboards where id = ?").bind(id).first("archived_at");

describe("archiving a dashboard", () => {
  it("returns the whole dashboard, in the contract's shape and two trips", async () => {
    const { token, companyId, userId } = await newUser();
    const row = await createDashboard(companyId, { thumbnailKey: "a.png", compressedThumbnailKey: "b.webp" });
    const own = await createWidget(companyId, { thumbnailKey: "c.gif" });
    const system = await createWidget(null, { deletedAt: Date.UTC(2026, 1, 1) });
    const at = row.createdAt;
    const first = await createInstance({ dashboardId: row.id, widgetId: own.id }, { createdAt: at });
    const second = await createInstance({ dashboardId: row.id, widgetId: system.id }, { createdAt: at + 1 });
    await createInstance({ dashboardId: row.id, widgetId: own.id }, { deletedAt: at });
    await createInstance({ dashboardId: (await createDashboard(companyId)).id, widgetId: own.id });
    await createFavorite(userId, row.id);
    await createFavorite(userId, system.id);
    await createFavorite((await createUser(companyId, "user")).userId, own.id);

    const before = Date.now();
    const { status, body, headers } = await archive(token, row.id);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toEqual({
      ...dashboardShape(row),
      isFavorited: true,
      thumbnailUrl: "http://andon.test/thumbnails/a.png",
      compressedThumbnailUrl: "http://andon.test/thumbnails/b.webp",
      archivedAt: body.updatedAt,
      updatedAt: expect.any(String),
      instances: [
        instanceShape(first, { ...widgetShape(own), thumbnailUrl: "http://andon.test/thumbnails/c.gif" }),
        instanceShape(second, { ...widgetShape(system), isFavorited: true }),
      ],
    });
    dashboardSchema.strict().parse(body);
    expect(Date.parse(body.archivedAt)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(body.archivedAt)).toBeLessThanOrEqual(Date.now());
    expect(new Date(body.archivedAt).toISOString()).toBe(body.archivedAt);
    expect(headers.get("server-timing")).toContain('desc="3 trips"');
  });

  it("happens once: repeats, also at the same time, return the first result", async () => {
    const { token, companyId } = await newUser("readonly");
    const { id } = await createDashboard(companyId);
    const answers = await Promise.all(Array.from({ length: 5 }, () => archive(token, id)));
    answers.push(await archive(token, id));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);

    const old = await createDashboard(companyId, { archivedAt: Date.UTC(2020, 0, 1) });
    expect((await archive(token, old.id)).body).toEqual(dashboardShape(old));
  });

  it("includes what others changed between reading and writing", async () => {
    const { token, companyId } = await createUser((await createCompany()).companyId, "admin");
    const { id } = await createDashboard(companyId);
    const body = { title: { en: "Renamed", es: "Otro" } };
    const renames = () => call("PATCH", `/v1/dashboards/${id}`, { token, body });
    const others: string[] = [];
    const archives = async () => others.push((await archive(token, id)).body.archivedAt);
    expect((await archive(token, id, overtakenBy(renames, archives))).body).toMatchObject({ ...body, archivedAt: others[0] });
    const entries = await auditEntries({ action: "dashboard.archive", objectId: id });
    expect(entries.map(({ after }) => after)).toEqual([{ archivedAt: others[0] }]);
  });

  it("needs no body and ignores one", async () => {
    const { token, companyId } = await newUser();
    const path = `/widgets/dashboards/${(await createDashboard(companyId)).id}/archive`;
    for (const body of [undefined, "", "{", { archivedAt: null }]) {
      const answer = await call("PATCH", path, { token, body });
      expect(answer.status).toBe(200);
      expect(answer.body.archivedAt).not.toBeNull();
    }
    expect((await call("PATCH", path, { token, body: "x", headers: { "content-type": "text/plain" } })).status).toBe(200);
  });

  it("of the system is only for superusers", async () => {
    const { id } = await createDashboard(null);
    for (const role of roles.filter((one) => one !== "superuser")) {
      expectProblem(await archive((await newUser(role)).token, id), 403);
      expect(await archivedAtOf(id)).toBeNull();
    }
    const { status, body } = await archive((await newUser("superuser")).token, id);
    expect(status).toBe(200);
    expect(body).toMatchObject({ isSystem: true, archivedAt: expect.any(String) });
    expectProblem(await archive((await newUser()).token, id), 403);
  });

  it("of another company is a 404, except for a superuser", async () => {
    const { id } = await createDashboard((await createCompany()).companyId);
    for (const role of roles.filter((one) => one !== "superuser")) {
      expectProblem(await archive((await newUser(role)).token, id), 404);
      expect(await archivedAtOf(id)).toBeNull();
    }
    expect((await archive((await newUser("superuser")).token, id)).status).toBe(200);
    expect(await archivedAtOf(id)).toEqual(expect.any(Number));
  });

  it("that is deleted or never existed is a 404", async () => {
    const { token, companyId } = await newUser();
    const deleted = await createDashboard(companyId, { deletedAt: Date.now() });
    for (const id of [deleted.id, crypto.randomUUID(), "%00", "%ED%A0%80", "%FF", "'", "x".repeat(5000)]) {
      expectProblem(await archive(token, id), 404);
    }
    expect(await archivedAtOf(deleted.id)).toBeNull();
  });
});
