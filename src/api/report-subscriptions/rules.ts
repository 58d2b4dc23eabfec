import type { Fault } from "../../core/problem.ts";
import { areThere } from "../../core/references.ts";
import { selectOwned } from "../../resource/queries.ts";
import { type RuleContext, type RuleInput, refuse, rule, unknownIds } from "../../resource/rules.ts";
import { selectPersonasOf } from "../alerting/personas/queries.ts";
import { lineTable } from "../plant/lines/queries.ts";
import { machineTable } from "../plant/machines/queries.ts";
import { shiftTable } from "../plant/shifts/queries.ts";
import { webhookSubscriptionTable } from "../webhooks/queries.ts";
import { hasLeft } from "./leave-report.ts";
import { type ReportSubscriptionRow, selectTimezone } from "./queries.ts";
import { nextRunAfter } from "./run-times.ts";

/** Members that refer to other objects of the company. */
const lists = [
  ["machineIds", "machine"],
  ["lineIds", "line"],
  ["shiftIds", "shift"],
  ["personaIds", "persona"],
  ["webhookSubscriptionIds", "webhook subscription"],
] as const;

export const storeReportSubscription = rule(
  (db, { sent, owner }: RuleContext<Partial<ReportSubscriptionRow>>) => [
    selectTimezone(db, owner),
    selectOwned(db, machineTable, owner, sent.machineIds ?? []),
    selectOwned(db, lineTable, owner, sent.lineIds ?? []),
    selectOwned(db, shiftTable, owner, sent.shiftIds ?? []),
    selectPersonasOf(db, owner, sent.personaIds ?? []),
    selectOwned(db, webhookSubscriptionTable, owner, sent.webhookSubscriptionIds ?? []),
  ],
  ({ before, next }: RuleInput<ReportSubscriptionRow>, [company], ...found) => {
    const unknown = lists.flatMap(([member, noun], i) => {
      // Ids of objects that have been deleted since may stay in the list: they have no effect.
      const known = [...(before?.[member] ?? []).map((id) => ({ id })), ...(found[i] ?? [])];
      return unknownIds<number | string>(
        next[member] ?? [],
        known,
        (at) => `/${member}/${at}`,
        `is not a ${noun} of this company`,
      );
    });
    // Without a value in a new row.
    const left = next.leftAddresses ?? [];
    const notLeft = unknownIds(
      left,
      (before?.leftAddresses ?? []).map((id) => ({ id })),
      (at) => `/leftAddresses/${at}`,
      "is not an address that has left: only its reader can leave",
    );
    refuse([...timeFaults(next), ...scopeFaults(next), ...unknown, ...recipientFaults(next), ...notLeft]);
    // Who is written down anew is to get it.
    const isNew = (address: string) => hasLeft(next.addresses, address) && !hasLeft(before?.addresses ?? [], address);
    const leftAddresses = left.filter((address) => !isNew(address));
    const isOtherTime = (["kind", "time", "isActive"] as const).some((member) => next[member] !== before?.[member]);
    const isSame = before && !isOtherTime && String(before.weekdays) === String(next.weekdays);
    // Without a company there is nothing to store: the write is refused.
    const values = isSame || !company ? {} : { nextRunAt: nextRunAfter(company.timezone, next, Date.now()) };
    const added = lists.map(([member, noun]) => {
      const known = new Set<number | string>(before?.[member] ?? []);
      const ids = (next[member] ?? []).filter((id) => !known.has(id));
      return areThere(noun, next.companyId, ids);
    });
    return { values: { ...values, leftAddresses }, expect: added };
  },
);

/** What was due while it was deleted is not sent. */
export const restoreReportSubscription = rule(
  (db, { owner }: RuleContext<object>) => [selectTimezone(db, owner)],
  ({ next }: RuleInput<ReportSubscriptionRow>, [company]) =>
    company ? { values: { nextRunAt: nextRunAfter(company.timezone, next, Date.now()) } } : {},
);

function timeFaults({ kind, time, weekdays }: ReportSubscriptionRow): Fault[] {
  if (kind === "shift") {
    const message = "must be null: the report follows the end of each shift";
    return [
      ...(time === null ? [] : [{ pointer: "/time", code: "not_allowed", message } as const]),
      ...(weekdays === null ? [] : [{ pointer: "/weekdays", code: "not_allowed", message } as const]),
    ];
  }
  const isOneDay = kind === "daily" || weekdays?.length === 1;
  return [
    ...(time === null ? [{ pointer: "/time", code: "required", message: `is required for a ${kind} report` } as const] : []),
    ...(isOneDay
      ? []
      : [{ pointer: "/weekdays", code: "required", message: "must have exactly one day for a weekly report" } as const]),
  ];
}

function scopeFaults({ kind, machineIds, lineIds, shiftIds }: ReportSubscriptionRow): Fault[] {
  return [
    ...(machineIds && lineIds
      ? [{ pointer: "/lineIds", code: "not_allowed", message: "must be null beside `machineIds`" } as const]
      : []),
    ...(shiftIds && kind !== "shift"
      ? [{ pointer: "/shiftIds", code: "not_allowed", message: `must be null: a ${kind} report covers all shifts` } as const]
      : []),
  ];
}

function recipientFaults({ isActive, personaIds, addresses, webhookSubscriptionIds }: ReportSubscriptionRow): Fault[] {
  if (!isActive || personaIds.length + addresses.length + webhookSubscriptionIds.length > 0) return [];
  const message = "while the subscription is active, one of personaIds, addresses and webhookSubscriptionIds is required";
  return [{ pointer: "/personaIds", code: "required", message }];
}
