import { join, resolve } from "node:path";
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { DAY_MS, MINUTE_MS } from "../../../src/oee/time.ts";
import { seededRandom } from "../../random.ts";
import { setUpSql } from "../generated-plant.ts";
import { type Machine, type Sent, uuidOf, workloadOf } from "./workload.ts";

// Fills a database by the statements of the service itself, so that what is measured follows them and the schema.

/** The time between flushes: those of all machines in it are one batch, in the order of their times. */
const SLICE_MS = 5 * MINUTE_MS;
/** Events are dispatched, and a webhook is called, once in so many slices: it takes long to build a statement. */
const SLICES_PER_DISPATCH = 12;
/** A company's round of deliveries, as in src/jobs/deliver-webhooks.ts. */
const PER_ROUND = 100;
/** One call in so many fails at first. */
const FAILING_OF = 100;
const ORDERS_PER_MACHINE = 30;

export interface Extent {
  companies: number;
  machinesPerCompany: number;
  days: number;
  /** The beginning of the first day, epoch ms; a multiple of a day. */
  since: number;
}

interface Statement {
  toSQL(): { sql: string; params: unknown[] };
}

type Row = Record<string, number | string | null>;
type Run = (statement: Statement) => Row[];

/** The functions of the service that are used. */
interface Service {
  db: unknown;
  statementsFor(db: unknown, flushes: readonly object[], now: number): Statement[];
  selectUndispatched(db: unknown, companyId: number, limit: number): Statement;
  markDispatched(db: unknown, companyId: number, seq: number): Statement;
  insertDeliveries(db: unknown, companyId: number, seqs: number[], now: number): Statement;
  claimDeliveries(db: unknown, subscriptionId: string, how: object): Statement;
  storeResults(db: unknown, subscriptionId: string, outcomes: object[], attempts: object[], now: number): Statement[];
}

/** Writes what the machines of a plant, each in a company with a webhook for all events, write in a number of days. */
export async function fill(database: DatabaseSync, extent: Extent): Promise<void> {
  const service = await openService();
  const run = runner(database);
  // Without a log: a page that does not fit into the cache would be written to it again and again. A fill that is cut off is begun anew.
  database.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -2097152; BEGIN");
  const machines = setUp(database, extent);
  const dispatchAll = (now: number) => {
    for (let companyId = 1; companyId <= extent.companies; companyId++) dispatch(service, run, companyId, now);
  };
  const workloads = machines.map((machine) => ({ machine, rowsOf: workloadOf(machine) }));
  for (let day = 0; day < extent.days; day++) {
    const dayStart = extent.since + day * DAY_MS;
    const sent = workloads.flatMap(({ machine, rowsOf }) => rowsOf(dayStart).map((row) => ({ machine, row })));
    sent.sort((a, b) => a.row.at - b.row.at);
    const slices = Map.groupBy(sent, ({ row }) => Math.floor(row.at / SLICE_MS));
    for (const [slice, those] of slices) {
      const now = (slice + 1) * SLICE_MS;
      flush(service, run, those, slice, now);
      if (slice % SLICES_PER_DISPATCH === 0) dispatchAll(now);
    }
  }
  dispatchAll(extent.since + extent.days * DAY_MS);
  database.exec("COMMIT; PRAGMA journal_mode = WAL");
}

function flush(
  { db, statementsFor }: Service,
  run: Run,
  those: { machine: Machine; row: Sent }[],
  revision: number,
  now: number,
) {
  const flushes = those.map(({ machine, row: { kind, key, body, createdAt, at } }) => ({
    ...{ machineId: machine.id, revision },
    rows: [{ kind, key, body: JSON.stringify(body), createdAt, updatedAt: at }],
  }));
  for (const statement of statementsFor(db, flushes, now)) run(statement);
}

/** Has a company's webhook called for all its new events, as src/jobs/dispatch-events.ts and deliver-webhooks.ts do. */
function dispatch(service: Service, run: Run, companyId: number, now: number): void {
  const { db } = service;
  const newSeqs = () => run(service.selectUndispatched(db, companyId, 500)).map(({ seq }) => Number(seq));
  for (let seqs = newSeqs(); seqs.length > 0; seqs = newSeqs()) {
    run(service.markDispatched(db, companyId, Math.max(...seqs)));
    run(service.insertDeliveries(db, companyId, seqs, now));
  }
  const id = subscriptionOf(companyId);
  while (true) {
    const claim = { now, lease: now + MINUTE_MS, limit: PER_ROUND, perMachine: PER_ROUND };
    const claimed = run(service.claimDeliveries(db, id, claim)).map((row) => Number(row.event_seq));
    if (claimed.length === 0) return;
    const isFailing = (seq: number) => seq % FAILING_OF === 0;
    const call = { at: now, durationMs: 84, answer: "OK", error: null, status: 200 };
    const failure = { ...call, answer: "Service Unavailable", error: "The receiver answered 503.", status: 503 };
    const attempts = claimed.flatMap((eventSeq) => [
      ...(isFailing(eventSeq) ? [{ ...failure, eventSeq }] : []),
      { ...call, eventSeq },
    ]);
    const outcomes = claimed.map((eventSeq) => {
      return { eventSeq, status: "succeeded", attempts: isFailing(eventSeq) ? 2 : 1, nextAttemptAt: null };
    });
    for (const statement of service.storeResults(db, id, outcomes, attempts, now)) run(statement);
  }
}

function subscriptionOf(companyId: number): string {
  return uuidOf(seededRandom("subscription", companyId));
}

function setUp(database: DatabaseSync, { companies, machinesPerCompany, since }: Extent): Machine[] {
  database.exec(setUpSql({ companies, machinesPerCompany }, since));
  const json = (rows: unknown[]) => JSON.stringify(rows);
  const numbers = Array.from({ length: companies }, (_, n) => n + 1);
  database
    .prepare(
      `INSERT INTO webhook_subscriptions (id, company_id, url, is_active, description, created_at, updated_at)
       SELECT value->>0, value->>1, 'https://mes.example.com/andon', 1, '', ${since}, ${since} FROM json_each(?)`,
    )
    .run(json(numbers.map((companyId) => [subscriptionOf(companyId), companyId])));
  const machines = numbers.flatMap((companyId) =>
    Array.from({ length: machinesPerCompany }, (_, n): Machine => {
      const id = (companyId - 1) * machinesPerCompany + n + 1;
      const random = seededRandom("orders", id);
      return {
        ...{ id, companyId, shiftIds: [1, 2, 3].map((shift) => (companyId - 1) * 3 + shift) },
        orderIds: Array.from({ length: ORDERS_PER_MACHINE }, () => uuidOf(random)),
      };
    }),
  );
  database
    .prepare(
      `INSERT INTO work_orders (id, company_id, code, name, status, priority, source, created_at, updated_at)
       SELECT value->>0, value->>1, 'WO-' || (value->>0), 'Order', 'InProgress', 1, 'erp', ${since}, ${since} FROM json_each(?)`,
    )
    .run(json(machines.flatMap(({ companyId, orderIds }) => orderIds.map((id) => [id, companyId]))));
  const skus = numbers.flatMap((companyId) => [1, 2, 3].map((n) => [companyId, `PRODUCT-${n}`]));
  database
    .prepare(
      `INSERT INTO skus (company_id, id, name, created_at, updated_at)
       SELECT value->>0, value->>1, 'Product', ${since}, ${since} FROM json_each(?)`,
    )
    .run(json(skus));
  return machines;
}

function runner(database: DatabaseSync): Run {
  const prepared = new Map<string, StatementSync>();
  return (statement) => {
    const { sql, params } = statement.toSQL();
    const known = prepared.get(sql) ?? database.prepare(sql);
    prepared.set(sql, known);
    return known.all(...(params as SQLInputValue[])) as Row[];
  };
}

async function openService(): Promise<Service> {
  // Named in a way that the compiler does not follow: the service's code is compiled with its own runtime's globals.
  const sources = resolve(import.meta.dirname, "../../../src");
  const of = async (file: string) => (await import(/* @vite-ignore */ join(sources, `${file}.ts`))) as Omit<Service, "db">;
  const { drizzle } = await import("drizzle-orm/d1");
  const { statementsFor } = await of("machine/publish/flush-statements");
  const { selectUndispatched, markDispatched } = await of("events/queries");
  const { insertDeliveries, claimDeliveries, storeResults } = await of("api/webhooks/queries");
  const ofEvents = { selectUndispatched, markDispatched, insertDeliveries };
  return { db: drizzle({} as never), statementsFor, ...ofEvents, claimDeliveries, storeResults };
}
