import { DatabaseSync } from "node:sqlite";
import { createIntake } from "../../../bridge/src/intake/intake.ts";
import { createQueue } from "../../../bridge/src/queue/queue.ts";
import { modbusSource } from "../../../bridge/src/sources/modbus/modbus.ts";
import { until } from "./context.ts";
import { configFor } from "./modbus.ts";

/** What a counter shows, one after the other, and what of it is to be counted, and what is to be put aside. Written by hand. */
interface Scenario {
  name: string;
  bits: readonly number[];
  shows(bits: number): bigint[];
  members?: object;
  counted: bigint;
  quarantined: bigint;
  /** The device writes one word after the other. */
  isTorn?: boolean;
}

/** So fast that a poll that comes late is no fault, and far slower than the jumps below. */
const max_per_minute = 60_000;
const scenarios: Scenario[] = [
  {
    name: "roll-over",
    bits: [16, 32, 64],
    shows: (bits) => [2n ** BigInt(bits) - 6n, 2n ** BigInt(bits) - 2n, 5n],
    counted: 11n,
    quarantined: 0n,
  },
  { name: "reset to 0", bits: [16, 32, 64], shows: () => [40_000n, 40_003n, 0n, 2n], counted: 5n, quarantined: 0n },
  {
    name: "reset to a preset",
    bits: [16, 32, 64],
    shows: () => [40_000n, 40_003n, 1000n, 1004n],
    members: { on_reset: "count-nothing" },
    counted: 7n,
    quarantined: 0n,
  },
  { name: "jump", bits: [16, 32, 64], shows: () => [100n, 105n, 65_105n, 65_108n], counted: 8n, quarantined: 65_000n },
  { name: "stuck", bits: [16, 32, 64], shows: () => [70n, 75n, 75n, 75n], counted: 5n, quarantined: 0n },
  {
    name: "torn",
    bits: [32, 64],
    shows: () => [1n, 2n, 3n, 4n, 5n].flatMap((times) => [65_536n * times - 3n, 65_536n * times + 2n]),
    members: { max_per_minute: 1e9 },
    counted: 4n * 65_536n + 5n,
    quarantined: 0n,
    isTorn: true,
  },
];

const orders = ["ABCD", "CDAB", "BADC", "DCBA"] as const;

/** A value to be written into the holding registers of a device. */
export interface Write {
  at: number;
  bits: number;
  order: (typeof orders)[number];
  value: bigint;
  /** Whether the device writes its high words, waits for 15 ms, and then writes the lowest one; or the other way round. */
  torn: "whole" | "high-first" | "low-first";
}

/**
 * Every kind of counter through the source, the counter rule and the queue: what became of it. `expected` is the table by hand.
 * @param write writes values into the device, and returns when they are there
 */
export async function countAll(port: number, folder: string, write: (values: Write[]) => Promise<void>) {
  const cells = scenarios
    .flatMap((scenario) => scenario.bits.flatMap((bits) => orders.map((order) => ({ scenario, bits, order }))))
    .map((cell, index) => ({ ...cell, at: index * 4, machine: `${cell.scenario.name} of ${cell.bits} bits ${cell.order}` }));
  const writesOf = (step: number): Write[] =>
    cells.flatMap(({ scenario, bits, order, at }) => {
      const value = scenario.shows(bits)[step];
      const torn = scenario.isTorn && step > 0 ? (step % 4 === 1 ? "high-first" : "low-first") : "whole";
      return value === undefined ? [] : [{ at, bits, order, value, torn }];
    });

  const config = configFor(
    port,
    cells.map(({ scenario, bits, order, at, machine }) => ({
      machine,
      max_per_minute,
      ...(scenario.name === "torn" ? {} : { width: bits }),
      ...scenario.members,
      address: { holding: at, words: bits / 16, order },
    })),
  );
  const queue = createQueue({ folder, maxAgeMs: 86_400_000, maxBytes: 1e9, log: () => undefined });
  queue.open();
  const reads = new Map<string, number>();
  const onRead = (_source: string, { machine }: { machine: string }) => reads.set(machine, (reads.get(machine) ?? 0) + 1);
  const intake = createIntake({ queue, clock: queue.clock(), log: () => undefined, onRead });
  const controller = new AbortController();

  await write(writesOf(0));
  const running = modbusSource(config).run(intake.contextOf(config, controller.signal));
  const polled = async (step: number) => {
    const before = new Map(reads);
    const isRead = ({ machine }: { machine: string }) => (reads.get(machine) ?? 0) >= (before.get(machine) ?? 0) + 2;
    await until(`all counters are read in step ${step}`, () => cells.every(isRead), 60_000);
  };
  await polled(0);
  for (let step = 1; writesOf(step).length > 0; step += 1) {
    await write(writesOf(step));
    await polled(step);
  }
  controller.abort();
  await running;
  intake.flush();
  queue.close();
  return {
    counted: sumsIn(folder, "events"),
    quarantined: sumsIn(folder, "quarantine"),
    expected: {
      counted: Object.fromEntries(cells.map(({ machine, scenario }) => [machine, scenario.counted])),
      quarantined: Object.fromEntries(
        cells.filter(({ scenario }) => scenario.quarantined > 0n).map(({ machine, scenario }) => [machine, scenario.quarantined]),
      ),
    },
  };
}

/** The pulses of each machine in a table of the queue. */
function sumsIn(folder: string, table: "events" | "quarantine"): Record<string, bigint> {
  const database = new DatabaseSync(`${folder}/queue.db`, { readOnly: true });
  const rows = database
    .prepare(
      `SELECT machine, SUM(content) AS pulses FROM ${table} JOIN lanes ON lanes.id = lane WHERE kind = 'total' GROUP BY machine`,
    )
    .all();
  database.close();
  return Object.fromEntries(rows.map(({ machine, pulses }) => [String(machine), BigInt(String(pulses))]));
}
