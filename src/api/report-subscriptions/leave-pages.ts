import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { escapeHtml } from "../../core/html.ts";
import type { HonoEnv } from "../../http/env.ts";
import { open } from "../../http/permission.ts";
import { visitorOf } from "../../http/session.ts";
import { findReadReport, leaveReport, type ReadReport } from "./leave-report.ts";

// The pages by which readers of a report's mail leave it. Opening the link changes nothing, because mail scanners open every link. The button
// and the mail program (RFC 8058: `List-Unsubscribe=One-Click`) send a POST to the same address.

/** Nothing but the page's own style and form. */
const contentSecurityPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Adds the pages to a router. They are not operations of the API, and the OpenAPI document does not list them. */
export function addPages(router: OpenAPIHono<HonoEnv>): void {
  const path = "/reports/leave/:token";
  const { middleware } = open({ maxBodyBytes: 4096 });
  router.get(path, middleware, async (c) => answer(c, await findReadReport(visitorOf(c), c.req.param("token"))));
  router.post(path, middleware, async (c) => answer(c, await leaveReport(visitorOf(c), c.req.param("token"))));
}

const texts = {
  en: {
    leave: (name: string) => `Leave the report “${name}”?`,
    leaveHint: (address: string) => `It will not be sent to ${address} any more.`,
    button: "Leave",
    left: (name: string) => `You have left the report “${name}”.`,
    leftHint: (address: string) => `It is not sent to ${address} any more. Those who set it up can add you again.`,
    unknown: "This link is not valid",
    unknownHint: "It is incomplete, or the report does not exist any more. Those who set the report up can take you off it.",
  },
  es: {
    leave: (name: string) => `¿Dejar de recibir el informe «${name}»?`,
    leaveHint: (address: string) => `No se enviará más a ${address}.`,
    button: "Dejar de recibirlo",
    left: (name: string) => `Ya no recibe el informe «${name}».`,
    leftHint: (address: string) => `No se envía más a ${address}. Quienes lo configuraron pueden volver a añadirle.`,
    unknown: "Este enlace no es válido",
    unknownHint: "Está incompleto, o el informe ya no existe. Quienes configuraron el informe pueden quitarle de él.",
  },
};

function answer(c: Context<HonoEnv>, report: ReadReport | null): Response {
  const headers = { "content-security-policy": contentSecurityPolicy };
  const asked = /^es\b/i.test(c.req.header("accept-language") ?? "") ? "es" : "en";
  const t = texts[report?.language ?? asked];
  if (report === null) return c.html(pageOf(asked, t.unknown, t.unknownHint), 404, headers);
  const { language, name, address, hasLeft } = report;
  if (hasLeft) return c.html(pageOf(language, t.left(name), t.leftHint(address)), 200, headers);
  const form = `<form method="post"><button>${escapeHtml(t.button)}</button></form>`;
  return c.html(pageOf(language, t.leave(name), t.leaveHint(address), form), 200, headers);
}

function pageOf(language: "en" | "es", title: string, hint: string, form = ""): string {
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex"><title>${escapeHtml(title)} · Andon</title>
<style>body{max-width:32rem;margin:12vh auto;padding:0 1rem;font:1.0625rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.375rem;line-height:1.3}button{min-height:44px;padding:.5rem 1.25rem;font:inherit}</style></head>
<body><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(hint)}</p>${form}</main></body></html>
`;
}
