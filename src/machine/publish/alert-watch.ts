import { recordId } from "../../core/record-id.ts";
import { alertKinds, OLD_SHORT_STOPS } from "../../db/values.ts";
import type { AlertSetUp } from "../../objects/set-up.ts";
import { type AlertFacts, type AlertRule, type AlertState, checkAlerts, noAlerts, type OpenAlert } from "../../oee/alerts.ts";
import { minOf } from "../../oee/extremes.ts";
import { settingsAt } from "../../oee/settings.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../oee/time.ts";
import { liveSince } from "../inputs/live-since.ts";
import { LedgerReader } from "../ledger/ledger-reader.ts";
import type { Configuration } from "../settings/configuration.ts";
import type { Head } from "../storage/ledger-rows.ts";
import type { MachineStorage } from "../storage/machine-storage.ts";
import { type ProjectionContext, putCondition } from "./projection.ts";
import type { ConditionRow } from "./published-rows.ts";

const SET_UP_KEY = "alert rules";
const KEY = "alerts";
const NONE: AlertSetUp = { rules: [], nodeId: 0 };

/** Rules about short stops look at the last hour; a little more is read than that. */
const LOOK_BACK_MS = 75 * MINUTE_MS;
/** The furthest look back: pieces that began earlier are treated as if they had begun then. */
const MOST_MS = 31 * DAY_MS;

/** Stores the rules. The next `watchAlerts` ends the alerts of rules that were changed or removed. */
export function saveAlertSetUp(storage: MachineStorage, setUp: AlertSetUp): void {
  storage.saveSetUp(SET_UP_KEY, setUp);
}

/** Whether an alert begins with the next sample, or is open and counts may end it (within a minute of running): they must not wait. */
export function awaitsCounts(storage: MachineStorage): boolean {
  const { open, awaitsSample } = stateOf(storage);
  if (awaitsSample) return true;
  return open.some((alert) => !("percent" in testOf(alert)));
}

/** When `watchAlerts` has to run again if nothing happens; null: never. */
export function alertsDueAt(storage: MachineStorage): number | null {
  return stateOf(storage).lookAt;
}

/**
 * Finds the rules that begin or cease to hold as of `now`, and puts their conditions into the projection. Runs inside a transaction,
 * after `computeChangedShifts`, so that each change is sent once, whenever the object stops.
 */
export function watchAlerts(storage: MachineStorage, configuration: Configuration, head: Head, now: number): void {
  const { rules, nodeId } = setUpOf(storage);
  const state = stateOf(storage);
  if (rules.length === 0 && state.open.length === 0) return;
  const { known = [], unknown = [] } = Object.groupBy(state.open, (alert) => (isKnown(testOf(alert)) ? "known" : "unknown"));
  const checked = checkAlerts(rules, factsOf(storage, configuration, head, state, rules, now), { ...state, open: known });
  const context = { storage, identity: configuration.identity, now };
  for (const alert of checked.ended) endCondition(context, alert);
  for (const alert of checked.begun) beginCondition(context, alert, nodeId);
  storage.saveValue(KEY, { ...checked.state, open: [...checked.state.open, ...unknown] } satisfies AlertState);
}

function setUpOf(storage: MachineStorage): Readonly<AlertSetUp> {
  const setUp = storage.setUp<AlertSetUp>(SET_UP_KEY) ?? NONE;
  const { rules, nodeId } = setUp.rules.some(({ test }) => isOldName(test.kind)) ? renamed(setUp) : setUp;
  return { nodeId, rules: rules.filter(({ test }) => isKnown(test)) };
}

/** False for a kind of a later version, which was rolled back: its rules are not evaluated, and its alerts stay as they are. */
function isKnown({ kind }: { kind: string }): boolean {
  return alertKinds.some((known) => known === kind);
}

/** The test that an alert was opened by. */
function testOf({ looksFor }: OpenAlert): { kind: string } {
  const [test] = JSON.parse(looksFor) as [{ kind: string }];
  return test;
}

function stateOf(storage: MachineStorage): Readonly<AlertState> {
  const state = storage.value<AlertState>(KEY) ?? noAlerts;
  return state.open.some(({ looksFor }) => isOldName(looksFor)) ? renamed(state) : state;
}

const isOldName = (stored: string) => stored.includes(OLD_SHORT_STOPS);
/** What an older version stored keeps its meaning, so that open alerts continue. */
const renamed = <T>(stored: T): T => JSON.parse(JSON.stringify(stored).replaceAll(OLD_SHORT_STOPS, "short_stops"));

function factsOf(
  storage: MachineStorage,
  configuration: Configuration,
  head: Head,
  state: AlertState,
  rules: readonly AlertRule[],
  now: number,
): AlertFacts {
  const { history, calendar } = configuration;
  const { signal } = head.ledger;
  const { commissionedAt, decommissionedAt } = settingsAt(history, now);
  const isInService = commissionedAt <= now && (decommissionedAt === null || now < decommissionedAt);
  const reader = new LedgerReader(storage, configuration, head, now);
  const shift = calendar.at(now);
  const sinces = state.open.map(({ episode }) => episode.since - HOUR_MS);
  const start = minOf([shift?.start ?? now, now - LOOK_BACK_MS, signal.sampleAt, ...sinces]);
  const window = { start: Math.max(start, now - MOST_MS, commissionedAt), end: reader.end };
  const pieces = isInService ? reader.marked(reader.pieces(window)) : [];
  const marks = new Map(storage.stops(window).map((stop) => [stop.start, stop.mark?.classification]));
  const isAboutShare = rules.some(({ test }) => "percent" in test);
  return {
    // Out of service, an alert that is open ended with the service, whenever this is found.
    now: Math.min(now, decommissionedAt ?? now),
    pieces: pieces.map((piece) => {
      const said = piece.stop ? marks.get(piece.start) : null;
      const causeIds = [said?.generalCauseId, said?.specificCauseId, said?.componentId].filter((id) => typeof id === "number");
      return { ...piece, causeIds };
    }),
    occurrences: calendar.between(Math.max(pieces[0]?.start ?? now, now - MOST_MS), now + 1),
    runsUntil: signal.mode === "running" ? now : signal.spellAt,
    heardUntil: signal.noDataAfterMs === null ? Number.POSITIVE_INFINITY : signal.sampleAt,
    stopAfterMs: signal.stopAfterMs,
    noDataAfterMs: signal.noDataAfterMs ?? 0,
    liveSince: liveSince(storage),
    samples: shift && isInService && isAboutShare ? [sampleOf(reader, shift, pieces, now)] : [],
  };
}

function sampleOf(
  reader: LedgerReader,
  shift: NonNullable<ReturnType<Configuration["calendar"]["at"]>>,
  pieces: Parameters<LedgerReader["record"]>[1],
  at: number,
): AlertFacts["samples"][number] {
  const { sums, made } = reader.record(shift, pieces);
  const hasStandard = made.standardCycleMs !== null || made.cyclesWithStandard > 0;
  return { at, shift, sums, made, hasStandard, openBucket: sums.openBucket };
}

function beginCondition(context: ProjectionContext, alert: OpenAlert, nodeId: number): void {
  const { storage, identity } = context;
  const { machineId, companyId } = identity;
  const { since, dueAt, value } = alert.episode;
  const stop = storage.stops({ start: since, end: since + 1 }).at(-1);
  const { generalCauseId = null, specificCauseId = null } = stop?.mark?.classification ?? {};
  putCondition(context, {
    id: conditionId(machineId, alert),
    ...{ companyId, ruleId: alert.ruleId, machineId, since, dueAt, until: null },
    subject: testOf(alert).kind === "no_data" ? `gateway:${nodeId}` : `machine:${machineId}`,
    facts: { value, stopId: stop ? recordId(machineId, stop.seq) : null, causeId: specificCauseId ?? generalCauseId },
    handledRevision: 0,
  });
}

function endCondition(context: ProjectionContext, alert: OpenAlert): void {
  const stored = context.storage.projection.get("condition", conditionId(context.identity.machineId, alert));
  if (stored) putCondition(context, { ...(JSON.parse(stored.body) as ConditionRow), until: alert.episode.until });
}

/** Contains the due time, because an object whose storage was lost numbers its alerts from 1 again. */
function conditionId(machineId: number, { number, episode }: OpenAlert): string {
  return `${machineId}-${number}-${episode.dueAt}`;
}
