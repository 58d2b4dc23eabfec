import type { Context } from "hono";
import { closeCodes, SUBPROTOCOL } from "../client/live-protocol.ts";
import { configOf } from "../core/config.ts";
import { forbidden, type Problem, type ProblemStatus } from "../core/problem.ts";
import type { HonoEnv } from "./env.ts";

/** True if a request is a WebSocket handshake. */
export function isHandshake<E extends HonoEnv>(c: Context<E>): boolean {
  return c.req.header("upgrade")?.toLowerCase() === "websocket";
}

/** True if the client of a WebSocket handshake knows the protocol of `/v1/live`. */
export function knowsProtocol<E extends HonoEnv>(c: Context<E>): boolean {
  const offered = c.req.header("sec-websocket-protocol")?.split(",") ?? [];
  return offered.some((one) => one.trim() === SUBPROTOCOL);
}

/** Throws 403 if the request comes from a page of another origin than the service's own and those of CORS_ORIGINS. */
export function refuseForeignOrigin<E extends HonoEnv>(c: Context<E>): void {
  const origin = c.req.header("origin");
  if (origin === undefined || configOf(c.env).CORS_ORIGINS.includes(origin)) return;
  // Compares hosts, because TLS may end in front of the service.
  const host = URL.canParse(origin) ? new URL(origin).host : "";
  if (host !== new URL(c.req.url).host) throw forbidden("Pages of this origin may not open a WebSocket here.");
}

const codes: Partial<Record<ProblemStatus, number>> = {
  400: closeCodes.badMessage,
  401: closeCodes.badToken,
  403: closeCodes.forbidden,
  404: closeCodes.forbidden,
};
/** The maximum number of bytes in the reason of a close. */
const MOST_REASON_BYTES = 123;

/**
 * The answer to a refused handshake of a client that knows the protocol: browsers do not tell a page why a handshake failed, so it succeeds,
 * and the socket is closed with a code at once. Null: the problem is answered as any other.
 */
export function refusedSocket(c: Context<HonoEnv>, { status, detail }: Problem): Response | null {
  const code = codes[status];
  if (code === undefined || !isHandshake(c) || !knowsProtocol(c)) return null;
  const { 0: client, 1: server } = new WebSocketPair();
  server.accept();
  server.close(code, new TextDecoder().decode(new TextEncoder().encode(detail).slice(0, MOST_REASON_BYTES - 2)));
  return new Response(null, { status: 101, webSocket: client, headers: { "sec-websocket-protocol": SUBPROTOCOL } });
}
