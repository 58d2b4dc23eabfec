import { scheduler } from "node:timers/promises";
import type { Statement, StorageCalls, Trip } from "./bare-worker.ts";

interface Router {
  fetch(request: Request, env: unknown, ctx: unknown): Promise<Response>;
}

/** The bindings in the service's `env`. */
export interface Bindings extends Record<string, unknown> {
  DB_0: Database;
  DIRECTORY: Database;
  MACHINES: Objects;
}

/** Sends a request to the service's own code, in this process, and returns its requests to D1 and the objects. Throws unless the answer is 2xx. */
export async function recordStorageCalls(env: Bindings, request: Request): Promise<StorageCalls> {
  // A global of the Workers runtime that is a module in Node.
  Object.assign(globalThis, { scheduler });
  // Named in a way that the compiler does not follow: the service's code is compiled with its own runtime's globals.
  const routerFile = "../../src/router.ts";
  const { router } = (await import(routerFile as string)) as { router: Router };
  const asked: StorageCalls = { trips: [], calls: [] };
  const waiting: Promise<unknown>[] = [];
  const ctx = { waitUntil: (one: Promise<unknown>) => waiting.push(one), passThroughOnException: () => undefined, props: {} };
  const limiter = { limit: async () => ({ success: true }) };
  const limiters = { USER_LIMITER: limiter, TOKEN_LIMITER: limiter, GATEWAY_LIMITER: limiter, ADDRESS_LIMITER: limiter };
  const recorded = {
    ...env,
    ...limiters,
    DB_0: recordedDatabase(env.DB_0, asked.trips),
    DIRECTORY: recordedDatabase(env.DIRECTORY, asked.trips),
    MACHINES: recordedObjects(env.MACHINES, asked.calls, waiting),
  };
  const answer = await silently(() => router.fetch(request, recorded, ctx));
  await Promise.all(waiting);
  if (!answer.ok) throw new Error(`${request.method} ${request.url} answered ${answer.status}: ${await answer.text()}`);
  return asked;
}

interface Prepared {
  bind(...values: unknown[]): Prepared;
  all(): Promise<unknown>;
  run(): Promise<unknown>;
}

interface RecordedStatement extends Prepared, Statement {
  inner: Prepared;
}

/** The part of D1 that the service uses. */
export interface Database {
  prepare(query: string): Prepared;
  batch(statements: Prepared[]): Promise<unknown>;
}

/** The part of the machines' objects that the service uses. */
export interface Objects {
  getByName(name: string): Record<string, (...given: unknown[]) => Promise<unknown>>;
}

function recordedDatabase(database: Database, trips: Trip[]) {
  const statement = (query: string, inner: Prepared, params: unknown[]): RecordedStatement => {
    const recorded = <T>(run: () => Promise<T>) => {
      trips.push([{ query, params }]);
      return run();
    };
    return {
      inner,
      query,
      params,
      bind: (...values) => statement(query, inner.bind(...values), values),
      all: () => recorded(() => inner.all()),
      run: () => recorded(() => inner.run()),
    };
  };
  const session = {
    prepare: (query: string) => statement(query, database.prepare(query), []),
    batch: (statements: RecordedStatement[]) => {
      trips.push(statements.map(({ query, params }) => ({ query, params })));
      return database.batch(statements.map(({ inner }) => inner));
    },
    getBookmark: () => null,
  };
  return { withSession: () => session };
}

/** @param waiting collects calls to wait for: through this process's proxy, objects may answer too late for the service */
function recordedObjects(objects: Objects, calls: StorageCalls["calls"], waiting: Promise<unknown>[]): Objects {
  const called = (machineId: string) => {
    const inner = objects.getByName(machineId);
    return new Proxy({} as ReturnType<Objects["getByName"]>, {
      get:
        (_, method) =>
        (...given: unknown[]) => {
          const call = async () => {
            const answer = await inner[String(method)]?.(...given);
            calls.push({ machineId, answer });
            return answer;
          };
          const called = call();
          waiting.push(called);
          return called;
        },
    });
  };
  return { getByName: called };
}

/** Does something without logging. */
async function silently<T>(work: () => Promise<T>): Promise<T> {
  const { log } = console;
  console.log = () => undefined;
  try {
    return await work();
  } finally {
    console.log = log;
  }
}
