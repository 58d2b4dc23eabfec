import type { Caller } from "../../../core/caller.ts";
import { aboutCompany, readWithIds } from "../../../core/named-ids.ts";
import { invalid } from "../../../core/problem.ts";
import { OBJECT_MS, OBJECTS_AT_ONCE, within } from "../../../limits/load.ts";
import { hubOf } from "../../../objects/hubs.ts";
import type { SentEventsPage } from "../../../objects/machine-protocol.ts";
import { callMachines } from "../../../objects/machines.ts";
import { type HeardSignal, RECENT_COUNTS } from "../../../objects/signals.ts";
import { append } from "../../../oee/extremes.ts";
import { isoOf, MINUTE_MS } from "../../../oee/time.ts";
import { FUTURE_LIMIT_MS } from "../event.ts";
import { type FedChannel, selectChannelsOf, selectFedOf, selectIgnored, selectTokenNames } from "./queries.ts";
import { type CountedLately, countedSignal, refusedSignal, silentSignal } from "./signal.ts";

/** What machines stored in this time is shown. */
const LATELY_MS = 2 * MINUTE_MS;
/** The most events of a machine that are read for it. */
const MOST_EVENTS = 1000;
/** A machine that takes longer to answer is shown without counts. */
const ANSWER_WITHIN_MS = 3000;
/** The most machines whose signals are shown. */
export const MOST_MACHINES = OBJECTS_AT_ONCE;

interface SignalsQuery {
  companyId?: number | undefined;
  machineIds?: readonly number[] | undefined;
  /** Whether the channels are listed that are ignored, and no others. */
  ignored?: boolean | undefined;
}

/** What arrived for a company lately: what is refused or unknown from its hub, and what is counted from the machines. */
export async function listSignals({ env, db, actor, objects }: Caller, query: SignalsQuery) {
  const { machineIds } = query;
  if (machineIds && machineIds.length > MOST_MACHINES) {
    const message = `must be at most ${MOST_MACHINES} machines, with those of machineRefs`;
    throw invalid([{ pointer: "/query/machineIds", code: "custom", message }]);
  }
  const about = aboutCompany(actor, query, { machineIds });
  const { companyId } = about;
  const found = await within(OBJECT_MS, "the hub", hubOf(env, companyId).signals(query.ignored));
  const [own, fed, tokens, [company]] = await readWithIds(db, about, [
    selectChannelsOf(db, companyId, machineIds, query.ignored ? 0 : MOST_MACHINES),
    selectFedOf(db, companyId, found),
    selectTokenNames(db, companyId, [...new Set(found.flatMap(({ source }) => tokenIdOf(source) ?? []))]),
    selectIgnored(db, companyId),
  ]);
  const ignored = new Map((company?.ignored ?? []).map((one) => [keyOf(one), one]));
  const isIgnored = (one: HeardSignal) => one.code === "unknown_channel" && ignored.has(keyOf(one));
  const now = Date.now();
  const names = new Map(tokens.map((token) => [token.id, token]));
  const fedBy = new Map(fed.map((one) => [keyOf(one), one]));
  const refused = (one: HeardSignal) => refusedSignal(one, fedBy.get(keyOf(one)), names.get(tokenIdOf(one.source) ?? 0));
  if (query.ignored) {
    const heard = Map.groupBy(found.filter(isIgnored), keyOf);
    const signals = [...ignored].toReversed().flatMap(([key, one]) => {
      return heard.get(key)?.map((signal) => ({ ...refused(signal), status: "ignored" as const })) ?? [silentSignal(one)];
    });
    return { asOf: isoOf(now), ignored: ignored.size, signals };
  }
  // The hub may not know yet what was ignored a moment ago.
  const heard = found.filter((one) => !isIgnored(one));
  const asked = { start: now - LATELY_MS, end: now + FUTURE_LIMIT_MS, after: null, limit: MOST_EVENTS, countTo: 0 };
  const machines = new Set(own.map(({ machineId }) => machineId));
  const pages = await callMachines(env, machines, ANSWER_WITHIN_MS, (machine) => machine.sentEvents(asked), objects);
  const counted = countedBy(pages);
  return {
    asOf: isoOf(now),
    ignored: ignored.size,
    signals: [
      ...heard.filter((one) => !isOver(one, fedBy)).map(refused),
      ...own.map((one) => countedSignal(one, counted.get(`${one.machineId} ${keyOf(one)}`) ?? null)),
    ],
  };
}

/** Whether the channel of an unknown signal feeds a machine by now, which has all of its counts. */
function isOver(heard: HeardSignal, fedBy: ReadonlyMap<string, FedChannel>): boolean {
  return heard.code === "unknown_channel" && heard.kept === null && fedBy.has(keyOf(heard));
}

function tokenIdOf(source: HeardSignal["source"]): number | null {
  const [kind, id] = source.split(":");
  return kind === "gateway" ? Number(id) : null;
}

function keyOf({ nodeId, channel }: { nodeId: number; channel: number }): string {
  return `${nodeId} ${channel}`;
}

/** The latest counts of each channel of each machine. */
function countedBy(pages: ReadonlyMap<number, SentEventsPage>): Map<string, CountedLately> {
  const counted = new Map<string, CountedLately>();
  for (const [machineId, { items }] of pages) {
    for (const item of items) {
      if (!("event" in item)) continue;
      const { event, receivedAt } = item.event;
      if (event.kind !== "pulses" && event.kind !== "total") continue;
      const key = `${machineId} ${keyOf(event)}`;
      const arrivedAt = receivedAt ?? event.at;
      const known = counted.get(key) ?? { firstAt: arrivedAt, lastAt: arrivedAt, sentAt: event.at, events: 0, recent: [] };
      append(known.recent, [event.at]);
      counted.set(key, {
        firstAt: Math.min(known.firstAt, arrivedAt),
        lastAt: Math.max(known.lastAt, arrivedAt),
        sentAt: event.at,
        events: known.events + 1,
        recent: known.recent.slice(-RECENT_COUNTS),
      });
    }
  }
  return counted;
}
