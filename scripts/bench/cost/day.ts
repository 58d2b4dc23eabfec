import { tokenHashOf } from "../../../src/core/bearer-token.ts";
import { hashPassword } from "../../../src/core/password.ts";
import * as schema from "../../../src/db/schema.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../src/oee/time.ts";
import { seededRandom } from "../../random.ts";
import { insertSql } from "../../sql.ts";

/** The signals of a scenario's machines. */
export type MachineKind = "10-s counts" | "10-s counts, an operator" | "60-s counts" | "states only" | "idle" | "an outage";

/** A plant and its events, from its first minute to the end of the counted time. */
export interface Scenario {
  kind: MachineKind;
  machines: number;
  /** Whether a wall watches, and a report is requested every minute. */
  isWatched: boolean;
  /** The length of the counted time, from six in the morning, when a shift begins. */
  hours: number;
}

/** The input of the simulator, as described in simulator.js. Times are epoch ms. */
export interface Plan {
  start: number;
  countFrom: number;
  end: number;
  machineIds: number[];
  asker: { email: string; password: string } | null;
  watches: boolean;
  requests: PlannedRequest[];
}

interface PlannedRequest {
  at: number;
  origin: "ingest" | "reader";
  method: "GET" | "POST";
  path: string;
  /** Null: that of the signed-in user. */
  token: string | null;
  body: string | null;
}

type SentEvent = Record<string, unknown> & { at: string };

const asker = { email: "asker@bench.test", password: "a password of the bench" };
const gatewayToken = "andon_gw_of_the_bench";
const companyId = 1;
const skuId = "CAP-28";
const WEEK = [1, 2, 3, 4, 5, 6, 7];

/** A Monday in the past, so that no socket seems to have been silent since then. */
const COUNT_FROM = Date.UTC(2026, 2, 2, 6);
const SHIFT_MS = 8 * HOUR_MS;
/** The earlier history: as long as events are kept, so that old ones are forgotten for new ones. It arrives before the counted time. */
const HISTORY_MS = 7 * SHIFT_MS;
const WARM_UP_MS = 20 * MINUTE_MS;
const EVENTS_PER_REQUEST = 1000;

const STOPS_A_SHIFT = 10;
const STATE_CHANGES_A_SHIFT = 40;
/** From the shift's start. Counts from the outage arrive afterwards, behind newer ones. */
const OUTAGE = { since: 3 * HOUR_MS, until: 5 * HOUR_MS, eventsPerRequest: 100 };

export function machineIdsOf({ machines }: Scenario): number[] {
  return Array.from({ length: machines }, (_, i) => i + 1);
}

/** The set-up: three shifts with two breaks each, a SKU with a standard, 120 s to a stop, 300 s to no data. */
export async function setUpSql(scenario: Scenario): Promise<string> {
  const createdAt = COUNT_FROM - HISTORY_MS;
  const stamps = { createdAt, updatedAt: createdAt };
  const named = (id: number, name: string) => ({ id, companyId, name, ...stamps });
  const isStates = scenario.kind === "states only";
  const ids = machineIdsOf(scenario);
  const hour = (n: number) => `${String(n % 24).padStart(2, "0")}:00`;
  const half = (n: number) => `${String(n % 24).padStart(2, "0")}:30`;
  const shift = (id: number, from: number) => ({
    ...named(id, `Shift ${id}`),
    ...{ start: hour(from), end: hour(from + 8), days: WEEK },
    breaks: [
      { name: "Break", start: hour(from + 2), end: half(from + 2), isIncludedInAvailability: false },
      { name: "Lunch", start: hour(from + 5), end: half(from + 5), isIncludedInAvailability: false },
    ],
  });
  return [
    insertSql(schema.companies, [{ id: companyId, name: "Plant", timezone: "UTC", ...stamps }]),
    insertSql(schema.users, [
      {
        ...named(1, "Asker"),
        ...{ email: asker.email, passwordHash: await hashPassword(asker.password), role: "admin" as const },
      },
    ]),
    insertSql(schema.gatewayTokens, [{ id: 1, companyId, name: "Gateway", tokenHash: tokenHashOf(gatewayToken), createdAt }]),
    insertSql(schema.shifts, [shift(1, 6), shift(2, 14), shift(3, 22)]),
    insertSql(schema.skus, [{ companyId, id: skuId, name: "Cap", ...stamps }]),
    insertSql(schema.skuStandards, [{ companyId, skuId, standardCycleSeconds: 10 }]),
    insertSql(
      schema.operators,
      ids.map((id) => ({ ...named(id, `Operator ${id}`), code: `O-${id}` })),
    ),
    insertSql(
      schema.machines,
      ids.map((id) => ({
        ...named(id, `Machine ${id}`),
        ...{ ref: `M-${id}`, nodeId: 1, signal: isStates ? ("states" as const) : ("counts" as const) },
        ...{ stopAfterSeconds: 120, noDataAfterSeconds: isStates ? null : 300, standardCycleSeconds: 10 },
        commissionedAt: COUNT_FROM - HISTORY_MS,
      })),
    ),
    insertSql(
      schema.countSensors,
      ids.map((machineId) => ({ machineId, isCountEnabled: true, updatedAt: createdAt })),
    ),
    insertSql(
      schema.countChannels,
      ids.map((machineId) => ({
        ...{ companyId, nodeId: 1, channel: machineId, machineId, type: "total" as const, countingFactor: 1 },
      })),
    ),
  ].join("");
}

/** The events and requests. Each machine stops ten times a shift, and in every break. */
export function planOf(scenario: Scenario): Plan {
  const start = COUNT_FROM - WARM_UP_MS;
  const end = COUNT_FROM + scenario.hours * HOUR_MS;
  const requests = [...history(scenario, start), ...sent(scenario, start, end), ...(scenario.isWatched ? asked(end) : [])];
  return {
    ...{ start, countFrom: COUNT_FROM, end },
    machineIds: machineIdsOf(scenario),
    asker: scenario.isWatched ? asker : null,
    watches: scenario.isWatched,
    requests: requests.sort((a, b) => a.at - b.at),
  };
}

/** The units that the machines of a plan produce. */
export function unitsOf({ requests }: Plan): number {
  const events = requests.flatMap(({ body }) =>
    body === null ? [] : (JSON.parse(body) as { events: { value?: number }[] }).events,
  );
  return events.reduce((sum, { value = 0 }) => sum + value, 0);
}

/** The most used reports, one a minute. */
function asked(end: number): PlannedRequest[] {
  const iso = (at: number) => new Date(at).toISOString();
  const shiftStart = (at: number) => Math.floor((at - COUNT_FROM) / SHIFT_MS) * SHIFT_MS + COUNT_FROM;
  const running = (at: number) => `from=${iso(shiftStart(at))}&to=${iso(at)}`;
  const reports = [
    (at: number) => `/v1/summary?groupBy=machine&${running(at)}`,
    (at: number) => `/v1/production?interval=hour&${running(at)}`,
    () => "/v1/shift-records",
    () => "/v1/stop-records",
  ];
  const minutes = Math.floor((end - COUNT_FROM) / MINUTE_MS);
  return Array.from({ length: minutes }, (_, i) => {
    // Not at the same instant as the gateway's requests.
    const at = COUNT_FROM + i * MINUTE_MS + 33_333;
    return {
      at,
      origin: "reader" as const,
      method: "GET" as const,
      path: reports[i % reports.length]?.(at) ?? "",
      token: null,
      body: null,
    };
  }).filter(({ at }) => at < end);
}

/** The gateway's earlier events, in few requests. */
function history(scenario: Scenario, start: number): PlannedRequest[] {
  const events = machineIdsOf(scenario)
    .flatMap((machineId) => eventsOf(scenario.kind, machineId, COUNT_FROM - HISTORY_MS, start))
    .sort((a, b) => a.at - b.at)
    .map(({ at, event }) => ({ at: new Date(at).toISOString(), ...event }));
  const requests = Math.ceil(events.length / EVENTS_PER_REQUEST);
  return Array.from({ length: requests }, (_, i) =>
    ingest(start, events.slice(i * EVENTS_PER_REQUEST, (i + 1) * EVENTS_PER_REQUEST)),
  );
}

function ingest(at: number, events: SentEvent[]): PlannedRequest {
  return { at, origin: "ingest", method: "POST", path: "/v1/ingest", token: gatewayToken, body: JSON.stringify({ events }) };
}

/** The gateway's events: those of all machines at one time in one request. */
function sent(scenario: Scenario, start: number, end: number): PlannedRequest[] {
  const byTime = new Map<number, SentEvent[]>();
  const late = new Map<number, SentEvent[]>();
  for (const machineId of machineIdsOf(scenario)) {
    for (const { at, event } of eventsOf(scenario.kind, machineId, start, end)) {
      const isHeldBack = scenario.kind === "an outage" && isInOutage(at);
      const into = isHeldBack ? late : byTime;
      into.set(at, [...(into.get(at) ?? []), { at: new Date(at).toISOString(), ...event }]);
    }
  }
  const backlog = [...late.values()].flat();
  const { until, eventsPerRequest } = OUTAGE;
  const after = Array.from({ length: Math.ceil(backlog.length / eventsPerRequest) }, (_, i) =>
    ingest(COUNT_FROM + until + i * 10 * SECOND_MS + 5000, backlog.slice(i * eventsPerRequest, (i + 1) * eventsPerRequest)),
  );
  return [...[...byTime].map(([at, events]) => ingest(at, events)), ...after];
}

function isInOutage(at: number): boolean {
  return at >= COUNT_FROM + OUTAGE.since && at < COUNT_FROM + OUTAGE.until;
}

type Timed = { at: number; event: Record<string, unknown> };

function eventsOf(kind: MachineKind, machineId: number, start: number, end: number): Timed[] {
  const stops = stopsOf(machineId, start, end);
  const shiftStarts = Array.from({ length: 12 }, (_, i) => COUNT_FROM + (i - 7) * SHIFT_MS).filter(
    (at) => start <= at && at < end,
  );
  const inWork = shiftStarts.map((at) => ({ at, event: { type: "sku", machineId, skuId } }));
  if (kind === "idle") return inWork.filter(({ at }) => at === COUNT_FROM - HISTORY_MS);
  if (kind === "states only") return [...inWork, ...stateChanges(machineId, start, end)];
  const stepMs = kind === "60-s counts" ? MINUTE_MS : 10 * SECOND_MS;
  const perStep = stepMs / (10 * SECOND_MS);
  const counts = Array.from({ length: Math.ceil((end - start) / stepMs) }, (_, i) => {
    const at = start + i * stepMs;
    const isStopped = stops.some((stop) => stop.start <= at && at < stop.end);
    return { at, event: { type: "count", nodeId: 1, channel: machineId, value: isStopped ? 0 : perStep } };
  });
  const signIns = shiftStarts.map((at) => ({
    at: at + MINUTE_MS,
    event: { type: "operator", machineId, operatorId: machineId, action: "in" },
  }));
  return [...inWork, ...counts, ...(kind === "10-s counts, an operator" ? signIns : [])];
}

/** Ten stops of three to six minutes in each shift, and its breaks. */
function stopsOf(machineId: number, start: number, end: number): { start: number; end: number }[] {
  const draw = seededRandom(machineId);
  const stops: { start: number; end: number }[] = [];
  for (let shift = COUNT_FROM - HISTORY_MS; shift < end; shift += SHIFT_MS) {
    for (const hours of [2, 5]) {
      stops.push({ start: shift + hours * HOUR_MS, end: shift + (hours + 0.5) * HOUR_MS });
    }
    for (let n = 0; n < STOPS_A_SHIFT; n++) {
      const at = shift + ((n + draw()) / STOPS_A_SHIFT) * SHIFT_MS;
      stops.push({ start: at, end: at + (3 + 3 * draw()) * MINUTE_MS });
    }
  }
  return stops.filter((stop) => stop.end > start && stop.start < end);
}

function stateChanges(machineId: number, start: number, end: number): Timed[] {
  const draw = seededRandom(machineId);
  const changes: Timed[] = [];
  for (let at = start, n = 0; at < end; n++) {
    const state = n % 2 === 0 ? "running" : (["idle", "down", "setup"][n % 3] ?? "idle");
    changes.push({ at: Math.round(at), event: { type: "state", machineId, state } });
    at += (SHIFT_MS / STATE_CHANGES_A_SHIFT) * (0.5 + draw());
  }
  return changes;
}
