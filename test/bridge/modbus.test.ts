import { createServer, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { type ModbusConfig, modbusSource } from "../../bridge/src/sources/modbus/modbus.ts";
import { contextFor, type TestContext, until } from "./support/context.ts";
import { configFor, freePort, registersOf, startDevice } from "./support/modbus.ts";

const closing: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function device(answers: Parameters<typeof startDevice>[0], on?: number) {
  const started = await startDevice(answers, on);
  closing.push(started.stop);
  return started;
}

/** Runs the source of a configuration until the test ends. */
function run(config: ModbusConfig): TestContext {
  const context = contextFor(config.signal);
  const running = modbusSource(config).run(context);
  closing.push(() => {
    context.end();
    return running;
  });
  return context;
}

const valuesOf = (context: TestContext, signal = 0) =>
  context.readings.filter((reading) => reading.signal === signal).map(({ value }) => value);

test("all four tables, three widths and four orders are read from a device in one poll", async () => {
  const registers = { 0: 7, 1: 0x0201, 2: 0x0304, 3: 0x0102, 10: 0x0807, 11: 0x0605, 12: 0x0403, 13: 0x0201 };
  const { port, requests } = await device({
    holding: registersOf({ ...registers, ...Object.fromEntries([4, 5, 6, 7, 8, 9].map((at) => [at, 0])) }),
    input: registersOf({ 5: 0xffff }),
    coil: () => [1],
    discrete: () => [0],
  });
  const context = run(
    configFor(port, [
      { address: { holding: 0 } },
      { address: { holding: 1, order: "BADC" } },
      { address: { holding: 2, words: 2, order: "CDAB" } },
      { address: { holding: 10, words: 4, order: "DCBA" } },
      { address: { input: 5, signed: true } },
      { address: { coil: 3 }, reading: "edge" },
      { address: { discrete: 3 }, reading: "edge" },
    ]),
  );
  await until("all values", () => context.readings.length >= 7);
  expect(
    context.readings
      .slice(0, 7)
      .toSorted((a, b) => a.signal - b.signal)
      .map(({ value }) => value),
  ).toEqual([7, 0x0102, 0x01020304, 0x0102030405060708n, -1, true, false]);
  expect(requests.filter(({ table, count }) => table === "holding" && count === 14).length).toBeGreaterThan(0);
  expect(context.states.at(-1)).toEqual({ state: "ok", error: null });
});

test("a contact is given when it changes, a total at every poll", async () => {
  let bit = 0;
  const { port } = await device({ holding: () => [4], coil: () => [bit] });
  const context = run(configFor(port, [{ address: { holding: 0 } }, { address: { coil: 0 }, reading: "edge" }]));
  await until("some polls", () => valuesOf(context).length >= 5);
  expect(valuesOf(context, 1)).toEqual([false]);
  bit = 1;
  await until("the change", () => valuesOf(context, 1).length === 2);
  bit = 0;
  await until("the change back", () => valuesOf(context, 1).length === 3);
  expect(valuesOf(context, 1)).toEqual([false, true, false]);
  expect(new Set(valuesOf(context))).toEqual(new Set([4]));
});

test("a gap that a device does not have costs no value: its block is split once and stays split", async () => {
  const { port, requests } = await device({ holding: registersOf({ 0: 1, 1: 2, 9: 3, 10: 4 }) });
  const context = run(
    configFor(
      port,
      [0, 1, 9, 10].map((holding) => ({ address: { holding } })),
    ),
  );
  await until("several polls", () => valuesOf(context, 3).length >= 4);
  expect([0, 1, 2, 3].map((signal) => valuesOf(context, signal)[0])).toEqual([1, 2, 3, 4]);
  expect(requests.filter(({ count }) => count === 11)).toHaveLength(1);
  expect(context.states.at(-1)?.state).toBe("ok");
});

test("a register that does not exist is said by its address, and the others are read all the same", async () => {
  const { port } = await device({ holding: registersOf({ 0: 1 }) });
  const context = run(configFor(port, [{ address: { holding: 0 } }, { address: { holding: 3 } }]));
  await until("some polls", () => valuesOf(context).length >= 3);
  expect(valuesOf(context, 1)).toEqual([]);
  expect(context.states.at(-1)).toEqual({
    state: "failed",
    error: "holding 3 of unit id 1: exception 2 (the device has no such address)",
  });
});

test.each([
  { words: 2, torn: "the high word first", before: [0, 0xffff], between: [1, 0xffff], after: [1, 0], value: 65_536 },
  { words: 2, torn: "the low word first", before: [0, 0xffff], between: [0, 0], after: [1, 0], value: 65_536 },
  {
    words: 4,
    torn: "the high words first",
    before: [0, 0, 0xffff, 0xffff],
    between: [0, 1, 0xffff, 0xffff],
    after: [0, 1, 0, 0],
    value: 0x100000000n,
  },
  {
    words: 4,
    torn: "the low words first",
    before: [0, 0, 0xffff, 0xffff],
    between: [0, 0, 0, 0],
    after: [0, 1, 0, 0],
    value: 0x100000000n,
  },
])("a total of $words words that is read while the device writes $torn is read again", async ({ words, ...values }) => {
  let answers = [values.before];
  let requests = 0;
  const { port } = await device({
    holding: () => {
      requests += 1;
      return (answers.length > 1 ? answers.shift() : answers[0]) as number[];
    },
  });
  const context = run(configFor(port, [{ address: { holding: 0, words } }]));
  await until("the first value", () => context.readings.length >= 2);
  answers = [values.between, values.after, values.after];
  await until("the new value", () => context.readings.at(-1)?.value === values.value);
  const seen = valuesOf(context).map(BigInt);
  expect(seen.toSorted((a, b) => Number(a - b))).toEqual(seen);
  expect(new Set(seen).size).toBe(2);
  expect(requests).toBeGreaterThan(3);
});

test("a counter that was reset is read as it is, once it shows the same twice", async () => {
  let words = [3, 17];
  const { port } = await device({ holding: () => words });
  const context = run(configFor(port, [{ address: { holding: 0, words: 2 } }]));
  await until("the first value", () => context.readings.length >= 2);
  words = [0, 5];
  await until("the reset", () => context.readings.at(-1)?.value === 5);
  expect(new Set(valuesOf(context))).toEqual(new Set([3 * 65_536 + 17, 5]));
});

test("an answer that comes after the time-out is never taken for the answer to another request", async () => {
  let request = 0;
  const { port, connections } = await device({
    // Each answer is the number of its request; each third one comes 150 ms too late.
    holding: async () => {
      request += 1;
      const own = request;
      if (own % 3 === 0) await new Promise((resolve) => setTimeout(resolve, 200));
      return [own];
    },
  });
  const context = run(configFor(port, [{ address: { holding: 0 } }], { timeout: "50ms" }));
  await until("three late answers", () => valuesOf(context).length >= 7, 20_000);
  expect(valuesOf(context).filter((value) => Number(value) % 3 === 0)).toEqual([]);
  expect(valuesOf(context)).toEqual(valuesOf(context).toSorted((a, b) => Number(a) - Number(b)));
  expect(connections()).toBeGreaterThan(2);
});

test("a device that was restarted is read again within 5 s of its return", async () => {
  const first = await startDevice({ holding: () => [1] });
  const context = run(configFor(first.port, [{ address: { holding: 0 } }]));
  await until("the first value", () => context.readings.length > 0);
  await first.stop();
  await until("the failure", () => context.states.at(-1)?.error?.includes("ECONNREFUSED") === true);
  await device({ holding: () => [2] }, first.port);
  const returned = Date.now();
  await until("the new value", () => context.readings.at(-1)?.value === 2);
  expect(Date.now() - returned).toBeLessThan(5000);
  expect(context.states.at(-1)).toEqual({ state: "ok", error: null });
});

test("a connection that is open and answers nothing any more is found, and the device is read within 5 s of its return", async () => {
  let isFrozen = false;
  const never = new Promise<number[]>(() => undefined);
  const { port, connections } = await device({ holding: () => (isFrozen ? never : [1]) });
  const context = run(configFor(port, [{ address: { holding: 0 } }], { timeout: "300ms" }));
  await until("the first value", () => context.readings.length > 0);
  isFrozen = true;
  await until("the failure", () => context.states.at(-1)?.error?.includes("no answer within 300 ms") === true);
  const before = context.readings.length;
  isFrozen = false;
  const returned = Date.now();
  await until("a new value", () => context.readings.length > before);
  expect(Date.now() - returned).toBeLessThan(5000);
  expect(connections()).toBeGreaterThan(1);
});

test("a unit id that does not answer does not hold up the others behind the same gateway", async () => {
  const never = new Promise<number[]>(() => undefined);
  const { port } = await device({ holding: (_start, _count, unit) => (unit === 9 ? never : [unit]) });
  const context = run(
    configFor(port, [{ address: { holding: 0, unit: 9 } }, { address: { holding: 0, unit: 10 } }], { timeout: "300ms" }),
  );
  const begun = Date.now();
  await until("20 values of the other", () => valuesOf(context, 1).length >= 20);
  expect(Date.now() - begun).toBeLessThan(5000);
  expect(valuesOf(context, 0)).toEqual([]);
  // The same words while it is not asked: whoever reads the log sees the failure once.
  const errors = new Set(context.states.map(({ error }) => error));
  expect([...errors].filter(Boolean)).toEqual(["holding 0 of unit id 9: no answer within 300 ms"]);
});

test("an address to which a device does not answer costs its own value alone", async () => {
  const never = new Promise<number[]>(() => undefined);
  const { port } = await device({ holding: (start) => (start === 300 ? never : [start]) });
  const config = configFor(
    port,
    [0, 300, 600].map((holding) => ({ address: { holding } })),
    { timeout: "60ms" },
  );
  const context = run(config);
  await until("the values around it", () => valuesOf(context, 0).length >= 5 && valuesOf(context, 2).length >= 5);
  expect(valuesOf(context, 1)).toEqual([]);
});

test("a device that is frozen is said so after two time-outs, however many values it has", async () => {
  const never = new Promise<number[]>(() => undefined);
  const { port, requests } = await device({ holding: () => never });
  const signals = Array.from({ length: 50 }, (_, index) => ({ address: { holding: index * 200 } }));
  const context = run(configFor(port, signals, { timeout: "60ms" }));
  await until("the failure", () => context.states.length > 0, 2000);
  expect(context.states[0]?.state).toBe("failed");
  expect(requests.length).toBe(2);
});

test("frames that are no answer give no value, and the device is read again after them", async () => {
  let wrong: ((request: Buffer) => Buffer) | null = null;
  const server = createServer((socket: Socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (request) => {
      const good = Buffer.from([...request.subarray(0, 4), 0, 5, ...request.subarray(6, 8), 2, 0, 42]);
      socket.write(wrong?.(request) ?? good);
    });
  });
  const port = await freePort();
  await new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve(null)));
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  const frames: ((request: Buffer) => Buffer)[] = [
    // Another unit id, another function, too long, too short, of no length, of another transaction, no protocol at all.
    (request) => Buffer.from([...request.subarray(0, 4), 0, 5, 77, 3, 2, 0, 13]),
    (request) => Buffer.from([...request.subarray(0, 4), 0, 5, 1, 4, 2, 0, 13]),
    (request) => Buffer.from([...request.subarray(0, 4), 0, 7, 1, 3, 4, 0, 13, 0, 13]),
    (request) => Buffer.from([...request.subarray(0, 4), 0, 2, 1, 3]),
    (request) => Buffer.from([...request.subarray(0, 4), 0, 0]),
    (request) => Buffer.from([request[0] ?? 0, 255, 0, 0, 0, 5, 1, 3, 2, 0, 13]),
    () => Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n"),
  ];
  const context = run(configFor(port, [{ address: { holding: 0 } }], { timeout: "100ms" }));
  await until("the first value", () => context.readings.length > 0);
  for (const [index, frame] of frames.entries()) {
    wrong = frame;
    const statesBefore = context.states.length;
    await until(`frame ${index} is said`, () => context.states.slice(statesBefore).some(({ state }) => state === "failed"));
    wrong = null;
    const before = context.readings.length;
    await until(`a value after frame ${index}`, () => context.readings.length > before);
  }
  expect(new Set(valuesOf(context))).toEqual(new Set([42]));
});

test("two thousand requests, more than the library has numbers for, each get their own answer", async () => {
  let request = 0;
  const { port } = await device({
    holding: () => {
      request += 1;
      return [request];
    },
  });
  const context = run(configFor(port, [{ address: { holding: 0 } }], { every: "10ms" }));
  // The source polls at most each 10 ms: many signals, each in a block of its own, are many requests.
  const many = run(
    configFor(
      port,
      Array.from({ length: 20 }, (_, index) => ({ address: { holding: index * 200 } })),
      { every: "10ms" },
    ),
  );
  await until("the values", () => many.readings.length >= 2000, 30_000);
  const values = [...valuesOf(context), ...many.readings.map(({ value }) => value)];
  expect(new Set(values).size).toBe(values.length);
  const own = many.readings.map(({ value }) => Number(value));
  expect(own).toEqual(own.toSorted((a, b) => a - b));
});

test("increments that could not be stored are stored later, and a total is read again", async () => {
  let made = 0;
  const { port } = await device({
    holding: () => {
      made += 1;
      return [1, made];
    },
  });
  const context = run(
    configFor(port, [{ address: { holding: 0 }, reading: "delta" }, { address: { holding: 1 } }], { every: "20ms" }),
  );
  context.failStores(5);
  await until("values after the failures", () => valuesOf(context, 1).length >= 3);
  context.end();
  const [first] = valuesOf(context, 1);
  expect(first).toBe(6);
  expect(valuesOf(context, 0).length).toBe(valuesOf(context, 1).length + 5);
  const states = context.states.map(({ error }) => error);
  expect(states.slice(0, 6)).toEqual([...Array.from({ length: 5 }, () => "nothing can be stored: the disk is full"), null]);
});

async function stepsOf(config: ModbusConfig) {
  const steps: string[] = [];
  for await (const { step, ok, detail } of modbusSource(config).check(new AbortController().signal)) {
    steps.push(`${step} ${ok ? "ok" : "failed"}: ${detail}`);
  }
  return steps;
}

test("check names the step that fails: name, port, unit id, first value", async () => {
  const never = new Promise<number[]>(() => undefined);
  const { port } = await device({ holding: (start, _count, unit) => (unit === 1 ? (start < 9 ? [7] : 2) : never) });
  const signals = [{ address: { holding: 0 } }];
  expect(await stepsOf(configFor(port, signals))).toEqual([
    "name ok: 127.0.0.1 is 127.0.0.1",
    `port ok: ${port} is open`,
    "unit id ok: 1 answers",
    "first value ok: holding 0 of unit id 1 is 7",
  ]);
  const wrongName = (await stepsOf(configFor(port, signals, { host: "no-such-host.invalid" }))).at(-1);
  expect(wrongName).toMatch(/^name failed: no-such-host\.invalid: /);
  const closed = (await stepsOf(configFor(await freePort(), signals))).at(-1);
  expect(closed).toMatch(/^port failed: .*ECONNREFUSED/);
  const wrongUnit = (await stepsOf(configFor(port, signals, { unit: 2, timeout: "100ms" }))).at(-1);
  expect(wrongUnit).toBe(
    "unit id failed: holding 0 of unit id 2: no answer within 100 ms. Is the unit id right, and the device on?",
  );
  const manual = (await stepsOf(configFor(port, [{ address: { holding: 40_101 } }]))).at(-1);
  expect(manual).toBe(
    "first value failed: holding 40101 of unit id 1: exception 2 (the device has no such address). Addresses begin at 0 here: the register 40101 of a manual is holding = 100",
  );
});

test("discover finds the unit ids that answer, and the registers that are not 0", async () => {
  const { port } = await device({
    // Only the registers from 20 to 29: no block of the search is there as a whole.
    holding: (start, count, unit) => {
      if (![1, 2, 5].includes(unit)) return 11;
      if (start < 20 || start + count > 30) return 2;
      return Array.from({ length: count }, (_, index) => (start + index === 21 ? 77 : 0));
    },
  });
  const found = [];
  const discover = modbusSource(configFor(port, [{ address: { holding: 0 } }])).discover;
  for await (const { address, example } of discover?.(new AbortController().signal, 4000) ?? []) {
    found.push(`${address}: ${example}`);
  }
  expect(found).toEqual(["unit = 1 to 2: answers", "unit = 5: answers", "{ holding = 21 }: 77"]);
});
