import { clock, pause } from "./clock.js";
import worker, { CompanyHub as Hub, MachineState as Machine } from "./index.js";
import {
  alarms,
  collect,
  countCall,
  countFrame,
  countInvocation,
  countLine,
  isBusy,
  lastUsed,
  messages,
  meteredEnv,
  meterStorage,
  queues,
  reset,
  result,
} from "./meter.js";

// Plays a day: events and requests, alarms, crons and queues, each at its time, one after the other.

/** Objects without calls for this long are no longer in memory. */
const EVICTED_AFTER_MS = 10_000;
const QUEUE_MS = 1000;
const MINUTE_MS = 60_000;
/** More steps at one instant mean a loop. */
const MOST_AT_ONCE = 10_000;

console.log = countLine;
console.error = countLine;

function metered(kind, Class) {
  return class extends Class {
    constructor(ctx, env) {
      meterStorage(ctx, kind === "machines" && !/^\d+$/.test(ctx.id.name) ? "health" : kind);
      super(ctx, meteredEnv(env, kind));
    }

    async ring() {
      await super.alarm();
    }

    /** Discards everything that is not stored. */
    evict() {
      this.ctx.abort("evicted");
    }

    bytes() {
      return this.ctx.storage.sql.databaseSize;
    }
  };
}

export const MachineState = metered("machines", Machine);
export const CompanyHub = metered("hubs", Hub);

const namespaces = { machines: "MACHINES", health: "MACHINES", hubs: "HUBS" };
const parts = (id) => id.split(":");

class Simulation {
  #env;
  #plan;
  #token = "";
  /** Why the wall no longer watches. */
  #closed = "";
  #waiting = [];
  #next = 0;
  #nextCron;
  #envs = new Map();

  constructor(env, plan) {
    this.#env = env;
    this.#plan = plan;
    this.#nextCron = Math.ceil(plan.start / MINUTE_MS) * MINUTE_MS;
  }

  async run() {
    const { start, countFrom, end, machineIds, asker, watches } = this.#plan;
    clock.now = start;
    let isCounting = false;
    let atOnce = 0;
    if (asker) await this.#login(asker);
    for (;;) {
      const { at, act } = this.#earliest();
      if (at >= end) break;
      if (!isCounting && at >= countFrom) {
        clock.now = countFrom;
        // The wall connects before the counting begins, when the machines are already known.
        if (watches) await this.#watch();
        isCounting = true;
        reset();
      }
      atOnce = at > clock.now ? 0 : atOnce + 1;
      if (atOnce > MOST_AT_ONCE) throw new Error(`At ${new Date(at).toISOString()} there is no end of alarms.`);
      clock.now = Math.max(clock.now, at);
      await this.#evictIdle();
      await act();
      await this.#settle();
    }
    if (this.#closed !== "") throw new Error(this.#closed);
    const tally = result();
    const bytes = await Promise.all(machineIds.map((id) => this.#env.MACHINES.getByName(String(id)).bytes()));
    return { ...tally, objectBytes: bytes.reduce((sum, one) => sum + one, 0) };
  }

  /** The next step: of steps at the same time, requests come first. */
  #earliest() {
    const request = this.#plan.requests[this.#next];
    const [alarm] = [...alarms].sort(([, a], [, b]) => a - b);
    const [message] = messages.toSorted((a, b) => a.at - b.at);
    const things = [
      request && { at: request.at, act: () => this.#request(request) },
      alarm && { at: Math.max(alarm[1], clock.now), act: () => this.#ring(alarm[0]) },
      message && { at: message.at + QUEUE_MS, act: () => this.#deliver(message.queue) },
      { at: this.#nextCron, act: () => this.#cron() },
    ].filter(Boolean);
    return things.reduce((first, one) => (one.at < first.at ? one : first));
  }

  async #request(request) {
    this.#next += 1;
    await this.#ask(request);
  }

  async #ask({ origin, method, path, token, body }) {
    const headers = { authorization: `Bearer ${token ?? this.#token}`, "content-type": "application/json" };
    countInvocation(origin);
    const request = new Request(`https://andon.test${path}`, { method, headers, body });
    const response = await worker.fetch(request, this.#envOf(origin), this.#context());
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    const answer = text === "" ? null : JSON.parse(text);
    if (origin === "ingest" && answer.rejected.length > 0) throw new Error(`Events were rejected: ${text.slice(0, 500)}`);
    return answer;
  }

  async #login(asker) {
    const body = JSON.stringify(asker);
    const answer = await this.#ask({ origin: "reader", method: "POST", path: "/identity/login", token: "", body });
    this.#token = answer.data.jwt.token;
  }

  async #watch() {
    const headers = { upgrade: "websocket", "sec-websocket-protocol": `andon.v1, bearer.${this.#token}` };
    const request = new Request("https://andon.test/v1/live", { headers });
    countInvocation("reader");
    const { status, webSocket } = await worker.fetch(request, this.#envOf("reader"), this.#context());
    if (!webSocket) throw new Error(`GET /v1/live answered ${status}.`);
    webSocket.addEventListener("message", countFrame);
    webSocket.addEventListener("close", ({ code, reason }) => {
      this.#closed = `The wall was closed with ${code}: ${reason}`;
    });
    webSocket.accept();
    // The runtime records the real time of the ping, which is later than the whole simulated day. The cost of pings is added in tally.ts.
    webSocket.send("ping");
    await pause();
    await this.#settle();
  }

  async #ring(id) {
    alarms.delete(id);
    const [kind, name] = parts(id);
    const stub = this.#env[namespaces[kind]].getByName(name);
    await countCall(kind, name, "alarm", () => stub.ring());
  }

  async #cron() {
    const at = this.#nextCron;
    this.#nextCron += MINUTE_MS;
    const due = ["* * * * *", ...(at % (10 * MINUTE_MS) === 0 ? ["*/10 * * * *"] : [])];
    for (const cron of due) {
      countInvocation("cron");
      await worker.scheduled({ cron, scheduledTime: at }, this.#envOf("cron"), this.#context());
    }
  }

  async #deliver(queue) {
    const isJob = queue === queues.JOBS;
    // Each job has an invocation of its own.
    const due = messages
      .filter((message) => message.queue === queue && message.at + QUEUE_MS <= clock.now)
      .slice(0, isJob ? 1 : Number.POSITIVE_INFINITY);
    for (const message of due) messages.splice(messages.indexOf(message), 1);
    const origin = isJob ? "cron" : "queue";
    countInvocation(origin);
    const batch = {
      queue,
      messages: due.map((message, i) => ({
        ...{ id: `${clock.now}-${i}`, timestamp: new Date(message.at), body: message.body, attempts: message.attempts },
        ack: () => undefined,
        retry: ({ delaySeconds = 0 } = {}) =>
          messages.push({ ...message, at: clock.now + delaySeconds * 1000, attempts: message.attempts + 1 }),
      })),
    };
    await worker.queue(batch, this.#envOf(origin), this.#context());
  }

  async #evictIdle() {
    for (const [id, at] of lastUsed) {
      const [kind, name] = parts(id);
      // A hub keeps its sockets while it sleeps, and loses them when it is ended.
      if (kind === "hubs" || clock.now - at <= EVICTED_AFTER_MS) continue;
      lastUsed.delete(id);
      await this.#env[namespaces[kind]]
        .getByName(name)
        .evict()
        .catch(() => undefined);
    }
  }

  /** Waits until nothing is in progress. */
  async #settle() {
    do {
      await Promise.all(this.#waiting.splice(0));
      await pause();
    } while (isBusy() || this.#waiting.length > 0);
    collect();
  }

  #envOf(origin) {
    if (!this.#envs.has(origin)) this.#envs.set(origin, meteredEnv(this.#env, origin));
    return this.#envs.get(origin);
  }

  #context() {
    return { waitUntil: (work) => this.#waiting.push(work), passThroughOnException: () => undefined, props: {} };
  }
}

// biome-ignore lint/style/noDefaultExport: the runtime looks for it there.
export default {
  async fetch(request, env) {
    try {
      return Response.json(await new Simulation(env, await request.json()).run());
    } catch (error) {
      return new Response(error.stack ?? String(error), { status: 500 });
    }
  },
};
