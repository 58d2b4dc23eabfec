import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { onTestFinished } from "vitest";

const main = resolve(import.meta.dirname, "../../../bridge/src/main.ts");

/** A new folder, removed after the test. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "andon-bridge-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes a configuration with a queue, a token and no page, and returns its path. */
export function writeConfig(folder: string, url: string, sources: string, more = ""): string {
  const path = join(folder, "plant.toml");
  writeFileSync(join(folder, "token"), "andon_gw_test\n");
  writeFileSync(path, `[andon]\nurl = "${url}"\ntoken_file = "token"\n\n${more || "[page]\nport = 0\n"}\n${sources}`);
  return path;
}

/** A simulated counter for each machine: one piece at each interval. */
export function simulator(machines: readonly string[], every: string): string {
  const signals = machines.map((machine) => `[[source.signal]]\nmachine = "${machine}"\nkind = "total"\nevery = "${every}"\n`);
  return `[[source]]\nid = "sim"\ntype = "simulator"\n${signals.join("")}`;
}

export interface Program {
  process: ChildProcess;
  /** What it has written so far. */
  output(): string;
  /** Its exit code; null if a signal killed it. */
  ended: Promise<number | null>;
  /** Ends it, and waits until it has ended. */
  stop(signal?: "SIGTERM" | "SIGKILL"): Promise<number | null>;
}

/** Starts `andon-bridge` with arguments, as a process of its own. It is killed after the test. */
export function startBridge(args: readonly string[], options: { env?: NodeJS.ProcessEnv; before?: string } = {}): Program {
  const command =
    options.before === undefined
      ? [process.execPath, main, ...args]
      : ["sh", "-c", `${options.before}; exec "$@"`, "sh", process.execPath, main, ...args];
  const child = spawn(command[0] ?? "", command.slice(1), {
    env: { ...process.env, ...options.env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const ended = once(child, "exit").then(([code]) => code as number | null);
  const stop = async (signal: "SIGTERM" | "SIGKILL" = "SIGTERM") => {
    child.kill(signal);
    return ended;
  };
  onTestFinished(async () => {
    await stop("SIGKILL");
  });
  return { process: child, output: () => output, ended, stop };
}

/** Runs `andon-bridge` to its end. */
export async function runBridge(args: readonly string[], input = ""): Promise<{ code: number | null; output: string }> {
  const program = startBridge(args);
  program.process.stdin?.end(input);
  const code = await program.ended;
  return { code, output: program.output() };
}

/** The rows of a table of the queue, which may be in use. */
export function rowsOf(folder: string, table: string): Record<string, string | number | null>[] {
  const database = new DatabaseSync(join(folder, "andon-bridge-state/queue.db"), { readOnly: true });
  try {
    return database.prepare(`SELECT * FROM ${table}`).all() as Record<string, string | number | null>[];
  } finally {
    database.close();
  }
}
