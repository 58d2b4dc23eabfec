import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { runJob } from "../../scripts/crons.ts";
import { executeSqlFile } from "../../scripts/service.ts";
import { deliveryStatusNumbers } from "../../src/db/values.ts";
import { login } from "./api.ts";
import { type BuiltService, migratedFolder, startBuilt, stopBuilt } from "./built-service.ts";
import { readKilled } from "./crash/database.ts";
import { Client } from "./crash/line.ts";
import { type Manner, Receivers } from "./deliveries/receivers.ts";
import { freePort, newPlant } from "./plant.ts";

// Webhooks, from machines' stops to receivers, with kills of the service: `npm run deliveries`, and a smaller run in `npm run verify`.

const events = Number(process.env.DELIVERIES_EVENTS ?? "200");
const subscriptions = Number(process.env.DELIVERIES_SUBSCRIPTIONS ?? "5");
const kills = Number(process.env.DELIVERIES_KILLS ?? "3");

/** Each stop is opened and closed. */
const stopsOfAll = Math.ceil(events / 2);
const machineCount = Math.max(4, Math.min(40, Math.ceil(stopsOfAll / 125)));
const stopsOfOne = Math.ceil(stopsOfAll / machineCount);
const STOPS_PER_REQUEST = 10;
/** A machine is stopped for the second half of this time. */
const STOP_EVERY_MS = 4_000;
const BETWEEN_KILLS_MS = 8_000;
/** A crash costs the lease of the deliveries in progress, and the time of those that wait behind them. */
const DRAIN_MS = 600_000;

const variables = {
  ALLOW_LOOPBACK: "on",
  // Three days would take too long. The receiver that fails ten times must not fail ten times for the same event.
  WEBHOOK_RETRY_SECONDS: "1 1 2 5 10 30 60 60 60 60",
};

const stateFolder = migratedFolder();
const receivers = new Receivers();
afterAll(async () => {
  await stopBuilt();
  receivers.stop();
  rmSync(stateFolder, { recursive: true, force: true });
});

const iso = (at: number) => new Date(at).toISOString();
const seconds = (since: number) => Math.round((Date.now() - since) / 100) / 10;

/** Requests with a machine's stops, as its gateway sends them; each is repeated until it is answered. */
function* requestsOf(machineId: number, since: number) {
  for (let first = 0; first < stopsOfOne; first += STOPS_PER_REQUEST) {
    const of = Array.from(
      { length: Math.min(STOPS_PER_REQUEST, stopsOfOne - first) },
      (_, i) => since + (first + i) * STOP_EVERY_MS,
    );
    const change = (at: number, state: string) => ({ id: randomUUID(), type: "state", at: iso(at), machineId, state });
    yield of.flatMap((at) => [change(at, "running"), change(at + STOP_EVERY_MS / 2, "idle")]);
  }
  // The last stop also ends.
  yield [{ id: randomUUID(), type: "state", at: iso(since + stopsOfOne * STOP_EVERY_MS), machineId, state: "running" }];
}

test(
  `${events} events reach ${subscriptions} subscriptions through ${kills} times kill -9, each once per id and in order`,
  async () => {
    const manners: Manner[] = ["shaky", "hanging", "redirecting"];
    await receivers.start(Array.from({ length: subscriptions }, (_, i) => manners[i] ?? "good"));
    const good = receivers.list.filter(({ manner }) => manner === "good" || manner === "shaky");
    const plant = await newPlant(stateFolder, 20);
    await executeSqlFile(stateFolder, plant.sqlFile);
    const port = await freePort();
    const start = () => startBuilt({ stateFolder, port, variables });
    let service: BuiltService = await start();
    const client = new Client(service.url, await login(service.url, plant));
    const { companyId } = plant;
    const since = Date.now() - (stopsOfOne + 30) * STOP_EVERY_MS;
    const machines: number[] = [];
    for (let i = 0; i < machineCount; i++) {
      const machine = {
        name: `M${i}`,
        ref: `M${i}`,
        nodeId: 2_000_000 + i,
        signal: "states",
        stopAfterSeconds: 0,
        noDataAfterSeconds: null,
      };
      const made = await client.do("POST", "/v1/machines", { companyId, ...machine, commissionedAt: iso(since - 60_000) });
      machines.push(made.id);
    }
    const idOf = new Map<unknown, string>();
    for (const receiver of receivers.list) {
      const made = await client.do("POST", "/v1/webhook-subscriptions", { companyId, url: receiver.url });
      receiver.secret = made.secret;
      idOf.set(receiver, made.id);
    }

    // The cron job, more often than once a minute: it finds deliveries that a kill interrupted.
    const ending = new AbortController();
    const ticking = (async () => {
      while (!ending.signal.aborted) {
        await runJob(service.runtimeUrl, "* * * * *").catch(() => undefined);
        await sleep(3_000, undefined, { signal: ending.signal }).catch(() => undefined);
      }
    })();

    const startedAt = Date.now();
    const queue = machines.map((machineId) => [...requestsOf(machineId, since)]);
    const all = queue.reduce((sum, { length }) => sum + length, 0);
    let sent = 0;
    let allowed = 0;
    const feeding = queue.map(async (requests) => {
      for (const body of requests) {
        while (sent >= allowed) await sleep(20);
        sent++;
        for (;;) {
          const answer = await client.send(step({ companyId, events: body }), randomUUID()).catch(() => null);
          if (answer && answer.status < 300) {
            expect(answer.body.rejected).toEqual([]);
            break;
          }
          await sleep(100);
        }
      }
    });
    const log = setInterval(
      () =>
        process.stderr.write(
          `${seconds(startedAt)} s: sent ${sent} of ${all}, ${good.map(({ taken, accepted }) => `${taken.size}/${accepted}`).join(" ")}\n`,
        ),
      5000,
    );
    log.unref();
    for (let kill = 1; kill <= kills; kill++) {
      allowed = Math.ceil((all * kill) / (kills + 1));
      await sleep(BETWEEN_KILLS_MS * (0.5 + Math.random()));
      await service.kill();
      service = await start();
    }
    allowed = Number.POSITIVE_INFINITY;
    await Promise.all(feeding);
    const fedSeconds = seconds(startedAt);

    const expected = machineCount * stopsOfOne * 2;
    for (const deadline = Date.now() + DRAIN_MS; Date.now() < deadline; await sleep(500)) {
      if (good.every(({ taken }) => taken.size >= expected)) break;
    }
    const doneSeconds = seconds(startedAt);
    // A delivery that is repeated although it is done would come now.
    await sleep(3_000);
    ending.abort();
    clearInterval(log);
    await ticking;
    await service.kill();

    const published = readKilled(stateFolder, (query) =>
      query(`SELECT id, machine_id AS machineId, type, data FROM published WHERE company_id = ${companyId} ORDER BY seq`),
    ).map(
      (row) =>
        ({ ...row, data: JSON.parse(String(row.data)) }) as { id: string; machineId: number; type: string; data: Published },
    );
    // The events are exactly those that the gateways sent, each once.
    for (const machineId of machines) {
      const of = published.filter((event) => event.machineId === machineId);
      const times = Array.from({ length: stopsOfOne }, (_, i) => since + i * STOP_EVERY_MS + STOP_EVERY_MS / 2);
      expect(of.filter(({ type }) => type === "stop.opened").map(({ data }) => data.since)).toEqual(times.map(iso));
      expect(of.filter(({ type }) => type === "stop.closed").map(({ data }) => data.until)).toEqual(
        times.map((at) => iso(at + STOP_EVERY_MS / 2)),
      );
    }
    const inOrder = (machineId: number | null) => published.filter((event) => event.machineId === machineId).map(({ id }) => id);
    for (const { manner, url, taken } of good) {
      expect(new Set(taken.keys()), `${manner} ${url}`).toEqual(new Set(published.map(({ id }) => id)));
      for (const machineId of machines) {
        const own = [...taken].flatMap(([id, of]) => (of === machineId ? [id] : []));
        expect(own, `${manner} ${url}: machine ${machineId}`).toEqual(inOrder(machineId));
      }
    }
    expect(receivers.faults).toEqual([]);
    expect(receivers.innerCalls).toBe(0);
    const standing = readKilled(stateFolder, (query) =>
      query(
        `SELECT s.id, d.status, count(*) AS n FROM webhook_deliveries AS d
          JOIN webhook_subscriptions AS s ON s.company_id = d.company_id AND s.nr = d.subscription_nr GROUP BY 1, 2`,
      ),
    );
    for (const receiver of good) {
      const own = standing.filter(({ id }) => id === idOf.get(receiver));
      expect(own.map(({ status, n }) => [status, n])).toEqual([[deliveryStatusNumbers.succeeded, published.length]]);
    }
    const calls = good.reduce((sum, { accepted }) => sum + accepted, 0);
    const deliveries = good.length * published.length;
    // biome-ignore lint/suspicious/noConsole: the figures are for docs/performance.md.
    console.log(
      `deliveries: ${published.length} events of ${machineCount} machines to ${good.length} good receivers of ${subscriptions} through ${kills} kills:`,
      `${deliveries} deliveries, ${calls - deliveries} of them made again; fed in ${fedSeconds} s, all there after ${doneSeconds} s`,
    );
  },
  DRAIN_MS + 120_000 + kills * 40_000,
);

interface Published {
  since: string;
  until: string | null;
}

function step(body: object) {
  return { operation: "ingest", method: "POST", path: "/v1/ingest", body, shows: null };
}
