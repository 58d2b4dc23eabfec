import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { STORAGE_MS, within } from "../core/load.ts";
import type { HonoEnv } from "./env.ts";
import { open } from "./permission.ts";

// The board's pages. The build makes one for each view, the same for everyone; the page gets its data from the API.

/** A view of the board (src/board/views). */
export type View = "home" | "wall" | "floor" | "desk" | "pair";

/** The paths that have a page, beside `/`, which is an operation because it also has something for programs. */
export const pagePaths = {
  "/wall": "wall",
  "/floor": "floor",
  "/floor/*": "floor",
  "/desk": "desk",
  "/desk/*": "desk",
  "/pair": "pair",
} as const satisfies Record<string, View>;

/** Lets a router give the pages at `pagePaths`. They are not operations of the API, and its document does not list them. */
export function addPages(router: OpenAPIHono<HonoEnv>): void {
  for (const [path, view] of Object.entries(pagePaths)) router.get(path, open().middleware, (c) => pageOf(c, view));
}

/** The pages, each after its first request. */
const kept = new Map<View, string>();

/** The page of a view. Browsers ask each time whether it is still the same: it names the scripts of this version. */
export async function pageOf(c: Context<HonoEnv>, view: View): Promise<Response> {
  const page = kept.get(view) ?? (await readPage(c.env.ASSETS, view));
  kept.set(view, page);
  return new Response(page, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-cache",
      "content-security-policy": policyOf(new URL(c.req.url)),
    },
  });
}

/**
 * Scripts and styles of this service's own files alone, nothing inline, and connections to this service alone. Its WebSockets are named:
 * not all browsers take them to be of the same origin.
 */
function policyOf({ protocol, host }: URL): string {
  const sockets = `${protocol === "https:" ? "wss" : "ws"}://${host}`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    `connect-src 'self' ${sockets}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join("; ");
}

async function readPage(assets: Fetcher, view: View): Promise<string> {
  const answer = await within(STORAGE_MS, "The static files", assets.fetch(`https://assets.test/pages/${view}`));
  if (!answer.ok) throw new Error(`The page of ${view} is not among the static files: ${answer.status}`);
  return within(STORAGE_MS, "The static files", answer.text());
}
