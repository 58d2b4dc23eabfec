import type { EventResult, Pulses, SentPulses } from "../../objects/machine-protocol.ts";
import type { Channel } from "../../objects/set-up.ts";
import {
  type ChannelType,
  type Counts,
  channelSetOf,
  countOf,
  type MachineEvent,
  perPulse,
  type ReadingEvent,
} from "../../oee/events.ts";
import type { UnitsPerCycle } from "../../oee/shift-parts.ts";
import type { TakenEvent } from "../inputs/stored-event.ts";

/** A channel during a time in which the machine's set of channels does not change. */
interface Period {
  channel: Channel;
  perPulse: Counts;
  pulsesPerCycle: number;
  since: number;
  until: number;
  /** The channel has fed the machine without a break since then. */
  fedSince: number;
}

interface Place {
  nodeId: number;
  channel: number;
  at: number;
}

/** The result of pulses of another machine, which are not stored: the sender used an outdated map of the channels. */
export const otherMachine = {
  code: "other_machine",
  message: "The channel does not feed this machine at that time.",
} satisfies EventResult;

/** The history of a machine's channels. A count is interpreted by the channels in force at its own time. */
export class Channels {
  readonly #periods: Map<string, Period[]>;

  constructor(channels: readonly Channel[]) {
    this.#periods = Map.groupBy(periodsOf(channels), ({ channel }) => keyOf(channel));
  }

  /** Whether the channel of these pulses fed the machine at their time. */
  has(pulses: Place): boolean {
    return this.#period(pulses) !== undefined;
  }

  /**
   * Converts pulses to an event. Null if their channel did not feed the machine at their time.
   * `isDisabled`: they do not count. Of a reading, only what it counts can show that.
   */
  read(pulses: Pulses): { incoming: TakenEvent; isDisabled: boolean } | null {
    const period = this.#period(pulses);
    if (!period) return null;
    const sent = sentOf(pulses);
    const { isCounted } = period.channel;
    const source = { sent, fedSince: period.fedSince };
    const incoming = { id: pulses.id, content: contentOf(sent), event: meaningIn(period, sent), source };
    return { incoming, isDisabled: !isCounted && sent.kind === "pulses" && sent.value > 0 };
  }

  /** What pulses mean by the channels in force at their time. Null: their channel did not feed the machine then. */
  meaningOf(sent: SentPulses): MachineEvent | null {
    const period = this.#period(sent);
    return period ? meaningIn(period, sent) : null;
  }

  /** The first instant at which pulses mean something else by other channels (epoch ms; 0: always); null: none. */
  firstDifference(others: Channels): number | null {
    const instants = [0, ...this.changes(), ...others.changes()].sort((a, b) => a - b);
    const keys = new Set([...this.#periods.keys(), ...others.#periods.keys()]);
    const isDifferent = (at: number) =>
      [...keys].some((key) => ruleOf(this.#periodOf(key, at)) !== ruleOf(others.#periodOf(key, at)));
    return instants.find(isDifferent) ?? null;
  }

  /**
   * The units per cycle at an instant: the counting factor of the channels that count cycles. If other channels count the units, this is only what
   * the set-up says, and not exact. 1 without channels.
   */
  unitsPerCycleAt(at: number): UnitsPerCycle {
    const present = [...this.#periods.values()].flat().filter(({ since, until }) => since <= at && at < until);
    return unitsPerCycleOf(present.map(({ channel }) => channel));
  }

  /** The instants at which the channels change. */
  changes(): number[] {
    const ends = [...this.#periods.values()].flat().flatMap(({ since, until }) => [since, until]);
    return [...new Set(ends)].filter(Number.isFinite);
  }

  #period(place: Place): Period | undefined {
    return this.#periodOf(keyOf(place), place.at);
  }

  #periodOf(key: string, at: number): Period | undefined {
    return this.#periods.get(key)?.find(({ since, until }) => since <= at && at < until);
  }
}

/** Pulses as they were sent: without their id. */
function sentOf({ at, since, nodeId, channel, value, reading }: Pulses): SentPulses {
  const covers = since === undefined ? {} : { since };
  return reading === undefined
    ? { kind: "pulses", at, ...covers, nodeId, channel, value: value ?? 0 }
    : { kind: "total", at, ...covers, nodeId, channel, value: reading };
}

/** The content that identifies pulses without an id. Stored, so never change it. */
export function contentOf({ kind, nodeId, channel, value, since }: SentPulses): string {
  const content = `${kind === "pulses" ? "count" : "reading"} ${nodeId} ${channel} ${value}`;
  return since === undefined ? content : `${content} since ${since}`;
}

/** All that the meaning of pulses depends on, as text. */
function ruleOf(period: Period | undefined): string {
  if (!period) return "";
  const { channel, perPulse, pulsesPerCycle, fedSince } = period;
  return JSON.stringify([channel.isCounted, channel.wrapsAt ?? null, perPulse, pulsesPerCycle, fedSince]);
}

function meaningIn(period: Period, { kind, at, since, value, isHeld }: SentPulses): MachineEvent {
  const covers = since === undefined ? {} : { since };
  if (isHeld) return { kind: "sample", at, ...covers };
  return { ...(kind === "pulses" ? countIn(period, at, value) : readingIn(period, at, value)), ...covers };
}

function periodsOf(channels: readonly Channel[]): Period[] {
  const endOf = ({ until }: Channel) => until ?? Number.POSITIVE_INFINITY;
  const changes = channels.flatMap((channel) => [channel.since, endOf(channel)]);
  const instants = [...new Set(changes)].sort((a, b) => a - b);
  /** The newest period of each channel. */
  const newest = new Map<string, Period>();
  return instants.slice(0, -1).flatMap((since, i) => {
    const until = instants[i + 1] ?? Number.POSITIVE_INFINITY;
    const present = channels.filter((one) => one.since <= since && since < endOf(one));
    const set = channelSetOf(present.map(({ type }) => type));
    const { units } = unitsPerCycleOf(present);
    return present.map((channel) => {
      const before = newest.get(keyOf(channel));
      const fedSince = before?.until === since ? before.fedSince : since;
      const counts = perPulse(channel, set);
      const pulsesPerCycle = counts.cycles > 0 ? 1 : units / channel.countingFactor;
      const period = { channel, perPulse: counts, pulsesPerCycle, since, until, fedSince };
      newest.set(keyOf(channel), period);
      return period;
    });
  });
}

/** The units per cycle of a set of channels: see `Channels.unitsPerCycleAt`. */
function unitsPerCycleOf(channels: readonly Channel[]): UnitsPerCycle {
  const ofTypes = (...types: ChannelType[]) =>
    channels.flatMap(({ type, countingFactor }) => (types.includes(type) ? [countingFactor] : []));
  const cycle = ofTypes("cycle");
  const total = ofTypes("total");
  // Without a channel for either, each good or rejected unit is a cycle.
  const factors = [cycle, total, ofTypes("good", "defect", "rework")].find((list) => list.length > 0) ?? [];
  const isApart = total.length > 0 && cycle.length > 0;
  return { units: factors[0] ?? 1, isExact: !isApart && new Set(factors).size === 1 };
}

function countIn({ channel, perPulse }: Period, at: number, pulses: number): MachineEvent {
  return channel.isCounted && pulses > 0 ? countOf(at, pulses, perPulse) : { kind: "sample", at };
}

function readingIn({ channel, perPulse, pulsesPerCycle, fedSince }: Period, at: number, value: number): ReadingEvent {
  const { wrapsAt = null, isCounted } = channel;
  const wraps = wrapsAt === null ? {} : { wraps: { at: wrapsAt, pulsesPerCycle } };
  return { kind: "reading", at, value, counter: keyOf(channel), fedSince, perPulse: isCounted ? perPulse : null, ...wraps };
}

function keyOf({ nodeId, channel }: { nodeId: number; channel: number }): string {
  return `${nodeId}:${channel}`;
}
