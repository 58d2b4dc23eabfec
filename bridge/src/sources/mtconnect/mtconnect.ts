import { z } from "zod";
import { duration } from "../../config/duration.ts";
import { signalMembers, sourceMembers } from "../../config/signal.ts";
import { storeAtLast } from "../polling.ts";
import { messageOf, reach } from "../reach.ts";
import type { CheckStep, Discovered, Reading, Source, SourceContext } from "../source.ts";
import { pause } from "../wait.ts";
import { type AgentDocument, type DataItem, type Header, type Observation, readDocument } from "./documents.ts";
import { boundaryOf, partsOf, textOf } from "./parts.ts";

/** Machines behind an MTConnect agent of version 1.x or 2.x. */
export const mtconnectConfig = z.strictObject({
  ...sourceMembers,
  type: z.literal("mtconnect"),
  url: z
    .url({ protocol: /^https?$/ })
    .meta({ description: 'Of the agent, or of one of its devices: "http://10.0.4.20:5000", "http://10.0.4.20:5000/Mazak01"' }),
  every: duration
    .refine((ms) => ms >= 50, "must be at least 50ms")
    .default(1000)
    .meta({ description: "How often the agent sends what is new, or is asked for it" }),
  count: z.int().min(1).max(10_000).default(1000).meta({ description: "The most observations of one document" }),
  signal: z
    .array(
      z.strictObject({
        ...signalMembers,
        data_item: z.string().min(1).max(256).meta({ description: "The id or the name of the data item" }),
      }),
    )
    .min(1)
    .max(500),
});
export type MtconnectConfig = z.infer<typeof mtconnectConfig>;

const failedAgainMs = 1000;
const answerMs = 10_000;

/** Where the source goes on reading. It is stored with the readings before it, so that none is read twice, and none is left out. */
interface Position {
  instance: string;
  next: bigint;
  /** When the agent was heard last, by the bridge's clock. */
  at: number;
}
interface Cursor {
  instance: string;
  next: string;
  at: number;
}

/** A request of the past that the agent's buffer does not have any more, or does not have yet. */
class OutOfRange extends Error {}

/** The agent was started again: its sequences mean something else now. */
class OtherInstance extends Error {}

export function mtconnectSource(config: MtconnectConfig): Source {
  return {
    run: (context) => runMtconnect(config, context),
    check: (abort) => checkMtconnect(config, abort),
    discover: (abort) => discoverMtconnect(config, abort),
  };
}

interface Follower {
  config: MtconnectConfig;
  context: SourceContext;
  position: Position | null;
  /** The agent's buffer did not have the position. */
  isOutOfRange: boolean;
  /** By signal: the observation that was read last. */
  last: Map<number, Observation>;
}

async function runMtconnect(config: MtconnectConfig, context: SourceContext): Promise<void> {
  const follower: Follower = { config, context, position: positionOf(context.cursor), isOutOfRange: false, last: new Map() };
  while (!context.abort.aborted) {
    try {
      if (follower.position === null) await startFromCurrent(follower);
      await follow(follower);
    } catch (error) {
      if (context.abort.aborted) return;
      await afterFailure(follower, error);
    }
  }
}

function positionOf(cursor: unknown): Position | null {
  const known = cursor as Cursor | null;
  return known && { ...known, next: BigInt(known.next) };
}

async function afterFailure(follower: Follower, error: unknown): Promise<void> {
  const { context } = follower;
  try {
    if (error instanceof OtherInstance) return await startFromCurrent(follower);
    if (error instanceof OutOfRange) return await startFromBuffer(follower);
  } catch (next) {
    context.report({ state: "failed", error: messageOf(next) });
    return await pause(failedAgainMs, context.abort);
  }
  context.report({ state: "failed", error: messageOf(error) });
  await pause(failedAgainMs, context.abort);
}

/**
 * Reads what the machines show now: at the first start, and after the agent was started again. It keeps nothing from before, so what it recorded and
 * the bridge had not read is lost.
 */
async function startFromCurrent(follower: Follower): Promise<void> {
  const { config, context, position } = follower;
  const document = await documentOf(config, "current", context.abort);
  const header = headerOf(document);
  const isNew = position === null;
  if (!isNew) {
    const reason =
      position.instance === header.instance
        ? "the agent's buffer is shorter than the time that it was not read"
        : "the agent was started again, and keeps nothing from before";
    const isKnown = position.instance === header.instance && header.next > position.next;
    const events = isKnown ? Number(header.next - position.next) : null;
    context.lost({ signal: null, events, from: position.at, to: context.now(), reason });
  }
  follower.position = { instance: header.instance, next: header.next, at: context.now() };
  await take(follower, document, isNew ? "first" : "current");
  context.report({ state: "ok", error: null });
}

/**
 * After the agent's buffer was shorter than the time that it was not read: goes on at the oldest observation that it has, and says how many it
 * does not have. If that one is gone, too, before it is asked for, it goes on with what is now: who goes after the end of a full buffer never catches
 * up.
 */
async function startFromBuffer(follower: Follower): Promise<void> {
  const { config, context, position } = follower;
  const header = headerOf(await documentOf(config, "current", context.abort));
  const isAgain = follower.isOutOfRange;
  follower.isOutOfRange = !isAgain;
  if (position === null || isAgain || position.instance !== header.instance || header.first <= position.next) {
    return await startFromCurrent(follower);
  }
  const reason = `the agent's buffer begins at ${header.first}, and ${position.next} would be the next to read`;
  const events = Number(header.first - position.next);
  context.lost({ signal: null, events, from: position.at, to: context.now(), reason });
  follower.position = { ...position, next: header.first };
}

/** Reads what is new, as long as the agent sends it or answers. */
async function follow(follower: Follower): Promise<void> {
  const { config, context, position } = follower;
  const from = position?.next ?? 0n;
  const heartbeat = Math.min(10_000, Math.max(1000, Math.floor(config.silence / 3)));
  const query = `sample?from=${from}&count=${config.count}&interval=${config.every}&heartbeat=${heartbeat}`;
  const watch = watchdog(context.abort, answerMs);
  try {
    const response = await ask(config, query, watch.signal);
    const boundary = boundaryOf(response.headers.get("content-type"));
    const body = bodyOf(response);
    if (boundary === null) {
      const hasMore = await takeSample(follower, readDocument(await textOf(body)));
      if (!hasMore) await pause(config.every, context.abort);
      return;
    }
    watch.reset(Math.max(config.silence, heartbeat * 2));
    for await (const part of partsOf(body, boundary)) {
      watch.reset(Math.max(config.silence, heartbeat * 2));
      await takeSample(follower, readDocument(part));
    }
    throw new Error("the agent ended its answer");
  } catch (error) {
    throw watch.hasEnded() ? new Error("the agent sends nothing any more") : error;
  } finally {
    watch.end();
  }
}

/** Takes one document of /sample. True: the agent has more. */
async function takeSample(follower: Follower, document: AgentDocument): Promise<boolean> {
  const { context, position } = follower;
  if (document.error?.code === "OUT_OF_RANGE") throw new OutOfRange(document.error.text);
  const header = headerOf(document);
  if (position === null || header.instance !== position.instance) throw new OtherInstance("the agent was started again");
  // What was read already comes again if the agent or the bridge repeats a request.
  const isNew = ({ sequence }: Observation) => sequence >= position.next;
  const observations = document.observations.filter(isNew).toSorted((a, b) => (a.sequence < b.sequence ? -1 : 1));
  const next = nextAfter(position.next, header, observations);
  const isStill = next === position.next;
  follower.position = { ...position, next, at: context.now() };
  follower.isOutOfRange = false;
  context.heard();
  if (!isStill) await take(follower, { ...document, observations }, "sample");
  if (!context.abort.aborted) context.report({ state: "ok", error: null });
  return next <= header.last;
}

/** The agent says where to go on. If that cannot be, as agents with a defect say, it is after the last observation that it sent. */
function nextAfter(from: bigint, { next, last }: Header, observations: readonly Observation[]): bigint {
  const seen = observations.reduce((most, { sequence }) => (sequence >= most ? sequence + 1n : most), from);
  return next >= seen && next <= last + 1n ? next : seen;
}

/**
 * Stores what a document says of the signals, and the position after it. The values of the first /current may be days old, and hold from now on; those
 * of a later one are not older than what was read before. Both are no news: none of them is a pulse.
 */
async function take(follower: Follower, document: AgentDocument, kind: "first" | "current" | "sample"): Promise<void> {
  const { context, config, position } = follower;
  if (position === null) return;
  const cursorAt = (next: bigint): Cursor => ({ instance: position.instance, next: String(next), at: position.at });
  let readings: Reading[] = [];
  for (const observation of document.observations) {
    const at = kind === "first" ? (document.header?.createdAt ?? null) : observation.at;
    for (const signal of signalsOf(config, observation)) {
      if (isSame(follower.last.get(signal), observation)) continue;
      follower.last.set(signal, observation);
      if (observation.value === "UNAVAILABLE") {
        await storeAtLast(context, readings, cursorAt(kind === "sample" ? observation.sequence : position.next));
        readings = [];
        await unavailableAtLast(context, signal, at);
      } else {
        const isRepeated = kind !== "sample" && config.signal[signal]?.reading !== "cumulative";
        readings.push({ signal, value: observation.value, at, isRepeated });
      }
    }
  }
  await storeAtLast(context, readings, cursorAt(position.next));
}

function signalsOf({ signal }: MtconnectConfig, { dataItem, name }: Observation): number[] {
  return [...signal.keys()].filter((index) => signal[index]?.data_item === dataItem || signal[index]?.data_item === name);
}

/** Adapters send their last values again when they connect again: they have the same time and a new sequence. */
function isSame(before: Observation | undefined, { at, value }: Observation): boolean {
  return before !== undefined && at !== null && before.at === at && before.value === value;
}

async function unavailableAtLast(context: SourceContext, signal: number, at: number | null): Promise<void> {
  while (!context.abort.aborted) {
    try {
      return await context.unavailable(signal, at);
    } catch (error) {
      context.report({ state: "failed", error: `nothing can be stored: ${messageOf(error)}` });
      await pause(failedAgainMs, context.abort);
    }
  }
}

function headerOf({ header, error }: AgentDocument): Header {
  if (error !== null) throw new Error(`the agent answers ${error.code}: ${error.text}`);
  if (header === null || header.instance === "") throw new Error("the agent's answer has no header with an instanceId");
  return header;
}

/** Agents of version 2 answer errors with 404, of version 1 with 200; both with a document. */
async function ask({ url }: MtconnectConfig, query: string, signal: AbortSignal): Promise<Response> {
  const response = await fetch(`${url.replace(/\/+$/, "")}/${query}`, { signal, headers: { accept: "text/xml, multipart/*" } });
  const type = response.headers.get("content-type") ?? "";
  if (!response.ok && !type.includes("xml")) throw new Error(`the agent answers ${response.status} ${response.statusText}`);
  return response;
}

function bodyOf({ body }: Response): AsyncIterable<Uint8Array> {
  if (body === null) throw new Error("the agent's answer is empty");
  return body;
}

async function documentOf(config: MtconnectConfig, query: "probe" | "current", abort: AbortSignal): Promise<AgentDocument> {
  const signal = AbortSignal.any([abort, AbortSignal.timeout(answerMs)]);
  return readDocument(await textOf(bodyOf(await ask(config, query, signal))));
}

/** Ends a request when nothing came for a while: a connection can be open and dead. */
function watchdog(abort: AbortSignal, firstMs: number) {
  const controller = new AbortController();
  let timer = setTimeout(() => controller.abort(), firstMs);
  return {
    signal: AbortSignal.any([abort, controller.signal]),
    hasEnded: () => controller.signal.aborted,
    reset: (ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => controller.abort(), ms);
    },
    end: () => {
      clearTimeout(timer);
      // The answer is endless, and read no further.
      controller.abort();
    },
  };
}

async function* checkMtconnect(config: MtconnectConfig, abort: AbortSignal): AsyncIterable<CheckStep> {
  const { hostname, port, protocol } = new URL(config.url);
  const name = hostname.replace(/^\[|\]$/g, "");
  let step = "probe";
  try {
    for await (const reached of reach(name, Number(port) || (protocol === "https:" ? 443 : 80), answerMs)) {
      yield reached;
      if (!reached.ok) return;
    }
    const probe = await documentOf(config, "probe", abort);
    headerOf(probe);
    yield { step, ok: true, detail: `${probe.dataItems.length} data items` };
    step = "data item";
    for (const { data_item } of config.signal) yield dataItemStep(data_item, probe.dataItems);
    step = "first value";
    yield* firstValues(config, await documentOf(config, "current", abort));
  } catch (error) {
    yield { step, ok: false, detail: messageOf(error) };
  }
}

function dataItemStep(wanted: string, dataItems: readonly DataItem[]): CheckStep {
  const found = dataItems.filter(({ id, name }) => id === wanted || name === wanted);
  const [first] = found;
  if (first === undefined) throw new Error(`the agent has no data item with the id or name ${wanted}`);
  if (found.length > 1) {
    const ids = found.map(({ id, device }) => `${id} of ${device}`).join(", ");
    throw new Error(`${wanted} is the name of several data items: ${ids}. Give the id`);
  }
  return { step: "data item", ok: true, detail: `${wanted} is ${first.type} of ${first.device}` };
}

function* firstValues({ signal }: MtconnectConfig, document: AgentDocument): Iterable<CheckStep> {
  headerOf(document);
  for (const { data_item } of signal) {
    const found = document.observations.find(({ dataItem, name }) => data_item === dataItem || data_item === name);
    const detail = found ? `${data_item} is ${found.value}` : `${data_item} has no value, as conditions and sets of values`;
    yield { step: "first value", ok: found !== undefined, detail };
  }
}

async function* discoverMtconnect(config: MtconnectConfig, abort: AbortSignal): AsyncIterable<Discovered> {
  const [probe, current] = [await documentOf(config, "probe", abort), await documentOf(config, "current", abort)];
  const values = new Map(current.observations.map(({ dataItem, value }) => [dataItem, value]));
  for (const { id, type, device } of probe.dataItems) {
    const value = values.get(id);
    if (value !== undefined) yield { address: `data_item = "${id}"`, example: `${type} of ${device}: ${value}` };
  }
}
