import { spawnSync } from "node:child_process";
import { copyFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ensureSecrets, migrate, startService, stopAll } from "../../scripts/service.ts";
import { admin } from "./admin.ts";
import { login } from "./api.ts";
import { freePort, freshStateFolder } from "./plant.ts";

const stateFolder = freshStateFolder();
let url: string;

beforeAll(async () => {
  ensureSecrets();
  await migrate(stateFolder);
  url = (await startService({ stateFolder, port: await freePort() })).url;
});

afterAll(async () => {
  await stopAll();
  rmSync(stateFolder, { recursive: true, force: true });
});

test("the service answers as its OpenAPI document says, from an empty database to a plant's reports", async () => {
  const credentials = { email: "boss@plant.test", password: "a password of this test" };
  admin(
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
  const run = spawnSync(
    process.execPath,
    [redocly, "respect", flow, "--server", `andon=${url}`, "--input", JSON.stringify(inputs)],
    { encoding: "utf8", env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" } },
  );
  expect(run.status, run.stdout + run.stderr).toBe(0);
  expect(run.stdout).toMatch(/Workflows: 1 passed, 1 total/);
});

test("the page at /docs comes with all that it needs, from the service alone", async () => {
  const page = await fetch(`${url}/docs`);
  expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'none'; script-src 'self';/);
  const parts = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].flatMap(([, part]) =>
    part === "data:," ? [] : part,
  );
  expect(parts).toEqual(["/docs/swagger-ui.css", "/docs/docs.css", "/docs/swagger-ui-bundle.js", "/docs/docs.js"]);
  for (const part of parts) expect((await fetch(url + part)).status, part).toBe(200);
});
