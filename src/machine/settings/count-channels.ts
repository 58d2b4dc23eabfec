import type { EventResult, IncomingEvent, Pulses } from "../../objects/machine-protocol.ts";
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
import type { MachineStorage } from "../storage/machine-storage.ts";

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

/** The result of pulses of another machine, which are not stored: the sender used an outdated map of the channels. */
export const otherMachine = {
  code: "other_machine",
  message: "The channel does not feed this machine at that time.",
} satisfies EventResult;

const KEY = "channels";

export function storedChannels(storage: MachineStorage): Channels {
  return new Channels(storage.setUp<Channel[]>(KEY) ?? []);
}

export function saveChannels(storage: MachineStorage, channels: readonly Channel[]): void {
  storage.saveSetUp(KEY, channels);
}

/** The history of a machine's channels. A count is interpreted by the channels in force at its own time. */
export class Channels {
  readonly #periods: Map<string, Period[]>;

  constructor(channels: readonly Channel[]) {
    this.#periods = Map.groupBy(periodsOf(channels), ({ channel }) => keyOf(channel));
  }

  /** Whether the channel of these pulses fed the machine at their time. */
  has(pulses: Pulses): boolean {
    return this.#period(pulses) !== undefined;
  }

  /**
   * Converts pulses to an event. Null if their channel did not feed the machine at their time.
   * `isDisabled`: they do not count. Of a reading, only what it counts can show that.
   */
  read(pulses: Pulses): { incoming: IncomingEvent; isDisabled: boolean } | null {
    const period = this.#period(pulses);
    if (!period) return null;
    const { id, at, since, nodeId, channel, value, reading } = pulses;
    const { isCounted } = period.channel;
    const [content, event] =
      reading === undefined
        ? [`count ${nodeId} ${channel} ${value}`, countIn(period, at, value ?? 0)]
        : [`reading ${nodeId} ${channel} ${reading}`, readingIn(period, at, reading)];
    const source = { nodeId, channel, fedSince: period.fedSince, pulses: value ?? null };
    const incoming =
      since === undefined
        ? { id, content, event, source }
        : { id, content: `${content} since ${since}`, event: { ...event, since }, source };
    return { incoming, isDisabled: !isCounted && (value ?? 0) > 0 };
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

  #period(pulses: Pulses): Period | undefined {
    const { at } = pulses;
    return this.#periods.get(keyOf(pulses))?.find(({ since, until }) => since <= at && at < until);
  }
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
