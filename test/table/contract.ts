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

/** What Andon has beside the contract. */
export const additions = ["GET /health", "POST /v1/ingest", "GET /thumbnails/{key}"];
