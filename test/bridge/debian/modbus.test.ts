import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openConnection } from "../../../bridge/src/sources/modbus/connection.ts";
import { modbusSource } from "../../../bridge/src/sources/modbus/modbus.ts";
import { contextFor, until } from "../support/context.ts";
import { countAll, type Write } from "../support/counter-table.ts";
import { configFor, freePort } from "../support/modbus.ts";
import { testFolder } from "../support/program.ts";

// The one of Debian, which has Debian's pymodbus.
const python = "/usr/bin/python3";
const orders = ["ABCD", "CDAB", "BADC", "DCBA"] as const;
const valuesOf: Record<number, bigint[]> = {
  16: [0n, 1n, 0x0102n, 0xfffen, 0xffffn],
  32: [0n, 0xffffn, 0x10000n, 0x01020304n, 0xfffffffen, 0xffffffffn],
  64: [0n, 0xffffffffn, 0x100000000n, 0x0102030405060708n, 2n ** 53n + 1n, 2n ** 64n - 1n],
};

let server: ChildProcessWithoutNullStreams;
let port = 0;
let written = 0;
let errors = "";

async function write(values: readonly (Omit<Write, "torn"> & Partial<Write>)[]): Promise<void> {
  const before = written;
  server.stdin.write(
    values.map(({ at, bits, order, value, torn = "whole" }) => `${at} ${bits} ${order} ${value} ${torn}\n`).join(""),
  );
  await until(`the values are written; the server says: ${errors}`, () => written === before + values.length, 60_000);
}

async function isListening(): Promise<boolean> {
  const connection = await openConnection("127.0.0.1", port, 1000).catch(() => null);
  connection?.close();
  return connection !== null;
}

beforeAll(async () => {
  const found = spawnSync(python, ["-c", "import pymodbus"]);
  if (found.status !== 0) throw new Error("Debian's package python3-pymodbus is missing: apt-get install python3-pymodbus");
  port = await freePort();
  server = spawn(python, [`${import.meta.dirname}/modbus-server.py`, String(port)]);
  server.stdout.on("data", (data) => {
    written += String(data).split("written").length - 1;
  });
  server.stderr.on("data", (data) => {
    errors += data;
  });
  for (let attempt = 0; !(await isListening()); attempt += 1) {
    if (attempt === 100) throw new Error(`pymodbus's server does not listen: ${errors}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}, 60_000);

afterAll(() => {
  server?.kill();
});

test("what pymodbus encodes in 16, 32 and 64 bits and each of the four orders is read exactly", async () => {
  const written = Object.entries(valuesOf).flatMap(([bits, values]) =>
    orders.flatMap((order) => values.map((value) => ({ bits: Number(bits), order, value }))),
  );
  const placed = written.map((entry, index) => ({ ...entry, at: index * 4 }));
  await write(placed);
  const config = configFor(
    port,
    placed.map(({ at, bits, order }) => ({ address: { holding: at, words: bits / 16, order } })),
  );
  const context = contextFor(config.signal);
  const running = modbusSource(config).run(context);
  await until("all values", () => context.readings.length >= placed.length, 30_000);
  context.end();
  await running;
  const first = new Map(context.readings.toReversed().map(({ signal, value }) => [signal, value]));
  expect(placed.map((entry, signal) => ({ ...entry, value: BigInt(first.get(signal) ?? -1) }))).toEqual(placed);
});

test("counters of pymodbus are counted to the pulse when they wrap, are reset, jump, are stuck or torn", async () => {
  const { counted, quarantined, expected } = await countAll(port, testFolder(), write);
  expect(counted).toEqual(expected.counted);
  expect(quarantined).toEqual(expected.quarantined);
});

test("of 65,536 requests on one connection to pymodbus, each gets its own answer", { timeout: 600_000 }, async () => {
  const shown = (at: number) => (at * 7919) % 65_536;
  await write(Array.from({ length: 2000 }, (_, at) => ({ at, bits: 16, order: "ABCD" as const, value: BigInt(shown(at)) })));
  const connection = await openConnection("127.0.0.1", port, 4000);
  let wrong = 0;
  for (let request = 0; request < 65_536; request += 1) {
    const at = request % 1999;
    const [first, second] = await connection.read(1, "holding", at, 2);
    if (first !== shown(at) || second !== shown(at + 1)) wrong += 1;
  }
  connection.close();
  expect(wrong).toBe(0);
});
