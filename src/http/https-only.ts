import type { MiddlewareHandler } from "hono";
import { forbidden } from "../core/problem.ts";
import type { HonoEnv } from "./env.ts";

/** Refuses unencrypted requests. They are not redirected, so that callers notice that they sent their token in the clear. */
export const httpsOnly: MiddlewareHandler<HonoEnv> = async (c, next) => {
  // Cloudflare overwrites this header; a local service does not have it.
  if (/"scheme" *: *"http"/.test(c.req.header("cf-visitor") ?? "")) throw forbidden("This service answers over HTTPS only.");
  await next();
};
