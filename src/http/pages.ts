import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { type ViewName, views } from "../board/app/views.ts";
import { DEMO_META } from "../client/demo-plant.ts";
import { configOf } from "../core/config.ts";
import { STORAGE_MS, within } from "../limits/load.ts";
import type { HonoEnv } from "./env.ts";
import { open } from "./permission.ts";
import { startCodeOf } from "./this-computer.ts";

// The board's pages. The build makes one for each view, identical for everyone; the page gets its data from the API. In the demo, and nowhere else, the
// pages also say with which accounts one can look around.

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
  const demo = configOf(c.env).DEMO_PLANT;
  const startCode = startCodeOf(c);
  const page = kept.get(view) ?? (await readPage(c.env.ASSETS, view));
  kept.set(view, page);
  return new Response(withDemo(page, startCode === null ? demo : JSON.stringify({ ...JSON.parse(demo), startCode })), {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-cache",
      "content-security-policy": policyOf(new URL(c.req.url), demo !== ""),
      ...(demo && { "x-frame-options": "SAMEORIGIN" }),
    },
  });
}

/** A page that says with which accounts one can look around in the demo plant; the page as it is if there is none. */
function withDemo(page: string, demo: string): string {
  const content = demo.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return demo === "" ? page : page.replace("</head>", () => `<meta name="${DEMO_META}" content="${content}"></head>`);
}

/**
 * Allows only scripts, styles and fonts from this service's own files, nothing inline, and connections only to this service. Its WebSockets are named
 * because not all browsers treat them as same-origin. The first page of the demo shows the wall in a frame.
 */
function policyOf({ protocol, host }: URL, isDemo: boolean): string {
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
    ...(isDemo ? ["frame-src 'self'", "frame-ancestors 'self'"] : ["frame-ancestors 'none'"]),
    "require-trusted-types-for 'script'",
  ].join("; ");
}

async function readPage(assets: Fetcher, view: ViewName): Promise<string> {
  const answer = await within(STORAGE_MS, "The static files", assets.fetch(`https://assets.test/pages/${view}`));
  if (!answer.ok) throw new Error(`The page of ${view} is not among the static files: ${answer.status}`);
  return within(STORAGE_MS, "The static files", answer.text());
}
