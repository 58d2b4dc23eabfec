import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { Answer } from "../support/answer.ts";
import { call } from "../support/call.ts";
import { createUser } from "../support/factories.ts";
import { changed, serviceWith } from "../support/service.ts";
import { crowdAround } from "./crowd.ts";
import { isRead as isReadOperation, type Operation, operations } from "./operations.ts";
import { endsOwnTokens, type GoodRequest, type OperationId, requests } from "./requests.ts";
import { createWorld, password, type World } from "./world.ts";

// The limits of what each operation may cost in D1, with thousands of rows in every table: round trips, rows read, and the query
// plan of each statement. Times depend on the computer, these numbers do not.

// A read takes one trip. A write takes two: one reads the data that it depends on, one commits it.

/** Operations that take another number of trips, and why. */
const otherTrips: Partial<Record<OperationId, number>> = {
  // The migrations of both databases, the encrypted texts and the oldest rows are looked at separately, each with its own time limit.
  getHealth: 4,
  // The attempt is counted in the directory while the user is read, and taken back while the audit entry is stored.
  login: 4,
  // As a login; and the new password is first checked against the user's own data.
  changePassword: 6,
  // The audit entry is stored with the change in the directory, and then moved to the company's database.
  updateRolePermission: 5,
  createRolePermission: 5,
  deleteRolePermission: 5,
  // A picture is not stored before its widget is known to exist.
  uploadThumbnail: 3,
  // It is begun before its file is stored, which notes how far it is; then the first part, and what was received.
  createImport: 6,
  // The machine's object decides on these and commits them.
  ...Object.fromEntries(
    operations.flatMap(({ id }) =>
      /^(ingest|startRun|signOperator\w+|(?!list|get)\w+Stops?|(accept|drop)HeldEvents|undoCorrection|undo\w+Amendment|restoreEvents)$/.test(
        id,
      )
        ? [[id, 1]]
        : [],
    ),
  ),
  // It is stored before the machines are called, with the versions of their set-up, and what became of it is stored afterwards.
  classifyStops: 4,
  undoStopClassification: 4,
  // These do the same in any state.
  markNotificationsRead: 1,
  deleteConfig: 1,
  // The code is counted first, to limit guessing, then taken, and no longer counted in the end.
  confirmWallPairing: 5,
  confirmTerminalPairing: 5,
  // Codes are counted first, to limit guessing; then it is read with whoever made it, taken, and no longer counted; then the token is stored as ever.
  confirmGatewayPairing: 7,
  // The company is read, and the codes are counted.
  createGatewayPairing: 3,
  // After it is stored, its machines follow: it is taken, they are called, and it is ended; then it is read.
  createBookClosing: 9,
  reopenBookClosing: 9,
  // After it is stored it is sent: the recipients are read, and the result is stored. On the board it is a notification.
  testPersona: 5,
  testChatRoom: 4,
  // The set-up, to compare it with the file; what the changes depend on besides; then they are stored.
  putPlantFile: 3,
  // The items of the file, or of the import; what the changes depend on besides; then they are stored.
  createSetUpImport: 3,
  undoSetUpImport: 3,
  // Depends on no data.
  createWallPairing: 1,
  createTerminalPairing: 1,
  // The versions of the item, to read what its former values name; then as ever.
  withdrawCompanyVersion: 3,
  withdrawMachineVersion: 3,
  withdrawShiftVersion: 3,
  withdrawSkuVersion: 3,
  withdrawStopCauseVersion: 3,
  // The import, its machines, which are asked since when they have events of it; then as ever.
  undoImport: 4,
  // The events, then the names in them.
  listEvents: 2,
  // The first request creates the secret and stores it.
  getWebhookSecret: 2,
  // The shift with its line, its machines; then in parallel four summaries, stops, incidents, calls and late orders.
  getShiftFigures: 10,
  // The action; then in parallel the sums since it began, of each week, and of each cause and week.
  getAction: 4,
  // What it names, the sums of its loss; then as ever.
  createAction: 4,
  // What is changed; then as ever.
  changeAction: 3,
  // The same; and before it, what is changed. Then it is decided and stored.
  createHandOver: 12,
  changeHandOver: 13,
  acknowledgeHandOver: 13,
  // The subscription, its newest period, its sums; then in parallel those of the week before, the time line, and rates with late orders.
  previewReportSubscription: 6,
};

/** Operations that cache what they look up first: a repeated request takes one trip less. */
const remembering: readonly OperationId[] = [
  "getMachineState",
  "getMetricReport",
  "getAction",
  "getOwnGateway",
  "getProduction",
  "getShiftFigures",
  "getStopMetrics",
  "getSummary",
  "getTimeline",
  "getWorkOrder",
  "listActions",
  "listOperatorShifts",
  "listRecordOperators",
  "listShiftRecords",
  "listWorkOrders",
  "previewReportSubscription",
  "signOperatorIn",
  "signOperatorOut",
  "startRun",
  "tryAlertRule",
  "updateProgress",
];

/** Writes that look up the calendar of the company, which is cached, and that cannot be sent twice. */
const writesForDays = /^(create|change|acknowledge)(HandOver|Action)$/;

const rowsOfOne = 10;
const rowsOfList = 50;
const rowsOfItem = 3;
/** A write reads its rows several times: to check them, to audit them, and to answer. */
const rowsOfWrite = 30;
/** Members with items that are stored as rows of their own. */
const belongings = ["assignments", "calls", "configs", "instances", "machineIds", "progress", "segments", "standards"];

/** Operations that need more rows, and why. */
const moreRows: Partial<Record<OperationId, number>> = {
  // Three independent counters, which are deleted, counted, compared and reset.
  login: 65,
  changePassword: 70,
  // A page of fifty machines with their count sensors.
  getOwnGateway: 200,
  // Rows that began up to a shift's length before the range may reach into it.
  getAvailability: 25,
  // Any of the company's shifts, some twenty, may overlap: they are read, and must be unchanged when the new one is stored.
  // What is in force, and what comes next, for each version that is stored with it.
  createMachine: 45,
  createSku: 40,
  createStopCause: 40,
  changeStopCause: 40,
  // And the versions of the company's shifts that may hold later.
  createShift: 170,
  changeShift: 150,
  restoreShift: 150,
  restoreMachine: 40,
  // All versions of an item, twice: before the write and in it.
  withdrawCompanyVersion: 100,
  withdrawMachineVersion: 100,
  withdrawShiftVersion: 220,
  withdrawSkuVersion: 100,
  withdrawStopCauseVersion: 120,
  // Any of them may have the name that the file uses.
  uploadOperatorPlan: 70,
  // All machines and SKUs of the company, and the set-up of each: the check covers all of them. Kinds that are too large
  // to search are counted first.
  checkSetUp: 60_000,
  // All of the set-up, which the database measures: two more rows read for each.
  getPlantFile: 60_000,
  putPlantFile: 60_000,
  // The latest twenty imports of the company: older ones are forgotten.
  createSetUpImport: 250,
  // Their rows may be large, and the database measures them: two more rows read for each.
  listWidgets: 350,
  listDashboards: 550,
  // The channels of all named machines, before and after, and the newest row of each requested channel.
  updateCountSensors: 40,
  // Its machines and targets, each counted towards the quotas of the company.
  createWorkOrder: 50,
  // The files of the company that are kept, a thousand at most.
  createImport: 2500,
  // Whether something was made for the targets that the request leaves out.
  updateWorkOrder: 40,
  // The oldest rows of each kind.
  getHealth: 65,
  // All events and incidents of the company that are kept are counted.
  getUsage: 4000,
  // The counts of each kind, and each quota.
  setUsageLimits: 60,
  // Every shift of the last hours (more of them after midnight), and whether the operator and the order were in it.
  listShiftRecords: 140,
  // The same, without operators and orders.
  listStopRecords: 200,
  // For each stop its machine, up to three causes and its other parts; how many have them depends on what machines have published before.
  listStops: 130,
  // The parts of eight hours, the units outside shifts of each hour of the week, their buckets, and the sums of all.
  getSummary: 110,
  // For each machine its line, and the names of its shift, SKU, order, operators and the causes of its stop.
  getPlantState: 35,
  // The same for two machines; and each stop has a machine and three causes.
  getTimeline: 120,
  // For each run also its target, which says from when it counts; and the open runs, for the rate.
  listWorkOrders: 900,
  // The parts of eight hours.
  getProduction: 60,
  // For each also the machine, the shift, its record, and the SKU.
  listOperatorShifts: 400,
  // Any of the company's rules, some twenty, may apply to the call.
  createHelpCall: 60,
  // Any of the company's rules and report subscriptions may name them.
  deletePersona: 130,
  deleteChatRoom: 70,
  // The machines of the company: whether one is in the line.
  deleteLine: 2500,
  // The company's calendar days of today and later: whether one names it.
  deleteShift: 2500,
  deleteStopCause: 200,
  // And its deliveries that wait, which are cancelled: fewer if they were sent meanwhile.
  deleteWebhookSubscription: 300,
  // The same, and each open order of the company.
  deleteMachine: 20_000,
  deleteSku: 20_000,
  // Each machine is notified: any of them may have signed the operator in.
  deleteOperator: 4000,
  restoreOperator: 4000,
  // The company's shifts: whether the rule can be true in them.
  createAlertRule: 50,
  // A rule for all machines is sent to each: each is read, and its set-up version raised.
  changeAlertRule: 5000,
  deleteAlertRule: 4000,
  restoreAlertRule: 4000,
  // The shifts and the stops of a week.
  tryAlertRule: 200,
  // Each machine of the company, and its newest shift: whether it sends nothing.
  createBookClosing: 10_000,
  // For each also two names, and how many of its machines are left.
  listBookClosings: 250,
  // For each also its rule, machine, line and conditions.
  listIncidents: 550,
  // Its conditions, of some twenty machines, are counted and listed.
  getIncident: 140,
  // Each event, and its delivery, which names the subscription by its number.
  replayEvents: 500,
  // The events of a machine that are kept, of which a page is shown.
  listEvents: 600,
  // Each open order of the company, to find those that are late.
  previewReportSubscription: 8000,
  getShiftFigures: 8000,
  // The parts of some weeks.
  getAction: 8000,
  createAction: 400,
  // For each also the names of its machine and users, and the database measures them.
  listActions: 550,
  createHandOver: 8000,
  changeHandOver: 8000,
  acknowledgeHandOver: 8000,
  // They may be large, and the database measures them; each has also the names of its shift and line.
  listHandOvers: 550,
};

/** What a query plan may contain, and why. Any other scan or sort belongs to a query whose cost grows with its table. */
const harmless: [plan: RegExp, why: string][] = [
  [/ VIRTUAL TABLE /, "a list that came with the request"],
  [/^SCAN (shift_parts USING INDEX shift_parts_open|order_runs USING INDEX order_runs_open)$/, "what runs now, for a superuser"],
  [/^SCAN machines USING INDEX machines_recalculating$/, "the machines that recalculate now, for a superuser"],
  [/^SCAN (CONSTANT ROW|\(subquery-\d+\))$/, "one row"],
  [/^SCAN (page|of_page|gathered|made|sums|first|above|found|walk)$/, "what a part of the statement gave"],
  [
    /^USE TEMP B-TREE FOR (json_group_array\(ORDER BY\)|json_group_array\(DISTINCT\)|count\(DISTINCT\))$/,
    "the few of one object",
  ],
];
/** The sort of a list that no index has in order: of a bounded number of rows. */
const sorting = { statement: / AS first_key /, plan: /^(USE TEMP B-TREE FOR ORDER BY|SCAN \(subquery-\d+\))$/ };
/** According to the statistics, all standards are those of one company: the only one of these tests that has any. */
const ofOneCompany = { statement: /from "sku_standards" where \("sku_standards"\."company_id" = /, plan: /^SCAN sku_standards$/ };
// Triggers let SQLite prepare for foreign keys that a batch broke before it inserts what they refer to. Without such it reads no row.
const forBrokenKeys =
  /^SCAN (incidents|recalculation_machines|book_closing_machines|help_calls|hand_overs USING COVERING INDEX hand_overs_shift|operator_plan_assignments|calendar_days( USING COVERING INDEX calendar_days_scope)?)$/;
const harmlessIn: Partial<Record<OperationId, RegExp>> = {
  createUser: forBrokenKeys,
  createLine: forBrokenKeys,
  createMachine: forBrokenKeys,
  createShift: forBrokenKeys,
  createOperator: forBrokenKeys,
  createAlertRule: forBrokenKeys,
  // By the names of machines and operators, among the requested machines.
  listRealtimeOperators: /^USE TEMP B-TREE FOR (LAST 2 TERMS OF )?ORDER BY$/,
  // Sums of buckets, which are computed for the request.
  getStopMetrics: /^(USE TEMP B-TREE FOR GROUP BY|SEARCH bucket USING AUTOMATIC PARTIAL COVERING INDEX \(i=\?\))$/,
  // Sums of groups, over a range of 366 days at most.
  getSummary: /^USE TEMP B-TREE FOR GROUP BY$/,
  // The same, and the shifts of the report, in order.
  previewReportSubscription:
    /^(USE TEMP B-TREE FOR (GROUP|ORDER) BY|SEARCH bucket USING AUTOMATIC PARTIAL COVERING INDEX \(i=\?\))$/,
  // Like the summary, of one shift.
  ...Object.fromEntries(
    (["createAction", "getAction", "createHandOver", "changeHandOver", "acknowledgeHandOver", "getShiftFigures"] as const).map(
      (id) => [id, /^(USE TEMP B-TREE FOR (GROUP|ORDER) BY|SEARCH bucket USING AUTOMATIC PARTIAL COVERING INDEX \(i=\?\))$/],
    ),
  ),
  // The first and the last row of each.
  getHealth: /^SCAN (webhook_secrets|webhook_subscriptions|chat_rooms|key_uses)$/,
  // The ids that one row names, and the last three shifts of a machine.
  checkSetUp: /^SCAN (named|shift)$/,
  restoreCalendarDay: /^SCAN named$/,
  restoreMachine: /^SCAN named$/,
  restoreStopCause: /^SCAN named$/,
  // The versions of one item, of which there are few: most kinds of items have several kinds of versions.
  ...Object.fromEntries(
    (["Company", "Machine", "Shift", "Sku", "StopCause"] as const).flatMap((name) =>
      [`list${name}Versions`, `withdraw${name}Version`].map((id) => [id, /^USE TEMP B-TREE FOR ORDER BY$/]),
    ),
  ),
  // The machines of one closing, and their shifts of its time.
  ...Object.fromEntries(
    ["createBookClosing", "getBookClosing", "reopenBookClosing"].map((id) => [id, /^USE TEMP B-TREE FOR (GROUP|ORDER) BY$/]),
  ),
  // The machines of one recalculation.
  getRecalculation: /^USE TEMP B-TREE FOR ORDER BY$/,
  // The machines of one incident.
  getIncident: /^USE TEMP B-TREE FOR GROUP BY$/,
  // The events of one request, in its order.
  createHelpCall: /^USE TEMP B-TREE FOR ORDER BY$/,
  // The events of one machine that are kept.
  listEvents: /^USE TEMP B-TREE FOR ORDER BY$/,
  // The machines of one operator in shifts that start at the same time.
  listOperatorShifts: /^USE TEMP B-TREE FOR LAST TERM OF ORDER BY$/,
  // The channels in force of some machines, or those of what was heard.
  listSignals: /^USE TEMP B-TREE FOR ORDER BY$/,
  // It ends at the first user.
  getClaim: /^SCAN users USING COVERING INDEX users_company$/,
  // It holds what is about to be moved.
  updateRolePermission: /^SCAN audit_outbox$/,
  createRolePermission: /^SCAN audit_outbox$/,
  deleteRolePermission: /^SCAN audit_outbox$/,
  // In the order of the ids, up to the last one of the page.
  listRolePermissions: /^SCAN role_permissions USING INDEX sqlite_autoindex_role_permissions_1$/,
};

interface Asked {
  what: string;
  answer: Answer;
  trips: number;
  rowsRead: number;
}

let world: World;
const asked = new Map<OperationId, Asked[]>();
const statements = new Map<string, { id: OperationId; database: D1Database; values: unknown[] }>();
beforeAll(async () => {
  const made = await createWorld();
  const { token, ...user } = await createUser(made.companyId, "superuser", { password });
  // Things of a user must belong to the caller.
  world = { ...made, user };
  await crowdAround(world);
  for (const operation of operations) {
    const own = endsOwnTokens.includes(operation.id)
      ? await createUser(world.companyId, "superuser", { password })
      : { ...user, token };
    asked.set(operation.id, await atOneInstant(() => askAll(operation, own)));
  }
}, 600_000);

/** Stops the clock while requests are sent, however slow the computer is: what the first of them looks up is cached for half a minute. */
async function atOneInstant<T>(send: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  try {
    return await send();
  } finally {
    vi.useRealTimers();
  }
}

/** Sends the request of `requests`, and for operations with pages also requests for the first two pages of the company. */
async function askAll(operation: Operation, { token }: { token: string }): Promise<Asked[]> {
  const request = await requests[operation.id](world);
  // The caller, the company's time zone and the companies of machines are cached for half a minute.
  if (remembering.includes(operation.id)) await ask(operation, request, token);
  else await call("GET", "/v1/config", { token });
  if (writesForDays.test(operation.id)) {
    await call("GET", `/v1/summary?groupBy=machine&companyId=${world.companyId}`, { token });
  }
  const all = [await ask(operation, request, token, "as ever")];
  if (!operation.parameters.some(({ name }) => name === "cursor")) return all;
  const [path, sent] = request.path.split("?");
  const own = request.token === undefined ? {} : { token: request.token };
  const values = new URLSearchParams(sent);
  const required = operation.parameters.filter(({ in: place, required }) => place === "query" && required);
  const needed = required.map(({ name }) => `${name}=${values.get(name)}&`).join("");
  const named = needed + (operation.parameters.some(({ name }) => name === "companyId") ? `companyId=${world.companyId}&` : "");
  all.push(await ask(operation, { ...own, path: `${path}?${named}limit=20` }, token, "the first page"));
  const { cursor } = all.at(-1)?.answer.body ?? {};
  const second = `${path}?${named}limit=20&cursor=${cursor}`;
  if (cursor) all.push(await ask(operation, { ...own, path: second }, token, "the second page"));
  return all;
}

/** Measures a request whose lookups are cached, because the same one was sent before. */
async function askAgain(operation: Operation, request: GoodRequest, token: string): Promise<Asked> {
  return await atOneInstant(async () => {
    await ask(operation, request, token);
    return await ask(operation, request, token);
  });
}

/** True if the last request looked up which shifts and orders run, to query their machines. */
let hasAskedMachines = false;

/** A read of numbers queries machines at most every few seconds, which takes an extra trip. This measures a request that does not. */
async function ask(operation: Operation, request: GoodRequest, token: string, what = ""): Promise<Asked> {
  for (let tries = 1; ; tries++) {
    hasAskedMachines = false;
    const asked = await askOnce(operation, request, token, what);
    if (!hasAskedMachines || !operation.asksMachines || !isReadOperation(operation) || tries === 4) return asked;
  }
}

async function askOnce({ id, method }: Operation, { path, ...sent }: GoodRequest, token: string, what: string): Promise<Asked> {
  const log = vi.spyOn(console, "log").mockReturnValue(undefined);
  const recorded = (database: D1Database) =>
    changed(database, { withSession: (start: string) => recording(id, database, database.withSession(start)) });
  const via = serviceWith({ DB_0: recorded(env.DB_0), DIRECTORY: recorded(env.DIRECTORY) });
  const answer = await call(method, path, { token, ...sent, via });
  const { dbTrips: trips, rowsRead } = JSON.parse(log.mock.lastCall?.[0] ?? "{}");
  log.mockRestore();
  return { what, answer, trips, rowsRead };
}

/** A session that records its statements. */
function recording(id: OperationId, database: D1Database, session: D1DatabaseSession): D1DatabaseSession {
  const prepare = (query: string) => {
    const statement = session.prepare(query);
    if (query.includes('"order_runs"."end_at" is null')) hasAskedMachines = true;
    const bind = statement.bind.bind(statement);
    if (!statements.has(query)) statements.set(query, { id, database, values: [] });
    statement.bind = (...values) => {
      if (statements.get(query)?.values.length === 0) statements.set(query, { id, database, values });
      return bind(...values);
    };
    return statement;
  };
  return changed(session, { prepare });
}

/** The number of items in an answer's list, if it is one, including the items that belong to them. */
function itemsIn(body: object | null, isList: boolean): number {
  const list = isList ? [body, ...Object.values(body ?? {})].find(Array.isArray) : undefined;
  const own = (list ?? [body]).flatMap((item) => belongings.flatMap((member) => item?.[member] ?? []));
  return (list?.length ?? 0) + own.length;
}

const days = async (report: string) => {
  const query =
    "SELECT count(*) AS days FROM report_counts WHERE report = ? AND scope = 'company' AND scope_id = ? AND width_ms = 86400000";
  return (await env.DB_0.prepare(query).bind(report, world.companyId).first<number>("days")) ?? 0;
};

describe.each(operations)("$id", ({ id, method }) => {
  const isReport = /Report$/.test(id);
  const isList = isReport || /^list/.test(id);
  const isRead = method === "GET" || isReport || id === "getStopMetrics";

  it("makes one round trip to D1 to read and one to write, or as many as the table explains", () => {
    const most = Math.max(...(asked.get(id) ?? []).map(({ trips }) => trips));
    for (const { answer } of asked.get(id) ?? []) {
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    }
    if (otherTrips[id] === undefined) expect(most).toBeLessThanOrEqual(isRead ? 1 : 2);
    else expect(most, otherTrips[id] > most ? "a trip was saved" : undefined).toBe(otherTrips[id]);
  });

  // The budget of the chart is below: it reads the rows that it draws.
  it.skipIf(id === "getStopMetrics")("reads the rows of its answer, and few more", async () => {
    const counted = isReport ? await days(id === "getStopReport" ? "stops" : "shifts") : 0;
    for (const { what, answer, rowsRead } of asked.get(id) ?? []) {
      const items = isRead ? itemsIn(answer.body, isList) : 0;
      const besides = isList ? rowsOfList + counted : isRead ? rowsOfOne : rowsOfWrite;
      const usual = besides + rowsOfItem * items;
      expect(rowsRead, `${what}, ${items} items`).toBeLessThanOrEqual(moreRows[id] ?? usual);
    }
  });
});

describe("a chart of stops", () => {
  const day = 86_400_000;
  const end = new Date().setUTCHours(0, 0, 0, 0);

  async function rowsReadOver(from: number, to: number, metrics: string[]): Promise<number> {
    const { token } = await createUser(world.companyId, "superuser");
    const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
    const body = { filter_by: { date_range: range }, metrics, group_by: "machine" };
    const operation = operations.find(({ id }) => id === "getStopMetrics") as Operation;
    return (await askAgain(operation, { path: operation.path, body }, token)).rowsRead;
  }

  async function rowsBetween(table: string, column: string, from: number, to: number): Promise<number> {
    const query = `SELECT count(*) AS found FROM ${table} WHERE company_id = ? AND ${column} >= ? AND ${column} < ?`;
    return (await env.DB_0.prepare(query).bind(world.companyId, from, to).first<number>("found")) ?? 0;
  }

  it.each([
    ["the last 10 days", 10, 0],
    ["the 90 days before them", 100, 10],
    ["90 days of long ago, when there was nothing", 800, 710],
  ])("reads the stops, the shifts and the buckets of its own range: %s", async (_, first, last) => {
    const [from, to] = [end - first * day, end - last * day];
    // Rows that began earlier may reach into the range, by up to the length of a shift.
    const stops = await rowsBetween("stops", "slice_start", from - 2 * day, to);
    const records = await rowsBetween("shift_records", "start_at", from - 2 * day, to);
    // For each stop: its row, its machine's name, its bucket and the list of buckets that it may reach into, and the sum.
    const ofStops = 8 * stops + 6 * (first - last) + 50;
    expect(await rowsReadOver(from, to, ["stop_count", "stop_duration"])).toBeLessThanOrEqual(ofStops);
    // The stops once more, and each shift in the same way: for its time, and for its silence.
    const ofShifts = 4 * stops + 24 * records + 6 * (first - last);
    expect(await rowsReadOver(from, to, ["mtbf"])).toBeLessThanOrEqual(ofStops + ofShifts);
  });
});

it("a summary by day reads the parts and the hours outside shifts of its range once, like plain sums of them", async () => {
  const operation = operations.find(({ id }) => id === "getSummary") as Operation;
  const { token } = await createUser(world.companyId, "superuser");
  const [from, to] = [Date.now() - 90 * 86_400_000, Date.now()];
  const path = `${operation.path}?groupBy=day&from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`;
  const { answer, rowsRead, trips } = await askAgain(operation, { path }, token);
  expect(answer.body.data.length).toBeGreaterThanOrEqual(90);
  const plain = ([table, column]: string[]) =>
    `SELECT start_at / 86400000, sum(${column}) FROM ${table} WHERE company_id = ? AND start_at >= ? AND start_at < ? GROUP BY 1`;
  const tables = [
    ["shift_parts", "available_ms"],
    ["hours_outside_shifts", "units"],
  ];
  const ofPlain = await env.DB_0.batch(tables.map((table) => env.DB_0.prepare(plain(table)).bind(world.companyId, from, to)));
  const rowsOfPlain = ofPlain.reduce((rows, { meta }) => rows + meta.rows_read, 0);
  const open = await env.DB_0.prepare("SELECT count(*) AS n FROM shift_parts WHERE company_id = ? AND open_bucket IS NOT NULL")
    .bind(world.companyId)
    .first<number>("n");
  expect(rowsOfPlain).toBeGreaterThan(100);
  expect(trips).toBe(1);
  // In addition, the days themselves, and the open parts.
  expect(rowsRead).toBeLessThanOrEqual(1.1 * rowsOfPlain + 8 * 91 + 3 * (open ?? 0));
});

it.each([1, 2, 5])("of the stops of %i machines only a page is read", async (count) => {
  const operation = operations.find(({ id }) => id === "listStops") as Operation;
  const { token } = await createUser(world.companyId, "superuser");
  const machines = await env.DB_0.prepare("SELECT id FROM machines WHERE id NOT IN (?1, ?2) LIMIT 3")
    .bind(world.machine.id, world.bench.id)
    .all<{ id: number }>();
  const ids = [world.machine.id, world.bench.id, ...machines.results.map(({ id }) => id)].slice(0, count);
  const { answer, rowsRead } = await ask(operation, { path: `${operation.path}?limit=20&machineIds=${ids}` }, token);
  expect(answer.body.data).toHaveLength(20);
  expect(rowsRead).toBeLessThanOrEqual(rowsOfItem * 20 + rowsOfList);
});

it.each(["createdAt", "-createdAt", "estimatedDeliveryTime", "-estimatedDeliveryTime", "priority", "-priority", "code", "-code"])(
  "of work orders sorted by %s only a page is read",
  async (sort) => {
    const operation = operations.find(({ id }) => id === "listWorkOrders") as Operation;
    const { token } = await createUser(world.companyId, "superuser");
    const inAYear = new Date(Date.now() + 366 * 86_400_000).toISOString();
    for (const filter of ["", "&statuses=InProgress,Paused,Planned", `&dueBefore=${inAYear}`, "&isLate=false"]) {
      const path = `${operation.path}?limit=20&sort=${sort}${filter}`;
      const first = await ask(operation, { path }, token);
      expect(first.answer.body.data, filter).toHaveLength(20);
      const second = await ask(operation, { path: `${path}&cursor=${first.answer.body.cursor}` }, token);
      expect(second.answer.body.data, filter).toHaveLength(20);
      // An order, its machines, targets and runs. A third of the orders have no time, and some are deleted.
      for (const { rowsRead } of [first, second]) expect(rowsRead, filter).toBeLessThanOrEqual(30 * 20 + rowsOfList);
    }
    const late = await ask(operation, { path: `${operation.path}?isLate=true&sort=${sort}` }, token);
    expect(late.answer.body.data).toEqual([]);
  },
);

describe("a list of records", () => {
  const day = 86_400_000;

  it.each([
    ["listShiftRecords", "-oee", 30],
    ["listShiftRecords", "lateStartTime", 365],
    ["listStopRecords", "-duration", 30],
  ] as [OperationId, string, number][])("%s sorted by %s reads only its range of %i days", async (id, sort, length) => {
    const operation = operations.find((one) => one.id === id) as Operation;
    const { token } = await createUser(world.companyId, "superuser");
    const [from, to] = [Date.now() - length * day, Date.now()];
    const query = { sort, from: new Date(from).toISOString(), to: new Date(to).toISOString(), limit: "20" };
    const request = { path: `${operation.path}?${new URLSearchParams(query)}` };
    const { answer, rowsRead, trips } = await askAgain(operation, request, token);
    expect(answer.body.data.length, JSON.stringify(answer.body)).toBeGreaterThan(0);
    const [table, column] = id === "listStopRecords" ? ["stops", "shift_start"] : ["shift_records", "start_at"];
    const rows = await env.DB_0.prepare(`SELECT count(*) AS n FROM ${table} WHERE company_id = ? AND ${column} BETWEEN ? AND ?`)
      .bind(world.companyId, from, to)
      .first<number>("n");
    // The caller is looked up, too. Each row is counted, and read to be sorted: from an index and from its table.
    expect(trips).toBeLessThanOrEqual(2);
    expect(rowsRead).toBeLessThanOrEqual(4 * (rows ?? 0) + rowsOfItem * 20 + rowsOfList);
  });

  it.each([1, 3])("of %i machines reads only a page", async (count) => {
    const { token } = await createUser(world.companyId, "superuser");
    const operation = operations.find(({ id }) => id === "listStopRecords") as Operation;
    const ids = [world.machine.id, world.bench.id, world.machine.id].slice(0, count);
    const { answer, rowsRead } = await ask(operation, { path: `${operation.path}?limit=20&machineIds=${ids}` }, token);
    expect(answer.body.data).toHaveLength(20);
    // A quarter of the company's stops belong to these machines.
    expect(rowsRead).toBeLessThanOrEqual((count === 1 ? 1 : 4) * rowsOfItem * 20 + rowsOfList);
  });
});

describe("query plans", () => {
  /** The parts of all recorded statements' plans that are not harmless. */
  async function faults(): Promise<string[]> {
    return (await Promise.all([env.DB_0, env.DIRECTORY].map(faultsIn))).flat();
  }

  async function faultsIn(of: D1Database): Promise<string[]> {
    const found = [...statements].filter(([, { database }]) => database === of);
    const plans = found.map(([query, { values }]) => of.prepare(`EXPLAIN QUERY PLAN ${query}`).bind(...values));
    const explained = await of.batch<{ detail: string }>(plans);
    return found.flatMap(([query, { id }], i) => {
      const lines = (explained[i]?.results ?? []).map(({ detail }) => detail);
      const isHarmless = (line: string) =>
        harmless.some(([plan]) => plan.test(line)) ||
        harmlessIn[id]?.test(line) ||
        [sorting, ofOneCompany].some(({ statement, plan }) => statement.test(query) && plan.test(line));
      const bad = lines.filter((line) => /^SCAN|TEMP B-TREE|AUTOMATIC/.test(line) && !isHarmless(line));
      return bad.map((line) => `${id}: ${line} in ${query}`);
    });
  }

  it("neither scan a table nor sort rows", async () => {
    expect(statements.size).toBeGreaterThan(operations.length);
    expect(await faults()).toEqual([]);
  });

  it("still do neither after ANALYZE", async () => {
    await env.DB_0.prepare("PRAGMA optimize(0x10002)").run();
    expect(await faults()).toEqual([]);
  });
});
