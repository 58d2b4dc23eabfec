import { watch } from "node:fs";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { extname, resolve } from "node:path";
import type { Duplex } from "node:stream";
import { buildBoard } from "./build-board.ts";

// For `npm run dev`: serves the board of the present source in front of a running service, to which all other requests go. It builds the board
// in memory after each save, and open pages load themselves again. Nothing of it is among the static files that are deployed.

const boardFolder = resolve(import.meta.dirname, "../src/board");
/** An editor may write several files, or one in several steps. */
const PAUSE_MS = 30;
const types: Record<string, string> = {
  ...{ ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".woff2": "font/woff2" },
};

const changesPath = "/board/changes";
const reloadPath = "/board/reload.js";
const reloadScript = `new EventSource("${changesPath}").onmessage = () => location.reload();`;

/** Where the server listens, and the port of the service behind it, on this computer. */
export interface BoardServerOptions {
  port: number;
  host: string;
  servicePort: number;
  /** Receives the milliseconds of each build after the first, or why it failed. The last good build stays. */
  onBuild: (result: number | Error) => void;
}

/** Starts the server once the board is built. It ends with the process. */
export async function startBoardServer({ port, host, servicePort, onBuild }: BoardServerOptions): Promise<void> {
  let { files } = await buildBoard();
  const open = new Set<ServerResponse>();

  const server = createServer((from, to) => {
    const [pathname = "/"] = (from.url ?? "/").split("?");
    if (pathname === changesPath) {
      to.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" }).flushHeaders();
      open.add(to);
      to.on("close", () => open.delete(to));
      return;
    }
    const file = pathname === reloadPath ? reloadScript : files.get(pathname.slice(1));
    if (file !== undefined && pathname.startsWith("/board/")) {
      to.writeHead(200, { "content-type": types[extname(pathname)] ?? "", "cache-control": "no-store" }).end(file);
      return;
    }
    forward(from, to, servicePort, files.get(`pages/${pathname.split("/")[1] || "home"}.html`));
  });
  server.on("upgrade", (from: IncomingMessage, socket: Duplex, head: Buffer) => tunnel(from, socket, head, servicePort));
  await new Promise<void>((done, fail) => server.once("error", fail).listen(port, host, done));

  let isBuilding = false;
  let isStale = false;
  const rebuild = async () => {
    isStale = true;
    if (isBuilding) return;
    isBuilding = true;
    while (isStale) {
      isStale = false;
      const startedAt = Date.now();
      try {
        ({ files } = await buildBoard());
        onBuild(Date.now() - startedAt);
        for (const page of open) page.write("data: built\n\n");
      } catch (error) {
        onBuild(error as Error);
      }
    }
    isBuilding = false;
  };
  let timer: NodeJS.Timeout | undefined;
  watch(boardFolder, { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(rebuild, PAUSE_MS);
  });
}

/** Sends a request on to the service. An answer that is a page of the board gets the page of the present source, with the script that reloads it. */
function forward(from: IncomingMessage, to: ServerResponse, servicePort: number, page: Buffer | undefined): void {
  // Without compression, so that nothing has to be decompressed here.
  const { "accept-encoding": _, ...headers } = from.headers;
  const sent = request({ port: servicePort, host: "127.0.0.1", method: from.method, path: from.url, headers }, (answer) => {
    const isPage = page !== undefined && from.method === "GET" && /^text\/html/.test(answer.headers["content-type"] ?? "");
    if (!isPage) {
      to.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(to);
      return;
    }
    answer.resume();
    const { "content-length": _length, "transfer-encoding": _coding, etag: _etag, ...kept } = answer.headers;
    to.writeHead(answer.statusCode ?? 502, { ...kept, "cache-control": "no-store" });
    to.end(page.toString().replace("</head>", `<script async src="${reloadPath}"></script>\n</head>`));
  });
  sent.on("error", () => {
    if (!to.headersSent) to.writeHead(502, { "content-type": "text/plain" });
    to.end("The service does not answer. It may be starting again after a change of its source.\n");
  });
  from.pipe(sent);
}

/** Connects a WebSocket to the service. */
function tunnel({ method, url, rawHeaders }: IncomingMessage, socket: Duplex, head: Buffer, servicePort: number): void {
  const service = connect(servicePort, "127.0.0.1", () => {
    const lines = [`${method} ${url} HTTP/1.1`];
    for (let i = 0; i < rawHeaders.length; i += 2) lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
    service.write(`${lines.join("\r\n")}\r\n\r\n`);
    service.write(head);
    service.pipe(socket).pipe(service);
  });
  for (const [one, other] of [
    [service, socket],
    [socket, service],
  ] as const) {
    one.on("error", () => other.destroy());
    one.on("close", () => other.destroy());
  }
}
