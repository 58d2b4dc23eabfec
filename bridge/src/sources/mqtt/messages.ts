import { jsonOf, pathOf, timeOf, valueAt } from "../payload.ts";
import type { Loss, Reading } from "../source.ts";
import type { Message } from "./client.ts";
import type { MqttSignal } from "./config.ts";
import { missing, type Sequence } from "./losses.ts";

/** The longest text that is a value. */
const LONGEST_VALUE = 256;

/** What a message says of one of its signals. */
export interface Said {
  reading: Omit<Reading, "signal"> | null;
  /** What is wrong with it, for people. */
  problem: string | null;
  /** What is missing before it. */
  gap: Omit<Loss, "signal"> | null;
  /** The newest number of the machine's messages. */
  number: Sequence | undefined;
}

/**
 * What a message says of a signal.
 * @param before the newest number of the messages before
 * @param isLive whether its machine has published in this connection, so that what the broker kept is older
 */
export function readMessage(
  signal: MqttSignal,
  message: Message,
  document: () => unknown,
  before: Sequence | undefined,
  isLive: boolean,
  now: number,
): Said {
  const { isOld, ...numbered } = readNumber(signal, message, document, before, now);
  // What the broker kept may be news, if the number says so.
  const isKept = message.isRetained && isOld;
  if (isKept && isLive) return { reading: null, problem: null, ...numbered };
  const { value, at, problem } = readValue(signal, message, document);
  if (value === null) return { reading: null, problem, ...numbered };
  // A running total that comes again tells nothing new if it is lower. A pulse that comes again was not stored before, and counts.
  const isRepeated = isKept || (message.isAgain && signal.reading === "cumulative");
  return { reading: { value, at, ...(isRepeated && { isRepeated }) }, problem, ...numbered };
}

/** The JSON of a message, read once, when it is first asked for. */
export function documentOf({ payload }: Message): () => unknown {
  let read: { document: unknown } | null = null;
  return () => {
    read ??= { document: jsonOf(payload) };
    return read.document;
  };
}

function readNumber(
  { sequence_path }: MqttSignal,
  message: Message,
  document: () => unknown,
  before: Sequence | undefined,
  at: number,
): Pick<Said, "gap" | "number"> & { isOld: boolean } {
  const number = sequence_path === undefined ? undefined : valueAt(document(), pathOf(sequence_path) ?? []);
  if (typeof number !== "number" || !Number.isSafeInteger(number)) return { isOld: true, gap: null, number: before };
  const isOld = before === undefined || number <= before.number;
  // What comes again, and what the broker kept, does not say that the machine started again.
  const isBeginning = isOld && !message.isAgain && !message.isRetained;
  return { isOld, gap: missing(before, { number, at }), number: before && isOld && !isBeginning ? before : { number, at } };
}

/** The value of a signal in a message, and its time by the machine's clock. */
export function readValue(
  { topic, path, time_path }: MqttSignal,
  { payload }: Message,
  document: () => unknown,
): { value: Reading["value"] | null; at: number | null; problem: string | null } {
  const example = () => `${topic}: ${JSON.stringify(payload.toString("utf8", 0, 120))}`;
  const at = time_path === undefined ? null : timeOf(valueAt(document(), pathOf(time_path) ?? []));
  const isTimeless = time_path !== undefined && at === null;
  const problem = isTimeless ? `${example()} has no time at ${time_path}: it is counted when it comes` : null;
  if (path === undefined) {
    const text = payload.toString("utf8", 0, LONGEST_VALUE).trim();
    if (/^[{[]/.test(text)) return { value: null, at, problem: `${example()} is JSON: give the path of the value` };
    return { value: text, at, problem };
  }
  const value = valueAt(document(), pathOf(path) ?? []);
  if (typeof value === "string") return { value: value.slice(0, LONGEST_VALUE), at, problem };
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") return { value, at, problem };
  const what = document() === undefined ? "is no JSON" : `has no value at ${path}`;
  return { value: null, at, problem: `${example()} ${what}` };
}
