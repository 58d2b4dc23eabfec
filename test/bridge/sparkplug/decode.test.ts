import sparkplug from "sparkplug-payload";
import { expect, test } from "vitest";
import { decodePayload, rebirthCommand, typed } from "../../../bridge/src/sources/sparkplug/decode.ts";

const payloads = sparkplug.get("spBv1.0");
if (!payloads) throw new Error("sparkplug-payload does not know Sparkplug B");
const { encodePayload, decodePayload: decodeIndependently } = payloads;

const at = Date.UTC(2026, 10, 29, 8);

test("every type that can be a value is read as an independent encoder writes it, and other types have no value", () => {
  const values = [
    ["Int8", -5, -5n],
    ["Int16", -300, -300n],
    ["Int32", -70_000, -70_000n],
    ["UInt8", 250, 250n],
    ["UInt16", 60_000, 60_000n],
    ["UInt32", 4_000_000_000, 4_000_000_000n],
    ["UInt64", 9_007_199_254_740_991, 9_007_199_254_740_991n],
    ["Float", 0.5, 0.5],
    ["Double", 0.1, 0.1],
    ["Boolean", true, true],
    ["String", "läuft", "läuft"],
    ["DateTime", at, BigInt(at)],
    ["Text", "text", "text"],
    ["Bytes", new Uint8Array([1, 2]), null],
  ] as const;
  const metrics = values.map(([type, value], index) => ({ name: `m/${type}`, alias: index, type, value, timestamp: at + index }));
  const payload = decodePayload(encodePayload({ timestamp: at, seq: 7, metrics } as never));
  expect([payload.timestamp, payload.seq]).toEqual([at, 7]);
  const expected = values.map(([type, , read]) => [`m/${type}`, read]);
  expect(payload.metrics.map(({ name, value, type }) => [name, typed(value, type)])).toEqual(expected);
  expect(payload.metrics[3]).toMatchObject({ alias: 3n, timestamp: at + 3, isHistorical: false });
});

test("metrics with properties, tables, without value, and of the past are read with what they have", () => {
  const metrics = [
    { name: "null", type: "Int32", value: null, isNull: true },
    { name: "past", type: "Int32", value: 3, isHistorical: true, timestamp: at },
    { name: "with", type: "Int32", value: 4, properties: { engUnit: { type: "String", value: "pcs" } } },
    { name: "table", type: "DataSet", value: { numOfColumns: 1, types: ["Int32"], columns: ["a"], rows: [[1]] } },
  ];
  const payload = decodePayload(encodePayload({ timestamp: at, seq: 0, metrics } as never));
  expect(payload.metrics.map(({ name, value, isHistorical }) => [name, value, isHistorical])).toEqual([
    ["null", null, false],
    ["past", 3n, true],
    ["with", 4n, false],
    ["table", null, false],
  ]);
  // is_null and int_value.
  expect(decodePayload(Buffer.from([0x12, 4, 0x38, 1, 0x50, 5])).metrics[0]?.value).toBeNull();
});

test("the request for births is read by an independent decoder as Sparkplug means it", () => {
  const { metrics, timestamp } = decodeIndependently(rebirthCommand(at));
  expect(metrics).toMatchObject([{ name: "Node Control/Rebirth", type: "Boolean", value: true }]);
  expect(Number(timestamp)).toBe(at);
});

test("bytes that are no payload end with an error or with what could be read, never otherwise, and quickly", () => {
  const metrics = [
    { name: "a", alias: 1, type: "Int32", value: 3 },
    { name: "b", type: "String", value: "x" },
  ];
  const good = Buffer.from(encodePayload({ timestamp: at, seq: 1, metrics } as never));
  let seed = 1;
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const began = performance.now();
  let errors = 0;
  for (let run = 0; run < 20_000; run += 1) {
    const bytes = run % 2 === 0 ? Buffer.from(good) : Buffer.from(Array.from({ length: random(60) }, () => random(256)));
    for (let change = 0; change <= random(3) && bytes.length > 0; change += 1) bytes[random(bytes.length)] = random(256);
    try {
      decodePayload(bytes.subarray(0, random(bytes.length + 1)));
    } catch (error) {
      expect((error as Error).message).toMatch(/^Its? /);
      errors += 1;
    }
  }
  expect(errors).toBeGreaterThan(5000);
  expect(performance.now() - began).toBeLessThan(20_000);
});

test("lengths beyond the payload, endless numbers and too many metrics are errors", () => {
  const endless = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1];
  expect(() => decodePayload(Buffer.from([0x12, ...endless]))).toThrow("ends within a field");
  expect(() => decodePayload(Buffer.from([0x08, ...Array(11).fill(0x80)]))).toThrow("more than 10 bytes");
  expect(() => decodePayload(Buffer.from([0x0b, 1]))).toThrow("unknown kind");
  expect(() => decodePayload(Buffer.concat(Array(20_001).fill(Buffer.from([0x12, 0]))))).toThrow("more than 20000 metrics");
});
