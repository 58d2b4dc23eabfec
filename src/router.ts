import * as deleteConfig from "./api/configs/delete-config.ts";
import * as updateCountSensors from "./api/count-sensors/update-count-sensors.ts";
import * as getHealth from "./api/health/get-health.ts";
import * as login from "./api/identity/login.ts";
import * as ingest from "./api/ingest/ingest.ts";
import * as getAvailability from "./api/machines/get-availability.ts";
import * as listRealtimeOperators from "./api/machines/list-realtime-operators.ts";
import * as markNotificationsRead from "./api/notifications/mark-notifications-read.ts";
import * as updateOperatorPlan from "./api/operator-plans/update-operator-plan.ts";
import * as createPersona from "./api/personas/create-persona.ts";
import * as getMetricReport from "./api/reports/get-metric-report.ts";
import * as getStopReport from "./api/reports/get-stop-report.ts";
import * as updateRolePermission from "./api/roles/update-role-permission.ts";
import * as getStopMetrics from "./api/stop-metrics/get-stop-metrics.ts";
import * as listSubscriptionLogs from "./api/subscriptions/list-subscription-logs.ts";
import * as saveTagKey from "./api/tags/save-tag-key.ts";
import * as getWebhookSecret from "./api/webhooks/get-webhook-secret.ts";
import * as archiveDashboard from "./api/widgets/archive-dashboard.ts";
import * as getThumbnail from "./api/widgets/get-thumbnail.ts";
import * as promoteWidget from "./api/widgets/promote-widget.ts";
import * as uploadThumbnail from "./api/widgets/upload-thumbnail.ts";
import * as createWorkOrder from "./api/work-orders/create-work-order.ts";
import * as updateProgress from "./api/work-orders/update-progress.ts";
import * as updateTarget from "./api/work-orders/update-target.ts";
import * as updateWorkOrder from "./api/work-orders/update-work-order.ts";
import { createApp } from "./http/app.ts";

/** Every operation of the service, grouped by area. */
export const router = createApp();

// health
router.openapi(getHealth.contract, getHealth.handler);

// identity
router.openapi(login.contract, login.handler);

// signals
router.openapi(ingest.contract, ingest.handler);

// count sensors
router.openapi(updateCountSensors.contract, updateCountSensors.handler);

// machines
router.openapi(getAvailability.contract, getAvailability.handler);
router.openapi(listRealtimeOperators.contract, listRealtimeOperators.handler);

// reports
router.openapi(getMetricReport.contract, getMetricReport.handler);
router.openapi(getStopReport.contract, getStopReport.handler);

// configs
router.openapi(deleteConfig.contract, deleteConfig.handler);

// notifications
router.openapi(markNotificationsRead.contract, markNotificationsRead.handler);

// operator plans
router.openapi(updateOperatorPlan.contract, updateOperatorPlan.handler);

// personas
router.openapi(createPersona.contract, createPersona.handler);

// roles
router.openapi(updateRolePermission.contract, updateRolePermission.handler);

// subscriptions
router.openapi(listSubscriptionLogs.contract, listSubscriptionLogs.handler);

// tags
router.openapi(saveTagKey.contract, saveTagKey.handler);

// webhooks
router.openapi(getWebhookSecret.contract, getWebhookSecret.handler);

// charts
router.openapi(getStopMetrics.contract, getStopMetrics.handler);

// widgets
router.openapi(archiveDashboard.contract, archiveDashboard.handler);
router.openapi(promoteWidget.contract, promoteWidget.handler);
router.openapi(uploadThumbnail.contract, uploadThumbnail.handler);
router.openapi(getThumbnail.contract, getThumbnail.handler);

// work orders
router.openapi(createWorkOrder.contract, createWorkOrder.handler);
router.openapi(updateWorkOrder.contract, updateWorkOrder.handler);
router.openapi(updateTarget.contract, updateTarget.handler);
router.openapi(updateProgress.contract, updateProgress.handler);
