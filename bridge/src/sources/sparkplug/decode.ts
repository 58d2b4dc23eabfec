/** A metric of a payload of Sparkplug B. Members that it does not have are null. */
export interface Metric {
  name: string | null;
  alias: bigint | null;
  /** Epoch ms. */
  timestamp: number | null;
  isHistorical: boolean;
  /** The number of its type; 0: it says none, since its birth has said it. */
  type: number;
  /** Null: it has none, or one that is no number, text or truth value, such as a table. */
  value: number | bigint | boolean | string | null;
}

export interface Payload {
  timestamp: number | null;
  seq: number | null;
  metrics: Metric[];
}

/** What one payload may hold: births of large machines have some thousand metrics. */
const MOST_METRICS = 20_000;
const LONGEST_TEXT = 4096;

/** The bits of the signed types, by their numbers in Sparkplug B. */
const signedBits: Record<number, number> = { 1: 8, 2: 16, 3: 32, 4: 64 };

/**
 * Reads a payload by Sparkplug B's fixed schema, org.eclipse.tahu.protobuf.Payload, of protocol buffers. What the bridge does not need (tables,
 * templates, properties, bytes) is skipped unread.
 * @throws Error if the bytes are no such payload
 */
export function decodePayload(bytes: Uint8Array): Payload {
  const payload: Payload = { timestamp: null, seq: null, metrics: [] };
  for (const field of fieldsOf(bytes)) {
    if (field.number === 1) payload.timestamp = timeOf(field);
    else if (field.number === 3) payload.seq = Number(whole(field));
    else if (field.number === 2) {
      if (payload.metrics.length === MOST_METRICS) throw new Error(`It has more than ${MOST_METRICS} metrics`);
      payload.metrics.push(decodeMetric(bytesOf(field)));
    }
  }
  return payload;
}

function decodeMetric(bytes: Uint8Array): Metric {
  const metric: Metric = { name: null, alias: null, timestamp: null, isHistorical: false, type: 0, value: null };
  let isNull = false;
  for (const field of fieldsOf(bytes)) {
    if (field.number === 1) metric.name = textOf(field);
    else if (field.number === 2) metric.alias = whole(field);
    else if (field.number === 3) metric.timestamp = timeOf(field);
    else if (field.number === 4) metric.type = Number(whole(field));
    else if (field.number === 5) metric.isHistorical = whole(field) !== 0n;
    else if (field.number === 7) isNull = whole(field) !== 0n;
    else if (field.number >= 10 && field.number <= 15) metric.value = valueIn(field);
  }
  if (isNull) metric.value = null;
  return metric;
}

/** A value as its type means it: signed ones are written as if they were not. */
export function typed(value: Metric["value"], type: number): Metric["value"] {
  const bits = signedBits[type];
  return bits !== undefined && typeof value === "bigint" ? BigInt.asIntN(bits, value) : value;
}

/** The value of a metric: int, long, float, double, boolean or string. A metric with another has no value here. */
function valueIn(field: Field): Metric["value"] {
  if (field.number === 10 || field.number === 11) return whole(field);
  if (field.number === 14) return whole(field) !== 0n;
  if (field.number === 15) return textOf(field);
  const bytes = bytesOf(field, field.number === 12 ? 5 : 1);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return field.number === 12 ? view.getFloat32(0, true) : view.getFloat64(0, true);
}

/** A field of a message: its number, how it is written, and its bytes, or its whole number. */
interface Field {
  number: number;
  /** 0: whole number, 1: 8 bytes, 2: bytes with a length, 5: 4 bytes. */
  wire: number;
  whole: bigint;
  bytes: Uint8Array;
}

const none = new Uint8Array(0);

/** The fields of a message, each in its bounds: a length that goes beyond the message is an error. */
function* fieldsOf(bytes: Uint8Array): Generator<Field> {
  let place = 0;
  const readWhole = () => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[place];
      if (byte === undefined) throw new Error("It ends within a number");
      place += 1;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return BigInt.asUintN(64, value);
    }
    throw new Error("It has a number of more than 10 bytes");
  };
  const readBytes = (length: number) => {
    if (length > bytes.length - place) throw new Error("It ends within a field");
    place += length;
    return bytes.subarray(place - length, place);
  };
  while (place < bytes.length) {
    const key = readWhole();
    const [number, wire] = [Number(key >> 3n), Number(key & 7n)];
    if (wire === 0) yield { number, wire, whole: readWhole(), bytes: none };
    else if (wire === 2) yield { number, wire, whole: 0n, bytes: readBytes(Number(readWhole())) };
    else if (wire === 1 || wire === 5) yield { number, wire, whole: 0n, bytes: readBytes(wire === 1 ? 8 : 4) };
    else throw new Error(`It has a field of the unknown kind ${wire}`);
  }
}

function whole({ number, wire, whole: value }: Field): bigint {
  if (wire !== 0) throw new Error(`Its field ${number} is no whole number`);
  return value;
}

function bytesOf({ number, wire, bytes }: Field, wanted = 2): Uint8Array {
  if (wire !== wanted) throw new Error(`Its field ${number} is not written as it should be`);
  return bytes;
}

const text = new TextDecoder();

function textOf(field: Field): string {
  return text.decode(bytesOf(field).subarray(0, LONGEST_TEXT));
}

/** An instant that no machine can mean is none. */
function timeOf(field: Field): number | null {
  const ms = Number(whole(field));
  return ms > 0 && ms < 1e14 ? ms : null;
}

/** The command by which a node sends its births again: one metric, whose value is true. */
export function rebirthCommand(now: number): Buffer {
  const name = Buffer.from("Node Control/Rebirth");
  const time = varint(BigInt(Math.round(now)));
  // name, timestamp, datatype 11 (boolean), boolean_value
  const metric = Buffer.concat([
    Buffer.from([0x0a, name.length]),
    name,
    Buffer.from([0x18]),
    time,
    Buffer.from([0x20, 11, 0x70, 1]),
  ]);
  return Buffer.concat([Buffer.from([0x08]), time, Buffer.from([0x12, metric.length]), metric]);
}

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>= 7n) {
    if (rest < 128n) return Buffer.from([...bytes, Number(rest)]);
    bytes.push(Number(rest & 127n) | 128);
  }
}
