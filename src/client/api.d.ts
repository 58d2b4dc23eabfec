// Made by `npm run client` from the OpenAPI document. For openapi-fetch: createClient<paths>({ baseUrl }).

export interface paths {
  "/v1/api-tokens": {
    get: operations["listApiTokens"];
    post: operations["createApiToken"];
  };
  "/v1/api-tokens/{id}": {
    get: operations["getApiToken"];
    patch: operations["changeApiToken"];
    delete: operations["deleteApiToken"];
  };
  "/config": {
    delete: operations["deleteConfig"];
  };
  "/v1/config": {
    get: operations["getConfig"];
    put: operations["putConfig"];
  };
  "/v1/claim": {
    get: operations["getClaim"];
    post: operations["claimService"];
  };
  "/identity/login": {
    post: operations["login"];
  };
  "/v1/password": {
    put: operations["changePassword"];
  };
  "/v1/tokens": {
    delete: operations["signOut"];
  };
  "/role-permissions/{id}": {
    put: operations["updateRolePermission"];
  };
  "/v1/role-permissions": {
    get: operations["listRolePermissions"];
    post: operations["createRolePermission"];
  };
  "/v1/role-permissions/{id}": {
    get: operations["getRolePermission"];
    delete: operations["deleteRolePermission"];
  };
  "/v1/users": {
    get: operations["listUsers"];
    post: operations["createUser"];
  };
  "/v1/users/{id}": {
    get: operations["getUser"];
    patch: operations["changeUser"];
    delete: operations["deleteUser"];
  };
  "/v1/users/{id}/restore": {
    post: operations["restoreUser"];
  };
  "/v1/users/{id}/dependents": {
    get: operations["listUserDependents"];
  };
  "/v1/wall-pairings": {
    post: operations["createWallPairing"];
  };
  "/v1/wall-pairings/{id}": {
    get: operations["getWallPairing"];
  };
  "/v1/wall-pairings/confirm": {
    post: operations["confirmWallPairing"];
  };
  "/v1/terminal-pairings": {
    post: operations["createTerminalPairing"];
  };
  "/v1/terminal-pairings/{id}": {
    get: operations["getTerminalPairing"];
  };
  "/v1/terminal-pairings/confirm": {
    post: operations["confirmTerminalPairing"];
  };
  "/v1/gateway-pairings": {
    post: operations["createGatewayPairing"];
  };
  "/v1/gateway-pairings/{id}": {
    get: operations["getGatewayPairing"];
  };
  "/v1/gateway-pairings/confirm": {
    post: operations["confirmGatewayPairing"];
  };
  "/v1/actions": {
    get: operations["listActions"];
    post: operations["createAction"];
  };
  "/v1/actions/{id}": {
    get: operations["getAction"];
    patch: operations["changeAction"];
  };
  "/v1/channels": {
    get: operations["listChannels"];
  };
  "/v1/chat-rooms": {
    get: operations["listChatRooms"];
    post: operations["createChatRoom"];
  };
  "/v1/chat-rooms/{id}": {
    get: operations["getChatRoom"];
    patch: operations["changeChatRoom"];
    delete: operations["deleteChatRoom"];
  };
  "/v1/chat-rooms/{id}/restore": {
    post: operations["restoreChatRoom"];
  };
  "/v1/chat-rooms/{id}/test": {
    post: operations["testChatRoom"];
  };
  "/v1/machines/{id}/help-calls": {
    post: operations["createHelpCall"];
  };
  "/v1/help-calls": {
    get: operations["listHelpCalls"];
  };
  "/v1/help-calls/{id}": {
    get: operations["getHelpCall"];
  };
  "/v1/help-calls/{id}/answer": {
    post: operations["answerHelpCall"];
  };
  "/v1/incidents": {
    get: operations["listIncidents"];
  };
  "/v1/incidents/{id}": {
    get: operations["getIncident"];
  };
  "/v1/incidents/{id}/acknowledge": {
    post: operations["acknowledgeIncident"];
  };
  "/v1/messages": {
    get: operations["listMessages"];
  };
  "/notifications/markRead": {
    patch: operations["markNotificationsRead"];
  };
  "/v1/notifications": {
    get: operations["listNotifications"];
  };
  "/v2/alert-settings/superuser/persona/new": {
    put: operations["createPersona"];
  };
  "/v1/personas": {
    get: operations["listPersonas"];
    post: operations["addPersona"];
  };
  "/v1/personas/{id}": {
    get: operations["getPersona"];
    patch: operations["changePersona"];
    delete: operations["deletePersona"];
  };
  "/v1/personas/{id}/test": {
    post: operations["testPersona"];
  };
  "/v1/push-key": {
    get: operations["getPushKey"];
  };
  "/v1/push-devices": {
    put: operations["putPushDevice"];
  };
  "/v1/alert-rules": {
    get: operations["listAlertRules"];
    post: operations["createAlertRule"];
  };
  "/v1/alert-rules/{id}": {
    get: operations["getAlertRule"];
    patch: operations["changeAlertRule"];
    delete: operations["deleteAlertRule"];
  };
  "/v1/alert-rules/{id}/restore": {
    post: operations["restoreAlertRule"];
  };
  "/v1/alert-rules/try": {
    post: operations["tryAlertRule"];
  };
  "/v1/audit": {
    get: operations["listAudit"];
  };
  "/v1/books/closings": {
    get: operations["listBookClosings"];
    post: operations["createBookClosing"];
  };
  "/v1/books/closings/{id}": {
    get: operations["getBookClosing"];
  };
  "/v1/books/closings/{id}/reopen": {
    post: operations["reopenBookClosing"];
  };
  "/v1/corrections": {
    get: operations["listCorrections"];
    post: operations["createCorrection"];
  };
  "/v1/corrections/{id}": {
    get: operations["getCorrection"];
    delete: operations["undoCorrection"];
  };
  "/v1/event-withdrawals": {
    get: operations["listEventWithdrawals"];
    post: operations["createEventWithdrawal"];
  };
  "/v1/event-withdrawals/{id}": {
    get: operations["getEventWithdrawal"];
    delete: operations["restoreEvents"];
  };
  "/v1/hand-overs": {
    get: operations["listHandOvers"];
    post: operations["createHandOver"];
  };
  "/v1/hand-overs/{id}": {
    get: operations["getHandOver"];
    patch: operations["changeHandOver"];
  };
  "/v1/hand-overs/{id}/acknowledge": {
    post: operations["acknowledgeHandOver"];
  };
  "/v1/shift-figures": {
    get: operations["getShiftFigures"];
  };
  "/v1/ingest": {
    post: operations["ingest"];
  };
  "/backoffice/machines/count-sensors": {
    patch: operations["updateCountSensors"];
  };
  "/v1/count-sensors": {
    get: operations["listCountSensors"];
  };
  "/v1/machines/{id}/count-sensor": {
    put: operations["putCountSensor"];
  };
  "/v1/signals/ignored": {
    put: operations["ignoreSignal"];
  };
  "/v1/signals": {
    get: operations["listSignals"];
  };
  "/v1/gateway-tokens": {
    get: operations["listGatewayTokens"];
    post: operations["createGatewayToken"];
  };
  "/v1/gateway-tokens/{id}": {
    get: operations["getGatewayToken"];
    patch: operations["changeGatewayToken"];
    delete: operations["deleteGatewayToken"];
  };
  "/v1/gateways": {
    get: operations["listGateways"];
  };
  "/v1/gateways/self": {
    get: operations["getOwnGateway"];
  };
  "/v1/gateways/self/status": {
    put: operations["putOwnGatewayStatus"];
  };
  "/v1/recalculations": {
    get: operations["listRecalculations"];
    post: operations["createRecalculation"];
  };
  "/v1/recalculations/{id}": {
    get: operations["getRecalculation"];
  };
  "/v1/held-events": {
    get: operations["listHeldEvents"];
  };
  "/v1/held-events/{id}/events": {
    get: operations["listEventsOfHeld"];
  };
  "/v1/held-events/{id}/accept": {
    post: operations["acceptHeldEvents"];
  };
  "/v1/held-events/{id}/drop": {
    post: operations["dropHeldEvents"];
  };
  "/v1/imports": {
    get: operations["listImports"];
    post: operations["createImport"];
  };
  "/v1/imports/{id}": {
    get: operations["getImport"];
  };
  "/v1/imports/{id}/errors": {
    get: operations["listImportErrors"];
  };
  "/v1/imports/{id}/undo": {
    post: operations["undoImport"];
  };
  "/v1/live": {
    get: operations["getLive"];
  };
  "/machines/{machineId}/availability": {
    get: operations["getAvailability"];
  };
  "/machines/realtime/operators": {
    get: operations["listRealtimeOperators"];
  };
  "/v1/machines/{id}/state": {
    get: operations["getMachineState"];
  };
  "/v1/state": {
    get: operations["getPlantState"];
  };
  "/v1/timeline": {
    get: operations["getTimeline"];
  };
  "/v1/machines/{id}/shifts/{start}/explain": {
    get: operations["explainShift"];
  };
  "/v1/machines/{id}/events": {
    get: operations["listMachineEvents"];
  };
  "/v1/machines/{id}/sign-in": {
    post: operations["signOperatorIn"];
  };
  "/v1/machines/{id}/sign-out": {
    post: operations["signOperatorOut"];
  };
  "/v1/machines/{id}/run": {
    post: operations["startRun"];
  };
  "/v1/machines/{id}/runs": {
    get: operations["getRuns"];
    put: operations["amendRuns"];
  };
  "/v1/machines/{id}/runs/{amendmentId}": {
    delete: operations["undoRunAmendment"];
  };
  "/v1/machines/{id}/presences": {
    get: operations["getPresences"];
    put: operations["amendPresences"];
  };
  "/v1/machines/{id}/presences/{amendmentId}": {
    delete: operations["undoPresenceAmendment"];
  };
  "/v1/shift-records/{id}/explain": {
    get: operations["explainRecord"];
  };
  "/v1/operators": {
    get: operations["listOperators"];
    post: operations["createOperator"];
  };
  "/v1/operators/{id}": {
    get: operations["getOperator"];
    patch: operations["changeOperator"];
    delete: operations["deleteOperator"];
  };
  "/v1/operators/{id}/restore": {
    post: operations["restoreOperator"];
  };
  "/operator-plan/{id}": {
    put: operations["updateOperatorPlan"];
  };
  "/v1/operator-plans": {
    get: operations["listOperatorPlans"];
    post: operations["createOperatorPlan"];
  };
  "/v1/operator-plans/{id}": {
    get: operations["getOperatorPlan"];
    patch: operations["changeOperatorPlan"];
    delete: operations["deleteOperatorPlan"];
  };
  "/v1/operator-plans/{id}/restore": {
    post: operations["restoreOperatorPlan"];
  };
  "/v1/operator-plans/csv": {
    post: operations["uploadOperatorPlan"];
  };
  "/v1/operators/{id}/shifts": {
    get: operations["listOperatorShifts"];
  };
  "/v1/shift-records/{id}/operators": {
    get: operations["listRecordOperators"];
  };
  "/work-orders/production-full": {
    post: operations["createWorkOrder"];
  };
  "/work-order-target": {
    put: operations["updateWorkOrder"];
  };
  "/work-order-target/{workOrderId}/{skuId}": {
    patch: operations["updateTarget"];
  };
  "/work/{workId}/progress": {
    patch: operations["updateProgress"];
  };
  "/v1/work-orders": {
    get: operations["listWorkOrders"];
  };
  "/v1/work-orders/{id}": {
    get: operations["getWorkOrder"];
    delete: operations["deleteWorkOrder"];
  };
  "/v1/setup/check": {
    get: operations["checkSetUp"];
  };
  "/v1/plant": {
    get: operations["getPlantFile"];
    put: operations["putPlantFile"];
  };
  "/v1/setup/imports": {
    get: operations["listSetUpImports"];
    post: operations["createSetUpImport"];
  };
  "/v1/setup/imports/{id}/undo": {
    post: operations["undoSetUpImport"];
  };
  "/v1/calendar-days": {
    get: operations["listCalendarDays"];
    post: operations["createCalendarDay"];
  };
  "/v1/calendar-days/{id}": {
    get: operations["getCalendarDay"];
    patch: operations["changeCalendarDay"];
    delete: operations["deleteCalendarDay"];
  };
  "/v1/calendar-days/{id}/restore": {
    post: operations["restoreCalendarDay"];
  };
  "/v1/companies": {
    get: operations["listCompanies"];
    post: operations["createCompany"];
  };
  "/v1/companies/{id}": {
    get: operations["getCompany"];
    patch: operations["changeCompany"];
    delete: operations["deleteCompany"];
  };
  "/v1/companies/{id}/versions": {
    get: operations["listCompanyVersions"];
  };
  "/v1/companies/{id}/versions/{versionId}": {
    delete: operations["withdrawCompanyVersion"];
  };
  "/v1/defect-reasons": {
    get: operations["listDefectReasons"];
    post: operations["createDefectReason"];
  };
  "/v1/defect-reasons/{id}": {
    get: operations["getDefectReason"];
    patch: operations["changeDefectReason"];
    delete: operations["deleteDefectReason"];
  };
  "/v1/defect-reasons/{id}/restore": {
    post: operations["restoreDefectReason"];
  };
  "/v1/lines": {
    get: operations["listLines"];
    post: operations["createLine"];
  };
  "/v1/lines/{id}": {
    get: operations["getLine"];
    patch: operations["changeLine"];
    delete: operations["deleteLine"];
  };
  "/v1/lines/{id}/restore": {
    post: operations["restoreLine"];
  };
  "/v1/machines": {
    get: operations["listMachines"];
    post: operations["createMachine"];
  };
  "/v1/machines/{id}": {
    get: operations["getMachine"];
    patch: operations["changeMachine"];
    delete: operations["deleteMachine"];
  };
  "/v1/machines/{id}/versions": {
    get: operations["listMachineVersions"];
  };
  "/v1/machines/{id}/versions/{versionId}": {
    delete: operations["withdrawMachineVersion"];
  };
  "/v1/machines/{id}/restore": {
    post: operations["restoreMachine"];
  };
  "/v1/shifts": {
    get: operations["listShifts"];
    post: operations["createShift"];
  };
  "/v1/shifts/{id}": {
    get: operations["getShift"];
    patch: operations["changeShift"];
    delete: operations["deleteShift"];
  };
  "/v1/shifts/{id}/versions": {
    get: operations["listShiftVersions"];
  };
  "/v1/shifts/{id}/versions/{versionId}": {
    delete: operations["withdrawShiftVersion"];
  };
  "/v1/shifts/{id}/restore": {
    post: operations["restoreShift"];
  };
  "/v1/skus": {
    get: operations["listSkus"];
    post: operations["createSku"];
  };
  "/v1/skus/{id}": {
    get: operations["getSku"];
    patch: operations["changeSku"];
    delete: operations["deleteSku"];
  };
  "/v1/skus/{id}/versions": {
    get: operations["listSkuVersions"];
  };
  "/v1/skus/{id}/versions/{versionId}": {
    delete: operations["withdrawSkuVersion"];
  };
  "/v1/skus/{id}/restore": {
    post: operations["restoreSku"];
  };
  "/v1/stop-causes": {
    get: operations["listStopCauses"];
    post: operations["createStopCause"];
  };
  "/v1/stop-causes/{id}": {
    get: operations["getStopCause"];
    patch: operations["changeStopCause"];
    delete: operations["deleteStopCause"];
  };
  "/v1/stop-causes/{id}/versions": {
    get: operations["listStopCauseVersions"];
  };
  "/v1/stop-causes/{id}/versions/{versionId}": {
    delete: operations["withdrawStopCauseVersion"];
  };
  "/v1/stop-causes/{id}/restore": {
    post: operations["restoreStopCause"];
  };
  "/v1/usage": {
    get: operations["getUsage"];
  };
  "/v1/usage/limits": {
    patch: operations["setUsageLimits"];
  };
  "/v1/report-subscriptions/{id}": {
    get: operations["getReportSubscription"];
    patch: operations["changeReportSubscription"];
    delete: operations["deleteReportSubscription"];
  };
  "/v1/report-subscriptions": {
    get: operations["listReportSubscriptions"];
    post: operations["createReportSubscription"];
  };
  "/v1/report-subscriptions/{id}/restore": {
    post: operations["restoreReportSubscription"];
  };
  "/subscriptions/{subscriptionId}/logs": {
    get: operations["listSubscriptionLogs"];
  };
  "/v1/report-subscriptions/{id}/run": {
    post: operations["runReportSubscription"];
  };
  "/v1/report-subscriptions/{id}/preview": {
    get: operations["previewReportSubscription"];
  };
  "/v1/public/reports/metrics": {
    post: operations["getMetricReport"];
  };
  "/v1/public/reports/stops": {
    post: operations["getStopReport"];
  };
  "/v1/shift-records": {
    get: operations["listShiftRecords"];
  };
  "/v1/shift-records/{id}/revisions": {
    get: operations["listShiftRevisions"];
  };
  "/v1/stop-records": {
    get: operations["listStopRecords"];
  };
  "/v1/production": {
    get: operations["getProduction"];
  };
  "/widget/stop-metrics": {
    post: operations["getStopMetrics"];
  };
  "/v1/summary": {
    get: operations["getSummary"];
  };
  "/health": {
    get: operations["getHealth"];
  };
  "/openapi.json": {
    get: operations["getOpenapi"];
  };
  "/": {
    get: operations["getService"];
  };
  "/v1/stops": {
    get: operations["listStops"];
    post: operations["recordStop"];
  };
  "/v1/stops/{id}": {
    get: operations["getStop"];
    patch: operations["changeStop"];
    delete: operations["deleteStop"];
  };
  "/v1/stops/{id}/changes": {
    get: operations["listStopChanges"];
  };
  "/v1/stops/{id}/classification": {
    put: operations["classifyStop"];
    delete: operations["declassifyStop"];
  };
  "/v1/stops/classify": {
    post: operations["classifyStops"];
  };
  "/v1/stop-classifications": {
    get: operations["listStopClassifications"];
  };
  "/v1/stop-classifications/{id}": {
    get: operations["getStopClassification"];
  };
  "/v1/stop-classifications/{id}/undo": {
    post: operations["undoStopClassification"];
  };
  "/v1/stops/{id}/split": {
    post: operations["splitStop"];
  };
  "/v1/stops/merge": {
    post: operations["mergeStops"];
  };
  "/v1/orphaned-edits": {
    get: operations["listOrphanedEdits"];
  };
  "/v1/orphaned-edits/{id}/attach": {
    post: operations["attachOrphanedEdit"];
  };
  "/v1/orphaned-edits/{id}": {
    delete: operations["dropOrphanedEdit"];
  };
  "/tags/key": {
    post: operations["saveTagKey"];
  };
  "/v1/tags": {
    get: operations["listTags"];
  };
  "/webhook-subscriptions/secret": {
    get: operations["getWebhookSecret"];
  };
  "/v1/webhook-secret/rotate": {
    post: operations["rotateWebhookSecret"];
  };
  "/v1/webhook-subscriptions/{id}/rotate-secret": {
    post: operations["rotateSubscriptionSecret"];
  };
  "/v1/webhook-subscriptions/{id}/ping": {
    post: operations["pingWebhookSubscription"];
  };
  "/v1/webhook-subscriptions/{id}/deliveries": {
    get: operations["listDeliveries"];
  };
  "/v1/webhook-subscriptions/{id}/deliveries/{eventId}/replay": {
    post: operations["replayEvent"];
  };
  "/v1/webhook-subscriptions/{id}/replay": {
    post: operations["replayEvents"];
  };
  "/v1/webhook-subscriptions": {
    get: operations["listWebhookSubscriptions"];
    post: operations["createWebhookSubscription"];
  };
  "/v1/webhook-subscriptions/{id}": {
    get: operations["getWebhookSubscription"];
    patch: operations["changeWebhookSubscription"];
    delete: operations["deleteWebhookSubscription"];
  };
  "/v1/webhook-subscriptions/{id}/restore": {
    post: operations["restoreWebhookSubscription"];
  };
  "/v1/events": {
    get: operations["listEvents"];
  };
  "/v1/widgets": {
    get: operations["listWidgets"];
    post: operations["createWidget"];
  };
  "/v1/widgets/{id}": {
    get: operations["getWidget"];
    patch: operations["changeWidget"];
    delete: operations["deleteWidget"];
  };
  "/v1/widgets/{id}/restore": {
    post: operations["restoreWidget"];
  };
  "/widgets/system/promote": {
    post: operations["promoteWidget"];
  };
  "/widgets/{id}/thumbnail": {
    post: operations["uploadThumbnail"];
  };
  "/thumbnails/{key}": {
    get: operations["getThumbnail"];
  };
  "/v1/dashboards": {
    get: operations["listDashboards"];
    post: operations["createDashboard"];
  };
  "/v1/dashboards/{id}": {
    get: operations["getDashboard"];
    patch: operations["changeDashboard"];
    delete: operations["deleteDashboard"];
  };
  "/v1/dashboards/{id}/restore": {
    post: operations["restoreDashboard"];
  };
  "/v1/dashboards/{id}/unarchive": {
    post: operations["unarchiveDashboard"];
  };
  "/v1/dashboards/{id}/favorite": {
    put: operations["putFavoriteDashboard"];
  };
  "/widgets/dashboards/{id}/archive": {
    patch: operations["archiveDashboard"];
  };
}

export interface operations {
  /** List API tokens */
  listApiTokens: {
    parameters: {
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** The company; only superusers name another one than their own */
        companyId?: number;
        /** Whether deleted ones are included */
        includeDeleted?: boolean;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["ApiToken"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Create an API token */
  createApiToken: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateApiTokenBody"];
      };
    };
    responses: {
      201: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["NewApiToken"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Get an API token */
  getApiToken: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["ApiToken"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Change an API token */
  changeApiToken: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChangeApiTokenBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["ApiToken"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      412: components["responses"]["Problem412"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Delete an API token */
  deleteApiToken: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      204: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Delete a user's config */
  deleteConfig: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["DeleteConfigBody"];
      };
    };
    responses: {
      204: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Get your own config */
  getConfig: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["UserConfig"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Replace your own config */
  putConfig: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PutConfigBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["UserConfig"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Whether the service has been claimed */
  getClaim: {
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["ClaimState"];
        };
      };
      400: components["responses"]["Problem400"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Claim a service without users */
  claimService: {
    requestBody: {
      content: {
        "application/json": components["schemas"]["ClaimServiceBody"];
      };
    };
    responses: {
      201: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["Claimed"];
        };
      };
      400: components["responses"]["Problem400"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Exchange an e-mail address and a password for a token */
  login: {
    requestBody: {
      content: {
        "application/json": components["schemas"]["LoginBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            error: false;
            data: {
              email: string;
              companyId: number;
              id: number;
              role: string;
              jwt: {
                token: string;
                /** End of the token's life, seconds since the epoch */
                exp: number;
              };
            };
          };
        };
      };
      400: components["responses"]["Problem400"];
      401: {
        headers: Record<string, string>;
        content: {
          "application/problem+json": components["schemas"]["FailedLogin"];
        };
      };
      408: components["responses"]["Problem408"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Change your own password */
  changePassword: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChangePasswordBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            token: string;
            /** End of the token's life, seconds since the epoch */
            exp: number;
          };
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Sign out everywhere */
  signOut: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      204: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      409: components["responses"]["Problem409"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Re-assign one grant of a permission to a role */
  updateRolePermission: {
    parameters: {
      path: {
        id: string;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UpdateRolePermissionBody"];
      };
    };
    responses: {
      204: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List the grants of permissions to roles */
  listRolePermissions: {
    parameters: {
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["RolePermission"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Grant a permission to a role */
  createRolePermission: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateRolePermissionBody"];
      };
    };
    responses: {
      201: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["RolePermission"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Get one grant of a permission to a role */
  getRolePermission: {
    parameters: {
      path: {
        id: string;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["RolePermission"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Take a permission from a role */
  deleteRolePermission: {
    parameters: {
      path: {
        id: string;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      204: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List users */
  listUsers: {
    parameters: {
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** The company; only superusers name another one than their own */
        companyId?: number;
        /** Whether deleted ones are included */
        includeDeleted?: boolean;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["User"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Create a user */
  createUser: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateUserBody"];
      };
    };
    responses: {
      201: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["User"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Get a user */
  getUser: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["User"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Change a user */
  changeUser: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChangeUserBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["User"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      412: components["responses"]["Problem412"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Delete a user */
  deleteUser: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      204: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Restore a user */
  restoreUser: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["User"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List what ends with an account, and what stays */
  listUserDependents: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** The company to read: only superusers may name another one than their own, which is the default */
        companyId?: number;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["UserDependent"][];
            /** Types that have more than the 100 items listed */
            more: ("api-token" | "persona" | "report-subscription")[];
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Begin to pair a wall */
  createWallPairing: {
    responses: {
      201: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["NewWallPairing"];
        };
      };
      400: components["responses"]["Problem400"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Get the result of pairing a wall */
  getWallPairing: {
    parameters: {
      path: {
        id: string;
      };
      header: {
        /** The secret of the pairing */
        "x-pairing-secret": string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["WallPairing"];
        };
      };
      400: components["responses"]["Problem400"];
      404: components["responses"]["Problem404"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Pair the wall that shows a code */
  confirmWallPairing: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ConfirmWallPairingBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["ApiToken"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Begin to pair a terminal */
  createTerminalPairing: {
    responses: {
      201: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["NewTerminalPairing"];
        };
      };
      400: components["responses"]["Problem400"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Get the result of pairing a terminal */
  getTerminalPairing: {
    parameters: {
      path: {
        id: string;
      };
      header: {
        /** The secret of the pairing */
        "x-pairing-secret": string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["TerminalPairing"];
        };
      };
      400: components["responses"]["Problem400"];
      404: components["responses"]["Problem404"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Pair the terminal that shows a code */
  confirmTerminalPairing: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ConfirmTerminalPairingBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["ApiToken"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Make a code for a gateway */
  createGatewayPairing: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateGatewayPairingBody"];
      };
    };
    responses: {
      201: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["NewGatewayPairing"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Get the result of pairing a gateway */
  getGatewayPairing: {
    parameters: {
      path: {
        id: string;
      };
      query?: {
        /** The company to read: only superusers may name another one than their own, which is the default */
        companyId?: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["GatewayPairing"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Exchange a gateway's code for its token */
  confirmGatewayPairing: {
    requestBody: {
      content: {
        "application/json": components["schemas"]["ConfirmGatewayPairingBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["PairedGateway"];
        };
      };
      400: components["responses"]["Problem400"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List actions */
  listActions: {
    parameters: {
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** The company to read: only superusers may name another one than their own, which is the default */
        companyId?: number;
        /** Repeated, or separated by commas */
        states?: ("open" | "done" | "dropped")[];
        /** Of these users */
        ownerIds?: number[];
        /** Repeated, or separated by commas */
        machineIds?: number[];
        /** Machines by their refs in the company, in addition to `machineIds`. Repeated, or separated by commas */
        machineRefs?: string[];
        /** About these lines as a whole */
        lineIds?: number[];
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["Action"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Act on a loss */
  createAction: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateActionBody"];
      };
    };
    responses: {
      201: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["Action"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Get an action, and whether its loss became less */
  getAction: {
    parameters: {
      path: {
        id: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["ActionWithEffect"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Change an action */
  changeAction: {
    parameters: {
      path: {
        id: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChangeActionBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["Action"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List the channels and whether they are set up */
  listChannels: {
    parameters: {
      query?: {
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["Channel"][];
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List chat rooms */
  listChatRooms: {
    parameters: {
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** The company; only superusers name another one than their own */
        companyId?: number;
        /** Whether deleted ones are included */
        includeDeleted?: boolean;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["ChatRoom"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Create a chat room */
  createChatRoom: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateChatRoomBody"];
      };
    };
    responses: {
      201: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["ChatRoom"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Get a chat room */
  getChatRoom: {
    parameters: {
      path: {
        id: string;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["ChatRoom"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Change a chat room */
  changeChatRoom: {
    parameters: {
      path: {
        id: string;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChangeChatRoomBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["ChatRoom"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      412: components["responses"]["Problem412"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Delete a chat room */
  deleteChatRoom: {
    parameters: {
      path: {
        id: string;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      204: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Restore a chat room */
  restoreChatRoom: {
    parameters: {
      path: {
        id: string;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["ChatRoom"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Send a chat room a test message */
  testChatRoom: {
    parameters: {
      path: {
        id: string;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["Tested"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Call for help at a machine */
  createHelpCall: {
    parameters: {
      path: {
        id: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateHelpCallBody"];
      };
    };
    responses: {
      201: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["HelpCall"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List calls for help */
  listHelpCalls: {
    parameters: {
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** The company to read: only superusers may name another one than their own, which is the default */
        companyId?: number;
        /** Repeated, or separated by commas */
        machineIds?: number[];
        /** Machines by their refs in the company, in addition to `machineIds`. Repeated, or separated by commas */
        machineRefs?: string[];
        /** Whether nobody has answered yet */
        isOpen?: boolean;
        /** Calls at or after this time */
        from?: string;
        /** Calls before this time */
        to?: string;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["HelpCall"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Get a call for help */
  getHelpCall: {
    parameters: {
      path: {
        id: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["HelpCall"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Answer a call for help */
  answerHelpCall: {
    parameters: {
      path: {
        id: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["HelpCall"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List incidents */
  listIncidents: {
    parameters: {
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** The company to read: only superusers may name another one than their own, which is the default */
        companyId?: number;
        /** Whether it is not resolved */
        isOpen?: boolean;
        /** Repeated, or separated by commas */
        ruleIds?: string[];
        /** Repeated, or separated by commas */
        machineIds?: number[];
        /** Machines by their refs in the company, in addition to `machineIds`. Repeated, or separated by commas */
        machineRefs?: string[];
        /** About a machine that is in one of these lines now. Repeated, or separated by commas */
        lineIds?: number[];
        /** Only incidents opened at or after this time */
        from?: string;
        /** Only incidents opened before this time */
        to?: string;
        /** Newest first, or oldest first */
        sort?: "-openedAt" | "openedAt";
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["Incident"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Get an incident */
  getIncident: {
    parameters: {
      path: {
        id: string;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["IncidentWithMachines"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Acknowledge an incident */
  acknowledgeIncident: {
    parameters: {
      path: {
        id: string;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["IncidentWithMachines"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List the messages to personas, chat rooms and addresses */
  listMessages: {
    parameters: {
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** The company to read: only superusers may name another one than their own, which is the default */
        companyId?: number;
        /** Repeated, or separated by commas */
        personaIds?: string[];
        /** Repeated, or separated by commas */
        incidentIds?: string[];
        /** Repeated, or separated by commas */
        channels?: ("in_app" | "email" | "sms" | "whatsapp" | "push" | "chat")[];
        /** Repeated, or separated by commas */
        statuses?: ("pending" | "held" | "sent" | "digested" | "failed")[];
        /** Only messages created at or after this time */
        from?: string;
        /** Only messages created before this time */
        to?: string;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["Message"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Mark your own notifications as read */
  markNotificationsRead: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["MarkNotificationsReadBody"];
      };
    };
    responses: {
      204: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      408: components["responses"]["Problem408"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List your own notifications */
  listNotifications: {
    parameters: {
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        isRead?: boolean;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["Notification"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Create an alert persona */
  createPersona: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreatePersonaBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["Persona"];
          };
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List alert personas */
  listPersonas: {
    parameters: {
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** The company to read: only superusers may name another one than their own, which is the default */
        companyId?: number;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["Persona"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Add an alert persona */
  addPersona: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["AddPersonaBody"];
      };
    };
    responses: {
      201: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["Persona"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Get an alert persona */
  getPersona: {
    parameters: {
      path: {
        id: string;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["Persona"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Change an alert persona */
  changePersona: {
    parameters: {
      path: {
        id: string;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChangePersonaBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["ChangedPersona"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Delete an alert persona */
  deletePersona: {
    parameters: {
      path: {
        id: string;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      204: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Send an alert persona a test message */
  testPersona: {
    parameters: {
      path: {
        id: string;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["TestPersonaBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["Tested"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Get the public key for push messages, and your browsers that get them */
  getPushKey: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["PushState"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Turn push messages to a browser on or off */
  putPushDevice: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PutPushDeviceBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["PushState"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List alert rules */
  listAlertRules: {
    parameters: {
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** The company; only superusers name another one than their own */
        companyId?: number;
        /** Whether deleted ones are included */
        includeDeleted?: boolean;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["AlertRule"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Create an alert rule */
  createAlertRule: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateAlertRuleBody"];
      };
    };
    responses: {
      201: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["AlertRule"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Get an alert rule */
  getAlertRule: {
    parameters: {
      path: {
        id: string;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["AlertRule"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Change an alert rule */
  changeAlertRule: {
    parameters: {
      path: {
        id: string;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChangeAlertRuleBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["AlertRule"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      412: components["responses"]["Problem412"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Delete an alert rule */
  deleteAlertRule: {
    parameters: {
      path: {
        id: string;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      204: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Restore an alert rule */
  restoreAlertRule: {
    parameters: {
      path: {
        id: string;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["AlertRule"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Try an alert rule */
  tryAlertRule: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["TryAlertRuleBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["TriedAlertRule"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List audit entries */
  listAudit: {
    parameters: {
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** The company to read: only superusers may name another one than their own, which is the default */
        companyId?: number;
        /** Entries of this user */
        userId?: number;
        /** Only changes made with this API token */
        apiTokenId?: number;
        action?: string;
        objectType?: string;
        objectId?: string;
        /** At or after this time */
        from?: string;
        /** Before this time */
        to?: string;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["AuditEntry"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
            /** The items are read from the archive: such a page may be short, or empty, and still have a `cursor` */
            archived?: true;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      410: components["responses"]["Problem410"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List closings */
  listBookClosings: {
    parameters: {
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** The company to read: only superusers may name another one than their own, which is the default */
        companyId?: number;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["BookClosing"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Close the books */
  createBookClosing: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateBookClosingBody"];
      };
    };
    responses: {
      201: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["BookClosing"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Get a closing */
  getBookClosing: {
    parameters: {
      path: {
        id: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["BookClosingWithMachines"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Reopen the books */
  reopenBookClosing: {
    parameters: {
      path: {
        id: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ReopenBookClosingBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["BookClosing"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List corrections */
  listCorrections: {
    parameters: {
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** The company to read: only superusers may name another one than their own, which is the default */
        companyId?: number;
        /** Repeated, or separated by commas */
        machineIds?: number[];
        /** Machines by their refs in the company, in addition to `machineIds`. Repeated, or separated by commas */
        machineRefs?: string[];
        /** Repeated, or separated by commas */
        reasonIds?: number[];
        /** Corrections whose `at` is at or after this time */
        from?: string;
        /** Corrections whose `at` is before this time */
        to?: string;
        /** Whether those that were undone are included */
        includeUndone?: boolean;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["Correction"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Correct what a machine counted */
  createCorrection: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateCorrectionBody"];
      };
    };
    responses: {
      201: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["Correction"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Get a correction */
  getCorrection: {
    parameters: {
      path: {
        id: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["Correction"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Undo a correction */
  undoCorrection: {
    parameters: {
      path: {
        id: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      204: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List withdrawals of events */
  listEventWithdrawals: {
    parameters: {
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** The company to read: only superusers may name another one than their own, which is the default */
        companyId?: number;
        /** Repeated, or separated by commas */
        machineIds?: number[];
        /** Machines by their refs in the company, in addition to `machineIds`. Repeated, or separated by commas */
        machineRefs?: string[];
        /** Withdrawals whose `from` is at or after this time */
        from?: string;
        /** Withdrawals whose `from` is before this time */
        to?: string;
        /** Whether those that were taken back are included */
        includeRestored?: boolean;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["EventWithdrawal"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Withdraw events */
  createEventWithdrawal: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateEventWithdrawalBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["EventWithdrawalDryRun"];
        };
      };
      201: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["EventWithdrawal"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Get a withdrawal of events */
  getEventWithdrawal: {
    parameters: {
      path: {
        id: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["EventWithdrawal"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Restore withdrawn events */
  restoreEvents: {
    parameters: {
      path: {
        id: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      204: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List hand-overs */
  listHandOvers: {
    parameters: {
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** The company to read: only superusers may name another one than their own, which is the default */
        companyId?: number;
        /** Repeated, or separated by commas */
        shiftIds?: number[];
        /** Hand-overs of these lines; 0: those of all machines of the company */
        lineIds?: number[];
        /** The date in the company's time zone on which the shift starts */
        date?: string;
        isAcknowledged?: boolean;
        /** Of shifts that start at or after this */
        from?: string;
        /** Of shifts that start before this */
        to?: string;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["HandOver"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Write the hand-over of a shift */
  createHandOver: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateHandOverBody"];
      };
    };
    responses: {
      201: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["HandOverWithFigures"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Get a hand-over */
  getHandOver: {
    parameters: {
      path: {
        id: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["HandOverWithFigures"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Change a hand-over */
  changeHandOver: {
    parameters: {
      path: {
        id: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChangeHandOverBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["HandOverWithFigures"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Acknowledge a hand-over */
  acknowledgeHandOver: {
    parameters: {
      path: {
        id: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["HandOverWithFigures"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Get what a shift would hand over now */
  getShiftFigures: {
    parameters: {
      query: {
        shiftId: number;
        /** The date in the company's time zone on which the shift starts */
        date: string;
        /** Without it: all machines of the company */
        lineId?: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["ShiftFigures"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Send events of machines */
  ingest: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["IngestBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            /** Events stored by this request */
            accepted: number;
            /** Events that were stored before */
            duplicates: number;
            /** Events that were refused, by their index in the request. Send only those again that have `isTransient` */
            rejected: {
              /** Of the event in the request */
              index: number;
              /** `invalid_event`: The event is not well-formed. `in_future`: It is more than 5 minutes ahead of the service's clock. `too_late`: The machine's events of that time are not kept, or cannot be read. `before_commissioning`: The machine was not commissioned yet. `after_decommissioning`: The machine was decommissioned. `unknown_node`: No machine is on the node. `unknown_channel`: The channel feeds no machine, or the machine has no such channel or sensor, at that time. `ambiguous_channel`: The machine has several such channels or sensors at that time. `unknown_machine`: There is no such machine. `unknown_operator`: There is no such operator. `unknown_sku`: There is no such SKU. `unknown_work_order`: The machine has no such work order. `not_in_work_order`: The work order has no target of the SKU. `not_by_states`: The machine reports counts, so it accepts no states. `other_machine`: It belongs to another machine. `conflict`: Another event has its id. `too_many_held`: The machine holds too many events already. `closed_books`: The books of that time are closed. */
              code:
                | "invalid_event"
                | "in_future"
                | "too_late"
                | "before_commissioning"
                | "after_decommissioning"
                | "unknown_node"
                | "unknown_channel"
                | "ambiguous_channel"
                | "unknown_machine"
                | "unknown_operator"
                | "unknown_sku"
                | "unknown_work_order"
                | "not_in_work_order"
                | "not_by_states"
                | "other_machine"
                | "conflict"
                | "too_many_held"
                | "closed_books";
              message: string;
              /** Whether the event may be accepted later just as it is, so keep it and send it again, at longer and longer intervals and beside newer events: it is true for `in_future`, `unknown_node`, `unknown_channel`, `unknown_machine`, `unknown_operator`, `unknown_sku`, `unknown_work_order`, `not_in_work_order`, `other_machine`, `too_many_held`. If it is false, the event would be refused again */
              isTransient: boolean;
            }[];
            /** Reasons why accepted events may be missing from the numbers or count for no order: one warning per machine and kind. Empty if there are none */
            warnings: components["schemas"]["IngestWarning"][];
            /** The service's time when it answered, by which a gateway can tell whether its clock is right */
            now: string;
          };
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      408: components["responses"]["Problem408"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Add, replace and delete the count sensors of a company's machines */
  updateCountSensors: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UpdateCountSensorsBody"];
      };
    };
    responses: {
      204: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List the count sensors of machines */
  listCountSensors: {
    parameters: {
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** The company to read: only superusers may name another one than their own, which is the default */
        companyId?: number;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["CountSensors"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Set the count sensors of a machine */
  putCountSensor: {
    parameters: {
      path: {
        id: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PutCountSensorBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["CountSensors"] & {
            dryRun?: components["schemas"]["DryRun"];
          };
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Ignore a signal, or take it back */
  ignoreSignal: {
    parameters: {
      query?: {
        /** The company to read: only superusers may name another one than their own, which is the default */
        companyId?: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["IgnoreSignalBody"];
      };
    };
    responses: {
      204: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List the signals that arrive */
  listSignals: {
    parameters: {
      query?: {
        /** The company to read: only superusers may name another one than their own, which is the default */
        companyId?: number;
        /** Repeated, or separated by commas */
        machineIds?: number[];
        /** Machines by their refs in the company, in addition to `machineIds`. Repeated, or separated by commas */
        machineRefs?: string[];
        /** True: the channels that are ignored, and no others */
        ignored?: boolean;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            asOf: string;
            /** How many channels are ignored */
            ignored: number;
            signals: components["schemas"]["Signal"][];
          };
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List gateway tokens */
  listGatewayTokens: {
    parameters: {
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** The company; only superusers name another one than their own */
        companyId?: number;
        /** Whether deleted ones are included */
        includeDeleted?: boolean;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["GatewayToken"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Create a gateway token */
  createGatewayToken: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateGatewayTokenBody"];
      };
    };
    responses: {
      201: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["NewGatewayToken"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Get a gateway token */
  getGatewayToken: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["GatewayToken"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Change a gateway token */
  changeGatewayToken: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChangeGatewayTokenBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["GatewayToken"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      412: components["responses"]["Problem412"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Delete a gateway token */
  deleteGatewayToken: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      204: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List the gateways with what they reported last */
  listGateways: {
    parameters: {
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** The company to read: only superusers may name another one than their own, which is the default */
        companyId?: number;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["Gateway"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Get the gateway whose token asks */
  getOwnGateway: {
    parameters: {
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["OwnGateway"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Report how a gateway does */
  putOwnGatewayStatus: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PutOwnGatewayStatusBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["ReportedStatus"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      408: components["responses"]["Problem408"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List recalculations */
  listRecalculations: {
    parameters: {
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** The company to read: only superusers may name another one than their own, which is the default */
        companyId?: number;
        /** Whether it has not ended */
        isOpen?: boolean;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["Recalculation"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Recalculate machines */
  createRecalculation: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateRecalculationBody"];
      };
    };
    responses: {
      201: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["Recalculation"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Get a recalculation */
  getRecalculation: {
    parameters: {
      path: {
        id: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["RecalculationWithMachines"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List what is held */
  listHeldEvents: {
    parameters: {
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** The company to read: only superusers may name another one than their own, which is the default */
        companyId?: number;
        /** Repeated, or separated by commas */
        machineIds?: number[];
        /** Machines by their refs in the company, in addition to `machineIds`. Repeated, or separated by commas */
        machineRefs?: string[];
        /** Entries with events at or after this time */
        from?: string;
        /** Entries with events before this time */
        to?: string;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["HeldEntry"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List the events of an entry */
  listEventsOfHeld: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["HeldEvent"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Accept held events */
  acceptHeldEvents: {
    parameters: {
      path: {
        id: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["AcceptHeldEventsBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["HeldDecided"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Drop held events */
  dropHeldEvents: {
    parameters: {
      path: {
        id: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["DropHeldEventsBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["HeldDecided"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List the imports of a company */
  listImports: {
    parameters: {
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** The company to read: only superusers may name another one than their own, which is the default */
        companyId?: number;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["Import"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Import the events of a past time */
  createImport: {
    parameters: {
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
        /** Of the file; otherwise its content type says so */
        format?: "ndjson" | "csv";
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    requestBody: {
      content: {
        "application/x-ndjson": string;
        "text/csv": string;
      };
    };
    responses: {
      201: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["Import"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Read an import and how far it is */
  getImport: {
    parameters: {
      path: {
        id: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["Import"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List the lines that an import refused */
  listImportErrors: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["ImportError"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Take an import back */
  undoImport: {
    parameters: {
      path: {
        id: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["Import"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Watch what machines do */
  getLive: {
    parameters: {
      query?: {
        /** The company to read: only superusers may name another one than their own, which is the default */
        companyId?: number;
        /** Repeated, or separated by commas */
        machineIds?: number[];
        /** Machines by their refs in the company, in addition to `machineIds`. Repeated, or separated by commas */
        machineRefs?: string[];
        /** Only machines that are in one of these lines */
        lineIds?: number[];
        /** Of the last message that the client has: with `since`, it gets what it missed */
        epoch?: string;
        /** The `seq` of that message */
        since?: number;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      101: {
        headers: Record<string, string>;
        content?: never;
      };
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["LiveSnapshot"];
          "text/event-stream": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** A machine's status over time */
  getAvailability: {
    parameters: {
      path: {
        machineId: number;
      };
      query: {
        /** ISO 8601 with Z or an offset */
        start: string;
        /** ISO 8601 with Z or an offset */
        end: string;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["AvailabilityEntry"][];
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Production of each operator on each machine in the current shift */
  listRealtimeOperators: {
    parameters: {
      query: {
        /** Repeated, or separated by commas; `machineId[]` works, too */
        machineId: number[];
        /** Order of the machine names */
        direction?: "asc" | "desc";
        /** Operator rows */
        limit?: number;
        /** Operator rows */
        offset?: number;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            totalItems: number;
            data: components["schemas"]["RealtimeOperator"][];
          };
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Get the state of a machine */
  getMachineState: {
    parameters: {
      path: {
        id: number;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["MachineState"];
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Get the state of all machines of a company */
  getPlantState: {
    parameters: {
      query?: {
        /** The company to read: only superusers may name another one than their own, which is the default */
        companyId?: number;
        /** Repeated, or separated by commas */
        machineIds?: number[];
        /** Machines by their refs in the company, in addition to `machineIds`. Repeated, or separated by commas */
        machineRefs?: string[];
        /** Only machines that are in one of these lines */
        lineIds?: number[];
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["PlantState"];
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** What every machine did over time */
  getTimeline: {
    parameters: {
      query: {
        /** ISO 8601 with Z or an offset */
        from: string;
        /** At most 7 days after `from`. Time after now is left out */
        to: string;
        /** The company to read: only superusers may name another one than their own, which is the default */
        companyId?: number;
        /** Repeated, or separated by commas */
        machineIds?: number[];
        /** Machines by their refs in the company, in addition to `machineIds`. Repeated, or separated by commas */
        machineRefs?: string[];
        /** Only machines that are in one of these lines */
        lineIds?: number[];
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["Timeline"];
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Explain the numbers of a shift */
  explainShift: {
    parameters: {
      path: {
        id: number;
        /** The shift's start: ISO 8601 with Z or an offset */
        start: string;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["ShiftExplanation"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List what was sent of a machine */
  listMachineEvents: {
    parameters: {
      path: {
        id: number;
      };
      query: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** ISO 8601 with Z or an offset */
        from: string;
        /** At most 93 days after `from` */
        to: string;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["MachineEvent"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Sign an operator in at a machine */
  signOperatorIn: {
    parameters: {
      path: {
        id: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SignOperatorInBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["FloorState"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Sign an operator out at a machine */
  signOperatorOut: {
    parameters: {
      path: {
        id: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SignOperatorOutBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["FloorState"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Set what a machine makes, and for which work order */
  startRun: {
    parameters: {
      path: {
        id: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["StartRunBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["FloorState"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Get what was made in the past */
  getRuns: {
    parameters: {
      path: {
        id: number;
      };
      query: {
        /** Start of the interval: not before the machine's commissioning */
        from: string;
        /** Its end: not in the future, and at most 31 days later */
        to: string;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["PastRuns"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Say what was made in the past */
  amendRuns: {
    parameters: {
      path: {
        id: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["AmendRunsBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["PastRuns"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Undo an amendment of what was made */
  undoRunAmendment: {
    parameters: {
      path: {
        id: number;
        amendmentId: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      204: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Get who was at a machine in the past */
  getPresences: {
    parameters: {
      path: {
        id: number;
      };
      query: {
        /** Start of the interval: not before the machine's commissioning */
        from: string;
        /** Its end: not in the future, and at most 31 days later */
        to: string;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["PastPresences"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Say who was at a machine in the past */
  amendPresences: {
    parameters: {
      path: {
        id: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["AmendPresencesBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["PastPresences"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Undo an amendment of who was there */
  undoPresenceAmendment: {
    parameters: {
      path: {
        id: number;
        amendmentId: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      204: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Explain the numbers of a shift record */
  explainRecord: {
    parameters: {
      path: {
        id: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["ShiftExplanation"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List operators */
  listOperators: {
    parameters: {
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** The company; only superusers name another one than their own */
        companyId?: number;
        /** Whether deleted ones are included */
        includeDeleted?: boolean;
        /** The operator with this code. Takes `operator-names:read` or `operators:sign-in` */
        code?: string;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["Operator"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Create an operator */
  createOperator: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateOperatorBody"];
      };
    };
    responses: {
      201: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["Operator"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Get an operator */
  getOperator: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["Operator"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Change an operator */
  changeOperator: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChangeOperatorBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["Operator"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      412: components["responses"]["Problem412"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Delete an operator */
  deleteOperator: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      204: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Restore an operator */
  restoreOperator: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["Operator"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Change an operator plan */
  updateOperatorPlan: {
    parameters: {
      path: {
        id: string;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UpdateOperatorPlanBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["OperatorPlan"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List operator plans */
  listOperatorPlans: {
    parameters: {
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** The company; only superusers name another one than their own */
        companyId?: number;
        /** Whether deleted ones are included */
        includeDeleted?: boolean;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["OperatorPlanWithAssignments"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Create an operator plan */
  createOperatorPlan: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateOperatorPlanBody"];
      };
    };
    responses: {
      201: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["OperatorPlanWithAssignments"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Get an operator plan */
  getOperatorPlan: {
    parameters: {
      path: {
        id: string;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["OperatorPlanWithAssignments"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Change an operator plan */
  changeOperatorPlan: {
    parameters: {
      path: {
        id: string;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChangeOperatorPlanBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["OperatorPlanWithAssignments"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      412: components["responses"]["Problem412"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Delete an operator plan */
  deleteOperatorPlan: {
    parameters: {
      path: {
        id: string;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      204: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Restore an operator plan */
  restoreOperatorPlan: {
    parameters: {
      path: {
        id: string;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["OperatorPlanWithAssignments"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Create an operator plan from a CSV file */
  uploadOperatorPlan: {
    parameters: {
      query: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
        title: string;
        /** ISO 8601 with Z or an offset */
        since: string;
        /** The plan's end, exclusive */
        until: string;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "text/csv": string;
      };
    };
    responses: {
      201: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["OperatorPlanWithAssignments"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** When and where an operator worked, and what was made */
  listOperatorShifts: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** Shifts that start at or after this; if it is a local midnight, those that count for this production day or a later one */
        from?: string;
        /** Shifts that start before this; if it is a local midnight, those that count for an earlier production day */
        to?: string;
        /** Repeated, or separated by commas */
        machineIds?: number[];
        /** Machines by their refs in the company, in addition to `machineIds`. Repeated, or separated by commas */
        machineRefs?: string[];
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["OperatorShift"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Who worked in a shift of a machine, and what was made */
  listRecordOperators: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["OperatorShift"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Create a work order with its machines and targets */
  createWorkOrder: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateWorkOrderBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": Record<string, unknown>;
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Update a work order, its machines and its targets */
  updateWorkOrder: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UpdateWorkOrderBody"];
      };
    };
    responses: {
      204: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Change how much of a SKU a work order is to make */
  updateTarget: {
    parameters: {
      path: {
        workOrderId: string;
        skuId: string;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UpdateTargetBody"];
      };
    };
    responses: {
      204: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Report progress of a work order, a status, or both */
  updateProgress: {
    parameters: {
      path: {
        /** The work order */
        workId: string;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UpdateProgressBody"];
      };
    };
    responses: {
      204: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List work orders with their progress */
  listWorkOrders: {
    parameters: {
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** The company to read: only superusers may name another one than their own, which is the default */
        companyId?: number;
        /** Repeated, or separated by commas */
        statuses?: ("Backlog" | "Planned" | "InProgress" | "Paused" | "Completed" | "Cancelled")[];
        /** Repeated, or separated by commas */
        machineIds?: number[];
        /** Machines by their refs in the company, in addition to `machineIds`. Repeated, or separated by commas */
        machineRefs?: string[];
        /** The order of this code */
        code?: string;
        /** Orders that have each of these words, or parts of words, in their code, name or the id of a SKU. The case of A to Z does not matter */
        search?: string;
        /** Orders whose `estimatedDeliveryTime` is before this time */
        dueBefore?: string;
        /** Only orders that are late, or only those that are not */
        isLate?: boolean;
        /** `-` for descending. Orders without an `estimatedDeliveryTime` come last in both directions */
        sort?:
          | "createdAt"
          | "-createdAt"
          | "estimatedDeliveryTime"
          | "-estimatedDeliveryTime"
          | "priority"
          | "-priority"
          | "code"
          | "-code";
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["WorkOrder"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Get a work order with its progress */
  getWorkOrder: {
    parameters: {
      path: {
        id: string;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["WorkOrder"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Delete a work order that nothing was made for */
  deleteWorkOrder: {
    parameters: {
      path: {
        id: string;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      204: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List what a plant's set-up lacks */
  checkSetUp: {
    parameters: {
      query?: {
        /** The company to read: only superusers may name another one than their own, which is the default */
        companyId?: number;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["SetUpFinding"][];
            /** At least how many more findings there are. At most 200 are listed, and at most 20 of the same kind: that choose no machine, or name something deleted in the same member */
            more: number;
            /** Machines that were not checked: 5000 are at most */
            uncheckedMachines: number;
            /** Kinds that have too many rows to check all of them: 5000 are searched for what names something deleted, and 100 encrypted texts are tried */
            partlyChecked: (
              | "alert-rule"
              | "calendar-day"
              | "chat-room"
              | "line"
              | "machine"
              | "operator"
              | "operator-plan"
              | "persona"
              | "report-subscription"
              | "shift"
              | "sku"
              | "stop-cause"
              | "webhook-subscription"
              | "work-order"
            )[];
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Get the set-up of a plant as a file */
  getPlantFile: {
    parameters: {
      query?: {
        /** The company to read: only superusers may name another one than their own, which is the default */
        companyId?: number;
        /** Only these kinds. Default: all */
        kinds?: ("company" | "lines" | "machines" | "shifts" | "calendarDays" | "skus" | "stopCauses" | "defectReasons")[];
        /** Overrides the `Accept` header, where `application/yaml` means the same */
        format?: "json" | "yaml";
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["PlantFile"];
          "application/yaml": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Make the set-up of a plant what a file says */
  putPlantFile: {
    parameters: {
      query?: {
        /** The company to read: only superusers may name another one than their own, which is the default */
        companyId?: number;
        /** Only find out what would change: nothing is changed */
        dryRun?: boolean;
        /** Whether what there is of the file's kinds and is not in it is deleted. It can be restored */
        prune?: boolean;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["PutPlantFileBody"];
        "application/yaml": string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["PlantChanges"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List the imports of set-up */
  listSetUpImports: {
    parameters: {
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** The company to read: only superusers may name another one than their own, which is the default */
        companyId?: number;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["SetUpImport"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Import set-up from a CSV file */
  createSetUpImport: {
    parameters: {
      query: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
        kind: "skus" | "operators" | "machines" | "lines" | "stop-causes" | "defect-reasons" | "work-orders";
        /** Only find out what would change: nothing is changed */
        dryRun?: boolean;
        /** `all`: nothing is stored if a row is faulty. `good`: the good rows are stored */
        mode?: "all" | "good";
        /** Recognised if left out */
        encoding?: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";
        /** Recognised by the first line if left out */
        delimiter?: "comma" | "semicolon" | "tab" | "pipe";
        /** Of numbers. Recognised by them if left out */
        decimal?: "point" | "comma";
        /** Whether the first line names the columns. Without it, `columns` does */
        header?: boolean;
        /** What each column is, from the first on; empty: it is left out. If not given, the headers say it, in English or Spanish */
        columns?: string[];
        /** `faulty-rows`, of a dry run: the faulty rows as CSV, with what is wrong in a last column, `why` */
        answer?: "report" | "faulty-rows";
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "text/csv": string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["SetUpImportReport"];
          "text/csv": string;
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Undo an import of set-up */
  undoSetUpImport: {
    parameters: {
      path: {
        id: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["UndoneSetUpImport"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List calendar days */
  listCalendarDays: {
    parameters: {
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** The company; only superusers name another one than their own */
        companyId?: number;
        /** Whether deleted ones are included */
        includeDeleted?: boolean;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["CalendarDay"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Create a calendar day */
  createCalendarDay: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateCalendarDayBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            dryRun: components["schemas"]["DryRun"];
          };
        };
      };
      201: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["CalendarDay"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Get a calendar day */
  getCalendarDay: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["CalendarDay"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Change a calendar day */
  changeCalendarDay: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChangeCalendarDayBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["CalendarDay"] & {
            dryRun?: components["schemas"]["DryRun"];
          };
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      412: components["responses"]["Problem412"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Delete a calendar day */
  deleteCalendarDay: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
        /** Only find out what it would do: nothing is changed */
        dryRun?: boolean;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            dryRun: components["schemas"]["DryRun"];
          };
        };
      };
      204: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Restore a calendar day */
  restoreCalendarDay: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["CalendarDay"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List companies */
  listCompanies: {
    parameters: {
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** The company; only superusers name another one than their own */
        companyId?: number;
        /** Whether deleted ones are included */
        includeDeleted?: boolean;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["Company"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Create a company */
  createCompany: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateCompanyBody"];
      };
    };
    responses: {
      201: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["Company"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Get a company */
  getCompany: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
        /** The instant whose set-up is asked for */
        at?: string;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["Company"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Change a company */
  changeCompany: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChangeCompanyBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["Company"] & {
            /** What holds from now on. Only if the request says from when, until when, or `through` */
            timeline?: {
              /** Which members: those of a kind have their versions together */
              kind: "limits" | "line" | "service" | "standard" | "shift" | "rules" | "cause";
              /** The machine that a SKU's standard is for; null: any, or not a standard */
              machineId: number | null;
              from: string;
              until: string | null;
              /** The members, as in the item; null: there is none, or it was deleted */
              values: Record<string, unknown> | null;
            }[];
            dryRun?: components["schemas"]["DryRun"];
          };
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      412: components["responses"]["Problem412"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Delete a company */
  deleteCompany: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      204: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List the versions of a company */
  listCompanyVersions: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["SetUpVersion"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Withdraw a version of a company */
  withdrawCompanyVersion: {
    parameters: {
      path: {
        id: number;
        versionId: number;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
        /** Only find out what it would do: nothing is changed */
        dryRun?: boolean;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            dryRun: components["schemas"]["DryRun"];
          };
        };
      };
      204: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List defect reasons */
  listDefectReasons: {
    parameters: {
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** The company; only superusers name another one than their own */
        companyId?: number;
        /** Whether deleted ones are included */
        includeDeleted?: boolean;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["DefectReason"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Create a defect reason */
  createDefectReason: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateDefectReasonBody"];
      };
    };
    responses: {
      201: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["DefectReason"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Get a defect reason */
  getDefectReason: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["DefectReason"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Change a defect reason */
  changeDefectReason: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChangeDefectReasonBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["DefectReason"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      412: components["responses"]["Problem412"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Delete a defect reason */
  deleteDefectReason: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      204: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Restore a defect reason */
  restoreDefectReason: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["DefectReason"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List lines */
  listLines: {
    parameters: {
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** The company; only superusers name another one than their own */
        companyId?: number;
        /** Whether deleted ones are included */
        includeDeleted?: boolean;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["Line"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Create a line */
  createLine: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateLineBody"];
      };
    };
    responses: {
      201: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["Line"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Get a line */
  getLine: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["Line"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Change a line */
  changeLine: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChangeLineBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["Line"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      412: components["responses"]["Problem412"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Delete a line */
  deleteLine: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      204: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Restore a line */
  restoreLine: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["Line"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List machines */
  listMachines: {
    parameters: {
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** The company; only superusers name another one than their own */
        companyId?: number;
        /** Whether deleted ones are included */
        includeDeleted?: boolean;
        /** The machine with this ref */
        ref?: string;
        /** Machines in one of these lines */
        lineIds?: number[];
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["Machine"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Create a machine */
  createMachine: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateMachineBody"];
      };
    };
    responses: {
      201: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["Machine"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Get a machine */
  getMachine: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
        /** The instant whose set-up is asked for */
        at?: string;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["Machine"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Change a machine */
  changeMachine: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChangeMachineBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["Machine"] & {
            /** What holds from now on. Only if the request says from when, until when, or `through` */
            timeline?: {
              /** Which members: those of a kind have their versions together */
              kind: "limits" | "line" | "service" | "standard" | "shift" | "rules" | "cause";
              /** The machine that a SKU's standard is for; null: any, or not a standard */
              machineId: number | null;
              from: string;
              until: string | null;
              /** The members, as in the item; null: there is none, or it was deleted */
              values: Record<string, unknown> | null;
            }[];
            dryRun?: components["schemas"]["DryRun"];
          };
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      412: components["responses"]["Problem412"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Delete a machine */
  deleteMachine: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      204: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List the versions of a machine */
  listMachineVersions: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["SetUpVersion"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Withdraw a version of a machine */
  withdrawMachineVersion: {
    parameters: {
      path: {
        id: number;
        versionId: number;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
        /** Only find out what it would do: nothing is changed */
        dryRun?: boolean;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            dryRun: components["schemas"]["DryRun"];
          };
        };
      };
      204: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Restore a machine */
  restoreMachine: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["Machine"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List shifts */
  listShifts: {
    parameters: {
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** The company; only superusers name another one than their own */
        companyId?: number;
        /** Whether deleted ones are included */
        includeDeleted?: boolean;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["Shift"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Create a shift */
  createShift: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateShiftBody"];
      };
    };
    responses: {
      201: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["Shift"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Get a shift */
  getShift: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
        /** The instant whose set-up is asked for */
        at?: string;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["Shift"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Change a shift */
  changeShift: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChangeShiftBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["Shift"] & {
            /** What holds from now on. Only if the request says from when, until when, or `through` */
            timeline?: {
              /** Which members: those of a kind have their versions together */
              kind: "limits" | "line" | "service" | "standard" | "shift" | "rules" | "cause";
              /** The machine that a SKU's standard is for; null: any, or not a standard */
              machineId: number | null;
              from: string;
              until: string | null;
              /** The members, as in the item; null: there is none, or it was deleted */
              values: Record<string, unknown> | null;
            }[];
            dryRun?: components["schemas"]["DryRun"];
          };
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      412: components["responses"]["Problem412"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Delete a shift */
  deleteShift: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      204: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List the versions of a shift */
  listShiftVersions: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["SetUpVersion"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Withdraw a version of a shift */
  withdrawShiftVersion: {
    parameters: {
      path: {
        id: number;
        versionId: number;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
        /** Only find out what it would do: nothing is changed */
        dryRun?: boolean;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            dryRun: components["schemas"]["DryRun"];
          };
        };
      };
      204: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Restore a shift */
  restoreShift: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["Shift"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List SKUs */
  listSkus: {
    parameters: {
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** The company; only superusers name another one than their own */
        companyId?: number;
        /** Whether deleted ones are included */
        includeDeleted?: boolean;
        /** Those that have each of these words, or parts of words, in id or name. The case of A to Z does not matter */
        search?: string;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["Sku"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Create a SKU */
  createSku: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateSkuBody"];
      };
    };
    responses: {
      201: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["Sku"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Get a SKU */
  getSku: {
    parameters: {
      path: {
        /** The company's own id, unique in the company */
        id: string;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
        /** The instant whose set-up is asked for */
        at?: string;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["Sku"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Change a SKU */
  changeSku: {
    parameters: {
      path: {
        /** The company's own id, unique in the company */
        id: string;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChangeSkuBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["Sku"] & {
            /** What holds from now on. Only if the request says from when, until when, or `through` */
            timeline?: {
              /** Which members: those of a kind have their versions together */
              kind: "limits" | "line" | "service" | "standard" | "shift" | "rules" | "cause";
              /** The machine that a SKU's standard is for; null: any, or not a standard */
              machineId: number | null;
              from: string;
              until: string | null;
              /** The members, as in the item; null: there is none, or it was deleted */
              values: Record<string, unknown> | null;
            }[];
            dryRun?: components["schemas"]["DryRun"];
          };
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      412: components["responses"]["Problem412"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Delete a SKU */
  deleteSku: {
    parameters: {
      path: {
        /** The company's own id, unique in the company */
        id: string;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      204: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List the versions of a SKU */
  listSkuVersions: {
    parameters: {
      path: {
        /** The company's own id, unique in the company */
        id: string;
      };
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["SetUpVersion"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Withdraw a version of a SKU */
  withdrawSkuVersion: {
    parameters: {
      path: {
        /** The company's own id, unique in the company */
        id: string;
        versionId: number;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
        /** Only find out what it would do: nothing is changed */
        dryRun?: boolean;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            dryRun: components["schemas"]["DryRun"];
          };
        };
      };
      204: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Restore a SKU */
  restoreSku: {
    parameters: {
      path: {
        /** The company's own id, unique in the company */
        id: string;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["Sku"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List stop causes */
  listStopCauses: {
    parameters: {
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** The company; only superusers name another one than their own */
        companyId?: number;
        /** Whether deleted ones are included */
        includeDeleted?: boolean;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["StopCause"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Create a stop cause */
  createStopCause: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateStopCauseBody"];
      };
    };
    responses: {
      201: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["StopCause"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Get a stop cause */
  getStopCause: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
        /** The instant whose set-up is asked for */
        at?: string;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["StopCause"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Change a stop cause */
  changeStopCause: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChangeStopCauseBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["StopCause"] & {
            /** What holds from now on. Only if the request says from when, until when, or `through` */
            timeline?: {
              /** Which members: those of a kind have their versions together */
              kind: "limits" | "line" | "service" | "standard" | "shift" | "rules" | "cause";
              /** The machine that a SKU's standard is for; null: any, or not a standard */
              machineId: number | null;
              from: string;
              until: string | null;
              /** The members, as in the item; null: there is none, or it was deleted */
              values: Record<string, unknown> | null;
            }[];
          };
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      412: components["responses"]["Problem412"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Delete a stop cause */
  deleteStopCause: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      204: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List the versions of a stop cause */
  listStopCauseVersions: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["SetUpVersion"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Withdraw a version of a stop cause */
  withdrawStopCauseVersion: {
    parameters: {
      path: {
        id: number;
        versionId: number;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      204: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Restore a stop cause */
  restoreStopCause: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["StopCause"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** See what a company stores, and its quotas */
  getUsage: {
    parameters: {
      query?: {
        /** The company to read: only superusers may name another one than their own, which is the default */
        companyId?: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["Usage"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Change the quotas of a company */
  setUsageLimits: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SetUsageLimitsBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            quotas: components["schemas"]["QuotaUse"][];
          };
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Get a report subscription */
  getReportSubscription: {
    parameters: {
      path: {
        id: string;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["ReportSubscription"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Change a report subscription */
  changeReportSubscription: {
    parameters: {
      path: {
        id: string;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChangeReportSubscriptionBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["ReportSubscription"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      412: components["responses"]["Problem412"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Delete a report subscription */
  deleteReportSubscription: {
    parameters: {
      path: {
        id: string;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      204: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List report subscriptions */
  listReportSubscriptions: {
    parameters: {
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** The company to read: only superusers may name another one than their own, which is the default */
        companyId?: number;
        /** Whether deleted ones are included */
        includeDeleted?: boolean;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["ReportSubscription"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Create a report subscription */
  createReportSubscription: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateReportSubscriptionBody"];
      };
    };
    responses: {
      201: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["ReportSubscription"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Restore a report subscription */
  restoreReportSubscription: {
    parameters: {
      path: {
        id: string;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["ReportSubscription"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List the logs of a report subscription */
  listSubscriptionLogs: {
    parameters: {
      path: {
        subscriptionId: string;
      };
      query?: {
        limit?: number;
        /** Only logs with an earlier `executeAt` */
        before?: string;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["SubscriptionLog"][];
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Send a report now */
  runReportSubscription: {
    parameters: {
      path: {
        id: string;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["SubscriptionLog"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Preview a report */
  previewReportSubscription: {
    parameters: {
      path: {
        id: string;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "text/html": string;
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Availability and production per machine and shift */
  getMetricReport: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["GetMetricReportBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["MetricReport"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      408: components["responses"]["Problem408"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Stops with their classification */
  getStopReport: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["GetStopReportBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["StopReport"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      408: components["responses"]["Problem408"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List the shifts of machines with their availability and production */
  listShiftRecords: {
    parameters: {
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** The company to read: only superusers may name another one than their own, which is the default */
        companyId?: number;
        /** Repeated, or separated by commas */
        machineIds?: number[];
        /** Machines by their refs in the company, in addition to `machineIds`. Repeated, or separated by commas */
        machineRefs?: string[];
        /** Only shifts whose machine was in one of these lines when they began */
        lineIds?: number[];
        /** Repeated, or separated by commas */
        shiftIds?: number[];
        /** Shifts that start at or after this; if it is a local midnight, those that count for this production day or a later one */
        from?: string;
        /** Shifts that start before this; if it is a local midnight, those that count for an earlier production day */
        to?: string;
        /** Shifts in which one of these was in work */
        skuIds?: string[];
        /** Shifts in which one of these was in work */
        workOrderIds?: string[];
        /** Shifts in which one of these operators worked */
        operatorIds?: number[];
        /** Whether the shift is running now */
        isActive?: boolean;
        /** The shifts that were closed at this instant, as they were reported then; running ones are left out. Names are those of now. At least 10 seconds ago. A shift counts as closed ten minutes after its end */
        asOf?: string;
        /** Ascending; with `-` in front descending. Sorting by anything but `start` takes `from` and `to`, at most 366 days apart, and 50,000 rows between them. */
        sort?:
          | "start"
          | "-start"
          | "oee"
          | "-oee"
          | "availability"
          | "-availability"
          | "availableTime"
          | "-availableTime"
          | "unavailableTime"
          | "-unavailableTime"
          | "programmedDowntime"
          | "-programmedDowntime"
          | "nonProgrammedDowntime"
          | "-nonProgrammedDowntime"
          | "otherStopsTime"
          | "-otherStopsTime"
          | "noDataTime"
          | "-noDataTime"
          | "lateStartTime"
          | "-lateStartTime"
          | "earlyStopTime"
          | "-earlyStopTime"
          | "annotatedDowntime"
          | "-annotatedDowntime";
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["ShiftRecord"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List what changed in a shift after it was closed */
  listShiftRevisions: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["ShiftRevision"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List stops by shift, with their classification */
  listStopRecords: {
    parameters: {
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** The company to read: only superusers may name another one than their own, which is the default */
        companyId?: number;
        /** Repeated, or separated by commas */
        machineIds?: number[];
        /** Machines by their refs in the company, in addition to `machineIds`. Repeated, or separated by commas */
        machineRefs?: string[];
        /** Only shifts whose machine was in one of these lines when they began */
        lineIds?: number[];
        /** Repeated, or separated by commas */
        shiftIds?: number[];
        /** Shifts that start at or after this; if it is a local midnight, those that count for this production day or a later one */
        from?: string;
        /** Shifts that start before this; if it is a local midnight, those that count for an earlier production day */
        to?: string;
        isProgrammed?: boolean;
        isManual?: boolean;
        isIncludedInStops?: boolean;
        isIncludedInAvailability?: boolean;
        /** Whether the stop has a cause, a component or a description */
        isClassified?: boolean;
        /** Whether the stop is still open */
        isOpen?: boolean;
        /** Of the part of the stop in the shift */
        minDurationInMinutes?: number;
        /** Repeated, or separated by commas */
        generalCauseIds?: number[];
        /** Repeated, or separated by commas */
        specificCauseIds?: number[];
        /** Whether the stop has a general cause */
        hasGeneralCause?: boolean;
        /** Whether the stop has a specific cause */
        hasSpecificCause?: boolean;
        /** Repeated, or separated by commas */
        componentIds?: number[];
        includeDeleted?: boolean;
        /** Ascending; with `-` in front descending. Sorting by anything but `start` takes `from` and `to`, at most 366 days apart, and 50,000 rows between them. */
        sort?: "start" | "-start" | "duration" | "-duration";
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["StopRecord"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Units and targets by interval */
  getProduction: {
    parameters: {
      query?: {
        interval?: "5min" | "15min" | "hour" | "shift";
        /** Default: midnight of the local day of the end */
        from?: string;
        /** Default: the end of the current local hour. Only time up to now is counted */
        to?: string;
        /** The company to read: only superusers may name another one than their own, which is the default */
        companyId?: number;
        /** Repeated, or separated by commas */
        machineIds?: number[];
        /** Machines by their refs in the company, in addition to `machineIds`. Repeated, or separated by commas */
        machineRefs?: string[];
        /** Shifts whose machine was in one of these lines when they began */
        lineIds?: number[];
        /** Repeated, or separated by commas */
        shiftIds?: number[];
        /** What was made while one of these was set */
        skuIds?: string[];
        /** What was made for one of these */
        workOrderIds?: string[];
        /** Only shifts in which one of these operators worked, with everything that was made in them */
        operatorIds?: number[];
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["Production"];
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Stop metrics as chart series */
  getStopMetrics: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["GetStopMetricsBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            series: components["schemas"]["StopMetricSeries"][];
          };
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Time, production and OEE by one or two groups */
  getSummary: {
    parameters: {
      query: {
        /** One group, or two separated by a comma: `machine,day`. Rows are sorted by them */
        groupBy: (
          | "machine"
          | "line"
          | "shift"
          | "hour"
          | "day"
          | "week"
          | "month"
          | "sku"
          | "order"
          | "operator"
          | "cause"
          | "defectReason"
        )[];
        /** Default: midnight of the local day six days before the end, for seven days */
        from?: string;
        /** Default: the end of the current local hour. Only time up to now is counted */
        to?: string;
        /** The shifts that were closed at this instant, as they were reported then; running ones are left out. Names are those of now. At least 10 seconds ago. A shift counts as closed ten minutes after its end */
        asOf?: string;
        /** The company to read: only superusers may name another one than their own, which is the default */
        companyId?: number;
        /** Repeated, or separated by commas */
        machineIds?: number[];
        /** Machines by their refs in the company, in addition to `machineIds`. Repeated, or separated by commas */
        machineRefs?: string[];
        /** Shifts whose machine was in one of these lines when they began */
        lineIds?: number[];
        /** Repeated, or separated by commas */
        shiftIds?: number[];
        /** What was made while one of these was set */
        skuIds?: string[];
        /** What was made for one of these */
        workOrderIds?: string[];
        /** Only shifts in which one of these operators worked, with everything that was made in them */
        operatorIds?: number[];
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["Summary"];
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Check whether the service works, and which part of it does not */
  getHealth: {
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            status: "ok";
            /** Version of the service */
            version: string;
            parts: components["schemas"]["HealthParts"];
            /** Rows of machines that the database refused: reports lack them. Each is logged once, as `row_parked`. They are tried again when they change, and by `npm run admin -- republish` */
            parkedRows: number;
            /** Machines whose periodic work fails (`isDegraded` in their state): reports lack their newest numbers. Each failure is logged as `alarm_failed`, and the work is retried until it succeeds, at least every 30 minutes */
            degradedMachines: number;
            /** Rows in the objects of machines that cannot be read: numbers lack what they said, and the machines are marked (`isDegraded` in their state). Each is logged once, as `row_unreadable`. Rows of events are no longer counted when the events of their time are forgotten; the others, until `npm run admin -- republish` */
            unreadableRows: number;
            /** Machines whose periodic work does not run: reports still showed a shift of theirs as running 15 minutes after its end. A job looks for them every ten minutes and calls them, at most 1,000: 1,000 means that there may be more */
            silentMachines: number;
            /** Machines that did not answer when they were last called: each is called once a day, which restarts its periodic work */
            unansweredMachines: number;
            /** How full the database is, of `DATABASE_LIMIT_BYTES`, at which it refuses writes; null: unknown */
            databasePercent: number | null;
            /** True from 60 % on. From 80 % on there are no new companies, from 98 % on nothing can be changed */
            isDatabaseFilling: boolean;
            /** By how many hours the oldest data of each kind are older than the period for which they are kept (`docs/operations.md`, Retention). A job deletes them every ten minutes: a number that grows says that it does not run, or cannot keep up. null: unknown */
            retentionHoursBehind: {
              audit: number;
              archivedAudit: number;
              helpCalls: number;
              messages: number;
              events: number;
              archivedEvents: number;
              incidents: number;
              alertConditions: number;
              shiftRecords: number;
              stops: number;
              orphanedEdits: number;
              orderRuns: number;
              hoursOutsideShifts: number;
              stopClassifications: number;
              shiftRecordsHistory: number;
              shiftPartsHistory: number;
              stopsHistory: number;
              operatorShiftsHistory: number;
              shiftRevisions: number;
              corrections: number;
              handOvers: number;
              actions: number;
              notifications: number;
              recalculations: number;
              subscriptionLogs: number;
              deadLetters: number;
              reportContents: number;
            } | null;
            /** lost: secrets in the database were encrypted with a key that the service does not have. `GET /v1/setup/check` lists those of a company, and what to do */
            encryptionKey: "ok" | "lost" | "unknown";
            /** The ids of the keys that secrets in the database were encrypted with and that are neither `ENCRYPTION_KEY` nor `ENCRYPTION_KEY_PREVIOUS` */
            missingKeys: string[];
          };
        };
      };
      400: components["responses"]["Problem400"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: {
        headers: Record<string, string>;
        content: {
          "application/problem+json": components["schemas"]["Unhealthy"];
        };
      };
    };
  };
  /** This document */
  getOpenapi: {
    parameters: {
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": Record<string, unknown>;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      408: components["responses"]["Problem408"];
      412: components["responses"]["Problem412"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Get service information and links */
  getService: {
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["Service"];
          "text/html": string;
        };
      };
      400: components["responses"]["Problem400"];
      408: components["responses"]["Problem408"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List stops */
  listStops: {
    parameters: {
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** Superusers see all companies without it, others see their own */
        companyId?: number;
        /** Repeated, or separated by commas */
        machineIds?: number[];
        /** Machines by their refs in the company, in addition to `machineIds`. Repeated, or separated by commas */
        machineRefs?: string[];
        /** Stops that start in one of these shifts */
        shiftIds?: number[];
        /** Stops that start at or after this */
        from?: string;
        /** Stops that start before this */
        to?: string;
        isProgrammed?: boolean;
        isManual?: boolean;
        isIncludedInStops?: boolean;
        isIncludedInAvailability?: boolean;
        /** Whether the stop has a cause, a component or a description */
        isClassified?: boolean;
        /** Whether the stop is going on */
        isOpen?: boolean;
        /** The scheduled minutes of the whole stop, as in `durationInMinutes` */
        minDurationInMinutes?: number;
        /** Repeated, or separated by commas */
        generalCauseIds?: number[];
        /** Repeated, or separated by commas */
        specificCauseIds?: number[];
        /** Whether the stop has a general cause */
        hasGeneralCause?: boolean;
        /** Whether the stop has a specific cause */
        hasSpecificCause?: boolean;
        /** Repeated, or separated by commas */
        componentIds?: number[];
        includeDeleted?: boolean;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["Stop"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Record a stop */
  recordStop: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RecordStopBody"];
      };
    };
    responses: {
      201: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["SlicedStop"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Get a stop */
  getStop: {
    parameters: {
      path: {
        id: number;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["SlicedStop"];
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Change the name and the flags of a stop */
  changeStop: {
    parameters: {
      path: {
        id: number;
      };
      header?: {
        /** The ETag of the stop, or its version in quotes. 409 if someone has changed the stop since */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChangeStopBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["SlicedStop"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Delete a recorded stop */
  deleteStop: {
    parameters: {
      path: {
        id: number;
      };
      header?: {
        /** The ETag of the stop, or its version in quotes. 409 if someone has changed the stop since */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      204: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List what people did to a stop */
  listStopChanges: {
    parameters: {
      path: {
        id: number;
      };
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["StopChange"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Classify a stop */
  classifyStop: {
    parameters: {
      path: {
        id: number;
      };
      header?: {
        /** The ETag of the stop, or its version in quotes. 409 if someone has changed the stop since */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ClassifyStopBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["SlicedStop"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Remove the classification of a stop */
  declassifyStop: {
    parameters: {
      path: {
        id: number;
      };
      header?: {
        /** The ETag of the stop, or its version in quotes. 409 if someone has changed the stop since */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["SlicedStop"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Classify many stops at once */
  classifyStops: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ClassifyStopsBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["StopClassification"] | components["schemas"]["StopClassificationDryRun"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List bulk classifications of stops */
  listStopClassifications: {
    parameters: {
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** The company to read: only superusers may name another one than their own, which is the default */
        companyId?: number;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["StopClassification"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Get a bulk classification of stops */
  getStopClassification: {
    parameters: {
      path: {
        id: string;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["StopClassification"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Undo a bulk classification of stops */
  undoStopClassification: {
    parameters: {
      path: {
        id: string;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["StopClassification"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Split a stop in two */
  splitStop: {
    parameters: {
      path: {
        id: number;
      };
      header?: {
        /** The ETag of the stop, or its version in quotes. 409 if someone has changed the stop since */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SplitStopBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            /** Both parts, the earlier one first */
            data: components["schemas"]["SlicedStop"][];
          };
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Merge stops that follow each other */
  mergeStops: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["MergeStopsBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["SlicedStop"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List what people said of stops that are gone */
  listOrphanedEdits: {
    parameters: {
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** The company to read: only superusers may name another one than their own, which is the default */
        companyId?: number;
        /** Repeated, or separated by commas */
        machineIds?: number[];
        /** Machines by their refs in the company, in addition to `machineIds`. Repeated, or separated by commas */
        machineRefs?: string[];
        /** What was said of stops that began at or after this time */
        from?: string;
        /** What was said of stops that began before this time */
        to?: string;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["OrphanedEdit"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Put what was said on another stop */
  attachOrphanedEdit: {
    parameters: {
      path: {
        id: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["AttachOrphanedEditBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["SlicedStop"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Drop what was said of a stop that is gone */
  dropOrphanedEdit: {
    parameters: {
      path: {
        id: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      204: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Save a tag key */
  saveTagKey: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SaveTagKeyBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["TagKey"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List tag keys */
  listTags: {
    parameters: {
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** The company to read: only superusers may name another one than their own, which is the default */
        companyId?: number;
        subject?: "Machines" | "Operators" | "Skus" | "WorkOrders" | "Stops" | "Shifts" | "Sensors";
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["TagKey"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** The secret that signs the company's webhook calls */
  getWebhookSecret: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": string;
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      409: components["responses"]["Problem409"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Replace the secret that signs the company's webhook calls */
  rotateWebhookSecret: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["RotatedSecret"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      409: components["responses"]["Problem409"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Give a webhook subscription a new secret of its own */
  rotateSubscriptionSecret: {
    parameters: {
      path: {
        id: string;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["RotatedSecret"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Call a webhook subscription's receiver now */
  pingWebhookSubscription: {
    parameters: {
      path: {
        id: string;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["WebhookPing"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List the deliveries of a webhook subscription */
  listDeliveries: {
    parameters: {
      path: {
        id: string;
      };
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** Only these */
        status?: "pending" | "succeeded" | "failed" | "cancelled";
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["WebhookDelivery"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Send an event to a webhook subscription again */
  replayEvent: {
    parameters: {
      path: {
        id: string;
        eventId: string;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["Replayed"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Send the events since a time to a webhook subscription again */
  replayEvents: {
    parameters: {
      path: {
        id: string;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ReplayEventsBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["Replayed"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List webhook subscriptions */
  listWebhookSubscriptions: {
    parameters: {
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** The company; only superusers name another one than their own */
        companyId?: number;
        /** Whether deleted ones are included */
        includeDeleted?: boolean;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["WebhookSubscription"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Create a webhook subscription */
  createWebhookSubscription: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateWebhookSubscriptionBody"];
      };
    };
    responses: {
      201: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["NewWebhookSubscription"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Get a webhook subscription */
  getWebhookSubscription: {
    parameters: {
      path: {
        id: string;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["WebhookSubscription"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Change a webhook subscription */
  changeWebhookSubscription: {
    parameters: {
      path: {
        id: string;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChangeWebhookSubscriptionBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["WebhookSubscription"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      412: components["responses"]["Problem412"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Delete a webhook subscription */
  deleteWebhookSubscription: {
    parameters: {
      path: {
        id: string;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      204: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Restore a webhook subscription */
  restoreWebhookSubscription: {
    parameters: {
      path: {
        id: string;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["WebhookSubscription"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List events */
  listEvents: {
    parameters: {
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** The company to read: only superusers may name another one than their own, which is the default */
        companyId?: number;
        /** Repeated, or separated by commas */
        types?: (
          | "stop.opened"
          | "stop.closed"
          | "stop.changed"
          | "stop.classified"
          | "shift.closed"
          | "shift.revised"
          | "machine.no_data"
          | "machine.signal_back"
          | "machine.counts_held"
          | "operator.signed_in"
          | "operator.signed_out"
          | "work_order.created"
          | "work_order.started"
          | "work_order.late"
          | "work_order.completed"
          | "alert.opened"
          | "alert.escalated"
          | "alert.acknowledged"
          | "alert.resolved"
          | "help.called"
        )[];
        /** Repeated, or separated by commas */
        machineIds?: number[];
        /** Machines by their refs in the company, in addition to `machineIds`. Repeated, or separated by commas */
        machineRefs?: string[];
        /** Of the machines that are in these lines now */
        lineIds?: number[];
        /** Only events at or after this time */
        from?: string;
        /** Only events before this time */
        to?: string;
        /** Only events after the one with this id. To follow events, pass the id of the last one received */
        after?: string;
        /** Oldest first, or with `-` newest first */
        sort?: "seq" | "-seq";
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["Event"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
            /** The items are read from the archive: such a page may be short, or empty, and still have a `cursor` */
            archived?: true;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      410: components["responses"]["Problem410"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List widgets */
  listWidgets: {
    parameters: {
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** The company; only superusers name another one than their own */
        companyId?: number;
        /** Whether deleted ones are included */
        includeDeleted?: boolean;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["Widget"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Create a widget */
  createWidget: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateWidgetBody"];
      };
    };
    responses: {
      201: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["Widget"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Get a widget */
  getWidget: {
    parameters: {
      path: {
        id: string;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["Widget"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Change a widget */
  changeWidget: {
    parameters: {
      path: {
        id: string;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChangeWidgetBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["Widget"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      412: components["responses"]["Problem412"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Delete a widget */
  deleteWidget: {
    parameters: {
      path: {
        id: string;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      204: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Restore a widget */
  restoreWidget: {
    parameters: {
      path: {
        id: string;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["Widget"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Copy a company's widget into the system set */
  promoteWidget: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PromoteWidgetBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["Widget"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Give a widget its picture */
  uploadThumbnail: {
    parameters: {
      path: {
        id: string;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    requestBody: {
      content: {
        "multipart/form-data": components["schemas"]["UploadThumbnailBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            imageUrl: string;
          };
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Get a stored picture */
  getThumbnail: {
    parameters: {
      path: {
        key: string;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "image/png": Blob;
          "image/jpeg": Blob;
          "image/webp": Blob;
          "image/gif": Blob;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** List dashboards */
  listDashboards: {
    parameters: {
      query?: {
        /** Items per page; a page also ends, with its `cursor`, where its JSON would be longer than 1 MiB. For CSV and NDJSON the most items in the file; without it, the file has all of them */
        limit?: number;
        /** `cursor` of the page before */
        cursor?: string;
        /** Whether to count the items of all pages */
        total?: boolean;
        /** Overrides the `Accept` header, where `text/csv` and `application/x-ndjson` mean the same */
        format?: "json" | "csv" | "ndjson";
        /** Times in CSV and NDJSON: ISO 8601 in UTC (default), or in the company's time zone, to the second and with the offset in force: `2026-10-25T02:30:00+02:00` */
        tz?: "utc" | "local";
        /** Decimal sign in CSV. With `comma`, cells are separated by `;` and the file starts with a byte order mark, as Excel expects in Spanish or German */
        decimal?: "point" | "comma";
        /** The company; only superusers name another one than their own */
        companyId?: number;
        /** Whether deleted ones are included */
        includeDeleted?: boolean;
      };
      header?: {
        /** The answer must have one of these ETags, otherwise 412 */
        "if-match"?: string;
        /** ETags of answers that you already have: 304 if one of them is still current */
        "if-none-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": {
            data: components["schemas"]["WidgetDashboard"][];
            /** Of the next page; null on the last */
            cursor: string | null;
            /** Items on all pages; null: more than 10000. Only with `total=true` */
            total?: number | null;
          };
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
      304: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Create a dashboard */
  createDashboard: {
    parameters: {
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateDashboardBody"];
      };
    };
    responses: {
      201: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["WidgetDashboard"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Get a dashboard */
  getDashboard: {
    parameters: {
      path: {
        id: string;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["WidgetDashboard"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Change a dashboard */
  changeDashboard: {
    parameters: {
      path: {
        id: string;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChangeDashboardBody"];
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["WidgetDashboard"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      412: components["responses"]["Problem412"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Delete a dashboard */
  deleteDashboard: {
    parameters: {
      path: {
        id: string;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The ETag of the item as it was read: 412 if it has been changed since, and nothing is done. `*`: any */
        "if-match"?: string;
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      204: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      412: components["responses"]["Problem412"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Restore a dashboard */
  restoreDashboard: {
    parameters: {
      path: {
        id: string;
      };
      query?: {
        /** The company; only superusers name another one than their own */
        companyId?: number;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["WidgetDashboard"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Take a dashboard out of the archive */
  unarchiveDashboard: {
    parameters: {
      path: {
        id: string;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
        /** Makes repeating safe for 24 h: the same key and body return the first answer, with `idempotent-replayed: true` */
        "Idempotency-Key"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["WidgetDashboard"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Make a dashboard your favorite, or no longer */
  putFavoriteDashboard: {
    parameters: {
      path: {
        id: string;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PutFavoriteDashboardBody"];
      };
    };
    responses: {
      204: {
        headers: Record<string, string>;
        content?: never;
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      408: components["responses"]["Problem408"];
      409: components["responses"]["Problem409"];
      413: components["responses"]["Problem413"];
      415: components["responses"]["Problem415"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
  /** Archive a dashboard */
  archiveDashboard: {
    parameters: {
      path: {
        id: string;
      };
      header?: {
        /** The bookmark of an earlier answer: this one is at least as new. A bookmark of another database (the number before the dot) is ignored */
        "x-d1-bookmark"?: string;
      };
    };
    responses: {
      200: {
        headers: Record<string, string>;
        content: {
          "application/json": components["schemas"]["WidgetDashboard"];
        };
      };
      400: components["responses"]["Problem400"];
      401: components["responses"]["Problem401"];
      403: components["responses"]["Problem403"];
      404: components["responses"]["Problem404"];
      409: components["responses"]["Problem409"];
      429: components["responses"]["Problem429"];
      500: components["responses"]["Problem500"];
      503: components["responses"]["Problem503"];
    };
  };
}

export interface components {
  schemas: {
    IngestEvent:
      | {
          /** Makes the event count once, however often it is sent. Unique for the machine: another event with the same id is refused as `conflict`. Without one, time and content are the identity */
          id?: string;
          /** When it happened: ISO 8601 with Z or an offset */
          at: string;
          /** Start of the time in which it was counted, before `at`: the machine was available there for as long as the cycles take at the standard. Without it, the time since the previous count decides. What lies before the machine's previous count, or more than 48 h before `at`, is ignored */
          since?: string;
          type: "count";
          /** The gateway. Either this and `channel`, or `machineRef` */
          nodeId?: number;
          /** Of the gateway; with `machineRef`, of the machine */
          channel?: number;
          /** In place of `nodeId`: the machine by its ref, with `sensor` or `channel`. The count is that of the channel that this names at `at` */
          machineRef?: string;
          /** With `machineRef`: the machine's count sensor of this type. If it has several of it at `at`, the event is refused as `ambiguous_channel`: name the `channel` */
          sensor?: "cycle" | "total" | "good" | "defect" | "rework";
          /** Pulses since the last one; 0 only shows that data flows. Either this or `reading` */
          value?: number;
          /** In place of `value`: the running total that the counter shows. It counts the pulses since the channel's reading before; the first one counts nothing. A lower total than before means that the counter was reset, and made what it shows since; or that it wrapped, if the count sensor has `wrapsAt` and that is not faster than 20 times the standard */
          reading?: number;
        }
      | {
          /** Makes the event count once, however often it is sent. Unique for the machine: another event with the same id is refused as `conflict`. Without one, time and content are the identity */
          id?: string;
          /** When it happened: ISO 8601 with Z or an offset */
          at: string;
          type: "heartbeat";
          /** The gateway: all of its machines. Either this, `machineId` or `machineRef` */
          nodeId?: number;
          /** Either this, `nodeId` or `machineRef` */
          machineId?: number;
          /** In place of `machineId`: the machine by its ref */
          machineRef?: string;
        }
      | {
          /** Makes the event count once, however often it is sent. Unique for the machine: another event with the same id is refused as `conflict`. Without one, time and content are the identity */
          id?: string;
          /** When it happened: ISO 8601 with Z or an offset */
          at: string;
          type: "state";
          /** Either this or `machineRef` */
          machineId?: number;
          /** In place of `machineId`: the machine by its ref */
          machineRef?: string;
          state: "running" | "idle" | "down" | "setup" | "maintenance" | "unavailable";
        }
      | {
          /** Makes the event count once, however often it is sent. Unique for the machine: another event with the same id is refused as `conflict`. Without one, time and content are the identity */
          id?: string;
          /** When it happened: ISO 8601 with Z or an offset */
          at: string;
          type: "operator";
          /** Either this or `machineRef` */
          machineId?: number;
          /** In place of `machineId`: the machine by its ref */
          machineRef?: string;
          operatorId: number;
          action: "in" | "out";
        }
      | {
          /** Makes the event count once, however often it is sent. Unique for the machine: another event with the same id is refused as `conflict`. Without one, time and content are the identity */
          id?: string;
          /** When it happened: ISO 8601 with Z or an offset */
          at: string;
          type: "sku";
          /** Either this or `machineRef` */
          machineId?: number;
          /** In place of `machineId`: the machine by its ref */
          machineRef?: string;
          skuId: string;
          workOrderId?: string | null;
        };
    ApiToken: {
      id: number;
      /** The company it acts in; null: all companies (for tokens with the role superuser) */
      companyId: number | null;
      /** Name of the program */
      name: string;
      /** What the program may do: at most the role of the caller */
      role: "superuser" | "superadmin" | "admin" | "user" | "readonly";
      /** Whether it may only read: everything else is refused with 403 */
      isReadOnly: boolean;
      /** Whether it belongs to the company, as walls do: it stays valid when its creator is disabled or deleted. Only for read-only tokens with the role `readonly`, and those of terminals */
      isOfCompany: boolean;
      /** The machines that it is bound to, as terminals are: other machines do not exist for it, and operations that a terminal does not need answer 403. Null: none. It comes from the pairing and cannot be changed */
      machineIds: number[] | null;
      /** When it ends; null: never */
      expiresAt: string | null;
      /** When it was last used, up to 10 minutes before the last request; null: not yet */
      lastUsedAt: string | null;
      /** The user who created it */
      createdBy: number;
      createdAt: string;
      updatedAt: string;
      /** Null unless deleted */
      deletedAt: string | null;
    };
    Problem: {
      type: string;
      title: string;
      status: number;
      detail: string;
      /** Path of the request */
      instance: string;
      requestId: string;
      /** Of a 409: the quota that the request would have exceeded */
      quota?: {
        name:
          | "users"
          | "machines"
          | "lines"
          | "shifts"
          | "skus-and-operators"
          | "stop-causes"
          | "operator-plans"
          | "widgets"
          | "dashboards"
          | "gateway-tokens"
          | "api-tokens"
          | "personas"
          | "chat-rooms"
          | "alert-rules"
          | "report-subscriptions"
          | "webhook-subscriptions"
          | "tags"
          | "configs"
          | "open-orders"
          | "kept-answers"
          | "bytes";
        used: number;
        limit: number;
      };
      errors?: {
        pointer: string;
        code:
          | "required"
          | "unknown_member"
          | "invalid_type"
          | "invalid_format"
          | "invalid_value"
          | "invalid_union"
          | "invalid_key"
          | "invalid_element"
          | "not_multiple_of"
          | "too_small"
          | "too_big"
          | "custom"
          | "malformed_json"
          | "malformed_yaml"
          | "malformed_form"
          | "malformed_utf8"
          | "malformed_gzip"
          | "incomplete"
          | "not_supported"
          | "not_found"
          | "repeated"
          | "taken"
          | "in_use"
          | "fixed"
          | "not_allowed"
          | "not_in_order"
          | "not_after_now"
          | "out_of_range"
          | "outside_shift"
          | "overlap"
          | "no_shift"
          | "not_made"
          | "no_match"
          | "below_zero"
          | "never_holds"
          | "settled"
          | "cycle"
          | "made"
          | "past"
          | "too_many_withdrawals"
          | "too_many_open"
          | "other_parent"
          | "overlapping_types"
          | "not_configured"
          | "already_configured"
          | "channel_taken"
          | "invalid_head"
          | "invalid_line"
          | "ambiguous"
          | "unsupported_format"
          | "unreadable"
          | "common"
          | "guessable"
          | "wrong"
          | "not_public"
          | "unclassified_stops"
          | "silent_machines"
          | "held_events"
          | "recalculating"
          | "database_filling"
          | "database_full"
          | "ids_used_up"
          | "archived"
          | "archive_damaged"
          | "too_many_of_kind"
          | "too_many_changes"
          | "changed_since"
          | "invalid_range"
          | "too_many"
          | "range_too_long"
          | "too_many_points"
          | "too_many_groups"
          | "invalid_event"
          | "in_future"
          | "too_late"
          | "before_commissioning"
          | "after_decommissioning"
          | "unknown_node"
          | "unknown_channel"
          | "ambiguous_channel"
          | "unknown_machine"
          | "unknown_operator"
          | "unknown_sku"
          | "unknown_work_order"
          | "not_in_work_order"
          | "not_by_states"
          | "other_machine"
          | "conflict"
          | "too_many_held"
          | "closed_books";
        message: string;
      }[];
    };
    NewApiToken: components["schemas"]["ApiToken"] & {
      /** The bearer token. Shown only in this answer: null if the request is repeated with its Idempotency-Key */
      token: string | null;
    };
    UserConfig: {
      userId: number;
      companyId: number;
      /** Empty while there is none */
      config: Record<string, unknown>;
      /** Null while there is none */
      createdAt: string | null;
      /** Null while there is none */
      updatedAt: string | null;
    };
    ClaimState: {
      /** Whether the service has users, or had some */
      isClaimed: boolean;
    };
    Claimed: {
      companyId: number;
      userId: number;
    };
    FailedLogin: components["schemas"]["Problem"] & {
      error: true;
    };
    RolePermission: {
      id: string;
      roleId: "superuser" | "superadmin" | "admin" | "user" | "readonly";
      permissionId:
        | "work-orders:write"
        | "targets:write"
        | "progress:write"
        | "configs:write"
        | "configs:manage"
        | "set-up:read"
        | "set-up:write"
        | "users:read"
        | "users:write"
        | "gateways:write"
        | "api-tokens:read"
        | "api-tokens:write"
        | "stops:write"
        | "corrections:write"
        | "operators:sign-in"
        | "operator-names:read"
        | "runs:write"
        | "personas:write"
        | "reports:read"
        | "help-calls:write"
        | "hand-overs:write"
        | "actions:write"
        | "alerts:write"
        | "incidents:acknowledge"
        | "webhooks:read"
        | "webhooks:write"
        | "report-subscriptions:write";
      createdAt: string;
      updatedAt: string;
    };
    User: {
      id: number;
      /** The company that owns it */
      companyId: number;
      name: string;
      /** Signs the user in; unique */
      email: string;
      /** At most the role of the caller */
      role: "superuser" | "superadmin" | "admin" | "user" | "readonly";
      /** Whether the user can sign in */
      isActive: boolean;
      createdAt: string;
      updatedAt: string;
      /** Null unless deleted */
      deletedAt: string | null;
    };
    UserDependent: {
      type: "api-token" | "persona" | "report-subscription";
      id: number | string;
      name: string;
      /** `ends`: refused while the user is disabled, and deleted with the user; `stays`: unchanged until somebody changes it */
      effect: "ends" | "stays";
      /** What that means */
      message: string;
    };
    NewWallPairing: {
      id: string;
      /** To be shown, and entered by an admin */
      code: string;
      /** The wall fetches its token with this secret. Whoever has it can fetch the token, so never show it to anybody */
      secret: string;
      /** When the code ends: ten minutes from now */
      expiresAt: string;
    };
    WallPairing: {
      id: string;
      /** `expired`: the time is over, or the token was deleted; the wall begins another pairing */
      status: "pending" | "confirmed" | "expired";
      /** When the code expires; once it is confirmed, until when the token can be fetched */
      expiresAt: string;
      /** The wall's API token, the same each time; null unless confirmed */
      token: string | null;
      /** The company of the wall; null unless confirmed */
      companyId: number | null;
      /** The wall's name; null unless confirmed */
      name: string | null;
      /** The lines that the wall is to show; null: all */
      lineIds: number[] | null;
      /** From how far the wall is read, in metres; null unless confirmed */
      distance: number | null;
    };
    NewTerminalPairing: {
      id: string;
      /** To be shown, and entered by an admin */
      code: string;
      /** The terminal fetches its token with this secret. Whoever has it can fetch the token, so never show it to anybody */
      secret: string;
      /** When the code ends: ten minutes from now */
      expiresAt: string;
    };
    TerminalPairing: {
      id: string;
      /** `expired`: the time is over, or the token was deleted; the terminal begins another pairing */
      status: "pending" | "confirmed" | "expired";
      /** When the code expires; once it is confirmed, until when the token can be fetched */
      expiresAt: string;
      /** The terminal's API token, the same each time; null unless confirmed */
      token: string | null;
      /** The company of the terminal; null unless confirmed */
      companyId: number | null;
      /** The terminal's name; null unless confirmed */
      name: string | null;
      /** The machines that it is for; null unless confirmed */
      machineIds: number[] | null;
    };
    NewGatewayPairing: {
      id: string;
      companyId: number;
      name: string;
      /** To be entered at the gateway */
      code: string;
      /** When the code ends: 15 minutes from now */
      expiresAt: string;
      createdAt: string;
    };
    GatewayPairing: {
      id: string;
      companyId: number;
      name: string;
      /** `confirmed`: the gateway has its token. `expired`: the time is over, or the token was deleted */
      status: "pending" | "confirmed" | "expired";
      /** Null unless confirmed */
      gatewayTokenId: number | null;
      /** When the code ends */
      expiresAt: string;
      createdAt: string;
    };
    PairedGateway: components["schemas"]["GatewayToken"] & {
      /** The bearer token. Shown only in this answer */
      token: string;
    };
    GatewayToken: {
      id: number;
      /** The company that owns it */
      companyId: number;
      /** Name of the gateway */
      name: string;
      createdAt: string;
      updatedAt: string;
      /** Null unless deleted */
      deletedAt: string | null;
    };
    Action: {
      id: number;
      companyId: number;
      loss: "cause" | "unclassified" | "speed" | "quality" | "noData";
      generalCause: {
        name: string;
        id: number;
      } | null;
      specificCause: {
        name: string;
        id: number;
      } | null;
      /** Null: of its line, or of all machines */
      machine: {
        name: string;
        id: number;
      } | null;
      line: {
        name: string;
        id: number;
      } | null;
      from: string;
      to: string;
      /** Of the loss between `from` and `to`, when the action was created */
      minutes: number;
      /** Planned minutes of the machines then: available, unavailable and without data */
      plannedMinutes: number;
      measure: string;
      owner: {
        name: string;
        id: number;
      };
      dueOn: string;
      /** Whether it is open, and its date has passed in the company's time zone */
      isOverdue: boolean;
      state: "open" | "done" | "dropped";
      comment: string | null;
      /** When it was done or dropped; null: it is open */
      endedAt: string | null;
      createdBy: {
        name: string;
        id: number;
      };
      createdAt: string;
      updatedAt: string;
    };
    ActionWithEffect: components["schemas"]["Action"] & {
      effect: {
        /** Of the time in which it was seen, as it was then */
        before: {
          from: string;
          to: string;
          /** Of the loss, two decimals */
          minutes: number;
          plannedMinutes: number;
          /** Percent of the planned time, two decimals; null: nothing was planned */
          share: number | null;
        };
        /** Since it was done, or created while it is open: at most 26 weeks. Null: it has not begun, or was dropped */
        since: {
          from: string;
          to: string;
          /** Of the loss, two decimals */
          minutes: number;
          plannedMinutes: number;
          /** Percent of the planned time, two decimals; null: nothing was planned */
          share: number | null;
        } | null;
        /** Each week from four before it was seen on, as of now: at most 30 */
        weeks: {
          start: string;
          end: string;
          isPartial: boolean;
          minutes: number;
          plannedMinutes: number;
        }[];
      };
    };
    Channel: {
      channel: "in_app" | "email" | "sms" | "whatsapp" | "push" | "chat";
      /** Whether it is set up. Messages to a channel that is not set up fail with `channel_off` */
      isOn: boolean;
      /** The variables and secrets that are not set */
      missing: string[];
    };
    ChatRoom: {
      id: string;
      /** The company that owns it */
      companyId: number;
      name: string;
      service: "teams" | "slack";
      /** The language of the messages */
      language: "en" | "es";
      /** Whether messages are sent to it */
      isActive: boolean;
      createdAt: string;
      updatedAt: string;
      /** Null unless deleted */
      deletedAt: string | null;
    };
    Tested: {
      data: {
        messageId: string;
        channel: "in_app" | "email" | "sms" | "whatsapp" | "push" | "chat";
        contactId: string;
        /** `pending`: this attempt failed, and another one follows */
        status: "pending" | "held" | "sent" | "digested" | "failed";
        /** Why it failed, such as `channel_off`; null: it did not */
        reason: string | null;
      }[];
    };
    HelpCall: {
      id: number;
      machine: {
        name: string;
        id: number;
      };
      /** What help is needed with; null: not given */
      message: string | null;
      calledAt: string;
      /** The user who called; at a paired terminal with the name of its operators, or of the terminal */
      calledBy: {
        name: string;
        id: number;
      };
      /** Null: the call is open */
      answeredAt: string | null;
      /** The user who answered; null: the call is open */
      answeredBy: {
        name: string;
        id: number;
      } | null;
    };
    Incident: {
      id: string;
      rule: {
        id: string;
        name: string;
      };
      kind:
        | "stop"
        | "cause"
        | "not_running"
        | "no_data"
        | "unclassified"
        | "short_stops"
        | "oee"
        | "availability"
        | "defects"
        | "order_late"
        | "help"
        | "gateway_silent"
        | "gateway_queue"
        | "gateway_clock";
      /** The first machine; null: it is about none */
      machine: {
        name: string;
        id: number;
      } | null;
      /** Of that machine, now */
      line: {
        name: string;
        id: number;
      } | null;
      /** The gateway that is silent: its machines have one incident */
      nodeId: number | null;
      /** The gateway token whose gateway it is about, for the kinds that begin with `gateway_`; null: another kind */
      gateway: {
        name: string;
        id: number;
      } | null;
      /** How many machines it is or was about */
      machineCount: number;
      /** The machines that it still concerns */
      machineIds: number[];
      /** When the cause of the alert began, such as a stop */
      since: string;
      openedAt: string;
      /** The number of levels that were notified */
      level: number;
      /** When the next level is notified; null: there is none */
      nextLevelAt: string | null;
      acknowledgedAt: string | null;
      /** The user who did */
      acknowledgedBy: {
        name: string;
        id: number;
      } | null;
      /** Null: it is open */
      resolvedAt: string | null;
      /** The percentage or number that was measured; null: the rule is about time */
      value: number | null;
      /** Of the stop, when the incident was opened */
      cause: string | null;
    };
    IncidentWithMachines: components["schemas"]["Incident"] & {
      /** At most 1,000; `machineCount` says how many there are */
      machines: {
        id: number;
        name: string;
        since: string;
        /** Null if ongoing */
        until: string | null;
      }[];
    };
    Message: {
      id: string;
      /** The kind of message, such as `alert_opened` */
      kind: string;
      channel: "in_app" | "email" | "sms" | "whatsapp" | "push" | "chat";
      personaId: string | null;
      chatRoomId: string | null;
      /** The name of the persona or chat room, or the address, masked; null: it is deleted */
      recipient: string | null;
      /** The masked destination: `a…@plant.example`, `…222`; null: not by mail or telephone */
      contact: string | null;
      incidentId: string | null;
      /** `pending`: to be sent; `held`: outside the persona's hours, or beyond the messages of an hour: part of the next digest; `digested`: went out in a digest; `sent`: accepted by the recipient's server; `failed`: not delivered, and not tried again */
      status: "pending" | "held" | "sent" | "digested" | "failed";
      /** Why the last attempt failed, such as `channel_off` */
      reason: string | null;
      /** The digest in which it was sent; null: it was not part of one */
      digestId: string | null;
      attempts: number;
      /** Null: there is none */
      nextAttemptAt: string | null;
      sentAt: string | null;
      createdAt: string;
    };
    Notification: {
      id: string;
      title: string;
      body: string;
      /** Null: unread */
      readAt: string | null;
      createdAt: string;
    };
    Persona: {
      id: string;
      name: string;
      isActive: boolean;
      isUser: boolean;
      sms: {
        id: string;
        value: string;
        isActive: boolean;
        reference: string;
      };
      whatsapp: {
        id: string;
        value: string;
        isActive: boolean;
        reference: string;
      };
      email: {
        id: string;
        value: string;
        isActive: boolean;
        reference: string;
      };
      push: {
        id: string;
        value: string;
        isActive: boolean;
        reference: string;
      }[];
      /** The end is exclusive. An end before the start is on the next day; equal times mean no alerts that day */
      alertHours: {
        sunday: {
          /** HH:mm, up to 24:00 */
          start: string;
          /** HH:mm, up to 24:00 */
          end: string;
        };
        monday: {
          /** HH:mm, up to 24:00 */
          start: string;
          /** HH:mm, up to 24:00 */
          end: string;
        };
        tuesday: {
          /** HH:mm, up to 24:00 */
          start: string;
          /** HH:mm, up to 24:00 */
          end: string;
        };
        wednesday: {
          /** HH:mm, up to 24:00 */
          start: string;
          /** HH:mm, up to 24:00 */
          end: string;
        };
        thursday: {
          /** HH:mm, up to 24:00 */
          start: string;
          /** HH:mm, up to 24:00 */
          end: string;
        };
        friday: {
          /** HH:mm, up to 24:00 */
          start: string;
          /** HH:mm, up to 24:00 */
          end: string;
        };
        saturday: {
          /** HH:mm, up to 24:00 */
          start: string;
          /** HH:mm, up to 24:00 */
          end: string;
        };
      };
      alertIds: string[];
      language: string;
    };
    ChangedPersona: components["schemas"]["Persona"] & {
      /** Active contacts of channels that the service has not set up: see GET /v1/channels */
      warnings: {
        code: "channel_off";
        channel: "in_app" | "email" | "sms" | "whatsapp" | "push" | "chat";
        message: string;
      }[];
    };
    PushState: {
      /** Base64url; null: push is off */
      key: string | null;
      /** The browsers that get your push messages */
      endpoints: string[];
      /** Whether any alert rule or report notifies you */
      isNotified: boolean;
    };
    AlertRule: {
      id: string;
      /** The company that owns it */
      companyId: number;
      name: string;
      when: components["schemas"]["AlertCondition"];
      /** The machines that the rule applies to, in addition to those of `lineIds`. Both null: all machines of the company */
      machineIds: number[] | null;
      /** The lines whose machines the rule applies to, including machines that join them later */
      lineIds: number[] | null;
      /** The shifts in which the rule applies; null: all. Outside shifts there are no alerts, except about orders, calls for help and gateways */
      shiftIds: number[] | null;
      /** Escalation levels. The first is notified immediately, each further one if nobody has acknowledged the incident by then. Personas whose `alertIds` contain the rule's id are notified with the first level. */
      levels: {
        /** Minutes between the opening of the incident and this level */
        afterMinutes: number;
        personaIds: string[];
        chatRoomIds: string[];
      }[];
      /** Replaces the usual text of the messages; null: the usual text. Variables: {rule} {machine} {line} {minutes} {cause} {message} {value} {threshold} {since} */
      texts: {
        en: string;
        es: string;
      } | null;
      /** An inactive rule opens nothing, and ends what it opened */
      isActive: boolean;
      createdAt: string;
      updatedAt: string;
      /** Null unless deleted */
      deletedAt: string | null;
    };
    AlertCondition:
      | {
          kind: "stop";
          /** A stop that was not planned lasts longer than this */
          minutes: number;
        }
      | {
          kind: "cause";
          /** General or specific causes, or components */
          causeIds: number[];
          /** A stop with one of the causes lasts longer than this */
          minutes: number;
        }
      | {
          kind: "not_running";
          /** The machine has not run in so many minutes since its shift began, without planned stops */
          minutes: number;
        }
      | {
          kind: "no_data";
          /** No data from the machine for longer than this */
          minutes: number;
        }
      | {
          kind: "unclassified";
          /** A stop that was not planned has no cause for longer than this, while it lasts */
          minutes: number;
        }
      | {
          kind: "short_stops";
          /** More stops of under five minutes than this ended within an hour */
          count: number;
        }
      | {
          kind: "oee";
          /** The shift's OEE is below this */
          percent: number;
          /** The rule applies after this many minutes of the shift */
          afterMinutes: number;
        }
      | {
          kind: "availability";
          /** The shift's availability is below this */
          percent: number;
          /** The rule applies after this many minutes of the shift */
          afterMinutes: number;
        }
      | {
          kind: "defects";
          /** More of the shift's units than this are rejected */
          percent: number;
          /** The least number of units in the shift for the rule to apply */
          units: number;
        }
      | {
          kind: "order_late";
        }
      | {
          kind: "help";
        }
      | {
          kind: "gateway_silent";
          /** A gateway that has reported before has not for longer than this */
          seconds: number;
        }
      | {
          kind: "gateway_queue";
          /** An event waits in a gateway's queue for longer than this: 5 is usual */
          minutes: number;
        }
      | {
          kind: "gateway_clock";
          /** A gateway's clock is more than this ahead or behind: 2 is usual */
          minutes: number;
        };
    TriedAlertRule: {
      from: string;
      to: string;
      /** Of all incidents; the first 1,000 are listed */
      count: number;
      data: {
        /** Several if they share a gateway that was silent */
        machines: {
          name: string;
          id: number;
        }[];
        since: string;
        openedAt: string;
        /** Null: it would still be open at `to` */
        resolvedAt: string | null;
        value: number | null;
      }[];
    };
    AuditEntry: {
      id: string;
      time: string;
      companyId: number;
      /** 0: a reader of a report's mail, who may have no account; or the service, which closes books by itself (`book-closing.create`) */
      userId: number;
      userName: string | null;
      /** The API token that the change was made with, created by the user; null: none */
      apiTokenId: number | null;
      /** The `x-request-id` of the request that did it */
      requestId: string | null;
      action: string;
      objectType: string;
      objectId: string;
      /** The members that differ, without the version, or a list of objects, before the change; the whole object if it was deleted; null: it did not exist */
      before?: unknown;
      /** The same after the change; the whole object if it was created; null: it does not exist any more */
      after?: unknown;
    };
    BookClosing: {
      id: number;
      /** Up to when the books were closed before; null: they were not */
      from: string | null;
      to: string;
      /** `closing`: some machines have not closed theirs yet, and the set-up before `to` can no longer be changed. `closed`: nothing before `to` changes. `failed`: not all machines could close theirs within 10 minutes. `reopened`: somebody reopened them */
      state: "closing" | "closed" | "failed" | "reopened";
      reason: string | null;
      isForced: boolean;
      /** What people had left open then */
      findings: {
        /** `unclassified_stops`, `silent_machines` or `held_events`. More may come */
        code: string;
        count: number;
      }[];
      createdAt: string;
      /** Null: the service */
      createdBy: {
        name: string;
        id: number;
      } | null;
      /** When it was closed, or failed; null: it is under way */
      endedAt: string | null;
      /** Why it failed */
      failure: string | null;
      /** How many machines have not followed yet: to close, or to reopen */
      machinesLeft: number;
      reopenedAt: string | null;
      reopenedBy: {
        name: string;
        id: number;
      } | null;
      reopenReason: string | null;
    };
    BookClosingWithMachines: components["schemas"]["BookClosing"] & {
      /** By name */
      machines: components["schemas"]["BookClosingOfMachine"][];
    };
    BookClosingOfMachine: {
      machine: {
        name: string;
        id: number;
      };
      /** `waiting`: it has not closed its books yet. `closed`: it has. `reopening`: it has not reopened them yet. `open`: it has */
      state: "waiting" | "closed" | "reopening" | "open";
      /** What it waits for: `recalculation` of its numbers, the `database`, or an `answer` of the machine; null: nothing */
      waitsFor: string | null;
      sums: components["schemas"]["BooksSums"];
      sumsNow: components["schemas"]["BooksSums"] & unknown;
    };
    BooksSums: {
      shifts: number;
      /** Units */
      total: number;
      defects: number;
      /** Minutes */
      available: number;
      /** Minutes */
      noData: number;
      /** Minutes */
      programmed: number;
      /** Minutes */
      nonProgrammed: number;
      /** Minutes */
      other: number;
      /** Minutes that the units take at their standards */
      ideal: number;
    } | null;
    Correction: {
      id: number;
      machine: {
        name: string;
        id: number;
      };
      at: string;
      /** Null: no SKU was set */
      sku: {
        id: string;
        name: string;
      } | null;
      /** Null: it was made for none */
      workOrder: {
        id: string;
        code: string;
        name: string;
      } | null;
      total: number;
      defects: number;
      rework: number;
      reason: {
        name: string;
        id: number;
      } | null;
      comment: string | null;
      /** By how much it changes the total of its shift */
      appliedTotal: number;
      /** By how much it changes the defects of its shift, rework included */
      appliedDefects: number;
      /** Whether less is applied than was entered. It happens when the counts change later: then there may be fewer units than it takes away, or the machine did not make the SKU in the shift, or has no shift at that time any more */
      isAppliedInPart: boolean;
      /** Who entered it */
      userId: number;
      createdAt: string;
      /** Null: it counts */
      undoneAt: string | null;
      /** The user who undid it */
      undoneBy: number | null;
    };
    EventWithdrawalDryRun: {
      isDryRun: true;
      /** How many events would be withdrawn */
      events: number;
      /** Null: none would be */
      firstAt: string | null;
      lastAt: string | null;
    };
    EventWithdrawal: {
      id: number;
      machine: {
        name: string;
        id: number;
      };
      from: string;
      to: string;
      nodeId: number | null;
      channel: number | null;
      kinds: ("count" | "heartbeat" | "state" | "operator" | "sku")[] | null;
      minValue: number | null;
      importId: number | null;
      ids: string[] | null;
      reason: string;
      /** How many events it withdrew when it was made */
      events: number;
      /** Who made it */
      userId: number;
      createdAt: string;
      /** Null: its events count for nothing */
      restoredAt: string | null;
      /** The user who took it back */
      restoredBy: number | null;
    };
    HandOver: {
      id: number;
      companyId: number;
      shift: {
        id: number;
        name: string;
        /** The date in the company's time zone on which the shift starts */
        date: string;
        startTime: string;
        endTime: string;
      };
      /** Null: all machines of the company */
      line: {
        name: string;
        id: number;
      } | null;
      notes: {
        safety: string | null;
        quality: string | null;
        people: string | null;
        other: string | null;
      };
      watch: string[];
      writtenBy: {
        name: string;
        id: number;
      };
      createdAt: string;
      updatedAt: string;
      /** Null: nobody has */
      acknowledgedAt: string | null;
      acknowledgedBy: {
        name: string;
        id: number;
      } | null;
    };
    HandOverWithFigures: components["schemas"]["HandOver"] & {
      figures: components["schemas"]["HandOverFigures"];
    };
    HandOverFigures: {
      /** As of when */
      at: string;
      /** Whether the shift had ended at `at` */
      isShiftOver: boolean;
      /** All machines of the hand-over */
      all: {
        /** What the standards in force allowed up to `at`, two decimals */
        target: number;
        /** Units made */
        total: number;
        defects: number;
        /** Percent, two decimals */
        oee: number;
        /** Percent, two decimals */
        availability: number;
        /** Minutes of downtime, two decimals */
        unavailableTime: number;
        /** Minutes without data, two decimals */
        noDataTime: number;
      };
      /** Stops that started in the shift and count as stops */
      stopCount: number;
      /** The stops without a cause that were not planned */
      withoutCause: {
        count: number;
        minutes: number;
      };
      hours: {
        start: string;
        /** Units made */
        total: number;
        /** What the standards in force allowed up to `at`, two decimals */
        target: number;
      }[];
      /** Of a hand-over of all machines: at most 30, by name; `line` null: machines that are in none */
      lines: {
        line: {
          name: string;
          id: number;
        } | null;
        /** What the standards in force allowed up to `at`, two decimals */
        target: number;
        /** Units made */
        total: number;
        defects: number;
        /** Percent, two decimals */
        oee: number;
        /** Percent, two decimals */
        availability: number;
        /** Minutes of downtime, two decimals */
        unavailableTime: number;
        /** Minutes without data, two decimals */
        noDataTime: number;
      }[];
      /** All of them */
      lineCount: number;
      /** At most 60: those that are furthest behind their target, by name */
      machines: {
        machine: {
          name: string;
          id: number;
        };
        line: {
          name: string;
          id: number;
        } | null;
        /** What the standards in force allowed up to `at`, two decimals */
        target: number;
        /** Units made */
        total: number;
        defects: number;
        /** Percent, two decimals */
        oee: number;
        /** Percent, two decimals */
        availability: number;
        /** Minutes of downtime, two decimals */
        unavailableTime: number;
        /** Minutes without data, two decimals */
        noDataTime: number;
      }[];
      /** All of them */
      machineCount: number;
      /** The 10 longest that count against availability, the longest first */
      stops: {
        id: number;
        machine: {
          name: string;
          id: number;
        };
        name: string;
        hasCause: boolean;
        startTime: string;
        /** Null: it was open */
        endTime: string | null;
        /** In the shift, two decimals */
        minutes: number;
        note: string | null;
      }[];
      /** Open then: at most 20, the newest first */
      incidents: {
        id: string;
        /** Of its alert rule */
        name: string;
        machine: {
          name: string;
          id: number;
        } | null;
        since: string;
        /** Who had acknowledged it; null: nobody */
        acknowledgedBy: string | null;
      }[];
      /** All of them; 10,000 if there were more */
      incidentCount: number;
      /** Calls for help that were open then: at most 20, the newest first */
      calls: {
        id: number;
        machine: {
          name: string;
          id: number;
        };
        message: string | null;
        since: string;
      }[];
      /** All of them; 10,000 if there were more */
      callCount: number;
      /** Late then: at most 10, the earliest due first */
      lateOrders: {
        id: string;
        code: string;
        name: string;
        dueTime: string | null;
        /** When the rest would be made; null: not known */
        expectedAt: string | null;
        /** Good units still to make */
        remaining: number;
      }[];
      /** All of them; 11 if there were more than 10 */
      lateOrderCount: number;
    };
    ShiftFigures: {
      shift: {
        id: number;
        name: string;
        /** The date in the company's time zone on which the shift starts */
        date: string;
        startTime: string;
        endTime: string;
      };
      line: {
        name: string;
        id: number;
      } | null;
      figures: components["schemas"]["HandOverFigures"];
    };
    IngestWarning: {
      machineId: number;
      /** `no_shift`: no shift is defined for the machine. `outside_shifts`: a count or a state was outside every shift. `no_standard_cycle`: counts came while neither the machine nor the SKU in work had a standard cycle. `counting_disabled`: pulses were counted while `isCountEnabled` was false, and add nothing. `sku_without_standard`: a SKU was set, or counts came while it was in work, that has no standard cycle, and neither has the machine. `work_order_closed`: a SKU was set for a work order that is Completed or Cancelled: its production counts for no order. `equal_events`: counts without ids were equal in time, channel and value, and count once. `held`: counts are more than the machine can have made, and are held: they count nothing until an admin accepts them (`GET /v1/held-events`). `reports_seldom`: a count has more cycles than the machine makes in `stopAfterSeconds`, and nothing says that it covers the time. `clock_ahead`: events are more than 10 s ahead of the service's clock. */
      code:
        | "no_shift"
        | "outside_shifts"
        | "no_standard_cycle"
        | "counting_disabled"
        | "sku_without_standard"
        | "work_order_closed"
        | "equal_events"
        | "held"
        | "reports_seldom"
        | "clock_ahead";
      message: string;
    };
    CountSensors: {
      machineId: number;
      machineRef: string;
      /** False: its counts only show that data flows */
      isCountEnabled: boolean;
      /** Sorted by node and channel. One pulse of a channel is `countingFactor` units */
      configs: {
        type: "cycle" | "total" | "good" | "defect" | "rework";
        countingFactor: number;
        channel: number;
        nodeId: number;
        /** The total at which the counter starts again at 0: 65536 for a counter of 16 bits. Null: it does not wrap. For counts that give a running total (`reading`) */
        wrapsAt: number | null;
      }[];
    };
    DryRun: {
      /** The job that finds it out: `GET /v1/recalculations/{id}` has the result, for a week. Null: it is complete */
      recalculationId: number | null;
      /** How many machines are asked: those whose numbers of now or of the past it may change */
      machineCount: number;
      /** How many shifts would differ */
      shiftCount: number;
      /** The shifts that would differ, the running one included; the first 1000 of them. Where `before` and `after` are empty, only its stops, parts or operators would */
      shifts: {
        machineId: number;
        shiftId: number;
        start: string;
        end: string;
        /** The members that would differ, named as in reports. Null: there is no such shift */
        before: Record<string, number | null> | null;
        /** The members that would differ, named as in reports. Null: there is no such shift */
        after: Record<string, number | null> | null;
      }[];
      /** Sums over the shifts that would differ, as they are */
      before: {
        shifts: number;
        /** Percent, as all six */
        oee: number;
        netOee: number;
        availability: number;
        netAvailability: number;
        effectiveness: number;
        quality: number;
        total: number;
        defects: number;
        /** Minutes, as all five */
        availableTime: number;
        programmedDowntime: number;
        nonProgrammedDowntime: number;
        otherStopsTime: number;
        noDataTime: number;
      };
      /** The same with the change */
      after: {
        shifts: number;
        /** Percent, as all six */
        oee: number;
        netOee: number;
        availability: number;
        netAvailability: number;
        effectiveness: number;
        quality: number;
        total: number;
        defects: number;
        /** Minutes, as all five */
        availableTime: number;
        programmedDowntime: number;
        nonProgrammedDowntime: number;
        otherStopsTime: number;
        noDataTime: number;
      };
    };
    Signal: {
      /** `counted`: it feeds a machine. `unknown`: it feeds none, and its counts are kept for a day. `refused`: its last counts were refused. `ignored`: it feeds none, and nobody wants it: only with `ignored=true` */
      status: "counted" | "unknown" | "refused" | "ignored";
      nodeId: number;
      channel: number;
      /** The gateway token with which refused counts were sent; null: a user sent them, or they are counted */
      gatewayToken: {
        name: string;
        id: number;
      } | null;
      /** Why the last count was refused; null: it was counted */
      code:
        | "invalid_event"
        | "in_future"
        | "too_late"
        | "before_commissioning"
        | "after_decommissioning"
        | "unknown_node"
        | "unknown_channel"
        | "ambiguous_channel"
        | "unknown_machine"
        | "unknown_operator"
        | "unknown_sku"
        | "unknown_work_order"
        | "not_in_work_order"
        | "not_by_states"
        | "other_machine"
        | "conflict"
        | "too_many_held"
        | "closed_books"
        | null;
      message: string | null;
      /** The machine that the channel feeds now; null: none */
      machine: {
        name: string;
        id: number;
      } | null;
      type: "cycle" | "total" | "good" | "defect" | "rework" | null;
      /** Units per pulse */
      countingFactor: number | null;
      /** When the first of its events arrived */
      firstAt: string | null;
      /** When the last one did; null: none came lately */
      lastAt: string | null;
      /** The `at` of the last event. If it is far from `lastAt`, the sender's clock is wrong */
      sentAt: string | null;
      /** Its events: counted ones of the last two minutes, refused ones of the last day */
      events: number;
      /** The counts that are kept; null: none */
      kept: {
        events: number;
        /** Without those of running totals */
        pulses: number;
        /** The time of the earliest */
        from: string;
      } | null;
      /** The times of its latest events, at most 30; of refused ones, when they arrived */
      recent: string[];
    };
    NewGatewayToken: components["schemas"]["GatewayToken"] & {
      /** The bearer token. Shown only in this answer: null if the request is repeated with its Idempotency-Key */
      token: string | null;
    };
    Gateway: {
      /** Of its token */
      id: number;
      companyId: number;
      name: string;
      /** When its token was made */
      createdAt: string;
      /** What it reported last; null: it never did, as gateways need not */
      status: {
        /** When the report came */
        heardAt: string;
        version: string;
        startedAt: string;
        queue: {
          events: number;
          oldestAt: string | null;
          bytes: number;
          quarantined: number;
          dropped: {
            machineRef: string | null;
            events: number;
            from: string;
            to: string;
          }[];
        };
        sources: {
          id: string;
          type: string;
          /** `ok`; `waiting`: it connects, or nothing was read yet; `silent`: it is connected, but nothing came for longer than it may be silent; `failed`: it is not connected, or cannot be read */
          state: "ok" | "waiting" | "silent" | "failed";
          lastAt: string | null;
          perMinute: number;
          error: string | null;
        }[];
        clockSkewMs: number | null;
      } | null;
    };
    OwnGateway: {
      /** Of its token */
      id: number;
      name: string;
      company: {
        name: string;
        id: number;
      };
      timezone: string;
      /** The service's clock */
      now: string;
      /** A page of the company's machines, by their ids */
      machines: {
        id: number;
        ref: string;
        name: string;
        signal: "counts" | "states";
        nodeId: number;
        reportingSeconds: number | null;
        stopAfterSeconds: number;
        noDataAfterSeconds: number | null;
        standardCycleSeconds: number | null;
        /** Those in force, sorted by node and channel */
        countSensors: {
          type: "cycle" | "total" | "good" | "defect" | "rework";
          nodeId: number;
          channel: number;
          countingFactor: number;
          wrapsAt: number | null;
        }[];
      }[];
      /** Of the next page of machines; null on the last */
      cursor: string | null;
    };
    ReportedStatus: {
      now: string;
    };
    Recalculation: {
      id: number;
      reason: string;
      from: string;
      to: string;
      createdAt: string;
      /** The user who asked for it */
      createdBy: {
        name: string;
        id: number;
      };
      /** When its last machine had ended; null: it has not ended */
      endedAt: string | null;
      machineIds: number[];
      /** How many of its machines are done, or have failed */
      endedCount: number;
      failedCount: number;
      /** How many records of closed shifts it has changed so far */
      changedRecords: number;
      /** Whether it only finds out what a change of the set-up would do */
      isDryRun: boolean;
    };
    RecalculationWithMachines: components["schemas"]["Recalculation"] & {
      /** By name */
      machines: components["schemas"]["RecalculationOfMachine"][];
      dryRun?: components["schemas"]["DryRun"];
    };
    RecalculationOfMachine: {
      machine: {
        name: string;
        id: number;
      };
      /** `requested`: the machine does not know of it yet. `waiting`: it does something else first, or two other machines of the company recalculate. `replaying`: its events are read again, up to `reachedAt`. `computing`: its shifts are computed and sent, up to `reachedAt`. `done`: reports have all of them. `failed`: it needs events that the machine did not keep */
      state: "requested" | "waiting" | "replaying" | "computing" | "done" | "failed";
      reachedAt: string | null;
      /** How many records of closed shifts it has changed so far */
      changedRecords: number;
      updatedAt: string;
    };
    HeldEntry: {
      id: number;
      machine: {
        name: string;
        id: number;
      };
      /** The day of the events, in UTC */
      day: string;
      /** Why they are held. `implausible`: the machine cannot have made so many. `closedBooks`: the books of their time are closed. More reasons may come */
      reason: string;
      /** How many events are held */
      count: number;
      /** The units that they would add */
      units: number;
      /** Time of the first event */
      first: string;
      /** Time of the last event */
      last: string;
    };
    HeldEvent: {
      /** To accept or drop it alone */
      id: number;
      /** What it is: `count`, `reading`, `state`, `sku` or `operator` */
      kind: string;
      /** The `id` that it was sent with; null: none */
      eventId: string | null;
      at: string;
      /** As it was sent; null: not said */
      since: string | null;
      nodeId: number;
      channel: number;
      /** Its pulses; of a reading, those since the last reading that is not held */
      value: number;
      /** The running total that was sent; null: none was */
      reading: number | null;
      /** The units that it would add */
      units: number;
      /** When it arrived */
      heldAt: string;
    };
    HeldDecided: {
      /** How many events were accepted or dropped */
      decided: number;
      /** Their units */
      units: number;
      /** How many of the entry are still held */
      left: number;
    };
    Import: {
      id: number;
      companyId: number;
      format: "ndjson" | "csv";
      /** `receiving`: its file is arriving. `waiting`: for another import. `running`: its lines are being taken. `done`: all were; the numbers of past shifts follow. `failed`: it ended early, see `reason`. `undoing`, `undone`: its events count for nothing any more */
      state: "receiving" | "waiting" | "running" | "done" | "failed" | "undoing" | "undone";
      /** The part of the file that is done, from 0 to 1 */
      progress: number;
      /** The size of the file, decompressed */
      bytes: number;
      /** Of the file, hexadecimal; null: it is arriving */
      sha256: string | null;
      /** Lines whose events were stored */
      accepted: number;
      /** Lines whose events were stored before, by this import or otherwise */
      duplicates: number;
      /** Of the accepted ones, counts that are more than the machine can have made: see `GET /v1/held-events` */
      held: number;
      /** Lines that were refused. The first 1000 are in `GET /v1/imports/{id}/errors` */
      failed: number;
      /** Of `failed`: why */
      reason: string | null;
      createdBy: {
        name: string;
        id: number;
      } | null;
      createdAt: string;
      /** When the last line was done */
      finishedAt: string | null;
      undoneAt: string | null;
      /** When the file and the errors are deleted; null: they were */
      fileKeptUntil: string | null;
    };
    ImportError: {
      /** Its number in the file, from 1. The header of a CSV file is line 1 */
      line: number;
      /** Where it begins: the byte of the file, from 0 */
      offset: number;
      /** The member that is wrong; null: the line as a whole */
      member: string | null;
      code:
        | "invalid_event"
        | "in_future"
        | "too_late"
        | "before_commissioning"
        | "after_decommissioning"
        | "unknown_node"
        | "unknown_channel"
        | "ambiguous_channel"
        | "unknown_machine"
        | "unknown_operator"
        | "unknown_sku"
        | "unknown_work_order"
        | "not_in_work_order"
        | "not_by_states"
        | "other_machine"
        | "conflict"
        | "too_many_held"
        | "closed_books"
        | "malformed_json"
        | "malformed_utf8"
        | "invalid_line";
      message: string;
    };
    LiveSnapshot: {
      type: "snapshot";
      /** Identifies a numbering of changes; a new value means: start over */
      epoch: string;
      /** The number of the last change */
      seq: number;
      /** The time of the answer */
      at: string;
      /** In the order of the plant */
      rows: components["schemas"]["MachineOverview"][];
    };
    MachineOverview: {
      machine: {
        name: string;
        id: number;
        /** The company's own name for it */
        ref: string;
      };
      /** The line that the machine is in now; null: none */
      line: {
        name: string;
        id: number;
      } | null;
      /** The open call for help at the machine; null without one */
      helpCall: {
        id: number;
        since: string;
        message: string | null;
        calledBy: {
          id: number;
          name: string | null;
        };
      } | null;
      /** Whether the machine's state could be read. If not, it did not answer in time, and all members below are null */
      isReachable: boolean;
      /** Whether the machine's periodic work fails at present: reports lack its newest numbers. It is retried until it succeeds. If the state cannot be computed either, the status is D, and what else is unknown is null or empty. Also true while rows of the machine's object cannot be read (`unreadableRows` of `/health`): its numbers lack what they said */
      isDegraded: boolean | null;
      /** How many of its counts are held, because it cannot have made them: they add nothing. See `/v1/held-events` */
      heldCounts: number | null;
      /** Whether numbers of its past are being recalculated: those of reports may change in the next minutes without anything new at the machine */
      isRecalculating: boolean | null;
      /** The instant of the figures; null outside shifts. After it, the minutes of the present status and `target` keep growing; everything else stays as it is until something happens */
      asOf: string | null;
      /** A available, N not available (non-programmed stop), P programmed stop, O stop outside availability, D no data, U outside shifts or out of service */
      status: "A" | "N" | "P" | "O" | "D" | "U" | null;
      /** When the status began: of a stop its start, of A and D not before the start of the shift. Null: more than two weeks ago */
      since: string | null;
      /** The current shift; null outside shifts */
      shift: {
        /** Whether the shift is running now */
        isActive: boolean;
        endTime: string;
        startTime: string;
        name: string;
        id: number;
      } | null;
      /** Currently in production; null if there is none */
      sku: {
        id: string;
        name: string | null;
      } | null;
      /** Currently in production; null if there is none */
      workOrder: {
        id: string;
        code: string | null;
        name: string | null;
      } | null;
      /** Who is signed in, by name */
      operators:
        | {
            id: number;
            name: string | null;
            since: string;
          }[]
        | null;
      /** The current stop; null if there is none */
      stop: {
        id: number;
        since: string | null;
        /** The name given by a person, else the name of the specific cause, the general cause or the planned break, else `Stop` */
        name: string;
        generalCause: {
          id: number;
          name: string | null;
        } | null;
        specificCause: {
          id: number;
          name: string | null;
        } | null;
        component: {
          id: number;
          name: string | null;
        } | null;
      } | null;
      /** The end of the planned break that the machine is in; null: it is in none */
      plannedUntil: string | null;
      /** Whether it runs, but slowly: below 80 % of its standard over the last 10 minutes of running (or 10 standard cycles where these take longer) up to the newest event, or with more than 5 short stops. Without a standard, and before it ran for 10 standard cycles with its SKU, only the stops count. Null outside shifts */
      isSlow: boolean | null;
      /** Non-programmed stops of under 5 minutes in this shift that ended in the last hour; null outside shifts */
      shortStops: number | null;
      /** Units counted, in the shift so far; null outside shifts */
      total: number | null;
      /** Units rejected or reworked, in the shift so far; null outside shifts */
      defects: number | null;
      /** Units that the standards in force allow in available and non-programmed time, two decimals, in the shift so far; null outside shifts */
      target: number | null;
      /** How fast `target` grows at present, per hour, two decimals: 0 in time that does not count towards it, in the shift so far; null outside shifts */
      targetPerHour: number | null;
      /** The target of the whole shift, two decimals: `target`, and what all time that is left outside planned breaks adds at the present standard. Null outside shifts and without a standard */
      targetAtEnd: number | null;
      /** Units at the end of the shift, two decimals: `total`, and as many per minute of available and non-programmed time as so far, in all time that is left outside planned breaks. Null outside shifts, and in the first 15 such minutes of a shift */
      forecast: number | null;
      /** Percent, two decimals: availability x effectiveness x quality, in the shift so far; null outside shifts */
      oee: number | null;
      /** Percent, two decimals: available time / (available time + unavailable time), in the shift so far; null outside shifts */
      availability: number | null;
      /** Percent, two decimals: standard time of the cycles / available time; may exceed 100, in the shift so far; null outside shifts */
      effectiveness: number | null;
      /** Percent, two decimals: correct / total; if nothing was made 100, or 0 with defects, in the shift so far; null outside shifts */
      quality: number | null;
      /** Minutes of available time, two decimals, in the shift so far; null outside shifts */
      availableTime: number | null;
      /** Minutes of programmed and non-programmed downtime, two decimals, in the shift so far; null outside shifts */
      unavailableTime: number | null;
      /** Minutes of non-programmed downtime, two decimals, in the shift so far; null outside shifts */
      nonProgrammedDowntime: number | null;
      /** Minutes of stops that availability leaves out, two decimals, in the shift so far; null outside shifts */
      otherStopsTime: number | null;
      /** Minutes of no data, two decimals, in the shift so far; null outside shifts */
      noDataTime: number | null;
      /** Minutes of non-programmed downtime before the first available time, two decimals, in the shift so far; null outside shifts */
      lateStartTime: number | null;
      /** Minutes of standard time of the cycles, two decimals, in the shift so far; null outside shifts */
      idealTime: number | null;
      /** Time of the newest event; null before the first */
      lastEventAt: string | null;
    };
    AvailabilityEntry: {
      /** A available, N not available (non-programmed stop), P programmed stop, O stop outside availability, D no data, U outside shifts */
      status: "A" | "N" | "P" | "O" | "D" | "U";
      timestamp: string;
    };
    RealtimeOperator: {
      /** Name of the running shift */
      shift: string;
      /** Percent, two decimals: uptime / (uptime + downtime) */
      availability: number;
      /** Minutes, two decimals: unavailable while signed in */
      downtime: number;
      /** Minutes, two decimals: available while signed in */
      uptime: number;
      /** Units, to 6 decimals */
      production: number;
      machineName: string;
      machineId: number;
      /** Name of the SKU of the operator's latest units */
      sku: string | null;
      skuId: string | null;
      operatorName: string;
      operatorId: number;
    };
    MachineState: {
      machineId: number;
      /** A available, N not available (non-programmed stop), P programmed stop, O stop outside availability, D no data, U outside shifts or out of service */
      status: "A" | "N" | "P" | "O" | "D" | "U";
      /** When the status began: of a stop its start, of A and D not before the start of the shift. Null: more than two weeks ago */
      since: string | null;
      /** The current stop; null if there is none */
      stopId: number | null;
      /** The current shift; null outside shifts */
      shift: {
        /** Whether the shift is running now */
        isActive: boolean;
        endTime: string;
        startTime: string;
        name: string;
        id: number;
      } | null;
      /** Currently in production; null if there is none */
      sku: {
        id: string;
        name: string | null;
      } | null;
      /** Currently in production; null if there is none */
      workOrderId: string | null;
      /** Who is signed in */
      operators: {
        id: number;
        name: string | null;
        since: string;
      }[];
      /** Time of the newest event; null before the first */
      lastEventAt: string | null;
      /** Whether the machine's periodic work fails at present: reports lack its newest numbers. It is retried until it succeeds. If the state cannot be computed either, the status is D, and what else is unknown is null or empty. Also true while rows of the machine's object cannot be read (`unreadableRows` of `/health`): its numbers lack what they said */
      isDegraded: boolean;
      /** How many of its counts are held, because it cannot have made them: they add nothing. See `/v1/held-events` */
      heldCounts: number;
      /** Whether numbers of its past are being recalculated: those of reports may change in the next minutes without anything new at the machine */
      isRecalculating: boolean;
    };
    PlantState: {
      data: components["schemas"]["MachineOverview"][];
    };
    Timeline: {
      /** Whether numbers of it are being recalculated: they may change in the next minutes without anything new at the machine */
      isRecalculating: boolean;
      data: components["schemas"]["TimelineStretch"][];
    };
    TimelineStretch: {
      machine: {
        name: string;
        id: number;
      };
      /** The line that the machine is in now; null: none */
      line: {
        name: string;
        id: number;
      } | null;
      shift: {
        id: number;
        name: string;
        startTime: string;
        endTime: string;
      };
      /** A available, N not available (non-programmed stop), P programmed stop, O stop outside availability, D no data */
      status: "A" | "N" | "P" | "O" | "D";
      startTime: string;
      /** For an ongoing state: now */
      endTime: string;
      /** The stop of this time; null without one */
      stop: {
        id: number;
        /** As in `/v1/stops` */
        name: string;
        /** Whether the stop is going on */
        isOpen: boolean;
        /** Whether it is in a planned break */
        isBreak: boolean;
        generalCause: {
          name: string;
          id: number;
        } | null;
        specificCause: {
          name: string;
          id: number;
        } | null;
        /** As in `/v1/stops` */
        version: number;
      } | null;
    };
    ShiftExplanation: {
      machine: {
        name: string;
        id: number;
      };
      shift: {
        /** Whether the shift is running now */
        isActive: boolean;
        endTime: string;
        startTime: string;
        name: string;
        id: number;
      };
      /** As in the report of metrics; null until the report has the shift */
      indicatorId: number | null;
      /** The end of the shift or of the machine's service, or now */
      asOf: string;
      /** In order and without gaps: each moment is in exactly one */
      segments: {
        startTime: string;
        endTime: string;
        durationInMinutes: number;
        durationMs: number;
        bucket: "available" | "noData" | "programmed" | "nonProgrammed" | "other";
        /** The stop of this time; null without one */
        stop: {
          /** Null until a new stop has its id, for less than a second */
          id: number | null;
          name: string;
          classification: {
            description: string | null;
            generalCause: {
              name: string;
              id: number;
            } | null;
            specificCause: {
              name: string;
              id: number;
            } | null;
            component: {
              name: string;
              id: number;
            } | null;
            updatedAt: string;
            createdAt: string;
            id: number;
          } | null;
        } | null;
      }[];
      /** What was counted, without corrections */
      skus: {
        /** Null: counted while no SKU was set */
        skuId: string | null;
        cycles: number;
        /** Units, to 6 decimals */
        total: number;
        /** Units, to 6 decimals; may be more than `total`: units are rejected where it is reported */
        defects: number;
        /** Cycles made while a standard was in force */
        cyclesWithStandard: number;
        /** The average over those cycles; null without any */
        standardCycleSeconds: number | null;
        /** Those cycles times their standards, two decimals */
        idealMinutes: number;
        idealMs: number;
        /** Standard time of the defects: the average of the SKU's units each. Those beyond the SKU's units in the shift were made before the shift, or as the SKU before: each costs the standard time of a unit of its own SKU, in force when it was reported */
        lostByDefectsMs: number;
        /** Units of `total` of which nobody knows when they were made: they came with the first count after a time without data, which did not say its `since`. idealMs and cyclesWithStandard do not contain them */
        unitsWithoutTime: number;
      }[];
      /** What people corrected, in the order in which it was entered */
      corrections: {
        /** As in `GET /v1/corrections` */
        id: number;
        at: string;
        skuId: string | null;
        workOrderId: string | null;
        /** Units that were added; below 0: taken away */
        total: number;
        /** Defects that were added, rework included; below 0: taken away */
        defects: number;
        /** By how much it changes the total: less than `total` if less was counted than it takes away */
        appliedTotal: number;
        appliedDefects: number;
      }[];
      shiftIndicators: {
        availableTime: components["schemas"]["ExplainedNumber"];
        noDataTime: components["schemas"]["ExplainedNumber"];
        otherStopsTime: components["schemas"]["ExplainedNumber"];
        programmedDowntime: components["schemas"]["ExplainedNumber"];
        nonProgrammedDowntime: components["schemas"]["ExplainedNumber"];
        unavailableTime: components["schemas"]["ExplainedNumber"];
        lateStartTime: components["schemas"]["ExplainedNumber"];
        earlyStopTime: components["schemas"]["ExplainedNumber"];
        annotatedDowntime: components["schemas"]["ExplainedNumber"];
        availability: components["schemas"]["ExplainedNumber"];
        netAvailability: components["schemas"]["ExplainedNumber"];
      };
      productionMetrics: {
        cycleCount: components["schemas"]["ExplainedNumber"];
        total: components["schemas"]["ExplainedNumber"];
        defects: components["schemas"]["ExplainedNumber"];
        correct: components["schemas"]["ExplainedNumber"];
        averageCycleSpeed: components["schemas"]["ExplainedNumber"];
        averageSpeed: components["schemas"]["ExplainedNumber"];
        actualSpeed: components["schemas"]["ExplainedNumber"];
        cycleSpeed: components["schemas"]["ExplainedNumber"];
        minutesLostByLowSpeed: components["schemas"]["ExplainedNumber"];
        minutesLostByLowQuality: components["schemas"]["ExplainedNumber"];
        effectiveness: components["schemas"]["ExplainedNumber"];
        quality: components["schemas"]["ExplainedNumber"];
        oee: components["schemas"]["ExplainedNumber"];
        netOee: components["schemas"]["ExplainedNumber"];
        availability: components["schemas"]["ExplainedNumber"];
        netAvailability: components["schemas"]["ExplainedNumber"];
      };
    };
    ExplainedNumber: {
      /** As in the report of metrics */
      value: number;
      formula: string;
      /** Times in ms, counts in cycles or units */
      inputs: Record<string, number | null>;
    };
    MachineEvent: {
      /** `cut`: the service itself split the run of a work order. `other`: another version stored it. `damaged`: events that cannot be read. `end`: the last item */
      type: "count" | "heartbeat" | "state" | "operator" | "sku" | "cut" | "other" | "damaged" | "end";
      /** Of `damaged` the start of the day in UTC, of `end` the `to` of the request */
      at: string;
      since: string | null;
      /** The sender's; null: none */
      id: string | null;
      nodeId: number | null;
      channel: number | null;
      /** The pulses of a count */
      value: number | null;
      /** The running total of a count */
      reading: number | null;
      /** Whether the machine held the count, and nobody accepted it since */
      isHeld: boolean;
      /** Of a count that version 0.1.0 stored: what it counted. What was sent is not known */
      counted: {
        cycles: number;
        total: number;
        defects: number;
        good: number | null;
      } | null;
      state: "running" | "idle" | "down" | "setup" | "maintenance" | "unavailable" | null;
      operatorId: number | null;
      action: "in" | "out" | null;
      skuId: string | null;
      workOrderId: string | null;
      /** Of a `cut`: what was done to the order */
      order: "closed" | "reopened" | null;
      /** Of `other`: what is stored */
      other: Record<string, unknown> | null;
      /** When it arrived; null: version 0.1.0 stored it */
      receivedAt: string | null;
      /** The import that it came with; null: it was sent by itself */
      importId: number | null;
      /** Whether it counts for nothing, because its import was undone or it was withdrawn */
      isWithdrawn: boolean;
      /** Of `damaged`: which part of the day, and how many events it had, which may be outside the requested time */
      damaged: {
        part: number;
        events: number;
      } | null;
      /** Of `end`: whether all events of the requested time were sent */
      isComplete: boolean | null;
      /** Of `end`: since when all events are kept; null: always */
      completeFrom: string | null;
    };
    FloorState: {
      machineId: number;
      /** Whether the present state of the machine changed. False: it was so already, or later events decide */
      isChanged: boolean;
      /** Currently in production; null if there is none */
      skuId: string | null;
      /** Currently in production; null if there is none */
      workOrderId: string | null;
      /** Who is signed in, by id, and since when */
      operators: {
        id: number;
        since: string;
      }[];
    };
    PastRuns: {
      from: string;
      to: string;
      /** In order, each whole: the first and the last may reach out of the interval */
      runs: {
        startTime: string;
        /** Null: it is made now */
        endTime: string | null;
        skuId: string | null;
        workOrderId: string | null;
      }[];
      /** The amendments that hold in the interval, the latest first */
      amendments: {
        id: number;
        from: string;
        to: string;
        reason: string;
        createdAt: string;
        /** Who made it */
        userId: number;
      }[];
      /** False: there are more than 1,000, and these are the first ones */
      isComplete: boolean;
      /** Whether the machine is making numbers of the past again. Then these may still be the former ones */
      isRecalculating: boolean;
    };
    PastPresences: {
      from: string;
      to: string;
      /** In order, each whole: they may reach out of the interval */
      presences: {
        operatorId: number;
        startTime: string;
        /** Null: the operator is still there */
        endTime: string | null;
      }[];
      /** The amendments that hold in the interval, the latest first */
      amendments: {
        id: number;
        from: string;
        to: string;
        reason: string;
        createdAt: string;
        /** Who made it */
        userId: number;
      }[];
      /** False: there are more than 1,000, and these are the first ones */
      isComplete: boolean;
      /** Whether the machine is making numbers of the past again. Then these may still be the former ones */
      isRecalculating: boolean;
    };
    Operator: {
      id: number;
      /** The company that owns it */
      companyId: number;
      name: string;
      /** The operator's number or badge, unique in the company */
      code: string;
      /** Whether the operator has a PIN: a paired terminal then requires it, or the badge */
      hasPin: boolean;
      createdAt: string;
      updatedAt: string;
      /** Null unless deleted */
      deletedAt: string | null;
    };
    OperatorPlan: {
      id: string;
      fileId: string | null;
      title: string;
      since: string;
      /** The plan's end, exclusive */
      until: string;
      status: "future" | "Active" | "past";
      /** Different operators */
      operatorCount: number;
      /** Different machines */
      machineCount: number;
    };
    OperatorPlanWithAssignments: {
      id: string;
      /** The company that owns it */
      companyId: number;
      /** SHA-256 of the CSV file it was created from, hex; null if it was not */
      fileId: string | null;
      title: string;
      since: string;
      /** The plan's end, exclusive */
      until: string;
      status: "future" | "Active" | "past";
      /** Number of distinct operators */
      operatorCount: number;
      /** Number of distinct machines */
      machineCount: number;
      /** Who is planned on which machine in which shift */
      assignments: {
        operatorId: number;
        machineId: number;
        shiftId: number;
      }[];
      createdAt: string;
      updatedAt: string;
      /** Null unless deleted */
      deletedAt: string | null;
    };
    OperatorShift: {
      operator: {
        name: string;
        id: number;
      };
      machine: {
        name: string;
        id: number;
      };
      shift: {
        /** Whether the shift is running now */
        isActive: boolean;
        endTime: string;
        startTime: string;
        name: string;
        id: number;
      };
      /** The id of the shift record; null until the record exists, seconds after the shift's start */
      indicatorId: number | null;
      /** Minutes, two decimals: available while signed in */
      uptime: number;
      /** Minutes, two decimals: unavailable while signed in */
      downtime: number;
      /** Percent, two decimals: uptime / (uptime + downtime) */
      availability: number;
      /** Units, to 6 decimals */
      production: number;
      /** Of the operator's latest units */
      sku: {
        id: string;
        name: string;
      } | null;
    };
    WorkOrder: {
      id: string;
      companyId: number;
      code: string;
      name: string;
      status: "Backlog" | "Planned" | "InProgress" | "Paused" | "Completed" | "Cancelled";
      priority: number;
      source: string;
      estimatedDeliveryTime: string | null;
      machineIds: number[];
      /** Per SKU, sorted by its id */
      progress: {
        skuId: string;
        /** Null: made for the order, but not a target of it */
        targetQuantity: number | null;
        /** Good units, never below 0: the last total that was stated (`absolute`), plus what was reported for later and counted by the line from then on; without a stated total, everything reported and counted */
        correct: number;
        /** Rejected units, in the same way */
        defects: number;
        /** Good units still to make, never below 0; null: not a target */
        remaining: number | null;
      }[];
      /** Good units of all SKUs */
      produced: number;
      /** Those of them that machines counted outside every shift: reports, which are made of shifts, leave them out */
      producedOutsideShifts: number;
      /** Good units still to make for all targets */
      remaining: number;
      /** When the remaining units will be made at the recent rate: that of its good units per running time on its machines in the last one to two hours. Null: it is not in progress, none of its machines runs now and makes it, or nothing remains */
      expectedAt: string | null;
      /** Whether it is neither completed nor cancelled, and its `estimatedDeliveryTime` has passed or is before `expectedAt` */
      isLate: boolean;
      createdAt: string;
      updatedAt: string;
      deletedAt: string | null;
    };
    SetUpFinding: {
      /** One of a closed list */
      code:
        | "no_machine"
        | "no_shift"
        | "no_gateway_token"
        | "machine_in_no_shift"
        | "no_count_sensor"
        | "counting_disabled"
        | "no_standard_cycle"
        | "machine_not_heard"
        | "counts_held"
        | "reports_seldom"
        | "standard_too_slow"
        | "channel_silent"
        | "sku_without_standard"
        | "webhook_secret_lost"
        | "chat_room_address_lost"
        | "chooses_no_machine"
        | "names_deleted"
        | "no_stop_cause"
        | "no_operator";
      /** error: numbers are missing; warning: they have gaps */
      severity: "error" | "warning";
      /** What it is about; null: the company as a whole */
      object: {
        type:
          | "alert-rule"
          | "calendar-day"
          | "chat-room"
          | "line"
          | "machine"
          | "operator"
          | "operator-plan"
          | "persona"
          | "report-subscription"
          | "shift"
          | "sku"
          | "stop-cause"
          | "webhook-subscription"
          | "work-order";
        id: number | string;
        name: string;
      } | null;
      /** What is missing, and what that does to the numbers */
      message: string;
      /** What to do about it */
      action: string;
    };
    PlantFile: {
      /** Raised when a later version of the service writes files that this one cannot read */
      formatVersion: 1;
      company?: {
        name: string;
        /** IANA name: its wall clock is that of the shifts. A change takes effect with the next shift */
        timezone: string;
        /** ISO 4217 code of the hourly rates of its machines */
        currency: string;
        /** Whether operators are signed out automatically at the end of a shift. A change takes effect with the next shift */
        signOutAtShiftEnd: boolean;
        /** The day for which a shift counts in reports, mails and on the board: each of its hours for its calendar day, or the whole shift for the day on which it starts or ends. A change takes effect with the next shift; shifts that have begun keep their day */
        productionDay: "calendarDay" | "shiftStart" | "shiftEnd";
        /** The first day of the weeks of reports */
        weekStart: "monday" | "sunday";
        /** After how many days books are closed by themselves: when a day of the plant begins, up to midnight so many days before. Null: never; what is closed stays closed */
        lockAfterDays: number | null;
        /** The OEE is bad below the first percentage, good from the second on, and between them to be watched: colours of the board, which no number depends on */
        oeeThresholds: {
          /** Percent. What is below is bad */
          badBelow: number;
          /** Percent. What is at least this is good */
          goodFrom: number;
        };
        /** The availability is bad below the first percentage, good from the second on, and between them to be watched: colours of the board, which no number depends on */
        availabilityThresholds: {
          /** Percent. What is below is bad */
          badBelow: number;
          /** Percent. What is at least this is good */
          goodFrom: number;
        };
        /** The share of the downtime that has a cause is bad below the first percentage, good from the second on, and between them to be watched: colours of the board, which no number depends on */
        coverageThresholds: {
          /** Percent. What is below is bad */
          badBelow: number;
          /** Percent. What is at least this is good */
          goodFrom: number;
        };
      };
      lines?: {
        /** Unique in the company */
        name: string;
        /** Its position among the company's lines: lowest first, lines with the same number by name */
        order: number;
      }[];
      machines?: {
        name: string;
        /** The company's own name for it, unique in the company */
        ref: string;
        /** The gateway's number */
        nodeId: number;
        /** What its status is derived from: its count pulses, or the states that are sent for it */
        signal: "counts" | "states";
        /** Seconds. A gap between counts (or a time without running, by its states) that is longer than this is a stop */
        stopAfterSeconds: number;
        /** Seconds. When nothing is received for longer than this, the time is no data; null: it never is */
        noDataAfterSeconds: number | null;
        /** Seconds. The longest time over which the device collects counts before it sends them; null: it sends each when it is made. A count without `since` was then made in that time before its `at`, and stops and no data are shown that much later */
        reportingSeconds: number | null;
        /** A count with more than 1,000 cycles, and more than this many times what fits at the standard since the last count of its channel, is held until an admin accepts it: `GET /v1/held-events`. Without a standard, one of more than 1,000,000 pulses is. null: none is */
        holdFactor: number | null;
        /** Seconds per cycle, for SKUs without a standard of their own; null: none */
        standardCycleSeconds: number | null;
        /** What an hour of this machine's time is worth, in the company's currency: losses in money are calculated from it; null: not known. A change takes effect with the next shift */
        hourlyRate: number | null;
        /** The OEE is bad below the first percentage, good from the second on, and between them to be watched: colours of the board, which no number depends on; null: those of the company */
        oeeThresholds: {
          /** Percent. What is below is bad */
          badBelow: number;
          /** Percent. What is at least this is good */
          goodFrom: number;
        } | null;
        /** The availability is bad below the first percentage, good from the second on, and between them to be watched: colours of the board, which no number depends on; null: those of the company */
        availabilityThresholds: {
          /** Percent. What is below is bad */
          badBelow: number;
          /** Percent. What is at least this is good */
          goodFrom: number;
        } | null;
        /** The share of the downtime that has a cause is bad below the first percentage, good from the second on, and between them to be watched: colours of the board, which no number depends on; null: those of the company */
        coverageThresholds: {
          /** Percent. What is below is bad */
          badBelow: number;
          /** Percent. What is at least this is good */
          goodFrom: number;
        } | null;
        commissionedAt: string;
        decommissionedAt: string | null;
        /** The name of its line; null: none */
        line: string | null;
        /** Those in force; null: it has none */
        countSensors: {
          /** False: its counts only show that data flows */
          isCountEnabled: boolean;
          /** Sorted by node and channel. One pulse of a channel is `countingFactor` units */
          configs: {
            type: "cycle" | "total" | "good" | "defect" | "rework";
            countingFactor: number;
            channel: number;
            nodeId: number;
            /** The total at which the counter starts again at 0: 65536 for a counter of 16 bits. Null: it does not wrap. For counts that give a running total (`reading`) */
            wrapsAt: number | null;
          }[];
        } | null;
      }[];
      shifts?: {
        name: string;
        /** HH:mm in the company's time zone */
        start: string;
        /** HH:mm in the company's time zone; before the start: on the next day; equal to the start: 24 h later */
        end: string;
        /** Days on which it starts. Empty: only on calendar days that name it */
        days: ("monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday")[];
        /** Planned breaks inside the shift, which must not overlap */
        breaks: {
          name: string;
          /** HH:mm in the company's time zone */
          start: string;
          /** HH:mm in the company's time zone */
          end: string;
          /** Whether a stop in it counts as unavailable */
          isIncludedInAvailability: boolean;
        }[];
        /** Null: every machine. Empty: all that it named are deleted */
        machines: string[] | null;
      }[];
      calendarDays?: {
        date: string;
        /** A day of a machine replaces that of its line, and that of a line the company's */
        scope: "company" | "line" | "machine";
        /** Empty: it is closed */
        shifts: {
          /** The name of the shift */
          shift: string;
          /** HH:mm in the company's time zone */
          start: string;
          /** HH:mm in the company's time zone; before the start: on the next day; equal to the start: 24 h later */
          end: string;
          /** Planned breaks inside the shift, which must not overlap */
          breaks: {
            name: string;
            /** HH:mm in the company's time zone */
            start: string;
            /** HH:mm in the company's time zone */
            end: string;
            /** Whether a stop in it counts as unavailable */
            isIncludedInAvailability: boolean;
          }[];
        }[];
        /** The name of the line, for the scope `line` */
        line: string | null;
        /** The `ref` of a machine */
        machine: string | null;
      }[];
      skus?: {
        /** The company's own id, unique in the company */
        id: string;
        name: string;
        standards: {
          /** Seconds per cycle */
          standardCycleSeconds: number;
          /** The `ref` of a machine */
          machine: string | null;
        }[];
      }[];
      stopCauses?: {
        /** The names of the causes from the topmost one above it down to its own */
        path: string[];
        /** Cannot be changed */
        level: "general" | "specific" | "component";
        /** Null: a specific cause inherits it from its general cause; for other causes it is false */
        isProgrammed: boolean | null;
        /** Null: a specific cause inherits it from its general cause; for other causes it is true */
        isIncludedInAvailability: boolean | null;
      }[];
      defectReasons?: {
        /** Unique in the company */
        name: string;
      }[];
    };
    PlantChanges: {
      dryRun: boolean;
      created: {
        kind: "company" | "lines" | "machines" | "shifts" | "calendarDays" | "skus" | "stopCauses" | "defectReasons";
        /** The members that tell it from others of its kind */
        key: Record<string, unknown>;
        after: Record<string, unknown>;
      }[];
      changed: {
        kind: "company" | "lines" | "machines" | "shifts" | "calendarDays" | "skus" | "stopCauses" | "defectReasons";
        /** The members that tell it from others of its kind */
        key: Record<string, unknown>;
        /** The members that differ, as they were */
        before: Record<string, unknown>;
        /** The same, as they are then */
        after: Record<string, unknown>;
      }[];
      /** Only with `prune` */
      deleted: {
        kind: "company" | "lines" | "machines" | "shifts" | "calendarDays" | "skus" | "stopCauses" | "defectReasons";
        /** The members that tell it from others of its kind */
        key: Record<string, unknown>;
      }[];
      /** How many entries of the file are as they were */
      unchanged: number;
    };
    SetUpImportReport: {
      /** By which it can be undone; null: nothing was changed, or it was a dry run */
      id: number | null;
      dryRun: boolean;
      kind: "skus" | "operators" | "machines" | "lines" | "stop-causes" | "defect-reasons" | "work-orders";
      file: {
        encoding: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";
        hasByteOrderMark: boolean;
        delimiter: "comma" | "semicolon" | "tab" | "pipe";
        decimal: "point" | "comma";
        /** Without the header, and without rows of empty cells */
        rows: number;
        columns: {
          header: string;
          /** The member that its cells set; null: the column is left out */
          member: string | null;
          /** Some of its cells */
          samples: string[];
        }[];
      };
      /** Rows that are new items */
      created: number;
      changed: number;
      /** Rows that say what the item is already */
      unchanged: number;
      faulty: number;
      /** What is wrong, most rows first, 100 at most */
      faults: {
        /** Null: the row as a whole */
        member: string | null;
        header: string | null;
        code:
          | "required"
          | "unknown_member"
          | "invalid_type"
          | "invalid_format"
          | "invalid_value"
          | "invalid_union"
          | "invalid_key"
          | "invalid_element"
          | "not_multiple_of"
          | "too_small"
          | "too_big"
          | "custom"
          | "malformed_json"
          | "malformed_yaml"
          | "malformed_form"
          | "malformed_utf8"
          | "malformed_gzip"
          | "incomplete"
          | "not_supported"
          | "not_found"
          | "repeated"
          | "taken"
          | "in_use"
          | "fixed"
          | "not_allowed"
          | "not_in_order"
          | "not_after_now"
          | "out_of_range"
          | "outside_shift"
          | "overlap"
          | "no_shift"
          | "not_made"
          | "no_match"
          | "below_zero"
          | "never_holds"
          | "settled"
          | "cycle"
          | "made"
          | "past"
          | "too_many_withdrawals"
          | "too_many_open"
          | "other_parent"
          | "overlapping_types"
          | "not_configured"
          | "already_configured"
          | "channel_taken"
          | "invalid_head"
          | "invalid_line"
          | "ambiguous"
          | "unsupported_format"
          | "unreadable"
          | "common"
          | "guessable"
          | "wrong"
          | "not_public"
          | "unclassified_stops"
          | "silent_machines"
          | "held_events"
          | "recalculating"
          | "database_filling"
          | "database_full"
          | "ids_used_up"
          | "archived"
          | "archive_damaged"
          | "too_many_of_kind"
          | "too_many_changes"
          | "changed_since"
          | "invalid_range"
          | "too_many"
          | "range_too_long"
          | "too_many_points"
          | "too_many_groups"
          | "invalid_event"
          | "in_future"
          | "too_late"
          | "before_commissioning"
          | "after_decommissioning"
          | "unknown_node"
          | "unknown_channel"
          | "ambiguous_channel"
          | "unknown_machine"
          | "unknown_operator"
          | "unknown_sku"
          | "unknown_work_order"
          | "not_in_work_order"
          | "not_by_states"
          | "other_machine"
          | "conflict"
          | "too_many_held"
          | "closed_books";
        message: string;
        rows: number;
        /** Where they are in the file: the first and last line of each run, the first 20 of them. The header is line 1 */
        lines: unknown[][];
      }[];
      /** The first 20 changed items, and as many new ones */
      samples: {
        line: number;
        name: string;
        /** The columns that differ, as they were; null: it is new */
        before: Record<string, unknown> | null;
        after: Record<string, unknown>;
      }[];
    };
    SetUpImport: {
      id: number;
      companyId: number;
      kind: "skus" | "operators" | "machines" | "lines" | "stop-causes" | "defect-reasons" | "work-orders";
      /** Items that it created */
      created: number;
      changed: number;
      /** Rows that said what the item was already */
      unchanged: number;
      /** Rows that were left out */
      faulty: number;
      /** Who imported it; null: nobody of that id is known any more */
      createdBy: {
        name: string;
        id: number;
      } | null;
      createdAt: string;
      /** Null: it was not undone, and can be */
      undoneAt: string | null;
    };
    UndoneSetUpImport: {
      id: number;
      kind: "skus" | "operators" | "machines" | "lines" | "stop-causes" | "defect-reasons" | "work-orders";
      /** How many items it had created */
      deleted: number;
      /** How many have their former values again */
      changed: number;
      undoneAt: string;
    };
    CalendarDay: {
      id: number;
      /** The company that owns it */
      companyId: number;
      date: string;
      /** A day of a machine replaces that of its line, and that of a line the company's */
      scope: "company" | "line" | "machine";
      lineId: number | null;
      machineId: number | null;
      closed: boolean;
      /** Empty: it is closed */
      shifts: {
        /** A shift of the company, also one without weekdays */
        shiftId: number;
        /** HH:mm in the company's time zone */
        start: string;
        /** HH:mm in the company's time zone; before the start: on the next day; equal to the start: 24 h later */
        end: string;
        /** Planned breaks inside the shift, which must not overlap */
        breaks: {
          name: string;
          /** HH:mm in the company's time zone */
          start: string;
          /** HH:mm in the company's time zone */
          end: string;
          /** Whether a stop in it counts as unavailable */
          isIncludedInAvailability: boolean;
        }[];
      }[];
      createdAt: string;
      updatedAt: string;
      /** Null unless deleted */
      deletedAt: string | null;
    };
    Company: {
      id: number;
      name: string;
      /** IANA name: its wall clock is that of the shifts. A change takes effect with the next shift */
      timezone: string;
      /** ISO 4217 code of the hourly rates of its machines */
      currency: string;
      /** Whether operators are signed out automatically at the end of a shift. A change takes effect with the next shift */
      signOutAtShiftEnd: boolean;
      /** The day for which a shift counts in reports, mails and on the board: each of its hours for its calendar day, or the whole shift for the day on which it starts or ends. A change takes effect with the next shift; shifts that have begun keep their day */
      productionDay: "calendarDay" | "shiftStart" | "shiftEnd";
      /** The first day of the weeks of reports */
      weekStart: "monday" | "sunday";
      /** After how many days books are closed by themselves: when a day of the plant begins, up to midnight so many days before. Null: never; what is closed stays closed */
      lockAfterDays: number | null;
      /** The OEE is bad below the first percentage, good from the second on, and between them to be watched: colours of the board, which no number depends on */
      oeeThresholds: {
        /** Percent. What is below is bad */
        badBelow: number;
        /** Percent. What is at least this is good */
        goodFrom: number;
      };
      /** The availability is bad below the first percentage, good from the second on, and between them to be watched: colours of the board, which no number depends on */
      availabilityThresholds: {
        /** Percent. What is below is bad */
        badBelow: number;
        /** Percent. What is at least this is good */
        goodFrom: number;
      };
      /** The share of the downtime that has a cause is bad below the first percentage, good from the second on, and between them to be watched: colours of the board, which no number depends on */
      coverageThresholds: {
        /** Percent. What is below is bad */
        badBelow: number;
        /** Percent. What is at least this is good */
        goodFrom: number;
      };
      /** The place that the company's data is bound to, null: none. It is that of the service's database, and cannot be changed */
      jurisdiction: "eu" | "fedramp" | "us" | null;
      createdAt: string;
      updatedAt: string;
      /** Null unless deleted */
      deletedAt: string | null;
    };
    SetUpVersion: {
      /** Null: it is what the item has had since before versions were kept */
      id: number | null;
      /** Which members: those of a kind have their versions together */
      kind: "limits" | "line" | "service" | "standard" | "shift" | "rules" | "cause";
      /** The machine that a SKU's standard is for; null: any, or not a standard */
      machineId: number | null;
      /** The members, as in the item; null: there is none, or it was deleted */
      values: Record<string, unknown> | null;
      effectiveFrom: string;
      /** Null: for ever */
      effectiveUntil: string | null;
      /** Whether it holds now, held once, will hold, never does because later ones cover it, or was withdrawn */
      state: "inForce" | "past" | "future" | "covered" | "withdrawn";
      /** The times in which it holds: where later versions leave it visible. Null: from the beginning, or for ever */
      inForce: {
        from: string | null;
        until: string | null;
      }[];
      recordedAt: string;
      /** Who recorded it; null: the service */
      userId: number | null;
      apiTokenId: number | null;
      requestId: string | null;
      reason: string | null;
      /** Whether somebody said from when or until when it holds: only such a one can be withdrawn */
      isDated: boolean;
      withdrawnAt: string | null;
      /** Null: nobody, or the service, because it could not begin */
      withdrawnBy: number | null;
    };
    DefectReason: {
      id: number;
      /** The company that owns it */
      companyId: number;
      /** Unique in the company */
      name: string;
      createdAt: string;
      updatedAt: string;
      /** Null unless deleted */
      deletedAt: string | null;
    };
    Line: {
      id: number;
      /** The company that owns it */
      companyId: number;
      /** Unique in the company */
      name: string;
      /** Its position among the company's lines: lowest first, lines with the same number by name */
      order: number;
      createdAt: string;
      updatedAt: string;
      /** Null unless deleted */
      deletedAt: string | null;
    };
    Machine: {
      id: number;
      /** The company that owns it */
      companyId: number;
      name: string;
      /** The company's own name for it, unique in the company */
      ref: string;
      /** The gateway's number */
      nodeId: number;
      /** The line that it is in; null: none */
      lineId: number | null;
      /** What its status is derived from: its count pulses, or the states that are sent for it */
      signal: "counts" | "states";
      /** Seconds. A gap between counts (or a time without running, by its states) that is longer than this is a stop */
      stopAfterSeconds: number;
      /** Seconds. When nothing is received for longer than this, the time is no data; null: it never is */
      noDataAfterSeconds: number | null;
      /** Seconds. The longest time over which the device collects counts before it sends them; null: it sends each when it is made. A count without `since` was then made in that time before its `at`, and stops and no data are shown that much later */
      reportingSeconds: number | null;
      /** A count with more than 1,000 cycles, and more than this many times what fits at the standard since the last count of its channel, is held until an admin accepts it: `GET /v1/held-events`. Without a standard, one of more than 1,000,000 pulses is. null: none is */
      holdFactor: number | null;
      /** Seconds per cycle, for SKUs without a standard of their own; null: none */
      standardCycleSeconds: number | null;
      /** What an hour of this machine's time is worth, in the company's currency: losses in money are calculated from it; null: not known. A change takes effect with the next shift */
      hourlyRate: number | null;
      /** The OEE is bad below the first percentage, good from the second on, and between them to be watched: colours of the board, which no number depends on; null: those of the company */
      oeeThresholds: {
        /** Percent. What is below is bad */
        badBelow: number;
        /** Percent. What is at least this is good */
        goodFrom: number;
      } | null;
      /** The availability is bad below the first percentage, good from the second on, and between them to be watched: colours of the board, which no number depends on; null: those of the company */
      availabilityThresholds: {
        /** Percent. What is below is bad */
        badBelow: number;
        /** Percent. What is at least this is good */
        goodFrom: number;
      } | null;
      /** The share of the downtime that has a cause is bad below the first percentage, good from the second on, and between them to be watched: colours of the board, which no number depends on; null: those of the company */
      coverageThresholds: {
        /** Percent. What is below is bad */
        badBelow: number;
        /** Percent. What is at least this is good */
        goodFrom: number;
      } | null;
      commissionedAt: string;
      decommissionedAt: string | null;
      /** Whether numbers of it are being recalculated: they may change in the next minutes without anything new at the machine */
      isRecalculating: boolean;
      createdAt: string;
      updatedAt: string;
      /** Null unless deleted */
      deletedAt: string | null;
    };
    Shift: {
      id: number;
      /** The company that owns it */
      companyId: number;
      name: string;
      /** HH:mm in the company's time zone */
      start: string;
      /** HH:mm in the company's time zone; before the start: on the next day; equal to the start: 24 h later */
      end: string;
      /** Days on which it starts. Empty: only on calendar days that name it */
      days: ("monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday")[];
      /** Planned breaks inside the shift, which must not overlap */
      breaks: {
        name: string;
        /** HH:mm in the company's time zone */
        start: string;
        /** HH:mm in the company's time zone */
        end: string;
        /** Whether a stop in it counts as unavailable */
        isIncludedInAvailability: boolean;
      }[];
      /** Null: every machine of the company */
      machineIds: number[] | null;
      createdAt: string;
      updatedAt: string;
      /** Null unless deleted */
      deletedAt: string | null;
    };
    Sku: {
      /** The company's own id, unique in the company */
      id: string;
      /** The company that owns it */
      companyId: number;
      name: string;
      /** At most one per machine, and one for any machine */
      standards: {
        /** Null: any machine that has no standard of its own */
        machineId: number | null;
        /** Seconds per cycle */
        standardCycleSeconds: number;
      }[];
      createdAt: string;
      updatedAt: string;
      /** Null unless deleted */
      deletedAt: string | null;
    };
    StopCause: {
      id: number;
      /** The company that owns it */
      companyId: number;
      /** Cannot be changed */
      level: "general" | "specific" | "component";
      parentId: number | null;
      /** Unique under its parent */
      name: string;
      /** Whether a stop of this cause is programmed downtime */
      isProgrammed: boolean;
      /** Whether a stop of this cause counts as unavailable */
      isIncludedInAvailability: boolean;
      /** The cause's own flags */
      ownFlags: {
        /** Null: a specific cause inherits it from its general cause; for other causes it is false */
        isProgrammed: boolean | null;
        /** Null: a specific cause inherits it from its general cause; for other causes it is true */
        isIncludedInAvailability: boolean | null;
      };
      createdAt: string;
      updatedAt: string;
      /** Null unless deleted */
      deletedAt: string | null;
    };
    Usage: {
      companyId: number;
      quotas: components["schemas"]["QuotaUse"][];
      kinds: {
        kind:
          | "users"
          | "machines"
          | "lines"
          | "shifts"
          | "operators"
          | "skus"
          | "stop-causes"
          | "operator-plans"
          | "widgets"
          | "dashboards"
          | "gateway-tokens"
          | "api-tokens"
          | "personas"
          | "chat-rooms"
          | "alert-rules"
          | "report-subscriptions"
          | "webhook-subscriptions"
          | "tags"
          | "configs"
          | "work-orders"
          | "help-calls"
          | "kept-answers";
        /** Rows that are not deleted; of work orders those that are open */
        items: number;
        /** Approximate size of what is stored, including deleted rows and pictures */
        bytes: number;
      }[];
      /** Rows that machines and alerts have made and that are kept now. No quota limits them */
      made: {
        shiftRecords: number;
        stops: number;
        incidents: number;
        events: number;
      };
      /** How full the database of all companies is; null for everybody but superusers */
      database: {
        percent: number;
        /** True from 60 % on */
        isFilling: boolean;
      } | null;
    };
    QuotaUse: {
      /** `bytes`: of all kinds and pictures together, deleted rows included. `kept-answers`: bytes of answers kept for Idempotency-Keys; what exceeds it is not kept. `open-orders`: work orders that are neither completed nor cancelled. The others: rows that are not deleted */
      quota:
        | "users"
        | "machines"
        | "lines"
        | "shifts"
        | "skus-and-operators"
        | "stop-causes"
        | "operator-plans"
        | "widgets"
        | "dashboards"
        | "gateway-tokens"
        | "api-tokens"
        | "personas"
        | "chat-rooms"
        | "alert-rules"
        | "report-subscriptions"
        | "webhook-subscriptions"
        | "tags"
        | "configs"
        | "open-orders"
        | "kept-answers"
        | "bytes";
      used: number;
      /** A request that would exceed it is refused with 409; the problem has the member `quota` */
      limit: number;
    };
    ReportSubscription: {
      id: string;
      /** The company that owns it */
      companyId: number;
      name: string;
      /** `shift`: after the end of each shift, of that shift; `daily`: of the day before; `weekly`: of the seven days before */
      kind: "shift" | "daily" | "weekly";
      /** Daily and weekly reports: when they are sent, HH:mm in the company's time zone. On the night of a clock change, a time that does not exist means the first instant after it, and a time that occurs twice means the first */
      time: string | null;
      /** `daily`: the days on which it is sent, null: every day; `weekly`: the one day; `shift`: null */
      weekdays: ("monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday")[] | null;
      /** Null: all. The machines in the report; not together with `lineIds` */
      machineIds: number[] | null;
      /** Null: all. The lines whose machines are in the report */
      lineIds: number[] | null;
      /** Null: all. The shifts after which a `shift` report is sent */
      shiftIds: number[] | null;
      /** Personas. They get it by e-mail at any hour, if their e-mail contact is active */
      personaIds: string[];
      /** Null for the roles `user` and `readonly` */
      addresses: string[] | null;
      /** Webhook subscriptions whose URLs get the figures, signed like events, with the type `report` */
      webhookSubscriptionIds: string[];
      language: "en" | "es";
      /** Whether it is sent on schedule. Needs a recipient */
      isActive: boolean;
      /** Addresses whose readers have left by the link in the mail, oldest first: it is not sent to them. Null for the roles `user` and `readonly` */
      leftAddresses: string[] | null;
      /** When the next daily or weekly report is due; null for `shift`, and while it is not active */
      nextRunAt: string | null;
      createdAt: string;
      updatedAt: string;
      /** Null unless deleted */
      deletedAt: string | null;
    };
    SubscriptionLog: {
      id: string;
      subscriptionId: string;
      status: "scheduled" | "running" | "succeeded" | "failed" | "skipped";
      detail: string;
      shiftTitle: string;
      /** When the report was due */
      executeAt: string;
      /** Null until it has run */
      executedAt: string | null;
      createdAt: string;
      updatedAt: string;
      deletedAt: string | null;
    };
    MetricReport: {
      /** Rows that the filter selects; with `asOf` at most 10,000 are counted */
      totalCount: number;
      totalPages: number;
      /** As requested; a page beyond the last is empty */
      currentPage: number;
      metrics: {
        company: {
          name: string;
          id: number;
        };
        machine: {
          name: string;
          id: number;
          /** The machine's gateway */
          nodeId: number;
        };
        shift: {
          /** Whether the shift is running now */
          isActive: boolean;
          endTime: string;
          startTime: string;
          name: string;
          id: number;
        };
        shiftIndicators: components["schemas"]["ShiftIndicators"];
        productionMetrics: components["schemas"]["ProductionMetrics"];
      }[];
    };
    ShiftIndicators: {
      /** Minutes, two decimals: programmed and non-programmed downtime */
      unavailableTime: number;
      /** Minutes, two decimals: stops not included in availability */
      otherStopsTime: number;
      /** Minutes, two decimals: programmed stops included in availability */
      programmedDowntime: number;
      /** Minutes, two decimals: non-programmed stops included in availability */
      nonProgrammedDowntime: number;
      /** Minutes, two decimals: no data was received from the machine */
      noDataTime: number;
      /** Percent, two decimals: available time / (available time + non-programmed downtime) */
      netAvailability: number;
      /** Minutes, two decimals: non-programmed downtime before the first available second */
      lateStartTime: number;
      /** Minutes, two decimals: non-programmed downtime after the last available second of an ended shift */
      earlyStopTime: number;
      /** Minutes, two decimals: the rest */
      availableTime: number;
      /** Percent, two decimals: available time / (available time + unavailable time) */
      availability: number;
      /** Minutes, two decimals: unavailable time of stops with a general or specific cause */
      annotatedDowntime: number;
      /** Identifies the machine, shift and start, and never changes */
      indicatorId: number;
    };
    ProductionMetrics: {
      /** Cycles per available hour, without those of units whose time is not known */
      averageCycleSpeed: number;
      /** Standard cycles per hour of what was made; if nothing was, of the SKU in work now or at the end of the shift */
      cycleSpeed: number;
      /** Cycles */
      cycleCount: number;
      /** Units per hour over the last 10 minutes of running time, without units whose time is not known */
      actualSpeed: number;
      /** Units per available hour, without units whose time is not known */
      averageSpeed: number;
      /** Units rejected or reworked. Good units beyond a SKU's total settle the deficit of the SKU before it in the shift */
      defects: number;
      /** Units: total - defects */
      correct: number;
      /** Units counted */
      total: number;
      /** Minutes: available time - standard time of the cycles */
      minutesLostByLowSpeed: number;
      /** Minutes: standard time of the defects */
      minutesLostByLowQuality: number;
      /** Percent: standard time of the cycles / available time; may exceed 100 */
      effectiveness: number;
      /** Percent: correct / total; if nothing was made 100, or 0 with defects */
      quality: number;
      /** Percent: net availability x effectiveness x quality */
      netOee: number;
      /** Percent: availability x effectiveness x quality */
      oee: number;
      /** Percent: as in the indicators */
      netAvailability: number;
      /** Percent: as in the indicators */
      availability: number;
    };
    StopReport: {
      /** Rows that the filter selects; with `asOf` at most 10,000 are counted */
      totalCount: number;
      totalPages: number;
      /** As requested; a page beyond the last is empty */
      currentPage: number;
      stops: {
        /** Null: not classified yet */
        classification: {
          description: string | null;
          generalCause: {
            name: string;
            id: string;
          } | null;
          specificCause: {
            name: string;
            id: string;
          } | null;
          component: {
            name: string;
            id: string;
          } | null;
          updatedAt: string;
          createdAt: string;
          id: number;
        } | null;
        company: {
          name: string;
          id: number;
        };
        machine: {
          name: string;
          id: number;
        };
        shift: {
          /** Whether the shift is running now */
          isActive: boolean;
          endTime: string;
          startTime: string;
          name: string;
          id: number;
        };
        stop: {
          /** Minutes, two decimals; up to now while the stop is open */
          durationInMinutes: number;
          deletedAt: string | null;
          updatedAt: string;
          createdAt: string;
          isManual: boolean;
          isIncludedInStops: boolean;
          isIncludedInAvailability: boolean;
          isProgrammed: boolean;
          /** Of the part in this shift; null while it is open */
          endTime: string | null;
          /** Of the part in this shift */
          startTime: string;
          /** The name given by a person, else the name of the specific cause, the general cause or the planned break, else `Stop` */
          name: string;
          id: number;
        };
      }[];
    };
    ShiftRecord: {
      company: {
        name: string;
        id: number;
      };
      machine: {
        name: string;
        id: number;
        /** The machine's gateway */
        nodeId: number;
      };
      shift: {
        /** Whether the shift is running now */
        isActive: boolean;
        endTime: string;
        startTime: string;
        name: string;
        id: number;
      };
      shiftIndicators: components["schemas"]["ShiftIndicators"];
      productionMetrics: components["schemas"]["ProductionMetrics"];
      /** The line that the machine is in now; null: none */
      line: {
        name: string;
        id: number;
      } | null;
      /** Whether numbers of it are being recalculated: they may change in the next minutes without anything new at the machine */
      isRecalculating: boolean;
      /** What corrections added to the counted total and defects, which contain it; below 0: took away. Null: nothing */
      corrected: {
        total: number;
        defects: number;
      } | null;
      /** How often it has changed since it was closed, until `asOf` if that is given: `/v1/shift-records/{id}/revisions` lists them */
      revisionCount: number;
    };
    ShiftRevision: {
      /** From 1 on, for each shift */
      number: number;
      /** Since when reports say so */
      recordedAt: string;
      /** More may come */
      reasons: ("lateEvents" | "edit" | "setUp" | "correction" | "import" | "recalculation" | "withdrawal")[];
      /** The reasons in words */
      description: string;
      /** Who made the change; null: no person did, or it is not known */
      user: {
        id: number;
        name: string | null;
      } | null;
      /** The API token that the change was made with; null: none */
      apiTokenId: number | null;
      /** The request that made the change, as in the audit; null: none */
      requestId: string | null;
      /** Indicators and metrics of the shift that changed, as they were */
      before: Record<string, number | string | boolean | null>;
      /** The same as they are since then */
      after: Record<string, number | string | boolean | null>;
      /** Changed stops, the first 20. `before` null: it is new; `after` null: there is none any more */
      stops: {
        id: number;
        before: Record<string, number | string | boolean | null> | null;
        after: Record<string, number | string | boolean | null> | null;
      }[];
      /** How many stops changed */
      stopCount: number;
      /** Whether its division changed: by hour, SKU and work order */
      arePartsChanged: boolean;
      /** Whether its operators or their shares changed */
      areOperatorsChanged: boolean;
    };
    StopRecord: {
      /** Null: not classified yet */
      classification: {
        description: string | null;
        generalCause: {
          name: string;
          id: number;
        } | null;
        specificCause: {
          name: string;
          id: number;
        } | null;
        component: {
          name: string;
          id: number;
        } | null;
        updatedAt: string;
        createdAt: string;
        id: number;
      } | null;
      company: {
        name: string;
        id: number;
      };
      machine: {
        name: string;
        id: number;
      };
      shift: {
        /** Whether the shift is running now */
        isActive: boolean;
        endTime: string;
        startTime: string;
        name: string;
        id: number;
      };
      stop: {
        /** Minutes, two decimals; up to now while the stop is open */
        durationInMinutes: number;
        deletedAt: string | null;
        updatedAt: string;
        createdAt: string;
        isManual: boolean;
        isIncludedInStops: boolean;
        isIncludedInAvailability: boolean;
        isProgrammed: boolean;
        /** Of the part in this shift; null while it is open */
        endTime: string | null;
        /** Of the part in this shift */
        startTime: string;
        /** The name given by a person, else the name of the specific cause, the general cause or the planned break, else `Stop` */
        name: string;
        id: number;
        /** Minutes from the start to the end of the whole stop, two decimals, in all shifts and outside of them. Up to now while it is open */
        elapsedMinutes: number;
      };
      /** The line that the machine is in now; null: none */
      line: {
        name: string;
        id: number;
      } | null;
      /** Whether numbers of it are being recalculated: they may change in the next minutes without anything new at the machine */
      isRecalculating: boolean;
    };
    Production: {
      interval: "5min" | "15min" | "hour" | "shift";
      /** The company's time zone, in which intervals are cut */
      timezone: string;
      from: string;
      to: string;
      /** Whether numbers of it are being recalculated: they may change in the next minutes without anything new at the machine */
      isRecalculating: boolean;
      data: components["schemas"]["ProductionRow"][];
    };
    ProductionRow: {
      machine: {
        id: number;
        name: string;
      };
      /** The machine's line when the shift began; null: none */
      line: {
        id: number;
        name: string;
      } | null;
      /** Of the interval `shift`; otherwise null */
      shift: {
        id: number;
        name: string;
      } | null;
      /** Start of the interval, even if the shift started later */
      start: string;
      end: string;
      /** Units counted, to 6 decimals */
      total: number;
      /** Units rejected or reworked */
      defects: number;
      /** Units: total - defects */
      correct: number;
      /** Units that the standard in force allows in the scheduled time, two decimals; 0 without one */
      target: number;
      /** Minutes, two decimals: available time and non-programmed downtime */
      scheduledTime: number;
    };
    StopMetricSeries: {
      /** Name of the metric or group */
      name: string;
      /** `metric`, or `metric:group id` */
      key: string;
      /** Name with unit */
      label: string;
      /** left: counts, right: minutes */
      axis: "left" | "right";
      points: {
        /** Start of the local hour, day or week, epoch ms */
        x: number;
        y: number;
      }[];
    };
    Summary: {
      groupBy: (
        | "machine"
        | "line"
        | "shift"
        | "hour"
        | "day"
        | "week"
        | "month"
        | "sku"
        | "order"
        | "operator"
        | "cause"
        | "defectReason"
      )[];
      /** The company's time zone, in which hours, days, weeks and months are cut */
      timezone: string;
      from: string;
      to: string;
      /** Whether numbers of it are being recalculated: they may change in the next minutes without anything new at the machine */
      isRecalculating: boolean;
      total: components["schemas"]["SummaryFigures"];
      data: components["schemas"]["SummaryRow"][];
    };
    SummaryFigures: {
      /** Minutes, two decimals: available; of operators: while signed in */
      availableTime: number | null;
      /** Minutes, two decimals: programmed and non-programmed downtime; of operators: while signed in */
      unavailableTime: number | null;
      /** Minutes, two decimals: programmed stops included in availability */
      programmedDowntime: number | null;
      /** Minutes, two decimals: non-programmed stops included in availability */
      nonProgrammedDowntime: number | null;
      /** Minutes, two decimals: stops not included in availability */
      otherStopsTime: number | null;
      /** Minutes, two decimals: no data was received from the machine */
      noDataTime: number | null;
      /** Minutes, two decimals: unavailable time of stops with a general or specific cause */
      annotatedDowntime: number | null;
      /** Minutes, two decimals: all stops: unavailable and other */
      stopTime: number | null;
      /** Minutes, two decimals: standard time of the cycles; of operators: of their units, at the mean standard of each shift */
      idealTime: number | null;
      /** Minutes, two decimals: available time - ideal time, at least 0. Rows of it do not add up: where one is faster than its standard, it makes up for others in their total */
      minutesLostByLowSpeed: number | null;
      /** Minutes, two decimals: standard time of the defects */
      minutesLostByLowQuality: number | null;
      /** Cycles */
      cycleCount: number | null;
      /** Units: counted; of operators: credited to them */
      total: number | null;
      /** Units: rejected or reworked; of operators: of their units, the share that was rejected in each shift */
      defects: number | null;
      /** Units: total - defects */
      correct: number | null;
      /** Units: what the standards in force allow in available and non-programmed time, two decimals */
      target: number | null;
      /** Percent, two decimals: available time / (available time + unavailable time) */
      availability: number | null;
      /** Percent, two decimals: available time / (available time + non-programmed downtime) */
      netAvailability: number | null;
      /** Percent, two decimals: ideal time / available time; may exceed 100 */
      effectiveness: number | null;
      /** Percent, two decimals: correct / total; if nothing was made 100, or 0 with defects */
      quality: number | null;
      /** Percent, two decimals: availability x effectiveness x quality */
      oee: number | null;
      /** Percent, two decimals: net availability x effectiveness x quality */
      netOee: number | null;
      /** Units: good ones counted outside every shift, which no other figure contains; only in `total` and with groups of machines, lines and time, without filters on shifts, SKUs, orders and operators */
      producedOutsideShifts: number | null;
      /** Only with the group `cause`: stops that start in the range and count as stops; otherwise null */
      stopCount: number | null;
    };
    SummaryRow: {
      /** Start of the local hour, day, week or month; null without a group of time */
      start: string | null;
      /** End of the local hour, day, week or month; null without a group of time */
      end: string | null;
      /** True if the range begins or ends within the hour, day, week or month: the row has only what is in the range */
      isPartial: boolean;
      machine: {
        id: number;
        name: string;
      } | null;
      /** The machine's line when the shift began; null: none */
      line: {
        id: number;
        name: string;
      } | null;
      shift: {
        id: number;
        name: string;
      } | null;
      /** Null: none was set */
      sku: {
        id: string;
        name: string;
      } | null;
      /** With the group `order`; null: not made for an order */
      workOrder: {
        id: string;
        code: string;
        name: string;
      } | null;
      operator: {
        id: number;
        name: string;
      } | null;
      /** With the group `cause`; if `specificCause` is null too, the stops are not classified */
      generalCause: {
        id: number;
        name: string;
      } | null;
      /** With the group `cause`; null: only the general cause was given */
      specificCause: {
        id: number;
        name: string;
      } | null;
      /** With the group `defectReason`; null: no reason was given */
      defectReason: {
        id: number;
        name: string;
      } | null;
      /** Minutes, two decimals: available; of operators: while signed in */
      availableTime: number | null;
      /** Minutes, two decimals: programmed and non-programmed downtime; of operators: while signed in */
      unavailableTime: number | null;
      /** Minutes, two decimals: programmed stops included in availability */
      programmedDowntime: number | null;
      /** Minutes, two decimals: non-programmed stops included in availability */
      nonProgrammedDowntime: number | null;
      /** Minutes, two decimals: stops not included in availability */
      otherStopsTime: number | null;
      /** Minutes, two decimals: no data was received from the machine */
      noDataTime: number | null;
      /** Minutes, two decimals: unavailable time of stops with a general or specific cause */
      annotatedDowntime: number | null;
      /** Minutes, two decimals: all stops: unavailable and other */
      stopTime: number | null;
      /** Minutes, two decimals: standard time of the cycles; of operators: of their units, at the mean standard of each shift */
      idealTime: number | null;
      /** Minutes, two decimals: available time - ideal time, at least 0. Rows of it do not add up: where one is faster than its standard, it makes up for others in their total */
      minutesLostByLowSpeed: number | null;
      /** Minutes, two decimals: standard time of the defects */
      minutesLostByLowQuality: number | null;
      /** Cycles */
      cycleCount: number | null;
      /** Units: counted; of operators: credited to them */
      total: number | null;
      /** Units: rejected or reworked; of operators: of their units, the share that was rejected in each shift */
      defects: number | null;
      /** Units: total - defects */
      correct: number | null;
      /** Units: what the standards in force allow in available and non-programmed time, two decimals */
      target: number | null;
      /** Percent, two decimals: available time / (available time + unavailable time) */
      availability: number | null;
      /** Percent, two decimals: available time / (available time + non-programmed downtime) */
      netAvailability: number | null;
      /** Percent, two decimals: ideal time / available time; may exceed 100 */
      effectiveness: number | null;
      /** Percent, two decimals: correct / total; if nothing was made 100, or 0 with defects */
      quality: number | null;
      /** Percent, two decimals: availability x effectiveness x quality */
      oee: number | null;
      /** Percent, two decimals: net availability x effectiveness x quality */
      netOee: number | null;
      /** Units: good ones counted outside every shift, which no other figure contains; only in `total` and with groups of machines, lines and time, without filters on shifts, SKUs, orders and operators */
      producedOutsideShifts: number | null;
      /** Only with the group `cause`: stops that start in the range and count as stops; otherwise null */
      stopCount: number | null;
    };
    HealthParts: {
      /** behind: the database lacks the newest migration that this version needs; unknown: it does not answer */
      code: "ok" | "behind" | "unknown";
      database: "ok" | "failed";
      /** Those of the machines */
      objects: "ok" | "failed";
      /** The bucket that they are stored in */
      pictures: "ok" | "failed";
    };
    Unhealthy: components["schemas"]["Problem"] & {
      parts?: components["schemas"]["HealthParts"];
    };
    Service: {
      name: string;
      /** Version of the service */
      version: string;
      links: {
        /** The OpenAPI document */
        openapi: string;
        /** The same as a page */
        docs: string;
        health: string;
        /** Where a password is exchanged for a token */
        login: string;
        /** What all machines do now, as it changes */
        live: string;
        /** The board's page for a large screen */
        wall: string;
        /** The board's page for a machine's terminal */
        floor: string;
        /** The board's page for an office */
        desk: string;
      };
    };
    Stop: {
      id: number;
      machine: {
        name: string;
        id: number;
      };
      startTime: string;
      /** Null while the stop is open */
      endTime: string | null;
      /** Scheduled minutes, two decimals: time outside shifts does not count. Up to now while the stop is open */
      durationInMinutes: number;
      /** Minutes from the start to the end, two decimals, including time outside shifts. Up to now while the stop is open */
      elapsedMinutes: number;
      /** Whether the stop is going on */
      isOpen: boolean;
      /** Whether a person recorded it */
      isManual: boolean;
      isProgrammed: boolean;
      isIncludedInStops: boolean;
      isIncludedInAvailability: boolean;
      /** The name that a person gave, otherwise that of the cause, otherwise that of the planned break, otherwise Stop */
      name: string;
      /** Null: not classified yet */
      classification: {
        description: string | null;
        generalCause: {
          name: string;
          id: number;
        } | null;
        specificCause: {
          name: string;
          id: number;
        } | null;
        component: {
          name: string;
          id: number;
        } | null;
        updatedAt: string;
        createdAt: string;
        id: number;
      } | null;
      /** The number of changes made by people. Send it in quotes as If-Match */
      version: number;
      createdAt: string;
      updatedAt: string;
      deletedAt: string | null;
    };
    SlicedStop: components["schemas"]["Stop"] & {
      /** Its part in each shift that it touches, in order */
      slices: {
        shiftId: number;
        shiftStart: string;
        startTime: string;
        /** Null while the stop is open */
        endTime: string | null;
      }[];
    };
    StopChange: {
      id: string;
      time: string;
      action: "record" | "change" | "classify" | "split" | "merge" | "delete";
      /** Who did it. At a paired terminal, `name` is that of the operators who were signed in at the machine, otherwise of the terminal, and `id` is the user who paired it */
      user: {
        id: number;
        name: string | null;
      };
      /** The API token that the change was made with; null: none */
      apiTokenId: number | null;
      /** The members that differ, without the version, or the stops of a merge, before the change; null: it did not exist */
      before?: unknown;
      /** The members that differ, without the version, or the parts of a split, after it; the whole stop if it was recorded; null: it does not exist any more */
      after?: unknown;
    };
    StopClassification: {
      id: string;
      /** `running`: some of the stops are still to be classified; `undoing`: some are still to be as before */
      state: "running" | "done" | "undoing" | "undone";
      /** How many stops were asked for */
      total: number;
      /** How many stops have the new classification */
      classified: number;
      /** How many had it already */
      unchanged: number;
      /** The stops that are as they were, by their ids */
      leftOut: {
        /** Somebody changed them since they were read */
        changed: number[];
        /** They are not there any more */
        gone: number[];
        /** Their machines did not answer for a day */
        unreachable: number[];
        /** The books of their time are closed */
        closed: number[];
      };
      /** Absent: each stop kept its own. Null: the stops have none any more */
      generalCauseId?: number | null;
      /** Absent: each stop kept its own. Null: the stops have none any more */
      specificCauseId?: number | null;
      /** Absent: each stop kept its own. Null: the stops have none any more */
      componentId?: number | null;
      /** Absent: each stop kept its own. Null: the stops have none any more */
      description?: string | null;
      /** Who asked for it */
      userId: number;
      createdAt: string;
      /** Of one that was undone: how many stops are as they were before */
      undone: number;
      /** Of one that was undone: how many stops somebody had changed afterwards, or are in closed books; these are left as they are */
      kept: number;
      /** Null: it was not undone */
      undoneAt: string | null;
      /** Null while it is running */
      endedAt: string | null;
    };
    StopClassificationDryRun: {
      isDryRun: true;
      /** How many stops match */
      total: number;
      /** How many of them would stay as they are */
      unchanged: number;
      /** At how many machines */
      machines: number;
    };
    OrphanedEdit: {
      id: number;
      machine: {
        name: string;
        id: number;
      };
      /** The stop of which it was said. It may not be there any more */
      stopId: number;
      /** Start of that stop at the time */
      startTime: string;
      /** End of that stop at the time, or when it was said if the stop lasted */
      endTime: string;
      action: "classify" | "change" | "record" | "split" | "merge";
      /** Why nothing of it counts: `no_stop` (no stop is there, or none in a shift), `displaced` (the stop that is there has what others said of it), `splits_nothing`, `merges_nothing`. More reasons may come */
      reason: string;
      /** When it was said */
      time: string;
      /** Who said it; null: it is from before edits were kept */
      user: {
        id: number;
        name: string | null;
      } | null;
      /** Where a split or a merge was; null for others */
      at: string | null;
      /** The members that were said. Null: that nothing special holds. Empty for a split or a merge */
      said: {
        name?: string | null;
        isProgrammed?: boolean | null;
        isIncludedInStops?: boolean | null;
        isIncludedInAvailability?: boolean | null;
        generalCauseId?: number | null;
        specificCauseId?: number | null;
        componentId?: number | null;
        description?: string | null;
      };
    };
    TagKey: {
      companyId: number;
      sort: number;
      subject: "Machines" | "Operators" | "Skus" | "WorkOrders" | "Stops" | "Shifts" | "Sensors";
      tagKey: string;
      description: string;
      color: string;
      isDefault: boolean;
      id: string;
      /** Empty until a value is given */
      tagValue: string;
    };
    RotatedSecret: {
      /** Shown only in this answer: null if the request is repeated with its Idempotency-Key */
      secret: string | null;
      /** Until when calls also carry a signature by the previous secret; null: there was none */
      previousUntil: string | null;
    };
    WebhookPing: {
      durationMs: number;
      /** Of the answer; null: there was none */
      status: number | null;
      /** The first 1,024 bytes of the answer */
      answer: string;
      /** Why it failed; null: it succeeded */
      error: string | null;
    };
    WebhookDelivery: {
      eventId: string;
      eventType:
        | "stop.opened"
        | "stop.closed"
        | "stop.changed"
        | "stop.classified"
        | "shift.closed"
        | "shift.revised"
        | "machine.no_data"
        | "machine.signal_back"
        | "machine.counts_held"
        | "operator.signed_in"
        | "operator.signed_out"
        | "work_order.created"
        | "work_order.started"
        | "work_order.late"
        | "work_order.completed"
        | "alert.opened"
        | "alert.escalated"
        | "alert.acknowledged"
        | "alert.resolved"
        | "help.called";
      machineId: number | null;
      /** `failed`: no call succeeded, and no more are made; `cancelled`: the subscription ended or was deleted before */
      status: "pending" | "succeeded" | "failed" | "cancelled";
      /** Calls since it was last queued */
      attempts: number;
      /** When the next call is due, at the earliest: earlier events of the machine come first. Null: there is none */
      nextAttemptAt: string | null;
      /** The calls that failed, the oldest first, and then the one that succeeded since the last replay, whose `answer` is not kept: it is empty */
      calls: {
        at: string;
        durationMs: number;
        /** Of the answer; null: there was none */
        status: number | null;
        /** The first 1,024 bytes of the answer */
        answer: string;
        /** Why it failed; null: it succeeded */
        error: string | null;
      }[];
      /** When the event was stored */
      createdAt: string;
      updatedAt: string;
    };
    Replayed: {
      /** How many events will be sent */
      replayed: number;
    };
    WebhookSubscription: {
      id: string;
      /** The company that owns it */
      companyId: number;
      /** Where events are sent: https, port 443, and a host with a public name, not an address. Redirects are not followed */
      url: string;
      /** Which events; null: all */
      events:
        | (
            | "stop.opened"
            | "stop.closed"
            | "stop.changed"
            | "stop.classified"
            | "shift.closed"
            | "shift.revised"
            | "machine.no_data"
            | "machine.signal_back"
            | "machine.counts_held"
            | "operator.signed_in"
            | "operator.signed_out"
            | "work_order.created"
            | "work_order.started"
            | "work_order.late"
            | "work_order.completed"
            | "alert.opened"
            | "alert.escalated"
            | "alert.acknowledged"
            | "alert.resolved"
            | "help.called"
          )[]
        | null;
      /** Only events of these machines; null: of all */
      machineIds: number[] | null;
      /** Only events of machines that are in these lines at the time; null: of all. Not together with `machineIds` */
      lineIds: number[] | null;
      /** Whether events are sent. Setting it to true restarts a subscription that has ended */
      isActive: boolean;
      /** What it is for */
      description: string;
      /** Whether calls are signed with a secret of its own; otherwise with the company's */
      hasOwnSecret: boolean;
      /** Since when every call failed; null: the last one succeeded, or there was none */
      failingSince: string | null;
      /** When the service stopped sending events to it; null: it did not */
      endedAt: string | null;
      /** `gone`: the receiver answered 410; `failing`: every call failed for five days */
      endedBecause: "gone" | "failing" | null;
      createdAt: string;
      updatedAt: string;
      /** Null unless deleted */
      deletedAt: string | null;
    };
    NewWebhookSubscription: components["schemas"]["WebhookSubscription"] & {
      /** The secret that signs its calls. Shown only in this answer: null if the request is repeated with its Idempotency-Key, and when the company's signs them */
      secret: string | null;
    };
    Event: {
      /** Stays the same when the event is sent again */
      id: string;
      type:
        | "stop.opened"
        | "stop.closed"
        | "stop.changed"
        | "stop.classified"
        | "shift.closed"
        | "shift.revised"
        | "machine.no_data"
        | "machine.signal_back"
        | "machine.counts_held"
        | "operator.signed_in"
        | "operator.signed_out"
        | "work_order.created"
        | "work_order.started"
        | "work_order.late"
        | "work_order.completed"
        | "alert.opened"
        | "alert.escalated"
        | "alert.acknowledged"
        | "alert.resolved"
        | "help.called";
      /** When it happened */
      timestamp: string;
      /** By type: see the document's `webhooks` */
      data: Record<string, unknown>;
      /** The board's page about it; null: the service has no `PUBLIC_URL` */
      url: string | null;
    };
    Widget: {
      id: string;
      title: components["schemas"]["L10n"];
      description: components["schemas"]["L10n"];
      spec: Record<string, unknown>;
      /** Belongs to no company: every company sees it, only superusers can change it */
      isSystem: boolean;
      /** Whether it is a favorite of the caller */
      isFavorited: boolean;
      createdAt: string;
      updatedAt: string;
      deletedAt: string | null;
      thumbnailUrl: string | null;
      /** A WebP of 480 pixels per side at most */
      compressedThumbnailUrl: string | null;
      featureRequirements: string;
      labels: string;
    };
    L10n: {
      en: string;
      es: string;
    };
    WidgetDashboard: {
      id: string;
      title: components["schemas"]["L10n"];
      description: components["schemas"]["L10n"];
      spec: Record<string, unknown>;
      /** Belongs to no company: every company sees it, only superusers can change it */
      isSystem: boolean;
      /** Whether it is a favorite of the caller */
      isFavorited: boolean;
      createdAt: string;
      updatedAt: string;
      deletedAt: string | null;
      thumbnailUrl: string | null;
      /** A WebP of 480 pixels per side at most */
      compressedThumbnailUrl: string | null;
      archivedAt: string | null;
      instances: components["schemas"]["WidgetInstance"][];
    };
    WidgetInstance: {
      id: string;
      widgetId: string;
      dashboardId: string;
      specOverride: Record<string, unknown>;
      visualConfig: Record<string, unknown>;
      widget: components["schemas"]["Widget"];
      createdAt: string;
      updatedAt: string;
      deletedAt: string | null;
    };
    CreateApiTokenBody: {
      /** Name of the program */
      name: string;
      /** What the program may do: at most the role of the caller */
      role: "superuser" | "superadmin" | "admin" | "user" | "readonly";
      /** Whether it may only read: everything else is refused with 403 */
      isReadOnly?: boolean;
      /** Whether it belongs to the company, as walls do: it stays valid when its creator is disabled or deleted. Only for read-only tokens with the role `readonly`, and those of terminals */
      isOfCompany?: boolean;
      /** When it ends; null: never */
      expiresAt?: string | null;
      /** The company it will belong to: your own by default; only superusers may name another one */
      companyId?: number;
    };
    ChangeApiTokenBody: {
      /** Name of the program */
      name?: string;
      /** Whether it belongs to the company, as walls do: it stays valid when its creator is disabled or deleted. Only for read-only tokens with the role `readonly`, and those of terminals */
      isOfCompany?: boolean;
      /** When it ends; null: never */
      expiresAt?: string | null;
    };
    DeleteConfigBody: {
      userId: number;
      companyId: number;
    };
    PutConfigBody: {
      /** At most 64 KiB of JSON */
      config: Record<string, unknown>;
    };
    ClaimServiceBody: {
      name: string;
      /** Signs the user in; unique */
      email: string;
      /** Write only. 15 to 128 characters of any kind (Unicode code points, normalised by NFKC), none of the most common passwords, and at least 8 characters that are no part of names, e-mail address, company, common words, repeats and sequences */
      password: string;
      /** As `npm start -- --empty` or `npm run admin -- claim-code` printed it; small letters and hyphens do not matter */
      code: string;
      companyName: string;
      /** IANA name: its wall clock is that of the shifts. A change takes effect with the next shift */
      timezone: string;
    };
    LoginBody: {
      email: string;
      password: string;
    };
    ChangePasswordBody: {
      currentPassword: string;
      /** Write only. 15 to 128 characters of any kind (Unicode code points, normalised by NFKC), none of the most common passwords, and at least 8 characters that are no part of names, e-mail address, company, common words, repeats and sequences */
      newPassword: string;
    };
    UpdateRolePermissionBody: {
      permissionId:
        | "work-orders:write"
        | "targets:write"
        | "progress:write"
        | "configs:write"
        | "configs:manage"
        | "set-up:read"
        | "set-up:write"
        | "users:read"
        | "users:write"
        | "gateways:write"
        | "api-tokens:read"
        | "api-tokens:write"
        | "stops:write"
        | "corrections:write"
        | "operators:sign-in"
        | "operator-names:read"
        | "runs:write"
        | "personas:write"
        | "reports:read"
        | "help-calls:write"
        | "hand-overs:write"
        | "actions:write"
        | "alerts:write"
        | "incidents:acknowledge"
        | "webhooks:read"
        | "webhooks:write"
        | "report-subscriptions:write";
      roleId: "superuser" | "superadmin" | "admin" | "user" | "readonly";
    };
    CreateRolePermissionBody: {
      roleId: "superadmin" | "admin" | "user" | "readonly";
      permissionId:
        | "work-orders:write"
        | "targets:write"
        | "progress:write"
        | "configs:write"
        | "configs:manage"
        | "set-up:read"
        | "set-up:write"
        | "users:read"
        | "users:write"
        | "gateways:write"
        | "api-tokens:read"
        | "api-tokens:write"
        | "stops:write"
        | "corrections:write"
        | "operators:sign-in"
        | "operator-names:read"
        | "runs:write"
        | "personas:write"
        | "reports:read"
        | "help-calls:write"
        | "hand-overs:write"
        | "actions:write"
        | "alerts:write"
        | "incidents:acknowledge"
        | "webhooks:read"
        | "webhooks:write"
        | "report-subscriptions:write";
    };
    CreateUserBody: {
      name: string;
      /** Signs the user in; unique */
      email: string;
      /** At most the role of the caller */
      role: "superuser" | "superadmin" | "admin" | "user" | "readonly";
      /** Write only. 15 to 128 characters of any kind (Unicode code points, normalised by NFKC), none of the most common passwords, and at least 8 characters that are no part of names, e-mail address, company, common words, repeats and sequences */
      password: string;
      /** Whether the user can sign in */
      isActive?: boolean;
      /** The company it will belong to: your own by default; only superusers may name another one */
      companyId?: number;
    };
    ChangeUserBody: {
      name?: string;
      /** Signs the user in; unique */
      email?: string;
      /** At most the role of the caller */
      role?: "superuser" | "superadmin" | "admin" | "user" | "readonly";
      /** Write only. 15 to 128 characters of any kind (Unicode code points, normalised by NFKC), none of the most common passwords, and at least 8 characters that are no part of names, e-mail address, company, common words, repeats and sequences */
      password?: string;
      /** Whether the user can sign in */
      isActive?: boolean;
      /** Your own password: required to change the password, e-mail address or role of another admin, superadmin or superuser */
      currentPassword?: string;
    };
    ConfirmWallPairingBody: {
      /** The code that the wall shows. Case, spaces and hyphens do not matter */
      code: string;
      /** Name of the wall, and of its token */
      name: string;
      /** Its company: your own by default; only superusers may name another one */
      companyId?: number;
      /** The lines that it shows; null: all. This limits what the wall shows, not what its token may read */
      lineIds?: number[] | null;
      /** From how far it is read, in metres */
      distance?: 3 | 5 | 8 | 10;
    };
    ConfirmTerminalPairingBody: {
      /** The code that the terminal shows. Case, spaces and hyphens do not matter */
      code: string;
      /** Name of the terminal, and of its token */
      name: string;
      /** Its company: your own by default; only superusers may name another one */
      companyId?: number;
      /** The machines that it is for: for its token, other machines do not exist. They cannot be changed later: pair the terminal again */
      machineIds: number[];
    };
    CreateGatewayPairingBody: {
      /** Name of the gateway, and of its token */
      name: string;
      /** Its company: your own by default; only superusers may name another one */
      companyId?: number;
    };
    ConfirmGatewayPairingBody: {
      /** As it was made. Case, spaces and hyphens do not matter */
      code: string;
    };
    CreateActionBody: {
      /** Only superusers may name another company than their own */
      companyId?: number;
      /** `cause`: the stops of a cause; `unclassified`: stops without a cause that nobody planned; `speed`, `quality`, `noData`: what reports call minutesLostByLowSpeed, minutesLostByLowQuality and noDataTime */
      loss: "cause" | "unclassified" | "speed" | "quality" | "noData";
      /** Of the loss `cause`: this cause, and with it alone stops that have no specific one */
      generalCauseId?: number | string | null;
      /** Of the loss `cause` */
      specificCauseId?: number | string | null;
      /** Of this machine; null: of the line, or of all machines */
      machineId?: number | string | null;
      /** Of this line */
      lineId?: number | string | null;
      /** Start of the time in which the loss was seen */
      from: string;
      /** End of that time: at most 92 days later. Only time up to now is counted */
      to: string;
      /** What is done about it */
      measure: string;
      /** Who does it: a user of the company */
      ownerId: number | string;
      /** The local date by which it should be done */
      dueOn: string;
    };
    ChangeActionBody: {
      /** What is done about it */
      measure?: string;
      ownerId?: number | string;
      /** The local date by which it should be done */
      dueOn?: string;
      state?: "open" | "done" | "dropped";
      /** The result */
      comment?: string | null;
    };
    CreateChatRoomBody: {
      name: string;
      service: "teams" | "slack";
      /** The language of the messages */
      language: "en" | "es";
      /** The incoming webhook of the room. Never shown */
      url: string;
      /** Whether messages are sent to it */
      isActive?: boolean;
      /** The company it will belong to: your own by default; only superusers may name another one */
      companyId?: number;
    };
    ChangeChatRoomBody: {
      name?: string;
      service?: "teams" | "slack";
      /** The language of the messages */
      language?: "en" | "es";
      /** The incoming webhook of the room. Never shown */
      url?: string;
      /** Whether messages are sent to it */
      isActive?: boolean;
    };
    CreateHelpCallBody: {
      /** What help is needed with; null: not given */
      message?: string | null;
    };
    MarkNotificationsReadBody: {
      notificationIds: string[];
    };
    CreatePersonaBody: {
      name: string;
      companyId: number;
    };
    AddPersonaBody: {
      name: string;
      /** The company it will belong to: your own by default; only superusers may name another one */
      companyId?: number;
    };
    ChangePersonaBody: {
      name?: string;
      isActive?: boolean;
      sms?: {
        /** E.164, such as +34600111222; empty: none */
        value?: string;
        isActive?: boolean;
      };
      whatsapp?: {
        /** E.164, such as +34600111222; empty: none */
        value?: string;
        isActive?: boolean;
      };
      email?: {
        /** An e-mail address; empty: none */
        value?: "" | string;
        isActive?: boolean;
      };
      /** Replaces the list */
      push?: {
        /** One of the persona's push contacts; a new one when left out */
        id?: string;
        /** A browser's PushSubscription as JSON text */
        value: string;
        isActive?: boolean;
        reference?: string;
      }[];
      /** Days that are left out do not change */
      alertHours?: {
        sunday?: {
          start: string;
          end: string;
        };
        monday?: {
          start: string;
          end: string;
        };
        tuesday?: {
          start: string;
          end: string;
        };
        wednesday?: {
          start: string;
          end: string;
        };
        thursday?: {
          start: string;
          end: string;
        };
        friday?: {
          start: string;
          end: string;
        };
        saturday?: {
          start: string;
          end: string;
        };
      };
      /** The alert rules that notify this persona. Replaces the list */
      alertIds?: string[];
      language?: "english" | "spanish";
    };
    TestPersonaBody: {
      channel: "in_app" | "email" | "sms" | "whatsapp" | "push";
    };
    PutPushDeviceBody: {
      /** The browser's PushSubscription as JSON text */
      subscription: string;
      isOn: boolean;
      name?: string;
      language?: "english" | "spanish";
    };
    CreateAlertRuleBody: {
      name: string;
      when: components["schemas"]["AlertCondition"];
      /** The machines that the rule applies to, in addition to those of `lineIds`. Both null: all machines of the company */
      machineIds?: number[] | null;
      /** The lines whose machines the rule applies to, including machines that join them later */
      lineIds?: number[] | null;
      /** The shifts in which the rule applies; null: all. Outside shifts there are no alerts, except about orders, calls for help and gateways */
      shiftIds?: number[] | null;
      /** Escalation levels. The first is notified immediately, each further one if nobody has acknowledged the incident by then. Personas whose `alertIds` contain the rule's id are notified with the first level. */
      levels?: {
        /** Minutes between the opening of the incident and this level */
        afterMinutes: number;
        personaIds: string[];
        chatRoomIds: string[];
      }[];
      /** Replaces the usual text of the messages; null: the usual text. Variables: {rule} {machine} {line} {minutes} {cause} {message} {value} {threshold} {since} */
      texts?: {
        en: string;
        es: string;
      } | null;
      /** An inactive rule opens nothing, and ends what it opened */
      isActive?: boolean;
      /** The company it will belong to: your own by default; only superusers may name another one */
      companyId?: number;
    };
    ChangeAlertRuleBody: {
      name?: string;
      when?: components["schemas"]["AlertCondition"];
      /** The machines that the rule applies to, in addition to those of `lineIds`. Both null: all machines of the company */
      machineIds?: number[] | null;
      /** The lines whose machines the rule applies to, including machines that join them later */
      lineIds?: number[] | null;
      /** The shifts in which the rule applies; null: all. Outside shifts there are no alerts, except about orders, calls for help and gateways */
      shiftIds?: number[] | null;
      /** Escalation levels. The first is notified immediately, each further one if nobody has acknowledged the incident by then. Personas whose `alertIds` contain the rule's id are notified with the first level. */
      levels?: {
        /** Minutes between the opening of the incident and this level */
        afterMinutes: number;
        personaIds: string[];
        chatRoomIds: string[];
      }[];
      /** Replaces the usual text of the messages; null: the usual text. Variables: {rule} {machine} {line} {minutes} {cause} {message} {value} {threshold} {since} */
      texts?: {
        en: string;
        es: string;
      } | null;
      /** An inactive rule opens nothing, and ends what it opened */
      isActive?: boolean;
    };
    TryAlertRuleBody: {
      rule: {
        name: string;
        when: components["schemas"]["AlertCondition"];
        /** The machines that the rule applies to, in addition to those of `lineIds`. Both null: all machines of the company */
        machineIds?: number[] | null;
        /** The lines whose machines the rule applies to, including machines that join them later */
        lineIds?: number[] | null;
        /** The shifts in which the rule applies; null: all. Outside shifts there are no alerts, except about orders, calls for help and gateways */
        shiftIds?: number[] | null;
        /** Escalation levels. The first is notified immediately, each further one if nobody has acknowledged the incident by then. Personas whose `alertIds` contain the rule's id are notified with the first level. */
        levels?: {
          /** Minutes between the opening of the incident and this level */
          afterMinutes: number;
          personaIds: string[];
          chatRoomIds: string[];
        }[];
        /** Replaces the usual text of the messages; null: the usual text. Variables: {rule} {machine} {line} {minutes} {cause} {message} {value} {threshold} {since} */
        texts?: {
          en: string;
          es: string;
        } | null;
        /** An inactive rule opens nothing, and ends what it opened */
        isActive?: boolean;
      };
      /** Your own company by default; only superusers may name another one */
      companyId?: number;
      /** At most 31 days before `to`; 7 days before it by default */
      from?: string;
      /** Now by default */
      to?: string;
    };
    CreateBookClosingBody: {
      /** Up to when: not in the future, and later than the books are closed already */
      to: string;
      /** Whether what people have left open does not matter: it is noted */
      force?: boolean;
      /** Why: shown with it, and kept in the audit. Required with `force` */
      reason?: string;
      /** The company: only superusers may name another one than their own */
      companyId?: number | string;
    };
    ReopenBookClosingBody: {
      /** Why: shown with the closing, and kept in the audit */
      reason: string;
    };
    CreateCorrectionBody: {
      machineId: number;
      /** When the units were made. They count for the shift of this instant, and its operators */
      at: string;
      /** The SKU of the units. Default: the SKU in work at `at`. The machine must have made it in that shift */
      skuId?: string | null;
      /** The order that they are for: that in work at `at` by default. The machine must have worked on it in that shift */
      workOrderId?: string | null;
      /** Units made, good or not, that are added; below 0: taken away. To 6 decimals */
      total?: number;
      /** Of the units made, how many more are rejected; below 0: fewer. To 6 decimals */
      defects?: number;
      /** Like `defects`, of units that are to be made good: they count as defects, too */
      rework?: number;
      /** The defect reason of `defects` and `rework` */
      reasonId?: number | string | null;
      comment?: string | null;
    };
    CreateEventWithdrawalBody: {
      machineId: number;
      /** Events whose `at` is at or after this time */
      from: string;
      /** Events whose `at` is before this time: at most 31 days after `from` */
      to: string;
      /** Counts of this gateway */
      nodeId?: number | null;
      /** Counts of this channel */
      channel?: number | null;
      /** Events of these types; by default `count`, `heartbeat` and `state`, or with `ids` all types */
      kinds?: ("count" | "heartbeat" | "state" | "operator" | "sku")[] | null;
      /** Counts with at least so many pulses, or a running total that is at least so high */
      minValue?: number | null;
      /** Events that came with this import */
      importId?: number | null;
      /** Events whose senders gave them one of these ids */
      ids?: string[] | null;
      /** Why, for whoever looks at it later */
      reason: string;
      /** Only counts the events, and changes nothing */
      dryRun?: boolean;
    };
    CreateHandOverBody: {
      shiftId: number | string;
      /** The date in the company's time zone on which the shift starts */
      date: string;
      /** Null: all machines of the company */
      lineId?: number | string | null;
      /** Notes by subject, of up to 2000 characters each; null: none */
      notes?: {
        safety?: string | null;
        quality?: string | null;
        people?: string | null;
        other?: string | null;
      };
      /** What the next shift should watch: at most 20 things */
      watch?: string[];
    };
    ChangeHandOverBody: {
      /** Notes by subject, of up to 2000 characters each; null: none */
      notes?: {
        safety?: string | null;
        quality?: string | null;
        people?: string | null;
        other?: string | null;
      };
      /** What the next shift should watch: at most 20 things */
      watch?: string[];
      /** The `updatedAt` that was read: if somebody has changed it since then, the answer is 409 */
      updatedAt?: string;
    };
    IngestBody: {
      events: components["schemas"]["IngestEvent"][];
      /** A superuser may send for another company */
      companyId?: number;
    };
    UpdateCountSensorsBody: {
      companyId: number;
      added?: {
        machineRef: string;
        isCountEnabled: boolean;
        configs: {
          type: "cycle" | "total" | "good" | "defect" | "rework";
          channel: number;
          /** The gateway */
          nodeId: number;
          /** Units per pulse */
          countingFactor: number;
        }[];
      }[];
      updated?: {
        machineRef: string;
        isCountEnabled: boolean;
        configs: {
          type: "cycle" | "total" | "good" | "defect" | "rework";
          channel: number;
          /** The gateway */
          nodeId: number;
          /** Units per pulse */
          countingFactor: number;
        }[];
      }[];
      /** Only `machineRef` matters */
      deleted?: {
        machineRef: string;
      }[];
    };
    PutCountSensorBody: {
      isCountEnabled: boolean;
      configs: {
        type: "cycle" | "total" | "good" | "defect" | "rework";
        channel: number;
        /** The gateway */
        nodeId: number;
        /** Units per pulse, 6 decimals at most */
        countingFactor: number;
        /** The total at which the counter starts again at 0: 65536 for a counter of 16 bits. Null: it does not wrap. For counts that give a running total (`reading`) */
        wrapsAt?: number | null;
      }[];
      /** From when they hold, if they were other than it seemed: an instant of the past. What was sent since is counted again. Admins only */
      effectiveFrom?: string;
      /** Why: in the audit. Required with effectiveFrom */
      reason?: string;
      /** Only find out what the change would do: `dryRun` of the answer has the shifts that would differ. Nothing is changed, and an Idempotency-Key counts for nothing */
      dryRun?: boolean;
    };
    IgnoreSignalBody: {
      /** The gateway */
      nodeId: number;
      channel: number;
      /** False: it is listed and kept again */
      isIgnored: boolean;
    };
    CreateGatewayTokenBody: {
      /** Name of the gateway */
      name: string;
      /** The company it will belong to: your own by default; only superusers may name another one */
      companyId?: number;
    };
    ChangeGatewayTokenBody: {
      /** Name of the gateway */
      name?: string;
    };
    PutOwnGatewayStatusBody: {
      /** Of the gateway's program */
      version: string;
      /** ISO 8601 with Z or an offset */
      startedAt: string;
      queue: {
        /** Events that it has not sent yet */
        events: number;
        /** When the oldest of them was read; null: there are none */
        oldestAt: string;
        bytes: number;
        /** Events that were refused for good, and that somebody has to look at */
        quarantined: number;
        /** Events that are missing because the queue was full: how many, of which machine, from when to when */
        dropped: {
          /** Null: the machine is not known */
          machineRef: string | null;
          events: number;
          /** ISO 8601 with Z or an offset */
          from: string;
          /** ISO 8601 with Z or an offset */
          to: string;
        }[];
      };
      sources: {
        id: string;
        type: string;
        /** `ok`; `waiting`: it connects, or nothing was read yet; `silent`: it is connected, but nothing came for longer than it may be silent; `failed`: it is not connected, or cannot be read */
        state: "ok" | "waiting" | "silent" | "failed";
        /** When something was last read from it; null: not yet */
        lastAt: string;
        /** What was read of it in the last minute */
        perMinute: number;
        /** What is wrong with it; null: nothing */
        error: string | null;
      }[];
      /** Its clock minus the service's, in milliseconds; null: it does not know */
      clockSkewMs: number | null;
    };
    CreateRecalculationBody: {
      /** Why: it is shown with it, and kept in the audit */
      reason: string;
      machineIds: number[];
      /** Its start: not before the commissioning of a machine, nor before the time whose events a machine has kept */
      from: string;
      /** Its end; now if left out */
      to?: string;
      /** The company of the machines: only superusers may name another one than their own */
      companyId?: number | string;
    };
    AcceptHeldEventsBody: {
      /** Events of the entry, by their `id` in its list; left out: all of it */
      ids?: number[];
    };
    DropHeldEventsBody: {
      /** Events of the entry, by their `id` in its list; left out: all of it */
      ids?: number[];
    };
    SignOperatorInBody: {
      /** Of the machine's company */
      operatorId: number;
      /** When it happened: up to 48 h ago; now when left out. Times up to 5 minutes ahead, from a wrong clock, count as now */
      at?: string;
      /** The operator's PIN. For an operator who has one, a paired terminal must send this or `code` */
      pin?: string;
      /** The code that a person typed, or that was read from a badge; checked at paired terminals alone */
      code?: string;
    };
    SignOperatorOutBody: {
      /** Of the machine's company */
      operatorId: number;
      /** When it happened: up to 48 h ago; now when left out. Times up to 5 minutes ahead, from a wrong clock, count as now */
      at?: string;
    };
    StartRunBody: {
      /** What the machine makes from that time on */
      skuId: string;
      /** The work order that it is made for. The machine must be one of the order's machines, and the SKU one of its targets. Null: no work order */
      workOrderId?: string | null;
      /** When it happened: up to 48 h ago; now when left out. Times up to 5 minutes ahead, from a wrong clock, count as now */
      at?: string;
    };
    AmendRunsBody: {
      /** Start of the interval: not before the machine's commissioning */
      from: string;
      /** Its end: not in the future, and at most 31 days later */
      to: string;
      /** In order. The first one begins with the interval */
      runs: {
        /** It lasts until the next one begins, or to the end of the interval */
        startTime: string;
        skuId: string;
        /** The work order that it was made for, also if that is closed. The machine must be one of the order's machines, and the SKU one of its targets. Null: no work order */
        workOrderId?: string | null;
      }[];
      /** Why: it is shown with the amendment, and kept in the audit */
      reason: string;
    };
    AmendPresencesBody: {
      /** Start of the interval: not before the machine's commissioning */
      from: string;
      /** Its end: not in the future, and at most 31 days later */
      to: string;
      /** In any order. Empty: nobody was there */
      presences: {
        operatorId: number;
        /** ISO 8601 with Z or an offset */
        startTime: string;
        /** ISO 8601 with Z or an offset */
        endTime: string;
      }[];
      /** Why: it is shown with the amendment, and kept in the audit */
      reason: string;
    };
    CreateOperatorBody: {
      name: string;
      /** The operator's number or badge, unique in the company */
      code: string;
      /** Write only. 4 to 8 digits, with which the operator signs in at a terminal; null: none. Two operators may have the same PIN */
      pin?: string | null;
      /** The company it will belong to: your own by default; only superusers may name another one */
      companyId?: number;
    };
    ChangeOperatorBody: {
      name?: string;
      /** The operator's number or badge, unique in the company */
      code?: string;
      /** Write only. 4 to 8 digits, with which the operator signs in at a terminal; null: none. Two operators may have the same PIN */
      pin?: string | null;
    };
    UpdateOperatorPlanBody: {
      /** While the plan is future */
      title?: string;
      /** While the plan is future */
      since?: string;
      /** After now and after `since`; required while the plan is Active */
      until?: string;
    };
    CreateOperatorPlanBody: {
      title: string;
      /** ISO 8601 with Z or an offset */
      since: string;
      /** The plan's end, exclusive */
      until: string;
      /** Who is planned on which machine in which shift */
      assignments?: {
        operatorId: number;
        machineId: number;
        shiftId: number;
      }[];
      /** The company it will belong to: your own by default; only superusers may name another one */
      companyId?: number;
    };
    ChangeOperatorPlanBody: {
      title?: string;
      /** ISO 8601 with Z or an offset */
      since?: string;
      /** The plan's end, exclusive */
      until?: string;
      /** Who is planned on which machine in which shift */
      assignments?: {
        operatorId: number;
        machineId: number;
        shiftId: number;
      }[];
    };
    CreateWorkOrderBody: {
      machines: {
        machineId: number;
      }[];
      targets: {
        targetQuantity: number;
        skuId: string;
      }[];
      workOrder: {
        /** ISO 8601 with Z or an offset */
        estimatedDeliveryTime?: string;
        priority?: number;
        /** Where the order comes from */
        source?: string;
        status?: "Backlog" | "Planned" | "InProgress";
        name: string;
        /** Unique within the company */
        code: string;
      };
    };
    UpdateWorkOrderBody: {
      machines?: string[];
      skus?: {
        id: string;
        quantity: number;
      }[];
      workOrder: {
        id: string;
        name?: string;
        /** Unique within the company */
        code?: string;
        status?: "Backlog" | "Planned" | "InProgress" | "Paused" | "Completed" | "Cancelled";
        priority?: number;
        /** ISO 8601 with Z or an offset; null removes it */
        estimatedDeliveryTime?: string | null;
      };
    };
    UpdateTargetBody: {
      targetQuantity: number;
    };
    UpdateProgressBody: {
      /** Optional if the order has one target */
      skuId?: string;
      /** Good units, to 6 decimals */
      correct?: number;
      /** Rejected units, to 6 decimals */
      defects?: number;
      /** `delta` adds to the total of the SKU. `absolute` states that the total was this at `occurredAt`: what was counted or reported for earlier times no longer matters, and what comes later is added */
      mode?: "delta" | "absolute";
      machineId?: number;
      operatorId?: number;
      /** The time that the report is about; now by default */
      occurredAt?: string;
      status?: "Backlog" | "Planned" | "InProgress" | "Paused" | "Completed" | "Cancelled";
      comment?: string;
    };
    PutPlantFileBody: {
      formatVersion: 1;
      company?: {
        name?: string;
        /** IANA name: its wall clock is that of the shifts. A change takes effect with the next shift */
        timezone?: string;
        /** ISO 4217 code of the hourly rates of its machines */
        currency?: string;
        /** Whether operators are signed out automatically at the end of a shift. A change takes effect with the next shift */
        signOutAtShiftEnd?: boolean;
        /** The day for which a shift counts in reports, mails and on the board: each of its hours for its calendar day, or the whole shift for the day on which it starts or ends. A change takes effect with the next shift; shifts that have begun keep their day */
        productionDay?: "calendarDay" | "shiftStart" | "shiftEnd";
        /** The first day of the weeks of reports */
        weekStart?: "monday" | "sunday";
        /** After how many days books are closed by themselves: when a day of the plant begins, up to midnight so many days before. Null: never; what is closed stays closed */
        lockAfterDays?: number | null;
        /** The OEE is bad below the first percentage, good from the second on, and between them to be watched: colours of the board, which no number depends on */
        oeeThresholds?: {
          /** Percent. What is below is bad */
          badBelow: number;
          /** Percent. What is at least this is good */
          goodFrom: number;
        };
        /** The availability is bad below the first percentage, good from the second on, and between them to be watched: colours of the board, which no number depends on */
        availabilityThresholds?: {
          /** Percent. What is below is bad */
          badBelow: number;
          /** Percent. What is at least this is good */
          goodFrom: number;
        };
        /** The share of the downtime that has a cause is bad below the first percentage, good from the second on, and between them to be watched: colours of the board, which no number depends on */
        coverageThresholds?: {
          /** Percent. What is below is bad */
          badBelow: number;
          /** Percent. What is at least this is good */
          goodFrom: number;
        };
      };
      lines?: {
        name: string;
        /** Its position among the company's lines: lowest first, lines with the same number by name */
        order?: number;
      }[];
      machines?: {
        name?: string;
        /** The `ref` of a machine */
        ref: string;
        /** The gateway's number */
        nodeId?: number;
        /** What its status is derived from: its count pulses, or the states that are sent for it */
        signal?: "counts" | "states";
        /** Seconds. A gap between counts (or a time without running, by its states) that is longer than this is a stop */
        stopAfterSeconds?: number;
        /** Seconds. When nothing is received for longer than this, the time is no data; null: it never is */
        noDataAfterSeconds?: number | null;
        /** Seconds. The longest time over which the device collects counts before it sends them; null: it sends each when it is made. A count without `since` was then made in that time before its `at`, and stops and no data are shown that much later */
        reportingSeconds?: number | null;
        /** A count with more than 1,000 cycles, and more than this many times what fits at the standard since the last count of its channel, is held until an admin accepts it: `GET /v1/held-events`. Without a standard, one of more than 1,000,000 pulses is. null: none is */
        holdFactor?: number | null;
        /** Seconds per cycle, for SKUs without a standard of their own; null: none */
        standardCycleSeconds?: number | null;
        /** What an hour of this machine's time is worth, in the company's currency: losses in money are calculated from it; null: not known. A change takes effect with the next shift */
        hourlyRate?: number | null;
        /** The OEE is bad below the first percentage, good from the second on, and between them to be watched: colours of the board, which no number depends on; null: those of the company */
        oeeThresholds?: {
          /** Percent. What is below is bad */
          badBelow: number;
          /** Percent. What is at least this is good */
          goodFrom: number;
        } | null;
        /** The availability is bad below the first percentage, good from the second on, and between them to be watched: colours of the board, which no number depends on; null: those of the company */
        availabilityThresholds?: {
          /** Percent. What is below is bad */
          badBelow: number;
          /** Percent. What is at least this is good */
          goodFrom: number;
        } | null;
        /** The share of the downtime that has a cause is bad below the first percentage, good from the second on, and between them to be watched: colours of the board, which no number depends on; null: those of the company */
        coverageThresholds?: {
          /** Percent. What is below is bad */
          badBelow: number;
          /** Percent. What is at least this is good */
          goodFrom: number;
        } | null;
        /** Start of its ledger. Once an event is stored, it can only become earlier */
        commissionedAt?: string;
        /** End of its ledger; null: in service. Can only be set to a future time, and cannot change once that has passed */
        decommissionedAt?: string | null;
        line?: string | null;
        countSensors?: {
          isCountEnabled: boolean;
          configs: {
            type: "cycle" | "total" | "good" | "defect" | "rework";
            channel: number;
            /** The gateway */
            nodeId: number;
            /** Units per pulse, 6 decimals at most */
            countingFactor: number;
            /** The total at which the counter starts again at 0: 65536 for a counter of 16 bits. Null: it does not wrap. For counts that give a running total (`reading`) */
            wrapsAt?: number | null;
          }[];
        } | null;
      }[];
      shifts?: {
        name: string;
        /** HH:mm in the company's time zone */
        start?: string;
        /** HH:mm in the company's time zone; before the start: on the next day; equal to the start: 24 h later */
        end?: string;
        /** Days on which it starts. Empty: only on calendar days that name it */
        days?: ("monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday")[];
        /** Planned breaks inside the shift, which must not overlap */
        breaks?: {
          name: string;
          /** HH:mm in the company's time zone */
          start: string;
          /** HH:mm in the company's time zone */
          end: string;
          /** Whether a stop in it counts as unavailable */
          isIncludedInAvailability?: boolean;
        }[];
        machines?: string[] | null;
      }[];
      calendarDays?: {
        /** The day in the company's time zone on which its shifts start */
        date: string;
        /** A day of a machine replaces that of its line, and that of a line the company's */
        scope: "company" | "line" | "machine";
        line?: string | null;
        /** The `ref` of a machine */
        machine?: string | null;
        /** Empty: it is closed */
        shifts: {
          shift: string;
          /** HH:mm in the company's time zone */
          start: string;
          /** HH:mm in the company's time zone */
          end: string;
          /** Planned breaks inside the shift, which must not overlap */
          breaks: {
            name: string;
            /** HH:mm in the company's time zone */
            start: string;
            /** HH:mm in the company's time zone */
            end: string;
            /** Whether a stop in it counts as unavailable */
            isIncludedInAvailability?: boolean;
          }[];
        }[];
      }[];
      skus?: {
        /** The id of the SKU as your company knows it, unique in the company; a UUID by default */
        id?: string;
        name?: string;
        standards?: {
          /** The `ref` of a machine */
          machine: string | null;
          standardCycleSeconds: number;
        }[];
      }[];
      stopCauses?: {
        path: string[];
        /** Cannot be changed */
        level: "general" | "specific" | "component";
        /** Null: a specific cause inherits it from its general cause; for other causes it is false */
        isProgrammed?: boolean | null;
        /** Null: a specific cause inherits it from its general cause; for other causes it is true */
        isIncludedInAvailability?: boolean | null;
      }[];
      defectReasons?: {
        name: string;
      }[];
    };
    CreateCalendarDayBody: {
      /** The day in the company's time zone on which its shifts start */
      date: string;
      /** A day of a machine replaces that of its line, and that of a line the company's */
      scope: "company" | "line" | "machine";
      /** Required for the scope `line` */
      lineId?: number | null;
      /** Required for the scope `machine` */
      machineId?: number | null;
      /** No shift starts on this day */
      closed?: true;
      /** All shifts that start on this day, in place of those of its weekday. Breaks that are left out are those of the shift that lie inside */
      shifts?: {
        /** A shift of the company, also one without weekdays */
        shiftId: number;
        /** HH:mm in the company's time zone */
        start: string;
        /** HH:mm in the company's time zone; before the start: on the next day; equal to the start: 24 h later */
        end: string;
        /** Planned breaks inside the shift, which must not overlap */
        breaks?: {
          name: string;
          /** HH:mm in the company's time zone */
          start: string;
          /** HH:mm in the company's time zone */
          end: string;
          /** Whether a stop in it counts as unavailable */
          isIncludedInAvailability?: boolean;
        }[];
      }[];
      /** The company it will belong to: your own by default; only superusers may name another one */
      companyId?: number;
      /** Only find out what the change would do: `dryRun` of the answer has the shifts that would differ. Nothing is changed, and an Idempotency-Key counts for nothing */
      dryRun?: boolean;
    };
    ChangeCalendarDayBody: {
      /** No shift starts on this day */
      closed?: true;
      /** All shifts that start on this day, in place of those of its weekday. Breaks that are left out are those of the shift that lie inside */
      shifts?: {
        /** A shift of the company, also one without weekdays */
        shiftId: number;
        /** HH:mm in the company's time zone */
        start: string;
        /** HH:mm in the company's time zone; before the start: on the next day; equal to the start: 24 h later */
        end: string;
        /** Planned breaks inside the shift, which must not overlap */
        breaks?: {
          name: string;
          /** HH:mm in the company's time zone */
          start: string;
          /** HH:mm in the company's time zone */
          end: string;
          /** Whether a stop in it counts as unavailable */
          isIncludedInAvailability?: boolean;
        }[];
      }[];
      /** Only find out what the change would do: `dryRun` of the answer has the shifts that would differ. Nothing is changed, and an Idempotency-Key counts for nothing */
      dryRun?: boolean;
    };
    CreateCompanyBody: {
      name: string;
      /** IANA name: its wall clock is that of the shifts. A change takes effect with the next shift */
      timezone: string;
      /** ISO 4217 code of the hourly rates of its machines */
      currency?: string;
      /** Whether operators are signed out automatically at the end of a shift. A change takes effect with the next shift */
      signOutAtShiftEnd?: boolean;
      /** The day for which a shift counts in reports, mails and on the board: each of its hours for its calendar day, or the whole shift for the day on which it starts or ends. A change takes effect with the next shift; shifts that have begun keep their day */
      productionDay?: "calendarDay" | "shiftStart" | "shiftEnd";
      /** The first day of the weeks of reports */
      weekStart?: "monday" | "sunday";
      /** After how many days books are closed by themselves: when a day of the plant begins, up to midnight so many days before. Null: never; what is closed stays closed */
      lockAfterDays?: number | null;
      /** The OEE is bad below the first percentage, good from the second on, and between them to be watched: colours of the board, which no number depends on */
      oeeThresholds?: {
        /** Percent. What is below is bad */
        badBelow: number;
        /** Percent. What is at least this is good */
        goodFrom: number;
      };
      /** The availability is bad below the first percentage, good from the second on, and between them to be watched: colours of the board, which no number depends on */
      availabilityThresholds?: {
        /** Percent. What is below is bad */
        badBelow: number;
        /** Percent. What is at least this is good */
        goodFrom: number;
      };
      /** The share of the downtime that has a cause is bad below the first percentage, good from the second on, and between them to be watched: colours of the board, which no number depends on */
      coverageThresholds?: {
        /** Percent. What is below is bad */
        badBelow: number;
        /** Percent. What is at least this is good */
        goodFrom: number;
      };
      /** The place that the company's data is bound to, null: none. It is that of the service's database, and cannot be changed */
      jurisdiction?: "eu" | "fedramp" | "us" | null;
    };
    ChangeCompanyBody: {
      name?: string;
      /** IANA name: its wall clock is that of the shifts. A change takes effect with the next shift */
      timezone?: string;
      /** ISO 4217 code of the hourly rates of its machines */
      currency?: string;
      /** Whether operators are signed out automatically at the end of a shift. A change takes effect with the next shift */
      signOutAtShiftEnd?: boolean;
      /** The day for which a shift counts in reports, mails and on the board: each of its hours for its calendar day, or the whole shift for the day on which it starts or ends. A change takes effect with the next shift; shifts that have begun keep their day */
      productionDay?: "calendarDay" | "shiftStart" | "shiftEnd";
      /** The first day of the weeks of reports */
      weekStart?: "monday" | "sunday";
      /** After how many days books are closed by themselves: when a day of the plant begins, up to midnight so many days before. Null: never; what is closed stays closed */
      lockAfterDays?: number | null;
      /** The OEE is bad below the first percentage, good from the second on, and between them to be watched: colours of the board, which no number depends on */
      oeeThresholds?: {
        /** Percent. What is below is bad */
        badBelow: number;
        /** Percent. What is at least this is good */
        goodFrom: number;
      };
      /** The availability is bad below the first percentage, good from the second on, and between them to be watched: colours of the board, which no number depends on */
      availabilityThresholds?: {
        /** Percent. What is below is bad */
        badBelow: number;
        /** Percent. What is at least this is good */
        goodFrom: number;
      };
      /** The share of the downtime that has a cause is bad below the first percentage, good from the second on, and between them to be watched: colours of the board, which no number depends on */
      coverageThresholds?: {
        /** Percent. What is below is bad */
        badBelow: number;
        /** Percent. What is at least this is good */
        goodFrom: number;
      };
      /** The place that the company's data is bound to, null: none. It is that of the service's database, and cannot be changed */
      jurisdiction?: "eu" | "fedramp" | "us" | null;
      /** From when the change holds: a future instant, or one of the past. Now if left out. Shifts that run at that instant keep their times */
      effectiveFrom?: string;
      /** Until when it holds. If left out: each member until the next change of it that is known now */
      effectiveUntil?: string;
      /** It holds for ever, through all later changes that are known now */
      through?: "all";
      /** Why: shown with the versions. Required for a change of the past */
      reason?: string;
      /** Only find out what the change would do: `dryRun` of the answer has the shifts that would differ. Nothing is changed, and an Idempotency-Key counts for nothing */
      dryRun?: boolean;
    };
    CreateDefectReasonBody: {
      /** Unique in the company */
      name: string;
      /** The company it will belong to: your own by default; only superusers may name another one */
      companyId?: number;
    };
    ChangeDefectReasonBody: {
      /** Unique in the company */
      name?: string;
    };
    CreateLineBody: {
      /** Unique in the company */
      name: string;
      /** Its position among the company's lines: lowest first, lines with the same number by name */
      order?: number;
      /** The company it will belong to: your own by default; only superusers may name another one */
      companyId?: number;
    };
    ChangeLineBody: {
      /** Unique in the company */
      name?: string;
      /** Its position among the company's lines: lowest first, lines with the same number by name */
      order?: number;
    };
    CreateMachineBody: {
      name: string;
      /** The company's own name for it, unique in the company */
      ref: string;
      /** The gateway's number */
      nodeId: number;
      /** The line that the machine belongs to; null: none. A change takes effect with the next shift, until the first event from the commissioning on */
      lineId?: number | string | null;
      /** What its status is derived from: its count pulses, or the states that are sent for it */
      signal?: "counts" | "states";
      /** Seconds. A gap between counts (or a time without running, by its states) that is longer than this is a stop */
      stopAfterSeconds?: number;
      /** Seconds. When nothing is received for longer than this, the time is no data; null: it never is */
      noDataAfterSeconds?: number | null;
      /** Seconds. The longest time over which the device collects counts before it sends them; null: it sends each when it is made. A count without `since` was then made in that time before its `at`, and stops and no data are shown that much later */
      reportingSeconds?: number | null;
      /** A count with more than 1,000 cycles, and more than this many times what fits at the standard since the last count of its channel, is held until an admin accepts it: `GET /v1/held-events`. Without a standard, one of more than 1,000,000 pulses is. null: none is */
      holdFactor?: number | null;
      /** Seconds per cycle, for SKUs without a standard of their own; null: none */
      standardCycleSeconds?: number | null;
      /** What an hour of this machine's time is worth, in the company's currency: losses in money are calculated from it; null: not known. A change takes effect with the next shift */
      hourlyRate?: number | null;
      /** The OEE is bad below the first percentage, good from the second on, and between them to be watched: colours of the board, which no number depends on; null: those of the company */
      oeeThresholds?: {
        /** Percent. What is below is bad */
        badBelow: number;
        /** Percent. What is at least this is good */
        goodFrom: number;
      } | null;
      /** The availability is bad below the first percentage, good from the second on, and between them to be watched: colours of the board, which no number depends on; null: those of the company */
      availabilityThresholds?: {
        /** Percent. What is below is bad */
        badBelow: number;
        /** Percent. What is at least this is good */
        goodFrom: number;
      } | null;
      /** The share of the downtime that has a cause is bad below the first percentage, good from the second on, and between them to be watched: colours of the board, which no number depends on; null: those of the company */
      coverageThresholds?: {
        /** Percent. What is below is bad */
        badBelow: number;
        /** Percent. What is at least this is good */
        goodFrom: number;
      } | null;
      /** Start of its ledger: earlier events are refused, so choose an early time to import history. Defaults to now */
      commissionedAt?: string;
      /** End of its ledger; null: in service. Can only be set to a future time, and cannot change once that has passed */
      decommissionedAt?: string | null;
      /** The company it will belong to: your own by default; only superusers may name another one */
      companyId?: number;
    };
    ChangeMachineBody: {
      name?: string;
      /** The company's own name for it, unique in the company */
      ref?: string;
      /** The gateway's number */
      nodeId?: number;
      /** The line that the machine belongs to; null: none. A change takes effect with the next shift, until the first event from the commissioning on */
      lineId?: number | string | null;
      /** What its status is derived from: its count pulses, or the states that are sent for it */
      signal?: "counts" | "states";
      /** Seconds. A gap between counts (or a time without running, by its states) that is longer than this is a stop */
      stopAfterSeconds?: number;
      /** Seconds. When nothing is received for longer than this, the time is no data; null: it never is */
      noDataAfterSeconds?: number | null;
      /** Seconds. The longest time over which the device collects counts before it sends them; null: it sends each when it is made. A count without `since` was then made in that time before its `at`, and stops and no data are shown that much later */
      reportingSeconds?: number | null;
      /** A count with more than 1,000 cycles, and more than this many times what fits at the standard since the last count of its channel, is held until an admin accepts it: `GET /v1/held-events`. Without a standard, one of more than 1,000,000 pulses is. null: none is */
      holdFactor?: number | null;
      /** Seconds per cycle, for SKUs without a standard of their own; null: none */
      standardCycleSeconds?: number | null;
      /** What an hour of this machine's time is worth, in the company's currency: losses in money are calculated from it; null: not known. A change takes effect with the next shift */
      hourlyRate?: number | null;
      /** The OEE is bad below the first percentage, good from the second on, and between them to be watched: colours of the board, which no number depends on; null: those of the company */
      oeeThresholds?: {
        /** Percent. What is below is bad */
        badBelow: number;
        /** Percent. What is at least this is good */
        goodFrom: number;
      } | null;
      /** The availability is bad below the first percentage, good from the second on, and between them to be watched: colours of the board, which no number depends on; null: those of the company */
      availabilityThresholds?: {
        /** Percent. What is below is bad */
        badBelow: number;
        /** Percent. What is at least this is good */
        goodFrom: number;
      } | null;
      /** The share of the downtime that has a cause is bad below the first percentage, good from the second on, and between them to be watched: colours of the board, which no number depends on; null: those of the company */
      coverageThresholds?: {
        /** Percent. What is below is bad */
        badBelow: number;
        /** Percent. What is at least this is good */
        goodFrom: number;
      } | null;
      /** Start of its ledger. Once an event is stored, it can only become earlier */
      commissionedAt?: string;
      /** End of its ledger; null: in service. Can only be set to a future time, and cannot change once that has passed */
      decommissionedAt?: string | null;
      /** From when the change holds: a future instant, or one of the past. Now if left out. Shifts that run at that instant keep their times */
      effectiveFrom?: string;
      /** Until when it holds. If left out: each member until the next change of it that is known now */
      effectiveUntil?: string;
      /** It holds for ever, through all later changes that are known now */
      through?: "all";
      /** Why: shown with the versions. Required for a change of the past */
      reason?: string;
      /** Only find out what the change would do: `dryRun` of the answer has the shifts that would differ. Nothing is changed, and an Idempotency-Key counts for nothing */
      dryRun?: boolean;
    };
    CreateShiftBody: {
      name: string;
      /** HH:mm in the company's time zone */
      start: string;
      /** HH:mm in the company's time zone; before the start: on the next day; equal to the start: 24 h later */
      end: string;
      /** Days on which it starts. Empty: only on calendar days that name it */
      days: ("monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday")[];
      /** Planned breaks inside the shift, which must not overlap */
      breaks?: {
        name: string;
        /** HH:mm in the company's time zone */
        start: string;
        /** HH:mm in the company's time zone */
        end: string;
        /** Whether a stop in it counts as unavailable */
        isIncludedInAvailability?: boolean;
      }[];
      /** Null: every machine of the company */
      machineIds?: number[] | null;
      /** The company it will belong to: your own by default; only superusers may name another one */
      companyId?: number;
    };
    ChangeShiftBody: {
      name?: string;
      /** HH:mm in the company's time zone */
      start?: string;
      /** HH:mm in the company's time zone; before the start: on the next day; equal to the start: 24 h later */
      end?: string;
      /** Days on which it starts. Empty: only on calendar days that name it */
      days?: ("monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday")[];
      /** Planned breaks inside the shift, which must not overlap */
      breaks?: {
        name: string;
        /** HH:mm in the company's time zone */
        start: string;
        /** HH:mm in the company's time zone */
        end: string;
        /** Whether a stop in it counts as unavailable */
        isIncludedInAvailability?: boolean;
      }[];
      /** Null: every machine of the company */
      machineIds?: number[] | null;
      /** From when the change holds: a future instant, or one of the past. Now if left out. Shifts that run at that instant keep their times */
      effectiveFrom?: string;
      /** Until when it holds. If left out: each member until the next change of it that is known now */
      effectiveUntil?: string;
      /** It holds for ever, through all later changes that are known now */
      through?: "all";
      /** Why: shown with the versions. Required for a change of the past */
      reason?: string;
      /** Only find out what the change would do: `dryRun` of the answer has the shifts that would differ. Nothing is changed, and an Idempotency-Key counts for nothing */
      dryRun?: boolean;
    };
    CreateSkuBody: {
      /** The id of the SKU as your company knows it, unique in the company; a UUID by default */
      id?: string;
      name: string;
      /** At most one per machine, and one for any machine */
      standards?: {
        /** Null: any machine that has no standard of its own */
        machineId: number | null;
        /** Seconds per cycle */
        standardCycleSeconds: number;
      }[];
      /** The company it will belong to: your own by default; only superusers may name another one */
      companyId?: number;
    };
    ChangeSkuBody: {
      name?: string;
      /** At most one per machine, and one for any machine */
      standards?: {
        /** Null: any machine that has no standard of its own */
        machineId: number | null;
        /** Seconds per cycle */
        standardCycleSeconds: number;
      }[];
      /** From when the change holds: a future instant, or one of the past. Now if left out. Shifts that run at that instant keep their times */
      effectiveFrom?: string;
      /** Until when it holds. If left out: each member until the next change of it that is known now */
      effectiveUntil?: string;
      /** It holds for ever, through all later changes that are known now */
      through?: "all";
      /** Why: shown with the versions. Required for a change of the past */
      reason?: string;
      /** Only find out what the change would do: `dryRun` of the answer has the shifts that would differ. Nothing is changed, and an Idempotency-Key counts for nothing */
      dryRun?: boolean;
    };
    CreateStopCauseBody: {
      /** Cannot be changed */
      level: "general" | "specific" | "component";
      /** The cause above it: for a specific cause its general cause (required), for a component any cause or null, for a general cause null */
      parentId?: number | string | null;
      /** Unique under its parent */
      name: string;
      /** Null: a specific cause inherits it from its general cause; for other causes it is false */
      isProgrammed?: boolean | null;
      /** Null: a specific cause inherits it from its general cause; for other causes it is true */
      isIncludedInAvailability?: boolean | null;
      /** The company it will belong to: your own by default; only superusers may name another one */
      companyId?: number;
    };
    ChangeStopCauseBody: {
      /** The cause above it: for a specific cause its general cause (required), for a component any cause or null, for a general cause null */
      parentId?: number | string | null;
      /** Unique under its parent */
      name?: string;
      /** Null: a specific cause inherits it from its general cause; for other causes it is false */
      isProgrammed?: boolean | null;
      /** Null: a specific cause inherits it from its general cause; for other causes it is true */
      isIncludedInAvailability?: boolean | null;
      /** From when the change holds: a future instant, or one of the past. Now if left out. Shifts that run at that instant keep their times */
      effectiveFrom?: string;
      /** Until when it holds. If left out: each member until the next change of it that is known now */
      effectiveUntil?: string;
      /** It holds for ever, through all later changes that are known now */
      through?: "all";
      /** Why: shown with the versions. Required for a change of the past */
      reason?: string;
    };
    SetUsageLimitsBody: {
      companyId: number;
      /** The limits to change; null: the usual one again */
      limits: {
        users?: number | null;
        machines?: number | null;
        lines?: number | null;
        shifts?: number | null;
        "skus-and-operators"?: number | null;
        "stop-causes"?: number | null;
        "operator-plans"?: number | null;
        widgets?: number | null;
        dashboards?: number | null;
        "gateway-tokens"?: number | null;
        "api-tokens"?: number | null;
        personas?: number | null;
        "chat-rooms"?: number | null;
        "alert-rules"?: number | null;
        "report-subscriptions"?: number | null;
        "webhook-subscriptions"?: number | null;
        tags?: number | null;
        configs?: number | null;
        "open-orders"?: number | null;
        "kept-answers"?: number | null;
        bytes?: number | null;
      };
    };
    ChangeReportSubscriptionBody: {
      name?: string;
      /** `shift`: after the end of each shift, of that shift; `daily`: of the day before; `weekly`: of the seven days before */
      kind?: "shift" | "daily" | "weekly";
      /** Daily and weekly reports: when they are sent, HH:mm in the company's time zone. On the night of a clock change, a time that does not exist means the first instant after it, and a time that occurs twice means the first */
      time?: string | null;
      /** `daily`: the days on which it is sent, null: every day; `weekly`: the one day; `shift`: null */
      weekdays?: ("monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday")[] | null;
      /** Null: all. The machines in the report; not together with `lineIds` */
      machineIds?: number[] | null;
      /** Null: all. The lines whose machines are in the report */
      lineIds?: number[] | null;
      /** Null: all. The shifts after which a `shift` report is sent */
      shiftIds?: number[] | null;
      /** Personas. They get it by e-mail at any hour, if their e-mail contact is active */
      personaIds?: string[];
      addresses?: string[];
      /** Webhook subscriptions whose URLs get the figures, signed like events, with the type `report` */
      webhookSubscriptionIds?: string[];
      language?: "en" | "es";
      /** Whether it is sent on schedule. Needs a recipient */
      isActive?: boolean;
      /** Those who are still not to get it: who is left out gets it again. So does who is newly written into `addresses` */
      leftAddresses?: string[];
    };
    CreateReportSubscriptionBody: {
      name: string;
      /** `shift`: after the end of each shift, of that shift; `daily`: of the day before; `weekly`: of the seven days before */
      kind: "shift" | "daily" | "weekly";
      /** Daily and weekly reports: when they are sent, HH:mm in the company's time zone. On the night of a clock change, a time that does not exist means the first instant after it, and a time that occurs twice means the first */
      time?: string | null;
      /** `daily`: the days on which it is sent, null: every day; `weekly`: the one day; `shift`: null */
      weekdays?: ("monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday")[] | null;
      /** Null: all. The machines in the report; not together with `lineIds` */
      machineIds?: number[] | null;
      /** Null: all. The lines whose machines are in the report */
      lineIds?: number[] | null;
      /** Null: all. The shifts after which a `shift` report is sent */
      shiftIds?: number[] | null;
      /** Personas. They get it by e-mail at any hour, if their e-mail contact is active */
      personaIds?: string[];
      addresses?: string[];
      /** Webhook subscriptions whose URLs get the figures, signed like events, with the type `report` */
      webhookSubscriptionIds?: string[];
      language?: "en" | "es";
      /** Whether it is sent on schedule. Needs a recipient */
      isActive?: boolean;
      /** The company it will belong to: your own by default; only superusers may name another one */
      companyId?: number;
    };
    GetMetricReportBody: {
      /** Only these; an empty list selects nothing */
      companyIds?: number[];
      /** Only these; an empty list selects nothing */
      machineIds?: number[];
      /** Only these; an empty list selects nothing */
      shiftIds?: number[];
      /** Shifts that start at or after this */
      from?: string;
      /** Shifts that start before this */
      to?: string;
      page?: number;
      pageSize?: number;
      /** The shifts that were closed at this instant, as they were reported then; running ones are left out. Names are those of now. At least 10 seconds ago. A shift counts as closed ten minutes after its end */
      asOf?: string;
      /** By start; newest first by default */
      direction?: "asc" | "desc";
    };
    GetStopReportBody: {
      /** Only these; an empty list selects nothing */
      companyIds?: number[];
      /** Only these; an empty list selects nothing */
      machineIds?: number[];
      /** Only these; an empty list selects nothing */
      shiftIds?: number[];
      /** Shifts that start at or after this */
      from?: string;
      /** Shifts that start before this */
      to?: string;
      page?: number;
      pageSize?: number;
      /** The shifts that were closed at this instant, as they were reported then; running ones are left out. Names are those of now. At least 10 seconds ago. A shift counts as closed ten minutes after its end */
      asOf?: string;
      /** By start; newest first by default */
      direction?: "asc" | "desc";
      isProgrammed?: boolean;
      isManual?: boolean;
      isIncludedInStops?: boolean;
      isIncludedInAvailability?: boolean;
      isClassified?: boolean;
      /** Whether the stop is still open */
      isOpen?: boolean;
      /** Of the part of the stop in the shift */
      minDurationInMinutes?: number;
      /** Ids as text, as in the answer, or as numbers */
      generalCauseIds?: (number | string)[];
      /** Ids as text, as in the answer, or as numbers */
      specificCauseIds?: (number | string)[];
      /** Ids as text, as in the answer, or as numbers */
      componentIds?: (number | string)[];
      includeDeleted?: boolean;
    };
    GetStopMetricsBody: {
      filter_by: {
        /** `from` is included, `to` is not; minutes and stops outside the range are left out */
        date_range: {
          /** ISO 8601 with Z or an offset */
          from: string;
          /** ISO 8601 with Z or an offset */
          to: string;
        };
        /** Only these; an empty list selects nothing */
        machine_ids?: number[];
        /** Only these; an empty list selects nothing */
        shift_ids?: number[];
        is_programmed?: boolean;
        /** Superusers only; all others mean their own */
        company_id?: number;
      };
      metrics: (
        | "stop_count"
        | "stop_duration"
        | "programmed_duration"
        | "non_programmed_duration"
        | "unclassified_count"
        | "mttr"
        | "mtbf"
      )[];
      interval?: "hour" | "day" | "week";
      group_by?: "machine" | "shift" | "general_cause" | "specific_cause" | "component";
    };
    RecordStopBody: {
      /** Of a general cause of the company, as a number or as text */
      generalCauseId?: number | string | null;
      /** Of a specific cause of the company, as a number or as text */
      specificCauseId?: number | string | null;
      /** Of a component cause of the company, as a number or as text */
      componentId?: number | string | null;
      description?: string | null;
      isProgrammed?: boolean;
      isIncludedInStops?: boolean;
      isIncludedInAvailability?: boolean;
      machineId: number;
      /** ISO 8601 with Z or an offset */
      startTime: string;
      /** After `startTime`, at most 400 days ahead. A stop that ends in the future is planned: its `isProgrammed` must be true */
      endTime: string;
      name?: string | null;
    };
    ChangeStopBody: {
      isProgrammed?: boolean;
      isIncludedInStops?: boolean;
      isIncludedInAvailability?: boolean;
      /** Null: the name of the cause or of the break */
      name?: string | null;
    };
    ClassifyStopBody: {
      /** Of a general cause of the company, as a number or as text */
      generalCauseId?: number | string | null;
      /** Of a specific cause of the company, as a number or as text */
      specificCauseId?: number | string | null;
      /** Of a component cause of the company, as a number or as text */
      componentId?: number | string | null;
      description?: string | null;
    };
    ClassifyStopsBody: {
      /** Of a general cause of the company, as a number or as text */
      generalCauseId?: number | string | null;
      /** Of a specific cause of the company, as a number or as text */
      specificCauseId?: number | string | null;
      /** Of a component cause of the company, as a number or as text */
      componentId?: number | string | null;
      description?: string | null;
      /** Only superusers may name another company than their own */
      companyId?: number;
      /** The stops. Either these or a `filter` */
      ids?: number[];
      /** All stops that the list of stops has with the same filters, up to 10,000 */
      filter?: {
        machineIds?: number[];
        /** Stops that start in one of these shifts */
        shiftIds?: number[];
        /** Stops that start at or after this */
        from?: string;
        /** Stops that start before this */
        to?: string;
        isProgrammed?: boolean;
        isManual?: boolean;
        isIncludedInStops?: boolean;
        isIncludedInAvailability?: boolean;
        /** Whether the stop has a cause, a component or a description */
        isClassified?: boolean;
        /** Whether the stop is going on */
        isOpen?: boolean;
        minDurationInMinutes?: number;
        generalCauseIds?: number[];
        specificCauseIds?: number[];
        hasGeneralCause?: boolean;
        hasSpecificCause?: boolean;
        componentIds?: number[];
      };
      /** Only counts the stops, and changes nothing */
      dryRun?: boolean;
    };
    SplitStopBody: {
      /** The start of the second part, inside the stop */
      at: string;
    };
    MergeStopsBody: {
      /** Stops of one machine, each starting where the previous one ends */
      ids: number[];
      /** The versions of the stops, in the order of `ids`. 409 if someone has changed one of them since */
      versions?: number[];
    };
    AttachOrphanedEditBody: {
      /** A stop of the same machine */
      stopId: number;
    };
    SaveTagKeyBody: {
      companyId: number;
      sort: number;
      subject: "Machines" | "Operators" | "Skus" | "WorkOrders" | "Stops" | "Shifts" | "Sensors";
      tagKey: string;
      description: string;
      color: string;
      isDefault: boolean;
      /** Of the tag to change */
      id?: string;
    };
    ReplayEventsBody: {
      /** ISO 8601 with Z or an offset */
      since: string;
    };
    CreateWebhookSubscriptionBody: {
      /** Where events are sent: https, port 443, and a host with a public name, not an address. Redirects are not followed */
      url: string;
      /** Which events; null: all */
      events?:
        | (
            | "stop.opened"
            | "stop.closed"
            | "stop.changed"
            | "stop.classified"
            | "shift.closed"
            | "shift.revised"
            | "machine.no_data"
            | "machine.signal_back"
            | "machine.counts_held"
            | "operator.signed_in"
            | "operator.signed_out"
            | "work_order.created"
            | "work_order.started"
            | "work_order.late"
            | "work_order.completed"
            | "alert.opened"
            | "alert.escalated"
            | "alert.acknowledged"
            | "alert.resolved"
            | "help.called"
          )[]
        | null;
      /** Only events of these machines; null: of all */
      machineIds?: number[] | null;
      /** Only events of machines that are in these lines at the time; null: of all. Not together with `machineIds` */
      lineIds?: number[] | null;
      /** Whether events are sent. Setting it to true restarts a subscription that has ended */
      isActive?: boolean;
      /** What it is for */
      description?: string;
      /** Whether it gets a secret of its own, shown in the answer; otherwise calls are signed with the company's */
      hasOwnSecret?: boolean;
      /** The company it will belong to: your own by default; only superusers may name another one */
      companyId?: number;
    };
    ChangeWebhookSubscriptionBody: {
      /** Where events are sent: https, port 443, and a host with a public name, not an address. Redirects are not followed */
      url?: string;
      /** Which events; null: all */
      events?:
        | (
            | "stop.opened"
            | "stop.closed"
            | "stop.changed"
            | "stop.classified"
            | "shift.closed"
            | "shift.revised"
            | "machine.no_data"
            | "machine.signal_back"
            | "machine.counts_held"
            | "operator.signed_in"
            | "operator.signed_out"
            | "work_order.created"
            | "work_order.started"
            | "work_order.late"
            | "work_order.completed"
            | "alert.opened"
            | "alert.escalated"
            | "alert.acknowledged"
            | "alert.resolved"
            | "help.called"
          )[]
        | null;
      /** Only events of these machines; null: of all */
      machineIds?: number[] | null;
      /** Only events of machines that are in these lines at the time; null: of all. Not together with `machineIds` */
      lineIds?: number[] | null;
      /** Whether events are sent. Setting it to true restarts a subscription that has ended */
      isActive?: boolean;
      /** What it is for */
      description?: string;
    };
    CreateWidgetBody: {
      title: {
        en: string;
        es: string;
      };
      description: {
        en: string;
        es: string;
      };
      /** Drawing instructions for the client: at most 64 KiB of JSON */
      spec: Record<string, unknown>;
      featureRequirements?: string;
      labels?: string;
      /** Whether every company sees it; only superusers create these */
      isSystem?: boolean;
      /** The company it will belong to: your own by default; only superusers may name another one */
      companyId?: number;
    };
    ChangeWidgetBody: {
      title?: {
        en: string;
        es: string;
      };
      description?: {
        en: string;
        es: string;
      };
      /** Drawing instructions for the client: at most 64 KiB of JSON */
      spec?: Record<string, unknown>;
      featureRequirements?: string;
      labels?: string;
    };
    PromoteWidgetBody: {
      /** The company that owns the widget; superadmins can only name their own */
      sourceCompanyId: number;
      widgetId: string;
    };
    UploadThumbnailBody: {
      file: Blob;
    };
    CreateDashboardBody: {
      title: {
        en: string;
        es: string;
      };
      description: {
        en: string;
        es: string;
      };
      /** Drawing instructions for the client: at most 64 KiB of JSON */
      spec: Record<string, unknown>;
      /** The widgets on the dashboard */
      instances?: {
        /** The id of an existing instance; omitted for a new one */
        id?: string;
        /** A widget of the company or the system */
        widgetId: string;
        /** At most 64 KiB of JSON */
        specOverride?: Record<string, unknown>;
        /** At most 64 KiB of JSON */
        visualConfig?: Record<string, unknown>;
      }[];
      /** Whether every company sees it; only superusers create these */
      isSystem?: boolean;
      /** The company it will belong to: your own by default; only superusers may name another one */
      companyId?: number;
    };
    ChangeDashboardBody: {
      title?: {
        en: string;
        es: string;
      };
      description?: {
        en: string;
        es: string;
      };
      /** Drawing instructions for the client: at most 64 KiB of JSON */
      spec?: Record<string, unknown>;
      /** The widgets on the dashboard */
      instances?: {
        /** The id of an existing instance; omitted for a new one */
        id?: string;
        /** A widget of the company or the system */
        widgetId: string;
        /** At most 64 KiB of JSON */
        specOverride?: Record<string, unknown>;
        /** At most 64 KiB of JSON */
        visualConfig?: Record<string, unknown>;
      }[];
    };
    PutFavoriteDashboardBody: {
      isFavorited: boolean;
    };
  };
  responses: {
    Problem400: {
      headers: Record<string, string>;
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    Problem401: {
      headers: Record<string, string>;
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    Problem403: {
      headers: Record<string, string>;
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    Problem404: {
      headers: Record<string, string>;
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    Problem412: {
      headers: Record<string, string>;
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    Problem429: {
      headers: Record<string, string>;
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    Problem500: {
      headers: Record<string, string>;
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    Problem503: {
      headers: Record<string, string>;
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    Problem408: {
      headers: Record<string, string>;
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    Problem409: {
      headers: Record<string, string>;
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    Problem413: {
      headers: Record<string, string>;
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    Problem415: {
      headers: Record<string, string>;
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    Problem410: {
      headers: Record<string, string>;
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
  };
}
