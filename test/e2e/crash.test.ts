import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { runJob } from "../../scripts/crons.ts";
import { apiClient } from "../../src/client/client.ts";
import { kindNumber } from "../../src/db/audit-columns.ts";
import { answered, settledTotal } from "./api.ts";
import { migratedFolder, startBuilt, stopBuilt } from "./built-service.ts";
import { halfWritten, isUnderWay, passMinute, readKilled, underWay, untilUnderWay } from "./crash/database.ts";
import { Client } from "./crash/line.ts";
import { createLines, seed } from "./crash/works.ts";
import { freePort, newPlant } from "./plant.ts";

const rounds = Number(process.env.CRASH_ROUNDS ?? "4");
/** This many rounds interrupt each kind of write at least once. */
const CUT_ALL = 20;
const EXTRA_ROUNDS = 15;
/** A kill comes at a random point of a write. */
const MAX_WAIT_MS = 60;
/** A machine's object flushes every ten seconds. */
const FLUSH_MS = 11_000;
/** The cron that has tasks go on; a minute after they were begun, it knows that nobody works on them. */
const EVERY_MINUTE = "* * * * *";
const MINUTE_MS = 60_000;

/** Operations that no kill can harm: they only read, whatever their method. */
const reads = ["pingWebhookSubscription", "getMetricReport", "getStopReport", "getStopMetrics", "tryAlertRule"];
/**
 * Operations that are covered by another one: replayEvents with one event, and for a service without users the creation of a company, with whose row
 * that of the user is stored. And reports of gateways, each of which replaces the one before, in the company's hub alone.
 */
const alike = ["replayEvent", "claimService", "putOwnGatewayStatus"];
/** Operations without an audit row: gateways' events, and those that concern nobody else. */
const unaudited = ["ingest", "markNotificationsRead", "createWallPairing", "createTerminalPairing", "createGatewayPairing"];

const stateFolder = migratedFolder();
afterAll(async () => {
  await stopBuilt();
  rmSync(stateFolder, { recursive: true, force: true });
});

test(
  `nothing answered is lost and nothing resent is doubled by ${rounds} times kill -9 during every kind of write`,
  async () => {
    const plant = await newPlant(stateFolder, 20);
    const seeds = await seed(stateFolder, plant, rounds + EXTRA_ROUNDS);
    const port = await freePort();
    let service = await startBuilt({ stateFolder, port });
    const { url } = service;
    const session = answered(await apiClient(url).POST("/identity/login", { body: plant })).data;
    const client = new Client(url, session.jwt.token);
    const writing = await writingOperations(url);

    const { lines, counts } = await createLines(client, plant, session, seeds);
    const cutsOf = () => {
      const all = lines.flatMap(({ cuts }) => [...cuts]);
      return new Map(writing.map((name) => [name, all.reduce((sum, [one, n]) => sum + (one === name ? n : 0), 0)]));
    };

    const interrupted = new Set<string>();
    const left = () => Object.keys(underWay).filter((name) => !interrupted.has(name));
    // A few more rounds, with earlier kills, for a write that was always answered in time, or a task that was never under way.
    const isDone = () => rounds < CUT_ALL || (![...cutsOf().values()].includes(0) && left().length === 0);
    for (let round = 1; round <= rounds || (round <= rounds + EXTRA_ROUNDS && !isDone()); round++) {
      const isExtra = round > rounds;
      await Promise.all(lines.map((line) => line.recover()));
      // By chance a task whose beginning is one write of many in its line would rarely be met: a few more rounds begin each that is left.
      const wanted = new Set(isExtra ? left().flatMap((name) => underWay[name]?.begunBy ?? []) : []);
      const ready = await Promise.all(lines.map((line) => line.advance(wanted)));
      const sends = lines.map((line, i) => line.sendDuringKill(ready[i] as (typeof ready)[number]));
      // Every second kill comes at the moment of an answer: an answered write must be stored by then. First, it comes while a task is under way. It waits
      // for the writes that begin one, and not for all others: what is answered is not interrupted, and each further round costs ten seconds.
      const isLate = round % 2 === 0;
      const beginning = sends.filter((_, i) => left().some((name) => underWay[name]?.begunBy === ready[i]?.step.operation));
      if ((isLate || isExtra) && beginning.length > 0) await untilUnderWay(stateFolder, left(), Promise.all(beginning));
      else if (isLate && !isExtra) await sends[(round / 2) % sends.length];
      else await sleep(Math.random() * (isExtra ? MAX_WAIT_MS / 4 : MAX_WAIT_MS));
      await service.kill();
      await Promise.all(sends);
      readKilled(stateFolder, (query) => {
        for (const [name, found] of Object.entries(halfWritten)) expect(query(found), name).toEqual([]);
        for (const name of left()) if (isUnderWay([name], query)) interrupted.add(name);
      });
      passMinute(stateFolder);
      service = await startBuilt({ stateFolder, port });
      await runJob(service.runtimeUrl, EVERY_MINUTE, Date.now() + MINUTE_MS);
    }
    if (rounds >= CUT_ALL) expect([...cutsOf()].filter(([, cuts]) => cuts === 0)).toEqual([]);
    if (rounds >= CUT_ALL) expect(left()).toEqual([]);

    await Promise.all(lines.map((line) => line.recover()));
    expect(await settledTotal(url, session.jwt.token, plant.machineId, counts.units)).toBe(counts.units);
    // Audit entries of machines' objects reach the database with their next flush.
    await Promise.all([sleep(FLUSH_MS), ...lines.map((line) => line.settle())]);
    await service.kill();
    const done = lines.flatMap((line) => line.done).filter(({ operation }) => !unaudited.includes(operation));
    const rows = readKilled(stateFolder, (query) =>
      query("SELECT lower(hex(request_id)) AS id, kind, count(*) AS n FROM audit GROUP BY request_id, action"),
    ).map(({ id, kind, n }) => ({ kind, n, id: String(id).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5") }));
    const entriesOf = (requestIds: readonly string[]) =>
      rows.reduce((sum, { id, n }) => sum + (requestIds.includes(String(id)) ? Number(n) : 0), 0);
    const counted = done.map((one) => ({ ...one, entries: entriesOf(one.requestIds), most: one.isKeyed ? 1 : one.timesSent }));
    // The audit entry of an interrupted attempt has a request id that no client received.
    const isWrong = ({ entries, most, timesSent }: (typeof counted)[number]) =>
      entries > most || (entries < 1 && timesSent === 1);
    expect(counted.filter(isWrong)).toEqual([]);
    const cutOff = rows.filter(
      ({ id, kind }) => !client.answered.has(id) && kind !== kindNumber("events") && kind !== kindNumber("login"),
    );
    const entriesOfCutOff = cutOff.reduce((sum, { n }) => sum + Number(n), 0);
    expect(entriesOfCutOff).toBeGreaterThanOrEqual(counted.filter(({ entries }) => entries === 0).length);
    expect(entriesOfCutOff).toBeLessThanOrEqual(counted.reduce((sum, { entries, most }) => sum + most - entries, 0));
  },
  120_000 + 30_000 * (rounds < CUT_ALL ? rounds : rounds + EXTRA_ROUNDS),
);

/** The operations of the OpenAPI document that write. */
async function writingOperations(url: string): Promise<string[]> {
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  const methods = Object.values(paths).flatMap((path) => Object.entries(path));
  const writing = methods.filter(([method, { operationId }]) => method !== "get" && ![...reads, ...alike].includes(operationId));
  return [...writing.map(([, { operationId }]) => operationId), "getWebhookSecret"];
}
