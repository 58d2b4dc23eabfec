import { z } from "zod";
import { duration } from "../../config/duration.ts";
import { signalMembers, sourceMembers } from "../../config/signal.ts";
import { storeOrSay } from "../polling.ts";
import { messageOf, reach } from "../reach.ts";
import type { CheckStep, Reading, Source, SourceContext } from "../source.ts";
import { pause } from "../wait.ts";
import { type Address, addressSchema, addressText, isRegister, numberingHint, tableOf, valueOfWords } from "./address.ts";
import { type Block, blocksOf, type Item, split } from "./blocks.ts";
import { type Connection, ModbusException, NoAnswer, noDevice, openConnection } from "./connection.ts";
import { discoverModbus } from "./discover.ts";

/** Devices that speak Modbus TCP, or that a gateway of Modbus TCP speaks for. */
export const modbusConfig = z.strictObject({
  ...sourceMembers,
  type: z.literal("modbus"),
  host: z.string().min(1).max(253),
  port: z.int().min(1).max(65_535).default(502),
  unit: z
    .int()
    .min(0)
    .max(255)
    .default(1)
    .meta({ description: "The unit id of the device. Many devices of one unit answer to any" }),
  every: duration
    .refine((ms) => ms >= 10, "must be at least 10ms")
    .default(1000)
    .meta({ description: "How often all values are read" }),
  timeout: duration
    .refine((ms) => ms >= 50 && ms <= 4000, "must be from 50ms to 4s")
    .default(2000)
    .meta({ description: "How long an answer may take" }),
  pause: duration.default(0).meta({ description: "The least time between two requests, for gateways that need it" }),
  signal: z
    .array(z.strictObject({ ...signalMembers, address: addressSchema }))
    .min(1)
    .max(500),
});
export type ModbusConfig = z.infer<typeof modbusConfig>;

/** With these, a device is read again within 5 s of its return. */
const failedAgainMs = 1000;
const unitAgainMs = 2000;
/** After so many requests without an answer a unit is not asked for a while: it would hold up the others behind the same gateway. */
const silentTimes = 2;

/** Between two readings of a value whose words may have been written in between. */
const tornAgainMs = 50;
const tornAttempts = 4;

export function modbusSource(config: ModbusConfig): Source {
  return {
    run: (context) => runModbus(config, context),
    check: () => checkModbus(config),
    discover: (abort, forMs) => discoverModbus(config, abort, forMs),
  };
}

/** The state of a running source. */
interface Poller {
  config: ModbusConfig;
  context: SourceContext;
  connection: Connection | null;
  /** Blocks that a device refused stay split. */
  blocks: Block[];
  /** Unit ids that did not answer: how many times on end, and until when they are not asked again. */
  silent: Map<number, { times: number; until: number; error: string }>;
  /** By signal: the value read last. */
  last: Map<number, Reading["value"]>;
  /** Increments of readings `delta` that could not be stored, which the device does not have any more. */
  kept: Reading[];
  /** When contacts were read last. */
  contactsAt: number | null;
  /** When the last request was answered, for `pause`. */
  askedAt: number;
  /** What was wrong in this poll. */
  errors: string[];
}

async function runModbus(config: ModbusConfig, context: SourceContext): Promise<void> {
  const poller: Poller = {
    config,
    context,
    connection: null,
    blocks: blocksOf(config.signal.map(({ address }, signal) => itemOf(config, address, signal))),
    silent: new Map(),
    last: new Map(),
    kept: [],
    contactsAt: null,
    askedAt: 0,
    errors: [],
  };
  let next = context.now();
  while (!context.abort.aborted) {
    const hasRead = await poll(poller);
    next = hasRead ? Math.max(next + config.every, context.now()) : context.now() + failedAgainMs;
    await pause(next - context.now(), context.abort);
  }
  poller.connection?.close();
}

function itemOf(config: ModbusConfig, address: Address, signal: number): Item {
  const table = tableOf(address);
  return { signal, unit: address.unit ?? config.unit, table, start: address[table] ?? 0, count: address.words };
}

/** Reads and stores all values once. False: nothing could be read. */
async function poll(poller: Poller): Promise<boolean> {
  const { context } = poller;
  poller.errors = [];
  const readings: Reading[] = [];
  for (const block of poller.blocks.slice()) {
    if (context.abort.aborted) return true;
    const silent = poller.silent.get(block.unit);
    if (silent && silent.times >= silentTimes && silent.until > context.now()) {
      poller.errors.push(silent.error);
      continue;
    }
    if (!(await isReachable(poller))) break;
    readings.push(...(await readBlock(poller, block)));
  }
  const [error] = poller.errors;
  if (context.abort.aborted) return true;
  const isStored = readings.length === 0 || (await give(poller, readings));
  if (isStored) context.report(error === undefined ? { state: "ok", error: null } : { state: "failed", error });
  return readings.length > 0;
}

async function isReachable(poller: Poller): Promise<boolean> {
  if (poller.connection?.isOpen()) return true;
  const { host, port, timeout } = poller.config;
  try {
    poller.connection = await openConnection(host, port, timeout);
    return true;
  } catch (error) {
    poller.errors.push(`port ${port} of ${host}: ${messageOf(error)}`);
    return false;
  }
}

/** The values of a block. What fails is said, and read again at the next poll. */
async function readBlock(poller: Poller, block: Block): Promise<Reading[]> {
  try {
    const values = await ask(poller, block);
    poller.silent.delete(block.unit);
    const readings: Reading[] = [];
    for (const item of block.items) {
      const value = await settled(poller, item, valueIn(poller, block, item, values));
      if (value !== null) readings.push({ signal: item.signal, value, at: null });
    }
    return readings;
  } catch (error) {
    const parts = error instanceof ModbusException && [2, 3].includes(error.code) ? split(block) : null;
    if (parts !== null) {
      poller.blocks.splice(poller.blocks.indexOf(block), 1, ...parts);
      return [...(await readBlock(poller, parts[0])), ...(await readBlock(poller, parts[1]))];
    }
    const text = `${block.table} ${block.start} of unit id ${block.unit}: ${messageOf(error)}`;
    if (error instanceof NoAnswer) noteSilence(poller, block.unit, text);
    else if (error instanceof ModbusException) poller.silent.delete(block.unit);
    poller.errors.push(text);
    return [];
  }
}

/** Some devices do not answer to an address that they do not have: only a second request on end without an answer says that it is the unit. */
function noteSilence({ silent, context }: Poller, unit: number, error: string): void {
  const times = (silent.get(unit)?.times ?? 0) + 1;
  silent.set(unit, { times, until: context.now() + unitAgainMs, error });
}

async function ask(poller: Poller, { unit, table, start, count }: Omit<Block, "items">): Promise<number[]> {
  const { context, config } = poller;
  if (config.pause > 0) await pause(poller.askedAt + config.pause - context.now(), context.abort);
  if (!(await isReachable(poller)) || poller.connection === null) throw new Error("the connection was closed");
  try {
    return await poller.connection.read(unit, table, start, count);
  } finally {
    poller.askedAt = context.now();
  }
}

function valueIn({ config }: Poller, block: Block, item: Item, values: readonly number[]): Reading["value"] {
  const words = values.slice(item.start - block.start, item.start - block.start + item.count);
  if (!isRegister(item.table)) return words[0] === 1;
  const { order, signed } = (config.signal[item.signal] as ModbusConfig["signal"][number]).address;
  return valueOfWords(words, order, signed);
}

/**
 * A running total of several words, when it is certain that they are of one instant. A device may write one word after the other, and answer in
 * between. It shows where the high words move, or the total falls: then it is read again, until two readings agree. Null: they never did.
 */
async function settled(poller: Poller, item: Item, first: Reading["value"]): Promise<Reading["value"] | null> {
  const { reading, kind } = poller.context.signals[item.signal] ?? {};
  const isTotal = reading === "cumulative" && kind !== "state" && kind !== "sku" && kind !== "order";
  let value = first;
  if (isTotal && item.count > 1) {
    let before = poller.last.get(item.signal);
    for (let attempt = 0; before === undefined || !isPlain(before, value); attempt += 1) {
      if (attempt === tornAttempts) return null;
      if (before !== undefined) await pause(tornAgainMs, poller.context.abort);
      before = value;
      value = valueIn(poller, { ...item, items: [] }, item, await ask(poller, item));
    }
  }
  return value;
}

/** Whether only the low word moved, and upwards. */
function isPlain(before: Reading["value"], value: Reading["value"]): boolean {
  const [from, to] = [BigInt(before), BigInt(value)];
  return to >= from && from >> 16n === to >> 16n;
}

/**
 * Stores what was read. Totals are given at every poll, because the time between two is known by it; contacts and states when they change. False:
 * nothing could be stored.
 */
async function give(poller: Poller, readings: readonly Reading[]): Promise<boolean> {
  const { context } = poller;
  context.heard();
  noteMissedContacts(poller, readings);
  const isNews = ({ signal, value }: Reading) => {
    const { kind, reading } = context.signals[signal] ?? {};
    const isEvery = reading !== "edge" && kind !== "state" && kind !== "sku" && kind !== "order";
    return isEvery || poller.last.get(signal) !== value;
  };
  const news = [...poller.kept, ...readings.filter(isNews)];
  const isStored = news.length === 0 || (await storeOrSay(context, news));
  if (isStored) {
    poller.kept = [];
    for (const { signal, value } of readings) poller.last.set(signal, value);
  } else keepDeltas(poller, news);
  return isStored;
}

/** A contact may have closed and opened while the device could not be read. */
function noteMissedContacts(poller: Poller, readings: readonly Reading[]): void {
  const { context, config } = poller;
  if (!readings.some(({ signal }) => context.signals[signal]?.reading === "edge")) return;
  const now = context.now();
  const { contactsAt } = poller;
  poller.contactsAt = now;
  if (contactsAt === null || now - contactsAt < 3 * config.every + failedAgainMs) return;
  const reason = "contacts could not be read meanwhile";
  context.lost({ signal: null, events: null, from: contactsAt, to: now, reason });
}

/** The device shows totals, contacts and states again at the next poll, but an increment only once. */
function keepDeltas(poller: Poller, readings: readonly Reading[]): void {
  const { context } = poller;
  const deltas = readings.filter(({ signal }) => context.signals[signal]?.reading === "delta");
  const from = deltas.length - 10_000;
  const dropped = deltas.slice(0, Math.max(0, from));
  poller.kept = deltas.slice(Math.max(0, from)).map((reading) => ({ ...reading, at: reading.at ?? context.now() }));
  if (dropped.length > 0) {
    const at = dropped[0]?.at ?? context.now();
    context.lost({ signal: null, events: dropped.length, from: at, to: context.now(), reason: "nothing could be stored" });
  }
}

async function* checkModbus(config: ModbusConfig): AsyncIterable<CheckStep> {
  const { host, port, timeout } = config;
  let isReached = true;
  for await (const step of reach(host, port, timeout)) {
    isReached = step.ok;
    yield step;
  }
  if (!isReached) return;
  const items = config.signal.map(({ address }, signal) => itemOf(config, address, signal));
  const connection = await openConnection(host, port, timeout);
  try {
    yield* checkItems(config, connection, items);
  } finally {
    connection.close();
  }
}

async function* checkItems(config: ModbusConfig, first: Connection, items: readonly Item[]): AsyncIterable<CheckStep> {
  const heard = new Set<number>();
  for (const item of items) {
    const { address } = config.signal[item.signal] as ModbusConfig["signal"][number];
    const name = `${addressText(address)} of unit id ${item.unit}`;
    try {
      const values = await first.read(item.unit, item.table, item.start, item.count);
      if (!heard.has(item.unit)) yield { step: "unit id", ok: true, detail: `${item.unit} answers` };
      heard.add(item.unit);
      const value = isRegister(item.table) ? valueOfWords(values, address.order, address.signed) : values[0] === 1;
      yield { step: "first value", ok: true, detail: `${name} is ${value}` };
    } catch (error) {
      const isOfUnit = !heard.has(item.unit) && (!(error instanceof ModbusException) || noDevice.includes(error.code));
      const isNoAddress = error instanceof ModbusException && error.code === 2;
      const advice = isOfUnit
        ? ". Is the unit id right, and the device on?"
        : isNoAddress
          ? numberingHint(item.table, item.start)
          : "";
      yield { step: isOfUnit ? "unit id" : "first value", ok: false, detail: `${name}: ${messageOf(error)}${advice}` };
      return;
    }
  }
}
