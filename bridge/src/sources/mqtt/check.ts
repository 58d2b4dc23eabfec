import { levelOf, numberOf } from "../../readings/value.ts";
import type { CheckStep, Discovered } from "../source.ts";
import { StepError } from "./broker.ts";
import type { Message } from "./client.ts";
import type { MqttConfig, MqttSignal } from "./config.ts";
import { listen } from "./listen.ts";
import { DROPPED } from "./losses.ts";
import { documentOf, readValue } from "./messages.ts";

/** How long the broker has to say what it tells of itself. */
const SYS_MS = 3000;
/** The most topics that `discover` tells. */
const MOST_TOPICS = 1000;

export async function* checkMqtt(config: MqttConfig, abort: AbortSignal, checkMs: number): AsyncIterable<CheckStep> {
  const steps: CheckStep[] = [];
  const first = new Map<string, Message>();
  const topics = [...new Set(config.signal.map(({ topic }) => topic))];
  try {
    const take = (message: Message) => {
      if (topics.includes(message.topic) && !first.has(message.topic)) first.set(message.topic, message);
      return first.size === topics.length;
    };
    const done = (step: string, detail: string) => void steps.push({ step, ok: true, detail });
    const { refused } = await listen(config, { topics, forMs: checkMs, take, done }, abort);
    yield* steps;
    yield topicStep(topics, refused, first, checkMs);
  } catch (error) {
    yield* steps;
    if (!(error instanceof StepError)) throw error;
    yield { step: error.step, ok: false, detail: error.message };
    return;
  }
  if (first.size < topics.length) return;
  for (const [index, signal] of config.signal.entries()) {
    const message = first.get(signal.topic);
    if (message) yield valueStep(signal, index, message);
  }
  yield await lossStep(config, abort, Math.min(SYS_MS, checkMs));
}

function topicStep(topics: string[], refused: string[], first: ReadonlyMap<string, Message>, checkMs: number): CheckStep {
  const silent = topics.filter((each) => !first.has(each));
  const list = (of: string[]) => `${of.slice(0, 5).join(", ")}${of.length > 5 ? ` and ${of.length - 5} more` : ""}`;
  if (refused.length > 0) {
    return { step: "topic", ok: false, detail: `The broker does not let this user read ${list(refused)}: ask whoever runs it` };
  }
  if (silent.length === 0) return { step: "topic", ok: true, detail: `${first.size} topics have messages` };
  const detail = `Nothing came on ${list(silent)} in ${checkMs / 1000} s: check the spelling (capital letters count), and whether the machine publishes; \`discover\` tells what is published`;
  return { step: "topic", ok: false, detail };
}

function valueStep(signal: MqttSignal, index: number, message: Message): CheckStep {
  const { value, at, problem } = readValue(signal, message, documentOf(message));
  const isText = signal.kind === "state" || signal.kind === "sku" || signal.kind === "order";
  const isReadable = isText || (signal.reading === "edge" ? levelOf(value ?? "") : numberOf(value ?? "")) !== null;
  const read = `Signal ${index + 1}, ${signal.topic}: ${value}${at === null ? "" : ` at ${new Date(at).toISOString()}`}`;
  const detail = problem ?? (isReadable ? read : `${read} is no number: give the path of the value, if the payload is JSON`);
  return { step: "first value", ok: problem === null && isReadable, detail };
}

async function lossStep(config: MqttConfig, abort: AbortSignal, forMs: number): Promise<CheckStep> {
  let dropped: string | null = null;
  const take = ({ payload }: Message) => {
    dropped = payload.toString("latin1", 0, 32);
    return true;
  };
  await listen(config, { topics: [DROPPED], forMs, take }, abort).catch(() => undefined);
  if (dropped !== null)
    return { step: "loss", ok: true, detail: `The broker tells what it drops: ${dropped} messages until now` };
  const all = config.signal.every(({ sequence_path }) => sequence_path !== undefined);
  if (all) return { step: "loss", ok: true, detail: "The machines number their messages: what the broker drops is seen by it" };
  const detail = `Loss cannot be seen here: the broker does not tell ${DROPPED}. Let this user read it, or number the messages (sequence_path)`;
  return { step: "loss", ok: true, detail };
}

export async function* discoverMqtt(config: MqttConfig, abort: AbortSignal, forMs: number): AsyncIterable<Discovered> {
  const found = new Map<string, string>();
  const take = ({ topic, payload }: Message) => {
    if (found.size < MOST_TOPICS || found.has(topic)) found.set(topic, payload.toString("utf8", 0, 200));
    return false;
  };
  await listen(config, { topics: ["#"], forMs, take }, abort);
  for (const [address, sample] of [...found].sort()) yield { address, example: sample };
}
