import type { DataValue } from "node-opcua-client";
import type { OpcuaConfig } from "../../src/sources/opcua/opcua.ts";
import type { Loss } from "../../src/sources/source.ts";
import type { News } from "./inbox.ts";
import { type Read, readValue, timeOf } from "./values.ts";

// What is known of each subscribed node, and what a notification about it means. Pure.

export interface Item {
  /** The place of its signal in the configuration. */
  signal: number;
  /** The next value is the first one of a subscription: what was so before, and no news. */
  isFirst: boolean;
  /** The value that the server told last, as a text; null: none, or no value. */
  key: string | null;
  at: number | null;
  /** How many values it told. */
  told: number;
  /** How many times in a row another value was read than the one that it told. */
  suspicions: number;
}

export function createItem(signal: number): Item {
  return { signal, isFirst: true, key: null, at: null, told: 0, suspicions: 0 };
}

/** Takes a value that the server told: what is stored of it, and what it says to be lost. */
export function takeValue(config: OpcuaConfig, item: Item, value: DataValue, now: number): { news: News; loss: Loss | null } {
  const read = readValue(value);
  const time = timeOf(value);
  const at = config.clock === "source" ? time : null;
  const key = keyOf(read);
  const { signal } = item;
  const loss = value.statusCode.hasOverflowBit ? lossOf(config, item, time ?? now) : null;
  // After a connection is made again, a server may repeat the last value: it has the time that it had.
  const isRepeated = item.isFirst || (time !== null && time === item.at && key === item.key);
  Object.assign(item, { isFirst: false, key, at: time, told: item.told + 1, suspicions: 0 });
  if (read.why !== null) return { news: { unavailable: signal, at }, loss };
  return { news: { reading: { signal, value: read.value, at, ...(isRepeated && { isRepeated }) } }, loss };
}

/** The server's queue was full, and it dropped values. The total of a counter says later what was made: nothing of it is lost. */
function lossOf(config: OpcuaConfig, { signal, at }: Item, to: number): Loss | null {
  const wanted = config.signal[signal];
  const isCounter = wanted && !["state", "sku", "order"].includes(wanted.kind) && wanted.reading === "cumulative";
  if (!wanted || isCounter) return null;
  const reason = `The server kept ${wanted.queue} changes of ${wanted.node}, and there were more: raise \`queue\``;
  return { signal, events: null, from: at ?? to, to, reason };
}

/**
 * Takes a value that was read, to compare it with what the server told. Returns whether the server has forgotten to tell the node's values:
 * twice in a row another one is read, and it told none in between.
 */
export function isForgotten(item: Item, value: DataValue): boolean {
  const key = keyOf(readValue(value));
  const isOther = item.isFirst ? key !== null : key !== item.key;
  item.suspicions = isOther ? item.suspicions + 1 : 0;
  return item.suspicions >= 2;
}

function keyOf(read: Read): string | null {
  return read.why === null ? `${typeof read.value} ${read.value}` : null;
}
