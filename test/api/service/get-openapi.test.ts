import { describe, expect, it } from "vitest";
import packageJson from "../../../package.json" with { type: "json" };
import { eventTypes } from "../../../src/db/values.ts";
import { about } from "../../../src/http/openapi/about.ts";
import { describeApi } from "../../../src/http/openapi/describe-api.ts";
import { router } from "../../../src/router.ts";
import routerText from "../../../src/router.ts?raw";
import { call } from "../../support/call.ts";

const document = describeApi(router);
const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, ...operation })),
);

describe("GET /openapi.json", () => {
  it("gives the document to anyone, and 304 to those who have it", async () => {
    const answer = await call("GET", "/openapi.json");
    expect(answer.status).toBe(200);
    const { webhooks, ...described } = answer.body;
    expect(described.info.version).toBe(packageJson.version);
    expect(described).toEqual(JSON.parse(JSON.stringify(document)));
    expect(Object.keys(webhooks)).toEqual([...eventTypes]);
    expect(answer.headers.get("cache-control")).toBe("public, no-cache");
    const etag = answer.headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const again = await call("GET", "/openapi.json", { headers: { "if-none-match": known } });
      expect([again.status, again.body, again.headers.get("etag")]).toEqual([304, null, etag]);
    }
    expect((await call("GET", "/openapi.json", { headers: { "if-none-match": '"other"' } })).status).toBe(200);
  });

  it("has a unique name for each operation, which is that of its file", () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(ids.filter((id) => !/^[a-z][A-Za-z]+$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    const files = [...routerText.matchAll(/^router\.openapi\((\w+)\.contract/gm)].map(([, name]) => name);
    expect(ids).toEqual(expect.arrayContaining(files));
  });

  it.each(operations)("describes $name", ({ summary, description, tags, parameters = [], responses, security }) => {
    expect(summary).toMatch(/^[A-Z].*[^.]$/);
    expect(description).toMatch(/\*\*Who may call:\*\* .+\.$/);
    expect(tags.map((tag: string) => about.tags.some(({ name }) => name === tag))).toEqual([true]);
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(["500", ...(security.length > 0 ? ["401", "403"] : [])]));
    const bookmark = { $ref: "#/components/parameters/Bookmark" };
    expect(parameters).toEqual(security.length > 0 ? expect.arrayContaining([bookmark]) : expect.not.arrayContaining([bookmark]));
  });

  it("describes the events, although each is checked separately", () => {
    const { schemas } = document.components ?? {};
    expect(JSON.stringify(schemas?.IngestBody)).toContain('"items":{"$ref":"#/components/schemas/IngestEvent"}');
    expect(JSON.stringify(schemas?.IngestEvent)).toMatch(/"heartbeat".*"running".*"operatorId".*"workOrderId"/);
  });

  it("describes roles, permissions and repeated requests", () => {
    const text = (name: string) => JSON.stringify(operations.find((one) => one.name === name));
    expect(text("POST /v1/public/reports/metrics")).toContain("**Who may call:** superuser.");
    expect(text("DELETE /config")).toContain("users whose role is granted `configs:write`, and superusers.");
    expect(text("POST /identity/login")).toContain("anyone, without a token.");
    expect(text("POST /tags/key")).toContain("#/components/parameters/IdempotencyKey");
    expect(text("DELETE /config")).not.toContain("IdempotencyKey");
    expect(text("POST /tags/key")).not.toContain("x-idempotent");
  });
});
