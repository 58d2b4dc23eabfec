import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { examples } from "../../bridge/src/commands/examples.ts";
import { runBridge, testFolder } from "./support/program.ts";

/** A service that answers one code with a token. */
async function startPairing(): Promise<string> {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const isRight = request.url === "/v1/gateway-pairings/confirm" && JSON.parse(body).code === "CDFG-3467";
    response.writeHead(isRight ? 200 : 400, { "content-type": "application/json" });
    response.end(JSON.stringify(isRight ? { id: 3, name: "Hall 1", token: "andon_gw_secret" } : { title: "Bad Request" }));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("init asks and writes a configuration without faults, for each type of source, and never over another file", async () => {
  const folder = testFolder();
  for (const type of Object.keys(examples)) {
    const file = join(folder, `${type}.toml`);
    const made = await runBridge(["init", file], `ftp://x\nhttp://127.0.0.1:1\n${type}\nPress 7\n`);
    expect(made).toMatchObject({ code: 0, output: expect.stringContaining('"ftp://x" does not do.') });
    const text = readFileSync(file, "utf8");
    expect(text).toContain('url = "http://127.0.0.1:1"');
    expect(text).toContain('machine = "Press 7"');
    // It is read without a fault: only its queue is not there yet.
    expect((await runBridge(["queue", "list", "--config", file])).output).toContain("There is no queue");
    expect((await runBridge(["init", file])).output).toContain("is there already");
  }
});

test("pair writes the token that it gets for a code, to a file that nobody else can read, and keeps the one before if the code is wrong", async () => {
  const url = await startPairing();
  const folder = testFolder();
  const file = join(folder, "bridge.toml");
  await runBridge(["init", file], `${url}\n\n\n`);
  const token = join(folder, "andon-bridge-state/token");
  expect(await runBridge(["pair", "CDFG-3467", "--config", file])).toMatchObject({
    code: 0,
    output: expect.stringContaining("Hall 1"),
  });
  expect(readFileSync(token, "utf8")).toBe("andon_gw_secret\n");
  expect(statSync(token).mode & 0o777).toBe(0o600);
  const wrong = await runBridge(["pair", "WRON-GGGG", "--config", file]);
  expect(wrong).toMatchObject({ code: 1, output: expect.stringContaining("older than 15 minutes") });
  expect(readFileSync(token, "utf8")).toBe("andon_gw_secret\n");
});

test("queue without a queue, and replay without a file, say what is missing", async () => {
  const file = join(testFolder(), "bridge.toml");
  await runBridge(["init", file], "\n\n\n");
  expect(await runBridge(["queue", "list", "--config", file])).toMatchObject({
    code: 1,
    output: expect.stringContaining("no queue"),
  });
  expect(await runBridge(["queue", "empty", "--config", file])).toMatchObject({
    code: 2,
    output: expect.stringContaining("actions are list"),
  });
  expect(await runBridge(["replay", "--config", file])).toMatchObject({
    code: 2,
    output: expect.stringContaining("Which file?"),
  });
});

test("the package that npm packs has the program in one file, and it runs", () => {
  const bridge = resolve(import.meta.dirname, "../../bridge");
  execFileSync(process.execPath, ["build.ts"], { cwd: bridge });
  const said = execFileSync(process.execPath, ["dist/andon-bridge.js", "--help"], { cwd: bridge, encoding: "utf8" });
  expect(said).toContain("Usage: andon-bridge COMMAND");
});
