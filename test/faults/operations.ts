import { describeApi } from "../../src/http/openapi/describe-api.ts";
import { router } from "../../src/router.ts";
import { HOUR, MINUTE, NOON } from "../support/clock.ts";
import { picture } from "../support/pictures.ts";
import { type Plant, password } from "./plant.ts";

/** A request to an operation: from the superuser, unless it says otherwise. */
export interface PlantRequest {
  path: string;
  body?: unknown;
  query?: string;
  token?: string;
  contentType?: string;
}

/** An operation that writes. */
export interface WritingOperation {
  operationId: string;
  method: string;
  /** Whether it supports an Idempotency-Key. */
  isKeyed: boolean;
  request(plant: Plant): PlantRequest;
}

const iso = (at: number) => new Date(at).toISOString();
const l10n = (name: string) => ({ en: name, es: name });
/** A browser's push subscription. */
const subscription = JSON.stringify({
  endpoint: "https://push.example.com/1",
  keys: { p256dh: "B".padEnd(87, "A"), auth: "A".repeat(22) },
});
const texts = { title: l10n("New"), description: l10n("New"), spec: { type: "bar" } };

/** A good request for each writing operation, by its id. */
const requests: Record<string, (plant: Plant) => PlantRequest> = {
  login: ({ user }) => ({ path: "/identity/login", body: { email: user.email, password } }),
  changePassword: ({ user }) => ({
    path: "/v1/password",
    token: user.token,
    body: { currentPassword: password, newPassword: "battery staple correct horse" },
  }),
  signOut: ({ user }) => ({ path: "/v1/tokens", token: user.token }),
  ingest: ({ machine, other, operatorId, skuId, workOrderId, gatewayToken }) => {
    const at = iso(Date.now() - MINUTE);
    return {
      path: "/v1/ingest",
      token: gatewayToken,
      body: {
        events: [
          { type: "sku", at, machineId: machine.id, skuId, workOrderId },
          { type: "operator", at, machineId: machine.id, operatorId, action: "in" },
          { type: "count", at, nodeId: 7, channel: 1, value: 3 },
          { type: "count", at, nodeId: 7, channel: 2, value: 5, id: `saw ${at}` },
          { type: "heartbeat", at, nodeId: 7 },
          { type: "state", at, machineId: other.id, state: "running" },
        ],
      },
    };
  },
  updateCountSensors: ({ companyId, machine, spareMachine }) => ({
    path: "/backoffice/machines/count-sensors",
    body: {
      companyId,
      added: [{ machineRef: spareMachine.ref, isCountEnabled: true, configs: [config(3)] }],
      updated: [{ machineRef: machine.ref, isCountEnabled: true, configs: [config(1), config(4)] }],
      deleted: [],
    },
  }),
  ignoreSignal: () => ({ path: "/v1/signals/ignored", body: { nodeId: 7, channel: 63, isIgnored: true } }),
  putCountSensor: ({ machine }) => ({
    path: `/v1/machines/${machine.id}/count-sensor`,
    body: { isCountEnabled: true, configs: [{ ...config(1), countingFactor: 0.5 }] },
  }),
  signOperatorIn: ({ machine, operatorId }) => ({
    path: `/v1/machines/${machine.id}/sign-in`,
    body: { operatorId, at: iso(Date.now() - MINUTE) },
  }),
  signOperatorOut: ({ machine, operatorId }) => ({
    path: `/v1/machines/${machine.id}/sign-out`,
    body: { operatorId, at: iso(Date.now() - MINUTE) },
  }),
  startRun: ({ machine, skuId, workOrderId }) => ({
    path: `/v1/machines/${machine.id}/run`,
    body: { skuId, workOrderId, at: iso(Date.now() - MINUTE) },
  }),
  createRecalculation: ({ machine }) => ({
    path: "/v1/recalculations",
    body: { reason: "Doubts", machineIds: [machine.id], from: iso(NOON - 6 * HOUR), to: iso(NOON - 5 * HOUR) },
  }),
  createCorrection: ({ machine, reasonId }) => ({
    path: "/v1/corrections",
    body: {
      machineId: machine.id,
      at: iso(NOON - 5.5 * HOUR),
      total: 4,
      defects: 2,
      rework: 1,
      reasonId,
      comment: "Found later",
    },
  }),
  createEventWithdrawal: ({ machine }) => ({
    path: "/v1/event-withdrawals",
    body: { machineId: machine.id, from: iso(NOON - 6 * HOUR), to: iso(NOON - 5.5 * HOUR), reason: "A test of the sensor" },
  }),
  amendRuns: ({ machine, skuId, workOrderId }) => ({
    path: `/v1/machines/${machine.id}/runs`,
    body: {
      ...{ from: iso(NOON - 6 * HOUR), to: iso(NOON - 5 * HOUR), reason: "Nobody entered it" },
      runs: [{ startTime: iso(NOON - 6 * HOUR), skuId, workOrderId }],
    },
  }),
  amendPresences: ({ machine, operatorId }) => ({
    path: `/v1/machines/${machine.id}/presences`,
    body: {
      ...{ from: iso(NOON - 6 * HOUR), to: iso(NOON - 5 * HOUR), reason: "Nobody entered it" },
      presences: [{ operatorId, startTime: iso(NOON - 6 * HOUR), endTime: iso(NOON - 5.5 * HOUR) }],
    },
  }),
  undoRunAmendment: ({ machine, amendmentIds }) => ({ path: `/v1/machines/${machine.id}/runs/${amendmentIds[0]}` }),
  undoPresenceAmendment: ({ machine, amendmentIds }) => ({ path: `/v1/machines/${machine.id}/presences/${amendmentIds[1]}` }),
  restoreEvents: ({ withdrawalId }) => ({ path: `/v1/event-withdrawals/${withdrawalId}` }),
  undoCorrection: ({ correctionId }) => ({ path: `/v1/corrections/${correctionId}` }),
  acceptHeldEvents: ({ heldId, heldCounts }) => ({
    path: `/v1/held-events/${heldId}/accept`,
    body: { ids: heldCounts.slice(0, 1) },
  }),
  dropHeldEvents: ({ heldId, heldCounts }) => ({ path: `/v1/held-events/${heldId}/drop`, body: { ids: heldCounts.slice(1) } }),
  updateOperatorPlan: ({ planId }) => ({ path: `/operator-plan/${planId}`, body: { until: iso(NOON + 3 * HOUR) } }),
  recordStop: ({ machine }) => ({
    path: "/v1/stops",
    body: { machineId: machine.id, startTime: iso(NOON - 5.9 * HOUR), endTime: iso(NOON - 5.8 * HOUR), name: "Visit" },
  }),
  changeStop: ({ stopId }) => ({ path: `/v1/stops/${stopId}`, body: { name: "Fire drill", isProgrammed: true } }),
  classifyStop: ({ stopId, causeId }) => ({
    path: `/v1/stops/${stopId}/classification`,
    body: { generalCauseId: String(causeId), description: "As seen" },
  }),
  declassifyStop: ({ stopId }) => ({ path: `/v1/stops/${stopId}/classification` }),
  splitStop: ({ stopId }) => ({ path: `/v1/stops/${stopId}/split`, body: { at: iso(NOON - 4.75 * HOUR) } }),
  mergeStops: ({ parts }) => ({ path: "/v1/stops/merge", body: { ids: parts } }),
  deleteStop: ({ recordedId }) => ({ path: `/v1/stops/${recordedId}` }),
  attachOrphanedEdit: ({ orphanId, stopId }) => ({ path: `/v1/orphaned-edits/${orphanId}/attach`, body: { stopId } }),
  dropOrphanedEdit: ({ orphanId }) => ({ path: `/v1/orphaned-edits/${orphanId}` }),
  createHelpCall: ({ machine }) => ({ path: `/v1/machines/${machine.id}/help-calls`, body: { message: "Mould leaks" } }),
  createAction: ({ machine, causeId, superuser }) => ({
    path: "/v1/actions",
    body: {
      ...{ loss: "cause", generalCauseId: causeId, machineId: machine.id, from: iso(NOON - 6 * HOUR), to: iso(NOON) },
      ...{ measure: "New sensor", ownerId: superuser.userId, dueOn: "2041-01-01" },
    },
  }),
  changeAction: ({ actionId }) => ({ path: `/v1/actions/${actionId}`, body: { state: "done", comment: "It is in" } }),
  createHandOver: ({ shiftId }) => ({
    path: "/v1/hand-overs",
    body: { shiftId, date: iso(NOON).slice(0, 10), notes: { safety: "Near miss", quality: null, people: null, other: null } },
  }),
  changeHandOver: ({ handOverId }) => ({ path: `/v1/hand-overs/${handOverId}`, body: { watch: ["Tool back at 16:00"] } }),
  acknowledgeHandOver: ({ handOverId }) => ({ path: `/v1/hand-overs/${handOverId}/acknowledge` }),
  answerHelpCall: ({ helpCallId }) => ({ path: `/v1/help-calls/${helpCallId}/answer` }),
  deleteConfig: ({ companyId, superuser }) => ({ path: "/config", body: { userId: superuser.userId, companyId } }),
  putConfig: () => ({ path: "/v1/config", body: { config: { theme: "light" } } }),
  markNotificationsRead: ({ notificationId }) => ({
    path: "/notifications/markRead",
    body: { notificationIds: [notificationId] },
  }),
  createPersona: ({ companyId }) => ({
    path: "/v2/alert-settings/superuser/persona/new",
    body: { name: "Shift lead", companyId },
  }),
  addPersona: () => ({ path: "/v1/personas", body: { name: "Shift lead" } }),
  changePersona: ({ personaId }) => ({
    path: `/v1/personas/${personaId}`,
    body: { sms: { value: "+34600111222", isActive: true }, language: "english" },
  }),
  putPushDevice: () => ({ path: "/v1/push-devices", body: { subscription, isOn: true } }),
  deletePersona: ({ sparePersonaId }) => ({ path: `/v1/personas/${sparePersonaId}` }),
  testPersona: ({ personaId }) => ({ path: `/v1/personas/${personaId}/test`, body: { channel: "in_app" } }),
  createChatRoom: () => ({
    path: "/v1/chat-rooms",
    body: { name: "Hall", service: "slack", language: "en", url: "https://hooks.example.com/hall" },
  }),
  changeChatRoom: ({ chatRoomId }) => ({ path: `/v1/chat-rooms/${chatRoomId}`, body: { name: "Hall 2", language: "es" } }),
  testChatRoom: ({ chatRoomId }) => ({ path: `/v1/chat-rooms/${chatRoomId}/test` }),
  restoreChatRoom: ({ deleted }) => ({ path: `/v1/chat-rooms/${deleted.chatRoom}/restore` }),
  deleteChatRoom: ({ spareChatRoomId }) => ({ path: `/v1/chat-rooms/${spareChatRoomId}` }),
  // The grant by which a readonly user may delete their own config: from the migration.
  createRolePermission: () => ({ path: "/v1/role-permissions", body: { roleId: "readonly", permissionId: "gateways:write" } }),
  deleteRolePermission: () => ({ path: "/v1/role-permissions/00000000-0000-4000-8000-000000000015" }),
  updateRolePermission: () => ({
    path: "/role-permissions/00000000-0000-4000-8000-000000000015",
    body: { permissionId: "stops:write", roleId: "readonly" },
  }),
  saveTagKey: ({ companyId }) => ({
    path: "/tags/key",
    body: { companyId, sort: 1, subject: "Machines", tagKey: "Hall", description: "", color: "#0a0", isDefault: false },
  }),
  getWebhookSecret: () => ({ path: "/webhook-subscriptions/secret" }),
  rotateWebhookSecret: () => ({ path: "/v1/webhook-secret/rotate" }),
  createWebhookSubscription: ({ machine }) => ({
    path: "/v1/webhook-subscriptions",
    body: { url: "https://erp.example.com/", events: ["stop.opened"], machineIds: [machine.id] },
  }),
  changeWebhookSubscription: ({ webhookId }) => ({
    path: `/v1/webhook-subscriptions/${webhookId}`,
    body: { description: "Changed" },
  }),
  restoreWebhookSubscription: ({ deleted }) => ({ path: `/v1/webhook-subscriptions/${deleted.webhook}/restore` }),
  deleteWebhookSubscription: ({ webhookId }) => ({ path: `/v1/webhook-subscriptions/${webhookId}` }),
  rotateSubscriptionSecret: ({ webhookId }) => ({ path: `/v1/webhook-subscriptions/${webhookId}/rotate-secret` }),
  replayEvent: ({ webhookId, eventId }) => ({ path: `/v1/webhook-subscriptions/${webhookId}/deliveries/${eventId}/replay` }),
  replayEvents: ({ webhookId }) => ({ path: `/v1/webhook-subscriptions/${webhookId}/replay`, body: { since: iso(NOON - HOUR) } }),
  archiveDashboard: ({ dashboardId }) => ({ path: `/widgets/dashboards/${dashboardId}/archive` }),
  putFavoriteDashboard: ({ dashboardId }) => ({ path: `/v1/dashboards/${dashboardId}/favorite`, body: { isFavorited: true } }),
  unarchiveDashboard: ({ archivedId }) => ({ path: `/v1/dashboards/${archivedId}/unarchive` }),
  promoteWidget: ({ companyId, widgetId }) => ({
    path: "/widgets/system/promote",
    body: { sourceCompanyId: companyId, widgetId },
  }),
  uploadThumbnail: ({ widgetId }) => {
    const form = new FormData();
    form.set("file", new File([picture("png")], "picture.png"));
    return { path: `/widgets/${widgetId}/thumbnail`, body: form };
  },
  createWorkOrder: ({ machine, skuId }) => ({
    path: "/work-orders/production-full",
    body: {
      machines: [{ machineId: machine.id }],
      targets: [{ targetQuantity: 100, skuId }],
      workOrder: { status: "Backlog", name: "Order", code: "WO-2" },
    },
  }),
  updateWorkOrder: ({ machine, other, skuId, workOrderId }) => ({
    path: "/work-order-target",
    body: {
      machines: [String(machine.id), String(other.id)],
      skus: [
        { quantity: 50, id: skuId },
        { quantity: 5, id: "LID" },
      ],
      workOrder: {
        status: "Planned",
        name: "Renamed",
        code: "WO-1B",
        id: workOrderId,
        priority: 3,
        estimatedDeliveryTime: iso(NOON),
      },
    },
  }),
  updateTarget: ({ workOrderId, skuId }) => ({
    path: `/work-order-target/${workOrderId}/${skuId}`,
    body: { targetQuantity: 70 },
  }),
  updateProgress: ({ workOrderId, skuId, machine }) => ({
    path: `/work/${workOrderId}/progress`,
    body: { skuId, correct: 2, defects: 1, machineId: machine.id, comment: "By hand" },
  }),
  deleteWorkOrder: ({ spareWorkOrderId }) => ({ path: `/v1/work-orders/${spareWorkOrderId}` }),
  createCompany: () => ({ path: "/v1/companies", body: { name: "New plant", timezone: "Europe/Madrid" } }),
  setUsageLimits: ({ companyId }) => ({
    path: "/v1/usage/limits",
    body: { companyId, limits: { widgets: 20_000, bytes: null } },
  }),
  changeCompany: ({ companyId }) => ({ path: `/v1/companies/${companyId}`, body: { timezone: "Europe/Madrid" } }),
  deleteCompany: ({ spareCompanyId }) => ({ path: `/v1/companies/${spareCompanyId}` }),
  withdrawCompanyVersion: ({ companyId }) => ({ path: `/v1/companies/${companyId}/versions/1` }),
  withdrawMachineVersion: ({ machine }) => ({ path: `/v1/machines/${machine.id}/versions/2` }),
  withdrawShiftVersion: ({ shiftId }) => ({ path: `/v1/shifts/${shiftId}/versions/3` }),
  withdrawSkuVersion: ({ skuId }) => ({ path: `/v1/skus/${skuId}/versions/4` }),
  withdrawStopCauseVersion: ({ causeId }) => ({ path: `/v1/stop-causes/${causeId}/versions/5` }),
  createUser: ({ user }) => ({
    path: "/v1/users",
    body: { name: "Ana", email: `new.${user.email}`, password: "a long enough password", role: "readonly" },
  }),
  changeUser: ({ user }) => ({ path: `/v1/users/${user.userId}`, body: { role: "admin", name: "Ana Ruiz" } }),
  restoreUser: ({ deleted }) => ({ path: `/v1/users/${deleted.user}/restore` }),
  deleteUser: ({ spareUserId }) => ({ path: `/v1/users/${spareUserId}` }),
  createMachine: () => ({
    path: "/v1/machines",
    body: { name: "Lathe", ref: "LATHE", nodeId: 9, commissionedAt: iso(NOON - HOUR) },
  }),
  changeMachine: ({ machine }) => ({ path: `/v1/machines/${machine.id}`, body: { stopAfterSeconds: 900, name: "Big press" } }),
  restoreMachine: ({ deleted }) => ({ path: `/v1/machines/${deleted.machine}/restore` }),
  deleteMachine: ({ spareMachine }) => ({ path: `/v1/machines/${spareMachine.id}` }),
  putPlantFile: () => ({
    path: "/v1/plant",
    body: {
      formatVersion: 1,
      lines: [{ name: "Line 5" }],
      machines: [{ ref: "NEW-5", name: "New", nodeId: 55, line: "Line 5" }],
    },
  }),
  createSetUpImport: () => ({
    path: "/v1/setup/imports?kind=machines",
    body: "ref,name,node\nNEW-6,New,66\n",
    contentType: "text/csv",
  }),
  undoSetUpImport: ({ setUpImportId }) => ({ path: `/v1/setup/imports/${setUpImportId}/undo` }),
  createLine: () => ({ path: "/v1/lines", body: { name: "Line 3", order: 3 } }),
  createCalendarDay: () => ({ path: "/v1/calendar-days", body: { date: "2041-12-25", scope: "company", closed: true } }),
  changeCalendarDay: ({ calendarDayId, shiftId }) => ({
    path: `/v1/calendar-days/${calendarDayId}`,
    body: { shifts: [{ shiftId, start: "08:00", end: "12:00" }] },
  }),
  restoreCalendarDay: ({ deleted }) => ({ path: `/v1/calendar-days/${deleted.calendarDay}/restore` }),
  deleteCalendarDay: ({ spareCalendarDayId }) => ({ path: `/v1/calendar-days/${spareCalendarDayId}` }),
  changeLine: ({ lineId }) => ({ path: `/v1/lines/${lineId}`, body: { name: "Filling", order: 9 } }),
  restoreLine: ({ deleted }) => ({ path: `/v1/lines/${deleted.line}/restore` }),
  deleteLine: ({ spareLineId }) => ({ path: `/v1/lines/${spareLineId}` }),
  createShift: ({ spareMachine }) => ({
    path: "/v1/shifts",
    body: { name: "Late", start: "03:00", end: "04:00", days: ["monday"], machineIds: [spareMachine.id] },
  }),
  changeShift: ({ shiftId }) => ({
    path: `/v1/shifts/${shiftId}`,
    body: { name: "All day", breaks: [{ name: "Lunch", start: "12:00", end: "12:30" }] },
  }),
  restoreShift: ({ deleted }) => ({ path: `/v1/shifts/${deleted.shift}/restore` }),
  deleteShift: ({ spareShiftId }) => ({ path: `/v1/shifts/${spareShiftId}` }),
  createOperator: () => ({ path: "/v1/operators", body: { name: "Eva", code: "O-3" } }),
  changeOperator: ({ operatorId }) => ({ path: `/v1/operators/${operatorId}`, body: { name: "Ana Ruiz" } }),
  restoreOperator: ({ deleted }) => ({ path: `/v1/operators/${deleted.operator}/restore` }),
  deleteOperator: ({ spareOperatorId }) => ({ path: `/v1/operators/${spareOperatorId}` }),
  createSku: ({ machine }) => ({
    path: "/v1/skus",
    body: { name: "Cup", id: "CUP", standards: [{ machineId: machine.id, standardCycleSeconds: 9 }] },
  }),
  changeSku: () => ({
    path: "/v1/skus/CAP",
    body: { name: "Big cap", standards: [{ machineId: null, standardCycleSeconds: 11 }] },
  }),
  restoreSku: ({ deleted }) => ({ path: `/v1/skus/${deleted.sku}/restore` }),
  deleteSku: () => ({ path: "/v1/skus/LID" }),
  createStopCause: ({ causeId }) => ({
    path: "/v1/stop-causes",
    body: { level: "specific", parentId: causeId, name: "Belt", isProgrammed: false, isIncludedInAvailability: true },
  }),
  createDefectReason: ({ companyId }) => ({ path: "/v1/defect-reasons", body: { companyId, name: "Dent" } }),
  changeDefectReason: ({ reasonId }) => ({ path: `/v1/defect-reasons/${reasonId}`, body: { name: "Deep scratch" } }),
  restoreDefectReason: ({ deleted }) => ({ path: `/v1/defect-reasons/${deleted.defectReason}/restore` }),
  deleteDefectReason: ({ spareReasonId }) => ({ path: `/v1/defect-reasons/${spareReasonId}` }),
  changeStopCause: ({ causeId }) => ({ path: `/v1/stop-causes/${causeId}`, body: { name: "Paper jam" } }),
  restoreStopCause: ({ deleted }) => ({ path: `/v1/stop-causes/${deleted.stopCause}/restore` }),
  deleteStopCause: ({ spareCauseId }) => ({ path: `/v1/stop-causes/${spareCauseId}` }),
  createOperatorPlan: ({ machine, shiftId, operatorId }) => ({
    path: "/v1/operator-plans",
    body: {
      title: "Next week",
      since: iso(NOON + 5 * HOUR),
      until: iso(NOON + 6 * HOUR),
      assignments: [{ machineId: machine.id, shiftId, operatorId }],
    },
  }),
  changeOperatorPlan: ({ futurePlanId, other, shiftId, operatorId }) => ({
    path: `/v1/operator-plans/${futurePlanId}`,
    body: { title: "Changed", assignments: [{ machineId: other.id, shiftId, operatorId }] },
  }),
  restoreOperatorPlan: ({ deleted }) => ({ path: `/v1/operator-plans/${deleted.plan}/restore` }),
  deleteOperatorPlan: ({ planId }) => ({ path: `/v1/operator-plans/${planId}` }),
  uploadOperatorPlan: () => ({
    path: `/v1/operator-plans/csv?${new URLSearchParams({ title: "File", since: iso(NOON + 7 * HOUR), until: iso(NOON + 8 * HOUR) })}`,
    body: "operatorCode,machineRef,shiftName\nO-1,SAW,Day\n",
    contentType: "text/csv",
  }),
  createWidget: () => ({ path: "/v1/widgets", body: texts }),
  changeWidget: ({ widgetId }) => ({ path: `/v1/widgets/${widgetId}`, body: { labels: "changed" } }),
  restoreWidget: ({ deleted }) => ({ path: `/v1/widgets/${deleted.widget}/restore` }),
  deleteWidget: ({ widgetId }) => ({ path: `/v1/widgets/${widgetId}` }),
  createDashboard: ({ widgetId }) => ({ path: "/v1/dashboards", body: { ...texts, instances: [{ widgetId }] } }),
  changeDashboard: ({ dashboardId, widgetId }) => ({
    path: `/v1/dashboards/${dashboardId}`,
    body: { instances: [{ widgetId }, { widgetId, visualConfig: { x: 1 } }] },
  }),
  restoreDashboard: ({ deleted }) => ({ path: `/v1/dashboards/${deleted.dashboard}/restore` }),
  deleteDashboard: ({ dashboardId }) => ({ path: `/v1/dashboards/${dashboardId}` }),
  acknowledgeIncident: ({ incidentId }) => ({ path: `/v1/incidents/${incidentId}/acknowledge` }),
  createAlertRule: ({ machine }) => ({
    path: "/v1/alert-rules",
    body: { name: "Stands", when: { kind: "stop", minutes: 30 }, machineIds: [machine.id] },
  }),
  changeAlertRule: ({ alertRuleId }) => ({
    path: `/v1/alert-rules/${alertRuleId}`,
    body: { name: "Stands long", when: { kind: "stop", minutes: 60 } },
  }),
  restoreAlertRule: ({ deleted }) => ({ path: `/v1/alert-rules/${deleted.alertRule}/restore` }),
  deleteAlertRule: ({ spareAlertRuleId }) => ({ path: `/v1/alert-rules/${spareAlertRuleId}` }),
  createReportSubscription: ({ lineId }) => ({
    path: "/v1/report-subscriptions",
    body: { name: "Morning", kind: "daily", time: "06:30", lineIds: [lineId], addresses: ["hall1@example.com"] },
  }),
  changeReportSubscription: ({ subscriptionId }) => ({
    path: `/v1/report-subscriptions/${subscriptionId}`,
    body: { name: "Late", shiftIds: null, addresses: ["hall2@example.com"] },
  }),
  runReportSubscription: ({ dailySubscriptionId }) => ({ path: `/v1/report-subscriptions/${dailySubscriptionId}/run` }),
  restoreReportSubscription: ({ deleted }) => ({ path: `/v1/report-subscriptions/${deleted.reportSubscription}/restore` }),
  deleteReportSubscription: ({ subscriptionId }) => ({ path: `/v1/report-subscriptions/${subscriptionId}` }),
  createApiToken: () => ({ path: "/v1/api-tokens", body: { name: "Wall display", role: "readonly", isReadOnly: true } }),
  changeApiToken: ({ apiTokenId }) => ({ path: `/v1/api-tokens/${apiTokenId}`, body: { name: "Wall display 2" } }),
  deleteApiToken: ({ apiTokenId }) => ({ path: `/v1/api-tokens/${apiTokenId}` }),
  createWallPairing: () => ({ path: "/v1/wall-pairings" }),
  confirmWallPairing: ({ wallCode, lineId }) => ({
    path: "/v1/wall-pairings/confirm",
    body: { code: wallCode, name: "Hall 1", lineIds: [lineId], distance: 3 },
  }),
  createTerminalPairing: () => ({ path: "/v1/terminal-pairings" }),
  confirmTerminalPairing: ({ terminalCode, machine }) => ({
    path: "/v1/terminal-pairings/confirm",
    body: { code: terminalCode, name: "Terminal 1", machineIds: [machine.id] },
  }),
  createGatewayPairing: () => ({ path: "/v1/gateway-pairings", body: { name: "Hall 2" } }),
  confirmGatewayPairing: ({ gatewayCode }) => ({ path: "/v1/gateway-pairings/confirm", body: { code: gatewayCode } }),
  putOwnGatewayStatus: ({ gatewayToken }) => {
    const at = iso(Date.now());
    const queue = { events: 0, oldestAt: null, bytes: 0, quarantined: 0, dropped: [] };
    return {
      path: "/v1/gateways/self/status",
      token: gatewayToken,
      body: { version: "1", startedAt: at, queue, sources: [], clockSkewMs: 0 },
    };
  },
  createGatewayToken: () => ({ path: "/v1/gateway-tokens", body: { name: "Hall 2" } }),
  changeGatewayToken: ({ gatewayTokenId }) => ({ path: `/v1/gateway-tokens/${gatewayTokenId}`, body: { name: "Hall 1" } }),
  deleteGatewayToken: ({ gatewayTokenId }) => ({ path: `/v1/gateway-tokens/${gatewayTokenId}` }),
};

/** GET operations that write. */
const writingReads = new Set(["getWebhookSecret"]);
/** Operations that only read although they are no GET. */
const readingPosts = new Set(["pingWebhookSubscription", "tryAlertRule", "getMetricReport", "getStopReport", "getStopMetrics"]);

/**
 * Operations whose work a job goes on with, so that what they leave is not whole at first. Their own tests kill it at each stage:
 * test/api/ingest/imports, test/api/stops/classify-stops.test.ts and test/api/books.
 */
const testedApart = new Set([
  // Only a service without users does it: test/api/access/claim.test.ts.
  "claimService",
  "createImport",
  "undoImport",
  "classifyStops",
  "undoStopClassification",
  "createBookClosing",
  "reopenBookClosing",
]);

/** All operations of the service that write. Throws if one of them has no request here. */
export const operations: WritingOperation[] = Object.values(describeApi(router).paths ?? {}).flatMap((item) =>
  Object.entries(item).flatMap(([method, operation]) => {
    const { operationId = "", parameters = [] } = operation as { operationId?: string; parameters?: object[] };
    const isReading = method === "get" ? !writingReads.has(operationId) : readingPosts.has(operationId);
    if (isReading || testedApart.has(operationId)) return [];
    const request = requests[operationId];
    if (!request) throw new Error(`${operationId} writes, and has no request in test/faults/operations.ts`);
    const isKeyed = parameters.some((one) => "$ref" in one && String(one.$ref).endsWith("/IdempotencyKey"));
    return [{ operationId, method: method.toUpperCase(), isKeyed, request }];
  }),
);

function config(channel: number) {
  return { type: "total", countingFactor: 2, channel, nodeId: 7 };
}
