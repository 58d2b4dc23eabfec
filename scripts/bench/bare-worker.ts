import { readFileSync } from "node:fs";
import { resolve } from "node:path";

/** A statement as it is sent to D1. */
export interface Statement {
  query: string;
  params: unknown[];
}

/** One trip to D1: one statement, or several as one batch. */
export type Trip = Statement[];

/** The storage requests of an operation: its trips to D1, one after the other, then the calls of its machines' objects, in parallel, with answers. */
export interface StorageCalls {
  trips: Trip[];
  calls: { machineId: string; answer: unknown }[];
}

/**
 * Measures the cost of the storage alone: no router, no validation, no authentication.
 * `PUT /<name>` stores an operation's `StorageCalls`, `GET /<name>` executes it and returns the same rows and answers as JSON.
 * `POST /` stores events in the objects of their machines, in one transaction per object, in rows and indices as in the service.
 */
export const bareWorker = `
import { DurableObject } from "cloudflare:workers";

const known = new Map();

export default {
  async fetch(request, env) {
    if (request.method === "POST") return Response.json(await ingest(await request.json(), env));
    const name = new URL(request.url).pathname;
    if (request.method === "PUT") {
      const asked = await request.json();
      known.set(name, asked);
      await Promise.all(asked.calls.map(({ machineId, answer }) => env.OBJECTS.getByName(machineId).keep(answer)));
      return new Response(null, { status: 204 });
    }
    return Response.json(await ask(known.get(name), env));
  },
};

async function ask({ trips, calls }, env) {
  const session = env.DB_0.withSession("first-unconstrained");
  const answers = [];
  for (const trip of trips) {
    const statements = trip.map(({ query, params }) => session.prepare(query).bind(...params));
    if (statements.length === 1) answers.push((await statements[0].all()).results);
    else answers.push((await session.batch(statements)).map(({ results }) => results));
  }
  answers.push(...(await Promise.all(calls.map(({ machineId }) => env.OBJECTS.getByName(machineId).kept()))));
  return answers;
}

async function ingest({ events }, env) {
  const ofMachine = Map.groupBy(events, ({ nodeId, channel }) => nodeId + ":" + channel);
  const added = await Promise.all([...ofMachine].map(([name, own]) => env.OBJECTS.getByName(name).add(own)));
  return { accepted: added.reduce((sum, rows) => sum + rows, 0) };
}

export class BareObject extends DurableObject {
  #kept;

  constructor(ctx, env) {
    super(ctx, env);
    ctx.storage.sql.exec(${JSON.stringify(eventsTable())});
  }

  keep(answer) {
    this.#kept = answer;
    this.ctx.storage.kv.put("kept", answer);
  }

  kept() {
    this.#kept ??= this.ctx.storage.kv.get("kept");
    return this.#kept;
  }

  add(events) {
    const rows = events.map(({ id, at: time, channel, value }) => {
      const at = Date.parse(time);
      const body = JSON.stringify({ kind: "count", at, cycles: value, total: value, defects: 0, good: null });
      return { pos: String(at).padStart(15, "0") + "3#" + id, id, at, units: value, body };
    });
    return this.ctx.storage.transactionSync(() => this.ctx.storage.sql.exec(
      "INSERT OR IGNORE INTO events (pos, id, at, units, body) " +
      "SELECT value->>'pos', value->>'id', value->>'at', value->>'units', value->>'body' FROM json_each(?)",
      JSON.stringify(rows),
    ).rowsWritten);
  }
}
`;

/** The table of events and its index, as a machine's object creates them. */
function eventsTable(): string {
  // As text: the compiler checks the service's code with the globals of its own runtime.
  const migrations = readFileSync(resolve(import.meta.dirname, "../../src/machine/storage/steps.ts"), "utf8");
  const made = migrations.match(/CREATE TABLE events [^;]*;|CREATE UNIQUE INDEX events_id [^;]*;/g) ?? [];
  if (made.length !== 2) throw new Error("The machine's table of events is not where it was.");
  return made.map((statement) => statement.replace(/^CREATE (TABLE|UNIQUE INDEX)/, "CREATE $1 IF NOT EXISTS")).join("");
}
