import { copyFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { apiDocument } from "../../scripts/openapi/document.ts";
import { admin, runScript } from "./admin.ts";
import { login } from "./api.ts";
import { migratedFolder, startBuilt, stopBuilt } from "./built-service.ts";
import { freePort } from "./plant.ts";

const stateFolder = migratedFolder();
let url: string;

beforeAll(async () => {
  url = (await startBuilt({ stateFolder, port: await freePort() })).url;
});

afterAll(async () => {
  await stopBuilt();
  rmSync(stateFolder, { recursive: true, force: true });
});

test("the service answers as its OpenAPI document says, from an empty database to a plant's reports", async () => {
  const credentials = { email: "boss@plant.test", password: "a password of this test" };
  await admin(
    stateFolder,
    ["create-superuser", "--email", credentials.email, "--name", "Boss", "--company", "Plant"],
    credentials.password,
  );

  const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  const inputs = {
    token: await login(url, credentials),
    commissionedAt: ago(24),
    countedAt: ago(2),
    recordedFrom: ago(10),
    splitAt: ago(9),
    recordedTo: ago(8),
    until: ago(-240),
  };
  writeFileSync(join(stateFolder, "openapi.json"), await (await fetch(`${url}/openapi.json`)).text());
  const flow = join(stateFolder, "contract.arazzo.yaml");
  copyFileSync(resolve(import.meta.dirname, "contract.arazzo.yaml"), flow);
  const redocly = resolve(import.meta.dirname, "../../node_modules/@redocly/cli/bin/cli.js");
  const run = await runScript([redocly, "respect", flow, "--server", `andon=${url}`, "--input", JSON.stringify(inputs)], {
    REDOCLY_TELEMETRY: "off",
    REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
  });
  expect(run.status, run.output + run.errors).toBe(0);
  expect(run.output).toMatch(/Workflows: 1 passed, 1 total/);
});

test("the document is an answer of the service, not a file: that of this source, with its headers", async () => {
  const answer = await fetch(`${url}/openapi.json`);
  expect([answer.status, await answer.json()]).toEqual([200, JSON.parse(JSON.stringify(await apiDocument()))]);
  const headers = Object.fromEntries(answer.headers);
  expect(headers).toMatchObject({ "content-type": "application/json", "cache-control": "public, no-cache" });
  expect(headers).toHaveProperty("x-request-id");
  const head = await fetch(`${url}/openapi.json`, { method: "HEAD" });
  expect([head.status, head.headers.get("etag"), await head.text()]).toEqual([200, headers.etag, ""]);
  const known = await fetch(`${url}/openapi.json`, { headers: { "if-none-match": String(headers.etag) } });
  expect([known.status, known.headers.get("etag"), await known.text()]).toEqual([304, headers.etag, ""]);
  expect((await fetch(`${url}/openapi.json`, { method: "POST" })).status).toBe(405);
});

test("the page at /docs loads everything from the service", async () => {
  const page = await fetch(`${url}/docs`);
  expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'none'; script-src 'self';/);
  const html = await page.text();
  expect(html).toMatch(/<input name="password" type="password"[^>]* autocomplete="current-password"/);
  const parts = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].flatMap(([, part]) => (part === "data:," ? [] : part));
  expect(parts).toEqual(["/docs/swagger-ui.css", "/docs/docs.css", "/docs/swagger-ui-bundle.js", "/docs/docs.js"]);
  for (const part of parts) {
    const { status, headers } = await fetch(url + part);
    expect([status, headers.get("x-content-type-options")], part).toEqual([200, "nosniff"]);
    expect(headers.get("content-type"), part).toMatch(/^text\/(css|javascript); charset=utf-8$/);
    expect(headers.get("content-security-policy"), part).toBe(
      "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox",
    );
    expect(headers.get("strict-transport-security"), part).toBe("max-age=31536000; includeSubDomains");
  }
});

test("only that page is served as a file, and TRACE returns nothing", async () => {
  for (const path of [
    "/.git/config",
    "/.dev.vars",
    "/wrangler.toml",
    "/package.json",
    "/_headers",
    "/docs/x",
    "/pages/wall",
    "/board/",
  ]) {
    const { status, headers } = await fetch(url + path);
    expect([status, headers.get("content-type")], path).toEqual([404, "application/problem+json"]);
  }
  const folder = await fetch(`${url}/docs/`, { redirect: "manual" });
  expect([folder.status, folder.headers.get("location")]).toEqual([307, "/docs"]);
  const traced = await new Promise<number>((answered, failed) => {
    const asked = request(`${url}/health`, { method: "TRACE" }, (answer) => answered(answer.resume().statusCode ?? 0));
    asked.once("error", failed).end();
  });
  expect(traced).toBeGreaterThanOrEqual(400);
});
