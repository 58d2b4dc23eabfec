import * as updateCountSensors from "./api/count-sensors/update-count-sensors.ts";
import * as getHealth from "./api/health/get-health.ts";
import * as login from "./api/identity/login.ts";
import * as ingest from "./api/ingest/ingest.ts";
import * as getAvailability from "./api/machines/get-availability.ts";
import * as listRealtimeOperators from "./api/machines/list-realtime-operators.ts";
import * as getMetricReport from "./api/reports/get-metric-report.ts";
import * as getStopReport from "./api/reports/get-stop-report.ts";
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
