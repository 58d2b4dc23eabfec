import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { asc, eq, getTableColumns, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { expect, vi } from "vitest";
import { shownChanges } from "../../src/core/audit-entries.ts";
import { recordId } from "../../src/core/record-id.ts";
import { kindNumber } from "../../src/db/audit-columns.ts";
import {
  audit,
  companies,
  events,
  heldEntries,
  hoursOutsideShifts,
  machines,
  operatorShifts,
  operators,
  orderRuns,
  orphanedEdits,
  shiftParts,
  shiftRecords,
  stops,
  workOrders,
} from "../../src/db/schema.ts";
import { type Stop, stopColumns } from "../../src/db/slim-rows.ts";
import { catalogue } from "../../src/events/catalogue.ts";
import { entryOf } from "../../src/machine/inputs/held-counts.ts";
import { timeOf } from "../../src/machine/inputs/ledger-position.ts";
import { stepBounds } from "../../src/machine/ledger/recalculation.ts";
import type { MachineState } from "../../src/machine/machine-object.ts";
import { MachineStorage } from "../../src/machine/storage/machine-storage.ts";
import type {
  EditedBy,
  EventFilter,
  IncomingEvent,
  OrphanEdit,
  SentEvent,
  StopEdit,
} from "../../src/objects/machine-protocol.ts";
import { readChangedSetUps } from "../../src/objects/set-up.ts";
import type { Amendment } from "../../src/oee/amendments.ts";
import type { ProductionInputs } from "../../src/oee/metrics.ts";
import type { Production } from "../../src/oee/production.ts";
import type { Settings } from "../../src/oee/settings.ts";
import { extendSums } from "../../src/oee/shift-ledger.ts";
import { extendPart } from "../../src/oee/shift-parts.ts";
import { isoOf } from "../../src/oee/time.ts";
import { DAY, HOUR } from "../support/clock.ts";
import { readEvents } from "../support/events.ts";
import { machineObject } from "../support/machine-object.ts";
import { isAnyWaiting, stateIn } from "../support/object-storage.ts";
import {
  type Amended,
  bucketOf,
  type Cause,
  type Corrected,
  flagOf,
  LATE_LIMIT,
  Model,
  type NamedCauses,
  type OwnDay,
  type Piece,
  type Shift,
} from "./model.ts";
import { keyOf, limitsOf, type Thing, type Version, versionAt, withoutMachines } from "./model-versions.ts";

// A machine's real object beside its model: every action is done to both, and their visible results are compared.

const db = drizzle(env.DB_0);
const FLUSH_EVERY = 10_000;
const MAX_PAUSE = 300_000;
const COUNTS_EVERY = 300_000;

/** A machine's set-up in D1. */
export interface SetUp extends Omit<Settings, "since" | "commissionedAt"> {
  /** Units per pulse, and whether pulses count at all: applied to each event, not sent to the object. */
  countingFactor: number;
  isCounting: boolean;
}

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];

function pause(name: string, start: string, end: string, isIncludedInAvailability = false) {
  return { name, start, end, isIncludedInAvailability };
}

/** The shifts that a company may have. */
export const shiftMenu: Settings["shifts"] = [
  {
    id: 1,
    start: "06:00",
    end: "14:00",
    days: EVERY_DAY,
    breaks: [pause("Tea", "08:00", "08:10", true), pause("Lunch", "10:00", "10:30")],
  },
  {
    id: 2,
    start: "14:00",
    end: "22:00",
    days: EVERY_DAY,
    breaks: [pause("Snack", "18:00", "18:15"), pause("Talk", "18:10", "18:30", true)],
  },
  {
    id: 3,
    start: "22:00",
    end: "06:00",
    days: EVERY_DAY,
    breaks: [pause("Nap", "02:15", "02:45"), pause("Early", "05:50", "06:20")],
  },
  { id: 4, start: "13:00", end: "01:00", days: [1, 3, 5, 6, 7], breaks: [pause("Dinner", "23:45", "00:15")] },
  { id: 5, start: "00:00", end: "00:00", days: [2, 4, 7], breaks: [pause("Noon", "11:30", "12:30", true)] },
];

// Steps of recalculations are small, so that much happens between them.
Object.assign(stepBounds, { events: 30, rows: 10, moved: 10, days: 1, stepsPerAlarm: 2 });

/** The causes that bulk classifications name: two general ones, and a specific one of each. */
export const causeMenu: ReadonlyMap<number, Cause> = new Map([
  [1, { above: null, flags: { isProgrammed: true } }],
  [2, { above: 1, flags: { isProgrammed: false, isIncludedInAvailability: false } }],
  [4, { above: null, flags: {} }],
  [5, { above: 4, flags: { isIncludedInAvailability: true } }],
]);

type Recent = Pick<ProductionInputs, "recentMs" | "recentUnits">;
type Definition = Settings["shifts"][number];

let plants = 0;

/** A company with a machine, newly commissioned. `now`: when its object first learns of it. Takes one trip, as there are many. */
export async function createPlant(setUp: SetUp, commissionedAt: number, now: number) {
  const id = ++plants;
  const of = { companyId: id, name: "", createdAt: 0, updatedAt: 0 };
  const operatorIds = [id * 10, id * 10 + 1];
  const orderIds = [`${id} first`, `${id} second`];
  const order = { ...of, priority: 0, source: "" };
  await db.batch([
    db.insert(companies).values({ ...of, id, timezone: setUp.timezone }),
    db.insert(machines).values({ ...of, id, ref: "M", nodeId: id, signal: setUp.signal, commissionedAt }),
    db.insert(operators).values(operatorIds.map((operatorId) => ({ ...of, id: operatorId, code: String(operatorId) }))),
    db.insert(workOrders).values({ ...order, id: `${id} first`, code: "1", status: "Backlog" }),
    db.insert(workOrders).values({ ...order, id: `${id} second`, code: "2", status: "Planned" }),
  ]);
  const ids = { companyId: id, machineId: id, userId: 1, operatorIds, skuIds: ["A", "B", "constructor"], orderIds };
  return new Plant(ids, commissionedAt, now);
}

interface Ids {
  companyId: number;
  machineId: number;
  userId: number;
  operatorIds: number[];
  skuIds: string[];
  orderIds: string[];
}

export class Plant {
  readonly ids: Ids;
  readonly model: Model;
  setUp: SetUp | null = null;
  /** The version of the set-up in D1, and the one that the object took over; 0: it was never called. */
  version = 0;
  #taken = 0;
  /** The versions of what somebody dated, as D1 has them. */
  versions: Version[] = [];
  /** The calendar days in D1: those of the machine come before those of the company. */
  calendarDays: (OwnDay & { isOfMachine: boolean })[] = [];
  /** The bulk classifications that nobody took back. */
  bulks: string[] = [];
  #lastBulk = 0;
  #lastClosing = 0;
  /** The imports, and whether they were taken back. */
  readonly imports: { importId: number; isWithdrawn: boolean }[] = [];
  /** The orders that are closed in D1, and since when. */
  readonly closedOrders = new Map<string, number>();
  #clock = 0;
  #latest = 0;
  /** The number of next writes to D1 that fail; `isLost`: they are executed, but the response is lost. */
  failing = 0;
  isLost = false;
  /** Whether whoever asks for a recalculation kills the object in its middle, instead of waiting for it. */
  isKilled = false;
  #object: MachineState | null = null;
  #storage: DurableObjectStorage | null = null;

  constructor(ids: Ids, commissionedAt: number, now: number) {
    this.ids = ids;
    this.model = new Model(commissionedAt, now);
    this.setNow(now);
  }

  get stub() {
    return machineObject(env, this.ids.machineId);
  }

  get object(): MachineState {
    if (!this.#object) throw new Error("the object is not at hand");
    return this.#object;
  }

  get storage(): DurableObjectStorage {
    if (!this.#storage) throw new Error("the object is not at hand");
    return this.#storage;
  }

  /** Deletes what there is of the machine, so that many plants after each other need no more room than one. */
  async forget(): Promise<void> {
    const { companyId, machineId } = this.ids;
    await runInDurableObject(this.stub, async (_, { storage }) => {
      await storage.deleteAlarm();
      await storage.deleteAll();
    });
    await evictDurableObject(this.stub);
    const ofMachine = ["shift_parts", "shift_records", "stops", "operator_shifts", "order_runs", "hours_outside_shifts"];
    await env.DB_0.batch([
      ...ofMachine.map((table) => env.DB_0.prepare(`DELETE FROM ${table} WHERE machine_id = ?`).bind(machineId)),
      env.DB_0.prepare("DELETE FROM set_up_versions WHERE company_id = ?").bind(companyId),
    ]);
  }

  /** Keeps the object at hand while `work` runs. */
  async inObject(work: () => Promise<void>): Promise<void> {
    await runInDurableObject(this.stub, async (object, { storage }) => {
      this.#object = object;
      this.#storage = storage;
      Object.assign(object, { env: { ...env, DB_0: this.#flaky(env.DB_0) } });
      await work();
    });
  }

  /** Evicts the object: it knows what it stored, but not that only time had passed since. */
  async evict(): Promise<void> {
    await evictDurableObject(this.stub);
    await this.inObject(async () => {
      const { head, settled } = stateIn(this.storage);
      const settledAt = settled?.settledAt ?? 0;
      const computedAsOf = Math.max(settledAt, settled?.settlingSince ?? 0, timeOf(head?.pos ?? ""));
      this.model.computedAsOf = Math.min(this.model.computedAsOf, computedAsOf);
      this.setNow(this.#clock);
    });
  }

  #flaky(database: D1Database) {
    const session = (constraint?: string) => {
      const inner = database.withSession(constraint);
      const batch = async (statements: D1PreparedStatement[]) => {
        if (this.failing === 0) return inner.batch(statements);
        this.failing--;
        if (this.isLost) await inner.batch(statements);
        throw new Error("D1_ERROR: Network connection lost");
      };
      return { prepare: (query: string) => inner.prepare(query), batch, getBookmark: () => inner.getBookmark() };
    };
    return { withSession: session };
  }

  /** Moves the clock forwards or back; the machine ignores a clock behind the instant that it has computed. */
  setNow(now: number): void {
    this.#clock = now;
    this.#latest = Math.max(now, this.#latest);
    this.model.now = Math.max(now, this.model.earliestNow());
    vi.setSystemTime(now);
  }

  pass(ms: number): void {
    this.setNow(this.#clock + ms);
  }

  /** @param ms the most to set it back, and at most an hour behind the computed instant: more would be another matter */
  setBack(ms: number): void {
    this.setNow(Math.max(this.#clock - ms, this.model.earliestNow() - HOUR));
  }

  // Set-up

  /** Writes a set-up to D1; the object learns of it when it is notified, or with the next event. */
  async changeSetUp(change: Partial<SetUp> | SetUp): Promise<void> {
    const { companyId, machineId } = this.ids;
    const setUp = { ...this.setUp, ...change } as SetUp;
    this.setUp = setUp;
    this.version++;
    const run = (query: string, ...values: unknown[]) => env.DB_0.prepare(query).bind(...values);
    const rows: D1PreparedStatement[] = [
      ...this.#recorded(setUp),
      run(
        "UPDATE companies SET timezone = ?, sign_out_at_shift_end = ?, production_day = ? WHERE id = ?",
        ...[setUp.timezone, setUp.signOutAtShiftEnd ? 1 : 0, setUp.productionDay ?? "calendarDay", companyId],
      ),
      run(
        `UPDATE machines SET signal = ?, stop_after_seconds = ?, no_data_after_seconds = ?, standard_cycle_seconds = ?,
         decommissioned_at = ?, config_version = ? WHERE id = ?`,
        ...[setUp.signal, setUp.stopAfterMs / 1000, setUp.noDataAfterMs === null ? null : setUp.noDataAfterMs / 1000],
        ...[setUp.standardCycleMs === null ? null : setUp.standardCycleMs / 1000, setUp.decommissionedAt, this.version],
        machineId,
      ),
      ...shiftMenu.map((shift) => {
        const present = setUp.shifts.find((one) => one.id === shift.id);
        const { id, start, end, days, breaks } = present ?? shift;
        return run(
          `INSERT INTO shifts (id, company_id, name, start, "end", days, breaks, created_at, updated_at, deleted_at)
           VALUES (?, ?, 'Shift', ?, ?, ?, ?, 0, 0, ?) ON CONFLICT (id) DO UPDATE SET start = excluded.start,
             "end" = excluded."end", breaks = excluded.breaks, deleted_at = excluded.deleted_at`,
          ...[this.shiftId(id), companyId, start, end, JSON.stringify(days), JSON.stringify(breaks), present ? null : 1],
        );
      }),
      run("DELETE FROM sku_standards WHERE company_id = ?", companyId),
      // A general standard that the machine's own one replaces, if there is one.
      ...Object.entries(setUp.skuStandardsMs).flatMap(([skuId, standardMs]) => {
        const insert = "INSERT INTO sku_standards (company_id, sku_id, machine_id, standard_cycle_seconds) VALUES (?, ?, ?, ?)";
        const general = skuId === "B" ? [run(insert, companyId, skuId, 0, 1)] : [];
        return [...general, run(insert, companyId, skuId, skuId === "B" ? machineId : 0, standardMs / 1000)];
      }),
      run("DELETE FROM operator_plan_assignments WHERE machine_id = ?", machineId),
      ...setUp.plan.flatMap(({ operatorId, shiftId, since, until }, i) => {
        const id = `${machineId} ${this.version} ${i}`;
        const [plan, assignment] = [
          "INSERT INTO operator_plans (id, company_id, title, since, until, created_at, updated_at) VALUES (?, ?, '', ?, ?, 0, 0)",
          "INSERT INTO operator_plan_assignments (plan_id, machine_id, shift_id, operator_id) VALUES (?, ?, ?, ?)",
        ];
        const operator = this.ids.operatorIds[operatorId % this.ids.operatorIds.length];
        return [run(plan, id, companyId, since, until), run(assignment, id, machineId, this.shiftId(shiftId), operator)];
      }),
    ];
    await env.DB_0.batch(rows);
  }

  /** The instant at which D1 is written to: no clock that writes there is behind that of the object, and one may be ahead of it. */
  get #writtenAt(): number {
    return Math.max(this.#latest, this.model.now);
  }

  /** The statements that store versions of what has some, and is not what they say of now. */
  #recorded(setUp: SetUp): D1PreparedStatement[] {
    const known = Map.groupBy(this.versions, keyOf);
    const changed = this.#thingsOf(setUp).filter((thing) => {
      const own = known.get(keyOf(thing));
      return own && JSON.stringify(versionAt(own, this.#writtenAt)?.body) !== JSON.stringify(thing.body);
    });
    return changed.map((thing) => this.#insert(thing, { validFrom: this.#writtenAt, validUntil: null, isExplicit: false }));
  }

  #insert(thing: Thing, dates: Pick<Version, "validFrom" | "validUntil" | "isExplicit">): D1PreparedStatement {
    const id = this.versions.length + 1;
    const version: Version = { ...thing, ...dates, id, recordedAt: this.#writtenAt, isWithdrawn: false };
    this.versions = [...this.versions, version];
    const { kind, entity, machineId, body, recordedAt } = version;
    const query = `INSERT INTO set_up_versions (company_id, id, kind, entity, machine_id, valid_from, valid_until, is_explicit, body, recorded_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
    const values = [dates.validFrom, dates.validUntil, dates.isExplicit ? 1 : 0, body && JSON.stringify(body), recordedAt];
    return env.DB_0.prepare(query).bind(this.ids.companyId, id, kind, entity, machineId, ...values);
  }

  /** Somebody says what part of a set-up held in a time of the past, or has held since. */
  async date(change: Partial<SetUp>, validFrom: number, validUntil: number | null): Promise<void> {
    const present = this.setUp as SetUp;
    const before = new Map(this.#thingsOf(present).map((thing) => [keyOf(thing), thing]));
    const meant = this.#thingsOf({ ...present, ...change });
    const changed = meant.filter((thing) => JSON.stringify(thing) !== JSON.stringify(before.get(keyOf(thing))));
    if (changed.length === 0) return;
    // What was there is recorded first, where nothing is.
    const known = new Set(this.versions.map(keyOf));
    const unknown = changed.filter((thing) => !known.has(keyOf(thing))).flatMap((thing) => before.get(keyOf(thing)) ?? []);
    const rows = [
      ...unknown.map((thing) => this.#insert(thing, { validFrom: this.#writtenAt, validUntil: null, isExplicit: false })),
      ...changed.map((thing) => this.#insert(thing, { validFrom, validUntil, isExplicit: true })),
    ];
    await env.DB_0.batch(rows);
    await this.#followVersions();
  }

  /** Says which shifts a local day has at the machine or in the company, of the past or ahead; null: those of its weekday. */
  async setDay(day: number, isOfMachine: boolean, shifts: OwnDay["shifts"] | null): Promise<void> {
    await this.setDays([{ day, shifts }], isOfMachine);
  }

  /** The same of several days, of which the machine learns at once. */
  async setDays(changed: readonly { day: number; shifts: OwnDay["shifts"] | null }[], isOfMachine: boolean): Promise<void> {
    const { companyId, machineId } = this.ids;
    const ofMachine = isOfMachine ? machineId : null;
    const run = (query: string, ...values: unknown[]) => env.DB_0.prepare(query).bind(...values);
    const insert = `INSERT INTO calendar_days (company_id, date, scope, machine_id, shifts, created_at, updated_at)
      VALUES (?, ?, ?, ?, ?, 0, 0)`;
    const statements = changed.flatMap(({ day, shifts }) => {
      const others = this.calendarDays.filter((one) => one.day !== day || one.isOfMachine !== isOfMachine);
      const own = shifts?.map((shift) => ({ ...shift, id: this.shiftId(shift.id) }));
      const days = [...others, ...(own ? [{ day, isOfMachine, shifts: own }] : [])];
      this.calendarDays = days.sort((a, b) => Number(b.isOfMachine) - Number(a.isOfMachine));
      const date = new Date(day * DAY).toISOString().slice(0, 10);
      return [
        run("DELETE FROM calendar_days WHERE company_id = ? AND date = ? AND machine_id IS ?", companyId, date, ofMachine),
        ...(own ? [run(insert, companyId, date, isOfMachine ? "machine" : "company", ofMachine, JSON.stringify(own))] : []),
      ];
    });
    this.version++;
    await env.DB_0.batch([...statements, run("UPDATE machines SET config_version = ? WHERE id = ?", this.version, machineId)]);
    await this.configure();
    await this.#finishRecalculation();
  }

  /** Has the machine fed by channels whose pulses count so many units, from the beginning on: by one for units, and one for rejects. */
  async setFactor(countingFactor: number): Promise<void> {
    const { companyId, machineId } = this.ids;
    const query = `INSERT INTO count_channels (company_id, node_id, channel, since, machine_id, type, counting_factor, is_counted)
      VALUES (?, ?, ?, 0, ?, ?, ?, 1) ON CONFLICT DO UPDATE SET counting_factor = excluded.counting_factor`;
    this.version++;
    await env.DB_0.batch([
      env.DB_0.prepare(query).bind(companyId, machineId, 1, machineId, "total", countingFactor),
      env.DB_0.prepare(query).bind(companyId, machineId, 2, machineId, "defect", countingFactor),
      env.DB_0.prepare("UPDATE machines SET config_version = ? WHERE id = ?").bind(this.version, machineId),
    ]);
    if (this.#taken === 0) return;
    await this.configure();
    await this.#finishRecalculation();
  }

  /** Whether D1 has heard of the machine's first event. */
  async isKnownToHaveBegun(): Promise<boolean> {
    const [row] = await db.select({ heardAt: machines.heardAt }).from(machines).where(eq(machines.id, this.ids.machineId));
    return row?.heardAt != null;
  }

  /** Withdraws a version that somebody dated. */
  async withdrawVersion(version: Version): Promise<void> {
    this.versions = this.versions.map((one) => (one === version ? { ...one, isWithdrawn: true } : one));
    const query = "UPDATE set_up_versions SET withdrawn_at = ? WHERE company_id = ? AND id = ?";
    await env.DB_0.prepare(query).bind(this.#writtenAt, this.ids.companyId, version.id).run();
    await this.#followVersions();
  }

  /** Has D1 and the object follow the versions. What follows from them for the past is recalculated. */
  async #followVersions(): Promise<void> {
    await this.changeSetUp(this.#present());
    await this.configure();
    await this.#finishRecalculation();
  }

  /** The set-up that the versions say of now. */
  #present(): SetUp {
    const known = Map.groupBy(this.versions, keyOf);
    const setUp = { ...(this.setUp as SetUp) };
    const standards = { ...(setUp.skuStandardsMs as Record<string, number>) };
    const shifts = new Map(setUp.shifts.map((shift) => [shift.id, shift]));
    for (const own of known.values()) {
      const { kind, entity, body } = versionAt(own, this.#writtenAt) as Version;
      const shiftId = Number(entity) % 100;
      if (kind === "rules") Object.assign(setUp, body);
      if (kind === "limits") Object.assign(setUp, limitsOf(body));
      if (kind === "standard" && body) standards[entity] = body.standardCycleSeconds * 1000;
      if (kind === "standard" && !body) delete standards[entity];
      if (kind === "shift" && body) shifts.set(shiftId, { id: shiftId, ...withoutMachines(body) });
      if (kind === "shift" && !body) shifts.delete(shiftId);
    }
    return { ...setUp, skuStandardsMs: standards, shifts: [...shifts.values()].sort((a, b) => a.id - b.id) };
  }

  /** What of a set-up has versions. */
  #thingsOf(setUp: SetUp): Thing[] {
    const { companyId, machineId } = this.ids;
    const toSeconds = (ms: number | null | undefined) => (ms == null ? null : ms / 1000);
    const { timezone, signOutAtShiftEnd, productionDay = "calendarDay", signal, skuStandardsMs } = setUp;
    const limits = {
      ...{ signal, stopAfterSeconds: setUp.stopAfterMs / 1000, noDataAfterSeconds: toSeconds(setUp.noDataAfterMs) },
      ...{ standardCycleSeconds: toSeconds(setUp.standardCycleMs), reportingSeconds: null, hourlyRate: null },
    };
    const standards = skuStandardsMs as Record<string, number>;
    const standard = (skuId: string) =>
      standards[skuId] === undefined ? null : { standardCycleSeconds: (standards[skuId] ?? 0) / 1000 };
    return [
      { kind: "limits", entity: String(machineId), machineId: 0, body: limits },
      { kind: "rules", entity: String(companyId), machineId: 0, body: { timezone, signOutAtShiftEnd, productionDay } },
      { kind: "standard", entity: "A", machineId: 0, body: standard("A") },
      { kind: "standard", entity: "B", machineId, body: standard("B") },
      ...shiftMenu.map(({ id }): Thing => {
        const { id: _, ...shift } = setUp.shifts.find((one) => one.id === id) ?? { id: null };
        const body = "start" in shift ? { machineIds: null, ...shift } : null;
        return { kind: "shift", entity: String(this.shiftId(id)), machineId: 0, body };
      }),
    ];
  }

  /** Closes an order in D1, or reopens it if it is closed. The object learns of it as of a change of its set-up. */
  async closeOrReopen(workOrderId: string): Promise<void> {
    const isReopened = this.closedOrders.delete(workOrderId);
    if (isReopened) this.model.begun.add(workOrderId);
    else this.closedOrders.set(workOrderId, this.#clock);
    this.version++;
    const status = isReopened ? "InProgress" : "Completed";
    const closedAt = this.closedOrders.get(workOrderId) ?? null;
    await db.batch([
      db.update(workOrders).set({ status, closedAt }).where(eq(workOrders.id, workOrderId)),
      db.update(machines).set({ configVersion: this.version }).where(eq(machines.id, this.ids.machineId)),
    ]);
  }

  /** The id in D1 of a shift in the menu. */
  shiftId(id: number): number {
    return this.ids.machineId * 100 + id;
  }

  #read(): Omit<Settings, "since"> {
    const setUp = this.setUp as SetUp;
    const { countingFactor: _, isCounting: __, ...measures } = setUp;
    const shifts = setUp.shifts.map((shift): Definition => ({ ...shift, id: this.shiftId(shift.id) }));
    const operatorId = (id: number) => this.ids.operatorIds[id % this.ids.operatorIds.length] as number;
    const plan = setUp.plan.map((one) => ({
      ...one,
      operatorId: operatorId(one.operatorId),
      shiftId: this.shiftId(one.shiftId),
    }));
    return { ...measures, commissionedAt: this.model.commissionedAt, shifts, plan };
  }

  /** Called before each call of the object by a caller who saw this version of the set-up. Returns whether the object can read it. */
  #readsSetUp(version: number): boolean {
    if (this.#taken > 0 && this.#taken >= version) return true;
    if (this.failing > 0) return false;
    this.#taken = this.version;
    this.model.configure(this.#read(), this.versions, this.calendarDays);
    this.model.followOrders(this.closedOrders);
    return true;
  }

  async configure(): Promise<void> {
    if (!this.#readsSetUp(this.version)) return this.#isRefusedByD1(this.object.configure(this.version));
    // One version in two is passed, as the consumer of a message passes it.
    const { companyId, machineId } = this.ids;
    const [read] = this.version % 2 === 0 ? await readChangedSetUps(env, companyId, [machineId]) : [];
    expect(await this.object.configure(this.version, read?.setUp())).toBe(true);
    await this.#wakesSoon();
  }

  async #isRefusedByD1(call: Promise<unknown>): Promise<void> {
    await expect(call).rejects.toThrow("Network connection lost");
  }

  // Actions and queries

  /** @param version the version of the set-up that the sender saw */
  async ingest(events: IncomingEvent[], version = this.version, sent: SentEvent[] = events): Promise<void> {
    if (!this.#readsSetUp(version)) return this.#isRefusedByD1(this.object.ingest(events, version));
    const known = this.#taken > version ? events.map((one) => this.#withoutClosedOrder(one)) : events;
    const expected = this.model.ingest(known, this.#forgottenTo());
    const { results = [] } = (await this.object.ingest(structuredClone(sent), version)) ?? {};
    const codes = results.map((result) => (typeof result === "string" ? result : result.code));
    expect(codes).toEqual(expected);
    const isNew = events.some(({ event }, i) => expected[i] === "accepted" && event.at <= this.model.now);
    if (isNew) await this.#wakesSoon();
    await this.#finishRecalculation();
  }

  /** Late events of a past that is archived count once a recalculation has ended. */
  async #finishRecalculation(): Promise<void> {
    const { recalculation } = stateIn(this.storage);
    if (!recalculation || this.isKilled) return;
    this.pass(11_000);
    // It waits longer if the clock was set back since it was asked for.
    if (recalculation.dueAt > this.#clock) await this.wait(recalculation.dueAt, false);
    for (let i = 0; i < 2000 && stateIn(this.storage).recalculation; i++) await this.ring();
    expect(stateIn(this.storage).recalculation ?? null, "the recalculation").toBeNull();
    this.#takeNumbers();
  }

  /** Does some alarms of a recalculation that is interrupted again and again. Returns whether that is over. */
  async goOn(alarms: number): Promise<boolean> {
    const { recalculation } = stateIn(this.storage);
    this.pass(11_000);
    if (recalculation && recalculation.dueAt > this.#clock) await this.wait(recalculation.dueAt, false);
    for (let i = 0; i < alarms && stateIn(this.storage).recalculation; i++) await this.ring();
    if (stateIn(this.storage).recalculation) return false;
    this.#takeNumbers();
    return true;
  }

  /**
   * What is live counts at once, the past later and in steps. The model knows all at once, so it may number stops and records in another order: it takes
   * over the numbers.
   */
  #takeNumbers(): void {
    const rows = this.storage.sql
      .exec<{ seq: number; start: number }>("SELECT seq, start FROM stops ORDER BY start, seq")
      .toArray();
    const unused = new Map(Map.groupBy(rows, ({ start }) => start));
    for (const stop of this.model.stops) stop.seq = unused.get(stop.start)?.shift()?.seq ?? stop.seq;
    this.model.lastStop = stateIn(this.storage).numbers?.lastStop ?? 0;
    const records = this.storage.sql.exec<{ start: number; seq: number }>("SELECT start, seq FROM records").toArray();
    for (const { start, seq } of records) this.model.records.set(start, { seq });
  }

  /** A run for a closed order is for none. */
  #withoutClosedOrder(incoming: IncomingEvent): IncomingEvent {
    const { event } = incoming;
    const isClosed = event.kind === "sku" && this.closedOrders.has(event.workOrderId ?? "");
    return isClosed ? { ...incoming, event: { ...event, workOrderId: null } } : incoming;
  }

  /** Ingests as the API does: it knows which orders are closed. */
  async ingestKnown(events: IncomingEvent[]): Promise<void> {
    await this.ingest(events.map((one) => this.#withoutClosedOrder(one)));
  }

  async #wakesSoon(): Promise<void> {
    const alarmAt = await this.storage.getAlarm();
    expect(alarmAt, "an alarm").not.toBeNull();
    // The pause doubles with each failure.
    const { outbox, settled } = stateIn(this.storage);
    const { failures } = outbox ?? { failures: 0 };
    const isSoon = settled?.isUrgent || failures > 0;
    const pause = isSoon ? Math.min(FLUSH_EVERY * 2 ** Math.max(0, failures - 1), MAX_PAUSE) : COUNTS_EVERY;
    // One that failed is not set to ring before its next try.
    const { retryAt = 0 } = this.storage.kv.get<{ retryAt: number }>("failing alarm") ?? {};
    // An alarm that was set before the clock was set back stays.
    expect(alarmAt ?? 0).toBeLessThanOrEqual(Math.max(this.#latest + pause, retryAt));
  }

  /** Fires the alarm now, as the platform does. */
  async ring(): Promise<void> {
    await this.storage.deleteAlarm();
    if (!this.#readsSetUp(0)) {
      // It does not throw: it is tried again later.
      await this.object.alarm();
      expect(this.#isAlarmFailing(), "the alarm fails").toBe(true);
      return;
    }
    await this.#settling(() => this.object.alarm());
    expect(this.#isAlarmFailing(), "the alarm fails").toBe(false);
  }

  #isAlarmFailing(): boolean {
    return this.storage.kv.get("failing alarm") !== undefined;
  }

  /** A reader comes: waiting rows are sent. */
  async publish(): Promise<void> {
    await this.#settling(() => this.object.publish(0));
  }

  /** Does work that only computes rows if something may have changed. */
  async #settling<T>(work: () => Promise<T>): Promise<T> {
    const uncomputed = { dirtyFrom: null, settledAt: null, settlingSince: null };
    const before = stateIn(this.storage).settled ?? uncomputed;
    // If only time has passed, that is noted in memory only.
    const noted = vi.spyOn(MachineStorage.prototype, "noteValue");
    const result = await work();
    const after = stateIn(this.storage).settled ?? uncomputed;
    // Rows that become stale because the time of an event has come are also a change, but no row is computed anew.
    const isCurrent = after.settledAt !== before.settledAt || after.settlingSince !== before.settlingSince;
    const isClean = before.dirtyFrom !== null && after.dirtyFrom === null;
    if (isCurrent || isClean || noted.mock.calls.length > 0) this.model.computeRows();
    noted.mockRestore();
    return result;
  }

  /** Lets time pass, and fires the alarms on the way: the first few on time, the rest late. */
  async wait(until: number, isWatched: boolean): Promise<void> {
    for (let i = 0; i < 3; i++) {
      const alarmAt = await this.storage.getAlarm();
      if (this.#isBehind()) await this.#wakesSoon();
      else if (isWatched) await this.#isRightBefore(Math.min(until, alarmAt ?? until));
      if (alarmAt === null || alarmAt > until) break;
      this.setNow(Math.max(this.#clock, alarmAt));
      await this.ring();
    }
    this.setNow(Math.max(this.#clock, until));
  }

  /** Nothing fires before an instant, so D1 already contains what is true until then. */
  async #isRightBefore(at: number): Promise<void> {
    const { now } = this.model;
    if (at - 1 <= now) return;
    const rows = await db
      .select()
      .from(shiftRecords)
      .where(eq(shiftRecords.machineId, this.ids.machineId))
      .orderBy(asc(shiftRecords.startAt));
    this.model.now = at - 1;
    this.#compareRecords(rows, false);
    this.model.now = now;
  }

  async recalculate(from: number, until: number): Promise<void> {
    if (!this.#readsSetUp(0)) return this.#isRefusedByD1(this.object.recalculate(from, until, null));
    expect(await this.object.recalculate(from, until, null)).toBe(true);
  }

  async operators(): Promise<void> {
    if (!this.#readsSetUp(0)) return this.#isRefusedByD1(this.object.operators());
    expect(await this.object.operators()).toEqual(this.model.operators());
  }

  async state(): Promise<void> {
    const isDegraded = this.#isAlarmFailing();
    if (!this.#readsSetUp(0)) {
      if (!isDegraded) return this.#isRefusedByD1(this.object.state());
      expect(await this.object.state()).toMatchObject({ bucket: "noData", isDegraded });
      return;
    }
    const overview = await this.#settling(() => this.object.overview());
    const now = await this.object.state();
    const { isDegraded: marked = isDegraded, heldCounts, isRecalculating: _isPast, ...state } = now ?? {};
    expect(marked).toBe(isDegraded);
    if (now) expect(heldCounts, "the held counts of the state").toBe(this.model.held.length + this.model.heldClosed.length);
    const byId = (list: readonly { operatorId: number; since: number }[] = []) =>
      list.toSorted((a, b) => a.operatorId - b.operatorId);
    expect({ ...state, signedIn: byId(now?.signedIn) }).toEqual(this.model.state());
    const { stop, numbers, asOf, isDegraded: _, heldCounts: __, isRecalculating: ___, ...same } = overview ?? {};
    expect(state, "the overview's").toEqual(same);
    expect(stop != null, "the stop of the overview").toBe(now?.stopSeq != null);
    const record = now?.shift && this.model.record(now.shift as Shift);
    expect(numbers?.sums).toEqual(record?.sums);
    const { recentUnits, recentMs, ...made } = record?.made ?? {};
    const shift = now?.shift as Shift | undefined;
    close(numbers?.made ?? {}, shift ? this.#withoutCorrected(shift, numbers?.made ?? {}, made) : made, "the overview");
  }

  async explain(start: number): Promise<void> {
    if (!this.#readsSetUp(0)) return this.#isRefusedByD1(this.object.explain(start));
    const actual = await this.object.explain(start);
    this.model.computeRows();
    const shift = this.model.begunShifts().find((one) => one.start === start);
    if (!shift) {
      expect(actual).toBeNull();
      return;
    }
    const { segments, sums, made, skus } = this.model.record(shift);
    const expected = segments.map(({ stop, ...segment }) => {
      return { ...segment, stop: stop && { seq: stop.seq, breakName: stop.breakName } };
    });
    const { made: actualMade, skus: actualSkus, corrections: actualCorrections, corrected: _, ...timeline } = actual ?? {};
    const corrected = this.model.hasCorrections(shift) ? this.model.corrected(shift) : [];
    const applied = (actualCorrections ?? [])
      .map(({ seq, appliedTotal }) => [seq, appliedTotal])
      .filter(([, total]) => total !== 0);
    expect(applied, "what corrections change").toEqual(
      corrected.map(({ seq, total }) => [seq, total]).filter(([, total]) => total !== 0),
    );
    expect({ ...timeline, segments: merged(actual?.segments ?? []) }).toEqual({ occurrence: shift, segments: expected, sums });
    close(actualSkus, skus, "the SKUs");
    const expectedMade = this.#withoutCorrected(shift, actualMade ?? made, made);
    close(actualMade, this.#withKept(shift, actualMade ?? made, expectedMade), "what was made");
  }

  /** The model does not know the parts, by whose standards corrections count. That the parts add up to the record is compared in any case. */
  #withoutCorrected<T extends object>(shift: Shift, actual: T, expected: T): T {
    if (!this.model.hasCorrections(shift)) return expected;
    const { idealMs, cyclesWithStandard, lostByDefectsMs, unitsWithoutTime } = actual as unknown as Production;
    return { ...expected, idealMs, cyclesWithStandard, lostByDefectsMs, unitsWithoutTime };
  }

  /** The last running time of a shift can no longer be computed once its counts are forgotten. */
  #withKept<T extends Recent>({ end }: { end: number }, actual: Recent, expected: T): T {
    if (end > this.#forgottenTo()) return expected;
    return { ...expected, recentMs: actual.recentMs, recentUnits: actual.recentUnits };
  }

  async edit(edit: StopEdit | OrphanEdit): Promise<void> {
    const by = { userId: this.ids.userId, apiTokenId: null, requestId: crypto.randomUUID() };
    const ask = () =>
      "n" in edit
        ? this.object.decideOrphan(edit, this.ids.companyId, by, null, 0)
        : this.object.editStops(edit, this.ids.companyId, by);
    if (!this.#readsSetUp(0)) return this.#isRefusedByD1(ask());
    const willFail = this.failing > 0;
    const expected = this.model.edit(edit);
    const answer = await ask();
    if ("refused" in answer) {
      expect(answer.refused).toBe(expected);
      return;
    }
    const seqs = typeof expected === "string" ? [expected] : expected;
    expect(answer.stops.map(([slice]) => slice?.id)).toEqual(seqs.map((seq) => this.#id(Number(seq))));
    // An edit that changes nothing need not be written.
    if (!this.model.saysWhatIsSo) expect(answer.bookmark === null).toBe(willFail);
    if (!willFail) expect(this.#isBehind(), "an edit that was answered is in D1").toBe(false);
    else await this.#wakesSoon();
  }

  /** Gives many stops the causes that are named. A part that is sent again changes nothing. */
  async classifyMany(stops: { seq: number; version: number }[], named: NamedCauses, isSentAgain: boolean): Promise<void> {
    const by = { userId: this.ids.userId, apiTokenId: null, requestId: crypto.randomUUID() };
    const bulkId = `bulk ${++this.#lastBulk}`;
    const { generalCauseId = null, specificCauseId = null, componentId = null, description = null } = named;
    const flagsOf = (id: number | null) => (id === null ? undefined : causeMenu.get(id)?.flags);
    const members = (["generalCauseId", "specificCauseId", "componentId", "description"] as const).filter(
      (member) => named[member] === undefined,
    );
    // The flags of causes of stops that may stay beside the named one.
    const mayStay = ([id, { above }]: [number, Cause]) => {
      if (generalCauseId !== null && named.specificCauseId === undefined) return above === generalCauseId ? [id] : [];
      return named.generalCauseId === undefined && named.specificCauseId === null && above === null ? [id] : [];
    };
    const kept = {
      members,
      generalCauseId: causeMenu.get(specificCauseId ?? 0)?.above ?? null,
      flags: Object.fromEntries([...causeMenu].flatMap(mayStay).map((id) => [id, flagsOf(id) ?? {}])),
    };
    const edit = {
      ...{ key: `${bulkId} part`, bulkId, stops, kept, flags: flagsOf(specificCauseId ?? generalCauseId) ?? {} },
      causes: { generalCauseId, specificCauseId, componentId, description },
    };
    const ask = () => this.object.classifyStops(edit, this.ids.companyId, by, 0);
    if (!this.#readsSetUp(0)) return this.#isRefusedByD1(ask());
    const willFail = this.failing > 0;
    const results = this.model.classifyMany(bulkId, stops, named, causeMenu);
    this.bulks.push(bulkId);
    expect((await ask())?.results, "a bulk classification").toEqual(results);
    if (isSentAgain) expect((await ask())?.results, "a bulk classification that is sent again").toEqual(results);
    await this.#isSent(willFail);
  }

  /** Takes a bulk classification back. */
  async undoMany(bulkId: string, isSentAgain: boolean): Promise<void> {
    const by = { userId: this.ids.userId, apiTokenId: null, requestId: crypto.randomUUID() };
    const ask = () => this.object.undoClassification(bulkId, this.ids.companyId, by, 0);
    if (!this.#readsSetUp(0)) return this.#isRefusedByD1(ask());
    const willFail = this.failing > 0;
    const expected = this.model.undoMany(bulkId);
    this.bulks = this.bulks.filter((one) => one !== bulkId);
    expect(await ask(), "what is taken back of a bulk classification").toMatchObject(expected);
    if (isSentAgain) expect(await ask(), "what is taken back of it once more").toMatchObject(expected);
    await this.#isSent(willFail);
  }

  /** Once an edit is answered, D1 has it, unless that fails. */
  async #isSent(willFail: boolean): Promise<void> {
    if (!willFail) expect(this.#isBehind(), "what was answered is in D1").toBe(false);
    else if (this.#isBehind()) await this.#wakesSoon();
  }

  /** Decides about the first held counts of a day: once the call is answered, D1 has it. */
  async decideHeld(action: "accept" | "drop", day: number, seqs: readonly number[]): Promise<void> {
    const by = { userId: this.ids.userId, apiTokenId: null, requestId: crypto.randomUUID() };
    const decision = { action, entry: entryOf(day * DAY, "implausible"), seqs };
    if (!this.#readsSetUp(0)) return this.#isRefusedByD1(this.object.decideHeld(decision, by, null, 0));
    const willFail = this.failing > 0;
    const expected = this.model.decideHeld(action, day, seqs);
    const answer = await this.object.decideHeld(decision, by, null, 0);
    if ("refused" in answer) {
      expect(answer.refused).toBe(expected);
      return;
    }
    expect(answer.decided).toBe(expected);
    this.model.computeRows();
    if (!willFail) expect(this.#isBehind(), "what was decided and answered is in D1").toBe(false);
    else await this.#wakesSoon();
  }

  /** Imports events, of any age: they count once the import has ended. */
  async import(events: IncomingEvent[]): Promise<void> {
    if (!this.#readsSetUp(this.version)) return;
    const importId = this.ids.machineId * 100 + this.imports.length + 1;
    this.imports.push({ importId, isWithdrawn: false });
    const heldBefore = this.model.held.length;
    const expected = this.model.ingest(events, this.#forgottenTo(), importId);
    const piece = { importId, receivedAt: this.#clock, offset: 0, events: structuredClone(events) };
    const added = await this.object.addHistory(piece, this.version);
    if (added === null || added === "over") throw new Error("the import was not taken");
    const codes = [...added.results].map((result) =>
      result >= 10 ? added.refusals[result - 10]?.code : result === 2 ? "duplicate" : "accepted",
    );
    expect(codes, "the results of an import").toEqual(expected);
    const held = [...added.results].filter((result) => result === 3);
    expect(held.length, "held counts of an import").toBe(this.model.held.length - heldBefore);
    await this.object.endHistory(importId);
    await this.#finishRecalculation();
  }

  /** Takes an import back. */
  async withdrawImport(one: Plant["imports"][number]): Promise<void> {
    if (!this.#readsSetUp(0)) return this.#isRefusedByD1(this.object.withdrawHistory(one.importId));
    if (this.model.isClosedImport(one.importId)) {
      await expect(this.object.withdrawHistory(one.importId)).rejects.toThrow("books are closed");
      return;
    }
    await this.object.withdrawHistory(one.importId);
    one.isWithdrawn = true;
    this.model.withdrawImport(one.importId);
    await this.#finishRecalculation();
  }

  /** Says what was made, or who was there, in a past time. */
  async amend(amendment: Amendment): Promise<void> {
    const by = { userId: this.ids.userId, apiTokenId: null, requestId: crypto.randomUUID() };
    const ask = () => this.object.amend(amendment, "Random", this.ids.companyId, by, this.#amendmentEntry(by, "create"), null, 0);
    if (!this.#readsSetUp(0)) return this.#isRefusedByD1(ask());
    const expected = this.model.amend(amendment);
    const answer = await ask();
    expect("refused" in answer ? answer.refused : null, "an amendment").toBe(expected);
    if ("n" in answer) expect(answer.n).toBe(this.model.amendments.length);
    if (expected === null) this.model.computeRows();
    await this.#finishRecalculation();
  }

  async undoAmendment({ kind, n }: Pick<Amended, "kind" | "n">): Promise<void> {
    const by = { userId: this.ids.userId, apiTokenId: null, requestId: crypto.randomUUID() };
    const ask = () => this.object.undoAmendment(kind, n, this.ids.companyId, by, this.#amendmentEntry(by, "undo"), null);
    if (!this.#readsSetUp(0)) return this.#isRefusedByD1(ask());
    const expected = this.model.undoAmendment(kind, n);
    expect("n" in (await ask()), "an undone amendment").toBe(expected);
    if (expected) this.model.computeRows();
    await this.#finishRecalculation();
  }

  #amendmentEntry(by: EditedBy, verb: "create" | "undo") {
    const entry = { id: crypto.randomUUID(), at: this.#clock, companyId: this.ids.companyId, ...by };
    return { ...entry, action: `run-amendment.${verb}`, objectType: "run-amendment", objectId: "", before: null, after: null };
  }

  /** Has the events that match count for nothing. */
  async withdraw(filter: EventFilter): Promise<void> {
    const by = { userId: this.ids.userId, apiTokenId: null, requestId: crypto.randomUUID() };
    const ask = () => this.object.withdrawEvents({ ...filter, reason: "Random" }, by, null, 0);
    if (!this.#readsSetUp(0)) return this.#isRefusedByD1(ask());
    const expected = this.model.withdraw(filter);
    const answer = await ask();
    if ("refused" in answer) expect(answer.refused, "a withdrawal").toBe(expected === 0 ? "no_match" : expected);
    else expect(answer.withdrawal.events, "the events of a withdrawal").toBe(expected);
    if ("refused" in answer) this.model.noteEvents();
    else this.model.computeRows();
    await this.#finishRecalculation();
  }

  /** Has the events of a withdrawal count again. */
  async restore(seq: number): Promise<void> {
    const by = { userId: this.ids.userId, apiTokenId: null, requestId: crypto.randomUUID() };
    const ask = () => this.object.restoreEvents(seq, by, null, 0);
    if (!this.#readsSetUp(0)) return this.#isRefusedByD1(ask());
    const expected = this.model.restore(seq);
    expect("withdrawal" in (await ask()), "a restored withdrawal").toBe(expected);
    if (expected) this.model.computeRows();
    else this.model.noteEvents();
    await this.#finishRecalculation();
  }

  /** Closes the books up to an instant. Once the call is answered, D1 has all rows. */
  async closeBooks(to: number): Promise<void> {
    const ask = () => this.object.closeBooks({ closingId: this.#lastClosing, to }, this.ids.companyId, this.version);
    this.#lastClosing++;
    if (!this.#readsSetUp(this.version)) return this.#isRefusedByD1(ask());
    // A closing waits for it.
    await this.#finishRecalculation();
    const willFail = this.failing > 0;
    this.model.close(to);
    const answer = await ask();
    if (!willFail) expect(answer, "a closing").toEqual({ isClosed: true });
    if (!answer?.isClosed) expect(answer, "a closing").toEqual({ isClosed: false, waitsFor: "database" });
    if (this.#isBehind()) await this.#wakesSoon();
  }

  /** Takes the newest closing back. If it has failed, the events that it held count at once. */
  async reopenBooks(isFailed: boolean): Promise<void> {
    const to = this.model.closings.at(-2)?.to ?? 0;
    const ask = () => this.object.reopenBooks({ closingId: this.#lastClosing, to, isFailed }, this.ids.companyId);
    if (!this.#readsSetUp(0)) return this.#isRefusedByD1(ask());
    this.model.reopen(isFailed);
    expect(await ask(), "a reopening").toBe(true);
    await this.#finishRecalculation();
  }

  /** Accepts or drops events of a day that were held because its books were closed. */
  async decideClosed(action: "accept" | "drop", day: number, seqs: readonly number[]): Promise<void> {
    const by = { userId: this.ids.userId, apiTokenId: null, requestId: crypto.randomUUID() };
    const decision = { action, entry: entryOf(day * DAY, "closedBooks"), seqs };
    if (!this.#readsSetUp(0)) return this.#isRefusedByD1(this.object.decideHeld(decision, by, null, 0));
    const expected = this.model.decideClosed(action, day, seqs);
    const answer = await this.object.decideHeld(decision, by, null, 0);
    expect("refused" in answer ? answer.refused : answer.decided, "a decision").toBe(expected);
    if (typeof expected === "number") this.model.computeRows();
    if (this.#isBehind()) await this.#wakesSoon();
    await this.#finishRecalculation();
  }

  /** Enters a correction: once the call is answered, D1 has it. */
  async correct(sent: Pick<Corrected, "at" | "skuId" | "workOrderId" | "total" | "defects">): Promise<void> {
    const by = { userId: this.ids.userId, apiTokenId: null, requestId: crypto.randomUUID() };
    const correction = { ...sent, rework: 0, reasonId: null, comment: null };
    if (!this.#readsSetUp(0)) return this.#isRefusedByD1(this.object.correct(correction, by, null, 0));
    const willFail = this.failing > 0;
    const at = Math.min(sent.at, this.model.now);
    this.model.noteEvents();
    const expected = this.model.refusalOf({ ...sent, at });
    const answer = await this.object.correct(correction, by, null, 0);
    this.model.computeRows();
    if ("refused" in answer) {
      if (expected !== null || sent.total - sent.defects >= 0) expect(answer.refused, "a correction").toBe(expected);
      else expect(answer.refused).toBe("below_zero");
      if (this.#isBehind()) await this.#wakesSoon();
      return;
    }
    expect(expected, "a correction").toBeNull();
    const seq = this.model.corrections.length + 1;
    expect(answer.correction.id).toBe(this.#id(seq));
    this.model.corrections.push({ ...sent, at, seq, isUndone: false });
    // It may be all that was made for an order, and D1 has it at once, whatever follows.
    this.model.noteBegun();
    if (!willFail) expect(this.#isBehind(), "a correction that was answered is in D1").toBe(false);
    else await this.#wakesSoon();
  }

  async undoCorrection(seq: number): Promise<void> {
    const by = { userId: this.ids.userId, apiTokenId: null, requestId: crypto.randomUUID() };
    if (!this.#readsSetUp(0)) return this.#isRefusedByD1(this.object.undoCorrection(seq, by, null, 0));
    const known = this.model.corrections.find((one) => one.seq === seq && !one.isUndone);
    const answer = await this.object.undoCorrection(seq, by, null, 0);
    this.model.computeRows();
    const isOpen = known !== undefined && known.at >= this.model.floor();
    expect("refused" in answer, "refused to be undone").toBe(!isOpen);
    if (isOpen) known.isUndone = true;
    if (this.#isBehind()) await this.#wakesSoon();
  }

  /** Cuts an order's run: once the call is answered, D1 has it. */
  async cutRun(workOrderId: string, at: number): Promise<void> {
    if (!this.#readsSetUp(0)) return this.#isRefusedByD1(this.object.cutRun(workOrderId, at));
    const willFail = this.failing > 0;
    const expected = this.model.cutRun(workOrderId, at);
    const { outcome } = await this.object.cutRun(workOrderId, at);
    // A forgotten cut is too late when it comes again, and equally changes nothing.
    const isForgotten = expected === "cut" && outcome === "none" && at < this.#forgottenTo();
    if (!isForgotten) expect(outcome === "unpublished" ? "cut" : outcome, "a cut").toBe(expected);
    const isRecalculated = Boolean(stateIn(this.storage).recalculation);
    if (outcome === "unpublished") expect(willFail || isRecalculated, "D1 failed, or it is recalculated").toBe(true);
    if (outcome === "cut") expect(this.#isBehind(), "a cut that was answered is in D1").toBe(false);
    if (outcome === "cut" || outcome === "unpublished") this.model.computeRows();
    if (this.#isBehind()) await this.#wakesSoon();
    if (isRecalculated && !willFail) await this.#finishRecalculation();
  }

  // Contents of D1

  /** Waits until nothing is left to send, and compares everything published with the model. */
  async published(): Promise<void> {
    this.failing = 0;
    await this.ring();
    await this.#finishRecalculation();
    // If only time has passed nothing is published, until someone reads.
    await this.#settling(() => this.object.explain(0));
    for (let i = 0; i < 3 && this.#isBehind(); i++) await this.publish();
    expect(this.#isBehind(), "comes to rest").toBe(false);
    const { machineId, companyId } = this.ids;
    const [recordRows, partRows, stopRows, operatorRows, runRows, auditRows, orderRows, heldRows, hourRows] = await db.batch([
      db.select().from(shiftRecords).where(eq(shiftRecords.machineId, machineId)).orderBy(asc(shiftRecords.startAt)),
      selectParts(machineId),
      db.select(stopColumns).from(stops).where(eq(stops.machineId, machineId)).orderBy(asc(stops.shiftStart), asc(stops.startAt)),
      db
        .select()
        .from(operatorShifts)
        .where(eq(operatorShifts.machineId, machineId))
        .orderBy(asc(operatorShifts.shiftStart), asc(operatorShifts.operatorId)),
      db.select().from(orderRuns).where(eq(orderRuns.machineId, machineId)).orderBy(asc(orderRuns.startAt)),
      db.select().from(audit).where(eq(audit.companyId, companyId)).orderBy(asc(audit.at)),
      db.select({ id: workOrders.id, status: workOrders.status }).from(workOrders).where(eq(workOrders.companyId, companyId)),
      db.select().from(heldEntries).where(eq(heldEntries.machineId, machineId)).orderBy(asc(heldEntries.day)),
      db
        .select({ startAt: hoursOutsideShifts.startAt, units: hoursOutsideShifts.units })
        .from(hoursOutsideShifts)
        .where(eq(hoursOutsideShifts.machineId, machineId))
        .orderBy(asc(hoursOutsideShifts.startAt)),
    ]);
    this.#compareRecords(recordRows, true);
    this.#compareParts(partRows, recordRows);
    this.#compareStops(stopRows);
    await this.#compareEvents(stopRows);
    const people = operatorRows.map(
      ({ machineId: _, companyId: __, revision: ___, dayOffset, recordedAfterMs, recordedAt, ...row }) =>
        this.#withoutRunningTimes(row),
    );
    const pieces = this.model.marked();
    const counts = this.model.counts();
    const shares = this.model.begunShifts().flatMap((shift) => {
      const { shiftId, start: shiftStart, end: shiftEnd } = shift;
      return this.model
        .shares(shift, pieces, counts)
        .map((share) =>
          this.#withoutRunningTimes({ shiftStart, shiftId, shiftEnd, ...share, lineId: 0, day: this.model.dayOf(shift) }),
        );
    });
    expect(people, "the operators of shifts").toEqual(shares);
    this.#compareHeld(heldRows);
    await this.#compareEdits();
    expect(hourRows, "the hours outside shifts").toEqual(this.model.outsideHours());
    const runs = runRows.map(({ machineId: _, revision: __, ...row }) => row);
    const isCorrected = this.model.corrections.some(({ isUndone }) => !isUndone);
    // What is taken away may come from several runs of an order: then their sums are compared.
    if (isCorrected) expect(sumsOfRuns(runs), "the runs of orders").toEqual(sumsOfRuns(this.model.runs()));
    else expect(runs.filter(hasMade), "the runs of orders").toEqual(this.model.runs().filter(hasMade));
    // Where an order was closed or reopened its run may go on: if it was done and undone at once, or if late events put another order there.
    const cuts = this.model.orderCuts.filter(({ at, order }) => at <= this.model.now && order === undefined);
    for (const { at, workOrderId } of cuts) {
      const since = runs.filter((run) => run.workOrderId === workOrderId && run.startAt >= at);
      const made = since.reduce((sum, { correct, defects }) => sum + correct + defects, 0);
      if (!isCorrected)
        expect(made, `made for ${workOrderId} since ${new Date(at).toISOString()}`).toBe(this.model.madeSince(workOrderId, at));
    }
    const inProgress = orderRows.filter(({ status }) => status === "InProgress").map(({ id }) => id);
    const made = this.model.runs().filter((run) => hasMade(run) && !this.closedOrders.has(run.workOrderId));
    expect(inProgress, "the orders in progress").toEqual(expect.arrayContaining(made.map(({ workOrderId }) => workOrderId)));
    // Production for an order may have been withdrawn by a late event, before or after D1 had it.
    expect([...this.model.begun], "the orders that were begun").toEqual(expect.arrayContaining(inProgress));
    const audited = auditRows
      .filter(({ kind }) => kind === kindNumber("stop"))
      .map(({ action, objectId, form, changes }) => ({ action, objectId, ...shownChanges({ form, changes }) }));
    const done = this.model.audit.map(({ action, seq, before, after }) => {
      return { action, objectId: String(this.#id(seq)), ...differing(this.#withId(before), this.#withId(after)) };
    });
    // Entries of one instant, while the clock stands still, come in any order.
    const byNumber = (rows: { objectId: string; action: string; before: unknown; after: unknown }[]) =>
      rows.toSorted((a, b) => orderOf(a).localeCompare(orderOf(b)));
    expect(byNumber(audited), "the audit").toEqual(byNumber(done));
  }

  #withId(audited: unknown): unknown {
    if (Array.isArray(audited)) return audited.map((one) => this.#withId(one));
    if (audited === null) return null;
    const { seq, ...members } = audited as { seq: number };
    return { id: this.#id(seq), ...members };
  }

  /** @param isFresh whether the rows were computed just now; otherwise only time has passed since */
  #compareRecords(rows: (typeof shiftRecords.$inferSelect)[], isFresh: boolean): void {
    const pieces = this.model.marked();
    const counts = this.model.counts();
    const shifts = this.model.begunShifts();
    expect(
      rows.map(({ startAt, endAt, shiftId }) => [startAt, endAt, shiftId]),
      "the shifts",
    ).toEqual(shifts.map(({ start, end, shiftId }) => [start, end, shiftId]));
    for (const [i, row] of rows.entries()) {
      const shift = shifts[i] as Shift;
      const { sums, made } = this.model.record(shift, pieces, counts);
      const actual = { ...row, ...extendSums(row, sums.asOf) };
      const about = `shift of ${new Date(shift.start).toISOString()}`;
      const id = this.#id(this.model.records.get(shift.start)?.seq ?? 0);
      const expectedMade = this.#withoutCorrected(shift, actual as typeof made, made);
      const expected = { id, ...sums, ...(isFresh && this.#withKept(shift, actual, expectedMade)) };
      const members = Object.keys(expected) as (keyof typeof actual)[];
      close(Object.fromEntries(members.map((member) => [member, actual[member]])), expected, about);
      const silent = pieces.filter((piece) => bucketOf(piece) === "noData").flatMap((piece) => within(piece, shift, sums));
      const spans = row.noDataSpans.map(([start, end]) => ({ start, end: end ?? Number.POSITIVE_INFINITY }));
      equal(spans, silent, about);
    }
  }

  /** Operators' times in a running shift are as of some flush. */
  #withoutRunningTimes<T extends { shiftEnd: number; uptimeMs: number; downtimeMs: number }>(row: T) {
    const isRunning = row.shiftEnd > this.model.now && this.model.isInService();
    return isRunning ? { ...row, uptimeMs: 0, downtimeMs: 0 } : row;
  }

  /** The parts of a shift cover it without overlap; each has one hour, SKU and order, and together they make up its record. */
  #compareParts(rows: Awaited<ReturnType<typeof selectParts>>, records: (typeof shiftRecords.$inferSelect)[]): void {
    const recordOf = new Map(records.map((record) => [record.startAt, record]));
    const pieces = this.model.marked();
    const counts = this.model.counts();
    const byShift = Map.groupBy(rows, ({ shiftStart }) => shiftStart);
    const shifts = this.model.begunShifts();
    expect([...byShift.keys()], "the shifts of parts").toEqual(shifts.map(({ start }) => start));
    for (const shift of shifts) {
      const { sums, made } = this.model.record(shift, pieces, counts);
      const { timezone } = this.model.settingsAt(shift.start);
      const own = byShift.get(shift.start) ?? [];
      const stamps = new Set(own.map(({ lineId, day }) => `${lineId} ${day}`));
      expect([...stamps], "the line and day of parts").toEqual([`0 ${this.model.dayOf(shift)}`]);
      const parts = own.flatMap((part) => extendPart(part, sums.asOf, shift.end));
      const about = `parts of the shift of ${new Date(shift.start).toISOString()}`;
      const last = parts.at(-1);
      const isOpen = sums.openBucket !== null;
      const starts = parts.map(({ startAt }) => startAt);
      expect(starts[0], about).toBe(Math.min(Math.max(shift.start, this.model.commissionedAt), sums.asOf));
      expect([...starts.slice(1), last?.endAt], about).toEqual(parts.map(({ endAt }) => endAt));
      expect(last && { asOf: last.asOf, openBucket: last.openBucket, openIsAnnotated: last.openIsAnnotated }, about).toEqual(
        isOpen
          ? { asOf: sums.asOf, openBucket: sums.openBucket, openIsAnnotated: sums.openIsAnnotated }
          : { asOf: null, openBucket: null, openIsAnnotated: false },
      );
      if (!isOpen) expect(last?.endAt, about).toBe(sums.asOf);
      const actual = Object.fromEntries(summed.map((member) => [member, parts.reduce((sum, part) => sum + part[member], 0)]));
      const record = recordOf.get(shift.start);
      const isCorrected = this.model.hasCorrections(shift);
      const whole = {
        ...sums,
        ...made,
        ...(isCorrected && record && this.#withoutCorrected(shift, record as typeof made, made)),
      };
      const expected = Object.fromEntries(summed.map((member) => [member, whole[member]]));
      for (const member of summed) {
        const sum = expected[member] ?? Number.NaN;
        // With the units of an accepted glitch a sum has fewer places.
        expect(actual[member], `${member} of the ${about}`).toBeCloseTo(sum, sum < 1e9 ? 5 : -3);
      }
      for (const part of parts) {
        const own = countsIn(counts, part, shift, part === last);
        if (!isCorrected) expect(part.totalUnits, about).toBe(own.reduce((sum, { event }) => sum + event.total, 0));
        expect(own.filter(({ skuId, workOrderId }) => skuId !== part.skuId || workOrderId !== part.workOrderId)).toEqual([]);
        expect(part.skuId, about).toBe(this.model.skuId(part.startAt));
        isInOneHour(part, timezone, about);
        const scheduledMs = part.availableMs + part.nonProgrammedMs;
        const inMinutes = [0, 1, 2].map((i) => part.fiveMinutes.reduce((sum, triple) => sum + (triple[i] ?? 0), 0));
        expect(inMinutes, about).toEqual([part.totalUnits, part.defectUnits, scheduledMs]);
      }
    }
  }

  /** D1 has each event once, in order, and a subscriber knows the present state of every stop, except for history. */
  async #compareEvents(stopRows: Stop[]): Promise<void> {
    const rows = await readEvents(eq(events.machineId, this.ids.machineId));
    const numbers = rows.map(({ id }) => Number(id.slice(id.lastIndexOf("-") + 1)));
    expect(numbers, "the order of events").toEqual(numbers.map((_, i) => i + 1));
    for (const { type, data } of rows) expect(() => catalogue[type].data.parse(data), type).not.toThrow();
    const history = this.#latest - LATE_LIMIT;
    const actual = new Map(rows.flatMap(({ data }) => (data.stopId === undefined ? [] : [[Number(data.stopId), data]])));
    const live = new Map(stopRows.filter(({ deletedAt }) => deletedAt === null).map((stop) => [stop.id, stop]));
    for (const [id, { since, until, isRemoved, ...facts }] of actual) {
      const stop = live.get(id);
      const end = stop ? stop.endAt : until === null ? null : Date.parse(String(until));
      if (end !== null && end <= history) continue;
      expect(isRemoved ?? false, `stop ${id} is published as removed`).toBe(!stop);
      if (!stop) continue;
      const { startAt, endAt, isProgrammed, generalCauseId, name } = stop;
      expect([since, until], `stop ${id} as published`).toEqual([isoOf(startAt), isoOf(endAt)]);
      expect({ isProgrammed, generalCauseId, name }, `stop ${id} as published`).toEqual({
        ...{ isProgrammed: facts.isProgrammed, generalCauseId: facts.generalCauseId, name: facts.name },
      });
    }
    const isHeard = this.model.newestAt() !== null;
    for (const { id, endAt } of isHeard ? live.values() : []) if (endAt === null) expect([...actual.keys()]).toContain(id);
  }

  /** What people said is known for good, and what of it counts nowhere is listed. */
  async #compareEdits(): Promise<void> {
    const rows = this.storage.sql.exec("SELECT n, orphan, replaced_by, undone_by FROM edits ORDER BY n").toArray();
    const actual = rows.map(({ n, orphan, replaced_by, undone_by }) => {
      return { n, orphan, over: undone_by === null ? replaced_by && { by: replaced_by } : "undone" };
    });
    const expected = this.model.edits.map(({ n, orphan, over }) => ({ n, orphan: over === null ? orphan : null, over }));
    expect(actual, "what people said").toEqual(expected);
    const orphans = await db
      .select({ id: orphanedEdits.id, reason: orphanedEdits.reason })
      .from(orphanedEdits)
      .where(eq(orphanedEdits.machineId, this.ids.machineId))
      .orderBy(asc(orphanedEdits.id));
    const listed = this.model.edits.filter(({ over, orphan }) => over === null && orphan !== null);
    expect(orphans, "the orphaned edits").toEqual(listed.map(({ n, orphan }) => ({ id: this.#id(n), reason: orphan })));
  }

  #compareHeld(rows: (typeof heldEntries.$inferSelect)[]): void {
    const entries = rows.map(({ day, reason, count, units, firstAt, lastAt }) => {
      return { day: day / DAY, reason, count, units, firstAt, lastAt };
    });
    const { held, heldClosed } = this.model;
    const all = [
      ...held.map(({ day, event }) => ({ day, reason: "implausible", event })),
      ...heldClosed.map(({ day, incoming: { event } }) => ({ day, reason: "closedBooks", event })),
    ];
    const expected = [...Map.groupBy(all, ({ day, reason }) => `${day} ${reason}`).values()].map((own) => {
      const times = own.map(({ event }) => event.at).sort((a, b) => a - b);
      const counts = own.flatMap(({ event }) => (event.kind === "count" ? [event] : []));
      const units = counts.reduce((sum, { total, defects, good }) => sum + (total || defects || good || 0), 0);
      return { day: own[0]?.day, reason: own[0]?.reason, count: own.length, units, firstAt: times[0], lastAt: times.at(-1) };
    });
    const inOrder = <T extends { day?: number | undefined; reason?: string | undefined }>(some: T[]) =>
      some.toSorted((a, b) => (a.day ?? 0) - (b.day ?? 0) || (a.reason === "implausible" ? -1 : 1));
    expect(inOrder(entries), "what is held").toEqual(inOrder(expected));
  }

  #compareStops(rows: Stop[]): void {
    const actual = rows
      .filter(({ deletedAt }) => deletedAt === null)
      .map(({ revision: _, createdAt: __, updatedAt: ___, deletedAt: ____, ...row }) => row);
    const pieces = this.model.marked();
    const { companyId, machineId } = this.ids;
    const expected = this.model.shifts().flatMap((shift) =>
      this.model.stops
        .toSorted((a, b) => a.start - b.start)
        .flatMap((stop) => {
          const piece = pieces.find(({ start }) => start === stop.start);
          if (!piece?.stop || piece.start >= shift.end || piece.end <= shift.start) return [];
          const { mark, version } = stop;
          const { isManual, isProgrammed, isIncludedInAvailability, breakName } = piece.stop;
          const classification = mark?.classification ?? null;
          const { description = null, generalCauseId = null, specificCauseId = null, componentId = null } = classification ?? {};
          const id = this.#id(stop.seq);
          return [
            {
              ...{ id, companyId, machineId, version, name: mark?.name ?? null, breakName, isManual, isProgrammed },
              ...{ shiftId: shift.shiftId, shiftStart: shift.start, shiftEnd: shift.end, startAt: stop.start, endAt: stop.end },
              sliceStart: Math.max(stop.start, shift.start),
              sliceEnd: piece.end >= shift.end ? shift.end : stop.end,
              isIncludedInAvailability,
              isIncludedInStops: flagOf(mark, "isIncludedInStops") ?? true,
              ...{ classificationId: classification && id, description, generalCauseId, specificCauseId, componentId },
              classifiedAt: classification?.classifiedAt ?? null,
              reclassifiedAt: classification?.reclassifiedAt ?? null,
            },
          ];
        }),
    );
    equal(actual, expected, "the stops");
  }

  // State that only the object itself has

  #forgottenTo(): number {
    return stateIn(this.storage)["forgotten to"] ?? 0;
  }

  /** True if rows wait to be computed or sent. */
  #isBehind(): boolean {
    return isAnyWaiting(this.storage) || (stateIn(this.storage).settled?.dirtyFrom ?? null) !== null;
  }

  #id(seq: number): number {
    return recordId(this.ids.machineId, seq);
  }
}

/** The members of parts that are summed. */
const summed = [
  ...([
    "availableMs",
    "noDataMs",
    "programmedMs",
    "nonProgrammedMs",
    "otherMs",
    "annotatedMs",
    "cycles",
    "totalUnits",
    "defectUnits",
  ] as const),
  ...(["idealMs", "cyclesWithStandard", "lostByDefectsMs"] as const),
];

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone) ?? new Intl.DateTimeFormat("sv-SE", { timeZone, minute: "2-digit", hour: "2-digit" });
  clocks.set(timeZone, known);
  return known;
}

/** A key that distinguishes the edits of stops, by all that they say. */
function orderOf({ objectId, action, ...said }: { objectId: string; action: string; before: unknown; after: unknown }): string {
  const sorted = (_: string, value: unknown) =>
    value !== null && typeof value === "object" && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort())
      : value;
  return `${objectId} ${action} ${JSON.stringify(said, sorted)}`;
}

function hasMade({ correct, defects }: { correct: number; defects: number }): boolean {
  return correct !== 0 || defects !== 0;
}

/** Expects two values to be equal, but for the last digits of sums: the model adds rejects up one by one. */
function close(actual: unknown, expected: unknown, about: string): void {
  const rounded = (value: unknown) =>
    JSON.parse(
      JSON.stringify(value, (_, one) => (typeof one === "number" ? Number(one.toPrecision(placesOf(one))) : one)) ?? "null",
    );
  expect(rounded(actual), about).toEqual(rounded(expected));
}

/** Sums over the millions of units of an accepted glitch, which are less than any time, multiply what single ones are rounded by. */
function placesOf(value: number): number {
  return Math.abs(value) > 1e9 && Math.abs(value) < 1e12 ? 8 : 12;
}

/** Expects two values to be equal: compares their text first, which nearly always suffices and is much faster. */
function equal(actual: unknown, expected: unknown, about: string): void {
  if (JSON.stringify(actual) !== JSON.stringify(expected)) expect(actual, about).toEqual(expected);
}

/** Segments as shown: adjacent ones of a kind are one, but each stop stays separate. */
function merged<T extends { start: number; end: number; bucket: string; stop: unknown }>(segments: readonly T[]): T[] {
  const result: T[] = [];
  for (const segment of segments) {
    const last = result.at(-1);
    if (last && !last.stop && !segment.stop && last.bucket === segment.bucket) last.end = segment.end;
    else result.push({ ...segment });
  }
  return result;
}

/** The part of a piece in a shift, with a null end if it is still open. */
function within(piece: Piece, shift: Shift, { asOf, openBucket }: { asOf: number; openBucket: string | null }) {
  const start = Math.max(piece.start, shift.start);
  if (start >= Math.min(piece.end, shift.end)) return [];
  const goesOn = openBucket === "noData" && piece.end > asOf;
  return [{ start, end: goesOn ? Number.POSITIVE_INFINITY : Math.min(piece.end, shift.end) }];
}

const causes = ["generalCauseId", "specificCauseId", "componentId"];

/** A stop before and after a change, as the audit has it: the members that differ, and all its causes if one of them does. Others are whole. */
function differing(before: unknown, after: unknown): { before: unknown; after: unknown } {
  if (before === null || after === null || Array.isArray(before) || Array.isArray(after)) return { before, after };
  const [was, is] = [before as Record<string, unknown>, after as Record<string, unknown>];
  const differs = (member: string) => JSON.stringify(was[member]) !== JSON.stringify(is[member]);
  const isKept = (member: string) => causes.includes(member) && causes.some(differs) && was[member] !== null;
  // The version differs in each change: entries leave it out.
  const shown = Object.keys(was).filter((member) => member !== "version" && (differs(member) || isKept(member)));
  const only = (stop: Record<string, unknown>) => Object.fromEntries(shown.map((member) => [member, stop[member]]));
  return { before: only(was), after: only(is) };
}

/** The published parts of a machine, with the ids of their orders. */
function selectParts(machineId: number) {
  const workOrderId = sql<string | null>`(SELECT id FROM work_orders WHERE number = ${shiftParts.workOrderNumber})`;
  return db
    .select({ ...getTableColumns(shiftParts), workOrderId: workOrderId.as("order_of_part") })
    .from(shiftParts)
    .where(eq(shiftParts.machineId, machineId))
    .orderBy(asc(shiftParts.startAt));
}

/** What was made for each order and SKU. */
function sumsOfRuns(runs: readonly { workOrderId: string; skuId: string | null; correct: number; defects: number }[]) {
  const sums = [...Map.groupBy(runs, ({ workOrderId, skuId }) => `${workOrderId} ${skuId}`)].map(([key, own]) => {
    const correct = own.reduce((sum, one) => sum + one.correct, 0);
    return { key, correct, defects: own.reduce((sum, one) => sum + one.defects, 0) };
  });
  return sums.filter(({ correct, defects }) => correct !== 0 || defects !== 0).sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** The counts in a part of a shift; those after the last part belong to it. */
function countsIn<Count extends { event: { at: number } }>(
  counts: readonly Count[],
  { startAt, endAt }: { startAt: number; endAt: number },
  { start, end }: Shift,
  isLast: boolean,
): Count[] {
  const until = isLast ? Math.max(end, endAt) : endAt;
  return counts.filter(({ event: { at } }) => start <= at && startAt <= at && at < until);
}

/** Expects a part to be in one local hour; that of a change of the clocks may be longer. */
function isInOneHour(part: { startAt: number; endAt: number; hourStart: number }, timezone: string, about: string): void {
  const minutes = (at: number) => Number(clockOf(timezone).format(at).slice(-2));
  expect(minutes(part.hourStart), about).toBe(0);
  expect(part.hourStart, about).toBeLessThanOrEqual(part.startAt);
  expect(part.endAt - part.hourStart, about).toBeLessThanOrEqual(1.5 * HOUR);
  if (part.endAt % HOUR) expect(minutes(part.endAt - 1), about).toBeGreaterThanOrEqual(minutes(part.startAt));
}
