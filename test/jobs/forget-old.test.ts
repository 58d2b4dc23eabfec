import { env } from "cloudflare:workers";
import { drizzle } from "drizzle-orm/d1";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { companyKinds, sharedKinds } from "../../src/core/retention.ts";
import { companyDb } from "../../src/db/client.ts";
import { alertConditions, idempotencyKeys } from "../../src/db/schema.ts";
import { insertEvents } from "../../src/events/queries.ts";
import { partAt } from "../../src/jobs/retention/forget-pictures.ts";
import { deleteStep, ROWS_PER_STEP } from "../../src/jobs/retention/queries.ts";
import { createAlertRule, createIncident } from "../support/alerts.ts";
import { createAuditEntry } from "../support/audit.ts";
import { call } from "../support/call.ts";
import { DAY, HOUR, MINUTE } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import {
  createCompany,
  createHelpCall,
  createHourOutsideShifts,
  createMachine,
  createMessage,
  createNotification,
  createOperatorShift,
  createShiftRecord,
  createStopSlice,
  createSubscription,
  createSubscriptionLog,
  createUser,
} from "../support/factories.ts";
import { doJob } from "../support/jobs.ts";
import { newPng } from "../support/pictures.ts";
import { createShiftParts } from "../support/shift-parts.ts";
import { createWebhookSubscription } from "../support/webhooks.ts";
import { createDashboard, createWidget } from "../support/widgets.ts";

const db = drizzle(env.DB_0);

let lines: Record<string, unknown>[] = [];
beforeEach(() => {
  lines = [];
  vi.spyOn(console, "log").mockImplementation((line: string) => lines.push(JSON.parse(line)));
});
afterEach(() => {
  vi.restoreAllMocks();
});

const others = [
  "idempotencyKeys",
  "directoryKeys",
  "loginFailures",
  "knownAddresses",
  "wallPairings",
  "pictures",
  "pictureMarks",
  "dryRuns",
  "imports",
];
const noneOf = Object.fromEntries([...companyKinds, ...sharedKinds, ...others, "failed"].map((kind) => [kind, 0]));

/** Runs the jobs as of an instant, with some bindings replaced, after looking at every company. Returns the sums of what they logged. */
async function forget(now: number, bindings: Partial<Env> = {}, limit?: number) {
  lines = [];
  await env.DB_0.exec("DELETE FROM retention");
  const failures: unknown[] = [];
  for (const job of ["forget", "forgetShared"] as const) {
    await doJob(job, now, bindings, limit).catch((error) => failures.push(error));
  }
  if (failures.length > 0) throw new Error(failures.map(String).join("; "));
  return sums();
}

function sums() {
  const counts: Record<string, number> = { ...noneOf };
  for (const { event: _, companyId: __, durationMs: ___, ...line } of lines) {
    for (const [kind, count] of Object.entries(line)) counts[kind] = (counts[kind] ?? 0) + Number(count);
  }
  return counts;
}

/** Copies the rows of a shift to what reports said before, with a revision. */
async function keepFormer(shiftStart: number, recordId: number): Promise<void> {
  const starts = { shift_records: "start_at", shift_parts: "shift_start", stops: "shift_start", operator_shifts: "shift_start" };
  for (const [table, start] of Object.entries(starts)) {
    // Without those that are computed.
    const { results } = await env.DB_0.prepare(`SELECT name FROM pragma_table_info('${table}')`).all<{ name: string }>();
    const columns = results.map(({ name }) => name).join(", ");
    const copy = `INSERT INTO ${table}_history (${columns}, replaced_at) SELECT ${columns}, 1 FROM ${table} WHERE ${start} = ?`;
    await env.DB_0.prepare(copy).bind(shiftStart).run();
  }
  const revision = `INSERT INTO shift_revisions (record_id, n, revision, company_id, machine_id, shift_start, shift_end, recorded_at, reasons, body)
    SELECT id, 1, 1, company_id, machine_id, start_at, end_at, 1, '[]', '{}' FROM shift_records WHERE id = ?`;
  await env.DB_0.prepare(revision).bind(recordId).run();
}

/** The database that has a table. */
const databaseOf = (sql: string) => (/dead_letters|wall_pairings|login_attempts/.test(sql) ? env.DIRECTORY : env.DB_0);
const ids = async (table: string, column = "id") =>
  (await databaseOf(table).prepare(`SELECT ${column} AS id FROM ${table}`).all<{ id: string | number }>()).results.map(
    ({ id }) => id,
  );
const insert = async (sql: string, ...values: unknown[]) => {
  await databaseOf(sql)
    .prepare(sql)
    .bind(...values)
    .run();
};
const addAudit = async (objectId: string, at: number) => {
  const { companyId } = await createCompany();
  await createAuditEntry({ companyId, userId: 1 }, { at, objectId });
};
const addKey = (key: string, at: number) =>
  insert(
    "INSERT INTO idempotency_keys (user_id, operation, key, request_hash, status, created_at) VALUES (1, 'POST /x', ?, '', 200, ?)",
    key,
    at,
  );
const addEvent = (id: string, companyId: number, at: number) =>
  insert(
    `INSERT INTO events (key, company_id, seq, type, at, form, data, created_at)
      SELECT ?, ?, coalesce((SELECT max(seq) FROM events WHERE company_id = ?), 0) + 1, 12, 0, 0, '{}', ?`,
    ...[id, companyId, companyId, at],
  );
/** Marks all events of a company as dispatched. */
const dispatch = (companyId: number) =>
  insert(
    `INSERT INTO event_counters SELECT company_id, max(seq) FROM events WHERE company_id = ? GROUP BY company_id
      ON CONFLICT DO UPDATE SET dispatched_seq = excluded.dispatched_seq`,
    companyId,
  );
const addDeadLetter = (id: string, at: number) =>
  insert("INSERT INTO dead_letters (id, queue, body, created_at) VALUES (?, 'EVENTS', '{}', ?)", id, at);
/** Adds the delivery of a company's newest event to a subscription. */
const addDelivery = (id: string) =>
  insert(
    `INSERT INTO webhook_deliveries (company_id, subscription_nr, event_seq, machine_id, status, attempts, updated_at)
      SELECT company_id, nr, (SELECT max(seq) FROM events WHERE company_id = s.company_id), 0, 1, 1, 0 FROM webhook_subscriptions AS s WHERE id = ?`,
    id,
  );
const addCall = (id: string) =>
  insert(
    `INSERT INTO webhook_attempts (company_id, subscription_nr, event_seq, at, duration_ms, answer, error)
      SELECT company_id, nr, (SELECT max(seq) FROM events WHERE company_id = s.company_id), 0, 1, '', '' FROM webhook_subscriptions AS s WHERE id = ?`,
    id,
  );
const called = async (table: string) =>
  ids(`webhook_subscriptions AS s JOIN ${table} AS t ON t.company_id = s.company_id AND t.subscription_nr = s.nr`, "s.id");
const addPairing = (id: string, expiresAt: number) =>
  insert("INSERT INTO wall_pairings (id, code, token_hash, expires_at, created_at) VALUES (?, ?, '', ?, 0)", id, id, expiresAt);
const addAttempt = (key: string, failures: number, at: number) =>
  insert("INSERT INTO login_attempts (key, failures, window_start) VALUES (?, ?, ?)", key, failures, at);

describe("old data", () => {
  // Every table once: a row that is exactly as old as allowed is deleted, one that is a millisecond younger stays.
  it("is what is as old as its period, to the millisecond", async () => {
    const now = Date.now();
    const { companyId } = await createCompany();
    const { userId } = await createUser(companyId, "user");
    const { id: subscriptionId } = await createSubscription(companyId);
    const { machineId } = await createMachine(companyId);
    const gone: unknown[] = [];
    const stays: unknown[] = [];
    const open = await createHelpCall({ id: machineId, companyId }, userId, { createdAt: 0 });
    for (const [list, more] of [
      [gone, 0],
      [stays, 1],
    ] as const) {
      const name = list === gone ? "gone" : "stays";
      const at = (ageMs: number) => now - ageMs + more;
      await addKey(name, at(DAY));
      // Whole days, each company's at an hour of its own: test/jobs/archive.test.ts, archive-events.test.ts.
      await addAudit(name, list === gone ? now - 92 * DAY : at(90 * DAY));
      await addPairing(name, at(10 * MINUTE));
      await addEvent(name, companyId, list === gone ? now - 32 * DAY : at(30 * DAY));
      await addDeadLetter(name, at(30 * DAY));
      await env.DB_0.prepare("INSERT INTO report_contents VALUES (?, x'00', ?)")
        .bind(name, at(30 * DAY))
        .run();
      const { id: webhookId } = await createWebhookSubscription(companyId);
      await addDelivery(webhookId);
      await addCall(webhookId);
      await addAttempt(`account|${name}`, 1, at(15 * MINUTE));
      await addAttempt(`known|${name}`, 0, at(30 * DAY));
      const rule = await createAlertRule(companyId);
      const incident = await createIncident(rule, { openedAt: at(30 * DAY), resolvedAt: now });
      await createIncident(rule, { openedAt: 0 });
      const found = {
        companyId,
        ruleId: rule.id,
        machineId,
        subject: "",
        since: 0,
        dueAt: 0,
        facts: {},
        revision: 1,
        createdAt: 0,
      };
      await db.insert(alertConditions).values([
        { ...found, id: `${name} condition`, until: 1, updatedAt: at(30 * DAY) },
        { ...found, id: `${name} open`, until: null, updatedAt: 0 },
      ]);
      const notification = await createNotification(userId, { createdAt: at(90 * DAY) });
      // The age of the answer decides: the call may be of any age.
      const answered = { createdAt: 0, answeredAt: at(90 * DAY), answeredBy: userId };
      const helpCall = await createHelpCall({ id: machineId, companyId }, userId, answered);
      const message = await createMessage(companyId, { createdAt: at(30 * DAY) });
      const log = await createSubscriptionLog(subscriptionId, { executeAt: at(90 * DAY) });
      const shift = { companyId, machineId, shiftId: 1 };
      const [start, end] = [at(100 * DAY) - 8 * HOUR, at(100 * DAY)];
      const record = await createShiftRecord({ ...shift, startAt: start, endAt: end });
      const ofShift = { ...shift, shiftStart: start, shiftEnd: end };
      await createShiftParts(ofShift, [{ startAt: start }, { startAt: end - HOUR }]);
      await createOperatorShift({ ...ofShift, operatorId: 1 });
      await createHourOutsideShifts({ companyId, machineId }, at(100 * DAY), 5);
      const times = { shiftStart: start, shiftEnd: end, sliceStart: start, sliceEnd: start + HOUR };
      const stop = await createStopSlice({ ...shift, ...times });
      await keepFormer(start, record.id);
      list.push(
        ...Array<string>(6).fill(name),
        incident.id,
        `${name} condition`,
        webhookId,
        webhookId,
        `account|${name}`,
        `known|${name}`,
        notification.id,
        helpCall.helpCallId,
        message.id,
        log.id,
        ...[record.id, record.id, record.id],
        ...[stop.id, stop.id],
        at(100 * DAY),
      );
    }
    await dispatch(companyId);
    const line = await forget(now, { HISTORY_KEPT_DAYS: "100" });
    const left = [
      ...(await ids("incidents WHERE resolved_at IS NOT NULL")),
      ...(await ids("alert_conditions WHERE until IS NOT NULL")),
      ...(await ids("idempotency_keys", "key")),
      ...(await ids("audit", "object_id")),
      ...(await ids("wall_pairings")),
      ...(await ids("events", "key")),
      ...(await ids("dead_letters")),
      ...(await ids("report_contents", "log_id")),
      ...(await called("webhook_deliveries")),
      ...(await called("webhook_attempts")),
      ...(await ids("login_attempts", "key")),
      ...(await ids("notifications")),
      ...(await ids("help_calls WHERE answered_at IS NOT NULL")),
      ...(await ids("messages")),
      ...(await ids("subscription_logs")),
      ...(await ids("shift_records")),
      ...(await ids("stops")),
      ...(await ids("shift_records_history")),
      ...(await ids("shift_revisions", "record_id")),
      ...(await ids("stops_history")),
      ...(await ids("hours_outside_shifts", "start_at")),
    ];
    expect(left.toSorted()).toEqual(stays.toSorted());
    expect(await ids("incidents WHERE resolved_at IS NULL")).toHaveLength(2);
    expect(await ids("alert_conditions WHERE until IS NULL")).toHaveLength(2);
    expect(await ids("help_calls WHERE answered_at IS NULL")).toEqual([open.helpCallId]);
    const starts = async (table: string) => new Set(await ids(`${table} WHERE machine_id = ${machineId}`, "shift_start"));
    const shiftStart = now - 100 * DAY + 1 - 8 * HOUR;
    for (const table of ["shift_parts", "operator_shifts", "shift_parts_history", "operator_shifts_history"])
      expect(await starts(table), table).toEqual(new Set([shiftStart]));
    const counts = {
      ...{ idempotencyKeys: 1, directoryKeys: 0, loginFailures: 1, knownAddresses: 1, wallPairings: 1 },
      ...{ events: 1, deadLetters: 1, audit: 1, notifications: 1, helpCalls: 1, messages: 1 },
      ...{ subscriptionLogs: 1, reportContents: 1 },
      ...{ incidents: 1, alertConditions: 1 },
    };
    const former = { shiftRecordsHistory: 1, shiftPartsHistory: 2, stopsHistory: 1, operatorShiftsHistory: 1, shiftRevisions: 1 };
    expect(line).toEqual({ ...noneOf, ...counts, stops: 1, shiftRecords: 1, hoursOutsideShifts: 1, ...former });
  });

  it("is kept if its period is 0 days, as is the default for the history", async () => {
    const now = Date.now();
    await addAudit("ancient", now - 3000 * DAY);
    const { companyId } = await createCompany();
    const { machineId } = await createMachine(companyId);
    await createShiftRecord({ companyId, machineId, shiftId: 1, startAt: 0, endAt: HOUR });
    const line = await forget(now, { AUDIT_KEPT_DAYS: "0" });
    expect(line).toMatchObject({ audit: 0, shiftRecords: 0, stops: 0, failed: 0 });
    expect(await ids("audit", "object_id")).toContain("ancient");
    expect(await forget(now)).toMatchObject({ shiftRecords: 0 });
    expect(await ids("audit", "object_id")).not.toContain("ancient");
  });

  it("of the audit can be deleted from 30 days on", async () => {
    const now = Date.now();
    await addAudit("young", now - 30 * DAY + 500);
    await addAudit("old", now - 32 * DAY);
    expect(await forget(now + 600, { AUDIT_KEPT_DAYS: "30" })).toMatchObject({ failed: 0 });
    expect(await ids("audit", "object_id")).not.toContain("old");
  });

  it("is deleted oldest first, in steps of at most 2,000 rows, those of one time too", async () => {
    const now = Date.now();
    await insert(
      `INSERT INTO idempotency_keys (user_id, operation, key, request_hash, status, created_at)
       SELECT 2, 'POST /x', key, '', 200, ? - max(0, key - ?) FROM json_each(?)`,
      ...[now - DAY, ROWS_PER_STEP, JSON.stringify(Array(2 * ROWS_PER_STEP + 5).fill(0))],
    );
    const left = async () => (await ids("idempotency_keys WHERE user_id = 2", "key")).map(Number).toSorted((a, b) => a - b);
    const rows = { table: idempotencyKeys, time: idempotencyKeys.createdAt };
    expect(await deleteStep(companyDb(env), rows, now - DAY)).toBe(ROWS_PER_STEP);
    expect((await left()).at(-1)).toBe(ROWS_PER_STEP + 4);
    expect(await deleteStep(companyDb(env), rows, now - DAY)).toBe(ROWS_PER_STEP);
    expect(await left()).toHaveLength(5);
    expect(await forget(now)).toMatchObject({ idempotencyKeys: 5 });
    expect(await left()).toEqual([]);
  });

  it("of events is deleted company by company, in steps, once they are dispatched", async () => {
    const now = Date.now();
    const companies = [await createCompany(), await createCompany(), await createCompany()].map(({ companyId }) => companyId);
    const [large = 0, small = 0, waiting = 0] = companies;
    await insert(
      `INSERT INTO events (company_id, seq, type, at, form, data, created_at)
        SELECT ?, key + 1, 12, 0, 0, '{}', ? + key FROM json_each(?)`,
      ...[large, now - 33 * DAY, JSON.stringify(Array(1205).fill(0))],
    );
    for (const [companyId, age] of [
      [small, 32 * DAY],
      [small, 30 * DAY - HOUR],
      [waiting, 40 * DAY],
    ] as const) {
      await addEvent(`${companyId} ${age}`, companyId, now - age);
    }
    await dispatch(large);
    await dispatch(small);
    const left = async (companyId: number) => (await ids(`events WHERE company_id = ${companyId}`, "seq")).map(Number);
    expect(await forget(now)).toMatchObject({ events: 1206 });
    expect([await left(large), await left(small), await left(waiting)]).toEqual([[], [2], [1]]);
    // The next event of a company without any has the next number.
    await insertEvents(
      companyDb(env),
      [{ id: "next", companyId: large, machineId: null, type: "help.called", at: now, data: {} }],
      now,
    );
    expect(await left(large)).toEqual([1206]);
  });

  it("of a shift is deleted record first and stops afterwards, even over several runs", async () => {
    const now = Date.now();
    const { companyId } = await createCompany();
    const { machineId } = await createMachine(companyId);
    const shift = { companyId, machineId, shiftId: 1 };
    for (const start of [0, HOUR]) {
      await createShiftRecord({ ...shift, startAt: start, endAt: start + HOUR });
      const ofShift = { ...shift, shiftStart: start, shiftEnd: start + HOUR };
      await createStopSlice({ ...ofShift, sliceStart: start, sliceEnd: start + HOUR });
    }
    // So many statements that the run ends after the records.
    const done = await doJob("forget", now, { HISTORY_KEPT_DAYS: "100" }, 12);
    const own = done.filter(({ job }) => job.companyIds?.[0] === companyId);
    expect(own.length).toBeGreaterThan(1);
    const ofCompany = lines.filter((line) => line.companyId === companyId);
    expect(ofCompany.map(({ shiftRecords, stops }) => [shiftRecords, stops])).toEqual([
      [2, undefined],
      [undefined, 2],
    ]);
  });

  it("of a stop is kept while its shift has a record", async () => {
    const now = Date.now();
    const { companyId } = await createCompany();
    const { machineId } = await createMachine(companyId);
    const shift = { companyId, machineId, shiftId: 1 };
    const end = now - 100 * DAY;
    await createShiftRecord({ ...shift, startAt: end - HOUR, endAt: end + 1 });
    await createStopSlice({ ...shift, shiftStart: end - HOUR, shiftEnd: end, sliceStart: end - HOUR, sliceEnd: end });
    expect(await forget(now, { HISTORY_KEPT_DAYS: "100" })).toMatchObject({ shiftRecords: 0, stops: 0 });
    expect(await forget(now + 1, { HISTORY_KEPT_DAYS: "100" })).toMatchObject({ shiftRecords: 1, stops: 1 });
  });

  it("is found by an index in every statement", async () => {
    const sent: [string, unknown[]][] = [];
    const recorded = (statement: D1PreparedStatement, sql: string): D1PreparedStatement =>
      new Proxy(statement, {
        get: (target, name) =>
          name === "bind"
            ? (...values: unknown[]) => {
                sent.push([sql, values]);
                return target.bind(...values);
              }
            : Reflect.get(target, name).bind(target),
      });
    const recordedDatabase = (database: D1Database) =>
      ({
        withSession: (start: string) => {
          const session = database.withSession(start);
          const prepare = (sql: string) => recorded(session.prepare(sql), sql);
          return { prepare, batch: session.batch.bind(session), getBookmark: () => session.getBookmark() };
        },
      }) as unknown as D1Database;
    const now = Date.now() + 2 * DAY;
    await env.THUMBNAILS.put(pictureKey(now), "a picture");
    const databases = { DB_0: recordedDatabase(env.DB_0), DIRECTORY: recordedDatabase(env.DIRECTORY) };
    await forget(now, { ...databases, HISTORY_KEPT_DAYS: "100" });
    expect(sent.length).toBeGreaterThan(40);
    for (const [sql, values] of sent) {
      const plan = await databaseOf(sql)
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .bind(...values)
        .all<{ detail: string }>();
      const steps = plan.results.map(({ detail }) => detail).filter((step) => /SCAN|SEARCH|TEMP B-TREE/.test(step));
      // All companies are looked at to find new ones; the oldest row is the first of an index.
      const isFine =
        /^SEARCH .* USING |^SCAN (asked VIRTUAL TABLE|json_each VIRTUAL TABLE|companies|found)|^SCAN \w+ USING (COVERING )?INDEX|^(SCAN|SEARCH) \(subquery-\d+\)/;
      for (const step of steps) expect(step, sql).toMatch(isFine);
    }
  });
});

describe("a part that fails", () => {
  it("does not stop the others, and makes the job fail with its reason", async () => {
    const now = Date.now();
    await addKey("other", now - DAY);
    await addAudit("kept", now - 500 * DAY);
    await env.DB_0.exec("ALTER TABLE notifications RENAME TO notifications_away");
    try {
      const run = forget(now, { AUDIT_KEPT_DAYS: "29", HISTORY_KEPT_DAYS: "-1" });
      const bad = 'AUDIT_KEPT_DAYS is "29": give 0 to keep for good, or whole days from 30 on.';
      await expect(run).rejects.toThrow(`audit: Error: ${bad}`);
      await expect(run).rejects.toThrow("notifications: Error: D1_ERROR: no such table: notifications");
      await expect(run).rejects.toThrow('HISTORY_KEPT_DAYS is "-1"');
    } finally {
      await env.DB_0.exec("ALTER TABLE notifications_away RENAME TO notifications");
    }
    expect(sums()).toMatchObject({ idempotencyKeys: 1, failed: expect.any(Number) });
    expect(await ids("audit", "object_id")).toContain("kept");
    expect(await ids("idempotency_keys", "key")).not.toContain("other");
  });

  it.each(["", "1.5", "ten", "1e3", " 90"])("is one whose period is %j", async (days) => {
    await expect(forget(Date.now(), { NOTIFICATIONS_KEPT_DAYS: days })).rejects.toThrow(`NOTIFICATIONS_KEPT_DAYS is "${days}"`);
  });
});

/** A key in the part that the run at an instant checks. */
function pictureKey(now: number): string {
  return `${partAt(now)}${crypto.randomUUID().replaceAll("-", "").padEnd(62, "0")}.png`;
}

describe("a picture", () => {
  const put = async (key: string) => (await env.THUMBNAILS.put(key, key))?.uploaded.getTime() ?? Number.NaN;
  const isThere = async (key: string) => (await env.THUMBNAILS.head(key)) !== null;
  const tomorrow = () => Date.now() + DAY + HOUR;

  it("that nothing shows is deleted when it is a day old", async () => {
    // The part changes every ten minutes: repeated if that happens in between.
    await eventually(async () => {
      const key = pictureKey(Date.now() + DAY);
      const uploaded = await put(key);
      expect(key.startsWith(partAt(uploaded + DAY - 1)) && key.startsWith(partAt(uploaded + DAY))).toBe(true);
      await forget(uploaded + DAY - 1);
      expect(await isThere(key)).toBe(true);
      expect(await forget(uploaded + DAY)).toMatchObject({ pictures: 1, pictureMarks: 1 });
      expect(await isThere(key)).toBe(false);
    });
  });

  it("stays while at least one widget or dashboard has it, also a deleted one, which may be restored", async () => {
    const now = tomorrow();
    const { companyId } = await createCompany();
    const keys = Array.from({ length: 7 }, () => pictureKey(now));
    // The last one never belonged to anyone.
    const [shared, compressed, ofDashboard, ofSmallDashboard, ofDeleted, ofGoneDashboard] = keys;
    for (const key of keys) await put(key);
    const deletedAt = Date.now();
    await createWidget(companyId, { thumbnailKey: shared, compressedThumbnailKey: compressed });
    await createWidget(null, { thumbnailKey: shared, deletedAt });
    await createWidget(companyId, { thumbnailKey: ofDeleted, compressedThumbnailKey: ofDeleted, deletedAt });
    await createDashboard(companyId, { thumbnailKey: ofDashboard, compressedThumbnailKey: ofSmallDashboard, archivedAt: 1 });
    await createDashboard(companyId, { thumbnailKey: ofGoneDashboard, deletedAt });
    const there = async () => Promise.all(keys.map(isThere));

    expect(await forget(now)).toMatchObject({ pictures: 1 });
    expect(await there()).toEqual([true, true, true, true, true, true, false]);
  });

  it("that is being deleted cannot be uploaded again until its deletion is over", async () => {
    const { companyId } = await createCompany();
    const { token } = await createUser(companyId, "user");
    const widget = await createWidget(companyId);
    const upload = async (bytes: Uint8Array<ArrayBuffer>) => {
      const body = new FormData();
      body.append("file", new File([bytes], "picture.png"));
      return call("POST", `/widgets/${widget.id}/thumbnail`, { token, body });
    };
    const bytes = newPng(4, 4);
    const { imageUrl } = (await upload(bytes)).body;
    const key = imageUrl.split("/").at(-1);
    const other = await upload(newPng(4, 4));

    // The run that checks the part with this key.
    let now = tomorrow();
    while (!key.startsWith(partAt(now))) now += 10 * MINUTE;
    await forget(now, {
      THUMBNAILS: slow(env.THUMBNAILS, async () => {
        const refused = await upload(bytes);
        expect(refused.status).toBe(503);
        expect(Number(refused.headers.get("retry-after"))).toBe(900);
      }),
    });
    expect(await isThere(key)).toBe(false);

    const shown = await env.DB_0.prepare("SELECT thumbnail_key AS key FROM widgets WHERE id = ?").bind(widget.id).first("key");
    expect(shown).toBe(other.body.imageUrl.split("/").at(-1));

    const markedAt = (at: number) => insert("INSERT OR REPLACE INTO forgotten_pictures (key, at) VALUES (?, ?)", key, at);
    await markedAt(Date.now() - 14 * MINUTE);
    expect((await upload(bytes)).status).toBe(503);
    await markedAt(Date.now() - 15 * MINUTE);
    expect((await upload(bytes)).status).toBe(200);
    expect(await isThere(key)).toBe(true);
  });

  it("is found within 256 runs, which cover all keys", () => {
    const now = Date.now();
    const runs = Array.from({ length: 256 }, (_, i) => partAt(now + i * 10 * MINUTE));
    expect(new Set(runs).size).toBe(256);
    expect(runs.every((part) => /^[0-9a-f]{2}$/.test(part))).toBe(true);
  });
});

/** A bucket in which something happens before a deletion. */
function slow(bucket: R2Bucket, before: () => Promise<void>): R2Bucket {
  return new Proxy(bucket, {
    get:
      (target, name) =>
      async (...args: [never]) => {
        if (name === "delete") await before();
        return target[name as "delete"](...args);
      },
  });
}
