import { oneCompanyOf } from "../../../core/actor.ts";
import type { Caller } from "../../../core/caller.ts";
import { gatewayOf } from "../../../core/gateway-of.ts";
import { invalid } from "../../../core/problem.ts";
import { gatewayAlertKinds } from "../../../db/values.ts";
import { type AlertRule, type AlertTest, findEpisodes } from "../../../oee/alerts.ts";
import { maxOf } from "../../../oee/extremes.ts";
import { MAX_SHIFT_MS } from "../../../oee/shifts.ts";
import { DAY_MS, isoOf } from "../../../oee/time.ts";
import { asOwner } from "../../../resource/queries.ts";
import { factsOf } from "./past.ts";
import {
  type AlertRuleRow,
  type PastMachine,
  type PastRange,
  selectGateways,
  selectPastCalls,
  selectPastMachines,
  selectPastParts,
  selectPastRecords,
  selectPastStops,
} from "./queries.ts";
import { readRule, type SentAlertRule, storeAlertRule } from "./rules.ts";

export const MOST_DAYS = 31;
const USUAL_DAYS = 7;
/** The maximum number of machines, and of rows of each kind, that are read. */
const MOST_MACHINES = 500;
const MOST_ROWS = 20_000;
/** The maximum number of incidents that are listed; all are counted. */
const MOST_LISTED = 1000;

/** A rule to try, with the members for its creation. */
export interface Trial {
  rule: SentAlertRule & Pick<AlertRuleRow, "name">;
  companyId?: number | undefined;
  from?: number | undefined;
  to?: number | undefined;
}

interface PastIncident {
  machineIds: number[];
  since: number;
  openedAt: number;
  resolvedAt: number | null;
  value: number | null;
}

/**
 * The incidents that a rule would have opened in a time range, based on the present ledger: late signals and edits since then are included.
 * Writes nothing.
 * @throws Problem 400 for a rule that could not be created, for a kind without history, and for more data than the limits allow
 */
export async function tryRule(caller: Caller, { rule, companyId: named, from, to }: Trial) {
  const { actor, db } = caller;
  const companyId = oneCompanyOf(actor, named);
  const now = Date.now();
  const end = Math.min(to ?? now, now);
  const start = from ?? end - USUAL_DAYS * DAY_MS;
  if (start >= end) throw invalid([{ pointer: "/from", code: "invalid_range", message: "must be before `to` and in the past" }]);
  if (end - start > MOST_DAYS * DAY_MS) {
    throw invalid([{ pointer: "/from", code: "range_too_long", message: `must be at most ${MOST_DAYS} days before \`to\`` }]);
  }
  const { kind } = rule.when ?? {};
  if (kind === "order_late") {
    const message = "cannot be tried: what was expected of orders in the past is not kept";
    throw invalid([{ pointer: "/rule/when/kind", code: "not_supported", message }]);
  }
  if (kind && gatewayAlertKinds.includes(kind)) {
    const message = "cannot be tried: what gateways reported in the past is not kept";
    throw invalid([{ pointer: "/rule/when/kind", code: "not_supported", message }]);
  }
  const owner = asOwner(companyId);
  const [machines, ...found] = await db.batch([
    selectPastMachines(db, owner, rule, MOST_MACHINES),
    ...readRule(db, { sent: rule as never, owner, viewer: caller, id: undefined }),
  ]);
  const next = { ...rule, id: "", companyId, createdAt: now, updatedAt: now, deletedAt: null } as unknown as AlertRuleRow;
  await decideOnRule(() => storeAlertRule.decide({ db, actor, sent: rule as never, before: null, next }, found as never));
  refuseMore("machines", machines.length, MOST_MACHINES);
  const range = { machineIds: machines.map(({ id }) => id), start: start - MAX_SHIFT_MS, end };
  const incidents =
    kind === "help" ? await pastCalls(caller, companyId, range, start) : await pastIncidents(caller, rule, machines, range);
  const data = incidents.filter(({ openedAt }) => openedAt >= start && openedAt < end).sort((a, b) => a.openedAt - b.openedAt);
  const names = new Map(machines.map(({ id, name }) => [id, name]));
  return {
    from: isoOf(start),
    to: isoOf(end),
    count: data.length,
    data: data.slice(0, MOST_LISTED).map((one) => ({
      machines: one.machineIds.map((id) => ({ name: names.get(id) ?? "", id })),
      since: isoOf(one.since),
      openedAt: isoOf(one.openedAt),
      resolvedAt: isoOf(one.resolvedAt),
      value: one.value === null ? null : Math.round(one.value * 100) / 100,
    })),
  };
}

/** Makes the faults of a rule point to its place in the request, where the rule is a member. */
async function decideOnRule(decide: () => unknown): Promise<void> {
  try {
    await decide();
  } catch (error) {
    throw withinMember(error, "/rule");
  }
}

function withinMember(error: unknown, member: string): unknown {
  const { extras } = error as { extras?: { errors?: Parameters<typeof invalid>[0] } };
  if (!extras?.errors) return error;
  return invalid(extras.errors.map((fault) => ({ ...fault, pointer: member + fault.pointer })));
}

function refuseMore(what: string, count: number, most: number): void {
  if (count <= most) return;
  const message = `there are more than ${most} ${what} to look at: name fewer machines, or a shorter time`;
  throw invalid([{ pointer: "/from", code: "too_many", message }]);
}

async function pastIncidents(
  { db }: Caller,
  { when, shiftIds = null }: SentAlertRule,
  machines: readonly PastMachine[],
  range: PastRange,
): Promise<PastIncident[]> {
  const test = when as AlertTest;
  const rule: AlertRule = { id: "", test, shiftIds };
  const needsParts = "percent" in test;
  const [records, stops, gateways, parts = []] = await db.batch([
    selectPastRecords(db, range, MOST_ROWS),
    selectPastStops(db, range, MOST_ROWS),
    selectGateways(db, range.machineIds),
    ...(needsParts ? [selectPastParts(db, range, MOST_ROWS)] : []),
  ]);
  for (const rows of [records, stops, parts]) refuseMore("rows of shifts and stops", rows.length, MOST_ROWS);
  const [recordsOf, stopsOf, partsOf] = [byMachine(records), byMachine(stops), byMachine(parts)];
  const channelsOf = byMachine(gateways);
  const found = machines.flatMap((machine) => {
    const { id } = machine;
    const past = { machine, records: recordsOf.get(id) ?? [], stops: stopsOf.get(id) ?? [], parts: partsOf.get(id) ?? [] };
    const { episodes } = findEpisodes(rule, factsOf(past, range.end));
    const gateway = gatewayOf(machine.nodeId, channelsOf.get(id) ?? []);
    return episodes.map(({ since, dueAt, until, value }) => {
      return { gateway, machineIds: [id], since, openedAt: dueAt, resolvedAt: until, value };
    });
  });
  return test.kind === "no_data" ? folded(found) : found;
}

/** Joins the incidents of machines that are silent at the same time and have the same gateway. */
function folded(found: readonly (PastIncident & { gateway: number })[]): PastIncident[] {
  const byGateway = Map.groupBy(found, ({ gateway }) => gateway);
  return [...byGateway.values()].flatMap((ofGateway) => {
    const incidents: PastIncident[] = [];
    for (const one of ofGateway.toSorted((a, b) => a.openedAt - b.openedAt)) {
      const last = incidents.at(-1);
      if (last && (last.resolvedAt === null || one.openedAt < last.resolvedAt)) {
        last.machineIds = [...new Set([...last.machineIds, ...one.machineIds])];
        const ends = [last.resolvedAt, one.resolvedAt];
        last.resolvedAt = ends.includes(null) ? null : maxOf(ends.map(Number));
      } else incidents.push({ ...one });
    }
    return incidents;
  });
}

async function pastCalls({ db }: Caller, companyId: number, range: PastRange, start: number): Promise<PastIncident[]> {
  const calls = await selectPastCalls(db, companyId, { ...range, start }, MOST_ROWS);
  refuseMore("calls for help", calls.length, MOST_ROWS);
  return calls.map(({ machineId, createdAt, answeredAt }) => {
    return { machineIds: [machineId], since: createdAt, openedAt: createdAt, resolvedAt: answeredAt, value: null };
  });
}

function byMachine<T extends { machineId: number }>(rows: readonly T[]): Map<number, T[]> {
  return Map.groupBy(rows, ({ machineId }) => machineId);
}
