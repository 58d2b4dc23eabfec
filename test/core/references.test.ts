import { env } from "cloudflare:workers";
import { getTableColumns, is } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { beforeAll, describe, expect, it } from "vitest";
import { type Reference, references } from "../../src/core/references.ts";
import * as schema from "../../src/db/schema.ts";
import { createAlertRule } from "../support/alerts.ts";
import { call } from "../support/call.ts";
import {
  createCompany,
  createLine,
  createMachine,
  createOperator,
  createPersona,
  createShift,
  createSku,
  createStopCause,
  createUser,
} from "../support/factories.ts";

const db = drizzle(env.DB_0);
const stamps = () => ({ createdAt: Date.now(), updatedAt: Date.now() });

interface Plant {
  companyId: number;
  token: string;
}

/** How a thing of each kind is made, and where it is deleted. */
const makers: Record<Reference["to"], { path: string; make(companyId: number): Promise<{ id: number | string }> }> = {
  "alert rule": { path: "/v1/alert-rules", make: (companyId) => createAlertRule(companyId) },
  "chat room": {
    path: "/v1/chat-rooms",
    make: (companyId) =>
      db
        .insert(schema.chatRooms)
        .values({
          id: crypto.randomUUID(),
          companyId,
          name: "R",
          service: "slack",
          sealedUrl: "",
          language: "en",
          isActive: true,
          ...stamps(),
        })
        .returning()
        .get(),
  },
  "calendar day": {
    path: "/v1/calendar-days",
    make: (companyId) =>
      db
        .insert(schema.calendarDays)
        .values({ companyId, date: "2199-12-31", scope: "company", shifts: [], ...stamps() })
        .returning()
        .get(),
  },
  line: { path: "/v1/lines", make: (companyId) => createLine(companyId) },
  machine: { path: "/v1/machines", make: (companyId) => createMachine(companyId) },
  operator: { path: "/v1/operators", make: (companyId) => createOperator(companyId) },
  "operator plan": {
    path: "/v1/operator-plans",
    make: (companyId) => {
      const time = { since: Date.now() - 60_000, until: Date.now() + 3_600_000 };
      return db
        .insert(schema.operatorPlans)
        .values({ id: crypto.randomUUID(), companyId, title: "Week", ...time, ...stamps() })
        .returning()
        .get();
    },
  },
  persona: { path: "/v1/personas", make: (companyId) => createPersona(companyId) },
  "report subscription": {
    path: "/v1/report-subscriptions",
    make: (companyId) =>
      db
        .insert(schema.reportSubscriptions)
        .values({ id: crypto.randomUUID(), companyId, name: "Morning", ...stamps() })
        .returning()
        .get(),
  },
  shift: { path: "/v1/shifts", make: (companyId) => createShift(companyId) },
  SKU: { path: "/v1/skus", make: (companyId) => createSku(companyId) },
  "stop cause": { path: "/v1/stop-causes", make: (companyId) => createStopCause(companyId) },
  "webhook subscription": {
    path: "/v1/webhook-subscriptions",
    make: (companyId) => {
      const about = { url: "https://erp.example.com/in", isActive: true, description: "" };
      return db
        .insert(schema.webhookSubscriptions)
        .values({ id: crypto.randomUUID(), companyId, ...about, ...stamps() })
        .returning()
        .get();
    },
  },
  "work order": {
    path: "/v1/work-orders",
    make: (companyId) => {
      const about = { code: crypto.randomUUID(), name: "Bottles", status: "Planned" as const, priority: 1, source: "test" };
      return db
        .insert(schema.workOrders)
        .values({ id: crypto.randomUUID(), companyId, ...about, ...stamps() })
        .returning()
        .get();
    },
  },
};

/** The table and column (or the JSON in it) of each member, and how a row of another table is made that names two things. */
const columnOf: Record<string, string> = {
  "alert rule machineIds": "alert_rules.machine_ids",
  "alert rule lineIds": "alert_rules.line_ids",
  "alert rule shiftIds": "alert_rules.shift_ids",
  "alert rule when.causeIds": "alert_rules.params",
  "alert rule levels.personaIds": "alert_rules.levels",
  "alert rule levels.chatRoomIds": "alert_rules.levels",
  "calendar day lineId": "calendar_days.line_id",
  "calendar day machineId": "calendar_days.machine_id",
  "calendar day shifts.shiftId": "calendar_days.shifts",
  "report subscription machineIds": "report_subscriptions.machine_ids",
  "report subscription lineIds": "report_subscriptions.line_ids",
  "report subscription shiftIds": "report_subscriptions.shift_ids",
  "report subscription personaIds": "report_subscriptions.persona_ids",
  "report subscription webhookSubscriptionIds": "report_subscriptions.webhook_subscription_ids",
  "webhook subscription machineIds": "webhook_subscriptions.machine_ids",
  "webhook subscription lineIds": "webhook_subscriptions.line_ids",
  "work order machines": "work_order_machines.machine_id",
  "work order targets": "work_order_targets.sku_id",
  "machine lineId": "machines.line_id",
  "stop cause parentId": "stop_causes.parent_id",
  "shift machineIds": "shifts.machine_ids",
  "operator plan assignments.machineId": "operator_plan_assignments.machine_id",
  "operator plan assignments.shiftId": "operator_plan_assignments.shift_id",
  "operator plan assignments.operatorId": "operator_plan_assignments.operator_id",
};
const nameOf = ({ from, member }: Reference) => `${from} ${member}`;

/** Stores that a row names a thing. */
async function name(reference: Reference, row: number | string, thing: number | string, plant: Plant): Promise<void> {
  const [table, column] = (columnOf[nameOf(reference)] ?? "").split(".");
  const run = (sql: string, ...values: unknown[]) =>
    env.DB_0.prepare(sql)
      .bind(...values)
      .run();
  if (table === "work_order_machines") await run(`insert into ${table} (work_order_id, machine_id) values (?, ?)`, row, thing);
  else if (table === "work_order_targets") {
    const columns = "work_order_id, sku_id, target_quantity, created_at, updated_at";
    await run(`insert into ${table} (${columns}) values (?, ?, 5, 1, 1)`, row, thing);
  } else if (table === "operator_plan_assignments") {
    const own: Record<string, number> = {
      machine_id: (await createMachine(plant.companyId)).id,
      shift_id: (await createShift(plant.companyId)).id,
      operator_id: (await createOperator(plant.companyId)).id,
      [column ?? ""]: Number(thing),
    };
    const values = [own.machine_id, own.shift_id, own.operator_id];
    await run(`insert into ${table} (plan_id, machine_id, shift_id, operator_id) values (?, ?, ?, ?)`, row, ...values);
  } else {
    const json: Record<string, unknown> = {
      params: { causeIds: [thing], minutes: 5 },
      shifts: [{ id: thing, start: "06:00", end: "14:00", breaks: [] }],
      levels: [{ afterMinutes: 0, personaIds: [], chatRoomIds: [], [reference.member.replace("levels.", "")]: [thing] }],
    };
    const isScalar = column === "line_id" || column === "parent_id" || column === "machine_id";
    await run(
      `update ${table} set ${column} = ? where id = ?`,
      isScalar ? thing : JSON.stringify(json[column ?? ""] ?? [thing]),
      row,
    );
  }
}

async function newPlant(): Promise<Plant> {
  const { companyId } = await createCompany();
  const { token } = await createUser(companyId, "admin");
  return { companyId, token };
}

async function brokenIn({ token }: Plant) {
  const { body } = await call("GET", "/v1/setup/check", { token });
  return body.data.filter(({ code }: { code: string }) => code === "names_deleted");
}

describe("Every reference between things of the set-up", () => {
  it.each(references.map((reference) => [nameOf(reference), reference] as const))(
    "%s: deleting what it names is refused, or reported",
    async (_, reference) => {
      const plant = await newPlant();
      const { from, to, member, onDelete } = reference;
      const [thing, row] = [await makers[to].make(plant.companyId), await makers[from].make(plant.companyId)];
      await name(reference, row.id, thing.id, plant);
      expect(await brokenIn(plant)).toEqual([]);
      const remove = () => call("DELETE", `${makers[to].path}/${thing.id}`, { token: plant.token });
      const answer = await remove();
      const type = from.toLowerCase().replaceAll(" ", "-");
      if (onDelete === "reported") {
        expect(answer.status).toBe(204);
        expect(await brokenIn(plant)).toEqual([
          expect.objectContaining({
            object: { type, id: row.id, name: expect.any(String) },
            message: `Its ${member} names the ${to} ${thing.id}, which was deleted.`,
          }),
        ]);
        return;
      }
      expect(answer.status).toBe(409);
      expect(answer.body.errors).toEqual([
        { pointer: "", code: "in_use", message: expect.stringMatching(new RegExp(`^the ${from} .*\\(${row.id}\\).*${member}`)) },
      ]);
      // What nobody needs any more can be deleted. What was deleted by earlier versions is reported.
      if (to !== "persona") {
        const table =
          { machine: "machines", line: "lines", shift: "shifts", SKU: "skus" }[to as string] ?? `${to.replace(" ", "_")}s`;
        await env.DB_0.prepare(`update ${table} set deleted_at = 1 where id = ? and company_id = ?`)
          .bind(thing.id, plant.companyId)
          .run();
        expect(await brokenIn(plant)).toMatchObject([{ object: { type, id: row.id } }]);
        await env.DB_0.prepare(`update ${table} set deleted_at = null where id = ? and company_id = ?`)
          .bind(thing.id, plant.companyId)
          .run();
      }
      expect((await call("DELETE", `${makers[from].path}/${row.id}`, { token: plant.token })).status).toBe(204);
      expect((await remove()).status).toBe(204);
    },
  );

  it("is listed once, and every column with ids is listed or belongs to what has happened", () => {
    expect(new Set(references.map(nameOf)).size).toBe(references.length);
    expect(references.map(nameOf).filter((one) => columnOf[one] === undefined)).toEqual([]);
    const listed = new Set(Object.values(columnOf));
    const unlisted = Object.values(schema)
      .filter((one) => is(one, SQLiteTable))
      .flatMap((table) => {
        const { name: tableName } = getTableConfig(table);
        return Object.values(getTableColumns(table)).map((column) => `${tableName}.${column.name}`);
      })
      .filter((column) => /[a-z]_ids?$|created_by$/.test(column) && !/\.company_id$/.test(column) && !listed.has(column));
    expect(unlisted.filter((column) => !(column in others) && !((column.split(".")[0] ?? "") in history))).toEqual([]);
  });
});

describe("Deleting what many need", () => {
  it("lists twenty of them, and says that there are more", async () => {
    const plant = await newPlant();
    const { causeId } = await createStopCause(plant.companyId);
    for (let i = 0; i < 25; i++) {
      await createAlertRule(plant.companyId, { name: `Rule ${i}`, kind: "cause", params: { causeIds: [causeId], minutes: 0 } });
    }
    const { status, body } = await call("DELETE", `/v1/stop-causes/${causeId}`, { token: plant.token });
    expect([status, body.errors.length]).toEqual([409, 20]);
    expect(body.errors[0].message).toMatch(/as do others/);
  });

  it("is not refused for what has ended: a finished order, a plan of last week", async () => {
    const plant = await newPlant();
    const machine = await createMachine(plant.companyId);
    const order = await makers["work order"].make(plant.companyId);
    const plan = await makers["operator plan"].make(plant.companyId);
    for (const reference of references.filter(({ to, from }) => to === "machine" && /order|plan/.test(from))) {
      await name(reference, reference.from === "work order" ? order.id : plan.id, machine.id, plant);
    }
    await env.DB_0.prepare("update work_orders set status = 'Completed' where id = ?").bind(order.id).run();
    await env.DB_0.prepare("update operator_plans set until = 2 where id = ?").bind(plan.id).run();
    expect((await call("DELETE", `/v1/machines/${machine.id}`, { token: plant.token })).status).toBe(204);
    expect(await brokenIn(plant)).toEqual([]);
  });

  it("does not look at other companies", async () => {
    const [plant, other] = [await newPlant(), await newPlant()];
    const sku = await createSku(plant.companyId, { id: `S-${crypto.randomUUID()}` });
    await createSku(other.companyId, { id: sku.id });
    const order = await makers["work order"].make(other.companyId);
    const reference = references.find((one) => nameOf(one) === "work order targets") as Reference;
    await name(reference, order.id, sku.id, other);
    expect((await call("DELETE", `/v1/skus/${sku.id}`, { token: plant.token })).status).toBe(204);
    expect((await call("DELETE", `/v1/skus/${sku.id}`, { token: other.token })).status).toBe(409);
  });
});

describe("GET /v1/setup/check", () => {
  let plant: Plant;
  beforeAll(async () => {
    plant = await newPlant();
  });

  it("reports a rule, a report and a webhook whose line has no machine in service any more", async () => {
    const { lineId } = await createLine(plant.companyId);
    const machine = await createMachine(plant.companyId, { lineId });
    const rule = await createAlertRule(plant.companyId, { lineIds: [lineId] });
    const report = await makers["report subscription"].make(plant.companyId);
    const hook = await makers["webhook subscription"].make(plant.companyId);
    for (const [table, id] of [
      ["report_subscriptions", report.id],
      ["webhook_subscriptions", hook.id],
    ]) {
      await env.DB_0.prepare(`update ${table} set line_ids = ?, is_active = 1 where id = ?`).bind(`[${lineId}]`, id).run();
    }
    const idle = async () => {
      const { body } = await call("GET", "/v1/setup/check", { token: plant.token });
      return body.data.flatMap((one: { code: string; object: { type: string; id: string } | null }) =>
        one.code === "chooses_no_machine" ? [`${one.object?.type} ${one.object?.id}`] : [],
      );
    };
    expect(await idle()).toEqual([]);
    await call("PATCH", `/v1/machines/${machine.id}`, { token: plant.token, body: { lineId: null } });
    expect(await idle()).toEqual([
      `alert-rule ${rule.id}`,
      `report-subscription ${report.id}`,
      `webhook-subscription ${hook.id}`,
    ]);
  });
});

/** Columns with ids that are no references of the set-up, and why. */
const others: Record<string, string> = {
  "personas.alert_ids": "an id that is not there any more adds nothing: the rule itself is gone",
  "sku_standards.machine_id": "a standard for a machine that is gone has no effect, and the SKU goes on",
  "sku_standards.sku_id": "part of the SKU",
  "count_sensors.machine_id": "deleted with the machine: its channels are freed",
  "count_channels.machine_id": "ended with the machine: its channels are freed",
  "count_channels.node_id": "a number of the plant",
  "machines.unstamped_line_id": "the line that it had: reports of the past go on naming it",
  "machines.node_id": "a number of the plant",
  "work_order_machines.work_order_id": "part of the order",
  "work_order_targets.work_order_id": "part of the order",
  "operator_plan_assignments.plan_id": "part of the plan",
  "operator_plans.file_id": "the file that it was read from",
  "widget_instances.dashboard_id": "part of the dashboard",
  "widget_instances.widget_id": "a dashboard goes on showing a widget that was deleted",
  "widgets.source_widget_id": "a promoted copy stands on its own",
  "favorites.user_id": "the user's own",
  "favorites.favorite_id": "has no effect without the widget or dashboard",
  "user_configs.user_id": "the user's own",
  "notifications.user_id": "the user's own",
  "api_tokens.created_by": "ends with the user: listed by GET /v1/users/{id}/dependents",
  "wall_pairings.line_ids": "lives for minutes",
  "api_tokens.machine_ids": "a token that is bound to a deleted machine reaches nothing by it",
  "role_permissions.role_id": "roles are fixed",
  "role_permissions.permission_id": "permissions are fixed",
};

/** Tables of what has happened: their rows name what was there at the time, deleted or not. */
const history: Record<string, string> = Object.fromEntries(
  [
    "actions, alert_conditions, audit, corrections, event_withdrawals, deleted_run_totals, deleted_runs, events, former_lines, held_entries, hand_overs, help_calls, hours_outside_shifts, idempotency_keys, incidents, messages, operator_shifts, order_runs, orphaned_edits, report_contents",
    "report_counts, shift_hours, shift_parts, shift_records, stop_marks, stops, subscription_logs, webhook_attempts, webhook_deliveries",
    "book_closing_machines, book_closings, books, import_errors, import_machines, imports, recalculation_machines, recalculation_slots, recalculations, roster, set_up_import_items, set_up_imports, set_up_versions, stop_classifications, work_order_progress",
    "operator_shifts_history, shift_parts_history, shift_records_history, shift_revisions, stops_history",
  ].flatMap((names) => names.split(", ").map((table) => [table, "what has happened"])),
);
