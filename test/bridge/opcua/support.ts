import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type OpcuaConfig, opcuaConfig, opcuaSource } from "../../../bridge/src/sources/opcua/opcua.ts";
import type { Reading } from "../../../bridge/src/sources/source.ts";
import { contextFor } from "../support/context.ts";

// A server of node-opcua in a process of its own, and a source that reads it.

const program = `${import.meta.dirname}/../../../bridge/opcua/testing/server.ts`;

export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), "opcua-"));
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

/** Starts a server, which ends with the test. */
export async function startServer(env: Record<string, string> = {}) {
  const port = await freePort();
  const folder = newFolder();
  let child: ChildProcess;
  const start = async () => {
    child = fork(program, [String(port), folder], {
      env: { ...process.env, ...env },
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    const ended = once(child, "exit").then(() => Promise.reject(new Error("the server ended when it started")));
    await Promise.race([once(child, "message"), ended]);
    ended.catch(() => undefined);
  };
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  };
  await start();
  onTestFinished(kill);
  return {
    endpoint: `opc.tcp://127.0.0.1:${port}`,
    port,
    folder,
    start,
    kill,
    freeze: () => child.kill("SIGSTOP"),
    thaw: () => child.kill("SIGCONT"),
    ask: async (command: string, name = "", value: unknown = null): Promise<unknown> => {
      const answered = once(child, "message");
      child.send({ command, name, value });
      const [{ result }] = (await answered) as [{ result: unknown }];
      return result;
    },
  };
}

/** A configuration with some nodes of the server's line: `{ Total: {} }` is the total of machine P1. */
export function configOf(endpoint: string, nodes: Record<string, object>, more: object = {}): OpcuaConfig {
  const signal = Object.entries(nodes).map(([name, members]) => ({
    machine: "P1",
    kind: "total",
    node: `ns=1;s=Line1.${name}`,
    sampling: "50ms",
    ...members,
  }));
  return opcuaConfig.parse({
    id: "line-1",
    type: "opcua",
    endpoint,
    publish: "100ms",
    silence: "2s",
    certificates: newFolder(),
    signal,
    ...more,
  });
}

/** Runs a source until the test ends, and keeps what it gives. */
export function runSource(config: OpcuaConfig) {
  const context = contextFor(config.signal);
  const { store } = context;
  const logs: string[] = [];
  const given = Object.assign(context, {
    logs,
    log: (message: string) => {
      logs.push(message);
    },
    /** Called before readings are stored. */
    beforeStore: (): Promise<void> => Promise.resolve(),
    store: async (readings: readonly Reading[]) => {
      await given.beforeStore();
      await store(readings);
    },
  });
  const running = opcuaSource(config).run(given);
  onTestFinished(async () => {
    context.end();
    await running;
  });
  return given;
}
