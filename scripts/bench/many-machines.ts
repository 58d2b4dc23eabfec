import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { apiClient } from "../../src/client/client.ts";
import { DAY_MS, dayStartOf, MINUTE_MS, SECOND_MS } from "../../src/oee/time.ts";
import { migrate } from "../service.ts";
import { type BenchCompany, benchCompanyOf, benchCompanySql, Gateway } from "./bench-company.ts";
import { median, quantile } from "./load.ts";
import { databaseFile, fillDatabase } from "./plant-folder.ts";
import { healthy, startService } from "./started-service.ts";
import { type Extent, fill } from "./volume/fill.ts";

const FED_MACHINES = 500;
const SEND_EVERY_MS = 10 * SECOND_MS;
/** The tables whose rows of the filled day are due to be deleted, and which of their rows are the companies' up to a number. */
const DUE: Record<string, string> = {
  events: "company_id <= ?",
  audit: "company_id <= ?",
  webhook_deliveries: "? > 0",
  webhook_attempts: "? > 0",
};

/** A day of 10,000 machines, so long ago that all periods of keeping but the history's are over. */
function extentAt(now: number): Extent {
  const since = dayStartOf(now) - 100 * DAY_MS;
  return { companies: 10, machinesPerCompany: 1_000, days: 1, since };
}

interface Minute {
  minute: number;
  /** The rows of the filled day that are left, by table. */
  left: Record<string, number>;
  /** The times of the requests of this minute, ms. */
  latencies: number[];
}

/**
 * Serves 10,000 machines' rows of a day, which the retention deletes, while 500 more machines send a count every ten seconds, and prints both by the
 * minute. Returns whether everything that was due is deleted within `minutes`, and every count was accepted.
 */
export async function runManyMachines(folder: string, port: number, minutes: number): Promise<boolean> {
  const stateFolder = join(folder, "state");
  mkdirSync(stateFolder, { recursive: true });
  const extent = extentAt(Date.now());
  const fed = benchCompanyOf(extent, FED_MACHINES);
  await migrate(stateFolder);
  const filled = new DatabaseSync(databaseFile(stateFolder));
  await fill(filled, extent);
  filled.close();
  fillDatabase(stateFolder, benchCompanySql(fed, Date.now()));
  const server = startService(stateFolder, port);
  const url = `http://localhost:${port}`;
  const database = new DatabaseSync(databaseFile(stateFolder), { readOnly: true });
  try {
    await healthy(url, server);
    return await watch(url, fed, extent, database, minutes);
  } finally {
    database.close();
    server.kill("SIGTERM");
    if (server.exitCode === null) await new Promise((done) => server.once("exit", done));
  }
}

async function watch(
  url: string,
  { token, crowd }: BenchCompany,
  extent: Extent,
  database: DatabaseSync,
  minutes: number,
): Promise<boolean> {
  const startedAt = Date.now();
  const until = startedAt + minutes * MINUTE_MS;
  let latencies: number[] = [];
  let refused = 0;
  const feed = async (nodeId: number, machineIds: number[]) => {
    const gateway = new Gateway({ nodeId, machineIds }, 1, startedAt, SEND_EVERY_MS);
    for (let at = startedAt; at < until; at += SEND_EVERY_MS) {
      await sleep(Math.max(0, at - Date.now()));
      const sentAt = performance.now();
      const { data } = await apiClient(url, token).POST("/v1/ingest", { body: JSON.parse(gateway.next()) });
      if (!data || data.rejected.length > 0) refused += 1;
      latencies.push(performance.now() - sentAt);
    }
  };
  const feeding = Promise.all(crowd.map(({ nodeId, machineIds }) => feed(nodeId, machineIds)));
  const seen: Minute[] = [];
  console.log(
    `| minute | ${Object.keys(DUE).join(" | ")} | ingest p50, ms | p99 |\n|---:|${"---:|".repeat(Object.keys(DUE).length + 2)}`,
  );
  for (let minute = 0; minute <= minutes; minute++) {
    const taken = latencies;
    latencies = [];
    const left = leftOf(database, extent);
    seen.push({ minute, left, latencies: taken });
    const times = taken.length === 0 ? ["", ""] : [median(taken), quantile(taken, 0.99)].map((ms) => ms.toFixed(0));
    console.log(`| ${[minute, ...Object.values(left).map((rows) => rows.toLocaleString("en")), ...times].join(" | ")} |`);
    await sleep(Math.max(0, startedAt + (minute + 1) * MINUTE_MS - Date.now()));
  }
  await feeding;
  const doneAt = seen.find(({ left }) => Object.values(left).every((rows) => rows === 0))?.minute;
  console.log(doneAt === undefined ? "MISSED: rows are left that were due." : `Nothing was left after minute ${doneAt}.`);
  console.log(refused === 0 ? "Every count was accepted." : `MISSED: ${refused} requests were refused, wholly or in part.`);
  return doneAt !== undefined && refused === 0;
}

function leftOf(database: DatabaseSync, { companies }: Extent): Record<string, number> {
  const leftIn = ([table, where]: [string, string]) => {
    const row = database.prepare(`SELECT count(*) AS rows FROM ${table} WHERE ${where}`).get(companies) as { rows: number };
    return [table, row.rows] as const;
  };
  return Object.fromEntries(Object.entries(DUE).map(leftIn));
}
