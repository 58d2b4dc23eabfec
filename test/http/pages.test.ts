import { env } from "cloudflare:workers";
import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import type { HonoEnv } from "../../src/http/env.ts";
import { pageOf } from "../../src/http/pages.ts";
import { call } from "../support/call.ts";

// The pages of the board. test/browser tests them in a browser.

const pages = {
  "/": "home",
  "/wall": "wall",
  "/wall?lines=1&distance=8": "wall",
  "/floor": "floor",
  "/floor/7": "floor",
  "/desk": "desk",
  "/desk/shift/7/2026-11-22": "desk",
  "/start": "start",
  "/pair": "pair",
};

describe("a page of the board", () => {
  it.each(Object.entries(pages))("%s loads the scripts and styles of the view %s, which exist", async (path, view) => {
    const { status, headers, body } = await call("GET", path);
    expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    const named = [...String(body).matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, file = ""]) => file);
    expect(named.some((file) => file.startsWith(`/board/${view}-`))).toBe(true);
    for (const file of named) {
      expect(file).toMatch(/^\/board\/[a-z]+-[A-Za-z0-9]{8}\.(js|css|svg|woff2)$/);
      const asset = await env.ASSETS.fetch(`https://assets.test${file}`);
      expect([file, asset.status, asset.headers.get("cache-control")]).toEqual([
        ...[file, 200, "public, max-age=31536000, immutable"],
      ]);
      await asset.body?.cancel();
    }
  });

  it("runs only its own scripts, connects only to this service, and cannot be framed", async () => {
    const { headers, body } = await call("GET", "/wall");
    const policy = headers.get("content-security-policy")?.split("; ");
    expect(policy).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "font-src 'self'",
      "img-src 'self' data: blob:",
      "connect-src 'self' ws://andon.test",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ]);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    // A new version is seen immediately: the page names its files.
    expect(headers.get("cache-control")).toBe("no-cache");
    expect(body).not.toMatch(/<style|<script(?![^>]*src=)|style="|onclick/);
  });

  it("of a real plant names no accounts; in the demo alone it does, and may be in a frame of its own pages", async () => {
    const served = async (more: object) => {
      const router = new Hono<HonoEnv>().get("/floor", (c) => pageOf(c, "floor"));
      return await router.request("https://andon.test/floor", {}, { ...env, ...more });
    };
    expect(await (await served({})).text()).not.toContain("andon-demo");
    const page = await served({ DEMO_PLANT: '{"password":"a \\"b\\" & <c>"}' });
    expect(await page.text()).toContain(
      '<meta name="andon-demo" content="{&quot;password&quot;:&quot;a \\&quot;b\\&quot; &amp; <c>&quot;}">',
    );
    expect(page.headers.get("content-security-policy")).toContain("frame-src 'self'; frame-ancestors 'self'");
    expect(page.headers.get("x-frame-options")).toBe("SAMEORIGIN");
    await expect(served({ DEMO_PLANT: "{" })).resolves.toMatchObject({ status: 500 });
  });

  it("exists only for the views", async () => {
    for (const path of ["/walls", "/wall/1", "/pair/1", "/board", "/pages/wall", "/board/other.js"]) {
      expect([path, (await call("GET", path)).status]).toEqual([path, 404]);
    }
    expect((await call("POST", "/wall")).status).toBe(405);
  });
});
