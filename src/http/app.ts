import { OpenAPIHono, type RouteConfig } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { methodNotAllowed } from "hono/method-not-allowed";
import { requestId } from "hono/request-id";
import { configOf } from "../core/config.ts";
import { notFound, Problem } from "../core/problem.ts";
import { answerHeaders } from "./answer-headers.ts";
import { asksFirst } from "./ask-machines.ts";
import { bindsMachines } from "./bound-machines.ts";
import { notesCreation } from "./created.ts";
import { crossOrigin } from "./cross-origin.ts";
import type { HonoEnv } from "./env.ts";
import { tagsItem, withEtag } from "./etag.ts";
import { httpsOnly } from "./https-only.ts";
import { pace } from "./local-pacing.ts";
import { onError } from "./on-error.ts";
import { showsNames } from "./operator-names.ts";
import { isGuard } from "./permission.ts";
import { problemResponse } from "./problem.ts";
import { requestLog } from "./request-log.ts";
import { refuseIfMatch, validationOf } from "./validation.ts";

/** The parts of the API that apply to all operations. The operations are added by the router. */
export function createApp(): OpenAPIHono<HonoEnv> {
  const app = new OpenAPIHono<HonoEnv>();
  app.use(requestId({ headerName: "" }), requestLog, answerHeaders, checkConfig, pace, httpsOnly, crossOrigin);
  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed: (c, methods) => {
        const allowed = [...methods, "OPTIONS"].join(", ");
        if (c.req.method === "OPTIONS") return c.body(null, 204, { allow: allowed });
        return problemResponse(c, new Problem(405, `This path allows ${allowed}.`, { headers: { allow: allowed } }));
      },
    }),
  );
  app.notFound((c) => problemResponse(c, notFound("There is no operation at this path: see /docs.")));
  app.onError(onError);
  requireGuards(app);
  addRules(app);
  return app;
}

/** Answers 503 while a variable or secret is wrong, so that nothing runs with an incomplete configuration. */
const checkConfig: MiddlewareHandler<HonoEnv> = async (c, next) => {
  configOf(c.env);
  await next();
};

/**
 * Makes each operation added from now on validate as `validationOf` defines, have its ETag, query machines first if declared, be
 * bound to machines for those whose token is, show operators' names to those who may see them, and refuse an unsupported `If-Match`.
 */
function addRules(app: OpenAPIHono<HonoEnv>): void {
  const { openapi } = app;
  const add = (contract: RouteConfig, handler: Parameters<typeof openapi>[1]) => {
    const route = withEtag(contract) ?? contract;
    const rule = refuseIfMatch(route);
    const middleware = [
      route.middleware ?? [],
      showsNames(route) ?? [],
      rule ?? [],
      notesCreation(route) ?? [],
      tagsItem(route) ?? [],
    ].flat();
    return openapi(
      { ...route, middleware },
      bindsMachines(route, asksFirst(route, handler)),
      validationOf(route) as unknown as Parameters<typeof openapi>[2],
    );
  };
  app.openapi = add as typeof openapi;
}

/** Requires that the first handler of each route was made by `allow...()` or `open()`; otherwise the service does not start. */
function requireGuards(app: OpenAPIHono<HonoEnv>): void {
  const { router } = app;
  const guarded = new Set<string>();
  const add = router.add.bind(router);
  router.add = (method, path, handler) => {
    const route = `${method} ${path}`;
    if (!guarded.has(route) && !isGuard(handler[0])) {
      throw new Error(`${route} does not say who may call it: give it what allow...() or open() makes, before all else`);
    }
    guarded.add(route);
    add(method, path, handler);
  };
}
