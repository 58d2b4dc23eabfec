import { env } from "cloudflare:workers";
import { pictureOf, storePictures } from "../../src/api/widgets/thumbnails.ts";
import { recordId } from "../../src/core/record-id.ts";
import { entryOf } from "../../src/machine/inputs/held-counts.ts";
import { createAlertRule, createIncident } from "../support/alerts.ts";
import { call } from "../support/call.ts";
import {
  createAction,
  createApiToken,
  createBookClosing,
  createCalendarDay,
  createChatRoom,
  createCompany,
  createDefectReason,
  createGatewayToken,
  createHandOver,
  createHelpCall,
  createImport,
  createLine,
  createMachine,
  createNotification,
  createOperator,
  createOperatorPlan,
  createPersona,
  createRecalculation,
  createSetUpImport,
  createShift,
  createShiftRecord,
  createSku,
  createStopCause,
  createStopClassification,
  createStopSlice,
  createSubscription,
  createSubscriptionLog,
  createUser,
  createUserConfig,
  createVersion,
  createWorkOrder,
} from "../support/factories.ts";
import { machineObject } from "../support/machine-object.ts";
import { flushMachine, recordsOf } from "../support/machines.ts";
import { picture } from "../support/pictures.ts";
import { createRunningLine } from "../support/running-line.ts";
import { createWebhookSubscription, happen } from "../support/webhooks.ts";
import { createDashboard, createInstance, createWidget } from "../support/widgets.ts";

export const password = "correct horse battery";
const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Ids and names of everything that operations refer to. */
export interface World {
  companyId: number;
  user: { userId: number; email: string };
  machine: { id: number; ref: string };
  /** A machine without signals; its stops are recorded by people. */
  bench: { id: number; ref: string; commissionedAt: number };
  /** The machine's line. */
  lineId: number;
  calendarDayId: number;
  /** The machine's shift, of 24 h: the occurrence that starts at `shiftStart` is running. */
  shiftId: number;
  shiftStart: number;
  /** The machine's record of that shift. */
  recordId: number;
  /** The bench's shift, of 24 h. */
  benchShift: { id: number; name: string };
  operator: { id: number; code: string };
  skuId: string;
  causeId: number;
  specificCauseId: number;
  dashboardId: string;
  widgetId: string;
  thumbnailKey: string;
  planId: string;
  subscriptionId: string;
  alertRuleId: string;
  webhookSubscriptionId: string;
  /** An event that can be delivered. */
  eventId: string;
  incidentId: string;
  workOrderId: string;
  notificationId: string;
  personaId: string;
  chatRoomId: string;
  grantId: string;
  gatewayTokenId: number;
  /** The token of a gateway. */
  gatewayToken: string;
  /** The pairing of a gateway whose code nobody has sent. */
  gatewayPairingId: string;
  apiTokenId: number;
  /** A wall that waits to be confirmed. */
  wall: { id: string; secret: string };
  /** A terminal that waits to be confirmed. */
  terminal: { id: string; secret: string };
  /** A recorded stop of the bench. */
  stopId: number;
  /** An open help call at the machine. */
  helpCallId: number;
  /** A hand-over of the shift that runs. */
  handOverId: number;
  /** An action about the stops of the cause. */
  actionId: number;
  stopClassificationId: string;
  /** The id of an entry of held counts. */
  heldId: number;
  importId: number;
  reasonId: number;
  /** A correction of the machine. */
  correctionId: number;
  withdrawalId: number;
  /** What was said of a stop that is gone, and a stop of the same machine. */
  orphan: { id: number; stopId: number };
  /** Each creates another thing that nothing else needs: to be changed for good, deleted, merged or split. */
  spare: Spares;
}

/** What versions have. */
const bodies = {
  rules: { timezone: "Europe/Madrid", signOutAtShiftEnd: false, productionDay: "calendarDay", weekStart: "monday" },
  line: { lineId: null },
  shift: { start: "05:00", end: "06:00", days: [1], breaks: [], machineIds: [] },
  standard: { standardCycleSeconds: 9 },
  cause: { parentId: null, isProgrammed: true, isIncludedInAvailability: false },
};

interface SpareStop {
  id: number;
  startAt: number;
}

interface Spares {
  companyId(): Promise<number>;
  userId(): Promise<number>;
  machineId(): Promise<number>;
  lineId(): Promise<number>;
  calendarDayId(): Promise<number>;
  shiftId(): Promise<number>;
  operatorId(): Promise<number>;
  skuId(): Promise<string>;
  causeId(): Promise<number>;
  planId(): Promise<string>;
  /** The id of a version, yet to begin, of an item of the company. */
  versionId(kind: keyof typeof bodies, entity: number | string): Promise<number>;
  subscriptionId(): Promise<string>;
  alertRuleId(): Promise<string>;
  personaId(): Promise<string>;
  chatRoomId(): Promise<string>;
  grantId(): Promise<string>;
  /** Makes the grant of the world what it is in the migration: a random request may have moved or taken it. */
  restoredGrant(): Promise<void>;
  /** Takes the grant that is about to be made. */
  withoutGrant(): Promise<void>;
  webhookSubscriptionId(): Promise<string>;
  incidentId(): Promise<string>;
  widgetId(): Promise<string>;
  archivedDashboardId(): Promise<string>;
  gatewayTokenId(): Promise<number>;
  apiTokenId(): Promise<number>;
  /** The code of a wall that waits to be confirmed. */
  wallCode(): Promise<string>;
  /** The code of a terminal that waits to be confirmed. */
  terminalCode(): Promise<string>;
  /** The code of a gateway that nobody has sent. */
  gatewayCode(): Promise<string>;
  workOrderId(): Promise<string>;
  /** The id of an entry of held counts. */
  heldId(): Promise<number>;
  orphan(): Promise<{ id: number; stopId: number }>;
  /** The id of a bulk classification. */
  bookClosingId(): Promise<number>;
  recalculationId(): Promise<number>;
  stopClassificationId(): Promise<string>;
  importId(): Promise<number>;
  setUpImportId(): Promise<number>;
  reasonId(): Promise<number>;
  /** The id of a correction of the machine. */
  correctionId(): Promise<number>;
  /** The body of a withdrawal of an event. */
  withdrawable(): Promise<object>;
  /** An amendment of what a machine made, or of who was there. */
  amendment(kind: "runs" | "presences"): Promise<{ machineId: number; id: number }>;
  /** The id of a withdrawal. */
  withdrawalId(): Promise<number>;
  /** The id of an open action. */
  actionId(): Promise<number>;
  /** The id of a hand-over that nobody has acknowledged. */
  handOverId(): Promise<number>;
  /** A date on which the machine had its shift, and that has no hand-over. */
  shiftDate(): Promise<string>;
  /** The id of an open help call. */
  helpCallId(): Promise<number>;
  /** Recorded stops of the bench, each of one second and beginning where the previous one ends; `startAt` in epoch ms. */
  stops(count: number): Promise<[SpareStop, ...SpareStop[]]>;
  /** A ten-second time of the bench without recorded stops: epoch ms of its start. */
  idleAt(): number;
}

/** Creates a company with data behind every operation. */
export async function createWorld(): Promise<World> {
  const { companyId, machine, shift, sku, operator, startAt, endAt } = await createRunningLine();
  const { benchShift, ...bench } = await createBench(companyId, startAt);
  const { lineId } = await createLine(companyId);
  const { calendarDayId } = await createCalendarDay(companyId);
  const rule = await createAlertRule(companyId, { isActive: false });
  await env.DB_0.prepare("UPDATE machines SET line_id = ? WHERE id = ?").bind(lineId, machine.id).run();
  const user = await createUser(companyId, "user", { password });
  const cause = await createStopCause(companyId);
  const specific = await createStopCause(companyId, { level: "specific", parentId: cause.causeId });
  const of = { companyId, machineId: machine.id, shiftId: shift.shiftId, shiftStart: startAt, shiftEnd: endAt };
  const causes = { classificationId: 1, classifiedAt: startAt, generalCauseId: cause.causeId, specificCauseId: specific.causeId };
  await createStopSlice({ ...of, sliceStart: startAt + hour, sliceEnd: startAt + hour + 1 }, { ...causes, deletedAt: startAt });
  const stored = pictureOf(picture("png"), { type: "image/png", extension: "png" });
  await storePictures(env, [stored]);
  const widget = await createWidget(companyId, { thumbnailKey: stored.key, compressedThumbnailKey: "b.webp" });
  const dashboard = await createDashboard(companyId);
  await createInstance({ dashboardId: dashboard.id, widgetId: widget.id });
  const plan = await createOperatorPlan(companyId, {
    assignments: [{ machineId: machine.id, shiftId: shift.shiftId, operatorId: operator.operatorId }],
  });
  const subscription = await createSubscription(companyId);
  await createSubscriptionLog(subscription.id);
  await createSubscriptionLog(subscription.id, { status: "scheduled", executedAt: null });
  const { workOrderId } = await createWorkOrder(machine, sku.skuId, { status: "InProgress" });
  await createUserConfig(user.userId, companyId);
  const spare = await sparesOf(companyId, bench, { id: machine.id, startAt, shiftId: shift.shiftId }, sku.skuId);
  // Before the webhook subscription, which would be sent its event.
  const heldId = await spare.heldId();
  return {
    companyId,
    user,
    machine,
    bench,
    lineId,
    calendarDayId,
    shiftId: shift.shiftId,
    shiftStart: startAt,
    recordId: (await recordsOf(machine.id))[0]?.id ?? 0,
    benchShift,
    operator: { id: operator.operatorId, code: operator.code },
    skuId: sku.skuId,
    causeId: cause.causeId,
    specificCauseId: specific.causeId,
    dashboardId: dashboard.id,
    widgetId: widget.id,
    thumbnailKey: stored.key,
    planId: plan.id,
    subscriptionId: subscription.id,
    alertRuleId: rule.id,
    webhookSubscriptionId: (await createWebhookSubscription(companyId)).id,
    eventId: (await happen(companyId, [{ machineId: machine.id }]))[0] ?? "",
    incidentId: (await createIncident(rule, { machineId: machine.id })).id,
    workOrderId,
    notificationId: (await createNotification(user.userId)).id,
    // The user is notified on the board.
    personaId: (await createPersona(companyId, { email: { ...noContact(), value: user.email } })).id,
    chatRoomId: (await createChatRoom(companyId)).id,
    grantId: KEPT_GRANT,
    gatewayTokenId: (await createGatewayToken(companyId)).gatewayTokenId,
    gatewayToken: (await createGatewayToken(companyId)).token,
    gatewayPairingId: (await newGateway((await createUser(companyId, "admin")).token)).id,
    apiTokenId: (await createApiToken(user)).apiTokenId,
    wall: await newDisplay("wall"),
    terminal: await newDisplay("terminal"),
    stopId: (await spare.stops(1))[0].id,
    stopClassificationId: await spare.stopClassificationId(),
    helpCallId: (await createHelpCall({ id: machine.id, companyId }, user.userId)).helpCallId,
    handOverId: await spare.handOverId(),
    actionId: await spare.actionId(),
    heldId,
    importId: (await createImport(user)).importId,
    reasonId: await spare.reasonId(),
    correctionId: await spare.correctionId(),
    withdrawalId: await spare.withdrawalId(),
    orphan: await spare.orphan(),
    spare,
  };
}

const noContact = () => ({ id: crypto.randomUUID(), value: "", isActive: false, reference: "" });

/** Ids that do not exist. */
export function nowhere(): World {
  const id = () => 2 ** 40 + Math.floor(Math.random() * 2 ** 40);
  const uuid = () => crypto.randomUUID();
  const [later, laterText] = [async () => id(), async () => uuid()];
  const nowhereAtOne = () => ({ id: recordId(2 ** 14, 1), stopId: recordId(2 ** 14, 2) });
  return {
    companyId: id(),
    user: { userId: id(), email: `${uuid()}@example.test` },
    machine: { id: id(), ref: uuid() },
    bench: { id: id(), ref: uuid(), commissionedAt: Date.now() - hour },
    lineId: id(),
    calendarDayId: id(),
    shiftId: id(),
    shiftStart: Date.now() - hour,
    recordId: id(),
    benchShift: { id: id(), name: uuid() },
    operator: { id: id(), code: uuid() },
    skuId: uuid(),
    causeId: id(),
    specificCauseId: id(),
    dashboardId: uuid(),
    widgetId: uuid(),
    thumbnailKey: `${"0".repeat(32)}${uuid().replaceAll("-", "")}.png`,
    planId: uuid(),
    subscriptionId: uuid(),
    alertRuleId: uuid(),
    webhookSubscriptionId: uuid(),
    eventId: uuid(),
    incidentId: uuid(),
    workOrderId: uuid(),
    notificationId: uuid(),
    personaId: uuid(),
    chatRoomId: uuid(),
    grantId: uuid(),
    gatewayTokenId: id(),
    gatewayToken: "andon_gw_none",
    gatewayPairingId: uuid(),
    apiTokenId: id(),
    wall: { id: uuid(), secret: `andon_pair_${"x".repeat(43)}` },
    terminal: { id: uuid(), secret: `andon_pair_${"y".repeat(43)}` },
    stopId: id(),
    helpCallId: id(),
    handOverId: id(),
    actionId: id(),
    stopClassificationId: uuid(),
    heldId: id(),
    importId: id(),
    reasonId: id(),
    correctionId: id(),
    withdrawalId: id(),
    orphan: nowhereAtOne(),
    spare: {
      companyId: later,
      userId: later,
      machineId: later,
      lineId: later,
      calendarDayId: later,
      shiftId: later,
      operatorId: later,
      skuId: laterText,
      causeId: later,
      planId: laterText,
      versionId: later,
      subscriptionId: laterText,
      personaId: laterText,
      chatRoomId: laterText,
      grantId: laterText,
      restoredGrant: async () => undefined,
      withoutGrant: () => takeGrant("superadmin"),
      alertRuleId: laterText,
      webhookSubscriptionId: laterText,
      incidentId: laterText,
      widgetId: laterText,
      archivedDashboardId: laterText,
      gatewayTokenId: later,
      apiTokenId: later,
      wallCode: async () => "CCCC-CCCC",
      terminalCode: async () => "DDDD-DDDD",
      gatewayCode: async () => "FFFF-FFFF",
      workOrderId: laterText,
      heldId: later,
      importId: later,
      setUpImportId: later,
      reasonId: later,
      correctionId: later,
      withdrawable: async () => withdrawalOf(id(), Date.now() - hour),
      withdrawalId: later,
      amendment: async () => ({ machineId: 2 ** 14, id: recordId(2 ** 14, 1) }),
      orphan: async () => nowhereAtOne(),
      helpCallId: later,
      handOverId: later,
      actionId: later,
      shiftDate: async () => "2001-01-01",
      bookClosingId: later,
      recalculationId: later,
      stopClassificationId: laterText,
      stops: async (count) => {
        const first = { id: id(), startAt: Date.now() - hour };
        return [first, ...Array.from({ length: count - 1 }, (_, i) => ({ ...first, id: first.id + i + 1 }))];
      },
      idleAt: () => Date.now() - hour,
    },
  };
}

/** Has a machine hold a count, and returns the id of its entry. */
async function holdCount(machineId: number): Promise<number> {
  const at = Date.now();
  const event = { kind: "count" as const, at, cycles: 2_000_000, total: 2_000_000, defects: 0, good: null };
  await machineObject(env, machineId).ingest([{ id: null, content: "count", event }], 1);
  await flushMachine(machineId);
  return recordId(machineId, entryOf(at, "implausible"));
}

/** Names a stop that late counts remove. Returns the id of what was said, and that of the stop after it. */
async function orphanEdit(machineId: number, token: string): Promise<{ id: number; stopId: number }> {
  const start = Date.now() - 40 * 60 * second;
  const send = async (minutes: readonly number[]) => {
    const counts = minutes.map((minute) => {
      const event = { kind: "count" as const, at: start + minute * 60 * second, cycles: 1, total: 1, defects: 0, good: null };
      return { id: null, content: "count", event };
    });
    await machineObject(env, machineId).ingest(counts, 1);
    await flushMachine(machineId);
  };
  await send([0, 4, 8]);
  const { data } = (await call("GET", `/v1/stops?machineIds=${machineId}&isOpen=false`, { token })).body;
  const [next, first] = data;
  const named = await call("PATCH", `/v1/stops/${first.id}`, { token, body: { name: "Jam" } });
  if (named.status !== 200) throw new Error(JSON.stringify(named.body));
  await send([1, 2, 3]);
  return { id: recordId(machineId, 1), stopId: next.id };
}

/** A wall or a terminal that shows a code. */
async function newDisplay(kind: "wall" | "terminal"): Promise<{ id: string; code: string; secret: string }> {
  return (await call("POST", `/v1/${kind}-pairings`)).body;
}

/** A gateway whose code a user made, and nobody has sent. */
async function newGateway(token: string): Promise<{ id: string; code: string }> {
  const answer = await call("POST", "/v1/gateway-pairings", { token, body: { name: "Gateway" } });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body;
}

async function createBench(companyId: number, commissionedAt: number) {
  const options = { commissionedAt, noDataAfterSeconds: null, standardCycleSeconds: 15 };
  const { id, ref } = await createMachine(companyId, options);
  const clock = new Date(commissionedAt).toISOString().slice(11, 16);
  const { shiftId, name } = await createShift(companyId, { start: clock, end: clock, machineIds: [id] });
  return { id, ref, commissionedAt, benchShift: { id: shiftId, name } };
}

/** The body of a withdrawal of the event that a machine got at an instant. */
function withdrawalOf(machineId: number, at: number) {
  const filter = { nodeId: null, channel: null, kinds: ["count", "heartbeat"], minValue: null, importId: null, ids: null };
  return { machineId, from: new Date(at).toISOString(), to: new Date(at + 1).toISOString(), ...filter, reason: "Ünder test" };
}

async function sparesOf(
  companyId: number,
  bench: World["bench"],
  machine: { id: number; startAt: number; shiftId: number },
  skuId: string,
): Promise<Spares> {
  const recorder = await createUser(companyId, "superuser");
  let idleFrom = bench.commissionedAt;
  const idleAt = () => {
    idleFrom += 10 * second;
    return idleFrom;
  };
  const machineId = async () => (await createMachine(companyId)).id;
  const { shiftId } = machine;
  let daysBack = 0;
  /** Noon of a day, each time another one long ago, on which the machine had its shift. */
  const shiftDay = async () => {
    daysBack += 1;
    const startAt = Date.UTC(2010, 0, 1, 12) - daysBack * 24 * hour;
    await createShiftRecord({ companyId, machineId: machine.id, shiftId, startAt, endAt: startAt + hour });
    return startAt;
  };
  const dateOf = (at: number) => new Date(at).toISOString().slice(0, 10);
  const withdrawable = async () => {
    const [id, at] = [await machineId(), Date.now()];
    await machineObject(env, id).ingest([{ id: null, content: "heartbeat", event: { kind: "sample", at } }], 0);
    return withdrawalOf(id, at);
  };
  const recordStop = async (startAt: number): Promise<SpareStop> => {
    const times = { startTime: new Date(startAt).toISOString(), endTime: new Date(startAt + second).toISOString() };
    const answer = await call("POST", "/v1/stops", { token: recorder.token, body: { machineId: bench.id, ...times } });
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    return { id: answer.body.id, startAt };
  };
  return {
    machineId,
    idleAt,
    companyId: async () => (await createCompany()).companyId,
    userId: async () => (await createUser(companyId, "readonly")).userId,
    lineId: async () => (await createLine(companyId)).lineId,
    calendarDayId: async () => (await createCalendarDay(companyId, { machineId: await machineId() })).calendarDayId,
    alertRuleId: async () => (await createAlertRule(companyId, { isActive: false })).id,
    webhookSubscriptionId: async () => (await createWebhookSubscription(companyId)).id,
    incidentId: async () => (await createIncident(await createAlertRule(companyId, { isActive: false }))).id,
    shiftId: async () => (await createShift(companyId, { machineIds: [await machineId()] })).shiftId,
    operatorId: async () => (await createOperator(companyId)).operatorId,
    skuId: async () => (await createSku(companyId)).skuId,
    causeId: async () => (await createStopCause(companyId)).causeId,
    planId: async () => (await createOperatorPlan(companyId, { since: Date.now() + hour, until: Date.now() + 2 * hour })).id,
    // Numbers of versions begin anew in each company: with a random one, none is that of another company's version.
    versionId: async (kind, entity) => {
      const id = Math.floor(Math.random() * 2 ** 40);
      return (await createVersion(companyId, { kind, entity, body: bodies[kind] }, { id })).versionId;
    },
    subscriptionId: async () => (await createSubscription(companyId, { kind: "daily", time: "06:30" })).id,
    personaId: async () => (await createPersona(companyId, { email: { ...noContact(), value: recorder.email } })).id,
    chatRoomId: async () => (await createChatRoom(companyId)).id,
    grantId: createGrant,
    restoredGrant: restoreGrant,
    withoutGrant: () => takeGrant("superadmin"),
    widgetId: async () => (await createWidget(companyId)).id,
    archivedDashboardId: async () => (await createDashboard(companyId, { archivedAt: Date.now() })).id,
    gatewayTokenId: async () => (await createGatewayToken(companyId)).gatewayTokenId,
    apiTokenId: async () => (await createApiToken(await createUser(companyId, "user"))).apiTokenId,
    wallCode: async () => (await newDisplay("wall")).code,
    terminalCode: async () => (await newDisplay("terminal")).code,
    gatewayCode: async () => (await newGateway(recorder.token)).code,
    workOrderId: async () => (await createWorkOrder({ id: machine.id, companyId }, skuId, { status: "InProgress" })).workOrderId,
    heldId: async () => await holdCount(await machineId()),
    bookClosingId: async () => await createBookClosing(companyId, recorder.userId),
    recalculationId: async () => await createRecalculation({ id: machine.id, companyId }, recorder.userId),
    orphan: async () => {
      const id = await machineId();
      await createShift(companyId, { start: "00:00", end: "00:00", machineIds: [id] });
      return await orphanEdit(id, recorder.token);
    },
    stopClassificationId: async () => (await createStopClassification(companyId, recorder.userId)).id,
    importId: async () => (await createImport({ companyId, userId: recorder.userId })).importId,
    setUpImportId: async () => (await createSetUpImport({ companyId, userId: recorder.userId })).setUpImportId,
    reasonId: async () => (await createDefectReason(companyId)).reasonId,
    correctionId: async () => {
      const body = { machineId: machine.id, at: new Date(machine.startAt + 60_000).toISOString(), defects: 1 };
      const answer = await call("POST", "/v1/corrections", { token: recorder.token, body });
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
      return answer.body.id;
    },
    withdrawable,
    amendment: async (kind) => {
      const { machineId: id } = (await withdrawable()) as { machineId: number };
      const [from, to] = [40, 30].map((minutes) => new Date(Date.now() - minutes * 60 * second).toISOString());
      const said = kind === "runs" ? { runs: [{ startTime: from, skuId }] } : { presences: [] };
      const body = { from, to, ...said, reason: "Nobody entered it" };
      const answer = await call("PUT", `/v1/machines/${id}/${kind}`, { token: recorder.token, body });
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
      return { machineId: id, id: answer.body.amendments[0].id };
    },
    withdrawalId: async () => {
      const answer = await call("POST", "/v1/event-withdrawals", { token: recorder.token, body: await withdrawable() });
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
      return answer.body.id;
    },
    actionId: async () => (await createAction({ companyId, machineId: machine.id }, recorder.userId)).id,
    handOverId: async () => {
      const at = await shiftDay();
      return (await createHandOver({ companyId, shiftId, date: dateOf(at) }, recorder.userId)).id;
    },
    shiftDate: async () => dateOf(await shiftDay()),
    helpCallId: async () => (await createHelpCall({ id: await machineId(), companyId }, recorder.userId)).helpCallId,
    stops: async (count) => {
      const startAt = idleAt();
      const first = await recordStop(startAt);
      const others: SpareStop[] = [];
      for (let i = 1; i < count; i++) others.push(await recordStop(startAt + i * second));
      return [first, ...others];
    },
  };
}

/** The grant by which a readonly user may delete their own config: from the migration. */
const KEPT_GRANT = "00000000-0000-4000-8000-000000000015";

/** A grant that means nothing, because superusers need none: a new one each time. */
async function createGrant(): Promise<string> {
  const id = crypto.randomUUID();
  await takeGrant("superuser");
  await env.DIRECTORY.prepare("INSERT INTO role_permissions VALUES (?, 'superuser', 'operator-names:read', 0, 0)").bind(id).run();
  return id;
}

/** Makes the grant of the world what it is in the migration. */
async function restoreGrant(): Promise<void> {
  const grant = "role_id = 'readonly' AND permission_id = 'configs:write'";
  await env.DIRECTORY.batch([
    env.DIRECTORY.prepare(`DELETE FROM role_permissions WHERE id = ? OR ${grant}`).bind(KEPT_GRANT),
    env.DIRECTORY.prepare("INSERT INTO role_permissions VALUES (?, 'readonly', 'configs:write', 0, 0)").bind(KEPT_GRANT),
  ]);
}

/** Takes the permission to see the names of operators from a role. No request is refused without it. */
async function takeGrant(role: "superadmin" | "superuser"): Promise<void> {
  await env.DIRECTORY.prepare("DELETE FROM role_permissions WHERE role_id = ? AND permission_id = 'operator-names:read'")
    .bind(role)
    .run();
}
