import type { FaultCode } from "../../../core/fault-codes.ts";
import { conflict, type Fault } from "../../../core/problem.ts";
import type { WouldBe } from "../../../objects/would-be-set-up.ts";
import { isoOf } from "../../../oee/time.ts";
import { areOwned, selectOwned } from "../../../resource/queries.ts";
import { type RuleContext, type RuleInput, refuse, rule, unknownIds } from "../../../resource/rules.ts";
import { lineTable } from "../lines/queries.ts";
import { freeChannels, leaveLine, type MachineRow, takeChannelsBack, wasInLine } from "./queries.ts";

interface SentMachine {
  lineId?: number | null;
}

/** The events of a machine. */
export interface KeptEvents {
  /** Since when its object keeps all of them (epoch ms); 0: from the first on. */
  completeFrom: number;
}

/**
 * The rule of a new or changed machine.
 * @param events those of its object, if the commissioning changes; null: none
 */
export const storeMachine = (events: KeptEvents | null) =>
  rule(
    (db, { sent, owner }: RuleContext<SentMachine>) => [selectOwned(db, lineTable, owner, lineOf(sent))],
    ({ db, sent, before, next }: RuleInput<MachineRow, SentMachine>, known) => {
      const commissionedAt = next.commissionedAt ?? next.createdAt;
      const line = lineOf(sent);
      const unknownLine = unknownIds(line, known, () => "/lineId", "is not a line of this company");
      refuse([...unknownLine, ...faultsOf({ ...next, commissionedAt }, before, events)]);
      const expect = line.length > 0 ? [areOwned(lineTable, next.companyId, line)] : [];
      const rows = before ? leaveLine(db, before, next.lineId) : [];
      const isMoved = before?.commissionedAt !== commissionedAt;
      const movedFrom = Math.min(commissionedAt, before?.commissionedAt ?? commissionedAt);
      const changesFrom = isMoved ? { at: movedFrom, pointer: "/commissionedAt" } : undefined;
      return {
        ...{
          values: { commissionedAt },
          changesFrom,
          expect,
          rows,
          ofPast: wasInLine(db, next),
          machines: before ? [before.id] : [],
        },
        inSetUp: { rows: formerLine(before), ofPast: formerLine(next) },
      };
    },
  );

/** The line of a row as one in which the machine was. */
function formerLine(row: MachineRow | null): WouldBe {
  return row && row.lineId !== null ? { formerLines: [{ machineId: row.id, lineId: row.lineId }] } : {};
}

/** The line in the request, if there is one. */
function lineOf({ lineId }: SentMachine): number[] {
  return typeof lineId === "number" ? [lineId] : [];
}

export const removeMachine = rule(
  () => [],
  ({ db, next }: RuleInput<MachineRow>) => {
    const now = next.deletedAt ?? next.updatedAt;
    return {
      values: { decommissionedAt: Math.min(next.decommissionedAt ?? now, now) },
      rows: freeChannels(db, next, now),
      machines: [next.id],
    };
  },
);

/** The most restorations of a machine. Its set-up holds each time in which it was deleted, and planning its shifts looks at all of them. */
const MOST_DELETED_TIMES = 100;

export const restoreMachine = rule(
  () => [],
  ({ db, before, next }: RuleInput<MachineRow>) => {
    const deletedAt = before?.deletedAt ?? next.updatedAt;
    // It may have been decommissioned before it was deleted.
    const isOver = next.decommissionedAt !== null && next.decommissionedAt < deletedAt;
    if (isOver) return { machines: [next.id] };
    const earlier = next.deletedTimes ?? [];
    if (earlier.length >= MOST_DELETED_TIMES) {
      throw conflict(`It was restored ${earlier.length} times, which is the most for a machine: create a new one.`);
    }
    const deletedTimes: [number, number][] = [...earlier, [deletedAt, next.updatedAt]];
    return {
      values: { decommissionedAt: null, deletedTimes },
      rows: takeChannelsBack(db, next, { freedAt: deletedAt, now: next.updatedAt }),
      machines: [next.id],
    };
  },
);

function faultsOf(
  { commissionedAt, decommissionedAt }: MachineRow,
  before: MachineRow | null,
  events: KeptEvents | null,
): Fault[] {
  const moved = commissioningFaults(commissionedAt, before, events);
  if (moved.length > 0) return moved;
  const refused = (code: FaultCode, message: string) => [{ pointer: "/decommissionedAt", code, message }];
  if (decommissionedAt !== null && decommissionedAt <= commissionedAt) {
    return refused("not_in_order", "must be after commissionedAt");
  }
  if (!before || before.decommissionedAt === decommissionedAt) return [];
  // Past and running shifts already have numbers: the ledger can be neither shortened nor continued behind them.
  const now = Date.now();
  if (before.decommissionedAt !== null && before.decommissionedAt <= now) {
    return refused("fixed", "is fixed: the ledger ended then");
  }
  return decommissionedAt === null || decommissionedAt > now ? [] : refused("past", "must not be in the past");
}

/** A machine with events can begin earlier, when all of them are kept: its ledger is made again from the first. */
function commissioningFaults(commissionedAt: number, before: MachineRow | null, events: KeptEvents | null): Fault[] {
  if (!before || before.commissionedAt === commissionedAt || (events === null && before.heardAt === null)) return [];
  const refused = (code: FaultCode, message: string) => [{ pointer: "/commissionedAt", code, message }];
  if (commissionedAt > before.commissionedAt) return refused("fixed", "must not become later: the machine has events");
  if (events === null || events.completeFrom === 0) return [];
  const message = `cannot become earlier: the machine's events are only kept since ${isoOf(events.completeFrom)}`;
  return refused("too_late", message);
}
