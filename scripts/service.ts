import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { DemoPlant } from "../src/client/demo-plant.ts";
import { keepRequestLog } from "./request-log.ts";
import { secretsFile, secretsOf } from "./secrets.ts";

const root = resolve(import.meta.dirname, "..");
const endWithParent = pathToFileURL(join(import.meta.dirname, "end-with-parent.ts")).href;

/** Started processes that may still run. Each leads a process group, which may outlive it. */
const children = new Set<ChildProcess>();

/** A running local server of the service. */
export interface Service {
  url: string;
  /** Resolves with the exit code once the server has ended, by itself or not. */
  ended: Promise<number>;
  /** Sends kill -9 to the server and all its processes at once. Resolves when they have exited. */
  kill(): Promise<void>;
}

/** Ends all processes that this one started and their descendants, by force if they do not exit within three seconds. */
export async function stopAll(): Promise<void> {
  await Promise.all(
    [...children].map(async (child) => {
      signalGroup(child, "SIGTERM");
      await Promise.race([groupGone(child), sleep(3000)]);
      signalGroup(child, "SIGKILL");
      await groupGone(child);
    }),
  );
}

/** The id of the installation whose state is in a folder; made on first use. Tokens are valid at their own installation alone. */
export function installationId(stateFolder: string): string {
  const path = join(stateFolder, "installation-id");
  try {
    // Two first starts at the same time must not replace each other's.
    writeFileSync(path, `${randomBytes(16).toString("hex")}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return readFileSync(path, "utf8").trim();
}

/** The bindings of the databases, with the folders of their migrations. */
const migrationsOf = { DB_0: "drizzle", DIRECTORY: "drizzle/directory" } as const;
type DatabaseBinding = keyof typeof migrationsOf;

/**
 * Migrates the databases in the state folder to the newest version. Throws if a migration fails, which then has changed nothing.
 * Does and records the same as `wrangler d1 migrations apply --local`, without starting a runtime for each: that takes seconds.
 * @param source the folder of the version's source
 */
export async function migrate(stateFolder: string, source = root): Promise<void> {
  // In this order: where both are one database, the directory's migrations find its older tables.
  for (const binding of ["DB_0", "DIRECTORY"] as const) await migrateDatabase(stateFolder, binding, source);
}

async function migrateDatabase(stateFolder: string, binding: DatabaseBinding, source: string): Promise<void> {
  const folder = join(source, migrationsOf[binding]);
  const apply = async ({ rows, run }: Database) => {
    await run([migrationsTable]);
    const applied = new Set((await rows("SELECT name FROM d1_migrations")).map(({ name }) => name));
    const names = readdirSync(folder).filter((name) => name.endsWith(".sql") && !applied.has(name));
    for (const name of names.sort()) {
      const statements = await statementsOf(join(folder, name));
      await run([...statements, `INSERT INTO d1_migrations (name) VALUES ('${name}')`]).catch((error: Error) => {
        throw new Error(`The migration ${name} failed: ${error.message}`);
      });
    }
  };
  await inDatabase(stateFolder, apply, binding);
}

/** As wrangler creates it. */
const migrationsTable = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`;

async function statementsOf(sqlFile: string): Promise<string[]> {
  const { unstable_splitSqlQuery: split } = await import("wrangler");
  return split(readFileSync(sqlFile, "utf8"));
}

/** A D1 database. Both methods throw on failure. */
export interface Database {
  rows(sql: string): Promise<Record<string, unknown>[]>;
  /** Runs these statements, all of them or none. */
  run(statements: string[]): Promise<void>;
}

/** Works with a database of the state folder, or of the deployment (null); with that of the companies unless another one is named. */
export async function inDatabase<T>(
  stateFolder: string | null,
  work: (database: Database) => Promise<T>,
  binding: DatabaseBinding = "DB_0",
): Promise<T> {
  return await (stateFolder === null ? work(remoteDatabase(binding)) : inLocalDatabase(stateFolder, binding, work));
}

/** Runs a SQL file, all of it or nothing, in the state folder's database. Throws on failure. */
export async function executeSqlFile(stateFolder: string, path: string): Promise<void> {
  const statements = await statementsOf(path);
  await inDatabase(stateFolder, ({ run }) => run(statements));
}

const remoteDatabase = (binding: DatabaseBinding): Database => ({
  rows: async (sql) => {
    const answer = await runWrangler(["d1", "execute", binding, "--json", "--remote", "--command", sql], null);
    return (JSON.parse(answer) as [{ results: Record<string, unknown>[] }])[0].results;
  },
  // In a file: every user of a computer can see the arguments of its processes.
  run: async (statements) => {
    const folder = mkdtempSync(join(tmpdir(), "andon-sql-"));
    try {
      const path = join(folder, "statements.sql");
      writeFileSync(path, statements.map((text) => text.replace(/;?\s*$/, ";\n")).join(""), { mode: 0o600 });
      await runWrangler(["d1", "execute", binding, "--yes", "--remote", "--file", path], null);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
});

/** Opens the database at its first use, like `wrangler d1 execute --local` but without starting wrangler: that takes seconds. */
async function inLocalDatabase<T>(
  stateFolder: string,
  binding: DatabaseBinding,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  let runtime: DatabaseRuntime | undefined;
  const database = async () => {
    runtime ??= databaseRuntime(stateFolder, binding);
    return await runtime.miniflare.getD1Database(binding);
  };
  /** Repeats a query while another process has locked the database: the runtime's SQLite fails at once instead of waiting. */
  async function untilUnlocked<T>(query: () => Promise<T>): Promise<T> {
    for (const deadline = Date.now() + LOCK_MS; ; await sleep(100)) {
      try {
        return await query();
      } catch (error) {
        if (Date.now() > deadline || !(await isLocked(error as Error, runtime))) throw error;
        if (!HAS_NOT_STARTED.test((error as Error).message)) continue;
        await runtime?.miniflare.dispose();
        runtime = undefined;
      }
    }
  }
  try {
    return await work({
      rows: (sql) => untilUnlocked(async () => (await (await database()).prepare(sql).all()).results),
      run: (statements) =>
        untilUnlocked(async () => {
          const opened = await database();
          await opened.batch(statements.map((text) => opened.prepare(text)));
        }),
    });
  } finally {
    await runtime?.miniflare.dispose();
  }
}

const LOCK_MS = 10_000;
/** The characters of the runtime's log that are kept. */
const MOST_LOGS = 20_000;
/** The runtime's error if it finds the database locked while it starts. It stays unusable then. */
const HAS_NOT_STARTED = /runtime failed to start/;

interface DatabaseRuntime {
  miniflare: import("miniflare").Miniflare;
  /** What the runtime has logged since this was called last. */
  newLogs(): string;
}

/**
 * Whether the query failed because of a lock. It has changed nothing then: only reads fail at the commit token. A lock that is found while the database is
 * opened is an "internal error" to the caller, and only the runtime's log, which may arrive a little later, says what it was.
 */
async function isLocked({ message }: Error, runtime: DatabaseRuntime | undefined): Promise<boolean> {
  if (/database is locked|Failed to get session commit token/.test(message)) return true;
  if (!message.includes("internal error")) return false;
  await sleep(100);
  return /database is locked/.test(runtime?.newLogs() ?? "");
}

function databaseRuntime(stateFolder: string, binding: DatabaseBinding): DatabaseRuntime {
  const { Miniflare, convertV4MiniflareOptions } = localRuntime();
  const ofBinding = new RegExp(`^binding = "${binding}"\n(?:.+\n)*?database_id = "([^"]*)"`, "m");
  const id = ofBinding.exec(readFileSync(join(root, "wrangler.toml"), "utf8"))?.[1] ?? "";
  let logs = "";
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: "",
      cf: false,
      // Otherwise the runtime prints the stack of each error, even if the query is repeated. Errors are still thrown.
      handleStructuredLogs: ({ message }) => {
        logs = (logs + message).slice(-MOST_LOGS);
      },
      d1Databases: { [binding]: id },
      resourcePersistencePath: join(stateFolder, "v3"),
    }),
  );
  const newLogs = () => {
    const known = logs;
    logs = "";
    return known;
  };
  return { miniflare, newLogs };
}

/** The runtime in which wrangler runs the Worker. */
export function localRuntime(): typeof import("miniflare") {
  return createRequire(createRequire(import.meta.url).resolve("wrangler"))("miniflare");
}

/** The state and the settings with which a local service runs. */
export interface ServicePlace {
  stateFolder: string;
  port: number;
  /** The address that it listens on; by default only this computer can reach it. */
  host?: string | undefined;
  /** The address at which people reach it, for the links in messages and events; by default that of the port. */
  publicUrl?: string;
  /** The file for the Worker's log. */
  logFile: string;
  /** Whether webhooks may call receivers on this computer. */
  allowsLoopback?: boolean;
  /** The port of a mail server on this computer, for services whose settings name none. */
  smtpPort?: number;
  /** The accounts of the demo plant, which the first page then offers. */
  demoPlant?: DemoPlant;
  /** The code with which its first page starts an empty plant beside the demo plant. */
  startCode?: string;
}

/** Starts the service and waits until it is healthy. Throws if it exits before. */
export async function startService({
  stateFolder,
  port,
  host,
  publicUrl = urlOf(host, port),
  logFile,
  allowsLoopback,
  smtpPort,
  demoPlant,
  startCode,
}: ServicePlace): Promise<Service> {
  await requireFreePort(port, host);
  const secrets = settingsOf(stateFolder);
  const args = ["dev", "--local", "--port", String(port), "--inspector-port", "0", "--persist-to", stateFolder];
  const more = [
    "--var",
    "LOCAL_PACING:on",
    "--var",
    "REQUEST_LOG:all",
    "--var",
    "DB_0_JURISDICTION:",
    "--var",
    `INSTALLATION_ID:${installationId(stateFolder)}`,
    "--var",
    `PUBLIC_URL:${publicUrl}`,
    ...(allowsLoopback ? ["--var", "ALLOW_LOOPBACK:on"] : []),
    ...(smtpPort ? ["--var", `SMTP_URL:smtp://127.0.0.1:${smtpPort}`, "--var", `MAIL_FROM:${localSender}`] : []),
    ...(demoPlant ? ["--var", `DEMO_PLANT:${JSON.stringify(demoPlant)}`] : []),
    ...(startCode ? ["--var", `DEMO_START_CODE:${startCode}`] : []),
    "--env-file",
    secretsFile(stateFolder),
    // Of a file or the environment, wrangler passes on what wrangler.toml names.
    ...optionalSecrets.flatMap((name) => (secrets[name] === undefined ? [] : ["--var", `${name}:${secrets[name]}`])),
    "--log-level",
    "log",
    "--show-interactive-dev-session=false",
    ...(host ? ["--ip", host] : []),
  ];
  const child = spawnWrangler([...args, ...more], stateFolder);
  if (child.stdout) keepRequestLog(child.stdout, logFile);
  if (child.stderr) keepRequestLog(child.stderr, logFile, errorsOnly());
  return await served(child, urlOf(host, port));
}

const localSender = "Andon <andon@localhost>";

/** Optional secrets, which wrangler.toml does not list. */
export const optionalSecrets = ["SMTP_URL", "VAPID_PRIVATE_KEY", "TWILIO_AUTH_TOKEN", "TWILIO_URL"];

/** Whether a mail server is set for the service of a state folder. */
export function hasOwnMail(stateFolder: string): boolean {
  return settingsOf(stateFolder).SMTP_URL !== undefined;
}

/** The secrets of a state folder, and the environment, which wins. */
function settingsOf(stateFolder: string): NodeJS.ProcessEnv {
  return { ...secretsOf(stateFolder), ...process.env };
}

/** Shows wrangler's error messages. They have several lines, the first of which tells the kind. */
function errorsOnly(): (line: string) => void {
  let isError = true;
  return (line) => {
    const kind = /^\S+ \[(\w+)\]/.exec(line)?.[1];
    if (kind) isError = kind === "ERROR";
    if (isError && line !== "") process.stderr.write(`${line}\n`);
  };
}

/** The address of a service on this computer. */
export function urlOf(host: string | undefined, port: number): string {
  // Listening on all addresses includes this computer's own.
  if (host === undefined || host === "127.0.0.1" || host === "0.0.0.0" || host === "::") return `http://localhost:${port}`;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** The service that a process serves at a URL, once it is healthy. Throws if it exits before. */
async function served(child: ChildProcess, url: string): Promise<Service> {
  const ended = new Promise<number>((done) => child.once("exit", (code, signal) => done(code ?? (signal ? 1 : 0))));
  const service: Service = {
    url,
    ended,
    kill: async () => {
      signalGroup(child, "SIGKILL");
      await groupGone(child);
      children.delete(child);
    },
  };
  try {
    await healthy(service);
  } catch (error) {
    await service.kill();
    throw error;
  }
  return service;
}

function spawnWrangler(args: string[], stateFolder: string | null): ChildProcess {
  return spawnGroup([join(root, "node_modules/wrangler/bin/wrangler.js"), ...args], {
    CI: "1",
    CLOUDFLARE_CF_FETCH_ENABLED: "false",
    NO_COLOR: "1",
    WRANGLER_HIDE_BANNER: "true",
    ...(stateFolder !== null && { WRANGLER_REGISTRY_PATH: join(stateFolder, "registry") }),
    WRANGLER_SEND_METRICS: "false",
    WRANGLER_WRITE_LOGS: "false",
    // It runs SQL for anyone who can reach the port, without a token.
    X_LOCAL_EXPLORER: "false",
    X_LOCAL_OBSERVABILITY: "false",
  });
}

/**
 * Runs Node with these arguments in the project's folder, as the leader of a process group that `stopAll` ends. The group also ends with this
 * process, even if that is killed.
 */
function spawnGroup(args: string[], env: NodeJS.ProcessEnv): ChildProcess {
  const child = spawn(process.execPath, ["--import", endWithParent, ...args], {
    cwd: root,
    // In a separate process group: a signal to it also reaches workerd, and Ctrl-C only reaches this process.
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  children.add(child);
  return child;
}

/** Runs wrangler until it exits and returns its output. Throws with that output if it fails. */
export async function runWrangler(args: string[], stateFolder: string | null): Promise<string> {
  const child = spawnWrangler(args, stateFolder);
  let output = "";
  let errors = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const code = await new Promise((done) => child.once("close", done));
  children.delete(child);
  if (code !== 0) throw new Error(`wrangler ${args.slice(0, 3).join(" ")} failed:\n${output}${errors}`);
  return output;
}

/** Throws an error for people if nothing can listen on this port of this address. */
export async function requireFreePort(port: number, host = "127.0.0.1"): Promise<void> {
  const server = createServer();
  await new Promise<void>((done, fail) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") fail(new Error(`Port ${port} is taken: set PORT to a free one.`));
      else if (error.code === "EADDRNOTAVAIL") fail(new Error(`HOST is ${host}, which is no address of this machine.`));
      else fail(error);
    });
    server.listen(port, host, done);
  });
  await new Promise((done) => server.close(done));
}

async function healthy(service: Service): Promise<void> {
  let isOver = false;
  service.ended.then(() => {
    isOver = true;
  });
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(25)) {
    if (isOver) throw new Error(`The server ended with code ${await service.ended} before it was up.`);
    const answer = await fetch(`${service.url}/health`, { signal: AbortSignal.timeout(5000) }).catch(() => null);
    if (answer?.ok) return;
  }
  throw new Error("The server did not answer GET /health within 60 s.");
}

/** Returns false if no process of the group is left. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (child.pid === undefined) return false;
  try {
    return process.kill(-child.pid, signal);
  } catch {
    return false;
  }
}

async function groupGone(child: ChildProcess): Promise<void> {
  while (signalGroup(child, 0)) await sleep(20);
}
