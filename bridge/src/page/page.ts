import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { SourceView } from "../intake/views.ts";
import type { Status } from "../upstream/status.ts";

// The page of the bridge, for people at its computer: what it reads and what waits. It changes nothing, and needs no script.

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 72rem; padding: 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; } th, td { border-bottom: 1px solid #8886; padding: .3rem .6rem .3rem 0; text-align: left; vertical-align: top; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; } td { overflow-wrap: anywhere; }
.failed, .silent { font-weight: 700; } .failed::before, .silent::before { content: "⚠ "; }
details { margin: .5rem 0; } .scroll { overflow-x: auto; }`;
const styleHash = createHash("sha256").update(style).digest("base64");

/** Seconds after which the page is loaded again. */
const REFRESH_S = 5;

export interface PageOptions {
  port: number;
  status(): Status;
  views(): readonly SourceView[];
  /** Why Andon does not take events; null: it does. */
  fault(): string | null;
  log(message: string): void;
  abort: AbortSignal;
}

/** Serves the page on 127.0.0.1. If the port is taken, the bridge runs without it. */
export function servePage({ port, status, views, fault, log, abort }: PageOptions): void {
  const server = createServer((request, response) => {
    answer(request, response, () => pageOf(status(), views(), fault()));
  });
  server.on("error", (error) => log(`There is no page on 127.0.0.1:${port}: ${error.message}`));
  server.on("listening", () => {
    const address = server.address();
    if (address && typeof address === "object") log(`What the bridge reads: http://127.0.0.1:${address.port}`);
  });
  server.listen(port, "127.0.0.1");
  abort.addEventListener("abort", () => {
    server.close();
    server.closeAllConnections();
  });
}

function answer(request: IncomingMessage, response: ServerResponse, page: () => string): void {
  const refuse = (status: number, text: string) => response.writeHead(status, { "content-type": "text/plain" }).end(`${text}\n`);
  // A page of another site can make a name of its own mean 127.0.0.1, and would read this one.
  const host = request.headers.host?.replace(/:\d+$/, "");
  if (host !== "127.0.0.1" && host !== "localhost") return void refuse(403, "Open it as http://127.0.0.1.");
  if (request.method !== "GET" && request.method !== "HEAD") return void refuse(405, "The page only shows.");
  if (request.url !== "/") return void refuse(404, "There is only one page: /");
  response
    .writeHead(200, {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
    })
    .end(page());
}

function pageOf(status: Status, views: readonly SourceView[], fault: string | null): string {
  const { queue, sources, clockSkewMs, version, startedAt } = status;
  const facts: [string, string][] = [
    ["Andon", fault ?? "takes the events"],
    [
      "waiting",
      `${queue.events} events, ${(queue.bytes / 1e6).toFixed(1)} MB${queue.oldestAt ? `, the oldest of ${queue.oldestAt}` : ""}`,
    ],
    ["in quarantine", `${queue.quarantined}${queue.quarantined > 0 ? ": andon-bridge queue list" : ""}`],
    ["clock of this computer", clockSkewMs === null ? "not compared with Andon's yet" : `${clockSkewMs} ms ahead of Andon's`],
    ["since", startedAt],
    ...queue.dropped.map(({ machineRef, events, from, to }): [string, string] => [
      `missing of ${machineRef ?? "unknown machines"}`,
      `${events} events from ${from} to ${to}`,
    ]),
  ];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta http-equiv="refresh" content="${REFRESH_S}">
<title>Andon bridge</title><style>${style}</style></head><body>
<h1>Andon bridge ${escaped(version)}</h1>
<table>${facts.map(([name, value]) => `<tr><th scope="row">${escaped(name)}</th><td>${escaped(value)}</td></tr>`).join("")}</table>
<h2>Sources</h2>
<div class="scroll"><table><tr><th>source</th><th>type</th><th>state</th><th>heard</th><th class="number">readings a minute</th></tr>
${sources.map(sourceRow).join("\n")}</table></div>
${views.map(signalsOf).join("\n")}
</body></html>
`;
}

function sourceRow({ id, type, state, error, lastAt, perMinute }: Status["sources"][number]): string {
  const said = error === null ? state : `${state}: ${error}`;
  return `<tr><td>${escaped(id)}</td><td>${type}</td><td class="${state}">${escaped(said)}</td><td>${lastAt ?? "never"}</td>
<td class="number">${perMinute}</td></tr>`;
}

function signalsOf({ config, signals }: SourceView): string {
  const parts = signals.map(({ config: signal, recent }) => {
    const rows = recent
      .toReversed()
      .map(
        ({ at, raw, made }) => `<tr><td>${new Date(at).toISOString()}</td><td>${escaped(raw)}</td><td>${escaped(made)}</td></tr>`,
      );
    const newest = recent.at(-1);
    return `<details><summary>${escaped(`${signal.machine} ${signal.kind}: ${newest ? newest.raw : "nothing yet"}`)}</summary>
<div class="scroll"><table><tr><th>time</th><th>value</th><th>sent</th></tr>${rows.join("")}</table></div></details>`;
  });
  return `<h2>${escaped(config.id)}</h2>${parts.join("\n")}`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
}
