import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { executeSqlFile } from "../../scripts/service.ts";
import { login, settledTotal } from "./api.ts";
import { type BuiltService, migratedFolder, startBuilt, stopBuilt } from "./built-service.ts";
import { type Answer, type Ask, faultsAmong, quantile, Sender } from "./overload/load.ts";
import { type LoadPlant, mixOf, newLoadPlant } from "./overload/load-plant.ts";
import { freePort } from "./plant.ts";

const OVERLOAD_SECONDS = Number(process.env.OVERLOAD_SECONDS ?? 3);
const RECOVERY_MS = 5000;

const stateFolder = migratedFolder();
let service: BuiltService;
let sender: Sender;
let loadPlant: LoadPlant;
let tokens: string[];

const asking = (has: { heavy: boolean }) => {
  const asks = mixOf(loadPlant, tokens, has);
  return () => asks.next().value as Ask;
};

/**
 * Every request calls the limiter. Otherwise the capacity would be measured before anyone has used a fifth of their requests, and three
 * times that rate would be five times the capacity afterwards: the local limiter costs as much as many answers.
 */
const alwaysAsked = { USER_RATE: "4", TOKEN_RATE: "4", GATEWAY_RATE: "4", ADDRESS_RATE: "4" };

beforeAll(async () => {
  loadPlant = await newLoadPlant(stateFolder, 6);
  await executeSqlFile(stateFolder, loadPlant.sqlFile);
  service = await startBuilt({ stateFolder, port: await freePort(), variables: alwaysAsked });
  sender = new Sender(service.url);
  tokens = await Promise.all(loadPlant.emails.map((email) => login(service.url, { email, password: loadPlant.password })));
});

afterAll(async () => {
  await stopBuilt();
  rmSync(stateFolder, { recursive: true, force: true });
});

test("three times the load is answered or refused in order, and nothing is lost or doubled", async () => {
  const light = asking({ heavy: false });
  await sender.closedLoop(2, 0.5, light);
  const before = quantile(await sender.closedLoop(1, 0.5, light), 0.5);
  const heavy = asking({ heavy: true });
  const carried = await sender.closedLoop(16, 1, heavy);
  const deadline = performance.now() + OVERLOAD_SECONDS * 1000 + RECOVERY_MS;
  const offered = await sender.openLoop(3 * carried.length, OVERLOAD_SECONDS, heavy);
  expect(faultsAmong([...carried, ...offered])).toEqual({});
  expect(offered.some(({ status }) => status === 503)).toBe(true);

  let after: Answer[];
  do after = await sender.closedLoop(1, 0.5, light);
  while (!isWell(after, before) && performance.now() < deadline);
  expect(after.filter(({ status }) => status >= 300 || status === 0)).toEqual([]);
  expect(quantile(after, 0.5)).toBeLessThanOrEqual(2 * before + SLACK_MS);

  for (const gateway of loadPlant.gateways) {
    for (const ask of gateway.resend()) expect((await sender.send(ask)).status).toBe(200);
    expect(gateway.wrong).toEqual([]);
  }
  for (const [machineId, units] of loadPlant.gateways.flatMap(({ units }) => [...units])) {
    expect(await settledTotal(service.url, tokens[0] ?? "", machineId, units), `machine ${machineId}`).toBe(units);
  }
});

test("a client that gives up waiting delays nobody behind it", async () => {
  const light = asking({ heavy: false });
  const leave = () => {
    const { method, path, token, body } = light();
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    return fetch(service.url + path, { method, headers, body: body ?? null, signal: AbortSignal.timeout(80) }).catch(() => null);
  };
  const rush = Array.from({ length: 30 }, () => [leave(), sender.send(light())] as const);
  const answers = await Promise.all(rush.map(([, answer]) => answer));
  expect(await Promise.all(rush.map(([left]) => left))).toContain(null);
  expect(faultsAmong(answers)).toEqual({});
  expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(4000);
});

/** The delay of an answer that another process on the computer may cause. */
const SLACK_MS = 30;

function isWell(answers: readonly Answer[], before: number): boolean {
  const isServed = answers.every(({ status }) => status >= 200 && status < 300);
  return isServed && quantile(answers, 0.5) <= 2 * before + SLACK_MS;
}
