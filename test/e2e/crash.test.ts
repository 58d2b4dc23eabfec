import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { ensureSecrets, executeSqlFile, migrate, type Service, startService, stopAll } from "../../scripts/service.ts";
import { type IngestAnswer, ingest, login, settledTotal } from "./api.ts";
import { factor, freePort, freshStateFolder, newPlant, type Plant } from "./plant.ts";

const KILLS = 20;
const SENDERS = 4;

const stateFolder = freshStateFolder();
afterAll(async () => {
  await stopAll();
  rmSync(stateFolder, { recursive: true, force: true });
});

interface Batch {
  events: { id?: string; at: string; type: "count"; nodeId: number; channel: number; value: number }[];
  isAnswered: boolean;
}

/** Makes batches of counts, a second apart, of which every second one is known by its content alone. */
class Batches {
  readonly all: Batch[] = [];
  readonly #plant: Plant;
  #at: number;

  constructor(plant: Plant) {
    this.#plant = plant;
    this.#at = plant.commissionedAt;
  }

  next(): Batch {
    const { nodeId, channel } = this.#plant;
    const events = Array.from({ length: 1 + Math.floor(Math.random() * 60) }, (_, i) => {
      this.#at += 1000;
      const event = { at: new Date(this.#at).toISOString(), type: "count" as const, nodeId, channel };
      const value = 1 + Math.floor(Math.random() * 5);
      return i % 2 === 0 ? { ...event, value } : { ...event, value, id: randomUUID() };
    });
    const batch = { events, isAnswered: false };
    this.all.push(batch);
    return batch;
  }

  unanswered(): Batch[] {
    return this.all.filter(({ isAnswered }) => !isAnswered);
  }

  someAnswered(): Batch[] {
    return this.all.filter(({ isAnswered }) => isAnswered && Math.random() < 0.15);
  }
}

function send(url: string, token: string, { events }: Batch): Promise<IngestAnswer> {
  return ingest(url, token, events);
}

/** Takes an answer over. What was answered before must have been there already, all of it. */
function settle(batch: Batch, answer: IngestAnswer): void {
  expect(answer.rejected).toEqual([]);
  expect(answer.accepted + answer.duplicates).toBe(batch.events.length);
  if (batch.isAnswered) expect(answer.duplicates).toBe(batch.events.length);
  batch.isAnswered = true;
}

/** Sends what is queued, then new batches, until the server is gone. Resolves with how many were then in flight. */
async function ingestUntilKilled(service: Service, batches: Batches, token: string): Promise<number> {
  const queue = [...batches.unanswered(), ...batches.someAnswered()];
  let isKilled = false;
  let inFlight = 0;
  const senders = Array.from({ length: SENDERS }, async () => {
    while (!isKilled) {
      const batch = queue.shift() ?? batches.next();
      inFlight++;
      const answer = await send(service.url, token, batch).catch((error) => {
        if (!isKilled) throw error;
        return null;
      });
      inFlight--;
      if (answer) settle(batch, answer);
    }
  });
  const killer = sleep(50 + Math.random() * 600).then(async () => {
    isKilled = true;
    const cutOff = inFlight;
    await service.kill();
    return cutOff;
  });
  const [cutOff] = await Promise.all([killer, ...senders]);
  return cutOff;
}

test("nothing answered is lost and nothing resent is doubled by 20 times kill -9", async () => {
  ensureSecrets();
  await migrate(stateFolder);
  const plant = await newPlant(stateFolder, 2);
  await executeSqlFile(stateFolder, plant.sqlFile);
  const batches = new Batches(plant);
  const port = await freePort();

  let cutOff = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const service = await startService({ stateFolder, port });
    cutOff += await ingestUntilKilled(service, batches, plant.gatewayToken);
  }
  expect(cutOff, "requests in flight at a kill").toBeGreaterThanOrEqual(KILLS);
  expect(batches.all.some(({ isAnswered }) => isAnswered)).toBe(true);

  const { url } = await startService({ stateFolder, port });
  for (const batch of [...batches.unanswered(), ...batches.someAnswered()]) {
    settle(batch, await send(url, plant.gatewayToken, batch));
  }
  const sent = batches.all.flatMap(({ events }) => events).reduce((sum, { value }) => sum + value * factor, 0);
  const token = await login(url, plant);
  expect(await settledTotal(url, token, plant.machineId, sent)).toBe(sent);
});
