import type { Context } from "hono";
import { configOf } from "../core/config.ts";
import type { HonoEnv } from "./env.ts";

// Who a request comes from. `cf-connecting-ip` is the peer of the connection, as Cloudflare or scripts/serve/front-worker.ts state it.
// Headers that a proxy adds are believed only if that peer is listed in TRUSTED_PROXY: anybody else can write what they like into them.

const addressShape = /^[\da-f:.]+$/i;

/** The address of the client; undefined without a peer, as in tests. */
export function clientAddressOf<E extends HonoEnv>(c: Context<E>): string | undefined {
  const peer = c.req.header("cf-connecting-ip");
  if (peer === undefined || !isTrusted(c, peer)) return peer;
  // Each proxy appends the address that it was called from, so the last one that is no proxy is the client. Before it is what the client sent.
  const hops = (c.req.header("x-forwarded-for") ?? "").split(",").map((hop) => hop.trim());
  const client = hops.findLast((hop) => !isTrusted(c, hop));
  return client !== undefined && addressShape.test(client) ? client : peer;
}

/** The address of the service as its clients see it: `https://host`, also if a trusted proxy ends TLS. */
export function originOf<E extends HonoEnv>(c: Context<E>): string {
  const { origin, host } = new URL(c.req.url);
  const peer = c.req.header("cf-connecting-ip");
  const isSecure = peer !== undefined && isTrusted(c, peer) && c.req.header("x-forwarded-proto") === "https";
  return isSecure ? `https://${host}` : origin;
}

function isTrusted<E extends HonoEnv>(c: Context<E>, address: string): boolean {
  // An IPv4 address may come as the IPv6 address that contains it.
  return configOf((c as unknown as Context<HonoEnv>).env).TRUSTED_PROXY.has(
    address.toLowerCase().replace(/^::ffff:(?=[\d.]+$)/, ""),
  );
}
