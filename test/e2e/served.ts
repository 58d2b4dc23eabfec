import { type ChildProcess, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { resolve } from "node:path";
import { expect, vi } from "vitest";
import { runScript } from "./admin.ts";
import { migratedFolder } from "./built-service.ts";

/** The script of `npm run serve`. */
export const main = resolve(import.meta.dirname, "../../scripts/serve/main.ts");
const started: Server[] = [];
const folders: string[] = [];

/** A started `npm run serve`. */
export interface Server {
  url: string;
  output: string;
  process: ChildProcess;
  ended: Promise<number | null>;
}

/** Builds the service, as its first start would. */
export async function buildServed(): Promise<void> {
  const built = await runScript([resolve(import.meta.dirname, "../../scripts/serve/prepare.ts")], {});
  expect([built.status, built.errors]).toEqual([0, ""]);
}

/** Kills all started services, and removes their state folders. */
export async function endServed(): Promise<void> {
  for (const { process: server } of started) server.kill("SIGKILL");
  await Promise.all(started.map(({ ended }) => ended));
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

/** A new state folder with a migrated database. */
export function stateFolder(): string {
  const folder = migratedFolder();
  folders.push(folder);
  return folder;
}

/** Starts the service over a state folder, and waits until it serves. */
export async function serve(folder: string, port: number, env: NodeJS.ProcessEnv = {}): Promise<Server> {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", main], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ANDON_STATE: folder, PORT: String(port), ...env },
  });
  const ended = new Promise<number | null>((done) => child.once("exit", done));
  const server: Server = { url: `http://localhost:${port}`, output: "", process: child, ended };
  started.push(server);
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (server.output += text));
  // Not `expect.poll`, which hooks may not use.
  await vi.waitFor(() => expect(server.output).toContain("Andon serves on"), { timeout: 120_000, interval: 50 });
  return server;
}
