import * as createApiToken from "./api/access/api-tokens/create-api-token.ts";
import { apiTokens } from "./api/access/api-tokens/resource.ts";
import * as claimService from "./api/access/claim/claim-service.ts";
import * as getClaim from "./api/access/claim/get-claim.ts";
import * as deleteConfig from "./api/access/configs/delete-config.ts";
import * as getConfig from "./api/access/configs/get-config.ts";
import * as putConfig from "./api/access/configs/put-config.ts";
import * as changePassword from "./api/access/identity/change-password.ts";
import * as login from "./api/access/identity/login.ts";
import * as signOut from "./api/access/identity/sign-out.ts";
import * as confirmGatewayPairing from "./api/access/pairings/confirm-gateway-pairing.ts";
import * as confirmTerminalPairing from "./api/access/pairings/confirm-terminal-pairing.ts";
import * as confirmWallPairing from "./api/access/pairings/confirm-wall-pairing.ts";
import * as createGatewayPairing from "./api/access/pairings/create-gateway-pairing.ts";
import * as createTerminalPairing from "./api/access/pairings/create-terminal-pairing.ts";
import * as createWallPairing from "./api/access/pairings/create-wall-pairing.ts";
import * as getGatewayPairing from "./api/access/pairings/get-gateway-pairing.ts";
import * as getTerminalPairing from "./api/access/pairings/get-terminal-pairing.ts";
import * as getWallPairing from "./api/access/pairings/get-wall-pairing.ts";
import * as createRolePermission from "./api/access/roles/create-role-permission.ts";
import * as deleteRolePermission from "./api/access/roles/delete-role-permission.ts";
import * as getRolePermission from "./api/access/roles/get-role-permission.ts";
import * as listRolePermissions from "./api/access/roles/list-role-permissions.ts";
import * as updateRolePermission from "./api/access/roles/update-role-permission.ts";
import * as changeUser from "./api/access/users/change-user.ts";
import * as createUser from "./api/access/users/create-user.ts";
import * as listUserDependents from "./api/access/users/list-user-dependents.ts";
import { users } from "./api/access/users/resource.ts";
import * as changeAction from "./api/actions/change-action.ts";
import * as createAction from "./api/actions/create-action.ts";
import * as getAction from "./api/actions/get-action.ts";
import * as listActions from "./api/actions/list-actions.ts";
import * as listChannels from "./api/alerting/channels/list-channels.ts";
import * as changeChatRoom from "./api/alerting/chat-rooms/change-chat-room.ts";
import * as createChatRoom from "./api/alerting/chat-rooms/create-chat-room.ts";
import { chatRooms } from "./api/alerting/chat-rooms/resource.ts";
import * as testChatRoom from "./api/alerting/chat-rooms/test-chat-room.ts";
import * as answerHelpCall from "./api/alerting/help-calls/answer-help-call.ts";
import * as createHelpCall from "./api/alerting/help-calls/create-help-call.ts";
import * as getHelpCall from "./api/alerting/help-calls/get-help-call.ts";
import * as listHelpCalls from "./api/alerting/help-calls/list-help-calls.ts";
import * as acknowledgeIncident from "./api/alerting/incidents/acknowledge-incident.ts";
import * as getIncident from "./api/alerting/incidents/get-incident.ts";
import * as listIncidents from "./api/alerting/incidents/list-incidents.ts";
import * as listMessages from "./api/alerting/messages/list-messages.ts";
import * as listNotifications from "./api/alerting/notifications/list-notifications.ts";
import * as markNotificationsRead from "./api/alerting/notifications/mark-notifications-read.ts";
import * as addPersona from "./api/alerting/personas/add-persona.ts";
import * as changePersona from "./api/alerting/personas/change-persona.ts";
import * as createPersona from "./api/alerting/personas/create-persona.ts";
import * as deletePersona from "./api/alerting/personas/delete-persona.ts";
import * as getPersona from "./api/alerting/personas/get-persona.ts";
import * as getPushKey from "./api/alerting/personas/get-push-key.ts";
import * as listPersonas from "./api/alerting/personas/list-personas.ts";
import * as putPushDevice from "./api/alerting/personas/put-push-device.ts";
import * as testPersona from "./api/alerting/personas/test-persona.ts";
import { alertRules } from "./api/alerting/rules/resource.ts";
import * as tryAlertRule from "./api/alerting/rules/try-alert-rule.ts";
import * as listAudit from "./api/audit/list-audit.ts";
import * as createBookClosing from "./api/books/create-book-closing.ts";
import * as getBookClosing from "./api/books/get-book-closing.ts";
import * as listBookClosings from "./api/books/list-book-closings.ts";
import * as reopenBookClosing from "./api/books/reopen-book-closing.ts";
import * as createCorrection from "./api/corrections/create-correction.ts";
import * as getCorrection from "./api/corrections/get-correction.ts";
import * as listCorrections from "./api/corrections/list-corrections.ts";
import * as undoCorrection from "./api/corrections/undo-correction.ts";
import * as createEventWithdrawal from "./api/event-withdrawals/create-event-withdrawal.ts";
import * as getEventWithdrawal from "./api/event-withdrawals/get-event-withdrawal.ts";
import * as listEventWithdrawals from "./api/event-withdrawals/list-event-withdrawals.ts";
import * as restoreEvents from "./api/event-withdrawals/restore-events.ts";
import * as acknowledgeHandOver from "./api/hand-overs/acknowledge-hand-over.ts";
import * as changeHandOver from "./api/hand-overs/change-hand-over.ts";
import * as createHandOver from "./api/hand-overs/create-hand-over.ts";
import * as getHandOver from "./api/hand-overs/get-hand-over.ts";
import * as getShiftFigures from "./api/hand-overs/get-shift-figures.ts";
import * as listHandOvers from "./api/hand-overs/list-hand-overs.ts";
import * as listCountSensors from "./api/ingest/count-sensors/list-count-sensors.ts";
import * as putCountSensor from "./api/ingest/count-sensors/put-count-sensor.ts";
import * as updateCountSensors from "./api/ingest/count-sensors/update-count-sensors.ts";
import { sentEvent } from "./api/ingest/event.ts";
import * as createGatewayToken from "./api/ingest/gateway-tokens/create-gateway-token.ts";
import { gatewayTokens } from "./api/ingest/gateway-tokens/resource.ts";
import * as getOwnGateway from "./api/ingest/gateways/get-own-gateway.ts";
import * as listGateways from "./api/ingest/gateways/list-gateways.ts";
import * as putOwnGatewayStatus from "./api/ingest/gateways/put-own-gateway-status.ts";
import * as acceptHeldEvents from "./api/ingest/held-events/accept-held-events.ts";
import * as dropHeldEvents from "./api/ingest/held-events/drop-held-events.ts";
import * as listEventsOfHeld from "./api/ingest/held-events/list-events-of-held.ts";
import * as listHeldEvents from "./api/ingest/held-events/list-held-events.ts";
import * as createImport from "./api/ingest/imports/create-import.ts";
import * as getImport from "./api/ingest/imports/get-import.ts";
import * as listImportErrors from "./api/ingest/imports/list-import-errors.ts";
import * as listImports from "./api/ingest/imports/list-imports.ts";
import * as undoImport from "./api/ingest/imports/undo-import.ts";
import * as ingest from "./api/ingest/ingest.ts";
import * as ignoreSignal from "./api/ingest/signals/ignore-signal.ts";
import * as listSignals from "./api/ingest/signals/list-signals.ts";
import * as getLive from "./api/live/get-live.ts";
import * as amendPresences from "./api/machines/amendments/amend-presences.ts";
import * as amendRuns from "./api/machines/amendments/amend-runs.ts";
import * as getPresences from "./api/machines/amendments/get-presences.ts";
import * as getRuns from "./api/machines/amendments/get-runs.ts";
import * as undoPresenceAmendment from "./api/machines/amendments/undo-presence-amendment.ts";
import * as undoRunAmendment from "./api/machines/amendments/undo-run-amendment.ts";
import * as listMachineEvents from "./api/machines/events/list-machine-events.ts";
import * as explainRecord from "./api/machines/explain-record.ts";
import * as explainShift from "./api/machines/explain-shift.ts";
import * as getAvailability from "./api/machines/get-availability.ts";
import * as getMachineState from "./api/machines/get-machine-state.ts";
import * as getPlantState from "./api/machines/get-plant-state.ts";
import * as getTimeline from "./api/machines/get-timeline.ts";
import * as listRealtimeOperators from "./api/machines/list-realtime-operators.ts";
import * as createRecalculation from "./api/machines/recalculations/create-recalculation.ts";
import * as getRecalculation from "./api/machines/recalculations/get-recalculation.ts";
import * as listRecalculations from "./api/machines/recalculations/list-recalculations.ts";
import * as signOperatorIn from "./api/machines/sign-operator-in.ts";
import * as signOperatorOut from "./api/machines/sign-operator-out.ts";
import * as startRun from "./api/machines/start-run.ts";
import * as changeOperator from "./api/operators/change-operator.ts";
import * as createOperator from "./api/operators/create-operator.ts";
import { operatorPlans } from "./api/operators/plans/resource.ts";
import * as updateOperatorPlan from "./api/operators/plans/update-operator-plan.ts";
import * as uploadOperatorPlan from "./api/operators/plans/upload-operator-plan.ts";
import { operators } from "./api/operators/resource.ts";
import * as listOperatorShifts from "./api/operators/shifts/list-operator-shifts.ts";
import * as listRecordOperators from "./api/operators/shifts/list-record-operators.ts";
import * as createWorkOrder from "./api/orders/create-work-order.ts";
import * as deleteWorkOrder from "./api/orders/delete-work-order.ts";
import * as getWorkOrder from "./api/orders/get-work-order.ts";
import * as listWorkOrders from "./api/orders/list-work-orders.ts";
import * as updateProgress from "./api/orders/update-progress.ts";
import * as updateTarget from "./api/orders/update-target.ts";
import * as updateWorkOrder from "./api/orders/update-work-order.ts";
import { calendarDays } from "./api/plant/calendar-days/resource.ts";
import * as checkSetUp from "./api/plant/check/check-set-up.ts";
import { companies } from "./api/plant/companies/resource.ts";
import { defectReasons } from "./api/plant/defect-reasons/resource.ts";
import { lines } from "./api/plant/lines/resource.ts";
import * as changeMachine from "./api/plant/machines/change-machine.ts";
import * as createMachine from "./api/plant/machines/create-machine.ts";
import { machines } from "./api/plant/machines/resource.ts";
import * as getPlantFile from "./api/plant/plant-file/get-plant-file.ts";
import * as putPlantFile from "./api/plant/plant-file/put-plant-file.ts";
import { shifts } from "./api/plant/shifts/resource.ts";
import { skus } from "./api/plant/skus/resource.ts";
import { stopCauses } from "./api/plant/stop-causes/resource.ts";
import * as getUsage from "./api/plant/usage/get-usage.ts";
import * as setUsageLimits from "./api/plant/usage/set-usage-limits.ts";
import * as leavePages from "./api/report-subscriptions/leave-pages.ts";
import * as listReportSubscriptions from "./api/report-subscriptions/list-report-subscriptions.ts";
import * as listSubscriptionLogs from "./api/report-subscriptions/list-subscription-logs.ts";
import * as previewReportSubscription from "./api/report-subscriptions/preview-report-subscription.ts";
import { reportSubscriptions } from "./api/report-subscriptions/resource.ts";
import * as runReportSubscription from "./api/report-subscriptions/run-report-subscription.ts";
import * as getMetricReport from "./api/reports/get-metric-report.ts";
import * as getStopReport from "./api/reports/get-stop-report.ts";
import * as listShiftRecords from "./api/reports/list-shift-records.ts";
import * as listStopRecords from "./api/reports/list-stop-records.ts";
import * as getProduction from "./api/reports/production/get-production.ts";
import * as listShiftRevisions from "./api/reports/revisions/list-shift-revisions.ts";
import * as getStopMetrics from "./api/reports/stop-metrics/get-stop-metrics.ts";
import * as getSummary from "./api/reports/summary/get-summary.ts";
import * as getHealth from "./api/service/get-health.ts";
import * as getOpenapi from "./api/service/get-openapi.ts";
import * as getService from "./api/service/get-service.ts";
import * as createSetUpImport from "./api/set-up-imports/create-set-up-import.ts";
import * as listSetUpImports from "./api/set-up-imports/list-set-up-imports.ts";
import * as undoSetUpImport from "./api/set-up-imports/undo-set-up-import.ts";
import * as classifyStops from "./api/stops/bulk/classify-stops.ts";
import * as getStopClassification from "./api/stops/bulk/get-stop-classification.ts";
import * as listStopClassifications from "./api/stops/bulk/list-stop-classifications.ts";
import * as undoStopClassification from "./api/stops/bulk/undo-stop-classification.ts";
import * as changeStop from "./api/stops/change-stop.ts";
import * as classifyStop from "./api/stops/classify-stop.ts";
import * as declassifyStop from "./api/stops/declassify-stop.ts";
import * as deleteStop from "./api/stops/delete-stop.ts";
import * as getStop from "./api/stops/get-stop.ts";
import * as listStopChanges from "./api/stops/list-stop-changes.ts";
import * as listStops from "./api/stops/list-stops.ts";
import * as mergeStops from "./api/stops/merge-stops.ts";
import * as attachOrphanedEdit from "./api/stops/orphaned-edits/attach-orphaned-edit.ts";
import * as dropOrphanedEdit from "./api/stops/orphaned-edits/drop-orphaned-edit.ts";
import * as listOrphanedEdits from "./api/stops/orphaned-edits/list-orphaned-edits.ts";
import * as recordStop from "./api/stops/record-stop.ts";
import * as splitStop from "./api/stops/split-stop.ts";
import * as listTags from "./api/tags/list-tags.ts";
import * as saveTagKey from "./api/tags/save-tag-key.ts";
import * as changeWebhookSubscription from "./api/webhooks/change-webhook-subscription.ts";
import * as createWebhookSubscription from "./api/webhooks/create-webhook-subscription.ts";
import * as listEvents from "./api/webhooks/events/list-events.ts";
import * as getWebhookSecret from "./api/webhooks/get-webhook-secret.ts";
import * as listDeliveries from "./api/webhooks/list-deliveries.ts";
import * as pingWebhookSubscription from "./api/webhooks/ping-webhook-subscription.ts";
import * as replayEvent from "./api/webhooks/replay-event.ts";
import * as replayEvents from "./api/webhooks/replay-events.ts";
import { webhookSubscriptions } from "./api/webhooks/resource.ts";
import * as rotateSubscriptionSecret from "./api/webhooks/rotate-subscription-secret.ts";
import * as rotateWebhookSecret from "./api/webhooks/rotate-webhook-secret.ts";
import * as archiveDashboard from "./api/widgets/dashboards/archive-dashboard.ts";
import * as putFavoriteDashboard from "./api/widgets/dashboards/put-favorite.ts";
import { dashboards } from "./api/widgets/dashboards/resource.ts";
import * as unarchiveDashboard from "./api/widgets/dashboards/unarchive-dashboard.ts";
import * as getThumbnail from "./api/widgets/get-thumbnail.ts";
import * as promoteWidget from "./api/widgets/promote-widget.ts";
import { widgets } from "./api/widgets/resource.ts";
import * as uploadThumbnail from "./api/widgets/upload-thumbnail.ts";
import { createApp } from "./http/app.ts";
import { addPages } from "./http/pages.ts";
import { addResource } from "./resource/add-resource.ts";

/** Every operation of the service, grouped by domain: the folders of src/api, in their order. */
export const router = createApp();

// access
addResource(router, apiTokens, { without: ["create"] });
router.openapi(createApiToken.contract, createApiToken.handler);
router.openapi(deleteConfig.contract, deleteConfig.handler);
router.openapi(getConfig.contract, getConfig.handler);
router.openapi(putConfig.contract, putConfig.handler);
router.openapi(getClaim.contract, getClaim.handler);
router.openapi(claimService.contract, claimService.handler);
router.openapi(login.contract, login.handler);
router.openapi(changePassword.contract, changePassword.handler);
router.openapi(signOut.contract, signOut.handler);
router.openapi(updateRolePermission.contract, updateRolePermission.handler);
router.openapi(createRolePermission.contract, createRolePermission.handler);
router.openapi(getRolePermission.contract, getRolePermission.handler);
router.openapi(deleteRolePermission.contract, deleteRolePermission.handler);
router.openapi(listRolePermissions.contract, listRolePermissions.handler);
addResource(router, users, { without: ["create", "change"] });
router.openapi(createUser.contract, createUser.handler);
router.openapi(changeUser.contract, changeUser.handler);
router.openapi(listUserDependents.contract, listUserDependents.handler);
router.openapi(createWallPairing.contract, createWallPairing.handler);
router.openapi(getWallPairing.contract, getWallPairing.handler);
router.openapi(confirmWallPairing.contract, confirmWallPairing.handler);
router.openapi(createTerminalPairing.contract, createTerminalPairing.handler);
router.openapi(getTerminalPairing.contract, getTerminalPairing.handler);
router.openapi(confirmTerminalPairing.contract, confirmTerminalPairing.handler);
router.openapi(createGatewayPairing.contract, createGatewayPairing.handler);
router.openapi(getGatewayPairing.contract, getGatewayPairing.handler);
router.openapi(confirmGatewayPairing.contract, confirmGatewayPairing.handler);

// actions
router.openapi(listActions.contract, listActions.handler);
router.openapi(createAction.contract, createAction.handler);
router.openapi(getAction.contract, getAction.handler);
router.openapi(changeAction.contract, changeAction.handler);

// alerting
router.openapi(listChannels.contract, listChannels.handler);
addResource(router, chatRooms, { without: ["create", "change"] });
router.openapi(createChatRoom.contract, createChatRoom.handler);
router.openapi(changeChatRoom.contract, changeChatRoom.handler);
router.openapi(testChatRoom.contract, testChatRoom.handler);
router.openapi(createHelpCall.contract, createHelpCall.handler);
router.openapi(listHelpCalls.contract, listHelpCalls.handler);
router.openapi(getHelpCall.contract, getHelpCall.handler);
router.openapi(answerHelpCall.contract, answerHelpCall.handler);
router.openapi(listIncidents.contract, listIncidents.handler);
router.openapi(getIncident.contract, getIncident.handler);
router.openapi(acknowledgeIncident.contract, acknowledgeIncident.handler);
router.openapi(listMessages.contract, listMessages.handler);
router.openapi(markNotificationsRead.contract, markNotificationsRead.handler);
router.openapi(listNotifications.contract, listNotifications.handler);
router.openapi(createPersona.contract, createPersona.handler);
router.openapi(addPersona.contract, addPersona.handler);
router.openapi(listPersonas.contract, listPersonas.handler);
router.openapi(getPersona.contract, getPersona.handler);
router.openapi(changePersona.contract, changePersona.handler);
router.openapi(deletePersona.contract, deletePersona.handler);
router.openapi(testPersona.contract, testPersona.handler);
router.openapi(getPushKey.contract, getPushKey.handler);
router.openapi(putPushDevice.contract, putPushDevice.handler);
addResource(router, alertRules);
router.openapi(tryAlertRule.contract, tryAlertRule.handler);

// audit
router.openapi(listAudit.contract, listAudit.handler);

// books
router.openapi(listBookClosings.contract, listBookClosings.handler);
router.openapi(createBookClosing.contract, createBookClosing.handler);
router.openapi(getBookClosing.contract, getBookClosing.handler);
router.openapi(reopenBookClosing.contract, reopenBookClosing.handler);

// corrections
router.openapi(createCorrection.contract, createCorrection.handler);
router.openapi(listCorrections.contract, listCorrections.handler);
router.openapi(getCorrection.contract, getCorrection.handler);
router.openapi(undoCorrection.contract, undoCorrection.handler);

// event withdrawals
router.openapi(createEventWithdrawal.contract, createEventWithdrawal.handler);
router.openapi(listEventWithdrawals.contract, listEventWithdrawals.handler);
router.openapi(getEventWithdrawal.contract, getEventWithdrawal.handler);
router.openapi(restoreEvents.contract, restoreEvents.handler);

// hand-overs
router.openapi(listHandOvers.contract, listHandOvers.handler);
router.openapi(createHandOver.contract, createHandOver.handler);
router.openapi(getHandOver.contract, getHandOver.handler);
router.openapi(changeHandOver.contract, changeHandOver.handler);
router.openapi(acknowledgeHandOver.contract, acknowledgeHandOver.handler);
router.openapi(getShiftFigures.contract, getShiftFigures.handler);

// ingest
router.openapi(ingest.contract, ingest.handler);
router.openAPIRegistry.register("IngestEvent", sentEvent);
router.openapi(updateCountSensors.contract, updateCountSensors.handler);
router.openapi(listCountSensors.contract, listCountSensors.handler);
router.openapi(putCountSensor.contract, putCountSensor.handler);
router.openapi(ignoreSignal.contract, ignoreSignal.handler);
router.openapi(listSignals.contract, listSignals.handler);
addResource(router, gatewayTokens, { without: ["create"] });
router.openapi(createGatewayToken.contract, createGatewayToken.handler);
router.openapi(listGateways.contract, listGateways.handler);
router.openapi(getOwnGateway.contract, getOwnGateway.handler);
router.openapi(putOwnGatewayStatus.contract, putOwnGatewayStatus.handler);
router.openapi(listRecalculations.contract, listRecalculations.handler);
router.openapi(createRecalculation.contract, createRecalculation.handler);
router.openapi(getRecalculation.contract, getRecalculation.handler);
router.openapi(listHeldEvents.contract, listHeldEvents.handler);
router.openapi(listEventsOfHeld.contract, listEventsOfHeld.handler);
router.openapi(acceptHeldEvents.contract, acceptHeldEvents.handler);
router.openapi(dropHeldEvents.contract, dropHeldEvents.handler);
router.openapi(createImport.contract, createImport.handler);
router.openapi(listImports.contract, listImports.handler);
router.openapi(getImport.contract, getImport.handler);
router.openapi(listImportErrors.contract, listImportErrors.handler);
router.openapi(undoImport.contract, undoImport.handler);

// live
router.openapi(getLive.contract, getLive.handler);

// machines
router.openapi(getAvailability.contract, getAvailability.handler);
router.openapi(listRealtimeOperators.contract, listRealtimeOperators.handler);
router.openapi(getMachineState.contract, getMachineState.handler);
router.openapi(getPlantState.contract, getPlantState.handler);
router.openapi(getTimeline.contract, getTimeline.handler);
router.openapi(explainShift.contract, explainShift.handler);
router.openapi(listMachineEvents.contract, listMachineEvents.handler);
router.openapi(signOperatorIn.contract, signOperatorIn.handler);
router.openapi(signOperatorOut.contract, signOperatorOut.handler);
router.openapi(startRun.contract, startRun.handler);
router.openapi(getRuns.contract, getRuns.handler);
router.openapi(amendRuns.contract, amendRuns.handler);
router.openapi(undoRunAmendment.contract, undoRunAmendment.handler);
router.openapi(getPresences.contract, getPresences.handler);
router.openapi(amendPresences.contract, amendPresences.handler);
router.openapi(undoPresenceAmendment.contract, undoPresenceAmendment.handler);
router.openapi(explainRecord.contract, explainRecord.handler);

// operators
addResource(router, operators, { without: ["create", "change"] });
router.openapi(createOperator.contract, createOperator.handler);
router.openapi(changeOperator.contract, changeOperator.handler);
router.openapi(updateOperatorPlan.contract, updateOperatorPlan.handler);
addResource(router, operatorPlans);
router.openapi(uploadOperatorPlan.contract, uploadOperatorPlan.handler);
router.openapi(listOperatorShifts.contract, listOperatorShifts.handler);
router.openapi(listRecordOperators.contract, listRecordOperators.handler);

// orders
router.openapi(createWorkOrder.contract, createWorkOrder.handler);
router.openapi(updateWorkOrder.contract, updateWorkOrder.handler);
router.openapi(updateTarget.contract, updateTarget.handler);
router.openapi(updateProgress.contract, updateProgress.handler);
router.openapi(listWorkOrders.contract, listWorkOrders.handler);
router.openapi(getWorkOrder.contract, getWorkOrder.handler);
router.openapi(deleteWorkOrder.contract, deleteWorkOrder.handler);

// plant
router.openapi(checkSetUp.contract, checkSetUp.handler);
router.openapi(getPlantFile.contract, getPlantFile.handler);
router.openapi(putPlantFile.contract, putPlantFile.handler);
router.openapi(createSetUpImport.contract, createSetUpImport.handler);
router.openapi(listSetUpImports.contract, listSetUpImports.handler);
router.openapi(undoSetUpImport.contract, undoSetUpImport.handler);
addResource(router, calendarDays);
addResource(router, companies);
addResource(router, defectReasons);
addResource(router, lines);
addResource(router, machines, { without: ["create", "change"] });
router.openapi(createMachine.contract, createMachine.handler);
router.openapi(changeMachine.contract, changeMachine.handler);
addResource(router, shifts);
addResource(router, skus);
addResource(router, stopCauses);
router.openapi(getUsage.contract, getUsage.handler);
router.openapi(setUsageLimits.contract, setUsageLimits.handler);

// report subscriptions
addResource(router, reportSubscriptions, { without: ["list"] });
router.openapi(listSubscriptionLogs.contract, listSubscriptionLogs.handler);
router.openapi(listReportSubscriptions.contract, listReportSubscriptions.handler);
router.openapi(runReportSubscription.contract, runReportSubscription.handler);
router.openapi(previewReportSubscription.contract, previewReportSubscription.handler);

// reports
router.openapi(getMetricReport.contract, getMetricReport.handler);
router.openapi(getStopReport.contract, getStopReport.handler);
router.openapi(listShiftRecords.contract, listShiftRecords.handler);
router.openapi(listShiftRevisions.contract, listShiftRevisions.handler);
router.openapi(listStopRecords.contract, listStopRecords.handler);
router.openapi(getProduction.contract, getProduction.handler);
router.openapi(getStopMetrics.contract, getStopMetrics.handler);
router.openapi(getSummary.contract, getSummary.handler);

// service
router.openapi(getHealth.contract, getHealth.handler);
router.openapi(getOpenapi.contract, getOpenapi.handler);
router.openapi(getService.contract, getService.handler);

// stops
router.openapi(listStops.contract, listStops.handler);
router.openapi(getStop.contract, getStop.handler);
router.openapi(listStopChanges.contract, listStopChanges.handler);
router.openapi(recordStop.contract, recordStop.handler);
router.openapi(changeStop.contract, changeStop.handler);
router.openapi(classifyStop.contract, classifyStop.handler);
router.openapi(classifyStops.contract, classifyStops.handler);
router.openapi(listStopClassifications.contract, listStopClassifications.handler);
router.openapi(getStopClassification.contract, getStopClassification.handler);
router.openapi(undoStopClassification.contract, undoStopClassification.handler);
router.openapi(declassifyStop.contract, declassifyStop.handler);
router.openapi(splitStop.contract, splitStop.handler);
router.openapi(mergeStops.contract, mergeStops.handler);
router.openapi(deleteStop.contract, deleteStop.handler);
router.openapi(listOrphanedEdits.contract, listOrphanedEdits.handler);
router.openapi(attachOrphanedEdit.contract, attachOrphanedEdit.handler);
router.openapi(dropOrphanedEdit.contract, dropOrphanedEdit.handler);

// tags
router.openapi(saveTagKey.contract, saveTagKey.handler);
router.openapi(listTags.contract, listTags.handler);

// webhooks
router.openapi(getWebhookSecret.contract, getWebhookSecret.handler);
router.openapi(rotateWebhookSecret.contract, rotateWebhookSecret.handler);
router.openapi(rotateSubscriptionSecret.contract, rotateSubscriptionSecret.handler);
router.openapi(pingWebhookSubscription.contract, pingWebhookSubscription.handler);
router.openapi(listDeliveries.contract, listDeliveries.handler);
router.openapi(replayEvent.contract, replayEvent.handler);
router.openapi(replayEvents.contract, replayEvents.handler);
addResource(router, webhookSubscriptions, { without: ["create", "change"] });
router.openapi(createWebhookSubscription.contract, createWebhookSubscription.handler);
router.openapi(changeWebhookSubscription.contract, changeWebhookSubscription.handler);
router.openapi(listEvents.contract, listEvents.handler);

// widgets
addResource(router, widgets);
router.openapi(promoteWidget.contract, promoteWidget.handler);
router.openapi(uploadThumbnail.contract, uploadThumbnail.handler);
router.openapi(getThumbnail.contract, getThumbnail.handler);
addResource(router, dashboards);
router.openapi(unarchiveDashboard.contract, unarchiveDashboard.handler);
router.openapi(putFavoriteDashboard.contract, putFavoriteDashboard.handler);
router.openapi(archiveDashboard.contract, archiveDashboard.handler);

// the board's pages
addPages(router);
leavePages.addPages(router);
