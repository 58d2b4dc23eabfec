import type { MachineObject } from "../../src/objects/machine-protocol.ts";
import type { OperationId } from "../table/requests.ts";

// What may change a number of the past, as data: test/checks/past-writers.test.ts finds what is missing here in the sources, and
// test/api/books/writers.test.ts does each of them before books are closed, meanwhile, and afterwards.

/**
 * What each call of a machine's object may do to the past. `door`: it asks isOpenFrom. `floor`: it computes, from where the books end. `nothing`: it
 * changes no number. `books`: it closes or reopens them.
 */
export const callsOfMachines: Record<keyof MachineObject, "door" | "floor" | "nothing" | "books"> = {
  ingest: "door",
  report: "door",
  heardAt: "nothing",
  recalculableFrom: "nothing",
  configure: "floor",
  operators: "floor",
  explain: "floor",
  state: "floor",
  overview: "floor",
  editStops: "door",
  amend: "door",
  undoAmendment: "door",
  past: "nothing",
  decideOrphan: "door",
  matchingEvents: "door",
  withdrawEvents: "door",
  restoreEvents: "door",
  classifyStops: "door",
  undoClassification: "door",
  cutRun: "door",
  sentEvents: "nothing",
  heldCounts: "nothing",
  decideHeld: "door",
  correct: "door",
  undoCorrection: "door",
  watch: "floor",
  addHistory: "door",
  endHistory: "floor",
  withdrawHistory: "door",
  recalculate: "floor",
  dryRun: "nothing",
  publish: "floor",
  closeBooks: "books",
  reopenBooks: "books",
  historyFrom: "nothing",
};

/** The files of a machine that ask the door, or begin where it says. */
export const askTheDoor = [
  "edits/amend.ts",
  "edits/classify-stops.ts",
  "edits/correct.ts",
  "edits/cut-run.ts",
  "edits/decide-held.ts",
  "edits/edit-stops.ts",
  "edits/report-once.ts",
  "edits/withdraw-events.ts",
  "edits/withdraw-history.ts",
  "inputs/input-log.ts",
  "ledger/publish-shifts.ts",
  "ledger/recalculation.ts",
  "ledger/replay.ts",
  "settings/apply-settings.ts",
  "settings/follow-orders.ts",
  "settings/sign-out-deleted.ts",
];

/** The files of a machine that change what it computes from: they ask the door, or are called by such. */
export const changeInputs = [
  ...askTheDoor,
  "inputs/add-history.ts",
  "ledger/asked-recalculations.ts",
  "ledger/close-books.ts",
  "ledger/dry-run.ts",
  "ledger/recalculate.ts",
  "machine-object.ts",
];

/** The files with statements that write the tables of shifts. Those of the retention delete, which is allowed. */
export const writeShifts = [
  "src/jobs/retention/forget-of-company.ts",
  "src/jobs/retention/queries.ts",
  "src/machine/publish/flush-statements.ts",
  "src/machine/publish/replaced-rows.ts",
];

/** The files whose writes say what they change of the past. */
export const sayThePast = [
  "src/api/ingest/count-sensors/sensors.ts",
  "src/api/ingest/imports/imports.ts",
  "src/api/machines/recalculations/recalculations.ts",
  "src/api/orders/progress.ts",
  "src/resource/items.ts",
];

/** The operations that may change numbers: test/api/books/writers.ts does each of them. */
export const changeNumbers = [
  ...(["ingest", "acceptHeldEvents", "dropHeldEvents", "createImport", "undoImport", "createRecalculation"] as const),
  ...(["signOperatorIn", "signOperatorOut", "startRun", "createCorrection", "undoCorrection"] as const),
  ...(["createEventWithdrawal", "restoreEvents"] as const),
  ...(["amendRuns", "undoRunAmendment", "amendPresences", "undoPresenceAmendment"] as const),
  ...(["recordStop", "changeStop", "classifyStop", "declassifyStop", "splitStop", "mergeStops", "deleteStop"] as const),
  ...(["classifyStops", "undoStopClassification", "attachOrphanedEdit", "dropOrphanedEdit"] as const),
  ...(["updateProgress", "updateWorkOrder", "deleteWorkOrder"] as const),
  ...(["createMachine", "changeMachine", "deleteMachine", "createShift", "changeShift", "deleteShift"] as const),
  "putPlantFile",
  ...(["changeSku", "deleteSku", "changeCompany", "changeStopCause", "deleteStopCause"] as const),
  ...(["withdrawMachineVersion", "withdrawShiftVersion", "withdrawSkuVersion", "withdrawCompanyVersion"] as const),
  ...([
    "createCalendarDay",
    "changeCalendarDay",
    "deleteCalendarDay",
    "restoreCalendarDay",
    "putCountSensor",
    "updateCountSensors",
  ] as const),
  ...(["createOperatorPlan", "changeOperatorPlan", "updateOperatorPlan", "uploadOperatorPlan", "deleteOperatorPlan"] as const),
  "deleteOperator",
] as const satisfies readonly OperationId[];
export type NumberOperation = (typeof changeNumbers)[number];

/** The other operations that write, by why they change no number of the past. */
export const changeNoNumber: Record<string, readonly OperationId[]> = {
  "closes and reopens books": ["createBookClosing", "reopenBookClosing"],
  "numbers only depend on it once something else names it": [
    ...(["createCompany", "createOperator", "createSku", "createStopCause", "createLine", "createDefectReason"] as const),
    ...(["createWorkOrder", "createGatewayToken", "createGatewayPairing", "confirmGatewayPairing"] as const),
  ],
  "says how a gateway does": ["putOwnGatewayStatus"],
  "names things": [
    ...(["changeLine", "deleteLine", "changeDefectReason", "deleteDefectReason", "changeOperator", "saveTagKey"] as const),
  ],
  "brings back what counts from now on": [
    ...(["restoreMachine", "restoreShift", "restoreSku", "restoreStopCause", "restoreOperator", "restoreOperatorPlan"] as const),
    ...(["restoreLine", "restoreDefectReason", "restoreUser", "restoreAlertRule", "restoreChatRoom"] as const),
    ...(["restoreWebhookSubscription", "restoreReportSubscription", "restoreWidget", "restoreDashboard"] as const),
  ],
  "its changes hold from now on": ["createSetUpImport", "undoSetUpImport"],
  "its dates are of the future alone": ["withdrawStopCauseVersion"],
  "hides what feeds no machine": ["ignoreSignal"],
  "says how much is to be made": ["updateTarget"],
  "ends the company, and changes none of its rows": ["deleteCompany"],
  "says what is done about a loss": ["createAction", "changeAction"],
  "says what a shift hands over": ["createHandOver", "changeHandOver", "acknowledgeHandOver"],
  "who may do what": [
    ...(["createApiToken", "changeApiToken", "deleteApiToken", "changeGatewayToken", "deleteGatewayToken"] as const),
    ...(["login", "signOut", "changePassword", "createUser", "changeUser", "deleteUser", "updateRolePermission"] as const),
    ...(["createRolePermission", "deleteRolePermission"] as const),
    ...(["createWallPairing", "confirmWallPairing", "createTerminalPairing", "confirmTerminalPairing"] as const),
    ...(["putConfig", "deleteConfig", "putFavoriteDashboard", "setUsageLimits"] as const),
  ],
  "who is notified, and of what": [
    ...([
      "createAlertRule",
      "changeAlertRule",
      "deleteAlertRule",
      "createPersona",
      "addPersona",
      "changePersona",
      "deletePersona",
    ] as const),
    ...(["testPersona", "putPushDevice", "createChatRoom", "changeChatRoom", "deleteChatRoom", "testChatRoom"] as const),
    ...(["createHelpCall", "answerHelpCall", "acknowledgeIncident", "markNotificationsRead"] as const),
    ...(["createWebhookSubscription", "changeWebhookSubscription", "deleteWebhookSubscription"] as const),
    ...(["pingWebhookSubscription", "replayEvent", "replayEvents", "getWebhookSecret"] as const),
    ...(["rotateWebhookSecret", "rotateSubscriptionSecret"] as const),
  ],
  "how numbers are shown": [
    ...(["createReportSubscription", "changeReportSubscription", "deleteReportSubscription"] as const),
    ...(["runReportSubscription"] as const),
    ...(["createWidget", "changeWidget", "deleteWidget", "promoteWidget", "uploadThumbnail"] as const),
    ...(["createDashboard", "changeDashboard", "deleteDashboard", "archiveDashboard", "unarchiveDashboard"] as const),
  ],
};
