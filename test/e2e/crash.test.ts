import { randomUUID } from "node:crypto";
import { appendFileSync, rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { executeSqlFile } from "../../scripts/service.ts";
import { insertSql } from "../../scripts/sql.ts";
import { sql } from "../../scripts/sql-text.ts";
import { apiClient } from "../../src/client/client.ts";
import { hashPassword } from "../../src/core/password.ts";
import { kindNumber } from "../../src/db/audit-columns.ts";
import { companies, users } from "../../src/db/schema.ts";
import { answered, settledTotal } from "./api.ts";
import { migratedFolder, startBuilt, stopBuilt } from "./built-service.ts";
import { halfWritten, readKilled } from "./crash/database.ts";
import { Client, Line } from "./crash/line.ts";
import { type Newcomer, officeLines } from "./crash/office-lines.ts";
import { Counts, floorLine, heldLine, helpLine, orderLine, sensorLine, stopLine } from "./crash/plant-lines.ts";
import { type BaseCompany, setUpLines } from "./crash/set-up-lines.ts";
import { freePort, newPlant, type Plant } from "./plant.ts";

const rounds = Number(process.env.CRASH_ROUNDS ?? "4");
/** This many rounds interrupt each kind of write at least once. */
const CUT_ALL = 20;
/** A kill comes at a random point of a write. */
const MAX_WAIT_MS = 60;
/** A machine's object flushes every ten seconds. */
const FLUSH_MS = 11_000;
const DAY = 86_400_000;

/** Operations that no kill can harm: they only read, whatever their method. */
const reads = ["pingWebhookSubscription", "getMetricReport", "getStopReport", "getStopMetrics", "tryAlertRule"];
/** Operations that are covered by another one: replayEvents with one event. */
const alike = ["replayEvent"];
/** Operations without an audit row: gateways' events, and those that concern nobody else. */
const unaudited = ["ingest", "markNotificationsRead", "createWallPairing"];

const stateFolder = migratedFolder();
afterAll(async () => {
  await stopBuilt();
  rmSync(stateFolder, { recursive: true, force: true });
});

const l10n = (text: string) => ({ en: text, es: text });

/** A company with one of each, created through the API. */
async function createBaseCompany(client: Client): Promise<BaseCompany> {
  const { id: companyId } = await client.do("POST", "/v1/companies", { name: "Ground", timezone: "UTC" });
  const make = (path: string, body: object) => client.do("POST", path, { companyId, ...body });
  const days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
  const commissionedAt = new Date(Date.now() - 4 * DAY).toISOString();
  const drawn = { title: l10n("Widget"), description: l10n("About"), spec: {} };
  // The shift first: a machine starts with the existing shifts.
  const shift = await make("/v1/shifts", { name: "Day", start: "08:00", end: "16:00", days });
  const [machine, operator, widget] = await Promise.all([
    make("/v1/machines", { name: "Press", ref: "PRESS", nodeId: 7, commissionedAt }),
    make("/v1/operators", { name: "Jorge", code: "O-0" }),
    make("/v1/widgets", drawn),
  ]);
  return { companyId, machine, operator, shift, widgetId: widget.id };
}

/** Inserts everything that cannot be created through the API; returns the users who may be the first to request a secret. */
async function seed(plant: Plant, count: number): Promise<{ newcomers: Newcomer[]; notificationIds: string[] }> {
  const password = randomUUID();
  const now = Date.now();
  const stamps = { createdAt: now, updatedAt: now };
  const passwordHash = await hashPassword(password, { n: 16, r: 1, p: 1 });
  const newcomers = Array.from({ length: count }, (_, i) => ({ id: 2_000_000 + i, email: `new${i}@e2e.test`, password }));
  const notificationIds = Array.from({ length: 8 * count }, () => randomUUID());
  const statements = [
    insertSql(
      companies,
      newcomers.map(({ id }) => ({ id, name: "New", timezone: "UTC", ...stamps })),
    ),
    insertSql(
      users,
      newcomers.map(({ id, email }) => ({
        id,
        companyId: id,
        name: "New",
        email,
        passwordHash,
        role: "admin" as const,
        ...stamps,
      })),
    ),
    sql`INSERT INTO notifications (id, user_id, title, body, created_at)
      SELECT value, (SELECT id FROM users WHERE email = ${plant.email}), 'Title', 'Body', ${now}
      FROM json_each(${JSON.stringify(notificationIds)});`,
  ];
  appendFileSync(plant.sqlFile, statements.join(""));
  await executeSqlFile(stateFolder, plant.sqlFile);
  return { newcomers: newcomers.map(({ email }) => ({ email, password })), notificationIds };
}

test(
  `nothing answered is lost and nothing resent is doubled by ${rounds} times kill -9 during every kind of write`,
  async () => {
    const plant = await newPlant(stateFolder, 20);
    // Two for each round, and for the extra rounds.
    const { newcomers, notificationIds } = await seed(plant, 2 * rounds + 40);
    const port = await freePort();
    let service = await startBuilt({ stateFolder, port });
    const { url } = service;
    const session = answered(await apiClient(url).POST("/identity/login", { body: plant })).data;
    const client = new Client(url, session.jwt.token);
    const writing = await writingOperations(url);

    const [stopped, ordered, sensed, office, floor, doubtful] = await Promise.all(
      Array.from({ length: 6 }, () => createBaseCompany(client)),
    );
    if (!stopped || !ordered || !sensed || !office || !floor || !doubtful) throw new Error("six companies were made");
    const threeDaysAgo = Math.floor(Date.now() / DAY - 3) * DAY + 8 * 3_600_000;
    const counts = new Counts(plant);
    const self = { userId: session.id, companyId: session.companyId, notificationIds };
    const works = [
      counts.work(),
      counts.work(),
      stopLine(client, stopped.machine.id, stopped.companyId, threeDaysAgo),
      orderLine(client, ordered.machine.id, ordered.companyId),
      floorLine(client, floor.machine.id, floor.operator.id, floor.companyId),
      helpLine(client, floor.machine.id, floor.companyId),
      sensorLine(client, sensed.machine, sensed.companyId, 9),
      heldLine(client, doubtful.machine.id, doubtful.companyId, 9),
      ...officeLines(client, self, office.companyId, newcomers),
      ...(await setUpLines(client, () => createBaseCompany(client))),
    ];
    const lines = works.map((work) => new Line(client, work));
    const cutsOf = () => {
      const all = lines.flatMap(({ cuts }) => [...cuts]);
      return new Map(writing.map((name) => [name, all.reduce((sum, [one, n]) => sum + (one === name ? n : 0), 0)]));
    };

    // A few more rounds, with earlier kills, for a write that was always answered in time.
    const isDone = () => rounds < CUT_ALL || ![...cutsOf().values()].includes(0);
    for (let round = 1; round <= rounds || (round <= rounds + 15 && !isDone()); round++) {
      const isExtra = round > rounds;
      await Promise.all(lines.map((line) => line.recover()));
      const ready = await Promise.all(lines.map((line) => line.advance()));
      const sends = lines.map((line, i) => line.sendDuringKill(ready[i] as (typeof ready)[number]));
      // Every second kill comes at the moment of an answer: an answered write must be stored by then.
      const answer = round % 2 === 0 && !isExtra ? sends[(round / 2) % sends.length] : undefined;
      await (answer ?? sleep(Math.random() * (isExtra ? MAX_WAIT_MS / 4 : MAX_WAIT_MS)));
      await service.kill();
      await Promise.all(sends);
      readKilled(stateFolder, (query) => {
        for (const [name, found] of Object.entries(halfWritten)) expect(query(found), name).toEqual([]);
      });
      service = await startBuilt({ stateFolder, port });
    }
    if (rounds >= CUT_ALL) expect([...cutsOf()].filter(([, cuts]) => cuts === 0)).toEqual([]);

    await Promise.all(lines.map((line) => line.recover()));
    expect(await settledTotal(url, session.jwt.token, plant.machineId, counts.units)).toBe(counts.units);
    // Audit entries of machines' objects reach the database with their next flush.
    await sleep(FLUSH_MS);
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
  120_000 + 20_000 * rounds,
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
