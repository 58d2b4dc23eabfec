import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { isIP } from "node:net";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { runJob, runJobsOnTime } from "../crons.ts";
import { secretsOf } from "../secrets.ts";
import { installationId, optionalSecrets, requireFreePort, urlOf } from "../service.ts";
import { occupy, recordVersion } from "../state-folder.ts";
import { type BuiltWorker, readBuilt } from "./build.ts";
import { type Running, runService } from "./runtime.ts";

const usage = `Serves Andon for a plant, on one computer: npm run serve

It builds the service if its source has changed, migrates the database, serves, and runs the scheduled jobs. SIGTERM or Ctrl-C ends it within
five seconds; whatever was acknowledged is stored. Settings are environment variables:

  ANDON_STATE   the folder of all data and secrets (.wrangler/state)
  HOST          the address that it listens on: an IP address of this computer, 0.0.0.0 or :: for all (127.0.0.1)
  PORT          (8788)
  PUBLIC_URL    the address at which people reach it, such as https://andon.plant.example: for links in mails and events

and all other variables and secrets in wrangler.toml and docs/channels.md, such as MAIL_FROM and SMTP_URL. Required secrets that are not set
are generated at the first start and kept. Requests are logged to requests.log in the state folder, everything else to the standard output.
docs/plant-pc.md has the setup with systemd or Docker, HTTPS, backup and upgrade.`;

/** systemd and Docker wait longer than this before they kill. */
const GRACE_MS = 4000;

const ending = new AbortController();
let preparing: ChildProcess | undefined;
let running: Running | undefined;

async function main(): Promise<void> {
  const { stateFolder, host, port } = readOptions();
  const url = urlOf(host, port);
  occupy(stateFolder, { command: "npm run serve", url });
  await requireFreePort(port, host);
  const secrets = secretsOf(stateFolder);
  await prepare(stateFolder);
  const notice = recordVersion(stateFolder);
  if (notice) console.log(notice);
  const built = readBuilt();
  if (!built) throw new Error("The service is not built.");
  const logFile = join(stateFolder, "requests.log");
  const kept = { ...secrets, INSTALLATION_ID: installationId(stateFolder) };
  const bindings = bindingsOf(built, kept, url);
  if (ending.signal.aborted) return;
  running = await runService({ built, stateFolder, host, port, logFile, bindings });
  running.ended.then((why) => {
    if (ending.signal.aborted) return;
    console.error(why);
    process.exit(1);
  });
  console.log(`Andon serves on ${url}, data and request log are in ${stateFolder}`);
  // Not in a minute: machines with a new set-up, or restored ones, are due at once.
  await runJob(running.jobsUrl, "* * * * *").catch((error: Error) => console.error(error.message));
  await runJobsOnTime(running.jobsUrl, ending.signal);
}

function readOptions() {
  const { help } = parseArgs({ options: { help: { type: "boolean", default: false } } }).values;
  if (help) {
    console.log(usage);
    process.exit(0);
  }
  const { PORT = "8788", HOST = "", ANDON_STATE = ".wrangler/state" } = process.env;
  const port = Number(PORT);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error(`PORT is ${PORT}: give a port number, 1 to 65535.`);
  const host = HOST === "" || HOST === "localhost" ? "127.0.0.1" : HOST;
  if (!isIP(host)) throw new Error(`HOST is ${HOST}: give an IP address of this computer, or 0.0.0.0 for all that it has.`);
  const stateFolder = resolve(ANDON_STATE);
  mkdirSync(stateFolder, { recursive: true, mode: 0o700 });
  return { stateFolder, host, port };
}

async function prepare(stateFolder: string): Promise<void> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "prepare.ts"), stateFolder], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  preparing = child;
  const code = await new Promise((done) => child.once("exit", done));
  if (code !== 0) throw new Error("The service could not be prepared.");
}

/** The Worker's variables and secrets: those of wrangler.toml, of the state folder, and of the environment; later ones win. */
function bindingsOf({ vars, requiredSecrets }: BuiltWorker, kept: Record<string, string>, url: string): Record<string, string> {
  const given = [...Object.keys(vars), ...requiredSecrets, ...optionalSecrets].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...vars,
    PUBLIC_URL: url,
    ...kept,
    REQUEST_LOG: "all",
    ...Object.fromEntries(given),
    LOCAL_PACING: "on",
    DB_0_JURISDICTION: "",
  };
}

async function stop(): Promise<void> {
  if (ending.signal.aborted) return;
  ending.abort();
  console.log("Stopping");
  preparing?.kill();
  await running?.stop(GRACE_MS);
  process.exit(0);
}

process.on("SIGINT", stop);
process.on("SIGTERM", stop);
main().catch((error: Error) => {
  if (ending.signal.aborted) return;
  console.error(error.message);
  process.exit(1);
});
