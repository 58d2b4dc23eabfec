import { companyOf, noCompany, oneCompanyOf } from "../../core/actor.ts";
import type { Caller } from "../../core/caller.ts";
import { conflict, type Fault, invalid, notFound, refusal } from "../../core/problem.ts";
import { type Dependent, refusalOf, refusing, selectDependentsOf } from "../../core/references.ts";
import { takeId, takenId } from "../../core/sequence.ts";
import { type Decision, decideOnly, write } from "../../core/write.ts";
import { nextUpdatedAt } from "../../db/expect.ts";
import type { ImportedItem, SetUpImportKind } from "../../db/values.ts";
import { notifyWatchers } from "../../objects/hubs.ts";
import { configureAfterwards, configureMachines } from "../../objects/notify-machines.ts";
import { isoOf } from "../../oee/time.ts";
import { selectOverdue } from "../../resource/plan-change.ts";
import { asOwner, isNumbered, type SetUpRow, type SetUpTable, type Statement, selectCompany } from "../../resource/queries.ts";
import { type LineRow, lineTable } from "../plant/lines/queries.ts";
import { type MachineRow, selectWithChannels } from "../plant/machines/queries.ts";
import type { StopCauseRow } from "../plant/stop-causes/queries.ts";
import { CauseTree } from "./causes.ts";
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
  insertImport,
  isNotUndone,
  noteUndone,
  type SetUpImportRow,
  selectAllItems,
  selectImport,
  selectImportItems,
  selectItems,
  takeImportId,
} from "./queries.ts";
import { type Delimiter, type Encoding, type FileTable, readTable } from "./read-file.ts";
import { faultyRows, type Judged, reportOf, type SetUpImportReport } from "./report.ts";
import { changedValues, deletedRow, type ItemWrite, linesOf, storeItems } from "./store.ts";

/** The most faults of a file that is refused, and of an undo. */
const MOST_FAULTS = 100;
/** The imports of a company that can be undone. */
export const MOST_KEPT = 20;
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
  return {
    kind: kindName,
    table,
    columns,
    decimal,
    hasHeader,
    rows: readRows(kind, table.rows, columns, decimal, named.faultsIn),
  };
}

/** The statements that read what a file is compared with. */
function selectFound(caller: Caller, companyId: number, { kind, rows }: ReadFile): [Statement, ...Statement[]] {
  const { db } = caller;
  const of = { db, viewer: caller };
  const { resource, key } = importKinds[kind];
  const values = [...new Set(rows.flatMap(({ sent }) => (typeof sent[key] === "string" ? (sent[key] as string) : [])))];
  return [
    selectCompany(db, companyId),
    selectAllItems(of, lineTable, companyId, kind === "machines" ? MOST_NAMED : -1),
    ...(kind === "stop-causes"
      ? [selectAllItems(of, resource.table, companyId, MOST_NAMED)]
      : selectItems(of, resource.table, companyId, { member: key, values })),
  ];
}

function judge(
  file: ReadFile,
  companyId: number,
  [companies, lines, ...parts]: readonly unknown[][],
): Judged & { found: SetUpRow[] } {
  if (companies?.length === 0) throw noCompany();
  const found = parts.flat() as SetUpRow[];
  if (file.kind === "stop-causes" && found.length > MOST_NAMED)
    throw conflict(`The company has more than ${MOST_NAMED} stop causes: import them by POST /v1/stop-causes.`);
  const about: Surroundings = {
    lines: (lines ?? []) as LineRow[],
    causes: new CauseTree(file.kind === "stop-causes" ? (found as StopCauseRow[]) : []),
  };
  return { ...file, found, about, verdict: judgeRows(file.kind, file.rows, found, about, companyId) };
}

/** Finds out what an import would change. */
export async function tryImport(
  caller: Caller,
  named: NewSetUpImport,
  bytes: Uint8Array,
): Promise<{ report: SetUpImportReport; faulty: string }> {
  const companyId = oneCompanyOf(caller.actor, named.companyId);
  const file = readFile(bytes, named);
  const { answer } = await decideOnly(
    caller,
    () => selectFound(caller, companyId, file),
    (...results): Decision<{ report: SetUpImportReport; faulty: string }> => {
      const judged = judge(file, companyId, results as unknown[][]);
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
  const file = readFile(bytes, named);
  refuseNameless(importKinds[file.kind], file.columns);
  let made: number[] = [];
  const { answer, results } = await write(
    caller,
    () => selectFound(caller, companyId, file),
    async (...found) => {
      const judged = judge(file, companyId, found as unknown[][]);
      const { verdict } = judged;
      if (mode === "all" && verdict.faulty.length > 0) throw refusedRows(verdict.faulty);
      if (verdict.changes.length === 0) return { answer: reportOf(judged, { id: null, dryRun: false }) };
      const { importId, writes } = await withIds(caller, companyId, judged);
      made = writes.flatMap(({ before, next }) => (before === null ? Number(next.id) : []));
      return decidedImport(caller, companyId, judged, importId, writes);
    },
  );
  await afterwards(caller, companyId, named.kind === "machines" ? made : [], results);
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
    if (before) return { before, next: { ...next, updatedAt: nextUpdatedAt(before, now) } };
    const id = idOf.get(next.id) ?? next.id;
    return { before, next: { ...next, ...newValues(kind, next, idOf, now), id, createdAt: now, updatedAt: now } };
  });
  return { importId: takenId(db, taken), writes };
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
  companyId: number,
  made: readonly number[],
  results: readonly unknown[],
): Promise<void> {
  if (results.length === 0) return;
  if (made.length > 0) await configureMachines(caller.env, companyId, made, caller.objects);
  configureAfterwards(caller, results);
  notifyWatchers(caller, companyId, "set-up");
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
  const items = parts.flatMap((part) => part.items);
  const created = items.flatMap((item) => (item.before === null ? item.id : []));
  const { resource } = importKinds[kind];
  const needs = created.length > 0 ? refusing(resource.names.noun) : [];
  const of = { db, viewer: caller };
  const ids = items.map((item) => item.id);
  const { answer, results } = await write(
    caller,
    () => [
      selectImport(db, id, owner),
      ...needs.map((reference) => selectDependentsOf(db, reference, asOwner(companyId), created)),
      kind === "machines" ? selectWithChannels(db, created as number[]) : selectCompany(db, null),
      selectAllItems(of, lineTable, companyId, kind === "machines" ? MOST_NAMED : -1),
      ...selectItems(of, resource.table, companyId, { member: "id", values: ids }),
    ],
    ([present], ...found) => {
      if (!present) throw notFound(`There is no import of set-up ${id}.`);
      if (present.undoneAt !== null) return { answer: undone(present, { deleted: 0, changed: 0 }) };
      const read = found as unknown[][];
      const refused = refusalOf(needs.map((reference, i) => [reference, read[i] as Dependent[]]));
      if (refused) throw refused;
      const rows = new Map((read.slice(needs.length + 2).flat() as SetUpRow[]).map((row) => [row.id, row]));
      refuseChanged(kind, items, rows, read[needs.length] as { id: number }[]);
      const now = Date.now();
      const writes = items.flatMap((item): ItemWrite[] => {
        const before = rows.get(item.id);
        if (!before) return [];
        const updatedAt = nextUpdatedAt(before, now);
        return [{ before, next: item.before ? { ...before, ...item.before, updatedAt } : deletedRow(kind, before, now) }];
      });
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
  await afterwards(caller, companyId, [], results);
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
