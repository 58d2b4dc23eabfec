import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { countAll, type Write } from "./support/counter-table.ts";
import { registersOf, startDevice } from "./support/modbus.ts";
import { testFolder } from "./support/program.ts";

/** The registers of a value, the highest word first unless the order says otherwise. */
function wordsOf({ bits, order, value }: Write): number[] {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(value);
  const words = Array.from({ length: bits / 16 }, (_, index) => bytes.subarray(8 - bits / 8 + index * 2));
  const read = order === "BADC" || order === "DCBA" ? "readUInt16LE" : "readUInt16BE";
  const highFirst = words.map((word) => word[read](0));
  return order === "CDAB" || order === "DCBA" ? highFirst.reverse() : highFirst;
}

test("counters of 16, 32 and 64 bits in four orders are counted to the pulse when they wrap, are reset, jump, are stuck or torn", async () => {
  const registers: Record<number, number> = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [at, 0]));
  const device = await startDevice({ holding: registersOf(registers) });
  const set = (value: Write, isMeant: (isLowest: boolean) => boolean) => {
    const words = wordsOf(value);
    const lowest = value.order === "CDAB" || value.order === "DCBA" ? 0 : words.length - 1;
    for (const [index, word] of words.entries()) if (isMeant(index === lowest)) registers[value.at + index] = word;
  };
  const write = async (values: Write[]) => {
    for (const value of values) {
      const { torn } = value;
      set(value, (isLowest) => torn === "whole" || isLowest === (torn === "low-first"));
      if (torn === "whole") continue;
      await sleep(15);
      set(value, () => true);
    }
  };
  const { counted, quarantined, expected } = await countAll(device.port, testFolder(), write);
  await device.stop();
  expect(counted).toEqual(expected.counted);
  expect(quarantined).toEqual(expected.quarantined);
});
