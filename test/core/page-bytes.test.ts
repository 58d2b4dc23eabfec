import { env } from "cloudflare:workers";
import { drizzle } from "drizzle-orm/d1";
import { describe, expect, it } from "vitest";
import { widgets } from "../../src/db/schema.ts";
import { call } from "../support/call.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { createCompany, createUser } from "../support/factories.ts";

const MEBIBYTE = 1024 * 1024;
const title = { en: "Stops", es: "Paradas" };

/** A company with widgets whose specs have these many characters. */
async function withWidgets(sizes: readonly number[]) {
  const { companyId } = await createCompany();
  const { token } = await createUser(companyId, "admin");
  const stamps = { createdAt: 1, updatedAt: 1, deletedAt: null };
  const [head] = sizes.keys();
  expect(head).toBe(0);
  const prefix = crypto.randomUUID().slice(0, 8);
  for (const [i, size] of sizes.entries()) {
    const id = `${prefix}-${String(i).padStart(4, "0")}`;
    const own = { id, companyId, title, description: title, spec: { filler: "x".repeat(size) }, isSystem: false };
    await drizzle(env.DB_0)
      .insert(widgets)
      .values({ ...own, featureRequirements: "", labels: "", ...stamps } as never);
  }
  return { companyId, token, idOf: (i: number) => `${prefix}-${String(i).padStart(4, "0")}` };
}

/** All pages of the company's own widgets. */
async function pagesOf(token: string, limit: number) {
  const pages: { ids: string[]; bytes: number; rowsRead: number }[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { status, body } = await call("GET", `/v1/widgets?limit=${limit}${cursor && `&cursor=${cursor}`}`, { token });
    expect(status).toBe(200);
    const own = body.data.filter(({ companyId }: { companyId?: number }) => companyId !== null);
    pages.push({ ids: own.map(({ id }: { id: string }) => id), bytes: JSON.stringify(body).length, rowsRead: own.length });
    cursor = body.cursor;
  }
  return pages;
}

describe("a page of a list", () => {
  it("ends where its JSON would be longer than 1 MiB, and the next one goes on from there", async () => {
    const sizes = Array.from({ length: 24 }, (_, i) => (i % 3 === 0 ? 400_000 : 90_000));
    const { token, idOf } = await withWidgets(sizes);
    const pages = await pagesOf(token, 500);
    expect(pages.length).toBeGreaterThan(4);
    expect(Math.max(...pages.map(({ bytes }) => bytes))).toBeLessThan(MEBIBYTE + 200);
    const ids = pages.flatMap((page) => page.ids).filter((id) => id.startsWith(idOf(0).slice(0, 8)));
    expect(ids).toEqual(sizes.map((_, i) => idOf(i)));
  });

  it("has at least one item, however large", async () => {
    const { token, idOf } = await withWidgets([10, 1_200_000, 1_300_000, 10]);
    const ids = (await pagesOf(token, 50)).flatMap((page) => page.ids);
    expect(ids.filter((id) => id.startsWith(idOf(0).slice(0, 8)))).toEqual([0, 1, 2, 3].map(idOf));
  });

  it("is complete in a file, which is read in such pages", async () => {
    const { token, idOf } = await withWidgets(Array<number>(12).fill(300_000));
    const { body } = await call("GET", "/v1/widgets?format=ndjson", { token });
    const ids = body.split("\n").flatMap((line: string) => (line ? [JSON.parse(line).id] : []));
    expect(ids.filter((id: string) => id.startsWith(idOf(0).slice(0, 8)))).toHaveLength(12);
  });
});

describe("an object whose content is up to the client", () => {
  it("is refused above 64 KiB of JSON, wherever it is written", async () => {
    const { companyId } = await createCompany();
    const { token } = await createUser(companyId, "admin");
    const map = (bytes: number) => ({ filler: "x".repeat(bytes - '{"filler":""}'.length) });
    const fits = await call("POST", "/v1/widgets", { token, body: { title, description: title, spec: map(64 * 1024) } });
    expect(fits.status).toBe(201);
    const large = map(64 * 1024 + 1);
    const refused = await call("POST", "/v1/widgets", { token, body: { title, description: title, spec: large } });
    expectProblem(refused, 400, "/spec");
    expect(refused.body.errors[0].code).toBe("too_big");
    const instance = { widgetId: fits.body.id, specOverride: large, visualConfig: large };
    const body = { title, description: title, spec: large, instances: [instance] };
    const pointers = ["/instances/0/specOverride", "/instances/0/visualConfig", "/spec"];
    expectProblem(await call("POST", "/v1/dashboards", { token, body }), 400, ...pointers);
    // 64 KiB in bytes, not in characters.
    expectProblem(await call("PUT", "/v1/config", { token, body: { config: { filler: "ñ".repeat(33_000) } } }), 413);
  });

  it("stays readable if a larger one is stored, and does not prevent changes of other members", async () => {
    const { token, idOf } = await withWidgets([900_000]);
    const changed = await call("PATCH", `/v1/widgets/${idOf(0)}`, { token, body: { labels: "line" } });
    expect(changed.status).toBe(200);
    const { body } = await call("GET", `/v1/widgets/${idOf(0)}`, { token });
    expect([body.labels, body.spec.filler.length]).toEqual(["line", 900_000]);
  });
});
