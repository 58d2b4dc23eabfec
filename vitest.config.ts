import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { promisify } from "node:util";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { IndexReaders } from "./scripts/checks/index-readers.ts";
import { longInWorkerd } from "./test/long-tests.ts";
import { createMemoryFolder } from "./test/memory-folder.ts";
import { asOneMigration, tablesOfDirectory } from "./test/migrated-database.ts";

// Node caches compiled code, so that the processes that the tests start need not compile it again.
process.env.NODE_COMPILE_CACHE ??= `${import.meta.dirname}/node_modules/.cache/node-compile`;

// `live`, `overload`, `hostile`, `deliveries` and `imports` measure a service, which stores on a disk.
const { LIVE_MACHINES, OVERLOAD_SECONDS, HOSTILE_SECONDS, DELIVERIES_EVENTS, IMPORT_LINES } = process.env;
const isMeasured = Boolean(LIVE_MACHINES ?? OVERLOAD_SECONDS ?? HOSTILE_SECONDS ?? DELIVERIES_EVENTS ?? IMPORT_LINES);
if (!isMeasured) process.env.TMPDIR ??= createMemoryFolder() ?? tmpdir();

const secrets = {
  JWT_SECRET: "a secret of the test suite alone",
  JWT_SECRET_PREVIOUS: "",
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
  ENCRYPTION_KEY_PREVIOUS: "",
};

/** Builds the static files of the present source, including the OpenAPI document. Vitest loads this module once per project, so the build is shared. */
function builtAssets(): Promise<unknown> {
  const shared = globalThis as { andonAssets?: Promise<unknown> };
  shared.andonAssets ??= promisify(execFile)(process.execPath, [`${import.meta.dirname}/scripts/build-assets.ts`]);
  return shared.andonAssets;
}

const endless = (namespace_id: string) => ({ namespace_id, simple: { limit: 1e9, period: 10 as const } });

// Random tests are short in `npm test`, and long in `npm run verify` (scripts/checks/verify.ts).

/** The number of commands in the model tests of the machine's object, and their seed. */
const model = {
  commands: Number(process.env.MODEL_COMMANDS ?? 1000),
  seed: Number(process.env.MODEL_SEED ?? 1),
};

/** The number of random histories in which a plant is put right afterwards, without and with kills, and their seed. */
const putRight = {
  histories: Number(process.env.PUT_RIGHT_HISTORIES ?? 6),
  killed: Number(process.env.PUT_RIGHT_KILLED ?? 2),
  seed: Number(process.env.PUT_RIGHT_SEED ?? 1),
};

/** The days of one machine that are recalculated, and whether that is measured. */
const recalculations = {
  days: Number(process.env.RECALCULATED_DAYS ?? 6),
  isMeasured: Boolean(process.env.RECALCULATED_DAYS),
};

/** The number of requests of a kind that the input tests send to an operation, their seed, and whether they report them. */
const input = {
  runs: Number(process.env.INPUT_RUNS ?? 1),
  seed: process.env.INPUT_SEED ? Number(process.env.INPUT_SEED) : null,
  log: Boolean(process.env.INPUT_LOG),
};

/** The fault plans to run: the first ones, or one by its seed. */
const { FAULT_SEED, FAULT_SEEDS = 2 } = process.env;
const faults = { seeds: FAULT_SEED ? [Number(FAULT_SEED)] : [...Array(Number(FAULT_SEEDS)).keys()] };

/** The number of random streams in each test of the engine; some tests use a multiple of it. */
const engine = { runs: Number(process.env.ENGINE_RUNS ?? 100) };

/** The number of random sequences of stop edits. */
const edits = { runs: Number(process.env.EDIT_RUNS ?? 4) };

/** The number of random histories of a plant: of set-ups, counts, readings and screens. */
const histories = { runs: Number(process.env.HISTORY_RUNS ?? 4) };

/** The number of rows in the long file. */
const transfer = { rows: Number(process.env.TRANSFER_ROWS ?? 20_000) };

/** The number of random plants whose reports are compared with each other. */
const reports = { plants: Number(process.env.REPORT_PLANTS ?? 1) };

/** The number of random plants that are read as files and put again. */
const plantFiles = { plants: Number(process.env.PLANT_FILES ?? 8) };

/** Tests of what the service does for all companies at once, such as its jobs: apart from tests whose companies would get into it. */
const forAll = [
  "test/jobs/**/*.test.ts",
  "test/machine/publish-again.test.ts",
  "test/machine/publish/outbox.test.ts",
  "test/machine/failing-alarm.test.ts",
  "test/table/sessions.test.ts",
];
/** Tests that compare all rows of a table, fill the database, or change grants: each has a process and a database of its own. */
const ownDatabase = [
  "test/api/access/claim.test.ts",
  "test/api/access/start-empty.test.ts",
  "test/api/access/roles/update-role-permission.test.ts",
  "test/jobs/forget-old.test.ts",
  "test/faults/**/*.test.ts",
  "test/machine/model-*.test.ts",
  "test/jobs/many-at-once.test.ts",
  "test/api/ingest/count-sensors/hundreds-at-once.test.ts",
  "test/api/reports/deep-pages.test.ts",
  ...["access", "audit", "budgets", "foreign", "input", "operator-names", "unknown"].map((name) => `test/table/${name}.test.ts`),
];
/**
 * Tests whose clock is far in the future. They have processes of their own: in one with tests by the real clock, the alarm of a machine of such
 * a test could ring in that future, and would compute all shifts up to then.
 */
const farAhead = readdirSync(`${import.meta.dirname}/test`, { recursive: true, encoding: "utf8" })
  .map((file) => `test/${file}`)
  .filter((file) => file.endsWith(".test.ts") && /stopClockAtNoon\(\)|Date\.UTC\(204\d/.test(readFileSync(file, "utf8")));
const elsewhere = ["test/oee/**", "test/checks/**", "test/board/**", "test/bridge/**", "test/e2e/**", "test/browser/**"];

/** Long tests: `npm run verify`, `crash`, `deliveries`, `imports`, `live`, `overload` and `hostile` name the ones that they run. */
const longE2e = [
  ...(process.env.HOSTILE_SECONDS ? [] : ["test/e2e/hostile.test.ts"]),
  ...(process.env.OVERLOAD_SECONDS ? [] : ["test/e2e/overload.test.ts"]),
  ...(process.env.CRASH_ROUNDS ? [] : ["test/e2e/crash.test.ts"]),
  ...(process.env.DELIVERIES_EVENTS ? [] : ["test/e2e/deliveries.test.ts"]),
  ...(process.env.IMPORT_LINES ? [] : ["test/e2e/import.test.ts"]),
  ...(process.env.LIVE_MACHINES ? [] : ["test/e2e/live.test.ts"]),
  ...(process.env.BRIDGE_KILLS ? [] : ["test/e2e/bridge-kills.test.ts"]),
  ...(process.env.UPGRADE ? [] : ["test/e2e/upgrade.test.ts"]),
];

/** Files named on the command line, as in `npx vitest run test/browser/desk.test.ts`. */
const isNamed = (file: string) => process.argv.slice(2).some((argument) => file.startsWith(argument));

/** They need the packages of bridge/opcua, which only `npm run verify` installs: they run where their folder itself is named. */
const opcua = process.argv.some((argument) => /^test\/bridge\/opcua(?:\/|$)/.test(argument)) ? [] : ["test/bridge/opcua/**"];

/** The folders of tests that need neither workerd nor a server. */
const pure = ["test/oee/", "test/checks/", "test/board/", "test/bridge/"];
/** The folders of tests that start a real server. */
const withServer = ["test/e2e/", "test/browser/"];

/** Whether a kind of test is among the files named on the command line. Without a named file in `test/`, all kinds run. */
function isAsked(kind: "pure" | "worker" | "server"): boolean {
  const named = process.argv.slice(2).filter((argument) => argument.startsWith("test/"));
  const isIn = (folders: readonly string[], file: string) =>
    folders.some((folder) => file.startsWith(folder) || `${file}/` === folder);
  const kindOf = (file: string) => (isIn(pure, file) ? "pure" : isIn(withServer, file) ? "server" : "worker");
  return named.length === 0 || named.some((file) => kindOf(file) === kind);
}

/** Of the pages, `npm test` opens the first one, and runs what holds for all of them. */
const shortPages = ["broken-parts", "faults", "first-page", "grants", "sign-in"];

/** `npm test` only runs these if they are named. `npm run verify` runs all of them. */
const long = [
  // Each starts its own server and runs commands from the documentation.
  ...[
    "bridge-outage",
    "readme",
    "guides",
    "admin",
    "backup",
    "restore",
    "serve",
    "bridge",
    "proxies",
    "start",
    "dead-letters",
    "migrate",
  ].map((name) => `test/e2e/${name}.test.ts`),
  ...readdirSync(`${import.meta.dirname}/test/browser`)
    .filter((file) => file.endsWith(".test.ts") && !shortPages.includes(file.replace(".test.ts", "")))
    .map((file) => `test/browser/${file}`),
  // The bridge against programs of Debian.
  ...readdirSync(`${import.meta.dirname}/test/bridge/debian`)
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => `test/bridge/debian/${file}`),
  // Every operation with random members and values, and as roles see it that may not see operators' names: the operations' own tests cover what is
  // important.
  ...["input", "operator-names", "unknown"].map((name) => `test/table/${name}.test.ts`),
  // Thousands of rows, many machines.
  ...["test/table/budgets.test.ts", "test/api/reports/deep-pages.test.ts", "test/jobs/many-at-once.test.ts"],
  "test/api/ingest/count-sensors/hundreds-at-once.test.ts",
  ...(process.env.INDEX_READERS ? [] : longInWorkerd),
].filter((file) => !process.env.LONG_TESTS && !isNamed(file));

/** A Worker with an object that echoes what a socket sends it: for tests of the middleware. */
const echo = {
  name: "echo",
  modules: true,
  compatibilityDate: "2026-10-23",
  durableObjects: { ECHOES: { className: "Echo" } },
  script: `
    import { DurableObject } from "cloudflare:workers";
    export class Echo extends DurableObject {
      fetch() {
        const [client, server] = Object.values(new WebSocketPair());
        this.ctx.acceptWebSocket(server);
        return new Response(null, { status: 101, webSocket: client, headers: { "sec-websocket-protocol": "andon.v1" } });
      }
      webSocketMessage(socket, message) { socket.send("echo of " + message); }
    }
    export default { fetch: (request, { ECHOES }) => ECHOES.getByName("one").fetch(request) };`,
};

const workerd = async () => {
  // Loaded where it is needed: it takes longer than the tests of a pure function.
  const { cloudflareTest, readD1Migrations } = await import("@cloudflare/vitest-pool-workers");
  const plugin = cloudflareTest(async () => {
    await builtAssets();
    return {
      wrangler: { configPath: "./wrangler.toml" },
      miniflare: {
        workers: [echo],
        serviceBindings: { ECHO: "echo" },
        // Two databases, so that a statement in the wrong one fails. Where the service runs they may be one.
        d1Databases: { DIRECTORY: "the directory" },
        bindings: {
          ...secrets,
          MAX_REQUESTS_IN_FLIGHT: "1000",
          LOCAL_PACING: "on",
          REQUEST_LOG: "all",
          MIGRATIONS: [asOneMigration(await readD1Migrations("drizzle"), tablesOfDirectory)],
          DIRECTORY_MIGRATIONS: [asOneMigration(await readD1Migrations("drizzle/directory"))],
        },
        // Tests send more requests, and more at once, than the limits allow. test/http/rate-limit.test.ts uses the real numbers.
        ratelimits: {
          USER_LIMITER: endless("1"),
          GATEWAY_LIMITER: endless("2"),
          ADDRESS_LIMITER: endless("3"),
          TOKEN_LIMITER: endless("4"),
        },
      },
    };
  });
  return { plugins: [plugin] };
};

/** Long files first, project by project: the many short ones of the worker use the cores that are free at the end. */
class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ project }: TestSpecification) =>
      ["e2e", "browser", "worker-alone", "worker-for-all", "bridge", "oee", "board", "worker-ahead", "worker"].indexOf(
        project.name,
      );
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

/**
 * Vitest's error when an alarm or a queue message arrives just after the last test of a file: the runtime asks Vitest for the Worker's code,
 * and Vitest is shutting down. No test has failed.
 */
const lateWakeUp = 'Closing rpc while "resolve" was pending';

/** The number of machines that fail at once. */
const failing = { machines: Number(process.env.FAILING_MACHINES ?? 30) };

/** Whether to note which indexes the statements use (scripts/checks/index-readers.ts). */
const indexReaders = Boolean(process.env.INDEX_READERS);

/**
 * After how long a test hangs: many times as long as the longest one takes. How busy the computer is must not decide whether a test passes: a CI
 * machine that is shared has taken four times as long as usual.
 */
const hangsAfterMs = 600_000;

const inWorkerd = {
  setupFiles: ["test/support/setup.ts"],
  provide: {
    model,
    putRight,
    recalculations,
    input,
    faults,
    edits,
    histories,
    transfer,
    reports,
    plantFiles,
    failing,
    indexReaders,
  },
  testTimeout: hangsAfterMs / 3,
  hookTimeout: hangsAfterMs / 3,
};

/** Files that share processes and databases. */
const together = {
  ...inWorkerd,
  isolate: false,
  // It saves a file that runs alone two seconds. With it each of several files is sent all the code that it imports, although the worker
  // already has most of it.
  fsModuleCache: process.argv.slice(2).filter((argument) => argument.startsWith("test/")).length === 1,
};

const pureProjects = [
  {
    // Pure: the engine needs no runtime, and thousands of random streams need speed.
    test: {
      name: "oee",
      include: ["test/oee/**/*.test.ts", "test/checks/**/*.test.ts"],
      isolate: false,
      provide: { engine },
    },
  },
  {
    // The board's computations, without a browser.
    test: { name: "board", include: ["test/board/**/*.test.ts"], isolate: false },
  },
  {
    // The bridge in plain Node: with real files, sockets, and counterparts of npm packages.
    test: { name: "bridge", include: ["test/bridge/**/*.test.ts"], exclude: [...long, ...opcua], testTimeout: 60_000 },
  },
];

const workerProjects = async () => [
  {
    ...(await workerd()),
    test: {
      name: "worker",
      ...together,
      include: ["test/**/*.test.ts"],
      exclude: [...elsewhere, ...forAll, ...ownDatabase, ...farAhead, ...long],
    },
  },
  {
    ...(await workerd()),
    test: { name: "worker-ahead", ...together, include: farAhead, exclude: [...elsewhere, ...forAll, ...ownDatabase, ...long] },
  },
  {
    ...(await workerd()),
    test: {
      name: "worker-for-all",
      ...together,
      include: forAll,
      exclude: [...ownDatabase, ...long],
      globalSetup: ["test/receivers.ts"],
    },
  },
  {
    ...(await workerd()),
    test: { name: "worker-alone", ...inWorkerd, include: ownDatabase, exclude: long, globalSetup: ["test/receivers.ts"] },
  },
];

const serverProjects = [
  {
    // A real local server in a separate process, killed and restarted.
    test: {
      name: "e2e",
      include: ["test/e2e/**/*.test.ts"],
      exclude: [...longE2e, ...long],
      // They only share modules that take long to load.
      isolate: false,
      globalSetup: ["test/e2e/prepare.ts"],
      testTimeout: hangsAfterMs,
      hookTimeout: hangsAfterMs,
    },
  },
  {
    // The pages, in a real browser, from a real local server.
    test: {
      name: "browser",
      include: ["test/browser/**/*.test.ts"],
      exclude: long,
      isolate: false,
      globalSetup: ["test/e2e/prepare.ts", "test/browser/prepare.ts"],
      expect: { poll: { timeout: 60_000 } },
      testTimeout: hangsAfterMs,
      hookTimeout: hangsAfterMs,
    },
  },
];

export default defineConfig({
  test: {
    // For two cores: of four workers two mostly wait, for a starting server or for D1.
    maxWorkers: 4,
    sequence: { sequencer: LongFilesFirst },
    // Every request of every test logs a line: only failed tests show theirs.
    silent: "passed-only",
    ...(indexReaders && { reporters: ["default", new IndexReaders()] }),
    onUnhandledError: ({ name, message }) => !(name === "EnvironmentTeardownError" && message.includes(lateWakeUp)),
    // `npm run coverage`: the engine's tests alone cover every branch of it.
    coverage: { provider: "istanbul", include: ["src/oee/**"], reporter: ["text"], thresholds: { 100: true } },
    // Each project starts a server of its own, so a run has only those that its files need.
    projects: [
      ...(isAsked("pure") ? pureProjects : []),
      ...(isAsked("worker") ? await workerProjects() : []),
      ...(isAsked("server") ? serverProjects : []),
    ],
  },
});
