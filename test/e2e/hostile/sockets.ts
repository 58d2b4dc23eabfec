import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** The first bytes of a slow request, and the piece that is sent repeatedly afterwards. */
export interface SlowRequest {
  head: string;
  piece: string;
}

/** Ways to make a service wait for a request. */
export function slowRequests(token: string): Record<string, SlowRequest> {
  const head = (path: string, more: string) =>
    `POST ${path} HTTP/1.1\r\nHost: andon\r\nContent-Type: application/json\r\n${more}`;
  const open = "/identity/login";
  const bearer = `Authorization: Bearer ${token}\r\n`;
  return {
    "slow headers": { head: head(open, "X-Slow: "), piece: "a" },
    "slow bodies": { head: head(open, "Content-Length: 1000\r\n\r\n{"), piece: "" },
    "slow chunks": { head: head(open, "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"), piece: "1\r\n \r\n" },
    "slow bodies with a token": { head: head("/v1/ingest", `${bearer}Content-Length: 1000\r\n\r\n{`), piece: "" },
  };
}

/** Keeps this many sockets at a slow request; closed ones are reopened. Returns a function that stops them. */
export function keepSlow(url: string, count: number, { head, piece }: SlowRequest): () => Promise<void> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let isOver = false;
  const keep = async () => {
    while (!isOver) {
      const socket = connect(Number(port), hostname);
      sockets.add(socket);
      let isClosed = false;
      const closed = new Promise<void>((done) => socket.once("close", () => done()));
      void closed.then(() => {
        isClosed = true;
      });
      socket.on("error", () => {});
      // An answer means that the service gave up waiting for the request.
      socket.on("data", () => socket.destroy());
      socket.write(head);
      while (!isClosed && !isOver) {
        if (piece) socket.write(piece);
        await Promise.race([closed, sleep(200)]);
      }
      sockets.delete(socket);
      socket.destroy();
    }
  };
  const all = Promise.all(Array.from({ length: count }, keep));
  return async () => {
    isOver = true;
    for (const socket of sockets) socket.destroy();
    await all;
  };
}
