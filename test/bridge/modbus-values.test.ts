import { expect, test } from "vitest";
import { addressSchema, valueOfWords } from "../../bridge/src/sources/modbus/address.ts";
import { blocksOf, split } from "../../bridge/src/sources/modbus/blocks.ts";

/** Registers as devices of the four kinds show a value, written by hand. */
const table = [
  { value: 0x0102, ABCD: [0x0102], CDAB: [0x0102], BADC: [0x0201], DCBA: [0x0201] },
  { value: 0xfffe, ABCD: [0xfffe], CDAB: [0xfffe], BADC: [0xfeff], DCBA: [0xfeff] },
  {
    value: 0x01020304,
    ABCD: [0x0102, 0x0304],
    CDAB: [0x0304, 0x0102],
    BADC: [0x0201, 0x0403],
    DCBA: [0x0403, 0x0201],
  },
  {
    value: 0xfffffffe,
    ABCD: [0xffff, 0xfffe],
    CDAB: [0xfffe, 0xffff],
    BADC: [0xffff, 0xfeff],
    DCBA: [0xfeff, 0xffff],
  },
  { value: 65_536, ABCD: [1, 0], CDAB: [0, 1], BADC: [0x0100, 0], DCBA: [0, 0x0100] },
  {
    value: 0x0102030405060708n,
    ABCD: [0x0102, 0x0304, 0x0506, 0x0708],
    CDAB: [0x0708, 0x0506, 0x0304, 0x0102],
    BADC: [0x0201, 0x0403, 0x0605, 0x0807],
    DCBA: [0x0807, 0x0605, 0x0403, 0x0201],
  },
  {
    value: 0xfffffffffffffffen,
    ABCD: [0xffff, 0xffff, 0xffff, 0xfffe],
    CDAB: [0xfffe, 0xffff, 0xffff, 0xffff],
    BADC: [0xffff, 0xffff, 0xffff, 0xfeff],
    DCBA: [0xfeff, 0xffff, 0xffff, 0xffff],
  },
] as const;

test("values of 16, 32 and 64 bits are read exactly in each of the four orders of bytes", () => {
  for (const { value, ...orders } of table) {
    for (const [order, words] of Object.entries(orders)) {
      expect(valueOfWords(words, order as keyof typeof orders, false), `${value} as ${order}`).toBe(value);
    }
  }
  expect(valueOfWords([0xffff], "ABCD", true)).toBe(-1);
  expect(valueOfWords([0xfffe, 0xffff], "CDAB", true)).toBe(-2);
  expect(valueOfWords([0xffff, 0xffff, 0xffff, 0xfffd], "ABCD", true)).toBe(-3n);
});

test("an address names one table, and words only of registers, up to the last one", () => {
  const message = (address: object) => addressSchema.safeParse(address).error?.issues[0]?.message;
  expect(message({ holding: 65_532, words: 4, order: "CDAB" })).toBeUndefined();
  expect(message({})).toContain("exactly one of coil, discrete, holding and input");
  expect(message({ holding: 1, input: 1 })).toContain("exactly one of");
  expect(message({ coil: 1, words: 2 })).toContain("a single bit");
  expect(message({ holding: 65_535, words: 2 })).toContain("end at register 65535");
  expect(message({ holding: 65_536 })).toContain("65535");
});

const item = (signal: number, start: number, count = 1) => ({ signal, unit: 1, table: "holding" as const, start, count });

test("neighbouring registers are read in one request of at most 125, and a value is never in two", () => {
  const near = blocksOf([item(0, 100, 2), item(1, 0), item(2, 10, 4), item(3, 13, 2)]);
  expect(near.map(({ start, count }) => [start, count])).toEqual([
    [0, 15],
    [100, 2],
  ]);
  const long = blocksOf(Array.from({ length: 63 }, (_, index) => item(index, index * 2, 2)));
  expect(long.map(({ start, count }) => [start, count])).toEqual([
    [0, 124],
    [124, 2],
  ]);
  expect(blocksOf([item(0, 0), { ...item(1, 1), table: "input" }, { ...item(2, 2), unit: 2 }])).toHaveLength(3);
});

test("a refused block is split at its longest gap, then in the middle, and a single value is not", () => {
  const [block] = blocksOf([item(0, 0), item(1, 1), item(2, 2), item(3, 11)]);
  const parts = block && split(block);
  expect(parts?.map(({ start, count }) => [start, count])).toEqual([
    [0, 3],
    [11, 1],
  ]);
  expect(parts && split(parts[0])?.map(({ start }) => start)).toEqual([0, 1]);
  expect(split({ unit: 1, table: "holding", start: 0, count: 2, items: [item(0, 0, 2)] })).toBe(null);
});
