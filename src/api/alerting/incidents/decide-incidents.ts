import type { Message, Recipients } from "../../../channels/plan-messages.ts";
import type { AlertParams } from "../../../channels/texts/kinds.ts";
import { nextUpdatedAt } from "../../../db/expect.ts";
import type { AlertLevel, EventType } from "../../../db/values.ts";
import type { NewEvent } from "../../../events/event.ts";
import { maxOf } from "../../../oee/extremes.ts";
import { isoOf, MINUTE_MS } from "../../../oee/time.ts";
import { gatewayOf, pairedGatewayOf } from "./incident.ts";
import type { IncidentRow, OpenIncident, Unhandled } from "./queries.ts";

/** The maximum number of machines that an event lists, which keeps its body below 20 KB. */
const MOST_MACHINES = 1000;

/** The input of `decideIncidents`. */
export interface IncidentInput {
  now: number;
  conditions: readonly Unhandled[];
  /** The incidents of the conditions' subjects, and those whose next level is due. */
  open: readonly OpenIncident[];
  /** Personas, each with the rules that notify it. */
  subscribers: readonly { id: string; alertIds: readonly string[] }[];
}

/** What to store and whom to notify. */
export interface Decided {
  handled: { id: string; incidentId: string | null }[];
  incidents: IncidentRow[];
  events: NewEvent[];
  messages: { to: Recipients; what: Message }[];
}

/** The members that incidents and conditions share: the content of notifications. */
type NotificationContent = Pick<
  OpenIncident,
  "ruleId" | "ruleName" | "kind" | "params" | "levels" | "texts" | "machineName" | "lineName" | "causeName"
>;

/**
 * Decides how conditions change incidents. Each rule and subject has at most one open incident, which ends with the last of its conditions. A
 * condition that ended before it was handled does not open one. The next level of an unacknowledged incident is notified when it is due.
 */
export function decideIncidents({ now, conditions, open, subscribers }: IncidentInput): Decided {
  const decided: Decided = { handled: [], incidents: [], events: [], messages: [] };
  const bySubject = new Map(open.map((incident) => [keyOf(incident), incident]));
  const groups = Map.groupBy(conditions, keyOf);
  for (const [key, group] of groups) {
    const holds = group.filter(({ until, isRuleActive }) => until === null && isRuleActive);
    const incident = bySubject.get(key);
    const [first] = holds;
    const id = incident?.id ?? (first ? crypto.randomUUID() : null);
    for (const one of group) decided.handled.push({ id: one.id, incidentId: one.incidentId ?? id });
    if (incident && holds.length === 0 && incident.holding === 0) {
      const until = maxOf(group.map((one) => one.until ?? now));
      resolve(decided, incident, until, now);
      bySubject.delete(key);
    } else if (!incident && first && id !== null) {
      openIncident(decided, first, holds, id, subscribers, now);
    }
  }
  for (const incident of bySubject.values()) {
    if (incident.nextLevelAt !== null && incident.nextLevelAt <= now) escalate(decided, incident, now);
  }
  return decided;
}

function keyOf({ ruleId, subject }: { ruleId: string; subject: string }): string {
  return `${ruleId} ${subject}`;
}

/** @param holds all conditions that the incident opens with, starting with `condition` */
function openIncident(
  decided: Decided,
  condition: Unhandled,
  holds: readonly Unhandled[],
  id: string,
  subscribers: IncidentInput["subscribers"],
  now: number,
): void {
  const { companyId, ruleId, subject, machineId, since, facts, levels } = condition;
  const own = subscribers.filter(({ alertIds }) => alertIds.includes(ruleId)).map((persona) => persona.id);
  const notified = {
    personaIds: distinct([...(levels[0]?.personaIds ?? []), ...own]),
    chatRoomIds: levels[0]?.chatRoomIds ?? [],
  };
  const incident: IncidentRow = {
    ...{ id, companyId, ruleId, subject, machineId, since, openedAt: now, level: 1 },
    nextLevelAt: dueAt(levels[1], now),
    ...{ acknowledgedAt: null, acknowledgedBy: null, resolvedAt: null, facts, notified, createdAt: now, updatedAt: now },
  };
  decided.incidents.push(incident);
  const machineIds = holds.flatMap((one) => one.machineId ?? []);
  decided.events.push(alertEvent("alert.opened", incident, condition, machineIds, now));
  const params = paramsOf(incident, condition, now);
  decided.messages.push({ to: notified, what: { kind: "alert_opened", params, incidentId: id, key: `${id}:opened` } });
}

function escalate(decided: Decided, open: OpenIncident, now: number): void {
  const level = open.levels[open.level];
  if (!level) {
    decided.incidents.push({ ...open, nextLevelAt: null, updatedAt: nextUpdatedAt(open, now) });
    return;
  }
  const notified = {
    personaIds: distinct([...open.notified.personaIds, ...level.personaIds]),
    chatRoomIds: distinct([...open.notified.chatRoomIds, ...level.chatRoomIds]),
  };
  const nextLevelAt = dueAt(open.levels[open.level + 1], open.openedAt);
  const incident = { ...open, level: open.level + 1, nextLevelAt, notified, updatedAt: nextUpdatedAt(open, now) };
  decided.incidents.push(incident);
  decided.events.push(alertEvent("alert.escalated", incident, open, machinesOf(open), now));
  const params = paramsOf(incident, open, now);
  const key = `${open.id}:level ${incident.level}`;
  decided.messages.push({ to: level, what: { kind: "alert_escalated", params, incidentId: open.id, key } });
}

function resolve(decided: Decided, open: OpenIncident, until: number, now: number): void {
  const incident = { ...open, nextLevelAt: null, resolvedAt: now, updatedAt: nextUpdatedAt(open, now) };
  decided.incidents.push(incident);
  const event = alertEvent("alert.resolved", incident, open, machinesOf(open), now);
  decided.events.push({ ...event, data: { ...event.data, until: isoOf(until) } });
  const params = paramsOf(incident, open, until);
  const key = `${open.id}:resolved`;
  decided.messages.push({ to: open.notified, what: { kind: "alert_resolved", params, incidentId: open.id, key } });
}

function dueAt(level: AlertLevel | undefined, openedAt: number): number | null {
  return level ? openedAt + level.afterMinutes * MINUTE_MS : null;
}

function distinct<Id>(ids: readonly Id[]): Id[] {
  return [...new Set(ids)];
}

/** The machines of an incident's conditions. */
export function machinesOf({ conditions }: Pick<OpenIncident, "conditions">): number[] {
  return conditions.map(([machineId]) => machineId);
}

/** The event of a change of an incident. An incident has one event of each type, except one per level for levels. Names are added on storing. */
export function alertEvent(
  type: Extract<EventType, `alert.${string}`>,
  incident: IncidentRow,
  { kind }: Pick<NotificationContent, "kind">,
  machineIds: readonly number[],
  at: number,
): NewEvent {
  const { id, companyId, subject, machineId, ruleId, since, level, facts } = incident;
  const all = distinct(machineIds);
  const names = { ruleName: null, machineName: null, lineId: null, lineName: null };
  const data = {
    ...{ incidentId: id, ruleId, kind, machineId, ...names, since: isoOf(since), level, facts },
    ...{ nodeId: gatewayOf(subject), machineIds: all.slice(0, MOST_MACHINES), machineCount: all.length },
  };
  return { id: `${type}:${id}${type === "alert.escalated" ? `:${level}` : ""}`, companyId, machineId, type, at, data };
}

/** The parameters of an incident's messages as of an instant. */
function paramsOf(incident: IncidentRow, about: NotificationContent, at: number): AlertParams {
  const { ruleName, kind, params, texts, machineName, lineName, causeName } = about;
  const { id, subject, since, facts } = incident;
  const number = (value: unknown) => (typeof value === "number" ? value : null);
  const lasted = Math.max(0, Math.floor((at - since) / MINUTE_MS));
  return {
    ...{ ruleName, kind, machineName, lineName, incidentId: id, since, custom: texts },
    minutes: kind === "order_late" ? number(facts.minutes) : lasted,
    nodeId: gatewayOf(subject),
    gatewayName: pairedGatewayOf(facts)?.name ?? null,
    cause: causeName,
    message: typeof facts.message === "string" ? facts.message : null,
    value: number(facts.value),
    threshold: number(params.percent) ?? number(params.count) ?? number(params.minutes) ?? number(params.seconds),
  };
}
