import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { clientAddressOf, originOf } from "../../src/http/client-address.ts";
import { call } from "../support/call.ts";
import { probe } from "./probe-app.ts";

/** The address and origin that the service sees for a request with these headers. */
function seen(headers: Record<string, string>, trusted: string) {
  const request = new Request("http://andon.test/health", { headers });
  const header = (name: string) => request.headers.get(name) ?? undefined;
  const c = { env: { ...env, TRUSTED_PROXY: trusted }, req: { url: request.url, header } };
  return { address: clientAddressOf(c as never), origin: originOf(c as never) };
}

const proxy = "10.0.0.5";
const forwarded = { "x-forwarded-for": "203.0.113.9", "x-forwarded-proto": "https" };

describe("the client's address", () => {
  it("is the peer of the connection, whatever headers say, if no proxy is trusted or the peer is not one", () => {
    const forged = { ...forwarded, forwarded: "for=203.0.113.9", "x-real-ip": "203.0.113.9", "true-client-ip": "203.0.113.9" };
    for (const trusted of ["", "10.0.0.6 ::1"]) {
      const { address, origin } = seen({ "cf-connecting-ip": proxy, ...forged }, trusted);
      expect([address, origin]).toEqual([proxy, "http://andon.test"]);
    }
    expect(seen(forged, "").address).toBeUndefined();
  });

  it("is what a trusted proxy says, and the last address that is no proxy of several", () => {
    const trusted = "10.0.0.6 10.0.0.5";
    const from = (header: string, peer = proxy) => seen({ "cf-connecting-ip": peer, "x-forwarded-for": header }, trusted).address;
    expect(from("203.0.113.9")).toBe("203.0.113.9");
    expect(from("2001:db8::7")).toBe("2001:db8::7");
    expect(from("203.0.113.9", "::ffff:10.0.0.5")).toBe("203.0.113.9");
    // The client sent the first one itself.
    expect(from("198.51.100.1, 203.0.113.9")).toBe("203.0.113.9");
    expect(from("198.51.100.1, 203.0.113.9, 10.0.0.6")).toBe("203.0.113.9");
    for (const nonsense of ["", "10.0.0.6", "unknown", "203.0.113.9, <script>"]) expect(from(nonsense), nonsense).toBe(proxy);
  });

  it("makes the origin https if a trusted proxy ends TLS", () => {
    expect(seen({ "cf-connecting-ip": proxy, ...forwarded }, proxy).origin).toBe("https://andon.test");
    expect(seen({ "cf-connecting-ip": proxy }, proxy).origin).toBe("http://andon.test");
  });

  it("has its own rate limit behind a trusted proxy, and forged ones share theirs without", async () => {
    const ask = (via: ReturnType<typeof probe>, client: string) =>
      call("GET", "/probe/read", { via, headers: { "cf-connecting-ip": proxy, "x-forwarded-for": client } });
    const left = async (via: ReturnType<typeof probe>, client: string) =>
      Number(/r=(\d+)/.exec((await ask(via, client)).headers.get("ratelimit") ?? "")?.[1]);
    const behind = probe({ TRUSTED_PROXY: proxy } as Partial<Env>);
    const [one, again, other] = [
      await left(behind, "203.0.113.20"),
      await left(behind, "203.0.113.20"),
      await left(behind, "203.0.113.21"),
    ];
    expect(again).toBe(one - 1);
    expect(other).toBe(one);
    const open = probe();
    const [first, second] = [await left(open, "203.0.113.22"), await left(open, "203.0.113.23")];
    expect(second).toBe(first - 1);
  });
});
