import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { describe, expect, it } from "vitest";
import { createApp } from "../../src/http/app.ts";
import type { HonoEnv } from "../../src/http/env.ts";
import { allow, open } from "../../src/http/permission.ts";

// A route that does not declare who may call it must not exist: a Worker with such a route does not start.

const responses = { 200: { description: "OK", content: { "application/json": { schema: z.object({}) } } } };
const route = { method: "post", path: "/probe/{id}", responses } as const;

describe("a route without its own access rule", () => {
  it.each([
    ["described", () => createApp().openapi(createRoute(route), (c) => c.json({}, 200)), "POST /probe/:id"],
    [
      "described as open, and no more than that",
      () => createApp().openapi(createRoute({ ...route, security: [] }), (c) => c.json({}, 200)),
      "POST /probe/:id",
    ],
    [
      "with a guard that comes too late",
      () => {
        const middleware = [async (_c: unknown, next: () => Promise<void>) => next(), open().middleware];
        return createApp().openapi(createRoute({ ...route, middleware }), (c) => c.json({}, 200));
      },
      "POST /probe/:id",
    ],
    ["plain", () => createApp().get("/plain", (c) => c.text("")), "GET /plain"],
    ["of all methods", () => createApp().all("/all", (c) => c.text("")), "ALL /all"],
    ["for all paths", () => createApp().use(async (_c, next) => next()), "ALL /*"],
    [
      "of another app",
      () =>
        createApp().route(
          "/sub",
          new OpenAPIHono<HonoEnv>().get("/x", (c) => c.text("")),
        ),
      "GET /sub/x",
    ],
  ])("is refused at the start: %s", (_what, start, name) => {
    expect(start).toThrow(`${name} `);
  });

  it("is accepted with one", () => {
    const app = createApp();
    app.openapi(createRoute({ ...route, ...allow("admin") }), (c) => c.json({}, 200));
    app.get("/plain", open().middleware, (c) => c.text(""));
    expect(app.routes.some(({ path }) => path === "/plain")).toBe(true);
  });
});
