import { OpenAPIHono } from "@hono/zod-openapi";
import { methodNotAllowed } from "hono/method-not-allowed";
import { requestId } from "hono/request-id";
import { secureHeaders } from "hono/secure-headers";
import { answerHeaders } from "./answer-headers.ts";
import { crossOrigin } from "./cross-origin.ts";
import type { HonoEnv } from "./env.ts";
import { onError, refuseInvalid } from "./on-error.ts";
import { notFound, Problem, problemResponse } from "./problem.ts";
import { requestLog } from "./request-log.ts";

/** The door: everything that holds for all operations alike. The operations are added by the router. */
export function createApp(): OpenAPIHono<HonoEnv> {
  const app = new OpenAPIHono<HonoEnv>({ defaultHook: refuseInvalid });
  app.use(requestId({ limitLength: 64 }), requestLog, secureHeaders({ overwrite: false }), answerHeaders, crossOrigin);
  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed: (c, methods) => {
        const allowed = [...methods, "OPTIONS"].join(", ");
        if (c.req.method === "OPTIONS") return c.body(null, 204, { allow: allowed });
        return problemResponse(c, new Problem(405, `This path knows ${allowed}.`, { headers: { allow: allowed } }));
      },
    }),
  );
  app.notFound((c) => problemResponse(c, notFound("There is nothing at this path.")));
  app.onError(onError);
  return app;
}
