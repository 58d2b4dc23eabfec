import { isDeepStrictEqual } from "node:util";
import type { Fault } from "../../../core/problem.ts";
import { areThere } from "../../../core/references.ts";
import type { CompanyDb } from "../../../db/client.ts";
import { gatewayAlertKinds, isLookedForByMachines } from "../../../db/values.ts";
import { maxOf } from "../../../oee/extremes.ts";
import { selectOwned } from "../../../resource/queries.ts";
import { type RuleContext, type RuleInput, refuse, rule, unknownIds } from "../../../resource/rules.ts";
import { lineTable } from "../../plant/lines/queries.ts";
import { machineTable } from "../../plant/machines/queries.ts";
import { selectShifts } from "../../plant/shifts/queries.ts";
import { lengthMinutes } from "../../plant/shifts/shift-clock.ts";
import { stopCauseTable } from "../../plant/stop-causes/queries.ts";
import { chatRoomTable } from "../chat-rooms/queries.ts";
import { selectPersonasOf } from "../personas/queries.ts";
import type { When } from "./members.ts";
import { type AlertRuleRow, endConditionsOf, type SentScope, selectConcerned } from "./queries.ts";

/** A rule as requests contain it. */
export interface SentAlertRule extends SentScope {
  when?: When;
  shiftIds?: readonly number[] | null;
  levels?: AlertRuleRow["levels"];
  isActive?: boolean;
}

/** The statements that read the data by which a rule is checked. */
export const readRule = (db: CompanyDb, { sent, owner, id }: RuleContext<SentAlertRule>) =>
  [
    selectOwned(db, machineTable, owner, sent.machineIds ?? []),
    selectOwned(db, lineTable, owner, sent.lineIds ?? []),
    selectShifts(db, owner),
    selectOwned(db, stopCauseTable, owner, causesOf(sent)),
    selectPersonasOf(
      db,
      owner,
      (sent.levels ?? []).flatMap(({ personaIds }) => personaIds),
    ),
    selectOwned(
      db,
      chatRoomTable,
      owner,
      (sent.levels ?? []).flatMap(({ chatRoomIds }) => chatRoomIds),
    ),
    selectConcerned(db, owner, id, sent),
  ] as const;

export const storeAlertRule = rule(
  readRule,
  (
    { db, sent, before, next }: RuleInput<AlertRuleRow, SentAlertRule>,
    machines,
    lines,
    shifts,
    causes,
    personas,
    rooms,
    [concerned],
  ) => {
    const { kind, ...params } = sent.when ?? { kind: next.kind, ...next.params };
    const chosen = shifts.filter(({ id }) => next.shiftIds === null || next.shiftIds.includes(id));
    const isChecked =
      before === null || [sent.when, sent.machineIds, sent.lineIds, sent.shiftIds].some((one) => one !== undefined);
    refuse([
      ...unknownIds(sent.machineIds ?? [], machines, (i) => `/machineIds/${i}`, "is not a machine of this company"),
      ...unknownIds(sent.lineIds ?? [], lines, (i) => `/lineIds/${i}`, "is not a line of this company"),
      ...unknownIds(sent.shiftIds ?? [], shifts, (i) => `/shiftIds/${i}`, "is not a shift of this company"),
      ...unknownIds(causesOf(sent), causes, (i) => `/when/causeIds/${i}`, "is not a stop cause of this company"),
      ...(sent.levels ?? []).flatMap(({ personaIds, chatRoomIds }, i) => [
        ...unknownIds(personaIds, personas, (j) => `/levels/${i}/personaIds/${j}`, "is not a persona of this company"),
        ...unknownIds(chatRoomIds, rooms, (j) => `/levels/${i}/chatRoomIds/${j}`, "is not a chat room of this company"),
      ]),
    ]);
    if (gatewayAlertKinds.includes(kind)) refuse(ofNoMachine(next));
    else if (isChecked && concerned) refuse(neverHolds({ kind, ...params } as When, next, concerned, chosen));
    const values = { kind, params };
    const after = { ...next, ...values };
    const endsAll = before?.isActive && (!after.isActive || !looksForTheSame(before, after));
    const personaIds = (sent.levels ?? []).flatMap((level) => level.personaIds);
    const chatRoomIds = (sent.levels ?? []).flatMap((level) => level.chatRoomIds);
    return {
      values,
      expect: [
        areThere("machine", next.companyId, sent.machineIds ?? []),
        areThere("line", next.companyId, sent.lineIds ?? []),
        areThere("shift", next.companyId, sent.shiftIds ?? []),
        areThere("stop cause", next.companyId, causesOf(sent)),
        areThere("persona", next.companyId, personaIds),
        areThere("chat room", next.companyId, chatRoomIds),
      ],
      rows: endsAll ? [endConditionsOf(db, next.id, next.updatedAt)] : [],
      machines: before && looksForTheSame(before, after) && before.isActive === after.isActive ? [] : machinesOf(before, after),
    };
  },
);

export const removeAlertRule = rule(
  () => [],
  ({ db, next }: RuleInput<AlertRuleRow>) => {
    return { rows: [endConditionsOf(db, next.id, next.updatedAt)], machines: machinesOf(next) };
  },
);

export const restoreAlertRule = rule(
  () => [],
  ({ next }: RuleInput<AlertRuleRow>) => ({ machines: machinesOf(next) }),
);

function causesOf({ when }: SentAlertRule): readonly number[] {
  return when?.kind === "cause" ? when.causeIds : [];
}

function looksForTheSame(one: AlertRuleRow, other: AlertRuleRow): boolean {
  const lookedFor = ({ kind, params, machineIds, lineIds, shiftIds }: AlertRuleRow) => [
    kind,
    params,
    machineIds,
    lineIds,
    shiftIds,
  ];
  return isDeepStrictEqual(lookedFor(one), lookedFor(other));
}

/** The machines whose objects have one of the rules. */
function machinesOf(...rules: (AlertRuleRow | null)[]): readonly number[] | "all" {
  const held = rules.filter((one) => one !== null && isLookedForByMachines(one.kind));
  if (held.some((one) => one?.machineIds === null || one?.lineIds !== null)) return "all";
  return held.flatMap((one) => one?.machineIds ?? []);
}

type Concerned = Awaited<ReturnType<typeof selectConcerned>>[number];
type Shifts = Awaited<ReturnType<typeof selectShifts>>;

/** The fault of a rule that selects no machine. */
function noMachine({ machineIds, lineIds }: Pick<AlertRuleRow, "machineIds" | "lineIds">): Fault {
  const code = "never_holds";
  if (machineIds !== null) return { pointer: "/machineIds", code, message: "selects no machine, so the rule would never hold" };
  if (lineIds !== null) return { pointer: "/lineIds", code, message: "selects no machine, so the rule would never hold" };
  return { pointer: "/machineIds", code, message: "selects all machines, but the company has none: create its machines first" };
}

/** The faults of a rule about gateways that names machines or shifts. */
function ofNoMachine({ machineIds, lineIds, shiftIds }: Pick<AlertRuleRow, "machineIds" | "lineIds" | "shiftIds">): Fault[] {
  const named = Object.entries({ machineIds, lineIds, shiftIds }).filter(([, ids]) => ids !== null);
  const message = "must be null: the rule is about the gateways of the company, at any time";
  return named.map(([member]) => ({ pointer: `/${member}`, code: "not_allowed", message }));
}

/** The reasons why a rule can never apply; empty if it can. Without any shift there is no fault about shifts, because they may still be added. */
function neverHolds(
  when: When,
  scope: Pick<AlertRuleRow, "machineIds" | "lineIds">,
  concerned: Concerned,
  shifts: Shifts,
): Fault[] {
  if (concerned.count === 0) return [noMachine(scope)];
  const faults: Fault[] = [];
  const never = (member: string, isSo: boolean, message: string) => {
    if (isSo) faults.push({ pointer: `/when/${member}`, code: "never_holds", message });
  };
  const { stopAfterSeconds, noDataAfterSeconds } = concerned;
  const longestMinutes = maxOf(shifts.length > 0 ? shifts.map(lengthMinutes) : [24 * 60]);
  if (when.kind === "stop" || when.kind === "unclassified") {
    const isTooShort = 60 * when.minutes < (stopAfterSeconds ?? 0);
    never(
      "minutes",
      isTooShort,
      `must be at least ${Math.ceil((stopAfterSeconds ?? 0) / 60)}: the machines' stopAfterSeconds is ${stopAfterSeconds}, and what is shorter is no stop`,
    );
  }
  if (when.kind === "no_data") {
    never(
      "kind",
      noDataAfterSeconds === null,
      "can never hold: noDataAfterSeconds is null for every machine, so silence is never no data",
    );
    const isTooShort = noDataAfterSeconds !== null && 60 * when.minutes < noDataAfterSeconds;
    never(
      "minutes",
      isTooShort,
      `must be at least ${Math.ceil((noDataAfterSeconds ?? 0) / 60)}: the machines' noDataAfterSeconds is ${noDataAfterSeconds}, and a shorter silence is not no data`,
    );
  }
  if (when.kind === "not_running") {
    never("minutes", when.minutes >= longestMinutes, `must be less than ${longestMinutes}, the minutes of the longest shift`);
  }
  if (when.kind === "oee" || when.kind === "availability") {
    never(
      "afterMinutes",
      when.afterMinutes >= longestMinutes,
      `must be less than ${longestMinutes}, the minutes of the longest shift`,
    );
  }
  if (when.kind === "short_stops") {
    const most = 3600 / Math.max(1, stopAfterSeconds ?? 0);
    const isShort = (stopAfterSeconds ?? 0) < 5 * 60;
    never(
      "count",
      !isShort || when.count >= most,
      `can never be exceeded: at a stopAfterSeconds of ${stopAfterSeconds}, an hour cannot have that many short stops`,
    );
  }
  return faults;
}
