import { isDeepStrictEqual } from "node:util";
import type { Caller } from "../../core/caller.ts";
import { haveNoDependent, refusing } from "../../core/references.ts";
import { nextUpdatedAt } from "../../db/expect.ts";
import { closedStatuses, type SetUpImportKind } from "../../db/values.ts";
import { chunksOf } from "../../limits/load.ts";
import {
  areOwned,
  asOwner,
  type Condition,
  isNumbered,
  raiseVersionsOf,
  type SetUpRow,
  type Statement,
} from "../../resource/queries.ts";
import type { Item } from "../../resource/resource.ts";
import { recordVersions } from "../../resource/versions.ts";
import { type ImportedOrder, insertEventsOf, raiseVersionsOfOrders, storeBelongings } from "../orders/queries.ts";
import { lineTable } from "../plant/lines/queries.ts";
import { haveNoChannels, leaveLines, type MachineRow, machineTable } from "../plant/machines/queries.ts";
import { deleteAllForgotten, replaceAllStandards, type SkuRow, skuTable } from "../plant/skus/queries.ts";
import { importKinds } from "./kinds.ts";
import { areFree, areUnchangedItems, ITEMS_PER_STATEMENT, insertItems, updateItems } from "./queries.ts";

// Writes many items of a kind at once, with what writing each of them by itself would store (resource/items.ts), apart from the audit entries: the import
// has one for all.

/** What becomes of an item. */
export interface ItemWrite {
  /** Null: it is new. */
  before: SetUpRow | null;
  /** `deletedAt` is set if it is deleted. */
  next: SetUpRow;
}

export interface Writes {
  expect: Condition[];
  rows: Statement[];
}

/** The statements that store items of a company, and the conditions under which they were decided. */
export function storeItems(caller: Caller, kind: SetUpImportKind, companyId: number, all: readonly ItemWrite[]): Writes {
  const { db } = caller;
  const { resource, changes } = importKinds[kind];
  const { table } = resource;
  const made = all.filter(({ before }) => before === null).map(({ next }) => next);
  const others = all.flatMap(({ before, next }) => (before ? { before, next } : []));
  const deleted = others.filter(({ next }) => next.deletedAt !== null);
  const stored = all.filter(({ next }) => next.deletedAt === null);
  const machines = machinesOf(kind, all);
  // D1 allows a parameter of 2 MB.
  const versionsOf = (some: readonly ItemWrite[], isDeletion: boolean) =>
    chunksOf(some, ITEMS_PER_STATEMENT).flatMap((part) => {
      const changed = part.map(({ before, next }) => ({ before, next: isDeletion ? null : next, at: next.updatedAt }));
      return recordVersions(caller, resource.versioned ?? [], changed, null);
    });
  return {
    expect: [
      ...areUnchangedItems(
        table,
        companyId,
        others.map(({ before }) => before),
      ),
      ...(isNumbered(table) ? areFree(table, idsOf(made) as number[]) : []),
      ...unneeded(kind, companyId, idsOf(deleted.map(({ next }) => next))),
      ...(kind === "machines" ? [areOwned(lineTable, companyId, linesOf(all))] : []),
      ...(kind === "work-orders" ? namedAreThere(companyId, all as OrderWrite[]) : []),
    ],
    rows: [
      // Versions are raised first, so that a machine that is being deleted is also notified.
      ...(machines.length > 0 ? [raiseVersionsOf(db, companyId, machines)] : []),
      ...(kind === "skus" && made.length > 0 ? forgetDeleted(caller, companyId, made) : []),
      ...insertItems(db, table, made),
      ...updateItems(
        db,
        table,
        [...changes, ...(deletedValues[kind] ?? []), "updatedAt", "deletedAt"],
        others.map(({ next }) => next),
      ),
      ...related(caller, kind, companyId, all),
      ...(kind === "work-orders" ? ofOrders(caller, all as OrderWrite[]) : []),
      ...versionsOf(stored, false),
      ...versionsOf(deleted, true),
    ],
  };
}

interface OrderWrite {
  before: ImportedOrder | null;
  next: ImportedOrder;
}

/** Conditions: the machines and SKUs that work orders name for the first time are there. */
function namedAreThere(companyId: number, all: readonly OrderWrite[]): Condition[] {
  const machineIds = all.flatMap(({ before, next }) => next.machineIds.filter((id) => !before?.machineIds.includes(id)));
  const skuIds = all.flatMap(({ before, next }) => {
    const known = before?.targets.map(({ skuId }) => skuId) ?? [];
    return next.targets.flatMap(({ skuId }) => (known.includes(skuId) ? [] : skuId));
  });
  return [
    ...chunksOf([...new Set(machineIds)], ITEMS_PER_STATEMENT).map((some) => areOwned(machineTable, companyId, some)),
    ...chunksOf([...new Set(skuIds)], ITEMS_PER_STATEMENT).map((some) => areOwned(skuTable, companyId, some)),
  ];
}

/** What goes with work orders: their machines and targets, the machines that learn of closed ones, and events. */
function ofOrders({ db }: Caller, all: readonly OrderWrite[]): Statement[] {
  const kept = all.filter(({ next }) => next.deletedAt === null);
  const isClosed = ({ status }: ImportedOrder) => closedStatuses.includes(status);
  const turned = kept.flatMap(({ before, next }) => (before && isClosed(before) !== isClosed(next) ? before : []));
  return [
    ...storeBelongings(db, kept),
    ...chunksOf(turned, ITEMS_PER_STATEMENT).map((some) => raiseVersionsOfOrders(db, some)),
    ...insertEventsOf(db, kept, Date.now()),
  ];
}

/** The lines that machines join. */
export function linesOf(all: readonly ItemWrite[]): number[] {
  return all.flatMap(({ before, next }) => {
    const { lineId } = next as MachineRow;
    return lineId === null || lineId === (before as MachineRow | null)?.lineId ? [] : lineId;
  });
}

/** Members that a deletion changes. */
const deletedValues: Partial<Record<SetUpImportKind, readonly string[]>> = {
  operators: ["pinHash"],
  machines: ["decommissionedAt"],
};

/** A deleted item: as the rule of its kind makes it. */
export function deletedRow(kind: SetUpImportKind, row: SetUpRow, now: number): SetUpRow {
  const own = { ...row, updatedAt: nextUpdatedAt(row, now), deletedAt: now };
  if (kind === "operators") return { ...own, pinHash: null } as SetUpRow;
  if (kind !== "machines") return own;
  return { ...own, decommissionedAt: Math.min((row as MachineRow).decommissionedAt ?? now, now) } as SetUpRow;
}

function idsOf(rows: readonly SetUpRow[]): (number | string)[] {
  return rows.map(({ id }) => id);
}

/** Conditions: nothing needs what is deleted. */
function unneeded(kind: SetUpImportKind, companyId: number, ids: readonly (number | string)[]): Condition[] {
  if (ids.length === 0) return [];
  const { noun } = importKinds[kind].resource.names;
  const needed = refusing(noun).map((reference) => haveNoDependent(reference, asOwner(companyId), ids));
  return kind === "machines" ? [...needed, haveNoChannels(ids as number[])] : needed;
}

/** The machines whose numbers depend on the items. A new machine has none yet. */
function machinesOf(kind: SetUpImportKind, all: readonly ItemWrite[]): number[] | "all" {
  if (kind === "machines") return all.flatMap(({ before, next }) => (before ? [Number(next.id)] : []));
  // Machines sign out who is deleted, and credit what plans say while the operator is there.
  if (kind === "operators") return all.some(({ next }) => next.deletedAt !== null) ? "all" : [];
  return kind === "skus" && all.some(areStandardsChanged) ? "all" : [];
}

function areStandardsChanged({ before, next }: ItemWrite): boolean {
  const standardsOf = (row: SetUpRow | null) => (row === null ? [] : (row as SkuRow).standards);
  return !isDeepStrictEqual(standardsOf(before), standardsOf(next));
}

function forgetDeleted({ db }: Caller, companyId: number, made: readonly SetUpRow[]): Statement[] {
  return chunksOf(made, ITEMS_PER_STATEMENT).map((some) => deleteAllForgotten(db, companyId, idsOf(some) as string[]));
}

/** The rows of other tables that go with those of the items. */
function related({ db }: Caller, kind: SetUpImportKind, companyId: number, all: readonly ItemWrite[]): Statement[] {
  if (kind === "skus") {
    // Those of a SKU of the same id that was deleted before are replaced, too.
    const changed = all.filter((one) => one.before === null || areStandardsChanged(one)).map(({ next }) => next as SkuRow);
    return chunksOf(changed, ITEMS_PER_STATEMENT).flatMap((some) => replaceAllStandards(db, companyId, some));
  }
  if (kind !== "machines") return [];
  const left = all.flatMap(({ before, next }) => {
    const { lineId } = (before ?? {}) as Partial<MachineRow>;
    return lineId && lineId !== (next as MachineRow).lineId ? { lineId, machineId: Number(next.id) } : [];
  });
  return chunksOf(left, ITEMS_PER_STATEMENT).map((some) => leaveLines(db, some));
}

/** The members of a row that a write changes, as they were. */
export function changedValues(kind: SetUpImportKind, { before, next }: { before: SetUpRow; next: SetUpRow }): Item {
  const [old, present] = [before as unknown as Item, next as unknown as Item];
  const changed = importKinds[kind].changes.filter((member) => !isDeepStrictEqual(old[member], present[member]));
  return Object.fromEntries(changed.map((member) => [member, old[member]]));
}
