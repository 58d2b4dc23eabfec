import { env } from "cloudflare:workers";
import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { seal } from "../../src/core/cipher.ts";
import { hashPassword } from "../../src/core/password.ts";
import { issueToken } from "../../src/core/token.ts";
import type { Role, ShiftBreak } from "../../src/db/schema.ts";
import * as schema from "../../src/db/schema.ts";
import { type Stop, slimPart, slimStop } from "../../src/db/slim-rows.ts";
import type { PartRow } from "../../src/machine/publish/published-rows.ts";
import { nothingMade } from "../../src/oee/production.ts";
import { noTime } from "../../src/oee/shift-ledger.ts";

// Each factory inserts its own rows with random names directly into the database, so that tests do not interfere.

const db = drizzle(env.DB_0);
const random = () => crypto.randomUUID().slice(0, 8);
const stamps = () => ({ createdAt: Date.now(), updatedAt: Date.now() });

/** A company, in UTC by default. */
export async function createCompany(
  options: Partial<Pick<typeof schema.companies.$inferInsert, "timezone" | "productionDay" | "weekStart">> = {},
) {
  const row = { name: `Company ${random()}`, timezone: "UTC", ...options, ...stamps() };
  const { id, name, timezone } = await db.insert(schema.companies).values(row).returning().get();
  return { companyId: id, name, timezone };
}

/** A user with a token. With a password the user can also log in, with a cheap hash for tests. */
export async function createUser(companyId: number, role: Role, options: { password?: string; isActive?: boolean } = {}) {
  const { password, isActive = true } = options;
  const passwordHash = password === undefined ? "" : await hashPassword(password, { n: 16, r: 1, p: 1 });
  const row = {
    companyId,
    role,
    isActive,
    passwordHash,
    name: `User ${random()}`,
    email: `${random()}@example.test`,
    ...stamps(),
  };
  const user = await db.insert(schema.users).values(row).returning().get();
  const { token } = await issueToken(env, user, Date.now() / 1000);
  return { userId: user.id, companyId, role, name: user.name, email: user.email, tokenVersion: user.tokenVersion, token };
}

type NewMachine = typeof schema.machines.$inferInsert;

/** A machine that counts, with the default limits, by default commissioned 30 days ago. */
export async function createMachine(companyId: number, options: Partial<NewMachine> = {}) {
  const row = {
    companyId,
    name: `Machine ${random()}`,
    ref: `M-${random()}`,
    nodeId: (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) >>> 1,
    signal: "counts" as const,
    commissionedAt: Date.now() - 30 * 86_400_000,
    ...stamps(),
    ...options,
  };
  const machine = await db.insert(schema.machines).values(row).returning().get();
  return { machineId: machine.id, ...machine };
}

/** A line without machines. */
export async function createLine(companyId: number, options: { name?: string; order?: number } = {}) {
  const row = { companyId, name: `Line ${random()}`, ...options, ...stamps() };
  const line = await db.insert(schema.lines).values(row).returning().get();
  return { lineId: line.id, ...line };
}

/** Count channels of a machine's own node, by number; enabled, by default with one unit per pulse. */
export async function createChannels(
  machine: { id: number; companyId: number; nodeId: number },
  channels: { channel: number; type: (typeof schema.channelTypes)[number]; countingFactor?: number; wrapsAt?: number }[],
) {
  const { id: machineId, companyId, nodeId } = machine;
  await db.insert(schema.countSensors).values({ machineId, isCountEnabled: true, updatedAt: Date.now() });
  await db
    .insert(schema.countChannels)
    .values(channels.map((one) => ({ companyId, nodeId, machineId, countingFactor: 1, ...one })));
}

/** An import of a user whose file is gone, with an error. */
export async function createImport(user: { userId: number; companyId: number }) {
  const { userId, companyId } = user;
  const state = { format: "ndjson" as const, state: "done" as const, failed: 1, fileDeletedAt: Date.now() };
  const { id } = await db
    .insert(schema.imports)
    .values({ userId, companyId, ...state, ...stamps() })
    .returning()
    .get();
  const error = { line: 1, offset: 0, member: "at", code: "invalid_event", message: "is no time" };
  await db.insert(schema.importErrors).values({ importId: id, ...error });
  return { importId: id };
}

/** An import of set-up that created a defect reason. */
export async function createSetUpImport(user: { userId: number; companyId: number }) {
  const { userId, companyId } = user;
  const { reasonId, updatedAt } = await createDefectReason(companyId);
  const counts = { created: 1, changed: 0, unchanged: 0, faulty: 0 };
  const row = { userId, companyId, kind: "defect-reasons" as const, ...counts, ...stamps() };
  const { id } = await db.insert(schema.setUpImports).values(row).returning().get();
  await db.insert(schema.setUpImportItems).values({ importId: id, part: 0, items: [{ id: reasonId, updatedAt, before: null }] });
  return { setUpImportId: id };
}

/** A gateway's token in plain text, as it is only shown once. */
export async function createGatewayToken(companyId: number) {
  const token = `andon_gw_${crypto.randomUUID().replaceAll("-", "")}`;
  const tokenHash = createHash("sha256").update(token).digest("hex");
  const row = { companyId, name: `Gateway ${random()}`, tokenHash, ...stamps() };
  const { id } = await db.insert(schema.gatewayTokens).values(row).returning().get();
  return { gatewayTokenId: id, companyId, token };
}

type NewApiToken = typeof schema.apiTokens.$inferInsert;

/** An API token that a user created, by default with the user's company and role. */
export async function createApiToken(
  creator: { userId: number; companyId: number; role: Role },
  options: Partial<NewApiToken> = {},
) {
  const { userId, companyId, role } = creator;
  const token = `andon_api_${crypto.randomUUID().replaceAll("-", "")}`;
  const tokenHash = createHash("sha256").update(token).digest("hex");
  const own = { companyId, createdBy: userId, name: `Program ${random()}`, role, isReadOnly: false, tokenHash };
  const row = await db
    .insert(schema.apiTokens)
    .values({ ...own, ...stamps(), ...options })
    .returning()
    .get();
  return { apiTokenId: row.id, companyId: row.companyId, token };
}

interface NewShift {
  name?: string;
  start?: string;
  end?: string;
  days?: number[];
  breaks?: ShiftBreak[];
  machineIds?: number[] | null;
}

/** A shift; by default 06:00 to 14:00 every day for all machines, without breaks. */
export async function createShift(companyId: number, options: NewShift = {}) {
  const defaults = {
    name: `Shift ${random()}`,
    start: "06:00",
    end: "14:00",
    days: [1, 2, 3, 4, 5, 6, 7],
    breaks: [],
    machineIds: null,
  };
  const row = { companyId, ...defaults, ...options, ...stamps() };
  const shift = await db.insert(schema.shifts).values(row).returning().get();
  return { shiftId: shift.id, ...shift };
}

/** A closed calendar day, by default of the company. */
export async function createCalendarDay(
  companyId: number,
  options: { machineId?: number; date?: string; deletedAt?: number } = {},
) {
  const scope = options.machineId === undefined ? ("company" as const) : ("machine" as const);
  const row = { companyId, date: "2030-12-25", scope, shifts: [], ...options, ...stamps() };
  const day = await db.insert(schema.calendarDays).values(row).returning().get();
  return { calendarDayId: day.id, ...day };
}

/** An operator. */
export async function createOperator(companyId: number, options: { name?: string; code?: string } = {}) {
  const row = { companyId, name: `Operator ${random()}`, code: `O-${random()}`, ...options, ...stamps() };
  const operator = await db.insert(schema.operators).values(row).returning().get();
  return { operatorId: operator.id, ...operator };
}

/** A SKU, with standards if given (machineId 0: any machine). */
export async function createSku(
  companyId: number,
  options: { id?: string; name?: string; standards?: { machineId?: number; standardCycleSeconds: number }[] } = {},
) {
  const { standards = [], ...own } = options;
  const row = { companyId, id: `S-${random()}`, name: `SKU ${random()}`, ...own, ...stamps() };
  const sku = await db.insert(schema.skus).values(row).returning().get();
  if (standards.length > 0) {
    await db.insert(schema.skuStandards).values(standards.map((one) => ({ companyId, skuId: sku.id, ...one })));
  }
  return { skuId: sku.id, ...sku };
}

/** A reason why units are rejected. */
export async function createDefectReason(companyId: number, options: { name?: string } = {}) {
  const row = { companyId, name: `Reason ${random()}`, ...options, ...stamps() };
  const reason = await db.insert(schema.defectReasons).values(row).returning().get();
  return { reasonId: reason.id, ...reason };
}

/** A stop cause; by default a general one. */
export async function createStopCause(companyId: number, options: Partial<typeof schema.stopCauses.$inferInsert> = {}) {
  const row = { companyId, level: "general" as const, name: `Cause ${random()}`, ...stamps(), ...options };
  const cause = await db.insert(schema.stopCauses).values(row).returning().get();
  return { causeId: cause.id, ...cause };
}

type NewVersion = typeof schema.setUpVersions.$inferInsert;

/** A version of an item, by default one that an hour from now makes it what it is with other members. */
export async function createVersion(
  companyId: number,
  required: Pick<NewVersion, "kind" | "body"> & { entity: number | string },
  options: Partial<NewVersion> = {},
) {
  const validFrom = options.validFrom ?? Date.now() + 3_600_000;
  const id = sql`(SELECT coalesce(max(id), 0) + 1 FROM set_up_versions WHERE company_id = ${companyId})`;
  const times = { validFrom, validUntil: null, isExplicit: true, recordedAt: Date.now(), dueAt: validFrom };
  const row = { companyId, id, ...times, ...required, entity: String(required.entity), ...options };
  return { versionId: (await db.insert(schema.setUpVersions).values(row).returning().get()).id };
}

type NewRecord = typeof schema.shiftRecords.$inferInsert;

/** A published shift record, as of its end; all numbers are zero by default. */
export async function createShiftRecord(
  required: Pick<NewRecord, "companyId" | "machineId" | "shiftId" | "startAt" | "endAt">,
  options: Partial<NewRecord> = {},
) {
  const row = {
    id: publishedId(),
    revision: 1,
    asOf: required.endAt,
    openBucket: null,
    openIsAnnotated: false,
    ...noTime,
    lateStartMs: 0,
    nonProgrammedSinceAvailableMs: 0,
    ...nothingMade,
    standardCycleMs: null,
    recentUnits: 0,
    recentMs: 0,
    noDataSpans: [],
    ...stamps(),
    ...required,
    ...options,
  };
  return db.insert(schema.shiftRecords).values(row).returning().get();
}

type NewStop = Stop;

/** A published slice of a stop; by default non-programmed and included, and the only slice of the stop. */
export async function createStopSlice(
  required: Pick<NewStop, "companyId" | "machineId" | "shiftId" | "shiftStart" | "shiftEnd" | "sliceStart" | "sliceEnd">,
  options: Partial<NewStop> = {},
) {
  const row = {
    id: publishedId(),
    revision: 1,
    startAt: required.sliceStart,
    endAt: required.sliceEnd ?? null,
    isManual: false,
    isProgrammed: false,
    isIncludedInStops: true,
    isIncludedInAvailability: true,
    ...stamps(),
    ...required,
    ...options,
  };
  return db.insert(schema.stops).values(slimStop(row)).returning().get();
}

type NewPart = PartRow & { revision: number };

/** A published part of a shift; by default without SKU and order, and with all numbers zero. */
export async function createShiftPart(
  required: Pick<NewPart, "companyId" | "machineId" | "shiftId" | "shiftStart" | "shiftEnd" | "startAt" | "endAt">,
  options: Partial<NewPart> = {},
) {
  const { workOrderId = null, ...given } = options;
  const row = {
    revision: 1,
    hourStart: Math.floor(required.startAt / 3_600_000) * 3_600_000,
    openIsAnnotated: false,
    ...noTime,
    ...nothingMade,
    fiveMinutes: [],
    ...required,
    ...given,
  };
  const workOrderNumber = sql`(SELECT number FROM work_orders WHERE id = ${workOrderId})`;
  return db
    .insert(schema.shiftParts)
    .values({ ...slimPart(row), workOrderNumber })
    .returning()
    .get();
}

/** What is held of a machine's counts on the UTC day of the first of them. */
export async function createHeldEntry(
  own: { companyId: number; machineId: number },
  { units, first, last }: { units: number; first: number; last: number },
) {
  const day = Math.floor(first / 86_400_000) * 86_400_000;
  const made = { revision: 1, reason: "implausible", count: 1, units, firstAt: first, lastAt: last };
  return db
    .insert(schema.heldEntries)
    .values({ ...own, day, ...made, ...stamps() })
    .returning()
    .get();
}

/** Good units that a machine counted outside shifts in one local hour. */
export async function createHourOutsideShifts(own: { companyId: number; machineId: number }, startAt: number, units: number) {
  await db.insert(schema.hoursOutsideShifts).values({ ...own, startAt, units, revision: 1 });
}

type NewOperatorShift = typeof schema.operatorShifts.$inferInsert;

/** An operator's published share in a machine's shift; by default without production. */
export async function createOperatorShift(
  required: Pick<NewOperatorShift, "companyId" | "machineId" | "operatorId" | "shiftId" | "shiftStart" | "shiftEnd">,
  options: Partial<NewOperatorShift> = {},
) {
  const row = { revision: 1, uptimeMs: 0, downtimeMs: 0, units: 0, skuId: null, ...required, ...options };
  return db.insert(schema.operatorShifts).values(row).returning().get();
}

type NewPlan = typeof schema.operatorPlans.$inferInsert;

/** An operator plan; by default from an hour ago to an hour from now, without assignments. */
export async function createOperatorPlan(
  companyId: number,
  options: Partial<NewPlan> & { assignments?: { machineId: number; shiftId: number; operatorId: number }[] } = {},
) {
  const { assignments = [], ...own } = options;
  const dates = { since: Date.now() - 3_600_000, until: Date.now() + 3_600_000 };
  const row = { id: crypto.randomUUID(), companyId, title: `Plan ${random()}`, ...dates, ...stamps(), ...own };
  const plan = await db.insert(schema.operatorPlans).values(row).returning().get();
  const assigned = assignments.map((one) => ({ planId: plan.id, ...one }));
  if (assigned.length > 0) await db.insert(schema.operatorPlanAssignments).values(assigned);
  return plan;
}

/** A report subscription; by default after each shift, without recipients, and inactive. */
export async function createSubscription(
  companyId: number,
  options: Partial<typeof schema.reportSubscriptions.$inferInsert> = {},
) {
  const row = { id: crypto.randomUUID(), companyId, name: `Subscription ${random()}`, ...stamps(), ...options };
  return db.insert(schema.reportSubscriptions).values(row).returning().get();
}

type NewLog = typeof schema.subscriptionLogs.$inferInsert;

/** A log of a report; by default sent just now. */
export async function createSubscriptionLog(subscriptionId: string, options: Partial<NewLog> = {}) {
  const report = { status: "succeeded" as const, detail: "Sent", shiftTitle: "Morning", executeAt: Date.now() };
  const row = { id: crypto.randomUUID(), subscriptionId, ...report, executedAt: Date.now(), ...stamps(), ...options };
  return db.insert(schema.subscriptionLogs).values(row).returning().get();
}

/** A notification of a user; unread by default. */
export async function createNotification(userId: number, options: { readAt?: number; createdAt?: number } = {}) {
  const row = { id: crypto.randomUUID(), userId, title: "Title", body: "Body", createdAt: Date.now(), ...options };
  return db.insert(schema.notifications).values(row).returning().get();
}

/** An open call for help. */
export async function createHelpCall(
  { id: machineId, companyId }: { id: number; companyId: number },
  calledBy: number,
  options: Partial<typeof schema.helpCalls.$inferInsert> = {},
) {
  const row = { machineId, companyId, calledBy, message: `Mould ${random()} leaks`, ...stamps(), ...options };
  const { id: helpCallId, ...call } = await db.insert(schema.helpCalls).values(row).returning().get();
  return { helpCallId, ...call };
}

/** An open action about the stops without a cause of a machine, which had 60 minutes of them in a day. */
export async function createAction(
  { companyId, machineId }: { companyId: number; machineId: number },
  ownerId: number,
  options: Partial<typeof schema.actions.$inferInsert> = {},
) {
  const row = {
    ...{ companyId, machineId, loss: "unclassified" as const, seenFrom: Date.now() - 86_400_000, seenTo: Date.now() },
    ...{ seenMinutes: 60, seenPlannedMinutes: 480, measure: `Measure ${random()}`, ownerId, dueOn: "2041-01-01" },
    ...{ state: "open" as const, createdBy: ownerId, ...stamps(), ...options },
  };
  return db.insert(schema.actions).values(row).returning().get();
}

/** A hand-over of all machines, of a shift whose figures are all 0. */
export async function createHandOver(
  { companyId, shiftId, date }: { companyId: number; shiftId: number; date: string },
  writtenBy: number,
  options: Partial<typeof schema.handOvers.$inferInsert> = {},
) {
  const shiftStart = Date.parse(date) + 12 * 3_600_000;
  const none = { target: 0, total: 0, defects: 0, oee: 0, availability: 0, unavailableTime: 0, noDataTime: 0 };
  const figures: schema.HandOverFigures = {
    ...{
      at: new Date(shiftStart).toISOString(),
      isShiftOver: false,
      all: none,
      stopCount: 0,
      withoutCause: { count: 0, minutes: 0 },
    },
    ...{ hours: [], lines: [], lineCount: 0, machines: [], machineCount: 0, stops: [], incidents: [], incidentCount: 0 },
    ...{ calls: [], callCount: 0, lateOrders: [], lateOrderCount: 0 },
  };
  const row = {
    ...{ companyId, shiftId, date, lineId: 0, shiftStart, shiftEnd: shiftStart + 3_600_000, figures, watch: [] },
    notes: { safety: null, quality: `Flash ${random()}`, people: null, other: null },
    ...{ writtenBy, writtenByName: "Lead", ...stamps(), ...options },
  };
  return db.insert(schema.handOvers).values(row).returning().get();
}

/** A recalculation of a machine that is done. Returns its id. */
export async function createRecalculation({ id: machineId, companyId }: { id: number; companyId: number }, userId: number) {
  const now = Date.now();
  const row = { companyId, reason: `Doubts ${random()}`, fromAt: 0, toAt: now, createdAt: now, createdBy: userId, endedAt: now };
  const { id } = await db.insert(schema.recalculations).values(row).returning().get();
  await db.insert(schema.recalculationMachines).values({ recalculationId: id, machineId, state: "done", updatedAt: now });
  return id;
}

/** The time up to which the next closing of these tests goes: later than that of every one before, and before any machine. */
let closedTo = Date.UTC(1990, 0, 1);
export const nextBooksTime = () => ++closedTo;

/** A closing of a company's books, of a time before there were machines. Returns its id. */
export async function createBookClosing(companyId: number, userId: number) {
  const now = Date.now();
  const toAt = nextBooksTime();
  const row = { companyId, fromAt: 0, toAt, state: "closed" as const, isForced: false, findings: [], sums: [], createdAt: now };
  const { id } = await db
    .insert(schema.bookClosings)
    .values({ ...row, createdBy: userId, endedAt: now })
    .returning()
    .get();
  await db
    .insert(schema.books)
    .values({ companyId, lockedTo: toAt })
    .onConflictDoUpdate({ target: schema.books.companyId, set: { lockedTo: toAt } });
  return id;
}

/** A bulk classification that is done. */
export async function createStopClassification(
  companyId: number,
  userId: number,
  options: Partial<typeof schema.stopClassifications.$inferInsert> = {},
) {
  const causes = { generalCauseId: null, specificCauseId: null, componentId: null, description: `Drill ${random()}` };
  const [now, what] = [Date.now(), { causes, flags: {} }];
  const ended = { state: "done" as const, createdAt: now, endedAt: now, total: 0, leftOut: {}, waiting: [] };
  const row = { id: crypto.randomUUID(), companyId, userId, requestId: random(), what, ...ended, ...options };
  return await db.insert(schema.stopClassifications).values(row).returning().get();
}

/** A persona as operation 10 creates it. */
export async function createPersona(companyId: number, options: Partial<typeof schema.personas.$inferInsert> = {}) {
  const contact = () => ({ id: crypto.randomUUID(), value: "", isActive: false, reference: "" });
  const contacts = { sms: contact(), whatsapp: contact(), email: contact(), push: [] };
  const day = { start: "00:00", end: "24:00" };
  const alertHours = Object.fromEntries(schema.weekdays.map((name) => [name, day])) as schema.AlertHours;
  const common = { alertHours, alertIds: [], language: "spanish", isActive: true, isUser: false };
  const row = {
    id: crypto.randomUUID(),
    companyId,
    name: `Persona ${random()}`,
    ...contacts,
    ...common,
    ...stamps(),
    ...options,
  };
  return db.insert(schema.personas).values(row).returning().get();
}

/** A Slack room with an address that cannot be called. */
export async function createChatRoom(companyId: number) {
  const id = crypto.randomUUID();
  const sealedUrl = await seal(env, ["chat_rooms.sealed_url", id], "http://127.0.0.1:9/");
  const own = { companyId, name: `Room ${random()}`, service: "slack" as const, language: "en" as const, isActive: true };
  return db
    .insert(schema.chatRooms)
    .values({ id, ...own, sealedUrl, ...stamps() })
    .returning()
    .get();
}

/** A message to a mailbox; sent by default. */
export async function createMessage(companyId: number, options: Partial<typeof schema.messages.$inferInsert> = {}) {
  const address = "ana@plant.example";
  const common = {
    channel: "email" as const,
    kind: "test",
    params: {},
    status: "sent" as const,
    attempts: 1,
    sentAt: Date.now(),
  };
  const row = { id: crypto.randomUUID(), companyId, address, contactId: address, ...common, ...stamps(), ...options };
  return db.insert(schema.messages).values(row).returning().get();
}

/** A config that a client stores for the user. */
export async function createUserConfig(userId: number, companyId: number) {
  const row = { userId, companyId, config: { theme: "dark" }, ...stamps() };
  return db.insert(schema.userConfigs).values(row).returning().get();
}

/** Returns an id far above the numbers of a machine's object, which start at one. */
function publishedId(): number {
  return 2 ** 48 + (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0);
}

/** A work order of a machine with one target. */
export async function createWorkOrder(
  machine: { id: number; companyId: number },
  skuId: string,
  options: Partial<typeof schema.workOrders.$inferInsert> = {},
) {
  const id = crypto.randomUUID();
  const row = { id, companyId: machine.companyId, code: `WO-${random()}`, name: "Order", priority: 0, source: "" };
  await db.insert(schema.workOrders).values({ ...row, status: "Backlog", ...stamps(), ...options });
  await db.insert(schema.workOrderMachines).values({ workOrderId: id, machineId: machine.id });
  await db.insert(schema.workOrderTargets).values({ workOrderId: id, skuId, targetQuantity: 1000, ...stamps() });
  return { workOrderId: id };
}
