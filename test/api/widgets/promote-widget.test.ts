import { env, exports } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { widget as widgetSchema } from "../../../src/api/widgets/shapes.ts";
import type { Role } from "../../../src/db/schema.ts";
import { type CallOptions, call } from "../../support/call.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { createCompany, createUser } from "../../support/factories.ts";
import { overtakenBy } from "../../support/overtaken.ts";
import { createFavorite, createWidget, widgetShape } from "../../support/widgets.ts";

const path = "/widgets/system/promote";
const newUser = async (role: Role = "superadmin") => createUser((await createCompany()).companyId, role);
const promote = (token: string, sourceCompanyId: unknown, widgetId: unknown, key?: string, via?: CallOptions["via"]) =>
  call("POST", path, {
    token,
    body: { sourceCompanyId, widgetId },
    ...(key && { headers: { "idempotency-key": key } }),
    ...(via && { via }),
  });
const copiesOf = async (widgetId: string) =>
  (await env.DB_0.prepare("select * from widgets where source_widget_id = ?").bind(widgetId).all()).results;

describe("promoting a widget", () => {
  it("returns its copy in the system set, in the contract's shape and two trips", async () => {
    const { token, companyId, userId } = await newUser();
    const labels = 'a "b" \\ \u0001 \u007f \u2028 ñ 😀';
    const spec = { "2": 1, "1": [1e21, 1e-7, -0.5, null, true], "": { text: labels } };
    const source = await createWidget(companyId, { labels, spec, thumbnailKey: "a.png", compressedThumbnailKey: "b.webp" });
    await createFavorite(userId, source.id);
    const { status, body, headers } = await promote(token, companyId, source.id);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toEqual({
      ...widgetShape(source),
      id: expect.any(String),
      isSystem: true,
      thumbnailUrl: "http://andon.test/thumbnails/a.png",
      compressedThumbnailUrl: "http://andon.test/thumbnails/b.webp",
      createdAt: body.updatedAt,
      updatedAt: expect.any(String),
    });
    widgetSchema.strict().parse(body);
    expect(body.id).not.toBe(source.id);
    expect(Math.abs(Date.parse(body.createdAt) - Date.now())).toBeLessThan(5000);
    expect(headers.get("server-timing")).toContain('desc="3 trips"');
    const [copy] = await copiesOf(source.id);
    expect(copy).toMatchObject({ id: body.id, company_id: null, deleted_at: null });
  });

  it("again updates that copy, or restores a deleted one", async () => {
    const { token, companyId, userId } = await newUser();
    const source = await createWidget(companyId);
    const first = await promote(token, companyId, source.id);
    await createFavorite(userId, first.body.id);
    await env.DB_0.batch([
      env.DB_0.prepare(
        `update widgets set title = '{"en":"New","es":"Nuevo"}', labels = 'new', thumbnail_key = 'n.png' where id = ?`,
      ).bind(source.id),
      env.DB_0.prepare("update widgets set deleted_at = 1 where id = ?").bind(first.body.id),
    ]);
    const second = await promote(token, companyId, source.id);
    expect(second.status).toBe(200);
    expect(second.body).toEqual({
      ...first.body,
      title: { en: "New", es: "Nuevo" },
      labels: "new",
      thumbnailUrl: "http://andon.test/thumbnails/n.png",
      isFavorited: true,
      updatedAt: expect.any(String),
    });
    expect(await copiesOf(source.id)).toHaveLength(1);
  });

  it("creates one copy when several callers promote the widget at once", async () => {
    const { token, companyId } = await newUser();
    const source = await createWidget(companyId);
    const answers = await Promise.all(Array.from({ length: 6 }, () => promote(token, companyId, source.id)));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    const [copy, ...others] = await copiesOf(source.id);
    expect(others).toEqual([]);
    expect(new Set(answers.map(({ body }) => body.id))).toEqual(new Set([copy?.id]));
  });

  it("uses the widget and the copy as they are at the time of the write", async () => {
    const { token, companyId } = await newUser();
    const source = await createWidget(companyId);
    const changes = () => call("PATCH", `/v1/widgets/${source.id}`, { token, body: { labels: "changed meanwhile" } });
    const promotes = () => promote(token, companyId, source.id);
    const { body } = await promote(token, companyId, source.id, undefined, overtakenBy(promotes, changes));
    expect(body.labels).toBe("changed meanwhile");
    expect(await copiesOf(source.id)).toMatchObject([{ id: body.id, labels: "changed meanwhile" }]);
  });

  it("is possible in a superadmin's own company, and in any for a superuser", async () => {
    const other = await createCompany();
    const source = await createWidget(other.companyId);
    const superadmin = await newUser();
    expectProblem(await promote(superadmin.token, other.companyId, source.id), 404, "/widgetId");
    expectProblem(await promote(superadmin.token, superadmin.companyId, source.id), 404, "/widgetId");
    expect(await copiesOf(source.id)).toEqual([]);
    expect((await promote((await newUser("superuser")).token, other.companyId, source.id)).status).toBe(200);
  });

  it("is a 404 for another company's, a deleted, a system or an unknown widget", async () => {
    const { token, companyId } = await newUser("superuser");
    const foreign = await createWidget((await createCompany()).companyId);
    const deleted = await createWidget(companyId, { deletedAt: Date.now() });
    const system = await createWidget(null);
    for (const widgetId of [foreign.id, deleted.id, system.id, crypto.randomUUID(), "", "'"]) {
      expectProblem(await promote(token, companyId, widgetId), 404, "/widgetId");
      expect(await copiesOf(widgetId)).toEqual([]);
    }
    expectProblem(await promote(token, 2 ** 50, foreign.id), 404, "/widgetId");
  });

  it("does not change the copy if the source is deleted", async () => {
    const { token, companyId } = await newUser();
    const source = await createWidget(companyId);
    await promote(token, companyId, source.id);
    const before = await copiesOf(source.id);
    await env.DB_0.prepare("update widgets set deleted_at = 1 where id = ?").bind(source.id).run();
    expectProblem(await promote(token, companyId, source.id), 404, "/widgetId");
    expect(await copiesOf(source.id)).toEqual(before);
  });

  it("names each fault of the body", async () => {
    const { token, companyId } = await newUser();
    const widgetId = (await createWidget(companyId)).id;
    const post = (body: unknown) => call("POST", path, { token, body });
    for (const sourceCompanyId of [null, String(companyId), 1.5, 0, -1, 2 ** 53 + 2, [companyId]]) {
      expectProblem(await post({ sourceCompanyId, widgetId }), 400, "/sourceCompanyId");
    }
    for (const bad of [null, 1, [widgetId], "x".repeat(101), "a\0b", "\ud800"]) {
      expectProblem(await post({ sourceCompanyId: companyId, widgetId: bad }), 400, "/widgetId");
    }
    expectProblem(await post({}), 400, "/sourceCompanyId", "/widgetId");
    expectProblem(await post("[]"), 400, "");
    expectProblem(await post("{"), 400, "");
    expectProblem(await call("POST", path, { token }), 400, "");
    expectProblem(await call("POST", path, { token, body: "a=b", headers: { "content-type": "text/plain" } }), 415);
    expect(await copiesOf(widgetId)).toEqual([]);
    expect((await post({ sourceCompanyId: companyId, widgetId, unknown: 1 })).status).toBe(200);
  });
});

describe("an Idempotency-Key", () => {
  it("returns the first answer again, byte for byte, and does nothing", async () => {
    const { token, companyId } = await newUser();
    const source = await createWidget(companyId, { labels: 'a "b" \\ \u0001 \u2028 ñ 😀', spec: { "2": 1e21, "1": [1e-7] } });
    const ask = async () => {
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", "idempotency-key": "k-1" };
      const body = JSON.stringify({ sourceCompanyId: companyId, widgetId: source.id });
      const answer = await exports.default.fetch(new Request(`http://andon.test${path}`, { method: "POST", headers, body }));
      return {
        text: await answer.text(),
        replayed: answer.headers.get("idempotent-replayed"),
        type: answer.headers.get("content-type"),
      };
    };
    const first = await ask();
    expect(first.replayed).toBeNull();
    const stored = await copiesOf(source.id);
    await env.DB_0.prepare("update widgets set labels = 'later' where id = ?").bind(source.id).run();
    const second = await ask();
    expect(second).toEqual({ ...first, replayed: "true" });
    expect(await copiesOf(source.id)).toEqual(stored);
    expectProblem(await promote(token, companyId, crypto.randomUUID(), "k-1"), 409);
  });

  it("that is sent twice at the same time works once, and a failure is not stored", async () => {
    const { token, companyId } = await newUser();
    const source = await createWidget(companyId, { deletedAt: 1 });
    expectProblem(await promote(token, companyId, source.id, "k-2"), 404);
    await env.DB_0.prepare("update widgets set deleted_at = null where id = ?").bind(source.id).run();
    const answers = await Promise.all(Array.from({ length: 4 }, () => promote(token, companyId, source.id, "k-2")));
    expect(answers.map(({ status }) => status)).toEqual(Array(4).fill(200));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get("idempotent-replayed") === null)).toHaveLength(1);
  });
});
