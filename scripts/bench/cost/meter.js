// Wraps the built Worker and counts its and its objects' use of the platform, by billed unit.

import { clock } from "./clock.js";

/** Counts since the last `reset`: see `Tally` in tally.ts. */
let tally = newTally();
/** Cursors whose rows are not counted yet: they are only complete once they have been read. */
const cursors = [];
/** Calls of objects without an answer so far. */
let inFlight = 0;
/** The next alarm of each object, by kind and name. The runtime itself has no alarms: the driver fires them. */
export const alarms = new Map();
/** The last use of each object, by kind and name; objects that are not in it are not in memory. */
export const lastUsed = new Map();
/** Messages in the queues. */
export const messages = [];

function newTally() {
  const logLines = { machines: 0, service: 0 };
  return { invocations: {}, objects: {}, d1: {}, sql: {}, queueMessages: 0, jobMessages: 0, logLines, r2: {}, frames: 0 };
}

export function reset() {
  collect();
  tally = newTally();
}

export function result() {
  collect();
  return tally;
}

export function isBusy() {
  return inFlight > 0;
}

/** Counts a request to the Worker, or a run of a cron job or of a queue's consumer. */
export function countInvocation(origin) {
  tally.invocations[origin] = (tally.invocations[origin] ?? 0) + 1;
}

/** Counts a line of the log. Summaries and those of jobs belong to the service, however many machines it has. */
export function countLine(text) {
  tally.logLines[/"event":"(requests|forgotten|job_)/.test(text) ? "service" : "machines"] += 1;
}

export function countFrame() {
  tally.frames += 1;
}

/** Calls an object: `member` is the kind of call. Objects are awake from their first call to the end of the last. */
export async function countCall(kind, name, member, call) {
  const id = `${kind}:${name}`;
  tally.objects[kind] ??= { calls: {}, activeMs: 0, starts: 0 };
  const of = tally.objects[kind];
  of.calls[member] = (of.calls[member] ?? 0) + 1;
  inFlight += 1;
  lastUsed.set(id, clock.now);
  const startedAt = clock.real();
  try {
    return await call();
  } finally {
    of.activeMs += clock.real() - startedAt;
    inFlight -= 1;
  }
}

function line(where, text) {
  const key = `${where}: ${text}`;
  tally.sql[key] ??= { runs: 0, rowsRead: 0, rowsWritten: 0 };
  return tally.sql[key];
}

function count(where, text, rowsRead, rowsWritten) {
  const of = line(where, text);
  of.runs += 1;
  of.rowsRead += rowsRead;
  of.rowsWritten += rowsWritten;
}

/** Adds the rows of the cursors so far. */
export function collect() {
  for (const { of, cursor } of cursors.splice(0)) {
    of.rowsRead += cursor.rowsRead;
    of.rowsWritten += cursor.rowsWritten;
  }
}

/** An object with some members replaced. */
function replaced(target, members) {
  return new Proxy(target, {
    get(_, name) {
      if (Object.hasOwn(members, name)) return members[name];
      const value = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** Meters the storage of an object. The alarm is one row, as it is billed. */
export function meterStorage(ctx, kind) {
  const { storage } = ctx;
  const where = `object of ${kind}`;
  const id = `${kind}:${ctx.id.name}`;
  if (tally.objects[kind]) tally.objects[kind].starts += 1;
  const sql = replaced(storage.sql, {
    exec(query, ...bindings) {
      const cursor = storage.sql.exec(query, ...bindings);
      const of = line(where, query.replace(/\s+/g, " ").trim());
      of.runs += 1;
      cursors.push({ of, cursor });
      return cursor;
    },
  });
  const kv = replaced(storage.kv, {
    get(key) {
      count(where, `get ${key}`, 1, 0);
      return storage.kv.get(key);
    },
    put(key, value) {
      count(where, `put ${key}`, 0, 1);
      storage.kv.put(key, value);
    },
    delete(key) {
      count(where, `delete ${key}`, 0, 1);
      return storage.kv.delete(key);
    },
  });
  const metered = replaced(storage, {
    sql,
    kv,
    async getAlarm() {
      return alarms.get(id) ?? null;
    },
    async setAlarm(at) {
      count(where, "setAlarm", 0, 1);
      alarms.set(id, Number(at));
    },
    async deleteAlarm() {
      count(where, "deleteAlarm", 0, 1);
      alarms.delete(id);
    },
  });
  Object.defineProperty(ctx, "storage", { value: metered });
}

function meteredDatabase(database, origin) {
  const where = `D1 from ${origin}`;
  tally.d1[origin] ??= 0;
  const trip = async (texts, call) => {
    tally.d1[origin] = (tally.d1[origin] ?? 0) + 1;
    const results = await call();
    for (const [i, { meta }] of [results].flat().entries()) count(where, texts[i], meta.rows_read ?? 0, meta.rows_written ?? 0);
    return results;
  };
  const statement = (text, inner) => ({
    text,
    inner,
    bind: (...values) => statement(text, inner.bind(...values)),
    all: () => trip([text], () => inner.all()),
    run: () => trip([text], () => inner.run()),
  });
  return {
    withSession(start) {
      const session = database.withSession(start);
      return {
        prepare: (text) => statement(text, session.prepare(text)),
        batch: (all) =>
          trip(
            all.map(({ text }) => text),
            () => session.batch(all.map(({ inner }) => inner)),
          ),
        getBookmark: () => session.getBookmark(),
      };
    },
  };
}

function meteredObjects(namespace, kind) {
  return {
    getByName(name) {
      const own = kind === "machines" && !/^\d+$/.test(name) ? "health" : kind;
      const stub = namespace.getByName(name);
      return new Proxy(stub, {
        get:
          (_, member) =>
          (...given) =>
            countCall(own, name, member, () => stub[member](...given)),
      });
    },
  };
}

function meteredQueue(name) {
  return {
    async sendBatch(sent) {
      // The messages of jobs belong to the crons.
      tally[name === queues.JOBS ? "jobMessages" : "queueMessages"] += sent.length;
      for (const { body, delaySeconds = 0 } of sent) {
        messages.push({ at: clock.now + delaySeconds * 1000, queue: name, body: structuredClone(body), attempts: 1 });
      }
    },
  };
}

/** A deletion is free. */
const classA = ["put", "list", "createMultipartUpload"];
const classB = ["get", "head"];

function meteredBucket(bucket, origin) {
  const counted = (name, kind) => [
    name,
    (...given) => {
      tally.r2[origin] ??= { classA: 0, classB: 0 };
      tally.r2[origin][kind] += 1;
      return bucket[name](...given);
    },
  ];
  return replaced(
    bucket,
    Object.fromEntries([...classA.map((name) => counted(name, "classA")), ...classB.map((name) => counted(name, "classB"))]),
  );
}

/** The name of each queue in wrangler.toml, by its binding. */
export const queues = {
  EVENTS: "andon-events",
  WEBHOOKS: "andon-webhooks",
  MESSAGES: "andon-messages",
  REPORTS: "andon-reports",
  JOBS: "andon-jobs",
};
/** The platform does not charge for these, and they would use real time. */
const limiter = { limit: async () => ({ success: true }) };
const limiters = ["USER_LIMITER", "TOKEN_LIMITER", "GATEWAY_LIMITER", "ADDRESS_LIMITER"];

/** The bindings for a caller (`origin`), with everything counted that is billed. */
export function meteredEnv(env, origin) {
  return {
    ...env,
    DB_0: meteredDatabase(env.DB_0, origin),
    MACHINES: meteredObjects(env.MACHINES, "machines"),
    HUBS: meteredObjects(env.HUBS, "hubs"),
    THUMBNAILS: meteredBucket(env.THUMBNAILS, origin),
    ...Object.fromEntries(Object.keys(queues).map((name) => [name, meteredQueue(queues[name])])),
    ...Object.fromEntries(limiters.map((name) => [name, limiter])),
  };
}
