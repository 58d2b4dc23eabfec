import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { inject } from "vitest";
import { watchIndexReaders } from "./index-readers.ts";

await applyD1Migrations(env.DB_0, env.MIGRATIONS);
await applyD1Migrations(env.DIRECTORY, env.DIRECTORY_MIGRATIONS);
if (inject("indexReaders")) watchIndexReaders();

// Tests need no network. Without one, every look-up of a host name fails, and the runtime logs each at length: here it fails earlier.
const { fetch: called } = globalThis;
if (called.name !== "fetchOffline") {
  globalThis.fetch = async function fetchOffline(input: RequestInfo | URL, init?: RequestInit) {
    if (new URL(input instanceof Request ? input.url : input).hostname === "cloudflare-dns.com")
      throw new Error("tests are offline");
    return await called(input, init);
  };
}
