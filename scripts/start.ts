import { writeFileSync } from "node:fs";
import { isIP } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { newCode, shownCode } from "../src/core/short-code.ts";
import { DAY_MS, HOUR_MS, SECOND_MS } from "../src/oee/time.ts";
import { startBoardServer } from "./board-server.ts";
import { makeClaimCode } from "./claim-code.ts";
import { runJobsOnTime } from "./crons.ts";
import { activateAlerts } from "./demo/alerts.ts";
import { classifyUntil } from "./demo/classify.ts";
import { type FeedSource, feed, firstOfKind, nudge } from "./demo/feed.ts";
import { accounts, companies, demoPlant, gateways, password } from "./demo/plant.ts";
import { demoWebhookSecret, receiverSql } from "./demo/receiver.ts";
import { demoSql } from "./demo/sql.ts";
import { type DemoState, historyStart, newDemoState, readDemoState, writeDemoState } from "./demo/state.ts";
import { type Mailbox, startMailbox } from "./mailbox.ts";
import { secretsOf } from "./secrets.ts";
import { executeSqlFile, hasOwnMail, inDatabase, migrate, requireFreePort, startService, stopAll, urlOf } from "./service.ts";
import { occupy, recordVersion } from "./state-folder.ts";
import { startReceiver } from "./webhook-receiver.ts";

const SLICE_MS = 8 * HOUR_MS;
const LIVE_EVERY_MS = 3 * SECOND_MS;
/** Covers the first history. After a longer pause the plant is considered to have been closed. */
const CATCH_UP_MS = 8 * DAY_MS;

const usage = `Starts Andon on this computer, with a demo plant: npm start [-- options]

  --empty      without the demo plant, for one of your own
  --receiver   also receives the demo plant's webhooks, on PORT + 10, and shows them
  --board      builds the board again after each change of src/board, and reloads its open pages: npm run dev
  --help

Environment variables:
  PORT                        8787; with --empty 8788
  HOST                        an IP address of this computer, or 0.0.0.0 for all; by default only this computer can reach it
  ANDON_STATE                 the folder of all data: .wrangler/demo; with --empty .wrangler/state
  ANDON_ALLOW_LOOPBACK=1      lets webhooks call this computer
  SMTP_URL, MAIL_FROM, ...    variables and secrets of wrangler.toml and docs/channels.md

It is for trying and developing: it builds the service again after each change of its source. npm run serve is for a plant.`;

const { isEmpty, hasReceiver, isForBoard, port, host, stateFolder, allowsLoopback } = readOptions();
/** For the receiver of `--receiver`. */
const receiverPort = port + 10;
/** For the page with the mails, if this port is free. */
const mailboxPort = port + 11;
/** With `--board`, PORT is that of the server of the board in front of the service. */
const servicePort = isForBoard ? port + 12 : port;
const ending = new AbortController();
/** The demo goes on with what is left of its plant. */
const refused = firstOfKind((text) =>
  console.error(`\n${text}\nThe demo plant's set-up was changed; ANDON_STATE with a new folder gives a fresh one.`),
);
let isStopping = false;

async function main(): Promise<void> {
  if (isEmpty && readDemoState(stateFolder)) {
    throw new Error(`${stateFolder} holds the demo plant: name another folder with ANDON_STATE for a plant of your own.`);
  }
  // Before anything that takes long or changes data.
  occupy(stateFolder, { command: isEmpty ? "npm start -- --empty" : "npm start", url: urlOf(host, port) });
  await requireFreePort(port, host);
  if (isForBoard) await requireFreePort(servicePort);
  const notice = recordVersion(stateFolder);
  if (notice) console.log(notice);
  secretsOf(stateFolder);
  await migrate(stateFolder);
  const demo = isEmpty ? null : await loadDemo();
  const logFile = join(stateFolder, "requests.log");
  if (hasReceiver && !demo) throw new Error(`${stateFolder} does not hold the demo plant, whose webhooks --receiver receives.`);
  if (demo) await inDatabase(stateFolder, ({ run }) => run(receiverSql(hasReceiver ? receiverPort : null)));
  const mailbox = hasOwnMail(stateFolder) ? null : await openMailbox();
  const service = await startService({
    ...{ stateFolder, port: servicePort, logFile, allowsLoopback, publicUrl: urlOf(host, port) },
    ...(isForBoard ? {} : { host }),
    ...(mailbox && { smtpPort: mailbox.smtpPort }),
    ...(demo && demoSettings()),
  });
  const { ended } = service;
  if (isForBoard) await startBoardServer({ port, host: host ?? "127.0.0.1", servicePort, onBuild: sayBuilt });
  const url = urlOf(host, port);
  // A server that exits without being asked to has failed, whatever exit code its wrapper returns.
  ended.then((code) => stop(code || 1));
  console.log(`The wall is on ${url}/wall: what every machine does, for a large screen
Andon is up on ${url}, its API to read and to try on ${url}/docs
Its request log is ${logFile}`);
  console.log(mailbox ? `The mails that it sends are on ${mailbox.url}` : "Its mails go to the server of SMTP_URL.");
  if (host !== undefined) console.log(`HOST is ${host}: it is plain HTTP, and whoever reaches this address can call it.`);
  if (allowsLoopback) console.log("Webhooks may call receivers on this machine, over http, too.");
  runJobsOnTime(url, ending.signal).catch((error: Error) => console.error(error.message));
  if (demo) await runDemo(url, demo);
  else await sayWhatIsNext(url);
}

/** What the demo's pages know. Where others reach the service, nobody starts a plant of their own in it. */
function demoSettings() {
  return { demoPlant, ...(host === undefined && { startCode: shownCode(newCode()) }) };
}

function sayBuilt(result: number | Error): void {
  if (typeof result === "number") console.log(`The board was built in ${result} ms`);
  else console.error(`The board is as before, because it cannot be built:\n${result.message}`);
}

/** A mail server for this service only, which ends with it, and a page with the received mails. */
async function openMailbox(): Promise<Mailbox> {
  try {
    return await startMailbox({ smtpPort: 0, pagePort: mailboxPort });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    return await startMailbox({ smtpPort: 0, pagePort: 0 });
  }
}

/** From the arguments and the environment. The demo plant and a real plant each have their own folder and port. */
function readOptions() {
  const options = process.argv.slice(2);
  if (options.includes("--help")) {
    console.log(usage);
    process.exit(0);
  }
  const unknown = options.find((option) => !["--empty", "--receiver", "--board"].includes(option));
  if (unknown) refuse(`Unknown option ${unknown}: there are --empty, --receiver, --board and --help.`);
  const isEmpty = options.includes("--empty");
  const hasReceiver = options.includes("--receiver");
  const isForBoard = options.includes("--board");
  if (isEmpty && hasReceiver) refuse("--receiver is for the demo plant: there is none with --empty.");
  const { PORT = isEmpty ? "8788" : "8787", HOST, ANDON_STATE = isEmpty ? ".wrangler/state" : ".wrangler/demo" } = process.env;
  const port = Number(PORT);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) refuse(`PORT is ${PORT}: give a port number, 1 to 65535.`);
  if (HOST && HOST !== "localhost" && !isIP(HOST)) {
    refuse(`HOST is ${HOST}: give an IP address of this machine, or 0.0.0.0 for all that it has.`);
  }
  const allowsLoopback = hasReceiver || process.env.ANDON_ALLOW_LOOPBACK === "1";
  return { isEmpty, hasReceiver, isForBoard, port, host: HOST || undefined, stateFolder: resolve(ANDON_STATE), allowsLoopback };
}

function refuse(message: string): never {
  console.error(message);
  process.exit(1);
}

/** For a service that nobody can log in to yet. */
async function sayWhatIsNext(url: string): Promise<void> {
  const [row] = await inDatabase(stateFolder, ({ rows }) => rows("SELECT count(*) AS users FROM users"));
  if (row?.users !== 0) return;
  const code = await makeClaimCode(stateFolder);
  console.log(`Nobody can log in yet. Make the first account and your plant here, with the code ${code}:
  ${url}/?code=${code}`);
}

/** The demo plant of the state folder, loaded now if the database is empty; null if the data is not a demo. */
async function loadDemo(): Promise<DemoState | null> {
  const known = readDemoState(stateFolder);
  if (known && known.fedUntil > 0) return known;
  const [row] = await inDatabase(stateFolder, ({ rows }) => rows("SELECT count(*) AS companies FROM companies"));
  if (row?.companies !== 0) return known;
  console.log("Loading the demo plant");
  const state = known ?? newDemoState(Date.now());
  writeDemoState(stateFolder, state);
  const path = join(stateFolder, "demo.sql");
  writeFileSync(path, await demoSql(state), { mode: 0o600 });
  await executeSqlFile(stateFolder, path);
  return state;
}

/** Brings the demo plant up to now, then feeds it live until the process exits. */
async function runDemo(url: string, demo: DemoState): Promise<void> {
  const sources = gateways.map((gateway) => {
    return { gateway, token: demo.tokens[gateway.id] ?? "", since: historyStart(gateway.companyId, demo.createdAt) };
  });
  let state = demo;
  const keep = (fedUntil: number) => {
    state = { ...state, fedUntil };
    writeDemoState(stateFolder, state);
  };
  await nudge(url);
  if (hasReceiver) {
    await receive(url).catch((error: Error) => console.error(`The webhooks are not received: ${error.message}`));
  }
  await catchUp(url, sources, state.fedUntil, keep);
  await nudge(url);
  if (!state.hasAlerts) {
    await activateAlerts(url);
    state = { ...state, hasAlerts: true };
    writeDemoState(stateFolder, state);
  }
  printWelcome(url);
  classifyUntil(url, ending.signal).catch((error: Error) => !isStopping && console.error(error.message));
  for (let lastFault = ""; !isStopping; await sleep(LIVE_EVERY_MS)) {
    const now = Date.now();
    try {
      await feed(url, sources, state.fedUntil, now, refused);
      keep(now);
      lastFault = "";
    } catch (error) {
      // The service may be reloading after a code change; the next round sends what was missed.
      const fault = String(error);
      if (fault !== lastFault && !isStopping) console.error(fault);
      lastFault = fault;
    }
  }
}

async function receive(url: string): Promise<void> {
  const { close } = await startReceiver(receiverPort, await demoWebhookSecret(url), (line) => console.log(line));
  ending.signal.addEventListener("abort", close);
}

async function catchUp(url: string, sources: FeedSource[], fedUntil: number, keep: (fedUntil: number) => void): Promise<void> {
  const now = Date.now();
  const firstSince = Math.min(...sources.map(({ since }) => since));
  const start = Math.max(fedUntil, now - CATCH_UP_MS, firstSince);
  let events = 0;
  for (let from = start; from < now; from += SLICE_MS) {
    const to = Math.min(from + SLICE_MS, now);
    events += await feed(url, sources, from, to, refused);
    keep(to);
    const percent = Math.floor((100 * (to - start)) / (now - start));
    const line = `Feeding what happened since ${new Date(start).toISOString().slice(0, 16)}Z: ${percent} %, ${events} events`;
    if (process.stdout.isTTY) process.stdout.write(`\r${line}${to === now ? "\n" : ""}`);
    else console.log(line);
  }
}

function printWelcome(url: string): void {
  const json = "-H 'content-type: application/json'";
  const login = `{"email":"superuser@demo.test","password":"${password}"}`;
  const list = accounts.map(({ email, role, companyId }) => {
    return `  ${email.padEnd(22)} ${role.padEnd(11)} ${companies.find(({ id }) => id === companyId)?.name}`;
  });
  console.log(`
Open ${url}: its first page signs you in with one click. These are all accounts, with the password ${password}:
${list.join("\n")}

Try first on the command line (reports are at most 15 s behind):
  TOKEN=$(curl -s ${url}/identity/login ${json} -d '${login}' | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')
  curl -s ${url}/v1/public/reports/metrics -H "authorization: Bearer $TOKEN" ${json} -d '{"machineIds":[1],"pageSize":2}'
  curl -s "${url}/machines/realtime/operators?machineId=1&machineId=2" -H "authorization: Bearer $TOKEN"

${hasReceiver ? `Its webhooks go to the receiver on port ${receiverPort}: a line here for each event.` : "npm start -- --receiver shows its webhooks: a line for each event."}

The demo plant goes on producing. Ctrl-C ends it all; the data stays in ${stateFolder}.
`);
}

async function stop(code: number): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  ending.abort();
  await stopAll();
  process.exit(code);
}

process.on("SIGINT", () => stop(0));
process.on("SIGTERM", () => stop(0));
main().catch((error: Error) => {
  if (!isStopping) console.error(error.message);
  return stop(1);
});
