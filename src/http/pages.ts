import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { type ViewName, views } from "../board/app/views.ts";
import { STORAGE_MS, within } from "../limits/load.ts";
import type { HonoEnv } from "./env.ts";
import { open } from "./permission.ts";

// The board's pages. The build makes one for each view, identical for everyone; the page gets its data from the API.

/** The paths that have a page, except `/`, which is an operation because it also serves programs. */
export const pagePaths = (Object.keys(views) as ViewName[]).flatMap((view) =>
  views[view].paths.filter((path) => path !== "/").map((path) => ({ path, view })),
);

/** Adds the pages of the board to a router. They are not operations of the API, and the OpenAPI document does not list them. */
export function addPages(router: OpenAPIHono<HonoEnv>): void {
  for (const { path, view } of pagePaths) router.get(path, open().middleware, (c) => pageOf(c, view));
}

/** The pages that have been requested before. */
const kept = new Map<ViewName, string>();

/** The page of a view. Browsers revalidate it each time, because it names the scripts of this version. */
export async function pageOf(c: Context<HonoEnv>, view: ViewName): Promise<Response> {
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
 * Allows only scripts, styles and fonts from this service's own files, nothing inline, and connections only to this service. Its WebSockets are named
 * because not all browsers treat them as same-origin.
 */
function policyOf({ protocol, host }: URL): string {
  const sockets = `${protocol === "https:" ? "wss" : "ws"}://${host}`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data: blob:",
    `connect-src 'self' ${sockets}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join("; ");
}

async function readPage(assets: Fetcher, view: ViewName): Promise<string> {
  const answer = await within(STORAGE_MS, "The static files", assets.fetch(`https://assets.test/pages/${view}`));
  if (!answer.ok) throw new Error(`The page of ${view} is not among the static files: ${answer.status}`);
  return within(STORAGE_MS, "The static files", answer.text());
}
