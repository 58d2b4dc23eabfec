import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { auditedVerbs } from "../../src/core/audit.ts";
import type { Role } from "../../src/db/schema.ts";
import type { Answer } from "../support/answer.ts";
import { auditEntries } from "../support/audit.ts";
import { call } from "../support/call.ts";
import { createApiToken, createCompany, createUser } from "../support/factories.ts";
import { flushMachine } from "../support/machines.ts";
import { everything } from "./everything.ts";
import { type Operation, operations } from "./operations.ts";
import { type OperationId, requests } from "./requests.ts";
import { createWorld, nowhere, password, type World } from "./world.ts";

interface Done {
  world: World;
  person: { userId: number; companyId: number };
  path: string;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of all operations.
  body: any;
  answer: Answer;
}

/** The one entry that an operation must leave: its action, its object, and the company that it belongs to (the world's by default). */
interface Expected {
  action: string;
  objectId(done: Done): unknown;
  companyId?(done: Done): number;
}

const made = ({ answer }: Done) => answer.body.id;
const inPath = (at: number) => (done: Done) => decodeURIComponent(done.path.replace(/\?.*/, "").split("/")[at] ?? "");
const persons = ({ person }: Done) => person.companyId;
const ofCompany = ({ world }: Done) => world.companyId;
const ofOwn = (action: string) => ({ action, objectId: ({ person }: Done) => person.userId, companyId: persons });
const ofStop = (verb: string) => ({ action: `stop.${verb}`, objectId: inPath(3) });

const setUp = (name: string, kind: string) => ({
  [`create${name}`]: { action: `${kind}.create`, objectId: made },
  [`change${name}`]: { action: `${kind}.change`, objectId: inPath(3) },
  [`delete${name}`]: { action: `${kind}.delete`, objectId: inPath(3) },
});
const withdrawal = (name: string, kind: string) => ({
  [`withdraw${name}Version`]: { action: `${kind}.change`, objectId: inPath(3) },
});

/** The entry of each writing operation; a string is the reason why it leaves none. */
const expected: Record<string, Expected | string> = {
  tryAlertRule: "reads",
  getMetricReport: "reads",
  getStopReport: "reads",
  getStopMetrics: "reads",
  markNotificationsRead: "is about the own inbox",
  changePassword: ofOwn("user.change"),
  signOut: ofOwn("user.change"),
  login: { action: "login.success", objectId: ({ world }) => world.user.userId },
  ingest: { action: "events.ingest", objectId: ofCompany },
  updateCountSensors: { action: "count-sensors.change", objectId: ofCompany },
  createSetUpImport: { action: "set-up-import.create", objectId: made },
  undoSetUpImport: { action: "set-up-import.undo", objectId: inPath(4) },
  putPlantFile: { action: "defect-reason.create", objectId: expect.any(String) as never },
  putCountSensor: { action: "count-sensors.change", objectId: ofCompany },
  ignoreSignal: { action: "company.change", objectId: ofCompany },
  recordStop: { action: "stop.record", objectId: made },
  changeStop: ofStop("change"),
  deleteStop: ofStop("delete"),
  classifyStop: ofStop("classify"),
  declassifyStop: ofStop("classify"),
  classifyStops: { action: "stop-classification.create", objectId: made },
  undoStopClassification: { action: "stop-classification.undo", objectId: inPath(3) },
  splitStop: ofStop("split"),
  mergeStops: { action: "stop.merge", objectId: made },
  createBookClosing: { action: "book-closing.create", objectId: made },
  reopenBookClosing: { action: "book-closing.reopen", objectId: inPath(4) },
  createRecalculation: { action: "recalculation.create", objectId: made },
  createAction: { action: "action.create", objectId: made },
  changeAction: { action: "action.change", objectId: inPath(3) },
  createHandOver: { action: "hand-over.create", objectId: made },
  changeHandOver: { action: "hand-over.change", objectId: inPath(3) },
  acknowledgeHandOver: { action: "hand-over.acknowledge", objectId: inPath(3) },
  createHelpCall: { action: "help-call.create", objectId: made },
  acknowledgeIncident: { action: "incident.acknowledge", objectId: inPath(3) },
  attachOrphanedEdit: { action: "stop.change", objectId: ({ body }) => body.stopId },
  dropOrphanedEdit: { action: "orphaned-edit.drop", objectId: inPath(3) },
  acceptHeldEvents: { action: "held-events.accept", objectId: inPath(3) },
  dropHeldEvents: { action: "held-events.drop", objectId: inPath(3) },
  createImport: { action: "import.create", objectId: made },
  undoImport: { action: "import.undo", objectId: inPath(3) },
  createCorrection: { action: "correction.create", objectId: made },
  undoCorrection: { action: "correction.undo", objectId: inPath(3) },
  createEventWithdrawal: { action: "event-withdrawal.create", objectId: made },
  restoreEvents: { action: "event-withdrawal.undo", objectId: inPath(3) },
  ...setUp("DefectReason", "defect-reason"),
  restoreDefectReason: { action: "defect-reason.restore", objectId: inPath(3) },
  answerHelpCall: { action: "help-call.answer", objectId: inPath(3) },
  deleteConfig: { action: "config.delete", objectId: ({ body }) => body.userId },
  putConfig: ofOwn("config.save"),
  putFavoriteDashboard: ofOwn("config.save"),
  signOperatorIn: { action: "operator.sign-in", objectId: ({ body }) => body.operatorId },
  signOperatorOut: { action: "operator.sign-out", objectId: ({ body }) => body.operatorId },
  amendRuns: { action: "run.change", objectId: ({ answer }) => answer.body.amendments[0].id },
  amendPresences: { action: "presence.change", objectId: ({ answer }) => answer.body.amendments[0].id },
  undoRunAmendment: { action: "run.undo", objectId: inPath(5) },
  undoPresenceAmendment: { action: "presence.undo", objectId: inPath(5) },
  startRun: { action: "machine.run", objectId: inPath(3) },
  changePersona: { action: "persona.change", objectId: inPath(3) },
  putPushDevice: { action: "persona.create", objectId: expect.any(String) as never, companyId: persons },
  deletePersona: { action: "persona.delete", objectId: inPath(3) },
  testPersona: { action: "persona.test", objectId: inPath(3) },
  ...setUp("ChatRoom", "chat-room"),
  restoreChatRoom: { action: "chat-room.restore", objectId: inPath(3) },
  testChatRoom: { action: "chat-room.test", objectId: inPath(3) },
  addPersona: { action: "persona.create", objectId: made },
  createPersona: { action: "persona.create", objectId: ({ answer }) => answer.body.data.id },
  createRolePermission: { action: "role-permission.create", objectId: made, companyId: persons },
  deleteRolePermission: { action: "role-permission.delete", objectId: inPath(3), companyId: persons },
  updateRolePermission: { action: "role-permission.change", objectId: inPath(2), companyId: persons },
  saveTagKey: { action: "tag.save", objectId: made },
  getWebhookSecret: { action: "webhook-secret.create", objectId: persons, companyId: persons },
  rotateWebhookSecret: { action: "webhook-secret.rotate", objectId: persons, companyId: persons },
  ...setUp("WebhookSubscription", "webhook-subscription"),
  restoreWebhookSubscription: { action: "webhook-subscription.restore", objectId: inPath(3) },
  rotateSubscriptionSecret: { action: "webhook-subscription.rotate-secret", objectId: inPath(3) },
  replayEvent: { action: "webhook-subscription.replay", objectId: inPath(3) },
  replayEvents: { action: "webhook-subscription.replay", objectId: inPath(3) },
  pingWebhookSubscription: { action: "webhook-subscription.ping", objectId: inPath(3) },
  setUsageLimits: { action: "quota.change", objectId: ofCompany },
  ...setUp("Company", "company"),
  ...withdrawal("Company", "company"),
  createCompany: { action: "company.create", objectId: made, companyId: made },
  deleteCompany: { action: "company.delete", objectId: inPath(3), companyId: (done) => Number(inPath(3)(done)) },
  ...setUp("User", "user"),
  restoreUser: { action: "user.restore", objectId: inPath(3) },
  ...setUp("Line", "line"),
  restoreLine: { action: "line.restore", objectId: inPath(3) },
  ...setUp("CalendarDay", "calendar-day"),
  restoreCalendarDay: { action: "calendar-day.restore", objectId: inPath(3) },
  ...setUp("Machine", "machine"),
  restoreMachine: { action: "machine.restore", objectId: inPath(3) },
  ...withdrawal("Machine", "machine"),
  ...setUp("Shift", "shift"),
  restoreShift: { action: "shift.restore", objectId: inPath(3) },
  ...withdrawal("Shift", "shift"),
  ...setUp("Operator", "operator"),
  restoreOperator: { action: "operator.restore", objectId: inPath(3) },
  ...setUp("Sku", "sku"),
  restoreSku: { action: "sku.restore", objectId: inPath(3) },
  ...withdrawal("Sku", "sku"),
  ...setUp("StopCause", "stop-cause"),
  restoreStopCause: { action: "stop-cause.restore", objectId: inPath(3) },
  ...withdrawal("StopCause", "stop-cause"),
  ...setUp("OperatorPlan", "operator-plan"),
  restoreOperatorPlan: { action: "operator-plan.restore", objectId: inPath(3) },
  updateOperatorPlan: { action: "operator-plan.change", objectId: inPath(2) },
  uploadOperatorPlan: { action: "operator-plan.create", objectId: made },
  ...setUp("AlertRule", "alert-rule"),
  restoreAlertRule: { action: "alert-rule.restore", objectId: inPath(3) },
  ...setUp("ReportSubscription", "report-subscription"),
  restoreReportSubscription: { action: "report-subscription.restore", objectId: inPath(3) },
  runReportSubscription: { action: "report-subscription.run", objectId: inPath(3) },
  ...setUp("GatewayToken", "gateway-token"),
  ...setUp("ApiToken", "api-token"),
  createWallPairing: "is of nobody, and nobody's, until it is confirmed",
  confirmWallPairing: { action: "api-token.create", objectId: made },
  createTerminalPairing: "is of nobody, and nobody's, until it is confirmed",
  confirmTerminalPairing: { action: "api-token.create", objectId: made },
  createGatewayPairing: "is nothing before a gateway has come",
  confirmGatewayPairing: "is in the name of whoever made the code: test/api/access/pairings/gateway-pairings.test.ts",
  putOwnGatewayStatus: "is what a gateway says of itself",
  ...setUp("Widget", "widget"),
  restoreWidget: { action: "widget.restore", objectId: inPath(3) },
  promoteWidget: { action: "widget.promote", objectId: ({ body }) => body.widgetId },
  uploadThumbnail: { action: "widget.set-thumbnail", objectId: inPath(2) },
  ...setUp("Dashboard", "dashboard"),
  restoreDashboard: { action: "dashboard.restore", objectId: inPath(3) },
  archiveDashboard: { action: "dashboard.archive", objectId: inPath(3) },
  unarchiveDashboard: { action: "dashboard.unarchive", objectId: inPath(3) },
  createWorkOrder: { action: "work-order.create", objectId: expect.stringMatching(/^[0-9a-f-]{36}$/) as never },
  updateWorkOrder: { action: "work-order.change", objectId: ({ body }) => body.workOrder.id },
  deleteWorkOrder: { action: "work-order.delete", objectId: inPath(3) },
  updateTarget: { action: "work-order.set-target", objectId: inPath(2) },
  updateProgress: { action: "work-order.report-progress", objectId: inPath(2) },
};

const writing = operations.filter(({ id, method }) => method !== "GET" || id === "getWebhookSecret");
const audited = writing.flatMap((operation) => {
  const entry = expected[operation.id];
  return typeof entry === "object" ? [{ ...operation, entry }] : [];
});

/** Stored by the machine's object. */
const isOnFloor = (id: string) => /^(signOperator(In|Out)|startRun)$/.test(id);

/** API tokens may not call these. */
const forPeople =
  /^(signOut|changePassword|login|(put|delete)Config|(create|change|delete)(User|ApiToken)|restoreUser|confirm(Wall|Terminal)Pairing|putPushDevice|putFavoriteDashboard|(create|delete)RolePermission)$/;

/** After these the caller has to sign in again. */
const endsTokens = /^(signOut|changePassword)$/;

let world: World;
let foreignCompanyId: number;
beforeAll(async () => {
  world = await createPlainWorld();
  foreignCompanyId = (await createCompany()).companyId;
});

/** A world with a widget that has no picture yet: storing the same picture again changes nothing. */
async function createPlainWorld(): Promise<World> {
  const created = await createWorld();
  await rows("UPDATE widgets SET thumbnail_key = NULL WHERE id = ?", created.widgetId);
  return created;
}

/** A user of another company, so that the actor's company and the object's company differ. */
const createPerson = (role: Role = "superuser") => createUser(foreignCompanyId, role, { password });

async function rows<Row>(sql: string, ...bindings: unknown[]): Promise<Row[]> {
  const { results } = await env.DB_0.prepare(sql)
    .bind(...bindings)
    .all<Row>();
  return results;
}

type Entry = Awaited<ReturnType<typeof auditEntries>>[number];

const nameOf = ({ companyId, id }: Entry) => `${companyId} ${id}`;

/** The entries that are stored, by name. */
async function entriesSoFar(): Promise<ReadonlySet<string>> {
  return new Set((await auditEntries({})).map(nameOf));
}

/** The entries that were not there before. */
async function entriesAfter(before: ReadonlySet<string> = new Set()): Promise<Entry[]> {
  return (await auditEntries({})).filter((entry) => !before.has(nameOf(entry)));
}

const isIdempotent = ({ parameters }: Operation) => parameters.some(({ name }) => /^idempotency-key$/i.test(name));

async function ask(id: OperationId, method: string, token: string, about: World, headers: Record<string, string> = {}) {
  const request = await requests[id](about);
  const send = () => call(method, request.path, { token, body: request.body, headers: { ...request.headers, ...headers } });
  return { path: request.path, body: request.body, send };
}

/**
 * Checks that the audit has an item as the API shows it: of what was created or deleted all members except those that depend on the viewer or are
 * shown only once, of a change those that differ.
 */
function expectShown(audited: unknown, shown: Record<string, unknown> | null, isWhole: boolean) {
  const { password = "(not shown)", ...item } = (audited ?? {}) as Record<string, unknown>;
  expect(password).toBe("(not shown)");
  // The address of a chat room.
  if (item.url === "(not shown)") delete item.url;
  // A webhook's calls fail and succeed in the background.
  const { failingSince: _failingSince, ...steady } = item;
  expect(shown ?? {}).toMatchObject(steady);
  if (!isWhole) return;
  // The figures of a hand-over are what it keeps, not what somebody wrote.
  const {
    isFavorited: _,
    token: __,
    warnings: ___,
    secret: ____,
    isRecalculating: _____,
    figures: ______,
    ...members
  } = shown ?? {};
  // Flags that a cause inherits are in the entries of the causes above it.
  if ("ownFlags" in members) for (const flag of ["isProgrammed", "isIncludedInAvailability"]) delete members[flag];
  expect(Object.keys(item)).toEqual(expect.arrayContaining(Object.keys(members)));
}

it("the table has each operation that writes", () => {
  expect(Object.keys(expected).sort()).toEqual(writing.map(({ id }) => id).sort());
  const known = Object.entries(auditedVerbs).flatMap(([kind, verbs]) => verbs.map((verb) => `${kind}.${verb}`));
  const left = audited.map(({ entry }) => entry.action);
  // Readers of a report leave it by a page.
  expect([...new Set([...left, "login.failure", "report-subscription.leave"])].sort()).toEqual(known.sort());
});

describe("a person's write leaves one entry", () => {
  it.each(audited)("$id", async (operation) => {
    const { id, method, entry } = operation;
    const person = await createPerson();
    const key = { ...(isIdempotent(operation) && { "idempotency-key": crypto.randomUUID() }) };
    const { path, body, send } = await ask(id, method, person.token, world, key);
    const isItem =
      /^\/v1\/[a-z-]+(\/[^/]+)?(\?|$)/.test(path) &&
      /^(create|change|delete)(?!(Stop|Password|Persona|WorkOrder|BookClosing|SetUpImport)$)/.test(id);
    const shown = isItem && method !== "POST" ? (await call("GET", path, { token: person.token })).body : null;
    const before = await entriesSoFar();
    const answer = await send();
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    if (isIdempotent(operation)) {
      const again = await send();
      if (endsTokens.test(id)) expect(again.status).toBe(401);
      else expect(again.headers.get("idempotent-replayed")).toBe("true");
    }
    if (id === "ingest") await flushMachine(world.bench.id);
    if (isOnFloor(id)) await flushMachine(world.machine.id);
    const entries = await entriesAfter(before);
    const done = { world, person, path, body, answer };
    const { companyId = ofCompany, objectId, action } = entry;
    expect(entries).toMatchObject([
      {
        companyId: companyId(done),
        apiTokenId: null,
        userId: id === "login" ? world.user.userId : person.userId,
        requestId: answer.headers.get("x-request-id"),
        action,
        objectType: action.split(".")[0],
        objectId: typeof objectId === "function" ? String(objectId(done)) : objectId,
      },
    ]);
    if (isItem) {
      const isWhole = method !== "PATCH";
      expectShown(entries[0]?.before, shown, isWhole);
      expectShown(entries[0]?.after, answer.body, isWhole);
    }
  });

  it.each(audited.filter(({ id }) => !forPeople.test(id)))("and a program's write has its token: $id", async (operation) => {
    const { id, method, entry } = operation;
    const creator = await createUser((await createCompany()).companyId, "superuser");
    const { apiTokenId, token } = await createApiToken(creator);
    const about = /^(archiveDashboard|uploadThumbnail)$/.test(id) ? await createPlainWorld() : world;
    const { path, body, send } = await ask(id, method, token, about);
    const before = await entriesSoFar();
    const answer = await send();
    expect(answer.status, `${path} ${JSON.stringify(body)} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    if (id === "ingest") await flushMachine(world.bench.id);
    if (isOnFloor(id)) await flushMachine(world.machine.id);
    expect(await entriesAfter(before)).toMatchObject([
      { userId: creator.userId, apiTokenId, action: entry.action, requestId: answer.headers.get("x-request-id") },
    ]);
  });

  it("without a secret", async () => {
    const person = await createPerson();
    const { body } = await call("POST", "/v1/gateway-tokens", { token: person.token, body: { name: "Gateway" } });
    const { body: program } = await call("POST", "/v1/api-tokens", { token: person.token, body: { name: "ERP", role: "user" } });
    expect(program.token).toMatch(/^andon_api_/);
    const { body: secret } = await call("GET", "/webhook-subscriptions/secret", { token: person.token });
    const texts = (await entriesAfter()).map(({ before, after }) => JSON.stringify([before, after])).join();
    expect(body.token).toMatch(/^andon_gw_/);
    for (const hidden of [
      body.token,
      program.token,
      secret,
      "andon_gw_",
      "andon_api_",
      "whsec_",
      "long enough",
      "correct horse",
      "quiet river",
    ]) {
      expect(texts).not.toContain(hidden);
    }
    expect(texts).not.toMatch(/hash|sealed|scrypt/i);
  });

  it("which only the people of the object's company see", async () => {
    const admin = await createUser(world.companyId, "admin");
    const seenBy = async ({ token }: { token: string }) => (await call("GET", "/v1/audit?limit=500", { token })).body.data;
    const own = (await entriesAfter()).filter(({ companyId }) => companyId === world.companyId);
    expect((await seenBy(admin)).length).toBe(own.length);
    for (const entry of await seenBy(admin)) expect(entry.companyId).toBe(world.companyId);
    expect(await seenBy(await createUser((await createCompany()).companyId, "superadmin"))).toEqual([]);
  });
});

it("a refused write leaves no entry", { timeout: 600_000 }, async () => {
  const { companyId } = await createCompany();
  let refused = 0;
  for (const { id, method } of audited.filter(({ id }) => id !== "login")) {
    const [person, stranger] = [await createPerson(), await createUser(companyId, "superadmin")];
    const toStranger = await (await ask(id, method, stranger.token, world)).send();
    const aboutNothing = await (await ask(id, method, person.token, nowhere())).send();
    const ids = [toStranger, aboutNothing]
      .filter(({ status }) => status >= 400)
      .map(({ headers }) => headers.get("x-request-id"));
    refused += ids.length;
    // A wrong password is a failed login, for any operation.
    const left = (await auditEntries({})).filter(
      ({ action, requestId }) => action !== "login.failure" && ids.includes(requestId),
    );
    expect(left, id).toEqual([]);
  }
  expect(refused).toBeGreaterThan(audited.length);
});

// The others are stored in a machine's object together with their entry, and reach D1 later.
const inTables = audited.filter(
  ({ id }) =>
    !/^(ingest|\w+Stops?|\w+HeldEvents|(create|undo)Correction|createEventWithdrawal|restoreEvents|(attach|drop)OrphanedEdit|amend\w+|undo\w+Amendment)$/.test(
      id,
    ) && !isOnFloor(id),
);

describe("a write whose entry cannot be stored is not made", () => {
  let untouched: World;

  beforeAll(async () => {
    untouched = await createPlainWorld();
    foreignCompanyId = (await createCompany()).companyId;
    await rows("CREATE TRIGGER audit_fails BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'no audit'); END");
    // Entries of changes in the directory are stored there first.
    await env.DIRECTORY.prepare(
      "CREATE TRIGGER audit_fails BEFORE INSERT ON audit_outbox BEGIN SELECT RAISE(ABORT, 'no audit'); END",
    ).run();
    vi.spyOn(console, "error").mockImplementation(() => undefined);
  });
  afterAll(async () => {
    await rows("DROP TRIGGER audit_fails");
    await env.DIRECTORY.prepare("DROP TRIGGER audit_fails").run();
    vi.restoreAllMocks();
  });

  // A picture is stored before its row.
  const stored = async () => (await everything()).filter((row) => !row.startsWith("thumbnails "));

  it.each(inTables)("$id", async ({ id, method }) => {
    const { send } = await ask(id, method, (await createPerson()).token, untouched);
    const before = await stored();
    const answer = await send();
    expect(answer.status, JSON.stringify(answer.body)).toBe(500);
    expect(await stored()).toEqual(before);
  });
});

describe("a write that cannot be stored leaves no entry", () => {
  // A login only writes its counters, which are also written earlier.
  const failing = inTables.filter(({ id }) => id !== "login");
  const sends = new Map<string, () => Promise<Answer>>();

  beforeAll(async () => {
    const untouched = await createPlainWorld();
    foreignCompanyId = (await createCompany()).companyId;
    for (const { id, method } of failing) {
      sends.set(id, (await ask(id, method, (await createPerson()).token, untouched)).send);
    }
    const others = /^(_|sqlite_|d1_migrations$|audit$|login_attempts$|sequences$)/;
    const everyWrite = async (database: D1Database, statement: (table: string, verb: string) => string) => {
      const { results } = await database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all<{ name: string }>();
      const tables = results.filter(({ name }) => !others.test(name));
      const texts = tables.flatMap(({ name }) => ["INSERT", "UPDATE", "DELETE"].map((verb) => statement(name, verb)));
      await database.batch(texts.map((text) => database.prepare(text)));
    };
    const create = (table: string, verb: string) =>
      `CREATE TRIGGER ${table}_${verb} BEFORE ${verb} ON ${table} BEGIN SELECT RAISE(ABORT, 'no write'); END`;
    const drop = (table: string, verb: string) => `DROP TRIGGER ${table}_${verb}`;
    for (const database of [env.DB_0, env.DIRECTORY]) await everyWrite(database, create);
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    return async () => {
      for (const database of [env.DB_0, env.DIRECTORY]) await everyWrite(database, drop);
      vi.restoreAllMocks();
    };
  });

  it.each(failing)("$id", async ({ id }) => {
    const before = await entriesSoFar();
    const answer = await sends.get(id)?.();
    expect(answer?.status, JSON.stringify(answer?.body)).toBe(500);
    expect(await entriesAfter(before)).toEqual([]);
  });
});
