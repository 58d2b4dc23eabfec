import type { Discovered } from "../source.ts";
import { type Connection, ModbusException, noDevice, openConnection } from "./connection.ts";

const lastUnit = 247;
const unitTimeoutMs = 300;
const registersAtOnce = 16;
const registersInRange = 256;
const lastRegister = 9_999;

interface Device {
  host: string;
  port: number;
  unit: number;
}

/** Which unit ids answer, for the first half of the time, and which of the first device's registers are not 0, for the rest of it. */
export async function* discoverModbus(device: Device, abort: AbortSignal, forMs: number): AsyncIterable<Discovered> {
  const until = Date.now() + forMs;
  const isOver = (at: number) => abort.aborted || Date.now() >= at;
  const line = reconnecting(device);
  try {
    const units: number[] = [];
    for (let unit = 1; unit <= lastUnit && !isOver(until - forMs / 2); unit += 1) {
      if (await answers(line, unit)) units.push(unit);
    }
    for (const [from, to] of runsOf(units)) {
      yield { address: from === to ? `unit = ${from}` : `unit = ${from} to ${to}`, example: "answers" };
    }
    const unit = units.includes(device.unit) ? device.unit : units[0];
    if (unit !== undefined) yield* registers(line, unit, () => isOver(until));
  } finally {
    line.close();
  }
}

/** A connection that is made again after it was closed, because a unit id that nobody has is answered by nothing. */
function reconnecting({ host, port }: Device) {
  let connection: Connection | null = null;
  return {
    read: async (...question: Parameters<Connection["read"]>) => {
      if (!connection?.isOpen()) connection = await openConnection(host, port, unitTimeoutMs);
      return await connection.read(...question);
    },
    close: () => connection?.close(),
  };
}

async function answers(line: Pick<Connection, "read">, unit: number): Promise<boolean> {
  try {
    await line.read(unit, "holding", 0, 1);
    return true;
  } catch (error) {
    return error instanceof ModbusException && !noDevice.includes(error.code);
  }
}

interface Span {
  table: "holding" | "input";
  start: number;
  count: number;
}

/** The registers that are not 0, range by range: first in blocks, then one by one where the device does not have a block as a whole. */
async function* registers(line: Pick<Connection, "read">, unit: number, isOver: () => boolean): AsyncIterable<Discovered> {
  for (let first = 0; first <= lastRegister; first += registersInRange) {
    const range = (["holding", "input"] as const).map((table): Span => ({ table, start: first, count: registersInRange }));
    const refused: Span[] = [];
    yield* notZero(line, unit, parts(range, registersAtOnce), isOver, refused);
    yield* notZero(line, unit, parts(refused, 1), isOver, []);
  }
}

/** Reads spans of registers until the time is over, and notes those that the device refuses. */
async function* notZero(
  line: Pick<Connection, "read">,
  unit: number,
  spans: readonly Span[],
  isOver: () => boolean,
  refused: Span[],
): AsyncIterable<Discovered> {
  for (const span of spans) {
    if (isOver()) return;
    const { table, start, count } = span;
    const values = await line.read(unit, table, start, count).catch(() => null);
    if (values === null) refused.push(span);
    for (const [index, value] of values?.entries() ?? []) {
      if (value !== 0) yield { address: `{ ${table} = ${start + index} }`, example: String(value) };
    }
  }
}

function parts(spans: readonly Span[], size: number): Span[] {
  return spans.flatMap(({ table, start, count }) =>
    Array.from({ length: count / size }, (_, index) => ({ table, start: start + index * size, count: size })),
  );
}

function runsOf(units: readonly number[]): [number, number][] {
  const runs: [number, number][] = [];
  for (const unit of units) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] === unit - 1) last[1] = unit;
    else runs.push([unit, unit]);
  }
  return runs;
}
