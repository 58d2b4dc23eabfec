import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { executeSqlFile } from "../../scripts/service.ts";
import { apiClient } from "../../src/client/client.ts";
import { rowsOf, runBridge, startBridge, testFolder } from "../bridge/support/program.ts";
import { answered, login, reportedTotal, settledTotal } from "./api.ts";
import { factor, freePort, newPlant } from "./plant.ts";
import { buildServed, endServed, serve, stateFolder } from "./served.ts";

// The first start would build it.
beforeAll(buildServed, 300_000);

afterAll(endServed);

test("a bridge that is set up as its README says counts into the report, also while the service is killed and started again", async () => {
  const state = stateFolder();
  const plant = await newPlant(state, 1);
  await executeSqlFile(state, plant.sqlFile);
  const port = await freePort();
  let server = await serve(state, port);
  const token = await login(server.url, plant);
  const api = apiClient(server.url, token);

  const folder = testFolder();
  const file = join(folder, "bridge.toml");
  expect(await runBridge(["init", file], `${server.url}\nsimulator\nE2E\n`)).toMatchObject({ code: 0 });
  const { code } = answered(await api.POST("/v1/gateway-pairings", { body: { name: "Hall 1" } }));
  expect(await runBridge(["pair", code, "--config", file])).toMatchObject({ code: 0, output: expect.stringContaining("Hall 1") });
  const checked = await runBridge(["check", file]);
  expect(checked).toEqual({ code: 0, output: expect.stringMatching(/ok {5}andon: machine E2E, total: Andon knows it/) });
  writeFileSync(file, `${readFileSync(file, "utf8").replace('every = "5s"', 'every = "100ms"')}\n[page]\nport = 0\n`);

  const bridge = startBridge(["run", file]);
  await vi.waitUntil(async () => (await reportedTotal(server.url, token, plant.machineId)) > 10 * factor, {
    timeout: 60_000,
    interval: 500,
  });
  server.process.kill("SIGKILL");
  await server.ended;
  server = await serve(state, port);
  await vi.waitUntil(() => bridge.output().includes("Andon answers again."), { timeout: 60_000 });
  await vi.waitUntil(() => rowsOf(folder, "events").length === 0, { timeout: 60_000 });
  await bridge.stop();
  const [signal] = rowsOf(folder, "signals");
  const counted = Number(JSON.parse(String(signal?.state)).counter.last);
  // What it had not sent yet when it ended.
  writeFileSync(file, readFileSync(file, "utf8").replace('every = "100ms"', 'every = "1h"'));
  const rest = startBridge(["run", file]);
  expect(await settledTotal(server.url, token, plant.machineId, counted * factor)).toBe(counted * factor);
  await rest.stop();

  const { data } = answered(await apiClient(server.url, token).GET("/v1/gateways", {}));
  expect(data.find(({ name }) => name === "Hall 1")?.status).toMatchObject({ version: "0.1.0", sources: [{ id: "simulator" }] });
});
