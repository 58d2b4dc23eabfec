import type { MiddlewareHandler } from "hono";
import { forbidden } from "../core/problem.ts";
import type { HonoEnv } from "./env.ts";

/** Refuses what came to Cloudflare unencrypted. It is not redirected: whoever sends tokens so has to notice. */
export const httpsOnly: MiddlewareHandler<HonoEnv> = async (c, next) => {
  // Cloudflare sets this header, whatever a caller sends; a local service has none.
  if (/"scheme" *: *"http"/.test(c.req.header("cf-visitor") ?? "")) throw forbidden("This service answers over HTTPS alone.");
  await next();
};
