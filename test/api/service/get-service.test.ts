import { describe, expect, it } from "vitest";
import packageJson from "../../../package.json" with { type: "json" };
import { call } from "../../support/call.ts";

describe("GET /", () => {
  it("tells programs what the service is, with links that work", async () => {
    const { status, body, headers } = await call("GET", "/", { headers: { accept: "application/json" } });
    expect([status, body.name, headers.get("vary")]).toEqual([200, "Andon", "Accept, Origin"]);
    expect(body.version).toBe(packageJson.version);
    for (const [name, path] of Object.entries<string>(body.links)) {
      // The documentation is a static file, which does not reach the Worker.
      if (name === "docs") continue;
      expect([name, (await call("GET", path)).status === 404]).toEqual([name, false]);
    }
  });

  it.each([undefined, "*/*", "text/html,application/xhtml+xml,*/*;q=0.8", "text/html, application/json;q=0.5"])(
    "gives the start page to clients that accept %s",
    async (accept) => {
      const { status, body, headers } = await call("GET", "/", accept === undefined ? {} : { headers: { accept } });
      expect([status, headers.get("content-type"), headers.get("vary")]).toEqual([
        200,
        "text/html; charset=utf-8",
        "Accept, Origin",
      ]);
      expect(body).toContain("/board/home-");
    },
  );
});
