import { companyOf, noCompany, oneCompanyOf } from "../../core/actor.ts";
import type { Caller, Reader } from "../../core/caller.ts";
import { type Page, readPage } from "../../core/cursor.ts";
import { isGranted } from "../../core/permissions.ts";
import { conflict, type Fault, forbidden, invalid, notFound, refusal } from "../../core/problem.ts";
import { type Dependent, refusalOf, refusing, selectDependentsOf } from "../../core/references.ts";
import { takeId, takenId } from "../../core/sequence.ts";
import { type Decision, decideOnly, write } from "../../core/write.ts";
import { nextUpdatedAt } from "../../db/expect.ts";
import type { ImportedItem, SetUpImportKind } from "../../db/values.ts";
import { dispatchAfterwards } from "../../events/queues.ts";
import { notifyWatchers } from "../../objects/hubs.ts";
import { configureAfterwards, configureMachines } from "../../objects/notify-machines.ts";
import { isoOf } from "../../oee/time.ts";
import { selectOverdue } from "../../resource/plan-change.ts";
import { asOwner, isNumbered, type SetUpRow, type SetUpTable, type Statement, selectCompany } from "../../resource/queries.ts";
import type { ImportedOrder } from "../orders/queries.ts";
import { type LineRow, lineTable } from "../plant/lines/queries.ts";
import { type MachineRow, machineTable, selectWithChannels } from "../plant/machines/queries.ts";
import { type SkuRow, skuTable } from "../plant/skus/queries.ts";
import type { StopCauseRow } from "../plant/stop-causes/queries.ts";
import { CauseTree } from "./causes.ts";
import { type SetUpImport, setUpImportOf } from "./import-item.ts";
import {
  type Decimal,
  decimalOf,
  type FaultsIn,
  judgeRows,
  type MappedColumn,
  mapColumns,
  readRows,
  refuseNameless,
  type SentRow,
} from "./judge.ts";

import { importKinds, nameOf, type Surroundings } from "./kinds.ts";
import {
  areAll,
  areNew,
  areUnchangedItems,
  ITEMS_PER_STATEMENT,
  insertImport,
  isNotUndone,
  noteUndone,
  type SetUpImportRow,
  selectAllItems,
  selectImport,
  selectImportItems,
  selectImportsInOrder,
  selectItems,
  selectPlace,
  takeImportId,
} from "./queries.ts";
import type { ImportsQuery } from "./query.ts";
import { type Delimiter, type Encoding, type FileTable, readTable } from "./read-file.ts";
import { faultyRows, type Judged, reportOf, type SetUpImportReport } from "./report.ts";
import { changedValues, deletedRow, type ItemWrite, linesOf, storeItems } from "./store.ts";
import { noOrders, withClosing } from "./work-orders.ts";

/** The most faults of a file that is refused, and of an undo. */
const MOST_FAULTS = 100;
/** The imports of a company that can be undone. */
export const MOST_KEPT = 20;
/** The most machines and SKUs of all work orders of a file. */
const MOST_BELONGINGS = 40_000;
/** More than a company has of what files name. */
const MOST_NAMED = 10_000;

export interface NewSetUpImport {
  companyId?: number | undefined;
  kind: SetUpImportKind;
  encoding?: Encoding | undefined;
  delimiter?: Delimiter | undefined;
  decimal?: Decimal | undefined;
  hasHeader: boolean;
  /** The member of each column; empty: none. Undefined: their headers say it. */
  columns?: readonly string[] | undefined;
  faultsIn: FaultsIn;
}

/** A file whose cells were read. */
interface ReadFile {
  kind: SetUpImportKind;
  table: FileTable;
  columns: MappedColumn[];
  decimal: Decimal;
  hasHeader: boolean;
  rows: SentRow[];
}

function readFile(bytes: Uint8Array, { kind: kindName, hasHeader, ...named }: NewSetUpImport): ReadFile {
  const kind = importKinds[kindName];
  const read = readTable(bytes, named);
  const table = hasHeader ? read : { ...read, rows: [read.head, ...read.rows] };
  const columns = mapColumns(kind, table, { columns: named.columns, hasHeader });
  const decimal = named.decimal ?? decimalOf(kind, table, columns);
  const rows = readRows(kind, table.rows, columns, decimal, named.faultsIn);
  refuseTooMany(rows);
  return { kind: kindName, table, columns, decimal, hasHeader, rows };
}

/** Refuses work orders that together name more machines and SKUs than one commit stores. */
function refuseTooMany(rows: readonly SentRow[]): void {
  const named = rows.map(({ sent: { machines = [], skus = [] } }) => (machines as string[]).length + (skus as string[]).length);
  const count = named.reduce((sum, one) => sum + one, 0);
  if (count <= MOST_BELONGINGS) return;
  const message = `names ${count} machines and SKUs of work orders; ${MOST_BELONGINGS} are allowed: send it in parts`;
  throw invalid([{ pointer: "", code: "too_big", message }]);
}

/** The texts that the cells of a column hold, each once. */
function textsOf({ rows }: ReadFile, member: string): string[] {
  return [...new Set(rows.flatMap(({ sent }) => (sent[member] ?? []) as string | string[]))];
}

/** The statements that read what a file is compared with. */
function selectFound(caller: Caller, companyId: number, file: ReadFile): [Statement, ...Statement[]] {
  const { db } = caller;
  const of = { db, viewer: caller };
  const { kind } = file;
  const { resource, key } = importKinds[kind];
  const values = textsOf(file, key);
  return [
    selectPlace(db, companyId),
    selectAllItems(of, lineTable, companyId, kind === "machines" ? MOST_NAMED : -1),
    ...selectNamed(of, companyId, namedIn(file)),
    ...(kind === "stop-causes"
      ? [selectAllItems(of, resource.table, companyId, MOST_NAMED)]
      : selectItems(of, resource.table, companyId, { member: key, values })),
  ];
}

/** The machines and SKUs that work orders name. */
interface Named {
  member: "ref" | "id";
  machines: (string | number)[];
  skus: string[];
}

const NOTHING_NAMED: Named = { member: "ref", machines: [], skus: [] };

function namedIn(file: ReadFile): Named {
  if (file.kind !== "work-orders") return NOTHING_NAMED;
  return { member: "ref", machines: textsOf(file, "machines"), skus: textsOf(file, "skus") };
}

/** The machines and SKUs that work orders had before an import. */
function namedBefore(items: readonly ImportedItem[]): Named {
  const before = items.flatMap((item) => (item.before ?? []) as Partial<ImportedOrder> | never[]);
  const machines = before.flatMap((one) => ("machineIds" in one ? (one.machineIds ?? []) : []));
  const skus = before.flatMap((one) => ("targets" in one ? (one.targets ?? []) : []));
  return { member: "id", machines: [...new Set(machines)], skus: [...new Set(skus.map(({ skuId }) => skuId))] };
}

function selectNamed(of: Parameters<typeof selectItems>[0], companyId: number, { member, machines, skus }: Named) {
  return [
    ...selectItems(of, machineTable, companyId, { member, values: machines }),
    ...selectItems(of, skuTable, companyId, { member: "id", values: skus }),
  ];
}

/** What was read by `selectNamed`, and the other results. */
function splitNamed({ machines, skus }: Named, parts: readonly unknown[][]) {
  const [first, second] = [machines.length, skus.length].map((count) => Math.ceil(count / ITEMS_PER_STATEMENT)) as [
    number,
    number,
  ];
  return {
    machines: parts.slice(0, first).flat() as MachineRow[],
    skus: parts.slice(first, first + second).flat() as SkuRow[],
    others: parts.slice(first + second),
  };
}

function judge(
  { actor }: Caller,
  file: ReadFile,
  companyId: number,
  [places, lines, ...parts]: readonly unknown[][],
): Judged & { found: SetUpRow[] } {
  const [place] = places as { timezone: string }[];
  if (!place) throw noCompany();
  const { machines, skus, others } = splitNamed(namedIn(file), parts);
  const found = others.flat() as SetUpRow[];
  if (file.kind === "stop-causes" && found.length > MOST_NAMED)
    throw conflict(`The company has more than ${MOST_NAMED} stop causes: import them by POST /v1/stop-causes.`);
  const about: Surroundings = {
    lines: (lines ?? []) as LineRow[],
    causes: new CauseTree(file.kind === "stop-causes" ? (found as StopCauseRow[]) : []),
    orders: {
      ...{ zone: place.timezone, role: actor.role },
      machineIds: new Map(machines.map(({ ref, id }) => [ref, id])),
      refs: new Map(machines.map(({ ref, id }) => [id, ref])),
      skuIds: new Set(skus.map(({ id }) => id)),
    },
  };
  return { ...file, found, about, verdict: judgeRows(file.kind, file.rows, found, about, companyId) };
}

/** Work orders have a permission of their own. */
async function refuseUnlessAllowed(caller: Caller, kind: SetUpImportKind): Promise<void> {
  if (kind !== "work-orders" || (await isGranted(caller, caller.actor.role, "work-orders:write"))) return;
  throw forbidden(`The role ${caller.actor.role} may not import work orders: it takes the permission work-orders:write.`);
}

/** Finds out what an import would change. */
export async function tryImport(
  caller: Caller,
  named: NewSetUpImport,
  bytes: Uint8Array,
): Promise<{ report: SetUpImportReport; faulty: string }> {
  const companyId = oneCompanyOf(caller.actor, named.companyId);
  await refuseUnlessAllowed(caller, named.kind);
  const file = readFile(bytes, named);
  const { answer } = await decideOnly(
    caller,
    () => selectFound(caller, companyId, file),
    (...results): Decision<{ report: SetUpImportReport; faulty: string }> => {
      const judged = judge(caller, file, companyId, results as unknown[][]);
      return { answer: { report: reportOf(judged, { id: null, dryRun: true }), faulty: faultyRows(judged) } };
    },
  );
  return answer;
}

/**
 * Makes the set-up what the rows of a file say, in one commit.
 * @param mode `all`: nothing is stored if a row is faulty, `good`: the others are
 * @throws Problem 400: rows are faulty
 */
export async function createSetUpImport(
  caller: Caller,
  { mode, ...named }: NewSetUpImport & { mode: "all" | "good" },
  bytes: Uint8Array,
): Promise<SetUpImportReport> {
  const companyId = oneCompanyOf(caller.actor, named.companyId);
  await refuseUnlessAllowed(caller, named.kind);
  const file = readFile(bytes, named);
  refuseNameless(importKinds[file.kind], file.columns);
  let made: number[] = [];
  const { answer, results } = await write(
    caller,
    () => selectFound(caller, companyId, file),
    async (...found) => {
      const judged = judge(caller, file, companyId, found as unknown[][]);
      const { verdict } = judged;
      if (mode === "all" && verdict.faulty.length > 0) throw refusedRows(verdict.faulty);
      if (verdict.changes.length === 0) return { answer: reportOf(judged, { id: null, dryRun: false }) };
      const { importId, writes } = await withIds(caller, companyId, judged);
      made = writes.flatMap(({ before, next }) => (before === null ? Number(next.id) : []));
      return decidedImport(caller, companyId, judged, importId, writes);
    },
  );
  await afterwards(caller, { companyId, kind: named.kind }, made, results);
  return answer;
}

function refusedRows(faulty: readonly SentRow[]) {
  const faults = faulty.flatMap(({ line, faults }) =>
    faults.map(({ member, code, message }): Fault => {
      return { pointer: member === null ? `/lines/${line}` : `/lines/${line}/${member}`, code, message };
    }),
  );
  return invalid(faults.slice(0, MOST_FAULTS));
}

/** The rows to store, with ids and times. One trip. */
async function withIds(
  caller: Caller,
  companyId: number,
  { kind, verdict: { changes } }: Judged,
): Promise<{ importId: number; writes: ItemWrite[] }> {
  const { db } = caller;
  const { resource } = importKinds[kind];
  const { table, versioned = [] } = resource;
  const news = changes.filter(({ before }) => before === null);
  const known = changes.flatMap(({ before }) => before ?? []);
  const takes = isNumbered(table) && news.length > 0;
  const [taken, ids, overdue] = await db.batch([
    takeImportId(db),
    // Without new items, it reads nothing.
    takes ? takeId(db, table.table, news.length) : selectCompany(db, null),
    selectOverdue(
      db,
      versioned,
      asOwner(companyId),
      known.map(({ id }) => id),
    ),
  ]);
  if (overdue.length > 0) throw conflict("A version of one of these begins or ends now. Try again in a minute.");
  const last = takes ? takenId(db, ids as { id: number }[]) : 0;
  const idOf = new Map(news.map(({ next }, i) => [next.id, takes ? last - news.length + 1 + i : next.id]));
  const now = Date.now();
  const writes = changes.map(({ before, next }): ItemWrite => {
    if (before) return closing(kind, { before, next: { ...next, updatedAt: nextUpdatedAt(before, now) } });
    const id = idOf.get(next.id) ?? next.id;
    return { before, next: { ...next, ...newValues(kind, next, idOf, now), id, createdAt: now, updatedAt: now } };
  });
  return { importId: takenId(db, taken), writes };
}

/** A write with what follows from the status of a work order. */
function closing(kind: SetUpImportKind, { before, next }: ItemWrite): ItemWrite {
  if (kind !== "work-orders") return { before, next };
  return { before, next: withClosing(before as ImportedOrder | null, next as ImportedOrder) };
}

/** Members of a new item that its line does not say. */
function newValues(kind: SetUpImportKind, next: SetUpRow, ids: ReadonlyMap<unknown, number | string>, now: number): object {
  if (kind === "machines") return { commissionedAt: now, decommissionedAt: null, lineId: (next as MachineRow).lineId ?? null };
  if (kind === "operators") return { pinHash: null };
  if (kind !== "stop-causes") return {};
  const { parentId } = next as StopCauseRow;
  return { parentId: parentId === null ? null : (ids.get(parentId) ?? parentId) };
}

function decidedImport(
  caller: Caller,
  companyId: number,
  judged: Judged & { found: readonly SetUpRow[] },
  importId: number,
  writes: readonly ItemWrite[],
): Decision<SetUpImportReport> {
  const { kind, found } = judged;
  const { table } = importKinds[kind].resource;
  const report = reportOf(judged, { id: importId, dryRun: false });
  const { created, changed, unchanged, faulty } = report;
  const now = Date.now();
  const row: SetUpImportRow = {
    ...{ id: importId, companyId, userId: caller.actor.userId, kind, created, changed, unchanged, faulty },
    ...{ createdAt: now, updatedAt: now, undoneAt: null },
  };
  const items = writes.map(({ before, next }): ImportedItem => {
    return { id: next.id, updatedAt: next.updatedAt, before: before && changedValues(kind, { before, next }) };
  });
  const { expect, rows } = storeItems(caller, kind, companyId, writes);
  return {
    expect: [...expect, ...stillNew(judged, table, companyId, found)],
    rows: [...rows, ...insertImport(caller.db, row, items, MOST_KEPT)],
    audit: {
      action: "set-up-import.create",
      companyId,
      objectId: importId,
      before: null,
      after: { kind, created, changed, unchanged, faulty },
    },
    answer: report,
  };
}

/** Conditions: what is new to the company still is. */
function stillNew({ kind, verdict: { changes } }: Judged, table: SetUpTable, companyId: number, found: readonly SetUpRow[]) {
  // Causes are told apart by more than a member, and all of them were read. Those above new ones may have been deleted.
  if (kind === "stop-causes") {
    const above = new Set(changes.map(({ next }) => (next as StopCauseRow).parentId));
    const parents = found.filter(({ id }) => above.has(Number(id)));
    return [areAll(table, companyId, found.length), ...areUnchangedItems(table, companyId, parents)];
  }
  const { key } = importKinds[kind];
  const keys = changes.flatMap(({ before, next }) => (before ? [] : String((next as unknown as Record<string, unknown>)[key])));
  return areNew(table, companyId, key, keys);
}

async function afterwards(
  caller: Caller,
  { companyId, kind }: { companyId: number; kind: SetUpImportKind },
  made: readonly number[],
  results: readonly unknown[],
): Promise<void> {
  if (results.length === 0) return;
  if (kind === "work-orders") dispatchAfterwards(caller, companyId);
  if (kind === "machines" && made.length > 0) await configureMachines(caller.env, companyId, made, caller.objects);
  configureAfterwards(caller, results);
  notifyWatchers(caller, companyId, "set-up");
}

/** A page of the imports of a company that are kept. */
export function listSetUpImports({ db, actor }: Reader, query: ImportsQuery): Promise<Page<SetUpImport>> {
  const companyId = companyOf(actor, query.companyId, actor.companyId);
  return readPage(db, query, {
    select: (page) => selectImportsInOrder(db, { ...page, companyId }),
    keysOf: ({ row }) => [row.id],
    itemOf: setUpImportOf,
  });
}

export interface UndoneImport {
  id: number;
  kind: SetUpImportKind;
  deleted: number;
  changed: number;
  undoneAt: string;
}

/** Takes an import back: what it changed is as it was, and what it created is deleted. */
export async function undoSetUpImport(caller: Caller, id: number): Promise<UndoneImport> {
  const { db, actor } = caller;
  const owner = companyOf(actor);
  const [[known], parts] = await db.batch([selectImport(db, id, owner), selectImportItems(db, id)]);
  if (!known) throw notFound(`There is no import of set-up ${id}. The latest of each company are kept.`);
  const { kind, companyId } = known;
  await refuseUnlessAllowed(caller, kind);
  const items = parts.flatMap((part) => part.items);
  const created = items.flatMap((item) => (item.before === null ? item.id : []));
  const { resource } = importKinds[kind];
  const needs = created.length > 0 ? refusing(resource.names.noun) : [];
  const of = { db, viewer: caller };
  const ids = items.map((item) => item.id);
  const named = kind === "work-orders" ? namedBefore(items) : NOTHING_NAMED;
  const { answer, results } = await write(
    caller,
    () => [
      selectImport(db, id, owner),
      ...needs.map((reference) => selectDependentsOf(db, reference, asOwner(companyId), created)),
      kind === "machines" ? selectWithChannels(db, created as number[]) : selectCompany(db, null),
      selectAllItems(of, lineTable, companyId, kind === "machines" ? MOST_NAMED : -1),
      ...selectNamed(of, companyId, named),
      ...selectItems(of, resource.table, companyId, { member: "id", values: ids }),
    ],
    ([present], ...found) => {
      if (!present) throw notFound(`There is no import of set-up ${id}.`);
      if (present.undoneAt !== null) return { answer: undone(present, { deleted: 0, changed: 0 }) };
      const read = found as unknown[][];
      const refused = refusalOf(needs.map((reference, i) => [reference, read[i] as Dependent[]]));
      if (refused) throw refused;
      const { machines, skus, others } = splitNamed(named, read.slice(needs.length + 2));
      const rows = new Map((others.flat() as SetUpRow[]).map((row) => [row.id, row]));
      refuseChanged(kind, items, rows, read[needs.length] as { id: number }[]);
      const now = Date.now();
      const writes = items.flatMap((item): ItemWrite[] => {
        const before = rows.get(item.id);
        if (!before) return [];
        const updatedAt = nextUpdatedAt(before, now);
        if (item.before === null) return [{ before, next: deletedRow(kind, before, now) }];
        return [closing(kind, { before, next: { ...before, ...item.before, updatedAt } as SetUpRow })];
      });
      if (kind === "work-orders") refuseOrders(writes as OrderWrite[], { machines, skus });
      if (kind === "machines") refuseLines(writes, read[needs.length + 1] as LineRow[]);
      const { expect, rows: statements } = storeItems(caller, kind, companyId, writes);
      const counts = { deleted: created.length, changed: items.length - created.length };
      return {
        expect: [...expect, isNotUndone(id)],
        rows: [...statements, ...noteUndone(db, id, now)],
        audit: {
          action: "set-up-import.undo",
          companyId,
          objectId: id,
          before: { kind, undoneAt: null },
          after: { kind, ...counts, undoneAt: isoOf(now) },
        },
        answer: undone({ ...present, undoneAt: now }, counts),
      };
    },
  );
  await afterwards(caller, { companyId, kind }, [], results);
  return answer;
}

function undone(
  { id, kind, undoneAt }: SetUpImportRow,
  { deleted, changed }: Pick<UndoneImport, "deleted" | "changed">,
): UndoneImport {
  return { id, kind, deleted, changed, undoneAt: isoOf(undoneAt ?? 0) };
}

/** Refuses to put machines back in lines that somebody has deleted since. */
function refuseLines(writes: readonly ItemWrite[], lines: readonly LineRow[]): void {
  const known = new Set(lines.map(({ id }) => id));
  const faults = writes.flatMap((one): Fault[] => {
    if (linesOf([one]).every((id) => known.has(id))) return [];
    const message = `the machine ${(one.next as MachineRow).ref} was in a line that is deleted: restore that first`;
    return [{ pointer: "", code: "changed_since", message }];
  });
  if (faults.length > 0) throw refusal(409, faults.slice(0, MOST_FAULTS));
}

type OrderWrite = { before: ImportedOrder; next: ImportedOrder };

/** Refuses to take back work orders for which something was made since, or whose former machines and SKUs are deleted. */
function refuseOrders(writes: readonly OrderWrite[], there: { machines: readonly MachineRow[]; skus: readonly SkuRow[] }): void {
  const machines = new Set(there.machines.map(({ id }) => id));
  const skus = new Set(there.skus.map(({ id }) => id));
  const faults = writes.flatMap(({ before, next }): Fault[] => {
    const refused = (code: Fault["code"], message: string) => [
      { pointer: "", code, message: `the work order ${next.code} ${message}` },
    ];
    if (next.deletedAt !== null)
      return before.isMade ? refused("in_use", "was begun, or a machine has it in work: set it to Cancelled instead") : [];
    const kept = next.targets.map(({ skuId }) => skuId);
    const made = before.madeSkuIds.find((id) => !kept.includes(id));
    if (made !== undefined) return refused("in_use", `had no target of ${made}, of which something was made since`);
    const isThere =
      next.machineIds.every((id) => before.machineIds.includes(id) || machines.has(id)) &&
      kept.every((id) => skus.has(id) || before.targets.some(({ skuId }) => skuId === id));
    return isThere ? [] : refused("changed_since", "had a machine or SKU that is deleted: restore that first");
  });
  if (faults.length > 0) throw refusal(409, faults.slice(0, MOST_FAULTS));
}

/** Refuses to take back what somebody has changed since. */
function refuseChanged(
  kind: SetUpImportKind,
  items: readonly ImportedItem[],
  rows: ReadonlyMap<number | string, SetUpRow>,
  withChannels: readonly { id: number }[],
): void {
  const about: Surroundings = {
    lines: [],
    causes: new CauseTree(kind === "stop-causes" ? ([...rows.values()] as StopCauseRow[]) : []),
    orders: noOrders,
  };
  const { noun } = importKinds[kind].resource.names;
  const connected = new Set<number | string>(kind === "machines" ? withChannels.map((one) => one.id) : []);
  const faults = items.flatMap((item): Fault[] => {
    const row = rows.get(item.id);
    const named = `the ${noun} ${row ? nameOf(kind, row, about) : item.id}`;
    const refused = (code: Fault["code"], message: string) => [{ pointer: "", code, message: `${named} ${message}` }];
    if (!row) return refused("changed_since", "was deleted after the import");
    if (row.updatedAt !== item.updatedAt) return refused("changed_since", "was changed after the import");
    return connected.has(item.id) ? refused("in_use", "has count sensors: delete them first") : [];
  });
  if (faults.length > 0) throw refusal(409, faults.slice(0, MOST_FAULTS));
}
