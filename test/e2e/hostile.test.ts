import { once } from "node:events";
import { rmSync, writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, expect, test } from "vitest";
import { executeSqlFile } from "../../scripts/service.ts";
import { newGif, newPng } from "../support/pictures.ts";
import { login } from "./api.ts";
import { type BuiltService, migratedFolder, startBuilt, stopBuilt } from "./built-service.ts";
import { keepSlow, slowRequests } from "./hostile/sockets.ts";
import { newTenants, type Tenant, type Tenants } from "./hostile/tenants.ts";
import { type Answer, type Ask, countBy, quantile, Sender } from "./overload/load.ts";
import { freePort } from "./plant.ts";

/** The duration of each attack. `npm run hostile` sets it: then all attacks are tried, and reported. */
const SECONDS = Number(process.env.HOSTILE_SECONDS ?? 0);
const isLong = SECONDS > 0;
const attackSeconds = isLong ? SECONDS : 1.5;

/** How many times longer half of the others' requests may take. In the suite other tests run too, so only gross slowdowns are found. */
const MOST_TIMES = isLong ? 2 : 10;
/** The delay of an answer that another process on the computer may cause. */
const SLACK_MS = 30;
/** The time to hash one password, with some reserve. */
const HASH_MS = 500;

const stateFolder = migratedFolder();
let service: BuiltService;
let sender: Sender;
let tenants: Tenants;
let tokens: string[];
let attackers: string[];
let watcher: Worker;

beforeAll(async () => {
  tenants = await newTenants(stateFolder, 40);
  await executeSqlFile(stateFolder, tenants.sqlFile);
  service = await startBuilt({ stateFolder, port: await freePort() });
  sender = new Sender(service.url);
  const signIn = async ({ emails }: Tenant) => {
    const given: string[] = [];
    for (const email of emails) given.push(await login(service.url, { email, password: tenants.password }));
    return given;
  };
  [attackers, tokens] = [await signIn(tenants.attacker), await signIn(tenants.neighbour)];
  watcher = new Worker(new URL("./hostile/watcher.ts", import.meta.url), {
    workerData: { url: service.url, asks: readsOf(tenants.neighbour, tokens) },
  });
  // Each object is created by its first request: that is not part of an attack.
  for (const id of tenants.attacker.machineIds)
    await sender.send({ kind: "state", method: "GET", path: `/v1/machines/${id}/state`, token: attackers[0] as string });
  await seen(1);
});

afterAll(async () => {
  await watcher?.terminate();
  await stopBuilt();
  rmSync(stateFolder, { recursive: true, force: true });
});

/** The typical requests of a company. */
function readsOf({ machineIds }: Tenant, by: readonly string[]): Ask[] {
  const paths = ["/v1/shifts", `/v1/machines/${machineIds[0]}/state`, "/v1/stops?limit=20", `/v1/machines/${machineIds[1]}`];
  return by.flatMap((token) => paths.map((path) => ({ kind: path, method: "GET", path, token })));
}

const around = <T>(items: readonly T[]) => {
  let i = 0;
  return () => items[i++ % items.length] as T;
};

/** The neighbour's answers during the next seconds. */
async function seen(seconds: number): Promise<Answer[]> {
  watcher.postMessage(seconds);
  const [answers] = (await once(watcher, "message")) as [Answer[]];
  return answers;
}

/** Waits until a burst is over: some of it may still be in progress. */
async function settled(): Promise<void> {
  const until = performance.now() + 30_000;
  for (let last = await seen(0.2); quantile(last, 1) > 200 && performance.now() < until; ) last = await seen(0.2);
}

/**
 * Runs the neighbour's requests without and with an attack (whose answers `attack` returns), and reports how long they took. None of them
 * may be refused, and half of them may take at most `MOST_TIMES` as long, or longer by `mayWaitMs`. Other processes may disturb: of three
 * attempts one must be good.
 */
async function whileAttacked(name: string, attack: () => Promise<Answer[]>, mayWaitMs = 0): Promise<void> {
  for (let tries = 1; ; tries++) {
    await settled();
    const before = await seen(0.7);
    const [attacked, during] = await Promise.all([attack(), seen(attackSeconds)]);
    const attackedUntil = performance.now();
    await settled();
    const settledMs = performance.now() - attackedUntil;
    const [without, withIt] = [quantile(before, 0.5), quantile(during, 0.5)];
    const most = MOST_TIMES * without + SLACK_MS + mayWaitMs;
    const refused = during.filter(({ status }) => status !== 200);
    const statuses = JSON.stringify(countBy(attacked, ({ status }) => status));
    const ms = (time: number) => `${time.toFixed(1)} ms`;
    const line = `${name}: others waited ${ms(without)} without and ${ms(withIt)} with it (95 %: ${ms(quantile(before, 0.95))} and ${ms(quantile(during, 0.95))}), ${refused.length} of ${during.length} were refused`;
    if (isLong) writeSync(1, `${line}. The attack was answered ${statuses}, and over after ${ms(settledMs)}\n`);
    if (withIt <= most && refused.length === 0) return;
    if (tries < 3) continue;
    expect(refused.length, line).toBe(0);
    expect(withIt, line).toBeLessThanOrEqual(most);
  }
}

/** Callers that obey Retry-After when they are refused. Returns all answers. */
async function callers(count: number, next: () => Ask): Promise<Answer[]> {
  const answers: Answer[] = [];
  const until = performance.now() + attackSeconds * 1000;
  const call = async () => {
    while (performance.now() < until) {
      const answer = await sender.send(next());
      answers.push(answer);
      if (answer.status === 503) await sleep(Number(answer.retryAfter) * 1000);
    }
  };
  await Promise.all(Array.from({ length: count }, call));
  return answers;
}

const json = (kind: string, method: string, path: string, body: object, token?: string): Ask => ({
  ...{ kind, method, path, body: JSON.stringify(body) },
  ...(token !== undefined && { token }),
});

test("slow senders delay nobody else", async () => {
  const all = Object.entries(slowRequests(attackers[0] as string));
  for (const [name, request] of isLong ? all : all.slice(1, 2)) {
    await whileAttacked(name, async () => {
      const stop = keepSlow(service.url, 200, request);
      await sleep(attackSeconds * 1000);
      await stop();
      return [];
    });
  }
});

test("wrong passwords delay nobody for longer than one hash", async () => {
  let i = 0;
  const wrong = () => json("login", "POST", "/identity/login", { email: `nobody${i++}@nowhere.test`, password: "wrong" });
  await whileAttacked("40 wrong passwords at once", () => sender.closedLoop(40, attackSeconds, wrong), HASH_MS);
});

test.runIf(isLong)("a password of look-alikes costs no more than another one", async () => {
  const next = around(attackers);
  const body = { currentPassword: tenants.password, newPassword: `${"1".repeat(120)}!x` };
  await whileAttacked(
    "look-alikes",
    () => sender.closedLoop(10, attackSeconds, () => json("password", "PUT", "/v1/password", body, next())),
    HASH_MS,
  );
});

test("changes that change nothing, and changes of all machines", async () => {
  const next = around(attackers);
  const path = `/v1/shifts/${tenants.attacker.shiftId}`;
  await whileAttacked("20 empty changes at once", () =>
    sender.closedLoop(20, attackSeconds, () => json("empty", "PATCH", path, {}, next())),
  );
  if (!isLong) return;
  let i = 0;
  const change = () => json("change", "PATCH", path, { name: `Shift ${i++}` }, next());
  await whileAttacked("20 changes at once", () => sender.closedLoop(20, attackSeconds, change));
});

test("a company that sends ten times what can be served", async () => {
  const next = around(readsOf(tenants.attacker, attackers));
  await whileAttacked("160 callers of one company", () => callers(160, next));
});

test.runIf(isLong)("pictures", async () => {
  const next = around(attackers);
  const send = async (bytes: Uint8Array<ArrayBuffer>): Promise<Answer> => {
    const form = new FormData();
    form.append("file", new Blob([bytes]), "picture");
    const startedAt = performance.now();
    const answer = fetch(`${service.url}/widgets/${tenants.attacker.widgetId}/thumbnail`, {
      ...{ method: "POST", body: form },
      headers: { authorization: `Bearer ${next()}` },
    });
    // The service does not read the rest of a body that it drops. A sender that is still writing may then get no answer: status 0.
    const response = await answer.catch((error) => {
      if (!["EPIPE", "ECONNRESET"].includes(error.cause?.code)) throw error;
      return Response.error();
    });
    const body = await response.text();
    return {
      kind: "picture",
      status: response.status,
      retryAfter: response.headers.get("retry-after") ?? undefined,
      body,
      ms: performance.now() - startedAt,
    };
  };
  const large = new Uint8Array(5 * 1024 * 1024);
  large.set(newPng(64, 64));
  const many = (count: number, bytes: Uint8Array<ArrayBuffer>) => () =>
    Promise.all(Array.from({ length: count }, () => send(bytes)));
  await whileAttacked("animated pictures", many(20, newGif(3000)));
  await whileAttacked("64 pictures of 5 MB at once", many(64, large));
});
