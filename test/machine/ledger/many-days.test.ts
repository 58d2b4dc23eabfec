import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, inject, it } from "vitest";
import { DAY, HOUR, NOON, SECOND, stopClockAtNoon } from "../../support/clock.ts";
import { createChannels, createMachine, createShift } from "../../support/factories.ts";
import { machineObject } from "../../support/machine-object.ts";
import { configureMachine, countAt, createLine, flushMachine, ingest, recordsOf } from "../../support/machines.ts";
import { stateIn } from "../../support/object-storage.ts";

stopClockAtNoon();

declare module "vitest" {
  interface ProvidedContext {
    recalculations: { days: number; isMeasured: boolean };
  }
}

/** Few in `npm test`, where only the results count; as many as the bounds are for in `npm run recalculations`. */
const { days: DAYS, isMeasured } = inject("recalculations");
const [MACHINES, DAYS_EACH] = isMeasured ? [50, 30] : [3, 4];
const COUNT_EVERY = 10 * SECOND;
/** A stop each eight hours. */
const isStopped = (at: number) => at % (8 * HOUR) < 24 * 60 * SECOND;
const EVENTS_A_DAY = (DAY - 3 * 24 * 60 * SECOND) / COUNT_EVERY;
const firstDay = (days: number) => NOON - (days + 3) * DAY - (NOON % DAY);

/** Gives a machine counts of many days by an import, which nothing is computed from until `end`. */
async function load({ id, nodeId }: { id: number; nodeId: number }, days: number) {
  const object = machineObject(env, id);
  for (let day = 0; day < days; day++) {
    const start = firstDay(days) + day * DAY;
    const times = Array.from({ length: DAY / COUNT_EVERY }, (_, i) => start + i * COUNT_EVERY).filter((at) => !isStopped(at));
    const events = times.map((at, i) => ({ id: `${day}-${i}`, at, nodeId, channel: 1, value: 1 }));
    const added = await object.addHistory({ importId: 1, receivedAt: NOON, offset: day, events }, 0);
    if (added === null || added === "over") throw new Error("the history was not taken");
    expect(added.results.every((result) => result === 1)).toBe(true);
  }
  return () => object.endHistory(1);
}

/** Does a machine's alarms until its recalculation is over and everything is in D1. */
async function finish(machineId: number): Promise<void> {
  while (await runInDurableObject(machineObject(env, machineId), (_, { storage }) => Boolean(stateIn(storage).recalculation))) {
    await runInDurableObject(machineObject(env, machineId), (object) => object.alarm());
    // A machine that waits for others of its company gets its turn.
    await scheduler.wait(1);
  }
  await flushMachine(machineId);
}

const plant = (days: number) => createLine({ commissionedAt: firstDay(days), noDataAfterSeconds: null, stopAfterSeconds: 600 });

async function expectAll(machineId: number, days: number): Promise<void> {
  const records = await recordsOf(machineId);
  const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0);
  const ofLoad = records.filter(({ startAt }) => startAt < firstDay(days) + days * DAY);
  expect(sum(ofLoad.map((one) => one.totalUnits))).toBe(days * EVENTS_A_DAY);
  expect(ofLoad.length).toBeGreaterThanOrEqual(days - 1);
}

describe("recalculating", () => {
  it(`${DAYS} days of one machine takes at most a minute per 1,000 days, while live counts are answered`, {
    timeout: 1_800_000,
  }, async () => {
    const line = await plant(DAYS);
    const { machine } = line;
    await ingest(line.token, [countAt(machine.nodeId, NOON - SECOND, 1)]);
    const end = await load(machine, DAYS);
    const waits: number[] = [];
    let isOver = false;
    const live = (async () => {
      for (let i = 0; !isOver; i++) {
        const before = performance.now();
        const answer = await ingest(line.token, [countAt(machine.nodeId, NOON - 100 + i / 1e6, 1, { id: `live ${i}` })]);
        waits.push(performance.now() - before);
        expect(answer.accepted).toBe(1);
        await scheduler.wait(100);
      }
    })();
    const before = performance.now();
    await end();
    await finish(machine.id);
    const seconds = (performance.now() - before) / 1000;
    isOver = true;
    await live;
    await expectAll(machine.id, DAYS);
    const p99 = waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.99)] ?? 0;
    console.log(
      `${DAYS} days in ${seconds.toFixed(1)} s; of ${waits.length} live counts, 99 % were answered within ${p99.toFixed(0)} ms`,
    );
    if (!isMeasured) return;
    expect(seconds).toBeLessThanOrEqual(0.06 * DAYS);
    expect(p99).toBeLessThanOrEqual(250);
  });

  it(`${DAYS_EACH} days of ${MACHINES} machines, two at a time, takes at most three minutes`, {
    timeout: 1_800_000,
  }, async () => {
    const line = await plant(DAYS_EACH);
    const { companyId, machine } = line;
    await createShift(companyId, { name: "Never", machineIds: [machine.id], days: [] });
    const machines = [machine];
    while (machines.length < MACHINES) {
      const one = await createMachine(companyId, {
        commissionedAt: firstDay(DAYS_EACH),
        noDataAfterSeconds: null,
        stopAfterSeconds: 600,
      });
      await createChannels(one, [{ channel: 1, type: "total" }]);
      await configureMachine(one.id);
      machines.push(one);
    }
    const ends: (() => Promise<void>)[] = [];
    for (const one of machines) ends.push(await load(one, DAYS_EACH));
    const before = performance.now();
    for (const end of ends) await end();
    // As many at a time as a company may: the alarms of the others, which ask every few seconds whether it is their turn, would only cost time here.
    const waiting = [...machines];
    const next = async () => {
      for (let one = waiting.shift(); one; one = waiting.shift()) await finish(one.id);
    };
    await Promise.all([next(), next()]);
    const seconds = (performance.now() - before) / 1000;
    for (const { id } of machines) await expectAll(id, DAYS_EACH);
    console.log(`${DAYS_EACH} days of ${MACHINES} machines in ${seconds.toFixed(1)} s`);
    if (isMeasured) expect(seconds).toBeLessThanOrEqual(180);
  });
});
