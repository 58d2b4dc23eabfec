import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";

await applyD1Migrations(env.DB, env.MIGRATIONS);

// Tests need no network. Without one each look-up of a host name fails, which the runtime logs at length: here it fails before that.
const { fetch: called } = globalThis;
if (called.name !== "fetchOffline") {
  globalThis.fetch = async function fetchOffline(input: RequestInfo | URL, init?: RequestInit) {
    if (new URL(input instanceof Request ? input.url : input).hostname === "cloudflare-dns.com")
      throw new Error("tests are offline");
    return await called(input, init);
  };
}
