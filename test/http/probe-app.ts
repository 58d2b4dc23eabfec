import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { createRoute, z } from "@hono/zod-openapi";
import { findAccount } from "../../src/core/queries.ts";
import { createApp } from "../../src/http/app.ts";
import { allow, allowGateway, open } from "../../src/http/permission.ts";
import { problemResponses } from "../../src/http/problem.ts";
import { db } from "../../src/http/session.ts";

// The service's middleware, with operations that show what passes it.

const app = createApp();
const json = <S extends z.ZodType>(schema: S) => ({ content: { "application/json": { schema } } });
const ok = { 200: { description: "OK", ...json(z.unknown()) }, ...problemResponses(400) };

app.openapi(createRoute({ method: "get", path: "/probe/me", ...allow("admin", "user"), responses: ok }), (c) =>
  c.json(c.var.actor, 200),
);
app.openapi(createRoute({ method: "get", path: "/probe/kept", ...allow("user"), responses: ok }), (c) =>
  c.json({}, 200, { "cache-control": "public, max-age=60" }),
);
app.openapi(createRoute({ method: "get", path: "/probe/gateway", ...allowGateway(), responses: ok }), (c) =>
  c.json(c.var.actor, 200),
);

const entry = z.strictObject({ "a/b": z.int().min(1), name: z.string().optional() });
const shapes = {
  params: z.object({ id: z.coerce.number().int() }),
  query: z.object({ limit: z.coerce.number().max(9).optional() }),
  body: { required: true, ...json(z.object({ entries: z.array(entry).optional() })) },
};
app.openapi(createRoute({ method: "post", path: "/probe/shapes/{id}", ...open(), request: shapes, responses: ok }), (c) =>
  c.json(c.req.valid("json"), 200),
);
app.openapi(
  createRoute({ method: "post", path: "/probe/large", ...open({ maxBodyBytes: 5_000_000 }), responses: ok }),
  async (c) => c.json((await c.req.arrayBuffer()).byteLength, 200),
);
app.openapi(createRoute({ method: "get", path: "/probe/read", ...open(), responses: ok }), async (c) => {
  await findAccount(db(c), 0);
  return c.json({}, 200);
});
app.openapi(createRoute({ method: "get", path: "/probe/failure", ...open(), responses: ok }), (c) => {
  throw new Error(c.req.query("message") ?? "a secret detail");
});
app.openapi(createRoute({ method: "get", path: "/probe/cacheable", ...open(), responses: ok }), (c) =>
  c.json({}, 200, { "cache-control": "public, max-age=60" }),
);

// An object behind the middleware, which echoes what a socket sends it.
app.openapi(createRoute({ method: "get", path: "/probe/socket", ...allow("user"), responses: ok }), async (c) => {
  const { ECHO } = c.env as unknown as { ECHO: Fetcher };
  return (await ECHO.fetch(c.req.raw)) as never;
});

/** Creates a function that sends requests to the probe, optionally with changed bindings: the same ones for each request, as in an isolate. */
export function probe(changes: Partial<Env> = {}) {
  const bindings = { ...env, ...changes };
  return async (request: Request) => app.fetch(request, bindings, createExecutionContext());
}
