import type { Context } from "hono";
import { configOf } from "../core/config.ts";
import { isLoopback, isLoopbackAddress } from "../core/loopback.ts";
import type { HonoEnv } from "./env.ts";

/** What proxies and tunnels add: the request may come from anywhere. */
const proxyHeaders = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"];

/**
 * The code with which a visitor of the demo may start an empty plant beside it; null: this one may not. Only `npm start` makes one, if only this
 * computer can reach the service, and only pages that are opened on this computer, by its own name, have it: not through a proxy or a tunnel, nor by
 * another name that leads here.
 */
export function startCodeOf<E extends HonoEnv>(c: Context<E>): string | null {
  const { DEMO_START_CODE } = configOf((c as unknown as Context<HonoEnv>).env);
  return DEMO_START_CODE !== "" && isOfThisComputer(c) ? DEMO_START_CODE : null;
}

function isOfThisComputer<E extends HonoEnv>(c: Context<E>): boolean {
  const url = new URL(c.req.url);
  const peer = c.req.header("cf-connecting-ip");
  const origin = c.req.header("origin");
  return (
    isLoopback(url) &&
    (c.req.header("host") ?? url.host) === url.host &&
    (origin === undefined || origin === url.origin) &&
    (peer === undefined || isLoopbackAddress(peer)) &&
    proxyHeaders.every((name) => c.req.header(name) === undefined)
  );
}
