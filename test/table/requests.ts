import { env } from "cloudflare:workers";
import type { operations } from "../../src/client/api.d.ts";
import { nextBooksTime } from "../support/factories.ts";
import { picture } from "../support/pictures.ts";
import { password, type World } from "./world.ts";

/** Every operation of the OpenAPI document, without what only a service without users does: see `withoutUsers` in operations.ts. */
export type OperationId = Exclude<keyof operations, "claimService">;

/** Operations that end the caller's tokens: each needs a user of its own, with `password`. */
export const endsOwnTokens: readonly OperationId[] = ["changePassword", "signOut"];

export interface GoodRequest {
  path: string;
  /** Of a gateway, for what is about the gateway that asks. Undefined: anybody may send it. */
  token?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

const hour = 3_600_000;
const iso = (at: number) => new Date(at).toISOString();
const inAnHour = () => iso(Date.now() + hour);
const inTwoHours = () => iso(Date.now() + 2 * hour);
const inThreeHours = () => iso(Date.now() + 3 * hour);
/** An instant of the present minute, so that two of one request agree. */
const minutesAgo = (minutes: number) => iso((Math.floor(Date.now() / 60_000) - minutes) * 60_000);
const lastHours = () => ({ start: iso(Date.now() - 8 * hour), end: inAnHour() });
const random = () => crypto.randomUUID().slice(0, 8);
const l10n = (name: string) => ({ en: `${name} ${random()}`, es: `${name} es` });
const drawn = () => ({ title: l10n("Stops"), description: l10n("About"), spec: { type: "bar", size: 1.5 } });

/** A browser's push subscription. */
const subscription = JSON.stringify({
  endpoint: "https://push.example.com/1",
  keys: { p256dh: "B".padEnd(87, "A"), auth: "A".repeat(22) },
});

/** Deletes something of a world. Returns the path by which it is restored. */
async function deleted(kind: string, id: number | string): Promise<string> {
  const table = kind.replaceAll("-", "_");
  await env.DB_0.prepare(`UPDATE ${table} SET deleted_at = ? WHERE id = ?`).bind(Date.now(), id).run();
  return `/v1/${kind}/${encodeURIComponent(id)}/restore`;
}

/**
 * A good request to each operation about the things of a world, answered with 2xx if a superuser of its company sends it. No two are
 * the same. Things that an operation deletes or changes for good are spare things of the world, made for the request.
 */
export const requests: Record<OperationId, (world: World) => GoodRequest | Promise<GoodRequest>> = {
  // health, docs
  getHealth: () => ({ path: "/health" }),
  getOpenapi: () => ({ path: "/openapi.json" }),
  getService: () => ({ path: "/", headers: { accept: "application/json" } }),

  // identity
  getClaim: () => ({ path: "/v1/claim" }),
  login: ({ user }) => ({ path: "/identity/login", body: { email: user.email, password } }),
  // Requires that the caller has that password, and ends the caller's tokens.
  changePassword: () => ({
    path: "/v1/password",
    body: { currentPassword: password, newPassword: `quiet river ${crypto.randomUUID()}` },
  }),
  signOut: () => ({ path: "/v1/tokens" }),

  // signals
  ingest: ({ companyId, bench }) => {
    const heartbeat = () => ({ id: crypto.randomUUID(), type: "heartbeat", at: iso(Date.now()) });
    const events = [
      { ...heartbeat(), machineId: bench.id },
      { ...heartbeat(), machineRef: bench.ref },
    ];
    return { path: "/v1/ingest", body: { companyId, events } };
  },
  updateCountSensors: ({ companyId, machine }) => {
    // A different set each time: a request that changes nothing is not audited.
    const countingFactor = 2 + Math.floor(Math.random() * 900_000);
    const config = { type: "total", countingFactor, channel: 1, nodeId: 7 };
    const updated = [{ machineRef: machine.ref, isCountEnabled: true, configs: [config] }];
    return { path: "/backoffice/machines/count-sensors", body: { companyId, added: [], updated, deleted: [] } };
  },
  listSignals: ({ companyId, machine }) => ({ path: `/v1/signals?companyId=${companyId}&machineIds=${machine.id}` }),
  listCountSensors: ({ companyId }) => ({ path: `/v1/count-sensors?companyId=${companyId}` }),
  ignoreSignal: ({ companyId }) => ({
    path: `/v1/signals/ignored?companyId=${companyId}`,
    // Each time another one: what is ignored already changes nothing.
    body: { nodeId: 99, channel: Math.floor(Math.random() * 2 ** 31), isIgnored: true },
  }),
  putCountSensor: ({ bench }) => {
    const countingFactor = Math.ceil(Math.random() * 1e9) / 1e6;
    const configs = [{ type: "total", countingFactor, channel: 3, nodeId: 7 }];
    return { path: `/v1/machines/${bench.id}/count-sensor`, body: { isCountEnabled: true, configs } };
  },

  // machines
  getAvailability: ({ machine }) => ({ path: `/machines/${machine.id}/availability?${new URLSearchParams(lastHours())}` }),
  listRealtimeOperators: ({ machine }) => ({
    path: `/machines/realtime/operators?machineId=${machine.id}&direction=desc&limit=10&offset=0`,
  }),
  getMachineState: ({ machine }) => ({ path: `/v1/machines/${machine.id}/state` }),
  getTimeline: ({ companyId, machine, bench }) => {
    const range = { from: lastHours().start, to: lastHours().end };
    const ids = { companyId: String(companyId), machineIds: `${machine.id},${bench.id}` };
    return { path: `/v1/timeline?${new URLSearchParams({ ...ids, ...range })}` };
  },
  getPlantState: ({ companyId, machine, bench, lineId }) => ({
    path: `/v1/state?companyId=${companyId}&machineIds=${machine.id},${bench.id}&lineIds=${lineId}`,
  }),
  getLive: ({ companyId, machine, bench, lineId }) => ({
    path: `/v1/live?companyId=${companyId}&machineIds=${machine.id},${bench.id}&lineIds=${lineId}`,
  }),
  signOperatorIn: ({ machine, operator }) => ({
    path: `/v1/machines/${machine.id}/sign-in`,
    body: { operatorId: operator.id, at: iso(Date.now() - hour) },
  }),
  signOperatorOut: ({ machine, operator }) => ({
    path: `/v1/machines/${machine.id}/sign-out`,
    body: { operatorId: operator.id, at: iso(Date.now() - 1000) },
  }),
  startRun: async ({ machine, skuId, spare }) => ({
    path: `/v1/machines/${machine.id}/run`,
    body: { skuId, workOrderId: await spare.workOrderId() },
  }),
  getRuns: ({ machine }) => ({ path: `/v1/machines/${machine.id}/runs?from=${lastHours().start}&to=${inAnHour()}` }),
  getPresences: ({ machine }) => ({ path: `/v1/machines/${machine.id}/presences?from=${lastHours().start}&to=${inAnHour()}` }),
  amendRuns: ({ machine, skuId }) => ({
    path: `/v1/machines/${machine.id}/runs`,
    body: {
      ...{ from: minutesAgo(40), to: minutesAgo(30), reason: "Nöbody\nentered it" },
      runs: [{ startTime: minutesAgo(40), skuId, workOrderId: null }],
    },
  }),
  amendPresences: ({ machine, operator }) => ({
    path: `/v1/machines/${machine.id}/presences`,
    body: {
      ...{ from: minutesAgo(40), to: minutesAgo(30), reason: "Nöbody\nentered it" },
      presences: [{ operatorId: operator.id, startTime: minutesAgo(38), endTime: minutesAgo(31) }],
    },
  }),
  undoRunAmendment: async ({ spare }) => {
    const { machineId, id } = await spare.amendment("runs");
    return { path: `/v1/machines/${machineId}/runs/${id}` };
  },
  undoPresenceAmendment: async ({ spare }) => {
    const { machineId, id } = await spare.amendment("presences");
    return { path: `/v1/machines/${machineId}/presences/${id}` };
  },
  explainShift: ({ machine, shiftStart }) => ({
    path: `/v1/machines/${machine.id}/shifts/${encodeURIComponent(iso(shiftStart))}/explain`,
  }),

  // reports, charts
  getMetricReport: ({ companyId }) => ({
    path: "/v1/public/reports/metrics",
    body: { companyIds: [companyId], pageSize: 10 },
  }),
  getStopReport: ({ companyId }) => ({
    path: "/v1/public/reports/stops",
    body: { companyIds: [companyId], pageSize: 10, includeDeleted: true },
  }),
  listShiftRecords: async ({ companyId, machine, bench, lineId, shiftId, skuId, operator, spare }) => {
    const filter = {
      ...{ companyId, machineIds: [machine.id, bench.id], lineIds: lineId, shiftIds: shiftId, skuIds: skuId },
      ...{ workOrderIds: await spare.workOrderId(), operatorIds: operator.id, from: lastHours().start, to: inAnHour() },
      isActive: true,
    };
    return { path: `/v1/shift-records?${new URLSearchParams(filter as never)}` };
  },
  listStopRecords: ({ companyId, machine, bench, lineId, shiftId, causeId }) => {
    const filter = {
      ...{ companyId, machineIds: [machine.id, bench.id], lineIds: lineId, shiftIds: shiftId, generalCauseIds: causeId },
      ...{ from: lastHours().start, to: inAnHour(), minDurationInMinutes: 1, includeDeleted: true },
    };
    return { path: `/v1/stop-records?${new URLSearchParams(filter as never)}` };
  },
  getStopMetrics: ({ companyId, machine, shiftId }) => {
    const { start: from, end: to } = lastHours();
    const filter_by = { date_range: { from, to }, company_id: companyId, machine_ids: [machine.id], shift_ids: [shiftId] };
    const metrics = ["stop_count", "mtbf", "stop_duration"];
    return { path: "/widget/stop-metrics", body: { filter_by, metrics, interval: "hour", group_by: "general_cause" } };
  },

  getSummary: ({ companyId, machine }) => ({
    path: `/v1/summary?groupBy=machine,hour&from=${lastHours().start}&companyId=${companyId}&machineIds=${machine.id}`,
  }),

  getProduction: ({ companyId, machine }) => ({
    path: `/v1/production?interval=15min&from=${lastHours().start}&companyId=${companyId}&machineIds=${machine.id}`,
  }),
  listOperatorShifts: ({ operator }) => ({ path: `/v1/operators/${operator.id}/shifts?from=2020-01-01T00:00:00Z` }),
  listRecordOperators: ({ recordId }) => ({ path: `/v1/shift-records/${recordId}/operators` }),
  listMachineEvents: ({ machine }) => ({
    path: `/v1/machines/${machine.id}/events?from=${iso(Date.now() - hour)}&to=${inAnHour()}`,
  }),
  listShiftRevisions: ({ recordId }) => ({ path: `/v1/shift-records/${recordId}/revisions` }),
  explainRecord: ({ recordId }) => ({ path: `/v1/shift-records/${recordId}/explain` }),

  // stops
  listStops: ({ companyId, machine, bench }) => ({
    path: `/v1/stops?companyId=${companyId}&machineIds=${machine.id},${bench.id}&from=${lastHours().start}&includeDeleted=true`,
  }),
  getStop: ({ stopId }) => ({ path: `/v1/stops/${stopId}` }),
  listStopChanges: ({ stopId }) => ({ path: `/v1/stops/${stopId}/changes` }),
  recordStop: ({ bench, causeId, specificCauseId, spare }) => {
    const start = spare.idleAt();
    const times = { startTime: iso(start), endTime: iso(start + 1000) };
    const causes = { generalCauseId: String(causeId), specificCauseId: String(specificCauseId) };
    return { path: "/v1/stops", body: { machineId: bench.id, ...times, name: "Fire drill", isProgrammed: true, ...causes } };
  },
  changeStop: ({ stopId }) => ({ path: `/v1/stops/${stopId}`, body: { name: `Jam ${random()}`, isIncludedInStops: true } }),
  deleteStop: async ({ spare }) => ({ path: `/v1/stops/${(await spare.stops(1))[0].id}` }),
  classifyStop: ({ stopId, causeId, specificCauseId }) => {
    const causes = { generalCauseId: String(causeId), specificCauseId: String(specificCauseId) };
    return { path: `/v1/stops/${stopId}/classification`, body: { ...causes, description: `Belt ${random()}` } };
  },
  classifyStops: async ({ companyId, causeId, spare }) => ({
    path: "/v1/stops/classify",
    body: {
      companyId,
      ids: (await spare.stops(2)).map(({ id }) => id),
      generalCauseId: causeId,
      description: `Drill ${random()}`,
    },
  }),
  listStopClassifications: ({ companyId }) => ({ path: `/v1/stop-classifications?companyId=${companyId}` }),
  getStopClassification: ({ stopClassificationId }) => ({ path: `/v1/stop-classifications/${stopClassificationId}` }),
  undoStopClassification: async ({ spare }) => ({ path: `/v1/stop-classifications/${await spare.stopClassificationId()}/undo` }),
  declassifyStop: ({ stopId }) => ({ path: `/v1/stops/${stopId}/classification` }),
  splitStop: async ({ spare }) => {
    const [{ id, startAt }] = await spare.stops(1);
    return { path: `/v1/stops/${id}/split`, body: { at: iso(startAt + 500) } };
  },
  mergeStops: async ({ spare }) => ({ path: "/v1/stops/merge", body: { ids: (await spare.stops(2)).map(({ id }) => id) } }),

  // help calls
  createHelpCall: async ({ spare }) => ({
    path: `/v1/machines/${await spare.machineId()}/help-calls`,
    body: { message: `Mould ${random()} leaks` },
  }),
  listHelpCalls: ({ companyId, machine }) => ({
    path: `/v1/help-calls?companyId=${companyId}&machineIds=${machine.id}&isOpen=true&from=${lastHours().start}`,
  }),
  getHelpCall: ({ helpCallId }) => ({ path: `/v1/help-calls/${helpCallId}` }),
  answerHelpCall: async ({ spare }) => ({ path: `/v1/help-calls/${await spare.helpCallId()}/answer` }),

  // actions
  listActions: ({ companyId, machine, user }) => ({
    path: `/v1/actions?companyId=${companyId}&machineIds=${machine.id}&ownerIds=${user.userId}&states=open,done`,
  }),
  createAction: ({ companyId, machine, causeId, user }) => ({
    path: "/v1/actions",
    body: {
      ...{ companyId, loss: "cause", generalCauseId: causeId, machineId: machine.id, from: lastHours().start, to: inAnHour() },
      ...{ measure: `New sensör ${random()}\nin the feeder`, ownerId: user.userId, dueOn: "2041-01-01" },
    },
  }),
  getAction: ({ actionId }) => ({ path: `/v1/actions/${actionId}` }),
  changeAction: async ({ spare, user }) => ({
    path: `/v1/actions/${await spare.actionId()}`,
    body: { state: "done", ownerId: user.userId, comment: `Rare ${random()}` },
  }),

  // hand-overs
  listHandOvers: ({ companyId, shiftId, lineId }) => ({
    path: `/v1/hand-overs?companyId=${companyId}&shiftIds=${shiftId}&lineIds=0,${lineId}&isAcknowledged=false&from=2000-01-01T00:00:00Z`,
  }),
  createHandOver: async ({ shiftId, spare }) => ({
    path: "/v1/hand-overs",
    body: {
      ...{ shiftId, date: await spare.shiftDate() },
      ...{ notes: { safety: null, quality: `Fläsh ${random()}\non cavity 12`, people: null, other: "x" }, watch: ["Press 6"] },
    },
  }),
  getHandOver: ({ handOverId }) => ({ path: `/v1/hand-overs/${handOverId}` }),
  changeHandOver: async ({ spare }) => ({
    path: `/v1/hand-overs/${await spare.handOverId()}`,
    body: { watch: [`Roll ${random()}`] },
  }),
  acknowledgeHandOver: async ({ spare }) => ({ path: `/v1/hand-overs/${await spare.handOverId()}/acknowledge` }),
  getShiftFigures: ({ shiftId, shiftStart }) => ({
    path: `/v1/shift-figures?shiftId=${shiftId}&date=${iso(shiftStart).slice(0, 10)}`,
  }),

  createBookClosing: ({ companyId }) => ({
    path: "/v1/books/closings",
    body: { companyId, to: iso(nextBooksTime() + 1_000_000_000), force: true, reason: `Reported ${random()}` },
  }),
  listBookClosings: ({ companyId }) => ({ path: `/v1/books/closings?companyId=${companyId}` }),
  getBookClosing: async ({ spare }) => ({ path: `/v1/books/closings/${await spare.bookClosingId()}` }),
  reopenBookClosing: async ({ spare }) => ({
    path: `/v1/books/closings/${await spare.bookClosingId()}/reopen`,
    body: { reason: `A mistake ${random()}` },
  }),

  createRecalculation: ({ companyId, machine }) => ({
    path: "/v1/recalculations",
    body: { companyId, reason: `Doubts ${random()}`, machineIds: [machine.id], from: iso(Date.now() - 60_000) },
  }),
  listRecalculations: ({ companyId }) => ({ path: `/v1/recalculations?companyId=${companyId}&isOpen=false` }),
  getRecalculation: async ({ spare }) => ({ path: `/v1/recalculations/${await spare.recalculationId()}` }),

  listOrphanedEdits: ({ companyId, machine }) => ({ path: `/v1/orphaned-edits?companyId=${companyId}&machineIds=${machine.id}` }),
  attachOrphanedEdit: async ({ spare }) => {
    const { id, stopId } = await spare.orphan();
    return { path: `/v1/orphaned-edits/${id}/attach`, body: { stopId } };
  },
  dropOrphanedEdit: async ({ spare }) => ({ path: `/v1/orphaned-edits/${(await spare.orphan()).id}` }),

  listHeldEvents: ({ companyId, machine }) => ({
    path: `/v1/held-events?companyId=${companyId}&machineIds=${machine.id}&from=${lastHours().start}`,
  }),
  listEventsOfHeld: ({ heldId }) => ({ path: `/v1/held-events/${heldId}/events` }),
  createImport: ({ companyId, bench }) => {
    const body = `type,at,machineId\nheartbeat,${iso(Date.now() - hour)},${bench.id}\n`;
    return { path: `/v1/imports?companyId=${companyId}`, body, headers: { "content-type": "text/csv" } };
  },
  listImports: ({ companyId }) => ({ path: `/v1/imports?companyId=${companyId}` }),
  getImport: ({ importId }) => ({ path: `/v1/imports/${importId}` }),
  listImportErrors: ({ importId }) => ({ path: `/v1/imports/${importId}/errors` }),
  undoImport: async ({ spare }) => ({ path: `/v1/imports/${await spare.importId()}/undo` }),
  acceptHeldEvents: async ({ spare }) => ({ path: `/v1/held-events/${await spare.heldId()}/accept`, body: {} }),
  dropHeldEvents: async ({ spare }) => ({ path: `/v1/held-events/${await spare.heldId()}/drop`, body: {} }),

  listCorrections: ({ companyId, machine, reasonId }) => ({
    path: `/v1/corrections?companyId=${companyId}&machineIds=${machine.id}&reasonIds=${reasonId}&includeUndone=true&from=${lastHours().start}`,
  }),
  createCorrection: ({ machine, shiftStart, reasonId, skuId }) => ({
    path: "/v1/corrections",
    body: {
      ...{ machineId: machine.id, at: new Date(shiftStart + 600_000).toISOString(), skuId, total: 2, defects: 0.5, rework: 0.25 },
      ...{ reasonId, comment: "Ünder the press\nfound" },
    },
  }),
  getCorrection: ({ correctionId }) => ({ path: `/v1/corrections/${correctionId}` }),
  undoCorrection: async ({ spare }) => ({ path: `/v1/corrections/${await spare.correctionId()}` }),

  listEventWithdrawals: ({ companyId, machine }) => ({
    path: `/v1/event-withdrawals?companyId=${companyId}&machineIds=${machine.id}&includeRestored=true&from=${lastHours().start}`,
  }),
  createEventWithdrawal: async ({ spare }) => ({ path: "/v1/event-withdrawals", body: await spare.withdrawable() }),
  getEventWithdrawal: ({ withdrawalId }) => ({ path: `/v1/event-withdrawals/${withdrawalId}` }),
  restoreEvents: async ({ spare }) => ({ path: `/v1/event-withdrawals/${await spare.withdrawalId()}` }),

  listEvents: ({ companyId, machine }) => ({
    path: `/v1/events?companyId=${companyId}&machineIds=${machine.id}&types=stop.opened,stop.closed`,
  }),

  // audit, configs, notifications, personas, roles
  listAudit: ({ companyId, user }) => ({ path: `/v1/audit?companyId=${companyId}&userId=${user.userId}&objectType=stop` }),
  deleteConfig: ({ user, companyId }) => ({ path: "/config", body: { userId: user.userId, companyId } }),
  getConfig: () => ({ path: "/v1/config" }),
  putConfig: () => ({ path: "/v1/config", body: { config: { theme: random(), nested: { deep: [null, "ü"] } } } }),
  markNotificationsRead: ({ notificationId }) => ({
    path: "/notifications/markRead",
    body: { notificationIds: [notificationId] },
  }),
  listNotifications: () => ({ path: "/v1/notifications?limit=10" }),
  createPersona: ({ companyId }) => ({
    path: "/v2/alert-settings/superuser/persona/new",
    body: { name: `Shift lead ${random()}`, companyId },
  }),
  addPersona: ({ companyId }) => ({ path: "/v1/personas", body: { companyId, name: `Shift lead ${random()}` } }),
  changePersona: ({ personaId }) => ({
    path: `/v1/personas/${personaId}`,
    body: {
      name: `Shift lead ${random()}`,
      sms: { value: "+34600111222", isActive: true },
      email: { value: "ana@example.test" },
      push: [{ value: subscription }],
      alertHours: { sunday: { start: "00:00", end: "00:00" } },
      language: "english",
    },
  }),
  getPersona: ({ personaId }) => ({ path: `/v1/personas/${personaId}` }),
  deletePersona: async ({ spare }) => ({ path: `/v1/personas/${await spare.personaId()}` }),
  testPersona: async ({ spare }) => ({ path: `/v1/personas/${await spare.personaId()}/test`, body: { channel: "in_app" } }),
  listMessages: ({ companyId, personaId }) => ({
    path: `/v1/messages?companyId=${companyId}&personaIds=${personaId}&channels=in_app&statuses=sent,failed&from=${lastHours().start}`,
  }),
  listChannels: () => ({ path: "/v1/channels" }),
  getPushKey: () => ({ path: "/v1/push-key" }),
  // A different device each time.
  putPushDevice: () => ({
    path: "/v1/push-devices",
    body: { subscription: subscription.replace("/1", `/${random()}`), isOn: true, name: "Chrome, Android" },
  }),
  listChatRooms: ({ companyId }) => ({ path: `/v1/chat-rooms?companyId=${companyId}` }),
  createChatRoom: ({ companyId }) => ({
    path: "/v1/chat-rooms",
    body: { companyId, name: `Room ${random()}`, service: "teams", language: "es", url: "https://hooks.example.com/room" },
  }),
  getChatRoom: ({ chatRoomId }) => ({ path: `/v1/chat-rooms/${chatRoomId}` }),
  changeChatRoom: async ({ spare }) => ({
    path: `/v1/chat-rooms/${await spare.chatRoomId()}`,
    body: { name: `Room ${random()}`, isActive: false, url: "https://hooks.example.com/other" },
  }),
  restoreChatRoom: async ({ spare }) => ({ path: `${await deleted("chat-rooms", await spare.chatRoomId())}` }),
  deleteChatRoom: async ({ spare }) => ({ path: `/v1/chat-rooms/${await spare.chatRoomId()}` }),
  testChatRoom: ({ chatRoomId }) => ({ path: `/v1/chat-rooms/${chatRoomId}/test` }),
  listPersonas: ({ companyId }) => ({ path: `/v1/personas?companyId=${companyId}` }),
  getUsage: ({ companyId }) => ({ path: `/v1/usage?companyId=${companyId}` }),
  setUsageLimits: ({ companyId }) => ({
    path: "/v1/usage/limits",
    body: { companyId, limits: { widgets: 20_000 + Math.floor(Math.random() * 1_000_000) } },
  }),
  updateRolePermission: async ({ grantId, spare }) => {
    await spare.restoredGrant();
    return { path: `/role-permissions/${grantId}`, body: { permissionId: "configs:write", roleId: "readonly" } };
  },
  createRolePermission: async ({ spare }) => {
    await spare.withoutGrant();
    return { path: "/v1/role-permissions", body: { roleId: "superadmin", permissionId: "operator-names:read" } };
  },
  getRolePermission: ({ grantId }) => ({ path: `/v1/role-permissions/${grantId}` }),
  deleteRolePermission: async ({ spare }) => ({ path: `/v1/role-permissions/${await spare.grantId()}` }),
  listRolePermissions: () => ({ path: "/v1/role-permissions?limit=10" }),

  // subscriptions, tags, webhooks
  listSubscriptionLogs: ({ subscriptionId }) => ({ path: `/subscriptions/${subscriptionId}/logs?limit=10` }),
  listAlertRules: ({ companyId }) => ({ path: `/v1/alert-rules?companyId=${companyId}` }),
  createAlertRule: ({ companyId, machine }) => {
    const when = { kind: "stop", minutes: 10 };
    return { path: "/v1/alert-rules", body: { companyId, name: `Rule ${random()}`, when, machineIds: [machine.id] } };
  },
  getAlertRule: ({ alertRuleId }) => ({ path: `/v1/alert-rules/${alertRuleId}` }),
  changeAlertRule: async ({ spare }) => ({
    path: `/v1/alert-rules/${await spare.alertRuleId()}`,
    body: { name: `Rule ${random()}`, when: { kind: "no_data", minutes: 10 } },
  }),
  restoreAlertRule: async ({ spare }) => ({ path: `${await deleted("alert-rules", await spare.alertRuleId())}` }),
  deleteAlertRule: async ({ spare }) => ({ path: `/v1/alert-rules/${await spare.alertRuleId()}` }),
  tryAlertRule: ({ companyId, machine }) => {
    const when = { kind: "stop", minutes: 10 };
    return { path: "/v1/alert-rules/try", body: { companyId, rule: { name: "Stands", when, machineIds: [machine.id] } } };
  },
  listIncidents: ({ companyId }) => ({ path: `/v1/incidents?companyId=${companyId}` }),
  getIncident: ({ incidentId }) => ({ path: `/v1/incidents/${incidentId}` }),
  acknowledgeIncident: async ({ spare }) => ({ path: `/v1/incidents/${await spare.incidentId()}/acknowledge` }),
  listReportSubscriptions: ({ companyId }) => ({ path: `/v1/report-subscriptions?companyId=${companyId}` }),
  createReportSubscription: ({ companyId, lineId }) => {
    const about = { kind: "daily", time: "06:30", lineIds: [lineId], addresses: ["hall1@example.com"] };
    return { path: "/v1/report-subscriptions", body: { companyId, name: `Report ${random()}`, ...about } };
  },
  getReportSubscription: ({ subscriptionId }) => ({ path: `/v1/report-subscriptions/${subscriptionId}` }),
  changeReportSubscription: async ({ spare }) => ({
    path: `/v1/report-subscriptions/${await spare.subscriptionId()}`,
    body: { name: `Report ${random()}` },
  }),
  runReportSubscription: async ({ spare }) => ({ path: `/v1/report-subscriptions/${await spare.subscriptionId()}/run` }),
  previewReportSubscription: ({ subscriptionId }) => ({ path: `/v1/report-subscriptions/${subscriptionId}/preview` }),
  restoreReportSubscription: async ({ spare }) => ({
    path: `${await deleted("report-subscriptions", await spare.subscriptionId())}`,
  }),
  deleteReportSubscription: async ({ spare }) => ({ path: `/v1/report-subscriptions/${await spare.subscriptionId()}` }),
  saveTagKey: ({ companyId }) => {
    const tagKey = `Hall ${crypto.randomUUID()}`;
    const shown = { description: "Where it stands", color: "#00aa00", isDefault: false };
    return { path: "/tags/key", body: { companyId, sort: 1.5, subject: "Machines", tagKey, ...shown } };
  },
  listTags: ({ companyId }) => ({ path: `/v1/tags?companyId=${companyId}&subject=Machines` }),
  getWebhookSecret: () => ({ path: "/webhook-subscriptions/secret" }),
  rotateWebhookSecret: () => ({ path: "/v1/webhook-secret/rotate" }),
  listWebhookSubscriptions: ({ companyId }) => ({ path: `/v1/webhook-subscriptions?companyId=${companyId}` }),
  createWebhookSubscription: ({ companyId, machine }) => ({
    path: "/v1/webhook-subscriptions",
    body: { companyId, url: `https://${random()}.example.com/`, events: ["stop.opened"], machineIds: [machine.id] },
  }),
  getWebhookSubscription: ({ webhookSubscriptionId }) => ({ path: `/v1/webhook-subscriptions/${webhookSubscriptionId}` }),
  changeWebhookSubscription: async ({ spare }) => ({
    path: `/v1/webhook-subscriptions/${await spare.webhookSubscriptionId()}`,
    body: { description: `ERP ${random()}`, isActive: false },
  }),
  restoreWebhookSubscription: async ({ spare }) => ({
    path: `${await deleted("webhook-subscriptions", await spare.webhookSubscriptionId())}`,
  }),
  deleteWebhookSubscription: async ({ spare }) => ({
    path: `/v1/webhook-subscriptions/${await spare.webhookSubscriptionId()}`,
  }),
  rotateSubscriptionSecret: async ({ spare }) => ({
    path: `/v1/webhook-subscriptions/${await spare.webhookSubscriptionId()}/rotate-secret`,
  }),
  pingWebhookSubscription: ({ webhookSubscriptionId }) => ({ path: `/v1/webhook-subscriptions/${webhookSubscriptionId}/ping` }),
  listDeliveries: ({ webhookSubscriptionId }) => ({ path: `/v1/webhook-subscriptions/${webhookSubscriptionId}/deliveries` }),
  replayEvent: async ({ spare, eventId }) => ({
    path: `/v1/webhook-subscriptions/${await spare.webhookSubscriptionId()}/deliveries/${eventId}/replay`,
  }),
  replayEvents: async ({ spare }) => ({
    path: `/v1/webhook-subscriptions/${await spare.webhookSubscriptionId()}/replay`,
    body: { since: lastHours().start },
  }),

  // walls
  createWallPairing: () => ({ path: "/v1/wall-pairings" }),
  getWallPairing: ({ wall }) => ({ path: `/v1/wall-pairings/${wall.id}`, headers: { "x-pairing-secret": wall.secret } }),
  confirmWallPairing: async ({ companyId, lineId, spare }) => {
    const shown = { lineIds: [lineId], distance: 8 };
    return {
      path: "/v1/wall-pairings/confirm",
      body: { code: await spare.wallCode(), name: `Hall ${random()}`, companyId, ...shown },
    };
  },

  // terminals
  createTerminalPairing: () => ({ path: "/v1/terminal-pairings" }),
  getTerminalPairing: ({ terminal }) => ({
    path: `/v1/terminal-pairings/${terminal.id}`,
    headers: { "x-pairing-secret": terminal.secret },
  }),
  confirmTerminalPairing: async ({ companyId, machine, spare }) => ({
    path: "/v1/terminal-pairings/confirm",
    body: { code: await spare.terminalCode(), name: `Terminal ${random()}`, companyId, machineIds: [machine.id] },
  }),

  // set-up
  getPlantFile: ({ companyId }) => ({ path: `/v1/plant?companyId=${companyId}` }),
  putPlantFile: ({ companyId }) => ({
    path: `/v1/plant?companyId=${companyId}`,
    body: { formatVersion: 1, defectReasons: [{ name: `Reason ${random()}` }] },
  }),
  createSetUpImport: ({ companyId }) => ({
    path: `/v1/setup/imports?companyId=${companyId}&kind=defect-reasons`,
    body: `name\nReason ${random()}\n`,
    headers: { "content-type": "text/csv" },
  }),
  listSetUpImports: ({ companyId }) => ({ path: `/v1/setup/imports?companyId=${companyId}` }),
  undoSetUpImport: async ({ spare }) => ({ path: `/v1/setup/imports/${await spare.setUpImportId()}/undo` }),
  checkSetUp: ({ companyId }) => ({ path: `/v1/setup/check?companyId=${companyId}` }),
  listCompanies: ({ companyId }) => ({ path: `/v1/companies?companyId=${companyId}` }),
  createCompany: () => ({ path: "/v1/companies", body: { name: `Plant ${random()}`, timezone: "Europe/Madrid" } }),
  getCompany: ({ companyId }) => ({ path: `/v1/companies/${companyId}` }),
  changeCompany: ({ companyId }) => ({ path: `/v1/companies/${companyId}`, body: { name: `Plant ${random()}` } }),
  listCompanyVersions: ({ companyId }) => ({ path: `/v1/companies/${companyId}/versions` }),
  withdrawCompanyVersion: async ({ companyId, spare }) => ({
    path: `/v1/companies/${companyId}/versions/${await spare.versionId("rules", companyId)}`,
  }),
  deleteCompany: async ({ spare }) => ({ path: `/v1/companies/${await spare.companyId()}` }),

  listUsers: ({ companyId }) => ({ path: `/v1/users?companyId=${companyId}` }),
  createUser: ({ companyId }) => {
    const account = { email: `${crypto.randomUUID()}@example.test`, password: "a long enough password", role: "readonly" };
    return { path: "/v1/users", body: { companyId, name: "Ana", ...account, isActive: false } };
  },
  listUserDependents: ({ user }) => ({ path: `/v1/users/${user.userId}/dependents` }),
  getUser: ({ user }) => ({ path: `/v1/users/${user.userId}` }),
  changeUser: async ({ spare }) => ({ path: `/v1/users/${await spare.userId()}`, body: { name: `Ana ${random()}` } }),
  restoreUser: async ({ spare }) => ({ path: `${await deleted("users", await spare.userId())}` }),
  deleteUser: async ({ spare }) => ({ path: `/v1/users/${await spare.userId()}` }),

  listMachines: ({ companyId }) => ({ path: `/v1/machines?companyId=${companyId}` }),
  createMachine: ({ companyId, lineId }) => ({
    path: "/v1/machines",
    body: { companyId, name: "Press", ref: `P-${crypto.randomUUID()}`, nodeId: 4, standardCycleSeconds: 12.5, lineId },
  }),
  getMachine: ({ machine }) => ({ path: `/v1/machines/${machine.id}` }),
  changeMachine: async ({ spare }) => ({ path: `/v1/machines/${await spare.machineId()}`, body: { name: `Press ${random()}` } }),
  listMachineVersions: ({ machine }) => ({ path: `/v1/machines/${machine.id}/versions` }),
  withdrawMachineVersion: async ({ machine, spare }) => ({
    path: `/v1/machines/${machine.id}/versions/${await spare.versionId("line", machine.id)}`,
  }),
  restoreMachine: async ({ spare }) => ({ path: `${await deleted("machines", await spare.machineId())}` }),
  deleteMachine: async ({ spare }) => ({ path: `/v1/machines/${await spare.machineId()}` }),

  listLines: ({ companyId }) => ({ path: `/v1/lines?companyId=${companyId}` }),
  createLine: ({ companyId }) => ({ path: "/v1/lines", body: { companyId, name: `Line ${crypto.randomUUID()}`, order: 2 } }),
  getLine: ({ lineId }) => ({ path: `/v1/lines/${lineId}` }),
  changeLine: async ({ spare }) => ({ path: `/v1/lines/${await spare.lineId()}`, body: { name: `Line ${crypto.randomUUID()}` } }),
  restoreLine: async ({ spare }) => ({ path: `${await deleted("lines", await spare.lineId())}` }),
  deleteLine: async ({ spare }) => ({ path: `/v1/lines/${await spare.lineId()}` }),

  listCalendarDays: ({ companyId }) => ({ path: `/v1/calendar-days?companyId=${companyId}` }),
  createCalendarDay: async ({ companyId, shiftId, spare }) => {
    const shifts = [{ shiftId, start: "06:00", end: "14:00", breaks: [{ name: "Lunch", start: "08:00", end: "08:30" }] }];
    const day = { date: "2031-05-01", scope: "machine", machineId: await spare.machineId(), shifts };
    return { path: "/v1/calendar-days", body: { companyId, ...day } };
  },
  getCalendarDay: ({ calendarDayId }) => ({ path: `/v1/calendar-days/${calendarDayId}` }),
  changeCalendarDay: async ({ shiftId, spare }) => ({
    path: `/v1/calendar-days/${await spare.calendarDayId()}`,
    body: { shifts: [{ shiftId, start: "06:00", end: "12:00" }] },
  }),
  restoreCalendarDay: async ({ spare }) => ({ path: `${await deleted("calendar-days", await spare.calendarDayId())}` }),
  deleteCalendarDay: async ({ spare }) => ({ path: `/v1/calendar-days/${await spare.calendarDayId()}` }),

  listShifts: ({ companyId }) => ({ path: `/v1/shifts?companyId=${companyId}` }),
  createShift: async ({ companyId, spare }) => {
    const breaks = [{ name: "Lunch", start: "08:00", end: "08:30" }];
    const times = { start: "06:00", end: "14:00", days: ["monday", "sunday"], breaks };
    return {
      path: "/v1/shifts",
      body: { companyId, name: `Morning ${random()}`, ...times, machineIds: [await spare.machineId()] },
    };
  },
  getShift: ({ shiftId }) => ({ path: `/v1/shifts/${shiftId}` }),
  changeShift: async ({ spare }) => ({
    path: `/v1/shifts/${await spare.shiftId()}`,
    body: { name: `Shift ${crypto.randomUUID().slice(0, 8)}` },
  }),
  listShiftVersions: ({ shiftId }) => ({ path: `/v1/shifts/${shiftId}/versions` }),
  withdrawShiftVersion: async ({ shiftId, spare }) => ({
    path: `/v1/shifts/${shiftId}/versions/${await spare.versionId("shift", shiftId)}`,
  }),
  restoreShift: async ({ spare }) => ({ path: `${await deleted("shifts", await spare.shiftId())}` }),
  deleteShift: async ({ spare }) => ({ path: `/v1/shifts/${await spare.shiftId()}` }),

  listOperators: ({ companyId }) => ({ path: `/v1/operators?companyId=${companyId}` }),
  createOperator: ({ companyId }) => ({
    path: "/v1/operators",
    body: { companyId, name: "Jorge", code: `O-${crypto.randomUUID()}` },
  }),
  getOperator: ({ operator }) => ({ path: `/v1/operators/${operator.id}` }),
  changeOperator: async ({ spare }) => ({
    path: `/v1/operators/${await spare.operatorId()}`,
    body: { name: `Jorge ${random()}` },
  }),
  restoreOperator: async ({ spare }) => ({ path: `${await deleted("operators", await spare.operatorId())}` }),
  deleteOperator: async ({ spare }) => ({ path: `/v1/operators/${await spare.operatorId()}` }),

  listSkus: ({ companyId }) => ({ path: `/v1/skus?companyId=${companyId}` }),
  createSku: ({ companyId, machine }) => ({
    path: "/v1/skus",
    body: {
      companyId,
      id: `S/é ${random()}`,
      name: "Bottle",
      standards: [{ machineId: machine.id, standardCycleSeconds: 12.5 }],
    },
  }),
  getSku: ({ skuId, companyId }) => ({ path: `/v1/skus/${encodeURIComponent(skuId)}?companyId=${companyId}` }),
  changeSku: async ({ spare, companyId }) => ({
    path: `/v1/skus/${encodeURIComponent(await spare.skuId())}?companyId=${companyId}`,
    body: { name: `Bottle ${random()}` },
  }),
  listSkuVersions: ({ skuId, companyId }) => ({
    path: `/v1/skus/${encodeURIComponent(skuId)}/versions?companyId=${companyId}`,
  }),
  withdrawSkuVersion: async ({ skuId, spare, companyId }) => {
    const version = await spare.versionId("standard", skuId);
    return { path: `/v1/skus/${encodeURIComponent(skuId)}/versions/${version}?companyId=${companyId}` };
  },
  restoreSku: async ({ spare, companyId }) => ({ path: `${await deleted("skus", await spare.skuId())}?companyId=${companyId}` }),
  deleteSku: async ({ spare, companyId }) => ({
    path: `/v1/skus/${encodeURIComponent(await spare.skuId())}?companyId=${companyId}`,
  }),

  listDefectReasons: ({ companyId }) => ({ path: `/v1/defect-reasons?companyId=${companyId}` }),
  createDefectReason: ({ companyId }) => ({ path: "/v1/defect-reasons", body: { companyId, name: `Scratch ${random()}` } }),
  getDefectReason: ({ reasonId }) => ({ path: `/v1/defect-reasons/${reasonId}` }),
  changeDefectReason: async ({ spare }) => ({
    path: `/v1/defect-reasons/${await spare.reasonId()}`,
    body: { name: `Dent ${random()}` },
  }),
  restoreDefectReason: async ({ spare }) => ({ path: `${await deleted("defect-reasons", await spare.reasonId())}` }),
  deleteDefectReason: async ({ spare }) => ({ path: `/v1/defect-reasons/${await spare.reasonId()}` }),
  listStopCauses: ({ companyId }) => ({ path: `/v1/stop-causes?companyId=${companyId}` }),
  createStopCause: ({ companyId, causeId }) => ({
    path: "/v1/stop-causes",
    body: { companyId, level: "specific", parentId: causeId, name: `Jam ${random()}` },
  }),
  getStopCause: ({ causeId }) => ({ path: `/v1/stop-causes/${causeId}` }),
  changeStopCause: async ({ spare }) => ({
    path: `/v1/stop-causes/${await spare.causeId()}`,
    body: { name: `Jam ${random()}`, parentId: null },
  }),
  listStopCauseVersions: ({ causeId }) => ({ path: `/v1/stop-causes/${causeId}/versions` }),
  withdrawStopCauseVersion: async ({ causeId, spare }) => ({
    path: `/v1/stop-causes/${causeId}/versions/${await spare.versionId("cause", causeId)}`,
  }),
  restoreStopCause: async ({ spare }) => ({ path: `${await deleted("stop-causes", await spare.causeId())}` }),
  deleteStopCause: async ({ spare }) => ({ path: `/v1/stop-causes/${await spare.causeId()}` }),

  listOperatorPlans: ({ companyId }) => ({ path: `/v1/operator-plans?companyId=${companyId}` }),
  createOperatorPlan: ({ companyId, operator, machine, shiftId }) => {
    const assignments = [{ operatorId: operator.id, machineId: machine.id, shiftId }];
    const body = { companyId, title: `Week ${random()}`, since: inAnHour(), until: inTwoHours(), assignments };
    return { path: "/v1/operator-plans", body };
  },
  getOperatorPlan: ({ planId }) => ({ path: `/v1/operator-plans/${planId}` }),
  changeOperatorPlan: async ({ spare }) => ({
    path: `/v1/operator-plans/${await spare.planId()}`,
    body: { title: `Week ${random()}`, until: inThreeHours() },
  }),
  restoreOperatorPlan: async ({ spare }) => ({ path: `${await deleted("operator-plans", await spare.planId())}` }),
  deleteOperatorPlan: async ({ spare }) => ({ path: `/v1/operator-plans/${await spare.planId()}` }),
  updateOperatorPlan: ({ planId }) => ({ path: `/operator-plan/${planId}`, body: { until: inAnHour() } }),
  uploadOperatorPlan: ({ companyId, operator, bench, benchShift }) => {
    const query = new URLSearchParams({ companyId: String(companyId), title: "Week", since: inAnHour(), until: inTwoHours() });
    const body = `operatorCode,machineRef,shiftName\n${operator.code},${bench.ref},${benchShift.name}\n`;
    return { path: `/v1/operator-plans/csv?${query}`, body, headers: { "content-type": "text/csv" } };
  },

  listGateways: ({ companyId }) => ({ path: `/v1/gateways?companyId=${companyId}` }),
  getOwnGateway: ({ gatewayToken }) => ({ path: "/v1/gateways/self", token: gatewayToken }),
  putOwnGatewayStatus: ({ gatewayToken }) => {
    const at = iso(Date.now());
    const dropped = [{ machineRef: "P1", events: 3, from: at, to: at }];
    const queue = { events: 12, oldestAt: at, bytes: 1200, quarantined: 1, dropped };
    const sources = [{ id: "hall-io", type: "modbus", state: "failed", lastAt: at, perMinute: 60, error: "timed out" }];
    const body = { version: "1.2.0", startedAt: at, queue, sources, clockSkewMs: 40 };
    return { path: "/v1/gateways/self/status", token: gatewayToken, body };
  },
  createGatewayPairing: ({ companyId }) => ({ path: "/v1/gateway-pairings", body: { companyId, name: `Gateway ${random()}` } }),
  getGatewayPairing: ({ companyId, gatewayPairingId }) => ({
    path: `/v1/gateway-pairings/${gatewayPairingId}?companyId=${companyId}`,
  }),
  confirmGatewayPairing: async ({ spare }) => ({
    path: "/v1/gateway-pairings/confirm",
    body: { code: await spare.gatewayCode() },
  }),

  listGatewayTokens: ({ companyId }) => ({ path: `/v1/gateway-tokens?companyId=${companyId}` }),
  createGatewayToken: ({ companyId }) => ({ path: "/v1/gateway-tokens", body: { companyId, name: `Gateway ${random()}` } }),
  getGatewayToken: ({ gatewayTokenId }) => ({ path: `/v1/gateway-tokens/${gatewayTokenId}` }),
  changeGatewayToken: async ({ spare }) => ({
    path: `/v1/gateway-tokens/${await spare.gatewayTokenId()}`,
    body: { name: `Gateway ${random()}` },
  }),
  deleteGatewayToken: async ({ spare }) => ({ path: `/v1/gateway-tokens/${await spare.gatewayTokenId()}` }),

  listApiTokens: ({ companyId }) => ({ path: `/v1/api-tokens?companyId=${companyId}` }),
  createApiToken: ({ companyId }) => ({
    path: "/v1/api-tokens",
    body: { companyId, name: `Program ${random()}`, role: "readonly", isReadOnly: true, expiresAt: inAnHour() },
  }),
  getApiToken: ({ apiTokenId }) => ({ path: `/v1/api-tokens/${apiTokenId}` }),
  changeApiToken: async ({ spare }) => ({
    path: `/v1/api-tokens/${await spare.apiTokenId()}`,
    body: { name: `Program ${random()}`, expiresAt: inTwoHours() },
  }),
  deleteApiToken: async ({ spare }) => ({ path: `/v1/api-tokens/${await spare.apiTokenId()}` }),

  // widgets, dashboards
  listWidgets: ({ companyId }) => ({ path: `/v1/widgets?companyId=${companyId}` }),
  createWidget: ({ companyId }) => ({ path: "/v1/widgets", body: { companyId, ...drawn(), labels: "a,b" } }),
  getWidget: ({ widgetId }) => ({ path: `/v1/widgets/${widgetId}` }),
  changeWidget: async ({ spare }) => ({ path: `/v1/widgets/${await spare.widgetId()}`, body: { labels: random() } }),
  restoreWidget: async ({ spare }) => ({ path: `${await deleted("widgets", await spare.widgetId())}` }),
  deleteWidget: async ({ spare }) => ({ path: `/v1/widgets/${await spare.widgetId()}` }),
  promoteWidget: ({ companyId, widgetId }) => ({
    path: "/widgets/system/promote",
    body: { sourceCompanyId: companyId, widgetId },
  }),
  uploadThumbnail: ({ widgetId }) => {
    const form = new FormData();
    form.set("file", new File([picture("png")], "picture.png"));
    return { path: `/widgets/${widgetId}/thumbnail`, body: form };
  },
  getThumbnail: ({ thumbnailKey }) => ({ path: `/thumbnails/${thumbnailKey}` }),

  listDashboards: ({ companyId }) => ({ path: `/v1/dashboards?companyId=${companyId}` }),
  createDashboard: ({ companyId, widgetId }) => ({
    path: "/v1/dashboards",
    body: { companyId, ...drawn(), instances: [{ widgetId, specOverride: { limit: 5 }, visualConfig: { x: 1 } }] },
  }),
  getDashboard: ({ dashboardId }) => ({ path: `/v1/dashboards/${dashboardId}` }),
  changeDashboard: async ({ spare }) => ({
    path: `/v1/dashboards/${await spare.archivedDashboardId()}`,
    body: { title: l10n("Hall") },
  }),
  restoreDashboard: async ({ spare }) => ({ path: `${await deleted("dashboards", await spare.archivedDashboardId())}` }),
  deleteDashboard: async ({ spare }) => ({ path: `/v1/dashboards/${await spare.archivedDashboardId()}` }),
  archiveDashboard: ({ dashboardId }) => ({ path: `/widgets/dashboards/${dashboardId}/archive` }),
  putFavoriteDashboard: ({ dashboardId }) => ({ path: `/v1/dashboards/${dashboardId}/favorite`, body: { isFavorited: true } }),
  unarchiveDashboard: async ({ spare }) => ({ path: `/v1/dashboards/${await spare.archivedDashboardId()}/unarchive` }),

  // work orders
  createWorkOrder: ({ machine, skuId }) => {
    const workOrder = { priority: 1, source: "test", status: "Backlog", name: "Order", code: `WO ${crypto.randomUUID()}` };
    return {
      path: "/work-orders/production-full",
      body: {
        machines: [{ machineId: machine.id }],
        targets: [{ targetQuantity: 100, skuId }],
        workOrder: { estimatedDeliveryTime: inAnHour(), ...workOrder },
      },
    };
  },
  updateWorkOrder: async ({ machine, skuId, spare }) => ({
    path: "/work-order-target",
    body: {
      machines: [String(machine.id)],
      skus: [{ quantity: 50, id: skuId }],
      workOrder: {
        ...{ status: "InProgress", name: "Renamed", code: `WO ${crypto.randomUUID()}`, id: await spare.workOrderId() },
        ...{ priority: 2, estimatedDeliveryTime: inAnHour() },
      },
    },
  }),
  updateTarget: ({ workOrderId, skuId }) => ({
    path: `/work-order-target/${workOrderId}/${encodeURIComponent(skuId)}`,
    body: { targetQuantity: 70 },
  }),
  updateProgress: ({ workOrderId, skuId, machine }) => ({
    path: `/work/${workOrderId}/progress`,
    body: { skuId, correct: 2, defects: 1, mode: "delta", machineId: machine.id, comment: "By hand" },
  }),
  listWorkOrders: ({ companyId, machine }) => ({
    path: `/v1/work-orders?companyId=${companyId}&statuses=Backlog,InProgress&machineIds=${machine.id}`,
  }),
  getWorkOrder: ({ workOrderId }) => ({ path: `/v1/work-orders/${workOrderId}` }),
  deleteWorkOrder: async ({ spare }) => ({ path: `/v1/work-orders/${await spare.workOrderId()}` }),
};
