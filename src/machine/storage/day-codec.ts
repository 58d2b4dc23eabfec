import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { startOf } from "../inputs/ledger-position.ts";
import { hashOf, type InputEvent, isSentPulses, type StoredEvent } from "../inputs/stored-event.ts";
import { contentOf } from "../settings/count-channels.ts";

/** Events of one day that are kept together, encoded. `ids`: what identifies each. */
export interface EncodedPart {
  body: Uint8Array;
  ids: Uint8Array;
}

/** The most events in a part, which is decoded whole. */
export const MAX_PART_EVENTS = 16_384;
/** The most bytes of a part's body, and of its ids, if it has more than one event. The platform stores values up to 2 MB. */
export const MAX_PART_BYTES = 512 * 1024;

const VERSION = 1;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

// Columns of a shape; `Body` has a value in them for each event of the shape.
const SINCE = 1;
const VALUE = 2;
const LAG = 4;

/** Shape of an event that is kept as it was. */
const ODD = -1;

// Forms of identities; those from 0 on are numbers of prefixes.
const CONTENT = -3;
const TEXT = -2;
const UUID_BYTES = -1;

// How the hash of the content is kept; those from 0 on are numbers of hashes.
const NO_HASH = -2;
const HASH_OF_EVENT = -1;

/** The columns of a part. Only `shape` has a value for each event; the others have values for those that need one, in their order. */
interface Body {
  version: number;
  /**
   * What events have in common: the digit of their kind in the position, their columns, the event with 0 for the values in those, and, of events
   * of an import, its number and when it was made.
   */
  shapes: [digit: string, columns: number, event: object, importId?: number, receivedAt?: number][];
  /** The number of each event's shape. */
  shape: number[];
  /** How much later than the event before it each is. */
  step: number[];
  /** How much earlier than `at` each `since` is. */
  since: number[];
  value: number[];
  /** How much later than `at` each arrived. */
  lag: number[];
  odd: unknown[];
}

/** What identifies each event that is not odd. */
interface Ids {
  form: number[];
  /** Prefixes of ids that end in a number, and the digits to which it is filled up with zeros. */
  prefixes: [prefix: string, digits: number][];
  /** How much greater than the last one with the same prefix each number is. */
  step: number[];
  text: string[];
  /** The bytes of those that are UUIDs, as base64, which `gzip` takes back to nearly their number. */
  uuids: string;
  /** How the hash of each event's content is kept. */
  hash: number[];
  hashes: number[];
}

/** Encodes events of one day, in order, as parts within the bounds. */
export function* encodeParts(events: Iterable<StoredEvent>): Generator<{ events: StoredEvent[]; encoded: EncodedPart }> {
  let part: StoredEvent[] = [];
  for (const event of events) {
    part.push(event);
    if (part.length < MAX_PART_EVENTS) continue;
    yield* withinBytes(part);
    part = [];
  }
  if (part.length > 0) yield* withinBytes(part);
}

/** Halves events until each part is small enough. */
function* withinBytes(events: StoredEvent[]): Generator<{ events: StoredEvent[]; encoded: EncodedPart }> {
  const encoded = encodeColumns(events, isRegular);
  if (events.length === 1 || Math.max(encoded.body.length, encoded.ids.length) <= MAX_PART_BYTES) {
    yield { events, encoded: exactly(events, encoded) };
    return;
  }
  const half = Math.ceil(events.length / 2);
  yield* withinBytes(events.slice(0, half));
  yield* withinBytes(events.slice(half));
}

/** The hash by which a part is found to be damaged. `place`: what is kept beside it. */
export function hashOfPart({ body, ids }: EncodedPart, place: readonly (string | number)[]): string {
  const hash = createHash("sha256");
  hash.update(JSON.stringify([...place, body.length, ids.length]));
  return hash.update(body).update(ids).digest("hex");
}

/** Returns the encoded events if exactly they are decoded from it. Once they are encoded they are deleted elsewhere, so this is not taken for granted. */
function exactly(events: readonly StoredEvent[], encoded: EncodedPart): EncodedPart {
  const isExact = JSON.stringify(decodePart(encoded)) === JSON.stringify(events);
  return isExact ? encoded : encodeColumns(events, () => false);
}

function encodeColumns(events: readonly StoredEvent[], isInColumns: (event: StoredEvent) => boolean): EncodedPart {
  const body: Body = { version: VERSION, shapes: [], shape: [], step: [], since: [], value: [], lag: [], odd: [] };
  const shapes = new Map<string, number>();
  const regular: StoredEvent[] = [];
  let last = 0;
  for (const stored of events) {
    if (!isInColumns(stored)) {
      body.shape.push(ODD);
      body.odd.push(stored);
      continue;
    }
    regular.push(stored);
    const { pos, event, receivedAt, importId } = stored;
    const { at, since, value } = event as { at: number; since?: unknown; value?: unknown };
    const start = startOf(at).length;
    let columns = 0;
    body.step.push(at - last);
    last = at;
    if (isInstant(since)) {
      columns |= SINCE;
      body.since.push(at - since);
    }
    if (typeof value === "number") {
      columns |= VALUE;
      body.value.push(value);
    }
    if (receivedAt !== undefined && importId === undefined) {
      columns |= LAG;
      body.lag.push(receivedAt - at);
    }
    const common: InputEvent & { since?: number; value?: number } = { ...event, at: 0 };
    if (columns & SINCE) common.since = 0;
    if (columns & VALUE) common.value = 0;
    const digit = pos[start] ?? "";
    const shape: Body["shapes"][number] = [digit, columns, common];
    if (importId !== undefined && receivedAt !== undefined) shape.push(importId, receivedAt);
    const key = JSON.stringify(shape);
    const number = shapes.get(key) ?? body.shapes.push(shape) - 1;
    shapes.set(key, number);
    body.shape.push(number);
  }
  return { body: gzipSync(JSON.stringify(body), { level: 6 }), ids: encodeIds(regular) };
}

/** Whether an event has the members that the columns keep, in this order, and a position at its time. */
function isRegular(stored: StoredEvent): boolean {
  const { pos, event, content, receivedAt, importId } = stored;
  const { at } = event;
  const members = ["pos", "event", ...(content === undefined ? [] : ["content"])];
  if (receivedAt !== undefined) members.push("receivedAt");
  if (importId !== undefined) members.push("importId");
  const isTimed = isInstant(at) && (receivedAt === undefined || isInstant(receivedAt));
  const mark = isTimed && pos.startsWith(startOf(at)) ? pos[startOf(at).length + 1] : undefined;
  return (mark === "=" || mark === "#") && Object.keys(stored).join() === members.join();
}

function isInstant(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function encodeIds(events: readonly StoredEvent[]): Uint8Array {
  const ids: Ids = { form: [], prefixes: [], step: [], text: [], uuids: "", hash: [], hashes: [] };
  const uuids: string[] = [];
  const hashes = new Map<number, number>();
  const tails = events.map(({ pos, event }) => pos.slice(startOf(event.at).length + 1));
  const numbered = tails.map((tail) => (tail[0] === "#" && !UUID.test(tail.slice(1)) ? numberIn(tail.slice(1)) : null));
  const usage = Map.groupBy(numbered, (one) => one?.key);
  const prefixes = new Map<string, { number: number; last: number }>();
  for (const [i, { event, content }] of events.entries()) {
    const own = ownContentOf(event);
    const tail = tails[i] ?? "";
    const one = numbered[i];
    if (tail === `=${own}`) ids.form.push(CONTENT);
    else if (tail[0] === "#" && UUID.test(tail.slice(1))) {
      ids.form.push(UUID_BYTES);
      uuids.push(tail.slice(1).replaceAll("-", ""));
    } else if (one && (usage.get(one.key)?.length ?? 0) > 1) {
      const { key, prefix, digits, value } = one;
      const known = prefixes.get(key) ?? { number: ids.prefixes.push([prefix, digits]) - 1, last: 0 };
      ids.form.push(known.number);
      ids.step.push(value - known.last);
      prefixes.set(key, { ...known, last: value });
    } else {
      ids.form.push(TEXT);
      ids.text.push(tail);
    }
    if (content === undefined) ids.hash.push(NO_HASH);
    else if (own !== null && content === hashOf(own)) ids.hash.push(HASH_OF_EVENT);
    else {
      const number = hashes.get(content) ?? ids.hashes.push(content) - 1;
      hashes.set(content, number);
      ids.hash.push(number);
    }
  }
  ids.uuids = Buffer.from(uuids.join(""), "hex").toString("base64");
  return gzipSync(JSON.stringify(ids), { level: 6 });
}

/** An id as a prefix and the number at its end; null: it has none. */
function numberIn(id: string): { key: string; prefix: string; digits: number; value: number } | null {
  let start = id.length;
  while (start > 0 && id.length - start < 15 && /[0-9]/.test(id[start - 1] ?? "")) start--;
  const number = id.slice(start);
  if (number === "") return null;
  const digits = number.length > 1 && number.startsWith("0") ? number.length : 0;
  const prefix = id.slice(0, start);
  return { key: `${digits} ${prefix}`, prefix, digits, value: Number(number) };
}

/** The content of pulses; null: that of other events is not known. */
function ownContentOf(event: InputEvent): string | null {
  if (!isSentPulses(event)) return null;
  const { nodeId, channel, value, since = 0 } = event;
  // A later version may have stored something else in these members.
  return [nodeId, channel, value, since].every(Number.isFinite) ? contentOf(event) : null;
}

/** Decodes a part. Throws if it is not one. */
export function decodePart({ body, ids }: EncodedPart): StoredEvent[] {
  const columns = JSON.parse(gunzipSync(body).toString()) as Body;
  if (columns.version !== VERSION) throw new Error(`The events are encoded as by version ${columns.version}`);
  const [steps, sinces, values, lags] = [columns.step, columns.since, columns.value, columns.lag].map((all) => all.values());
  const odd = columns.odd.values();
  const identityOf = decodeIds(ids);
  let at = 0;
  return columns.shape.map((number) => {
    if (number === ODD) return odd.next().value as StoredEvent;
    const [digit, of, common, importId, receivedAt] = columns.shapes[number] as Body["shapes"][number];
    at += next(steps);
    const event = { ...common, at } as InputEvent & { since?: number; value?: number };
    if (of & SINCE) event.since = at - next(sinces);
    if (of & VALUE) event.value = next(values);
    const { tail, content } = identityOf(event);
    const stored: { -readonly [member in keyof StoredEvent]: StoredEvent[member] } = {
      pos: `${startOf(at)}${digit}${tail}`,
      event,
    };
    if (content !== undefined) stored.content = content;
    if (of & LAG) stored.receivedAt = at + next(lags);
    if (importId !== undefined && receivedAt !== undefined) {
      stored.receivedAt = receivedAt;
      stored.importId = importId;
    }
    return stored as StoredEvent;
  });
}

/** Returns a function that returns the identity of each event in turn. */
function decodeIds(encoded: Uint8Array): (event: InputEvent) => { tail: string; content: number | undefined } {
  const ids = JSON.parse(gunzipSync(encoded).toString()) as Ids;
  const hex = Buffer.from(ids.uuids, "base64").toString("hex");
  const [forms, steps, kinds] = [ids.form, ids.step, ids.hash].map((all) => all.values());
  const texts = ids.text.values();
  const lasts = ids.prefixes.map(() => 0);
  let uuids = 0;
  const tailOf = (form: number, event: InputEvent): string => {
    if (form === CONTENT) return `=${ownContentOf(event)}`;
    if (form === TEXT) return texts.next().value ?? "";
    if (form === UUID_BYTES) {
      const one = hex.slice(uuids, uuids + 32);
      uuids += 32;
      return `#${one.slice(0, 8)}-${one.slice(8, 12)}-${one.slice(12, 16)}-${one.slice(16, 20)}-${one.slice(20)}`;
    }
    const [prefix, digits] = ids.prefixes[form] as Ids["prefixes"][number];
    const value = (lasts[form] ?? 0) + next(steps);
    lasts[form] = value;
    return `#${prefix}${String(value).padStart(digits, "0")}`;
  };
  return (event) => {
    const tail = tailOf(next(forms), event);
    const hash = next(kinds);
    if (hash === NO_HASH) return { tail, content: undefined };
    return { tail, content: hash === HASH_OF_EVENT ? hashOf(ownContentOf(event) ?? "") : ids.hashes[hash] };
  };
}

function next(values: Iterator<number> | undefined): number {
  const value = values?.next().value;
  if (value === undefined) throw new Error("A column has too few values");
  return value;
}
