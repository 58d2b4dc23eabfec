import { noCompany, oneCompanyOf } from "../../../core/actor.ts";
import type { AuditEntry } from "../../../core/audit.ts";
import type { ChangedPast } from "../../../core/books.ts";
import type { Caller } from "../../../core/caller.ts";
import { conflict, refusal, withFaults } from "../../../core/problem.ts";
import { type Dependent, type Reference, refusalOf, refusing, selectDependents } from "../../../core/references.ts";
import { takeId, takenId } from "../../../core/sequence.ts";
import { type Decision, decideOnly, write } from "../../../core/write.ts";
import { expect } from "../../../db/expect.ts";
import { countKeptAfterwards, notifyWatchers } from "../../../objects/hubs.ts";
import { configureAfterwards, configureMachines } from "../../../objects/notify-machines.ts";
import { append } from "../../../oee/extremes.ts";
import type { StoredVersion } from "../../../resource/item-versions.ts";
import { changeOf, creationOf, deletionOf } from "../../../resource/items.ts";
import { selectOverdue } from "../../../resource/plan-change.ts";
import { asOwner, isNumbered, type Statement } from "../../../resource/queries.ts";
import type { Item } from "../../../resource/resource.ts";
import { noRule } from "../../../resource/rules.ts";
import { type CurrentSensors, currentOf, selectCurrent } from "../../ingest/count-sensors/queries.ts";
import type { SensorEntry } from "../../ingest/count-sensors/sensor-change.ts";
import { decideSensors } from "../../ingest/count-sensors/sensors.ts";
import { selectMachinesOfLine } from "../calendar-days/queries.ts";
import { eventsOf } from "../machines/new-machine.ts";
import type { MachineRow } from "../machines/queries.ts";
import { storeMachine } from "../machines/rules.ts";
import { selectPlannedShifts } from "../shifts/queries.ts";
import { type Comparison, comparePlant, type Difference, isPastDay, type SentFile } from "./compare.ts";
import { type AnyRule, entryPlans } from "./entry-plans.ts";
import { type PlantKind, plantKinds } from "./kinds.ts";
import { fileOf, withNamed } from "./plant-file.ts";
import { Present } from "./present.ts";
import { type FoundPlant, foundPlant, selectPlant } from "./queries.ts";

// Makes a set-up what a file says, in one commit. Each entry is decided by the rule of its resource, with its audit entry and its versions, from what the
// entries before it made of the set-up; and each is stored under the conditions of its own decision.

/** The most statements of a commit: D1 allows 1,000 queries a request, and up to a third as many read what these depend on. */
const MOST_STATEMENTS = 700;

/** For kinds that `prune` may delete from: the kinds that name their entries, which must be read as well. */
const neededBy: Partial<Record<PlantKind, readonly PlantKind[]>> = {
  lines: ["machines", "calendarDays"],
  shifts: ["calendarDays"],
};

/** What a plant file contains, as the references call it. References among these are compared by names; the others are read. */
const compared: ReadonlySet<string> = new Set(["calendar day", "machine", "shift", "SKU", "stop cause", "line"]);

/** Deleted before anything is stored: new entries may take their times. */
const deletedFirst: readonly PlantKind[] = ["calendarDays", "shifts"];
/** Deleted after everything is stored: entries that named them may name others then. */
const deletedLast: readonly PlantKind[] = ["skus", "machines", "lines", "stopCauses", "defectReasons"];

interface PlantChange {
  companyId?: number | undefined;
  dryRun: boolean;
  prune: boolean;
}

interface Answer {
  dryRun: boolean;
  created: Pick<Difference, "kind" | "key" | "after">[];
  changed: Pick<Difference, "kind" | "key" | "before" | "after">[];
  deleted: Pick<Difference, "kind" | "key">[];
  unchanged: number;
}

/** The machines that a write creates, and those whose count sensors it sets. */
type Touched = Set<number>;

/** Makes the set-up of a company what a file says, or finds out what that would change. */
export async function putPlantFile(
  caller: Caller,
  { companyId: named, dryRun, prune }: PlantChange,
  file: SentFile,
): Promise<Answer> {
  const companyId = oneCompanyOf(caller.actor, named);
  const kinds = plantKinds.filter((kind) => file.parsed[kind] !== undefined);
  const needed = withNamed(prune ? kinds.flatMap((kind) => [kind, ...(neededBy[kind] ?? [])]) : kinds);
  const touched: Touched = new Set();
  const read = () => selectPlant(caller, companyId, needed);
  const decide = async (...results: unknown[]): Promise<Decision<Answer>> => {
    const plant = foundPlant(results);
    if (!plant) throw noCompany();
    const comparison = comparePlant(fileOf(plant, [...needed], caller), file, prune);
    touched.clear();
    const changes = new Changes(caller, companyId, plant, { isDryRun: dryRun, touched });
    return { ...(await changes.decide(comparison)), answer: answerOf(comparison, dryRun) };
  };
  if (dryRun) return (await decideOnly(caller, read, decide)).answer;
  const { answer, results } = await write(caller, read, decide);
  if (results.length > 0) {
    await configureMachines(caller.env, companyId, [...touched], caller.objects);
    configureAfterwards(caller, results);
    notifyWatchers(caller, companyId, "set-up");
    countKeptAfterwards(caller, companyId);
  }
  return answer;
}

function answerOf({ created, changed, deleted, unchanged }: Comparison, dryRun: boolean): Answer {
  return {
    dryRun,
    created: created.map(({ kind, key, after }) => ({ kind, key, after })),
    changed: changed.map(({ kind, key, before, after }) => ({ kind, key, before, after })),
    deleted: deleted.map(({ kind, key }) => ({ kind, key })),
    unchanged,
  };
}

/** A statement that reads what decisions depend on, and what takes its rows. */
interface Ask {
  statement: Statement;
  take(rows: unknown[]): void;
}

type Stored = Omit<Decision<never>, "answer">;

class Changes {
  readonly #caller: Caller;
  readonly #companyId: number;
  readonly #present: Present;
  readonly #isDryRun: boolean;
  readonly #touched: Touched;
  readonly #rows: Statement[] = [];
  readonly #audit: AuditEntry[] = [];
  #past: ChangedPast | undefined;
  /** The ids of new entries, by their pointers. */
  readonly #ids = new Map<string, number>();
  #sensors: CurrentSensors | undefined;

  constructor(
    caller: Caller,
    companyId: number,
    plant: FoundPlant,
    { isDryRun, touched }: { isDryRun: boolean; touched: Touched },
  ) {
    this.#caller = caller;
    this.#companyId = companyId;
    this.#present = new Present(plant);
    this.#isDryRun = isDryRun;
    this.#touched = touched;
  }

  async decide(comparison: Comparison): Promise<Stored> {
    const { created, changed, deleted } = comparison;
    if (created.length + changed.length + deleted.length === 0) return {};
    await this.#read(comparison);
    for (const kind of deletedFirst) await this.#delete(deleted, kind);
    for (const kind of plantKinds) {
      // A cause comes after the one above it.
      const inOrder = created.filter((one) => one.kind === kind).sort((a, b) => depthOf(a) - depthOf(b));
      for (const one of inOrder) await this.#at(one, () => this.#create(one));
      for (const one of changed) if (one.kind === kind) await this.#at(one, () => this.#change(one));
      if (kind === "machines") await this.#setSensors([...created, ...changed]);
    }
    for (const kind of deletedLast) await this.#delete(deleted, kind);
    this.#refuseTooMany();
    return { rows: this.#rows, audit: this.#audit, past: this.#past };
  }

  /** Reads what the decisions depend on besides the set-up. One trip. */
  async #read({ created, changed, deleted }: Comparison): Promise<void> {
    const { db } = this.#caller;
    const asks = [
      ...created.flatMap((one) => this.#askId(one)),
      ...changed.flatMap((one) => this.#askOverdue(one)),
      ...deleted.flatMap((one) => this.#askDependents(one)),
      ...this.#askShifts([...created, ...changed]),
      ...this.#askLines([...created, ...changed, ...deleted]),
      ...this.#askSensors([...created, ...changed]),
    ];
    const [first, ...others] = asks.map(({ statement }) => statement);
    if (!first) return;
    const results = (await db.batch([first, ...others])) as unknown[][];
    for (const [i, { take }] of asks.entries()) take(results[i] ?? []);
  }

  #askId({ kind, pointer }: Difference): Ask[] {
    const { table } = entryPlans[kind].resource;
    if (!isNumbered(table)) return [];
    // Taking an id is a write, which a dry run must not make: its new entries have negative ids.
    if (this.#isDryRun) {
      this.#ids.set(pointer, -1 - this.#ids.size);
      return [];
    }
    const { db } = this.#caller;
    return [
      { statement: takeId(db, table.table), take: (rows) => this.#ids.set(pointer, takenId(db, rows as { id: number }[])) },
    ];
  }

  #askOverdue({ kind, key }: Difference): Ask[] {
    const { versioned = [] } = entryPlans[kind].resource;
    if (versioned.length === 0) return [];
    const { id } = this.#present.rowOf(kind, key);
    const take = (rows: unknown[]) => {
      if (rows.length > 0) throw conflict(`A version of ${JSON.stringify(key)} begins or ends now. Try again in a minute.`);
    };
    return [{ statement: selectOverdue(this.#caller.db, versioned, asOwner(this.#companyId), [id]), take }];
  }

  /** What a plant file does not have may need what it deletes. */
  #askDependents({ kind, key, pointer }: Difference): Ask[] {
    const { names } = entryPlans[kind].resource;
    const { id } = this.#present.rowOf(kind, key);
    const others = refusing(names.noun).filter(({ from }) => !compared.has(from));
    return others.map((reference): Ask => {
      const statement = selectDependents(this.#caller.db, reference, asOwner(this.#companyId), id);
      return { statement, take: (rows) => refuseNeeded(reference, rows as Dependent[], pointer) };
    });
  }

  #askShifts(stored: readonly Difference[]): Ask[] {
    if (!stored.some(({ kind }) => kind === "shifts")) return [];
    const statement = selectPlannedShifts(this.#caller.db, asOwner(this.#companyId));
    const take = (rows: unknown[]) => {
      this.#present.planned = rows as StoredVersion[];
    };
    return [{ statement, take }];
  }

  /** The machines of lines that have calendar days of their own. */
  #askLines(all: readonly Difference[]): Ask[] {
    const names = new Set(all.flatMap(({ kind, key }) => (kind === "calendarDays" && key.line !== null ? [key.line] : [])));
    const lines = this.#present.lines.filter(({ name }) => names.has(name));
    return lines.map(({ id }): Ask => {
      return {
        statement: selectMachinesOfLine(this.#caller.db, id),
        take: (rows) => this.#present.everIn.set(id, rows as { id: number }[]),
      };
    });
  }

  #askSensors(stored: readonly Difference[]): Ask[] {
    const entries = sensorEntries(stored);
    if (entries.length === 0) return [];
    const scope = { companyId: this.#companyId, refs: entries.map(({ machineRef }) => machineRef) };
    const statements = selectCurrent(
      this.#caller.db,
      scope,
      entries.flatMap(({ configs }) => configs),
    );
    const found: unknown[] = [];
    return statements.map((statement, i) => ({
      statement,
      take: (rows) => {
        found[i] = rows;
        const [company, machines, open, newest] = found as Parameters<typeof currentOf>;
        if (i === statements.length - 1) this.#sensors = currentOf(company, machines, open, newest);
      },
    }));
  }

  async #create(one: Difference): Promise<void> {
    const { kind, key, pointer } = one;
    const { resource, bodyOf, foundFor } = entryPlans[kind];
    const sent = bodyOf(one, this.#present);
    const id = this.#ids.get(pointer) ?? sent.id;
    const made = { sent, id, companyId: this.#companyId, isTaken: this.#ids.has(pointer) };
    const { next, decision } = await creationOf(this.#caller, resource, made, foundFor(sent, this.#present, key));
    this.#add(decision, pointer);
    this.#present.note(kind, key, next);
    if (kind === "machines") this.#touched.add(Number(next.id));
  }

  async #change(one: Difference): Promise<void> {
    const { kind, key, pointer } = one;
    const { resource, bodyOf, foundFor } = entryPlans[kind];
    const { db, actor } = this.#caller;
    const before = this.#present.rowOf(kind, key);
    const sent = bodyOf(one, this.#present);
    const rule = await this.#ruleOf(kind, before.id, sent);
    const found = foundFor(sent, this.#present, key) as never;
    const { next, decision } = await changeOf(this.#caller, resource, { before, sent }, (asked) =>
      rule.decide({ ...asked, sent: sent as never, db, actor }, found),
    );
    if (!decision) return;
    this.#add(decision, pointer);
    this.#present.note(kind, key, next);
  }

  async #ruleOf(kind: PlantKind, id: number | string, sent: Item): Promise<AnyRule> {
    if (kind !== "machines") return entryPlans[kind].resource.rules.store ?? noRule;
    return storeMachine(await eventsOf(this.#caller, { id, companyId: this.#companyId }, sent));
  }

  async #delete(deleted: readonly Difference[], kind: PlantKind): Promise<void> {
    const own = deleted.filter((one) => one.kind === kind).sort((a, b) => depthOf(b) - depthOf(a));
    const { resource, foundToDelete } = entryPlans[kind];
    for (const one of own) {
      await this.#at(one, async () => {
        const before = this.#present.rowOf(kind, one.key);
        if (kind === "shifts") this.#refuseDays(Number(before.id), one);
        const found = foundToDelete?.(before, this.#present) ?? [];
        const { decision } = await deletionOf(this.#caller, resource, before, refusing(resource.names.noun), found);
        this.#add(decision, one.pointer);
        this.#present.note(kind, one.key, null);
      });
    }
  }

  /** A shift is deleted before days are changed: those that name it must be others already. */
  #refuseDays(shiftId: number, { key, pointer }: Difference): void {
    const day = this.#present.days.find((one) => !isPastDay(one) && one.shifts.some(({ id }) => id === shiftId));
    if (!day) return;
    const message = `${key.name} cannot be deleted while the calendar day ${day.date} names it: change that with a file of its own first`;
    throw refusal(409, [{ pointer, code: "in_use", message }]);
  }

  async #setSensors(stored: readonly Difference[]): Promise<void> {
    const entries = sensorEntries(stored);
    if (entries.length === 0 || !this.#sensors) return;
    const known = new Set(this.#sensors.machines.map(({ ref }) => ref));
    const rows = new Map(this.#present.machines.map((row) => [row.ref, row]));
    const made = entries.flatMap(({ machineRef }) => (known.has(machineRef) ? [] : (rows.get(machineRef) ?? [])));
    const asRead = ({ id, ref, commissionedAt }: MachineRow) => ({
      machineId: id,
      ref,
      commissionedAt,
      isCountEnabled: null,
      hadChannels: false,
    });
    const current = { ...this.#sensors, machines: [...this.#sensors.machines, ...made.map(asRead)] };
    const {
      answer: _,
      tried: __,
      ...decision
    } = await decideSensors(this.#caller, current, noCompany(), () => ({
      entries,
      answer: undefined,
    }));
    this.#add(decision, "/machines");
    for (const { machineRef } of entries) this.#touched.add(Number(rows.get(machineRef)?.id));
  }

  #add({ expect: conditions = [], rows = [], audit, past }: Stored, pointer: string): void {
    if (rows.length === 0) return;
    if (conditions.length > 0) this.#rows.push(expect(this.#caller.db, conditions));
    append(this.#rows, rows);
    append(this.#audit, [audit ?? []].flat());
    if (past && (!this.#past || past.from < this.#past.from)) this.#past = { ...past, pointer };
  }

  #refuseTooMany(): void {
    const count = this.#rows.length + this.#audit.length;
    if (count <= MOST_STATEMENTS) return;
    const message = `would take ${count} statements of the database, of ${MOST_STATEMENTS} at most: send it in parts, which may have some of the entries each`;
    throw refusal(409, [{ pointer: "", code: "too_many_changes", message }]);
  }

  /** Decides on an entry. The pointers of the faults that its rule finds are within the entry. */
  async #at({ pointer }: Difference, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      throw withFaults(error, (fault) => ({ ...fault, pointer: within(pointer, fault.pointer) }));
    }
  }
}

/** The pointer of a member in a file, where items have ids in place of names. */
function within(pointer: string, member: string): string {
  if (member.startsWith(`${pointer}/`) || member === pointer) return member;
  if (member.startsWith("/path/")) return pointer;
  return pointer + member.replace("/parentId", "/path").replace(/Id(s?)(?=\/|$)/, "$1");
}

function depthOf({ key }: Difference): number {
  return Array.isArray(key.path) ? key.path.length : 0;
}

function refuseNeeded(reference: Reference, rows: readonly Dependent[], pointer: string): void {
  const refused = refusalOf([[reference, rows]]);
  if (!refused) return;
  throw refusal(
    refused.status,
    (refused.extras.errors ?? []).map((fault) => ({ ...fault, pointer })),
  );
}

function sensorEntries(stored: readonly Difference[]): SensorEntry[] {
  return stored.flatMap(({ kind, key, pointer, parsed: { countSensors }, before }): SensorEntry[] => {
    if (kind !== "machines" || countSensors === undefined) return [];
    const named = { machineRef: String(key.ref), pointer: `${pointer}/countSensors` };
    if (countSensors !== null)
      return [{ ...named, kind: "set", ...(countSensors as Pick<SensorEntry, "isCountEnabled" | "configs">) }];
    return before.countSensors ? [{ ...named, kind: "deleted", isCountEnabled: false, configs: [] }] : [];
  });
}
