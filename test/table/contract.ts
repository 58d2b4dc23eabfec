import type { Permission, Role } from "../../src/db/schema.ts";
import type { OperationId } from "./requests.ts";

const anyone = ["user", "superuser", "admin", "superadmin", "readonly"] as const;

/** The contract's operations: id, method, path, and the roles that it lists, or the permission where it lists none. */
export const contract: [id: OperationId, method: string, path: string, access: readonly Role[] | Permission | "open"][] = [
  ["getMetricReport", "POST", "/v1/public/reports/metrics", ["superuser"]],
  ["updateCountSensors", "PATCH", "/backoffice/machines/count-sensors", ["superuser"]],
  ["saveTagKey", "POST", "/tags/key", ["admin", "superadmin", "superuser"]],
  ["archiveDashboard", "PATCH", "/widgets/dashboards/{id}/archive", anyone],
  ["updateOperatorPlan", "PUT", "/operator-plan/{id}", anyone],
  ["createWorkOrder", "POST", "/work-orders/production-full", "work-orders:write"],
  ["login", "POST", "/identity/login", "open"],
  ["listRealtimeOperators", "GET", "/machines/realtime/operators", anyone],
  ["updateWorkOrder", "PUT", "/work-order-target", "work-orders:write"],
  ["createPersona", "PUT", "/v2/alert-settings/superuser/persona/new", ["superuser"]],
  ["getStopReport", "POST", "/v1/public/reports/stops", ["superuser"]],
  ["promoteWidget", "POST", "/widgets/system/promote", ["superadmin", "superuser"]],
  ["listSubscriptionLogs", "GET", "/subscriptions/{subscriptionId}/logs", anyone],
  ["updateRolePermission", "PUT", "/role-permissions/{id}", ["superuser"]],
  ["updateTarget", "PATCH", "/work-order-target/{workOrderId}/{skuId}", "targets:write"],
  ["updateProgress", "PATCH", "/work/{workId}/progress", "progress:write"],
  ["deleteConfig", "DELETE", "/config", "configs:write"],
  ["getStopMetrics", "POST", "/widget/stop-metrics", anyone],
  ["uploadThumbnail", "POST", "/widgets/{id}/thumbnail", anyone],
  ["getAvailability", "GET", "/machines/{machineId}/availability", anyone],
  ["markNotificationsRead", "PATCH", "/notifications/markRead", anyone],
  ["getWebhookSecret", "GET", "/webhook-subscriptions/secret", ["admin", "superadmin", "superuser"]],
];

const plant = [
  ...["companies", "users", "machines", "lines", "shifts", "calendar-days", "operators", "skus", "stop-causes", "defect-reasons"],
  "operator-plans",
];
const setUp = [
  ...plant,
  "report-subscriptions",
  "alert-rules",
  "widgets",
  "dashboards",
  "gateway-tokens",
  "api-tokens",
  "webhook-subscriptions",
  "chat-rooms",
];

/** What cannot be restored. */
const isGoneForGood = ["companies", "gateway-tokens", "api-tokens"];

/** Operations that Andon has in addition to the contract. */
export const additions = [
  ...["GET /health", "GET /openapi.json", "GET /", "POST /v1/ingest", "GET /thumbnails/{key}"],
  ...setUp.flatMap((name) => ["GET", "POST"].map((method) => `${method} /v1/${name}`)),
  ...setUp.flatMap((name) => ["GET", "PATCH", "DELETE"].map((method) => `${method} /v1/${name}/{id}`)),
  ...setUp.filter((name) => !isGoneForGood.includes(name)).map((name) => `POST /v1/${name}/{id}/restore`),
  ...["companies", "machines", "shifts", "skus", "stop-causes"].flatMap((name) => [
    `GET /v1/${name}/{id}/versions`,
    `DELETE /v1/${name}/{id}/versions/{versionId}`,
  ]),
  "GET /v1/users/{id}/dependents",
  "GET /v1/usage",
  "PATCH /v1/usage/limits",
  ...["GET /v1/events", "GET /v1/stops", "POST /v1/stops", "POST /v1/stops/merge", "POST /v1/stops/{id}/split"],
  ...["GET", "PATCH", "DELETE"].map((method) => `${method} /v1/stops/{id}`),
  ...["PUT", "DELETE"].map((method) => `${method} /v1/stops/{id}/classification`),
  "GET /v1/stops/{id}/changes",
  ...["GET /v1/machines/{id}/state", "GET /v1/machines/{id}/shifts/{start}/explain", "GET /v1/machines/{id}/events"],
  ...["GET /v1/count-sensors", "PUT /v1/machines/{id}/count-sensor", "GET /v1/signals", "PUT /v1/signals/ignored"],
  ...[
    "GET /v1/work-orders",
    "GET /v1/work-orders/{id}",
    "DELETE /v1/work-orders/{id}",
    "GET /v1/tags",
    ...["GET /v1/personas", "POST /v1/personas"],
    "GET /v1/notifications",
  ],
  ...["POST /v1/role-permissions", "GET /v1/role-permissions/{id}", "DELETE /v1/role-permissions/{id}"],
  ...["GET /v1/role-permissions", "GET /v1/config", "PUT /v1/config", "GET /v1/audit"],
  ...[
    "GET /v1/state",
    "GET /v1/live",
    "GET /v1/timeline",
    "GET /v1/shift-records",
    "GET /v1/stop-records",
    "GET /v1/summary",
    "GET /v1/production",
  ],
  ...["GET /v1/operators/{id}/shifts", "GET /v1/shift-records/{id}/operators", "GET /v1/shift-records/{id}/explain"],
  ...["POST /v1/machines/{id}/help-calls", "GET /v1/help-calls", "GET /v1/help-calls/{id}", "POST /v1/help-calls/{id}/answer"],
  ...["GET /v1/actions", "POST /v1/actions", "GET /v1/actions/{id}", "PATCH /v1/actions/{id}"],
  ...["GET /v1/hand-overs", "POST /v1/hand-overs", "GET /v1/hand-overs/{id}", "PATCH /v1/hand-overs/{id}"],
  ...["POST /v1/hand-overs/{id}/acknowledge", "GET /v1/shift-figures"],
  ...["GET /v1/corrections", "POST /v1/corrections", "GET /v1/corrections/{id}", "DELETE /v1/corrections/{id}"],
  ...["GET /v1/event-withdrawals", "POST /v1/event-withdrawals", "GET /v1/event-withdrawals/{id}"],
  "DELETE /v1/event-withdrawals/{id}",
  ...["GET /v1/machines/{id}/runs", "PUT /v1/machines/{id}/runs", "DELETE /v1/machines/{id}/runs/{amendmentId}"],
  ...["GET /v1/machines/{id}/presences", "PUT /v1/machines/{id}/presences", "DELETE /v1/machines/{id}/presences/{amendmentId}"],
  ...["GET /v1/orphaned-edits", "POST /v1/orphaned-edits/{id}/attach", "DELETE /v1/orphaned-edits/{id}"],
  ...["GET /v1/held-events", "GET /v1/held-events/{id}/events"],
  ...["accept", "drop"].map((what) => `POST /v1/held-events/{id}/${what}`),
  ...["GET /v1/books/closings", "POST /v1/books/closings", "GET /v1/books/closings/{id}", "POST /v1/books/closings/{id}/reopen"],
  ...["GET /v1/recalculations", "GET /v1/recalculations/{id}", "POST /v1/recalculations", "GET /v1/shift-records/{id}/revisions"],
  ...[
    "POST /v1/stops/classify",
    "GET /v1/stop-classifications",
    "GET /v1/stop-classifications/{id}",
    "POST /v1/stop-classifications/{id}/undo",
  ],
  ...["POST /v1/imports", "GET /v1/imports", "GET /v1/imports/{id}", "GET /v1/imports/{id}/errors", "POST /v1/imports/{id}/undo"],
  ...["rotate-secret", "ping", "replay", "deliveries/{eventId}/replay"].map(
    (what) => `POST /v1/webhook-subscriptions/{id}/${what}`,
  ),
  ...["GET /v1/webhook-subscriptions/{id}/deliveries", "POST /v1/webhook-secret/rotate"],
  ...["GET /v1/incidents", "GET /v1/incidents/{id}", "POST /v1/incidents/{id}/acknowledge", "POST /v1/alert-rules/try"],
  ...["GET /v1/claim", "POST /v1/claim", "PUT /v1/password", "DELETE /v1/tokens"],
  ...["sign-in", "sign-out", "run"].map((what) => `POST /v1/machines/{id}/${what}`),
  ...["GET", "PATCH", "DELETE"].map((method) => `${method} /v1/personas/{id}`),
  ...["POST /v1/personas/{id}/test", "POST /v1/chat-rooms/{id}/test", "GET /v1/messages", "GET /v1/channels"],
  ...["GET /v1/push-key", "PUT /v1/push-devices"],
  "GET /v1/setup/check",
  ...["GET /v1/plant", "PUT /v1/plant", "POST /v1/setup/imports", "GET /v1/setup/imports", "POST /v1/setup/imports/{id}/undo"],
  ...["POST /v1/wall-pairings", "GET /v1/wall-pairings/{id}", "POST /v1/wall-pairings/confirm"],
  ...["POST /v1/terminal-pairings", "GET /v1/terminal-pairings/{id}", "POST /v1/terminal-pairings/confirm"],
  ...["POST /v1/gateway-pairings", "GET /v1/gateway-pairings/{id}", "POST /v1/gateway-pairings/confirm"],
  ...["GET /v1/gateways", "GET /v1/gateways/self", "PUT /v1/gateways/self/status"],
  ...["POST /v1/report-subscriptions/{id}/run", "GET /v1/report-subscriptions/{id}/preview"],
  ...["POST /v1/operator-plans/csv", "POST /v1/dashboards/{id}/unarchive", "PUT /v1/dashboards/{id}/favorite"],
];
