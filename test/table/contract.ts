import type { Permission, Role } from "../../src/db/schema.ts";

const anyone = ["user", "superuser", "admin", "superadmin", "readonly"] as const;

/** The contract's operations: number, method, path, and the roles that it lists, or the permission where it lists none. */
export const contract: [op: number, method: string, path: string, access: readonly Role[] | Permission | "open"][] = [
  [1, "POST", "/v1/public/reports/metrics", ["superuser"]],
  [2, "PATCH", "/backoffice/machines/count-sensors", ["superuser"]],
  [3, "POST", "/tags/key", ["admin", "superadmin", "superuser"]],
  [4, "PATCH", "/widgets/dashboards/{id}/archive", anyone],
  [5, "PUT", "/operator-plan/{id}", anyone],
  [6, "POST", "/work-orders/production-full", "work-orders:write"],
  [7, "POST", "/identity/login", "open"],
  [8, "GET", "/machines/realtime/operators", anyone],
  [9, "PUT", "/work-order-target", "work-orders:write"],
  [10, "PUT", "/v2/alert-settings/superuser/persona/new", ["superuser"]],
  [11, "POST", "/v1/public/reports/stops", ["superuser"]],
  [12, "POST", "/widgets/system/promote", ["superadmin", "superuser"]],
  [13, "GET", "/subscriptions/{subscriptionId}/logs", anyone],
  [14, "PUT", "/role-permissions/{id}", ["superuser"]],
  [15, "PATCH", "/work-order-target/{workOrderId}/{skuId}", "targets:write"],
  [16, "PATCH", "/work/{workId}/progress", "progress:write"],
  [17, "DELETE", "/config", "configs:write"],
  [18, "POST", "/widget/stop-metrics", anyone],
  [19, "POST", "/widgets/{id}/thumbnail", anyone],
  [20, "GET", "/machines/{machineId}/availability", anyone],
  [21, "PATCH", "/notifications/markRead", anyone],
  [22, "GET", "/webhook-subscriptions/secret", ["admin", "superadmin", "superuser"]],
];

const plant = ["companies", "users", "machines", "shifts", "operators", "skus", "stop-causes", "operator-plans"];
const setUp = [...plant, "widgets", "dashboards", "gateway-tokens"];

/** What Andon has beside the contract. */
export const additions = [
  ...["GET /health", "GET /openapi.json", "POST /v1/ingest", "GET /thumbnails/{key}"],
  ...setUp.flatMap((name) => ["GET", "POST"].map((method) => `${method} /v1/${name}`)),
  ...setUp.flatMap((name) => ["GET", "PATCH", "DELETE"].map((method) => `${method} /v1/${name}/{id}`)),
  ...["GET /v1/stops", "POST /v1/stops", "POST /v1/stops/merge", "POST /v1/stops/{id}/split"],
  ...["GET", "PATCH", "DELETE"].map((method) => `${method} /v1/stops/{id}`),
  ...["PUT", "DELETE"].map((method) => `${method} /v1/stops/{id}/classification`),
  ...["GET /v1/machines/{id}/state", "GET /v1/machines/{id}/shifts/{start}/explain"],
  ...["GET /v1/work-orders", "GET /v1/work-orders/{id}", "GET /v1/tags", "GET /v1/personas", "GET /v1/notifications"],
  ...["GET /v1/role-permissions", "GET /v1/report-subscriptions", "GET /v1/config", "PUT /v1/config", "GET /v1/audit"],
  ...["POST /v1/operator-plans/csv", "POST /v1/dashboards/{id}/unarchive"],
];
