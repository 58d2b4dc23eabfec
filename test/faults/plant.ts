import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { createHash } from "node:crypto";
import { drizzle } from "drizzle-orm/d1";
import { gatewayTokenOf } from "../../src/api/access/pairings/gateway-pairings.ts";
import { newWebhookSecret } from "../../src/channels/sign-webhook.ts";
import { tokenHashOf } from "../../src/core/bearer-token.ts";
import { seal } from "../../src/core/cipher.ts";
import { keyRing } from "../../src/core/keys.ts";
import { hashPassword } from "../../src/core/password.ts";
import { recordId } from "../../src/core/record-id.ts";
import { issueToken } from "../../src/core/token.ts";
import { wallPairings } from "../../src/db/schema/directory.ts";
import * as schema from "../../src/db/schema.ts";
import { eventTypeNumbers } from "../../src/db/values.ts";
import { entryOf } from "../../src/machine/inputs/held-counts.ts";
import type { StopEdit } from "../../src/objects/machine-protocol.ts";
import { countEvent } from "../../src/oee/events.ts";
import { HOUR, MINUTE, NOON } from "../support/clock.ts";
import { machineObject } from "../support/machine-object.ts";

const START = NOON - 6 * HOUR;

export const password = "correct horse battery";
const passwordHash = await hashPassword(password, { n: 16, r: 1, p: 1 });

const db = drizzle(env.DB_0);
const stamps = { createdAt: NOON, updatedAt: NOON };
const everyDay = [1, 2, 3, 4, 5, 6, 7];

export type Plant = Awaited<ReturnType<typeof createPlant>>;

/**
 * A company with one of everything that operations write, the same each time except for its ids. Its line ran from six hours ago
 * on, stopped for half an hour, ran for an hour and has stopped since; one stop of ten minutes was recorded while it ran, and
 * another one that was split.
 * @param last returns the highest id in a table
 */
export async function createPlant(last: (table: string) => number) {
  const companyId = last("companies") + 1;
  const firstUser = last("users") + 1;
  const firstMachine = last("machines") + 1;
  const firstLine = last("lines") + 1;
  const firstDay = last("calendar_days") + 1;
  const firstShift = last("shifts") + 1;
  const firstOperator = last("operators") + 1;
  const firstCause = last("stop_causes") + 1;
  const firstReason = last("defect_reasons") + 1;
  const setUpImportId = last("set_up_imports") + 1;
  const gatewayTokenId = last("gateway_tokens") + 1;
  const apiTokenId = last("api_tokens") + 1;
  const helpCallId = last("help_calls") + 1;
  const handOverId = last("hand_overs") + 1;
  const actionId = last("actions") + 1;
  const world = crypto.randomUUID().slice(0, 8);
  const own = { companyId, ...stamps };

  const user = (place: number, role: schema.Role) => {
    const email = `${place}.${world}@example.test`;
    return { ...own, id: firstUser + place, name: "User", email, role, passwordHash, isActive: true };
  };
  const users = [user(0, "superuser"), user(1, "user"), user(2, "user")] as const;
  const machine = (place: number, name: string, nodeId: number) => {
    const limits = { stopAfterSeconds: 600, noDataAfterSeconds: null, standardCycleSeconds: 15 };
    return {
      ...own,
      id: firstMachine + place,
      name,
      ref: name,
      nodeId,
      signal: "counts" as const,
      commissionedAt: START,
      lineId: place === 0 ? firstLine : null,
      ...limits,
    };
  };
  const machines = [machine(0, "PRESS", 7), machine(1, "SAW", 7), machine(2, "SPARE", 8)] as const;
  const [press, saw, spare] = machines;
  const shift = {
    ...own,
    id: firstShift,
    name: "Day",
    start: "06:00",
    end: "06:00",
    days: everyDay,
    breaks: [],
    machineIds: [press.id, saw.id],
  };
  const spareShift = { ...shift, id: firstShift + 1, name: "Never", start: "01:00", end: "02:00", machineIds: [spare.id] };
  const line = { ...own, id: firstLine, name: "Bottling", order: 1 };
  const operator = { ...own, id: firstOperator, name: "Ana", code: "O-1" };
  const cause = { ...own, id: firstCause, name: "Jam", level: "general" as const };
  const planned = { companyId, validFrom: NOON + 100 * HOUR, isExplicit: true, recordedAt: NOON, dueAt: NOON + 100 * HOUR };
  const rules = { timezone: "Asia/Tokyo", signOutAtShiftEnd: false, productionDay: "calendarDay", weekStart: "monday" };
  const hours = { start: "05:00", end: "05:00", days: everyDay, breaks: [], machineIds: [press.id] };
  const flags = { parentId: null, isProgrammed: true, isIncludedInAvailability: false };
  const plannedVersions = [
    { ...planned, id: 1, kind: "rules" as const, entity: String(companyId), body: rules },
    { ...planned, id: 2, kind: "line" as const, entity: String(press.id), body: { lineId: line.id } },
    { ...planned, id: 3, kind: "shift" as const, entity: String(shift.id), body: hours },
    { ...planned, id: 4, kind: "standard" as const, entity: "CAP", body: { standardCycleSeconds: 20 } },
    { ...planned, id: 5, kind: "cause" as const, entity: String(cause.id), body: flags },
  ];
  const reason = { ...own, id: firstReason, name: "Scratch" };
  const created = { id: firstReason + 1, updatedAt: stamps.updatedAt, before: null };
  const setUpImport = { ...{ created: 1, changed: 0, unchanged: 0, faulty: 0 }, kind: "defect-reasons" as const };
  const widget = { ...own, ...texts("Widget"), id: crypto.randomUUID() };
  const dashboard = { ...own, ...texts("Dashboard"), id: crypto.randomUUID() };
  const archived = { ...own, ...texts("Old"), id: crypto.randomUUID(), archivedAt: NOON - HOUR };
  const plan = { ...own, id: crypto.randomUUID(), title: "Now", since: START, until: NOON + HOUR };
  const futurePlan = { ...plan, id: crypto.randomUUID(), title: "Later", since: NOON + HOUR, until: NOON + 2 * HOUR };
  const [workOrderId, spareWorkOrderId] = [crypto.randomUUID(), crypto.randomUUID()];
  const order = { code: "WO-1", name: "Order", priority: 0, source: "", status: "Backlog" as const };
  const notification = { id: crypto.randomUUID(), userId: firstUser, title: "Title", body: "Body", createdAt: NOON };
  const contact = () => ({ id: crypto.randomUUID(), value: "", isActive: false, reference: "" });
  const contacts = { sms: contact(), whatsapp: contact(), email: contact(), push: [] };
  const alertHours = Object.fromEntries(schema.weekdays.map((day) => [day, { start: "00:00", end: "24:00" }]));
  // A user has this address, and is notified on the board.
  const email = { ...contact(), value: users[1].email };
  const persona = { ...own, ...contacts, email, id: crypto.randomUUID(), name: "Lead", alertIds: [], language: "spanish" };
  const sparePersona = { ...persona, id: crypto.randomUUID(), name: "Spare" };
  const spareRoomId = crypto.randomUUID();
  // At an address that cannot be called.
  const roomId = crypto.randomUUID();
  const sealedUrl = await seal(env, ["chat_rooms.sealed_url", roomId], "http://127.0.0.1:9/");
  const room = {
    ...own,
    id: roomId,
    name: "Hall",
    service: "slack" as const,
    language: "en" as const,
    sealedUrl,
    isActive: true,
  };
  const subscription = {
    ...own,
    id: crypto.randomUUID(),
    name: "After each shift",
    addresses: ["lead@example.test"],
    isActive: true,
  };
  const looked = { ...own, kind: "stop" as const, params: { minutes: 30 }, levels: [], isActive: true };
  const rule = { ...looked, id: crypto.randomUUID(), name: "Stopped", machineIds: [saw.id] };
  const spareRule = { ...looked, id: crypto.randomUUID(), name: "Spare", machineIds: [spare.id] };
  const incident = {
    // A subject that no condition of the rule has: machines cannot resolve it.
    ...{ ...own, id: crypto.randomUUID(), ruleId: rule.id, subject: "gateway:7", machineId: saw.id },
    ...{ since: NOON - HOUR, openedAt: NOON - HOUR, level: 1, facts: {} },
  };
  const dailySubscriptionId = crypto.randomUUID();
  const webhookId = crypto.randomUUID();
  const webhook = {
    ...own,
    id: webhookId,
    url: "https://erp.example.com/",
    events: ["machine.signal_back" as const],
    description: "",
    isActive: true,
    sealedSecret: await seal(env, ["webhook_subscriptions.sealed_secret", webhookId], newWebhookSecret()),
  };
  // The only one that the webhook wants: others may be dispatched at any time.
  const eventId = crypto.randomUUID();
  const stored = { key: eventId, type: eventTypeNumbers["machine.signal_back"], at: NOON, createdAt: NOON, form: 0, data: "{}" };
  const event = { companyId, seq: 1, machineId: press.id, ...stored };
  const gatewayToken = `andon_gw_${crypto.randomUUID()}`;
  const tokenHash = createHash("sha256").update(gatewayToken).digest("hex");
  const apiToken = { name: "Display", role: "readonly" as const, isReadOnly: true, tokenHash: tokenHash.replace(/^./, "x") };
  const pairings = (["wall", "terminal"] as const).map((kind, i) => ({
    ...{ id: crypto.randomUUID(), kind, code: `${i}${world.toUpperCase()}`, tokenHash: tokenHash.replace(/^./, "yz"[i] ?? "") },
  }));
  const gatewayPairing = { id: crypto.randomUUID(), companyId };
  const gateway = {
    ...{ ...gatewayPairing, kind: "gateway" as const, code: `2${world.toUpperCase()}`, name: "Hall 3", createdBy: firstUser },
    tokenHash: tokenHashOf(gatewayTokenOf(gatewayPairing, keyRing(env)[0])),
  };
  const action = {
    ...{ ...own, loss: "cause" as const, generalCauseId: cause.id, machineId: press.id, seenFrom: START, seenTo: NOON },
    ...{ seenMinutes: 30, seenPlannedMinutes: 360, measure: "Look at it", ownerId: firstUser, dueOn: "2040-06-01" },
    ...{ state: "open" as const, createdBy: firstUser },
  };
  const noFigures = { target: 0, total: 0, defects: 0, oee: 0, availability: 0, unavailableTime: 0, noDataTime: 0 };
  const figures: schema.HandOverFigures = {
    ...{
      at: new Date(NOON).toISOString(),
      isShiftOver: false,
      all: noFigures,
      stopCount: 0,
      withoutCause: { count: 0, minutes: 0 },
    },
    ...{ hours: [], lines: [], lineCount: 0, machines: [], machineCount: 0, stops: [], incidents: [], incidentCount: 0 },
    ...{ calls: [], callCount: 0, lateOrders: [], lateOrderCount: 0 },
  };
  const handOver = {
    ...{ ...own, shiftId: shift.id, date: new Date(NOON).toISOString().slice(0, 10), shiftStart: START, shiftEnd: NOON + HOUR },
    ...{ notes: { safety: null, quality: null, people: null, other: "As ever" }, watch: [], figures },
    ...{ writtenBy: firstUser, writtenByName: "User" },
  };
  const assignment = { planId: plan.id, machineId: press.id, shiftId: shift.id, operatorId: operator.id };
  const instance = { id: crypto.randomUUID(), dashboardId: dashboard.id, widgetId: widget.id };
  await db.batch([
    db.insert(schema.companies).values([
      { id: companyId, name: "Plant", timezone: "UTC", ...stamps },
      { id: companyId + 1, name: "Spare", timezone: "UTC", ...stamps },
    ]),
    ...users.map((one) => db.insert(schema.users).values(one)),
    db.insert(schema.lines).values([line, { ...line, id: firstLine + 1, name: "Spare" }]),
    db.insert(schema.calendarDays).values(
      ["2041-01-01", "2041-01-06"].map((date, i) => ({
        ...own,
        id: firstDay + i,
        date,
        scope: "company" as const,
        shifts: [],
      })),
    ),
    ...machines.map((one) => db.insert(schema.machines).values(one)),
    db.insert(schema.shifts).values([shift, spareShift]),
    db
      .insert(schema.countSensors)
      .values([press, saw].map(({ id }) => ({ machineId: id, isCountEnabled: true, updatedAt: NOON }))),
    db.insert(schema.countChannels).values([channel(press, 1), channel(saw, 2)]),
    db.insert(schema.operators).values([operator, { ...operator, id: firstOperator + 1, name: "Jorge", code: "O-2" }]),
    db.insert(schema.skus).values(["CAP", "LID"].map((id) => ({ ...own, id, name: id }))),
    db.insert(schema.stopCauses).values([cause, { ...cause, id: firstCause + 1, name: "Other" }]),
    ...plannedVersions.map((one) => db.insert(schema.setUpVersions).values(one)),
    db.insert(schema.defectReasons).values([reason, { ...reason, id: firstReason + 1, name: "Spare" }]),
    db.insert(schema.setUpImports).values({ ...own, ...setUpImport, id: setUpImportId, userId: firstUser }),
    db.insert(schema.setUpImportItems).values({ importId: setUpImportId, part: 0, items: [created] }),
    db.insert(schema.widgets).values(widget),
    db.insert(schema.dashboards).values(dashboard),
    db.insert(schema.dashboards).values(archived),
    db.insert(schema.widgetInstances).values({ ...instance, specOverride: {}, visualConfig: {}, ...stamps }),
    db.insert(schema.operatorPlans).values([plan, futurePlan]),
    db.insert(schema.operatorPlanAssignments).values(assignment),
    db.insert(schema.workOrders).values({ ...own, ...order, id: workOrderId }),
    db.insert(schema.workOrders).values({ ...own, ...order, id: spareWorkOrderId, code: "WO-0" }),
    db.insert(schema.workOrderMachines).values({ workOrderId, machineId: press.id }),
    db.insert(schema.workOrderTargets).values({ workOrderId, skuId: "CAP", targetQuantity: 1000, ...stamps }),
    db.insert(schema.notifications).values(notification),
    db.insert(schema.personas).values({ ...persona, alertHours: alertHours as schema.AlertHours, isActive: true, isUser: false }),
    db.insert(schema.reportSubscriptions).values([
      { ...subscription, kind: "shift", time: null },
      { ...subscription, id: dailySubscriptionId, kind: "daily", time: "06:30" },
    ]),
    db
      .insert(schema.personas)
      .values({ ...sparePersona, alertHours: alertHours as schema.AlertHours, isActive: true, isUser: false }),
    db.insert(schema.chatRooms).values([room, { ...room, id: spareRoomId }]),
    db.insert(schema.webhookSubscriptions).values(webhook),
    db.insert(schema.events).values(event),
    db.insert(schema.eventCounters).values({ companyId, dispatchedSeq: 1 }),
    db.insert(schema.alertRules).values([rule, spareRule]),
    db.insert(schema.incidents).values(incident),
    db.insert(schema.userConfigs).values({ ...own, userId: firstUser, config: { theme: "dark" } }),
    db.insert(schema.apiTokens).values({ ...own, ...apiToken, id: apiTokenId, createdBy: firstUser }),
    db.insert(schema.helpCalls).values({ ...own, id: helpCallId, machineId: saw.id, calledBy: firstUser }),
    db.insert(schema.actions).values({ ...action, id: actionId }),
    db.insert(schema.handOvers).values({ ...handOver, id: handOverId, lineId: line.id }),
    db.insert(schema.gatewayTokens).values({ ...own, id: gatewayTokenId, name: "Gateway", tokenHash }),
  ]);
  const deleted = await insertDeleted({
    ...{ user: { ...user(3, "user"), isActive: false }, line: { ...line, id: firstLine + 2, name: "Former" } },
    calendarDay: { ...own, id: firstDay + 2, date: "2041-05-01", scope: "company" as const, shifts: [] },
    shift: { ...spareShift, id: firstShift + 2, start: "02:00", end: "03:00" },
    machine: { ...machine(3, "FORMER", 9), decommissionedAt: NOON - HOUR },
    operator: { ...operator, id: firstOperator + 2, code: "O-0" },
    sku: { ...own, id: "OLD", name: "OLD" },
    stopCause: { ...cause, id: firstCause + 2, name: "Former" },
    defectReason: { ...reason, id: firstReason + 2, name: "Former" },
    widget: { ...widget, id: crypto.randomUUID() },
    dashboard: { ...dashboard, id: crypto.randomUUID() },
    plan: { ...futurePlan, id: crypto.randomUUID() },
    chatRoom: { ...room, id: crypto.randomUUID() },
    reportSubscription: { ...subscription, id: crypto.randomUUID(), kind: "daily" as const, time: "07:30" },
    alertRule: { ...spareRule, id: crypto.randomUUID() },
    webhook: { ...webhook, id: crypto.randomUUID() },
  });
  await drizzle(env.DIRECTORY)
    .insert(wallPairings)
    .values([...pairings, gateway].map((one) => ({ ...one, expiresAt: NOON + HOUR, createdAt: NOON })));
  await runLine(press.id, companyId, firstUser);
  const [superuser, worker, spareUser] = await Promise.all(users.map(signedIn));
  return {
    companyId,
    /** The ids of what is deleted, by kind. */
    deleted,
    spareCompanyId: companyId + 1,
    superuser: superuser as SignedIn,
    user: worker as SignedIn,
    spareUserId: (spareUser as SignedIn).userId,
    machine: press,
    other: saw,
    spareMachine: spare,
    lineId: line.id,
    spareLineId: line.id + 1,
    calendarDayId: firstDay,
    spareCalendarDayId: firstDay + 1,
    shiftId: shift.id,
    spareShiftId: spareShift.id,
    operatorId: operator.id,
    spareOperatorId: operator.id + 1,
    skuId: "CAP",
    causeId: cause.id,
    spareCauseId: cause.id + 1,
    reasonId: reason.id,
    /** Created the second reason. */
    setUpImportId,
    spareReasonId: reason.id + 1,
    widgetId: widget.id,
    dashboardId: dashboard.id,
    archivedId: archived.id,
    planId: plan.id,
    futurePlanId: futurePlan.id,
    workOrderId,
    /** An order without production. */
    spareWorkOrderId,
    notificationId: notification.id,
    personaId: persona.id,
    sparePersonaId: sparePersona.id,
    chatRoomId: room.id,
    spareChatRoomId: spareRoomId,
    subscriptionId: subscription.id,
    dailySubscriptionId,
    alertRuleId: rule.id,
    webhookId: webhook.id,
    eventId,
    spareAlertRuleId: spareRule.id,
    incidentId: incident.id,
    gatewayTokenId,
    gatewayToken,
    apiTokenId,
    /** Open at the other machine. */
    helpCallId,
    handOverId,
    actionId,
    wallCode: pairings[0]?.code,
    terminalCode: pairings[1]?.code,
    gatewayCode: gateway.code,
    /** A stop by the signals; a recorded one; the parts of one that was recorded and split. */
    stopId: recordId(press.id, 1),
    /** An entry of three held counts, and two of them. */
    heldId: recordId(press.id, entryOf(START, "implausible")),
    heldCounts: [recordId(press.id, 1), recordId(press.id, 2)],
    /** A correction of the time in which the line ran first. */
    correctionId: recordId(press.id, 1),
    /** A withdrawal of one of its counts. */
    withdrawalId: recordId(press.id, 1),
    /** What was said afterwards of what was made, and of who was there. */
    amendmentIds: [recordId(press.id, 1), recordId(press.id, 2)],
    /** What was said of a stop that is gone. */
    orphanId: recordId(press.id, 5),
    recordedId: recordId(press.id, 3),
    parts: [recordId(press.id, 4), recordId(press.id, 5)],
  };
}

const tablesOfDeleted = {
  machine: schema.machines,
  ...{
    user: schema.users,
    line: schema.lines,
    calendarDay: schema.calendarDays,
    shift: schema.shifts,
    operator: schema.operators,
  },
  ...{ sku: schema.skus, stopCause: schema.stopCauses, defectReason: schema.defectReasons, widget: schema.widgets },
  ...{ dashboard: schema.dashboards, plan: schema.operatorPlans, chatRoom: schema.chatRooms },
  ...{ reportSubscription: schema.reportSubscriptions, alertRule: schema.alertRules, webhook: schema.webhookSubscriptions },
};

/** Inserts rows as deleted an hour ago. Returns their ids. */
async function insertDeleted(rows: Record<keyof typeof tablesOfDeleted, { id: number | string; [column: string]: unknown }>) {
  for (const [kind, row] of Object.entries(rows))
    await db.insert(tablesOfDeleted[kind as keyof typeof rows]).values({ ...row, deletedAt: NOON - HOUR } as never);
  return Object.fromEntries(Object.entries(rows).map(([kind, { id }]) => [kind, id])) as Record<
    keyof typeof rows,
    number | string
  >;
}

type SignedIn = Awaited<ReturnType<typeof signedIn>>;

async function signedIn({
  id,
  companyId,
  role,
  email,
}: Pick<typeof schema.users.$inferSelect, "id" | "companyId" | "role" | "email">) {
  const { token } = await issueToken(env, { id, companyId, role, tokenVersion: 1 }, NOON / 1000);
  return { userId: id, email, token };
}

function channel({ id: machineId, companyId, nodeId }: { id: number; companyId: number; nodeId: number }, number: number) {
  return { companyId, nodeId, channel: number, machineId, type: "total" as const, countingFactor: 1 };
}

async function runLine(machineId: number, companyId: number, userId: number): Promise<void> {
  const minutes = [...Array.from({ length: 13 }, (_, i) => 5 * i), ...Array.from({ length: 13 }, (_, i) => 90 + 5 * i)];
  const at = (minute: number) => START + minute * MINUTE;
  const features = { hasCycleChannel: false, hasTotalChannel: true, hasGoodChannel: false };
  const countsAt = (of: readonly number[]) =>
    of.map((minute) => ({
      id: null,
      content: "count 7 1 2",
      event: countEvent(at(minute), { type: "total", countingFactor: 1 }, 2, features),
    }));
  const events = countsAt(minutes);
  // Three counts that it cannot have made, after the last one.
  const held = [160, 161, 162].map((minute) => ({
    id: null,
    content: "count 7 1 5000000",
    event: countEvent(at(minute), { type: "total", countingFactor: 1 }, 5_000_000, features),
  }));
  const object = machineObject(env, machineId);
  await object.ingest([...events, ...held], 1);
  await runInDurableObject(object, (instance) => instance.alarm());
  const recorded = { action: "record" as const, causes: null, flags: {} };
  const edits: StopEdit[] = [
    { ...recorded, start: at(100), end: at(110), name: "Drill" },
    { ...recorded, start: at(120), end: at(130), name: "Talk" },
    { action: "split", seq: 4, version: null, at: at(125) },
  ];
  const editAll = async (edits: readonly StopEdit[]) => {
    for (const edit of edits) await editStop(edit);
  };
  const editStop = async (edit: StopEdit) => {
    const edited = await object.editStops(edit, companyId, { userId, apiTokenId: null, requestId: crypto.randomUUID() });
    if ("refused" in edited) throw new Error(JSON.stringify(edited));
  };
  await editAll(edits);
  // The fifth edit is of a stop that late counts remove.
  await object.ingest(countsAt([170, 190]), 1);
  await runInDurableObject(object, (instance) => instance.alarm());
  await editAll([{ action: "change", seq: 6, version: null, name: "Gone", flags: {} }]);
  await object.ingest(countsAt([173, 176, 179, 182, 185, 188]), 1);
  await runInDurableObject(object, (instance) => instance.alarm());
  const none = { skuId: null, workOrderId: null, reasonId: null, comment: null, defects: 0, rework: 0 };
  const by = { userId, apiTokenId: null, requestId: crypto.randomUUID() };
  const corrected = await object.correct({ ...none, at: at(20), total: -3 }, by, null, 1);
  if ("refused" in corrected) throw new Error(JSON.stringify(corrected));
  const filter = { nodeId: null, channel: null, kinds: null, minValue: null, importId: null, ids: null };
  const interval = { start: at(5), end: at(15) };
  for (const amendment of [
    { ...interval, kind: "runs" as const, runs: [{ start: at(5), skuId: "NONE", workOrderId: null }] },
    { ...interval, kind: "presences" as const, presences: [] },
  ]) {
    const entry = {
      ...{ id: crypto.randomUUID(), at: Date.now(), companyId, ...by, objectId: "", before: null, after: null },
      ...(amendment.kind === "runs"
        ? { action: "run.change", objectType: "run" }
        : { action: "presence.change", objectType: "presence" }),
    };
    const amended = await object.amend(amendment, "Found later", companyId, by, entry, null, 1);
    if ("refused" in amended) throw new Error(JSON.stringify(amended));
  }
  const withdrawn = await object.withdrawEvents({ ...filter, from: at(60), to: at(60) + 1, reason: "A test" }, by, null, 1);
  if ("refused" in withdrawn) throw new Error(JSON.stringify(withdrawn));
}

function texts(name: string) {
  const l10n = { en: name, es: name };
  return { title: l10n, description: l10n, spec: { type: "bar" } };
}
