import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Role, roles } from "../../src/db/schema.ts";
import { call } from "../support/call.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { createApiToken, createCompany, createUser, createUserConfig } from "../support/factories.ts";
import { type Callers, createCallers } from "./callers.ts";
import { everything } from "./everything.ts";
import { operationById, operations } from "./operations.ts";
import { endsOwnTokens, type OperationId, requests } from "./requests.ts";
import { nowhere } from "./world.ts";

// The answer to each caller about a company's things, and the operations that answer that way. The stranger is a superadmin of
// another company; a superuser of the first one requests things that do not exist.
const table = `
nobody broken gateway superuser superadmin admin user readonly stranger nowhere
200    200    200     200       200        200   200  200      200      200      getHealth getOpenapi getService getClaim
200    200    200     200       200        200   200  200      200      404      getThumbnail getWallPairing getTerminalPairing
201    201    201     201       201        201   201  201      201      201      createWallPairing createTerminalPairing
200    200    200     200       200        200   200  200      200      400      confirmGatewayPairing
401    401    200     403       403        403   403  403      403      403      getOwnGateway putOwnGatewayStatus
200    200    200     200       200        200   200  200      200      401      login
401    401    403     200       200        200   200  200      200      200      changePassword
401    401    403     204       204        204   204  204      204      204      signOut
401    401    200     200       200        200   403  403      403      200      ingest

401    401    403     200       200        200   200  200      200      200      listRealtimeOperators getConfig putConfig
401    401    403     200       200        200   200  200      200      200      listNotifications listRolePermissions
401    401    403     200       200        200   200  200      200      200      listChannels getPushKey putPushDevice
401    401    403     200       200        200   200  200      200      404      getRolePermission
401    401    403     204       204        204   204  204      204      204      markNotificationsRead
401    401    403     200       200        200   200  200      404      200      listTags
401    401    403     200       200        200   200  200      404      200      listReportSubscriptions
401    401    403     200       200        200   200  200      404      404      getMachineState explainShift getRuns getPresences getAvailability getStop listStopChanges
401    401    403     200       200        200   200  200      404      404      listStops listWorkOrders listHelpCalls listActions listHandOvers listEvents
401    401    403     200       200        200   200  200      404      404      getWorkOrder listSubscriptionLogs getStopMetrics getSummary
401    401    403     200       200        200   200  200      404      404      listShiftRecords listStopRecords getPlantState getTimeline getLive
401    401    403     200       200        200   200  200      404      404      getProduction listOperatorShifts listRecordOperators listShiftRevisions explainRecord
401    401    403     200       200        200   200  200      404      404      archiveDashboard updateOperatorPlan uploadThumbnail
401    401    403     204       204        204   204  204      404      404      putFavoriteDashboard
401    401    403     200       200        200   403  403      404      200      listAudit listPersonas listMessages
401    401    403     200       200        200   403  403      404      404      getPersona testPersona testChatRoom listMachineEvents
401    401    403     204       204        204   403  403      404      404      deletePersona
401    401    403     201       201        201   403  403      404      404      addPersona
401    401    403     200       200        200   403  403      200      200      getWebhookSecret rotateWebhookSecret
401    401    403     200       200        200   403  403      404      404      saveTagKey
401    401    403     200       200        403   403  403      404      404      promoteWidget
401    401    403     200       403        403   403  403      403      200      getMetricReport getStopReport
401    401    403     200       403        403   403  403      403      404      createPersona
401    401    403     204       403        403   403  403      403      404      updateCountSensors updateRolePermission deleteRolePermission
401    401    403     201       403        403   403  403      403      201      createRolePermission

401    401    403     200       200        200   200  403      400      400      createWorkOrder
401    401    403     204       204        204   204  403      404      404      updateWorkOrder updateTarget updateProgress deleteWorkOrder
401    401    403     204       204        204   403  403      404      404      deleteConfig

401    401    403     201       201        201   201  403      400      400      recordStop createCorrection
401    401    403     201       201        201   201  403      404      404      createHelpCall createHandOver createAction
401    401    403     200       200        200   200  403      404      404      answerHelpCall acknowledgeIncident changeAction changeHandOver acknowledgeHandOver
401    401    403     200       200        200   200  200      404      404      getHelpCall getAction getHandOver getShiftFigures getIncident getBookClosing getRecalculation getStopClassification listHeldEvents listSignals listGateways listEventsOfHeld listCorrections getCorrection listEventWithdrawals getEventWithdrawal listOrphanedEdits
401    401    403     200       200        200   403  403      404      404      acceptHeldEvents dropHeldEvents reopenBookClosing
401    401    403     200       200        200   403  403      404      404      getImport listImportErrors undoImport
401    401    403     200       200        200   403  403      404      200      listImports listSetUpImports
401    401    403     201       201        201   403  403      404      404      createImport
401    401    403     200       200        200   200  200      404      400      tryAlertRule
401    401    403     200       200        200   200  403      404      404      signOperatorIn signOperatorOut startRun amendRuns amendPresences
401    401    403     200       200        200   200  403      404      404      changeStop classifyStop classifyStops declassifyStop splitStop mergeStops undoStopClassification attachOrphanedEdit
401    401    403     204       204        204   204  403      404      404      deleteStop undoCorrection dropOrphanedEdit undoRunAmendment undoPresenceAmendment

401    401    403     200       200        200   200  200      404      200      listCompanies listMachines listShifts listOperators listSkus
401    401    403     200       200        200   200  200      404      200      listStopCauses listOperatorPlans listWidgets listDashboards
401    401    403     200       200        200   200  200      404      200      listCountSensors listBookClosings listRecalculations listStopClassifications
401    401    403     200       200        200   200  200      404      200      listGatewayTokens listLines listDefectReasons listCalendarDays listAlertRules listChatRooms listIncidents
401    401    403     200       200        200   200  200      404      404      getCompany getMachine getShift getOperator getSku
401    401    403     200       200        200   200  200      404      404      getStopCause getOperatorPlan getWidget getDashboard
401    401    403     200       200        200   200  200      404      404      getGatewayToken getLine getDefectReason getCalendarDay getReportSubscription previewReportSubscription getAlertRule getChatRoom
401    401    403     201       201        201   403  403      404      404      createMachine createShift createOperator createSku
401    401    403     201       201        201   403  403      404      404      createStopCause createOperatorPlan createWidget createDashboard
401    401    403     201       201        201   403  403      404      404      createGatewayToken createLine createDefectReason createCalendarDay createReportSubscription createAlertRule createChatRoom
401    401    403     201       201        201   403  403      404      404      uploadOperatorPlan createBookClosing
401    401    403     201       201        201   403  403      404      400      createRecalculation
401    401    403     201       201        201   403  403      400      400      createEventWithdrawal
401    401    403     200       200        200   403  403      404      404      changePersona
401    401    403     200       200        200   200  200      404      404      checkSetUp getPlantFile getUsage
401    401    403     200       200        200   403  403      404      404      changeCompany putPlantFile createSetUpImport undoSetUpImport changeMachine changeShift changeOperator changeSku
401    401    403     200       200        200   403  403      404      404      changeStopCause changeOperatorPlan changeWidget
401    401    403     200       200        200   403  403      404      404      changeDashboard changeGatewayToken unarchiveDashboard changeLine changeDefectReason changeCalendarDay changeReportSubscription runReportSubscription changeAlertRule changeChatRoom
401    401    403     200       200        200   200  200      404      404      listCompanyVersions listMachineVersions listShiftVersions listSkuVersions listStopCauseVersions
401    401    403     204       204        204   403  403      404      404      withdrawCompanyVersion withdrawMachineVersion withdrawShiftVersion withdrawSkuVersion withdrawStopCauseVersion
401    401    403     200       200        200   403  403      404      404      putCountSensor
401    401    403     200       200        200   403  403      404      404      restoreMachine restoreShift restoreOperator restoreSku restoreStopCause restoreOperatorPlan restoreWidget restoreDashboard restoreLine
401    401    403     200       200        200   403  403      404      404      restoreDefectReason restoreCalendarDay restoreReportSubscription restoreAlertRule restoreChatRoom
401    401    403     204       204        204   403  403      404      404      restoreEvents deleteMachine deleteShift deleteOperator deleteSku
401    401    403     204       204        204   403  403      404      404      deleteStopCause deleteOperatorPlan deleteWidget ignoreSignal
401    401    403     204       204        204   403  403      404      404      deleteDashboard deleteGatewayToken deleteLine deleteDefectReason deleteCalendarDay deleteReportSubscription deleteAlertRule deleteChatRoom

401    401    403     200       200        200   403  403      404      200      listApiTokens listWebhookSubscriptions
401    401    403     200       200        200   403  403      404      404      getWebhookSubscription changeWebhookSubscription restoreWebhookSubscription rotateSubscriptionSecret
401    401    403     200       200        200   403  403      404      404      pingWebhookSubscription listDeliveries replayEvent replayEvents
401    401    403     201       201        201   403  403      404      404      createWebhookSubscription
401    401    403     204       204        204   403  403      404      404      deleteWebhookSubscription
401    401    403     200       200        200   403  403      404      404      getApiToken changeApiToken
401    401    403     201       201        201   403  403      404      404      createApiToken
401    401    403     200       200        200   403  403      404      404      confirmWallPairing confirmTerminalPairing getGatewayPairing
401    401    403     201       201        201   403  403      404      404      createGatewayPairing
401    401    403     204       204        204   403  403      404      404      deleteApiToken

401    401    403     201       403        403   403  403      403      201      createCompany
401    401    403     200       403        403   403  403      403      404      setUsageLimits
401    401    403     204       403        403   403  403      403      404      deleteCompany
401    401    403     200       200        200   403  403      404      200      listUsers
401    401    403     200       200        200   403  403      404      404      getUser changeUser restoreUser listUserDependents
401    401    403     201       201        201   403  403      404      404      createUser
401    401    403     204       204        204   403  403      404      404      deleteUser
`;

const [callerNames = [], ...lines] = table.split("\n").flatMap((line) => (line ? [line.trim().split(/ +/)] : []));
const rows = lines.flatMap((cells) => {
  const statuses = Object.fromEntries(callerNames.map((caller, i) => [caller, Number(cells[i])]));
  return cells.slice(callerNames.length).map((id) => ({ id: id as OperationId, statuses }));
});

let callers: Callers;
beforeAll(async () => {
  callers = await createCallers();
  // The service logs thousands of lines that nobody reads.
  vi.spyOn(console, "log").mockReturnValue(undefined);
});
afterAll(() => vi.restoreAllMocks());

/** Operations on a person's own things, or on access. */
const forPeople: readonly OperationId[] = [
  ...endsOwnTokens,
  ...(["getConfig", "putConfig", "deleteConfig", "putFavoriteDashboard", "listNotifications", "markNotificationsRead"] as const),
  ...(["createUser", "changeUser", "deleteUser", "restoreUser", "createApiToken", "changeApiToken", "deleteApiToken"] as const),
  ...(["createRolePermission", "deleteRolePermission"] as const),
  ...([
    "confirmWallPairing",
    "confirmTerminalPairing",
    "createGatewayPairing",
    "getGatewayPairing",
    "getPushKey",
    "putPushDevice",
  ] as const),
];
const isReading = (id: OperationId) => {
  const readsByPost = ["getMetricReport", "getStopReport", "getStopMetrics", "tryAlertRule"].includes(id);
  return readsByPost || (operationById.get(id)?.method === "GET" && id !== "getWebhookSecret");
};

describe("the table", () => {
  it("has a row for every operation and nothing else", () => {
    expect(rows.map(({ id }) => id).sort()).toEqual(operations.map(({ id }) => id).sort());
    expect(lines.flatMap((cells) => cells.slice(0, callerNames.length).map(Number))).not.toContain(Number.NaN);
  });

  it.each(rows)("agrees with the API document: $id", ({ id, statuses }) => {
    const { roles: documented = [], permission } = operationById.get(id) ?? {};
    const served = ["gateway", ...roles].filter((caller) => (statuses[caller] ?? 500) < 300);
    if (permission === undefined && documented.length > 0) expect(served.sort()).toEqual([...documented].sort());
    expect(permission !== undefined || documented.length > 0).toBe(statuses.nobody === 401);
  });
});

describe("a caller", () => {
  it.each(rows)("gets the table's answer from $id, and a refusal changes nothing", async ({ id, statuses }) => {
    const { world, send } = callers;
    const about = async (caller: string) => await requests[id](caller === "nowhere" ? nowhere() : world);
    // Those who are refused send the same one: a refusal changes nothing that another one depends on.
    const [ofWorld, ofNowhere] = [await about("superuser"), await about("nowhere")];
    const refused = callerNames.filter((caller) => (statuses[caller] ?? 0) >= 400);
    const served = callerNames.filter((caller) => !refused.includes(caller));
    const answered: Record<string, number> = {};
    const before = await everything();
    for (const caller of refused) {
      const answer = await send(id, caller, caller === "nowhere" ? ofNowhere : ofWorld);
      answered[caller] = answer.status;
      if (answer.status >= 400) expectProblem(answer, answer.status);
    }
    expect(await everything()).toEqual(before);
    for (const caller of served) answered[caller] = (await send(id, caller, await about(caller))).status;
    expect(answered).toEqual(statuses);
  });

  it("can delete their own config, with a grant", async () => {
    for (const role of roles) {
      const { userId, companyId, token } = await createUser(callers.world.companyId, role);
      expect((await call("DELETE", "/config", { token, body: { userId, companyId } })).status, role).toBe(204);
    }
  });
});

describe("grants, where the contract lists no roles", () => {
  afterAll(() => vi.useRealTimers());

  it("decide, and a change of them takes effect within thirty seconds", async () => {
    const seeded = await env.DIRECTORY.prepare(
      `select id, permission_id from role_permissions where role_id = 'user'
        and permission_id in ('work-orders:write', 'targets:write', 'progress:write')`,
    ).all<{ id: string; permission_id: string }>();
    expect(seeded.results).toHaveLength(3);
    const { world, ask, tokens } = callers;
    const granted = ["createWorkOrder", "updateWorkOrder", "updateTarget", "updateProgress"] as const;
    const statuses = (role: Role) => Promise.all(granted.map(async (id) => (await ask(id, role, world)).status));
    const done = [200, 204, 204, 204];
    expect([await statuses("user"), await statuses("readonly")]).toEqual([done, Array(4).fill(403)]);

    const give = async (roleId: Role) => {
      for (const { id, permission_id: permissionId } of seeded.results) {
        const answer = await call("PUT", `/role-permissions/${id}`, {
          token: tokens.superuser ?? "",
          body: { roleId, permissionId },
        });
        expect(answer.status).toBe(204);
      }
      vi.setSystemTime(Date.now() + 30_000);
    };
    vi.useFakeTimers({ toFake: ["Date"] });
    await give("readonly");
    expect([await statuses("user"), await statuses("readonly")]).toEqual([Array(4).fill(403), done]);
    expect(await statuses("superuser")).toEqual(done);
    await give("user");
    expect([await statuses("user"), await statuses("readonly")]).toEqual([done, Array(4).fill(403)]);
  });

  it("decide who deletes configs: the own one, and others'", async () => {
    const { world, tokens } = callers;
    const { userId } = await createUser((await createCompany()).companyId, "user");
    const other = await createUser(world.companyId, "admin");
    for (const [role, body, status] of [
      ["user", { userId: other.userId, companyId: world.companyId }, 403],
      ["admin", { userId, companyId: world.companyId }, 404],
      ["superuser", { userId: other.userId, companyId: world.companyId }, 204],
    ] as const) {
      await createUserConfig(other.userId, world.companyId).catch(() => undefined);
      expect((await call("DELETE", "/config", { token: tokens[role] ?? "", body })).status, role).toBe(status);
    }
  });
});

describe("a program", () => {
  it.each(rows)(
    "gets its role's answer from $id, unless that is for people, or a write with a read-only token",
    async ({ id, statuses }) => {
      // Open to anyone: tokens are not checked.
      if (statuses.nobody !== 401) return;
      const { world } = callers;
      const creator = await createUser(world.companyId, "superuser");
      const [program, reader] = [await createApiToken(creator), await createApiToken(creator, { isReadOnly: true })];
      const served = forPeople.includes(id) ? 403 : statuses.superuser;
      const before = await requests[id](world);
      const read = await call(operationById.get(id)?.method ?? "", before.path, { ...before, token: reader.token });
      expect(read.status, JSON.stringify(read.body)).toBe(isReading(id) ? served : 403);
      const sent = await requests[id](world);
      const answer = await call(operationById.get(id)?.method ?? "", sent.path, { ...sent, token: program.token });
      expect(answer.status, JSON.stringify(answer.body)).toBe(served);
      if (served === 403) expectProblem(answer, 403);
    },
  );
});
