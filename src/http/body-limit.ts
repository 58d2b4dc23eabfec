import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { Problem } from "./problem.ts";

const defaultMaxBytes = 1024 * 1024;

/** Refuses a body over `maxBytes` (1 MiB) with 413, before anything parses it. */
export function limitBody(maxBytes = defaultMaxBytes): MiddlewareHandler {
  return bodyLimit({
    maxSize: maxBytes,
    onError: (_c: Context) => {
      throw new Problem(413, `The body may hold ${maxBytes} bytes at most.`);
    },
  });
}
