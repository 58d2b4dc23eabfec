import { createServer, type IncomingMessage } from "node:http";

/** A message of a device. */
export interface Message {
  path: string;
  query: URLSearchParams;
  authorization: string;
  body: Buffer;
}

export interface Answer {
  status: number;
  text: string;
}

const mostBytes = 256_000;
const mostConnections = 500;
/** How long a device may take to send a message. */
const messageMs = 10_000;

/** Listens to devices, or throws why that is impossible. */
export async function serve(
  { host, port }: { host: string; port: number },
  answerTo: (message: Message) => Promise<Answer>,
): Promise<{ stop(): Promise<void> }> {
  const server = createServer(
    // Without the interval, slow devices would be noticed each 30 s only.
    { requestTimeout: messageMs, headersTimeout: messageMs, connectionsCheckingInterval: 1000, keepAliveTimeout: 60_000 },
    (request, response) => {
      handle(request, answerTo)
        // A device that went away in the middle of its message, or sent what is no request.
        .catch(() => ({ status: 400, text: "the request cannot be read" }))
        .then(({ status, text }) => {
          const again = status === 503 ? { "retry-after": "1" } : {};
          // What is left of a body that was too long is not read.
          const close = status === 413 ? { connection: "close" } : {};
          response.writeHead(status, { "content-type": "text/plain; charset=utf-8", ...again, ...close }).end(`${text}\n`);
        });
    },
  );
  server.maxConnections = mostConnections;
  await new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, () => resolve(null));
  });
  server.on("error", () => undefined);
  return {
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function handle(request: IncomingMessage, answerTo: (message: Message) => Promise<Answer>): Promise<Answer> {
  const { method = "", url = "/", headers } = request;
  if (!["GET", "POST", "PUT"].includes(method)) return { status: 405, text: "GET, POST or PUT" };
  const { pathname, searchParams } = new URL(url, "http://bridge");
  const body = await bodyOf(request);
  if (body === null) return { status: 413, text: `a message has at most ${mostBytes} bytes` };
  return await answerTo({ path: pathname, query: searchParams, authorization: headers.authorization ?? "", body }).catch(() => ({
    status: 500,
    text: "the bridge failed",
  }));
}

/** Null: it is too long. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > mostBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
