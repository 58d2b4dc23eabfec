import type { Reading } from "../source.ts";
import { decodePayload, type Metric, type Payload, typed } from "./decode.ts";

/** Where the value of a signal is. */
export interface Address {
  group: string;
  node: string;
  device?: string | undefined;
  metric: string;
}

/** What a message of a node says, in its order. */
export interface Said {
  readings: Reading[];
  /** The signals that have no value any more. */
  unavailable: { signal: number; at: number | null }[];
  /** How many messages are missing before this one. */
  missing: number;
  /** Why the node is to send its births again; null: it need not. */
  rebirth: string | null;
  /** The node's name if it was born with this message. */
  born: boolean;
}

interface Place {
  group: string;
  name: string;
}

interface Node {
  isBorn: boolean;
  /** Counts the connections of the node: a death says which one ended. */
  bdSeq: bigint | null;
  /** The number of its newest message. */
  seq: number | null;
  /** The devices that are there; "": the node itself. */
  devices: Set<string>;
  /** What the births have said that numbers stand for. */
  aliases: Map<bigint, { name: string; type: number }>;
}

/** The most aliases that are kept of a node. */
const MOST_ALIASES = 50_000;

/** The nodes of a source, as their births, data and deaths tell. Nodes, devices and metrics that no signal names are left out. */
export function nodesOf(signals: readonly Address[]) {
  const nodes = new Map<string, Node>();
  const byMetric = Map.groupBy(signals.keys(), (index) => keyOf(signals[index]));
  for (const { group, node } of signals) {
    nodes.set(`${group}/${node}`, { isBorn: false, bdSeq: null, seq: null, devices: new Set(), aliases: new Map() });
  }

  const signalsOf = (group: string, name: string, device: string | null) =>
    signals.flatMap((signal, index) => {
      const isIts = signal.group === group && signal.node === name && (device === null || (signal.device ?? "") === device);
      return isIts ? [index] : [];
    });

  /** The readings of metrics, and whether one of them is unknown. */
  const read = (node: Node, place: string, { metrics, timestamp }: Payload, isBirth: boolean) => {
    const readings: Reading[] = [];
    let isUnknown = false;
    for (const metric of metrics) {
      const known = metric.alias === null ? undefined : node.aliases.get(metric.alias);
      const name = metric.name ?? known?.name;
      isUnknown ||= name === undefined;
      const value = typed(metric.value, metric.type || (known?.type ?? 0));
      if (name === undefined || value === null) continue;
      // What a birth says was so before, unless it says when.
      const isRepeated = isBirth && !metric.isHistorical;
      const reading = { value, at: metric.timestamp ?? timestamp, ...(isRepeated && { isRepeated }) };
      for (const signal of byMetric.get(`${place}/${name}`) ?? []) readings.push({ signal, ...reading });
    }
    return { readings, isUnknown };
  };

  const learn = (node: Node, metrics: readonly Metric[]) => {
    for (const { alias, name, type } of metrics) {
      if (alias !== null && name !== null && node.aliases.size < MOST_ALIASES) node.aliases.set(alias, { name, type });
    }
  };

  const end = (node: Node, { group, name }: Place, payload: Payload): Said => {
    const bdSeq = bdSeqOf(payload);
    // A death that comes late is the end of a connection before this one. Its number is that of the connection, and not of a message.
    if (bdSeq !== null && node.bdSeq !== null && bdSeq !== node.bdSeq) return nothing();
    Object.assign(node, { isBorn: false, seq: null, devices: new Set(), aliases: new Map() });
    return { ...nothing(), unavailable: signalsOf(group, name, null).map((signal) => ({ signal, at: null })) };
  };

  /** What is wrong with the order of a node's messages. */
  const order = (node: Node, { group, name }: Place, seq: number | null): Pick<Said, "missing" | "rebirth"> => {
    const count = missing(node, seq);
    if (!node.isBorn) return { missing: count, rebirth: `${group}/${name} was born before the bridge listened` };
    return { missing: count, rebirth: count > 0 ? `${count} messages of ${group}/${name} did not come` : null };
  };

  return {
    /** Takes a message; null: it is of no node of the source. Throws for a payload that is none. */
    take(topic: string, bytes: Uint8Array): Said | null {
      const [, group = "", type = "", name = "", device = ""] = topic.split("/");
      const node = nodes.get(`${group}/${name}`);
      if (!node || !/^[ND](?:BIRTH|DATA|DEATH)$/.test(type)) return null;
      const place = { group, name };
      const payload = decodePayload(bytes);
      if (type === "NDEATH") return end(node, place, payload);
      const isNode = type === "NBIRTH";
      const isBirth = isNode || type === "DBIRTH";
      if (isNode) {
        Object.assign(node, { isBorn: true, bdSeq: bdSeqOf(payload), seq: payload.seq, devices: new Set(), aliases: new Map() });
      }
      const said: Said = { ...nothing(), ...(isNode ? { born: true } : order(node, place, payload.seq)) };
      if (type === "DDEATH") {
        node.devices.delete(device);
        return { ...said, unavailable: signalsOf(group, name, device).map((signal) => ({ signal, at: payload.timestamp })) };
      }
      if (isBirth) {
        learn(node, payload.metrics);
        node.devices.add(device);
      }
      const { readings, isUnknown } = read(node, `${group}/${name}/${device}`, payload, isBirth);
      const isUnannounced = isUnknown || !node.devices.has(device);
      const rebirth = said.rebirth ?? (isUnannounced ? `${group}/${name} uses metrics that it has not announced` : null);
      return { ...said, readings, rebirth };
    },

    /** The connection is new: what nodes sent meanwhile did not come, and their births are asked for. */
    forget(): void {
      for (const node of nodes.values()) Object.assign(node, { isBorn: false, seq: null, devices: new Set() });
    },

    /** Whether the device of a signal is there. */
    isThere(signal: number): boolean {
      const address = signals[signal];
      return address !== undefined && nodes.get(`${address.group}/${address.node}`)?.devices.has(address.device ?? "") === true;
    },
  };
}

export function nothing(): Said {
  return { readings: [], unavailable: [], missing: 0, rebirth: null, born: false };
}

function keyOf(address: Address | undefined): string {
  return address ? `${address.group}/${address.node}/${address.device ?? ""}/${address.metric}` : "";
}

function bdSeqOf({ metrics }: Payload): bigint | null {
  const value = metrics.find(({ name }) => name === "bdSeq")?.value;
  return typeof value === "bigint" ? value : null;
}

/** How many messages are missing before this one; messages are counted from 0 to 255, again and again. */
function missing(node: Node, seq: number | null): number {
  if (seq === null) return 0;
  const before = node.seq;
  node.seq = seq;
  return before === null ? 0 : (seq - before - 1 + 256) % 256;
}
