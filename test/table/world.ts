import {
  createNotification,
  createOperatorPlan,
  createStopCause,
  createStopSlice,
  createSubscription,
  createSubscriptionLog,
  createUser,
  createUserConfig,
  createWorkOrder,
} from "../support/factories.ts";
import { picture } from "../support/pictures.ts";
import { createRunningLine } from "../support/running-line.ts";
import { createDashboard, createInstance, createWidget } from "../support/widgets.ts";

const password = "correct horse battery";
const hour = 3_600_000;

/** Names of everything that the contract's operations speak of. */
export interface World {
  companyId: number;
  user: { userId: number; email: string };
  machine: { id: number; ref: string };
  shiftId: number;
  skuId: string;
  dashboardId: string;
  widgetId: string;
  planId: string;
  subscriptionId: string;
  workOrderId: string;
  notificationId: string;
  grantId: string;
}

/** A company that has something behind every operation. */
export async function createWorld(): Promise<World> {
  const { companyId, machine, shift, sku, operator, startAt, endAt } = await createRunningLine();
  const user = await createUser(companyId, "user", { password });
  const cause = await createStopCause(companyId);
  const specific = await createStopCause(companyId, { level: "specific" });
  const of = { companyId, machineId: machine.id, shiftId: shift.shiftId, shiftStart: startAt, shiftEnd: endAt };
  const causes = { classificationId: 1, classifiedAt: startAt, generalCauseId: cause.causeId, specificCauseId: specific.causeId };
  await createStopSlice({ ...of, sliceStart: startAt + hour, sliceEnd: startAt + hour + 1 }, { ...causes, deletedAt: startAt });
  const widget = await createWidget(companyId, { thumbnailKey: "a.png", compressedThumbnailKey: "b.webp" });
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
  return {
    companyId,
    user,
    machine,
    shiftId: shift.shiftId,
    skuId: sku.skuId,
    dashboardId: dashboard.id,
    widgetId: widget.id,
    planId: plan.id,
    subscriptionId: subscription.id,
    workOrderId,
    notificationId: (await createNotification(user.userId)).id,
    // A readonly user may delete the own config: of the migration.
    grantId: "00000000-0000-4000-8000-000000000015",
  };
}

/** Names of nothing. */
export function nowhere(): World {
  const id = () => 2 ** 40 + Math.floor(Math.random() * 2 ** 40);
  const uuid = () => crypto.randomUUID();
  return {
    companyId: id(),
    user: { userId: id(), email: `${uuid()}@example.test` },
    machine: { id: id(), ref: uuid() },
    shiftId: id(),
    skuId: uuid(),
    dashboardId: uuid(),
    widgetId: uuid(),
    planId: uuid(),
    subscriptionId: uuid(),
    workOrderId: uuid(),
    notificationId: uuid(),
    grantId: uuid(),
  };
}

export interface WorldRequest {
  path: string;
  body?: unknown;
}

const inAnHour = () => new Date(Date.now() + hour).toISOString();
const lastHours = () => ({ start: new Date(Date.now() - 8 * hour).toISOString(), end: inAnHour() });

/** A good request to each operation about the things of a world, by the operation's number; never the same one twice. */
export const requests: Record<number, (world: World) => WorldRequest> = {
  1: ({ companyId }) => ({ path: "/v1/public/reports/metrics", body: { companyIds: [companyId], pageSize: 10 } }),
  2: ({ companyId, machine }) => {
    const config = { type: "total", countingFactor: 2, channel: 1, nodeId: 7 };
    const updated = [{ machineRef: machine.ref, isCountEnabled: true, configs: [config] }];
    return { path: "/backoffice/machines/count-sensors", body: { companyId, added: [], updated, deleted: [] } };
  },
  3: ({ companyId }) => ({
    path: "/tags/key",
    body: {
      companyId,
      sort: 1.5,
      subject: "Machines",
      tagKey: `Hall ${crypto.randomUUID()}`,
      description: "Where it stands",
      color: "#00aa00",
      isDefault: false,
    },
  }),
  4: ({ dashboardId }) => ({ path: `/widgets/dashboards/${dashboardId}/archive` }),
  5: ({ planId }) => ({ path: `/operator-plan/${planId}`, body: { until: inAnHour() } }),
  6: ({ machine, skuId }) => ({
    path: "/work-orders/production-full",
    body: {
      machines: [{ machineId: machine.id }],
      targets: [{ targetQuantity: 100, skuId }],
      workOrder: {
        estimatedDeliveryTime: inAnHour(),
        priority: 1,
        source: "test",
        status: "Backlog",
        name: "Order",
        code: `WO ${crypto.randomUUID()}`,
      },
    },
  }),
  7: ({ user }) => ({ path: "/identity/login", body: { email: user.email, password } }),
  8: ({ machine }) => ({ path: `/machines/realtime/operators?machineId=${machine.id}&direction=desc&limit=10&offset=0` }),
  9: ({ machine, skuId, workOrderId }) => ({
    path: "/work-order-target",
    body: {
      machines: [String(machine.id)],
      skus: [{ quantity: 50, id: skuId }],
      workOrder: { status: "InProgress", name: "Renamed", code: `WO ${crypto.randomUUID()}`, id: workOrderId },
    },
  }),
  10: ({ companyId }) => ({ path: "/v2/alert-settings/superuser/persona/new", body: { name: "Shift lead", companyId } }),
  11: ({ companyId }) => ({
    path: "/v1/public/reports/stops",
    body: { companyIds: [companyId], pageSize: 10, includeDeleted: true },
  }),
  12: ({ companyId, widgetId }) => ({ path: "/widgets/system/promote", body: { sourceCompanyId: companyId, widgetId } }),
  13: ({ subscriptionId }) => ({ path: `/subscriptions/${subscriptionId}/logs?limit=10` }),
  14: ({ grantId }) => ({ path: `/role-permissions/${grantId}`, body: { permissionId: "configs:write", roleId: "readonly" } }),
  15: ({ workOrderId, skuId }) => ({
    path: `/work-order-target/${workOrderId}/${encodeURIComponent(skuId)}`,
    body: { targetQuantity: 70 },
  }),
  16: ({ workOrderId, skuId, machine }) => ({
    path: `/work/${workOrderId}/progress`,
    body: { skuId, correct: 2, defects: 1, mode: "delta", machineId: machine.id, comment: "By hand" },
  }),
  17: ({ user, companyId }) => ({ path: "/config", body: { userId: user.userId, companyId } }),
  18: ({ companyId, machine, shiftId }) => {
    const { start: from, end: to } = lastHours();
    const filter_by = { date_range: { from, to }, company_id: companyId, machine_ids: [machine.id], shift_ids: [shiftId] };
    const metrics = ["stop_count", "mtbf", "stop_duration"];
    return { path: "/widget/stop-metrics", body: { filter_by, metrics, interval: "hour", group_by: "general_cause" } };
  },
  19: ({ widgetId }) => {
    const form = new FormData();
    form.set("file", new File([picture("png")], "picture.png"));
    return { path: `/widgets/${widgetId}/thumbnail`, body: form };
  },
  20: ({ machine }) => ({ path: `/machines/${machine.id}/availability?${new URLSearchParams(lastHours())}` }),
  21: ({ notificationId }) => ({ path: "/notifications/markRead", body: { notificationIds: [notificationId] } }),
  22: () => ({ path: "/webhook-subscriptions/secret" }),
};
