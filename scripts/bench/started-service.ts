import { type ChildProcess, spawn } from "node:child_process";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { MINUTE_MS } from "../../src/oee/time.ts";

/** Starts `npm run serve` over a state folder, without npm. */
export function startService(stateFolder: string, port: number): ChildProcess {
  const main = resolve(import.meta.dirname, "../serve/main.ts");
  return spawn(process.execPath, ["--disable-warning=ExperimentalWarning", main], {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, ANDON_STATE: stateFolder, PORT: String(port) },
  });
}

/** Waits until the service is healthy. Throws if it ends before, or is not within five minutes. */
export async function healthy(url: string, server: ChildProcess): Promise<void> {
  for (const deadline = Date.now() + 5 * MINUTE_MS; Date.now() < deadline; await sleep(200)) {
    if (server.exitCode !== null) throw new Error("The service ended before it was up.");
    const answer = await fetch(`${url}/health`).catch(() => null);
    if (answer?.ok) return;
  }
  throw new Error("The service was not healthy within five minutes.");
}
