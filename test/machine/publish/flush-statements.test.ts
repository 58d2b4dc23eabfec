import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { companyDb } from "../../../src/db/client.ts";
import { eventTypeNumbers } from "../../../src/db/values.ts";
import { type SentRows, statementsFor } from "../../../src/machine/publish/flush-statements.ts";
import { lastFlush, nextRows } from "../../../src/machine/publish/outbox.ts";
import { MachineStorage } from "../../../src/machine/storage/machine-storage.ts";
import { call } from "../../support/call.ts";
import { HOUR, MINUTE, NOON, SECOND, stopClockAtNoon } from "../../support/clock.ts";
import { createOperator, createSku, createStopCause, createUser, createWorkOrder } from "../../support/factories.ts";
import { machineObject } from "../../support/machine-object.ts";
import { configureMachine, countAt, createLine, flushMachine, ingest } from "../../support/machines.ts";
import { changed } from "../../support/service.ts";

// Flushes of many machines, sent as one batch, as the consumer of a queue of flushes would do.

stopClockAtNoon();

/** The rows that the machines' objects sent, in order. */
const sent: SentRows[] = [];

/** Records what a machine's object sends from now on: for each batch, the rows that wait at that time. */
async function noteFlushes(machineId: number): Promise<void> {
  await runInDurableObject(machineObject(env, machineId), (object, { storage }) => {
    const inner = object as unknown as { env: Env };
    const { DB_0 } = inner.env;
    const withSession = (...start: [string?]) => {
      const session = DB_0.withSession(...start);
      const batch = (statements: D1PreparedStatement[]) => {
        const machine = new MachineStorage(storage);
        const { revision } = lastFlush(machine);
        const isKnown = sent.some((flush) => flush.machineId === machineId && flush.revision === revision);
        const { configVersion } = machine.identity() ?? {};
        const news = { ...(configVersion && { configuredVersion: configVersion }), heardAt: NOON };
        if (revision > 0 && !isKnown) sent.push({ machineId, revision, rows: nextRows(machine, 0), ...news });
        return session.batch(statements);
      };
      return changed(session, { batch });
    };
    inner.env = { ...inner.env, DB_0: changed(DB_0, { withSession }) };
  });
}

const at = (time: number) => new Date(time).toISOString();

/** A machine whose set-up changed before its first count, with an order, operators, SKUs, an alert and a classified stop, some of it undone. */
async function eventfulMachine(): Promise<{ id: number; companyId: number }> {
  const { companyId, machine, shiftId, token } = await createLine({ commissionedAt: NOON - 5 * HOUR, noDataAfterSeconds: 600 });
  const { id } = machine;
  const { token: admin } = await createUser(companyId, "superadmin");
  const when = { kind: "stop", minutes: 5 };
  const rule = await call("POST", "/v1/alert-rules", { token: admin, body: { name: "Long stop", when } });
  expect(rule.status, JSON.stringify(rule.body)).toBe(201);
  await noteFlushes(id);
  await configureMachine(id);
  await flushMachine(id);
  // Nothing was counted yet, so the published shift is replaced by another one.
  const moved = await call("PATCH", `/v1/shifts/${shiftId}`, { token: admin, body: { start: "03:00", end: "03:00" } });
  expect(moved.status, JSON.stringify(moved.body)).toBe(200);
  await configureMachine(id);
  await flushMachine(id);

  const [{ skuId }, { skuId: other }] = [await createSku(companyId), await createSku(companyId)];
  const { workOrderId } = await createWorkOrder(machine, skuId, { status: "Planned" });
  const [{ operatorId: first }, { operatorId: second }] = [await createOperator(companyId), await createOperator(companyId)];
  const operator = (operatorId: number, time: number, action: "in" | "out") => {
    return { type: "operator", at: at(time), machineId: id, operatorId, action };
  };
  const sku = (time: number, of: string, order?: string) => {
    return { type: "sku", at: at(time), machineId: id, skuId: of, ...(order && { workOrderId: order }) };
  };
  const counts = (from: number, to: number) => {
    return Array.from({ length: (to - from) / MINUTE }, (_, i) => countAt(machine.nodeId, from + i * MINUTE, 3));
  };
  await ingest(token, [
    operator(first, NOON - 4 * HOUR, "in"),
    operator(second, NOON - 30 * MINUTE, "in"),
    sku(NOON - 4 * HOUR, skuId, workOrderId),
    ...counts(NOON - 4 * HOUR, NOON - 2 * HOUR),
    ...counts(NOON - 113 * MINUTE, NOON - 8 * MINUTE),
    // Without it, the stop might turn out to be no data, and would raise no alert.
    { type: "heartbeat", at: at(NOON - MINUTE), nodeId: machine.nodeId },
  ]);
  await machineObject(env, id).cutRun(workOrderId, NOON - 20 * MINUTE);
  await flushMachine(id);

  const { causeId } = await createStopCause(companyId);
  const slices = await env.DB_0.prepare("select id from stops where machine_id = ? order by slice_start desc").bind(id).all();
  const body = { generalCauseId: String(causeId), specificCauseId: null, componentId: null, description: "Belt" };
  const path = `/v1/stops/${slices.results[0]?.id}/classification`;
  const classified = await call("PUT", path, { token: admin, body });
  expect(classified.status, JSON.stringify(classified.body)).toBe(200);
  await flushMachine(id);

  // Late: the second operator left before the shift ended, another SKU was in work at the cut, and the long stop was none.
  await ingest(token, [
    operator(second, NOON - 30 * MINUTE + SECOND, "out"),
    sku(NOON - 25 * MINUTE, other),
    ...counts(NOON - 2 * HOUR, NOON - 113 * MINUTE),
  ]);
  await flushMachine(id);
  return { id, companyId };
}

const mine = (machines: { id: number }[]) => `machine_id in (${machines.map(({ id }) => id)})`;
const ours = (machines: { companyId: number }[]) => `company_id in (${machines.map(({ companyId }) => companyId)})`;

/** The numbers of the events that others publish when they handle a condition. */
const alertTypes = Object.entries(eventTypeNumbers).flatMap(([type, number]) => (type.startsWith("alert.") ? number : []));

/** The rows that flushes leave in D1, without what others add when they deliver an event or handle a condition. */
async function leftBy(machines: { id: number; companyId: number }[]) {
  const ids = machines.map(({ id }) => id);
  const queries = {
    records: `select * from shift_records where ${mine(machines)} order by id`,
    parts: `select * from shift_parts where ${mine(machines)} order by machine_id, start_at`,
    stops: `select * from stops where ${mine(machines)} order by id, shift_start`,
    operators: `select * from operator_shifts where ${mine(machines)} order by machine_id, shift_start, operator_id`,
    runs: `select * from order_runs where ${mine(machines)} order by machine_id, start_at`,
    conditions: `select id, subject, since, due_at, until, facts, revision, created_at, updated_at from alert_conditions where ${mine(machines)} order by id`,
    audit: `select *, hex(request_id) as request_id from audit where ${ours(machines)} and kind = 18 order by company_id, at, nr`,
    events: `select company_id, machine_id, n, key, type, at, form, data, created_at, rank() over (partition by company_id, machine_id order by seq) as place
      from events where ${ours(machines)} and type not in (${alertTypes}) order by company_id, machine_id, place`,
    orders: `select id, status, updated_at from work_orders where ${ours(machines)} order by id`,
    notified: `select id, configured_version, heard_at from machines where id in (${ids}) order by id`,
    counted: `select * from report_counts where scope = 'machine' and scope_id in (${ids}) and (kept <> 0 or deleted <> 0)
      order by report, scope_id, width_ms, start_at`,
  };
  const results = await env.DB_0.batch(Object.values(queries).map((query) => env.DB_0.prepare(query)));
  return Object.fromEntries(Object.keys(queries).map((name, i) => [name, results[i]?.results ?? []]));
}

/** Deletes the rows that the machines sent. Audit entries stay: nothing deletes them, and each exists once however often it is sent. */
async function forget(machines: { id: number; companyId: number }[]): Promise<void> {
  const ids = machines.map(({ id }) => id);
  const tables = ["shift_records", "shift_parts", "stops", "operator_shifts", "order_runs", "alert_conditions"];
  const queries = [
    ...tables.map((table) => `delete from ${table} where ${mine(machines)}`),
    `delete from events where ${ours(machines)}`,
    `update work_orders set status = 'Planned', updated_at = created_at where ${ours(machines)}`,
    `update machines set configured_version = 0, heard_at = null where id in (${ids})`,
    `delete from report_counts where scope = 'machine' and scope_id in (${ids})`,
  ];
  await env.DB_0.batch(queries.map((query) => env.DB_0.prepare(query)));
}

async function sendTogether(flushes: readonly SentRows[]): Promise<void> {
  const db = companyDb(env);
  const [first, ...others] = statementsFor(db, flushes, NOON);
  if (!first) throw new Error("nothing to send");
  await db.batch([first, ...others]);
}

const bodies = (kind: string) => sent.flatMap(({ rows }) => rows.filter((row) => row.kind === kind).map(({ body }) => body));

it("one batch of flushes of many machines has the same result as separate flushes, in any order", async () => {
  sent.length = 0;
  const machines = [await eventfulMachine(), await eventfulMachine(), await eventfulMachine()];
  const flushes = [...sent];
  const kinds = ["record", "part", "stop", "roster", "run", "audit", "event", "condition"];
  for (const kind of kinds) expect(bodies(kind).length, kind).toBeGreaterThan(0);
  for (const kind of ["record", "part"]) expect(bodies(kind), `${kind} to be deleted`).toContain("null");
  expect(bodies("stop").some((body) => JSON.parse(body).deletedAt !== null)).toBe(true);
  expect(flushes.length).toBeGreaterThan(3 * machines.length);

  const oneByOne = await leftBy(machines);
  for (const [table, rows] of Object.entries(oneByOne)) expect(rows.length, table).toBeGreaterThan(0);
  await forget(machines);
  expect(await leftBy(machines)).not.toEqual(oneByOne);
  await sendTogether(flushes);
  expect(await leftBy(machines)).toEqual(oneByOne);

  // A queue keeps no order. The order of events is kept by sending the flushes of a machine one after the other.
  await forget(machines);
  const { events: _, ...others } = oneByOne;
  await sendTogether([...flushes].reverse());
  expect(await leftBy(machines)).toMatchObject(others);

  // Nor does it deliver exactly once.
  await sendTogether(flushes);
  expect(await leftBy(machines)).toMatchObject(others);
});

it("a late flush changes nothing, except that it restores rows that a later flush deleted", async () => {
  sent.length = 0;
  const machines = [await eventfulMachine(), await eventfulMachine()];
  const newest = await leftBy(machines);
  // The oldest one last, so that no later flush repairs what it would do.
  for (const late of [...sent].reverse()) {
    const later = sent.filter(({ machineId, revision }) => machineId === late.machineId && revision > late.revision);
    const deleted = later.flatMap(({ rows }) => rows).filter(({ kind, body }) => body === "null" || kind === "roster");
    const isDeleted = (row: SentRows["rows"][number]) => deleted.some(({ kind, key }) => kind === row.kind && key === row.key);
    await sendTogether([{ ...late, rows: late.rows.filter((row) => !isDeleted(row)) }]);
  }
  expect(await leftBy(machines)).toEqual(newest);
  const [first] = sent;
  if (!first) throw new Error("nothing was sent");
  await sendTogether([first]);
  const { records = [] } = await leftBy(machines);
  expect(records.length, "so a consumer has to leave out what is older than the machine's last flush").toBeGreaterThan(
    newest.records?.length ?? 0,
  );
});
