import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { ReadValue, SourceView } from "../intake/views.ts";
import type { Status } from "../upstream/status.ts";

// The page of the bridge, for people at its computer: what it reads and what waits. It changes nothing, and needs no script.

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 72rem; padding: 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
table { border-collapse: collapse; } th, td { border-bottom: 1px solid #8886; padding: .3rem 1.5rem .3rem 0; text-align: left; vertical-align: top; }
.values th, .values td { white-space: nowrap; } td.text { white-space: normal; overflow-wrap: anywhere; min-width: 12rem; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
.failed, .silent { font-weight: 700; } .scroll { overflow-x: auto; }`;
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
    answer(request, response, (address) => {
      const signal = signalAt(address, views());
      if (signal) return signalPage(signal);
      return address.search === "" ? mainPage(status(), views(), fault()) : null;
    });
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

function answer(request: IncomingMessage, response: ServerResponse, page: (address: URL) => string | null): void {
  const refuse = (status: number, text: string) => response.writeHead(status, { "content-type": "text/plain" }).end(`${text}\n`);
  // A page of another site can make a name of its own mean 127.0.0.1, and would read this one.
  const host = request.headers.host?.replace(/:\d+$/, "");
  if (host !== "127.0.0.1" && host !== "localhost") return void refuse(403, "Open it as http://127.0.0.1.");
  if (request.method !== "GET" && request.method !== "HEAD") return void refuse(405, "The page only shows.");
  const address = new URL(request.url ?? "/", "http://127.0.0.1");
  const text = address.pathname === "/" ? page(address) : null;
  if (text === null) return void refuse(404, "There is no such page.");
  response
    .writeHead(200, {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
    })
    .end(text);
}

function pageOf(title: string, content: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta http-equiv="refresh" content="${REFRESH_S}">
<title>${escaped(title)}</title><style>${style}</style></head><body>
<h1>${escaped(title)}</h1>
${content}
</body></html>
`;
}

function mainPage(status: Status, views: readonly SourceView[], fault: string | null): string {
  const { queue, sources, clockSkewMs, version, startedAt } = status;
  const oldest = queue.oldestAt === null ? "" : `, the oldest of ${timeText(queue.oldestAt)}`;
  const facts: [string, string][] = [
    ["Andon", fault ?? "takes the events"],
    ["waiting", `${queue.events} events, ${(queue.bytes / 1e6).toFixed(1)} MB${oldest}`],
    ["in quarantine", `${queue.quarantined}${queue.quarantined > 0 ? ": andon-bridge queue list" : ""}`],
    ["clock of this computer", clockSkewMs === null ? "not compared with Andon's yet" : skewText(clockSkewMs)],
    ["runs since", timeText(startedAt)],
    ...queue.dropped.map(({ machineRef, events, from, to }): [string, string] => [
      `missing of ${machineRef ?? "unknown machines"}`,
      `${events} events from ${timeText(from)} to ${timeText(to)}`,
    ]),
  ];
  return pageOf(
    `Andon bridge ${version}`,
    `<table>${facts.map(([name, value]) => `<tr><th scope="row">${escaped(name)}</th><td>${escaped(value)}</td></tr>`).join("")}</table>
<h2>Sources</h2>
${tableOf(["source", "type", "state", "heard", "readings a minute"], sources.map(sourceRow))}
<h2>Signals</h2>
${tableOf(["source", "machine", "kind", "value", "sent", "time"], views.flatMap(signalRows))}
${lossesOf(views)}`,
  );
}

/** What sources know to be missing: the newest first. */
function lossesOf(views: readonly SourceView[]): string {
  const losses = views.flatMap(({ config, losses: known }) => known.map((loss) => ({ id: config.id, ...loss })));
  if (losses.length === 0) return "";
  const rows = losses
    .sort((a, b) => b.to - a.to)
    .map(
      ({ id, events, from, to, reason }) =>
        `<tr><td>${escaped(id)}</td><td>${events ?? "unknown"}</td><td>${timeText(from)}</td><td>${timeText(to)}</td><td class="text">${escaped(reason)}</td></tr>`,
    );
  return `<h2>Never came</h2>\n${tableOf(["source", "values", "from", "to", "why"], rows)}`;
}

function tableOf(heads: readonly string[], rows: readonly string[]): string {
  const head = heads.map((text) => `<th>${text}</th>`).join("");
  return `<div class="scroll"><table class="values"><tr>${head}</tr>\n${rows.join("\n")}</table></div>`;
}

function sourceRow({ id, type, state, error, lastAt, perMinute }: Status["sources"][number]): string {
  const said = error === null ? state : `${state}: ${error}`;
  const heard = lastAt === null ? "never" : timeText(lastAt);
  return `<tr><td>${escaped(id)}</td><td>${type}</td><td class="text ${state}">${escaped(said)}</td><td>${heard}</td><td class="number">${perMinute}</td></tr>`;
}

function signalRows({ config, signals }: SourceView): string[] {
  return signals.map(({ config: { machine, kind }, recent }, index) => {
    const newest = recent.at(-1);
    const name = `<a href="/?source=${config.id}&amp;signal=${index}">${escaped(machine)}</a>`;
    const value = newest ? valueCells(newest) : "<td>nothing yet</td><td></td><td></td>";
    return `<tr><td>${escaped(config.id)}</td><td>${name}</td><td>${kind}</td>${value}</tr>`;
  });
}

function valueCells({ at, raw, made }: ReadValue): string {
  return `<td>${escaped(raw)}</td><td class="text">${escaped(made)}</td><td>${timeText(at)}</td>`;
}

type SignalView = SourceView["signals"][number];

/** The signal that an address names. */
function signalAt({ searchParams }: URL, views: readonly SourceView[]): SignalView | undefined {
  const source = views.find(({ config }) => config.id === searchParams.get("source"));
  return source?.signals[Number(searchParams.get("signal") ?? Number.NaN)];
}

/** The newest values of one signal. */
function signalPage({ config, recent }: SignalView): string {
  const rows = recent.toReversed().map((value) => `<tr>${valueCells(value)}</tr>`);
  return pageOf(
    `${config.machine} ${config.kind}`,
    `<p><a href="/">All signals</a></p>${tableOf(["value", "sent", "time"], rows)}`,
  );
}

function timeText(at: string | number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

function skewText(ms: number): string {
  return `${(Math.abs(ms) / 1000).toFixed(1)} s ${ms < 0 ? "behind" : "ahead of"} Andon's`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
}
