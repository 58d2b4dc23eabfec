import type { InferInsertModel } from "drizzle-orm";
import {
  alertRules,
  notifications,
  operatorPlanAssignments,
  operatorPlans,
  personas,
  reportSubscriptions,
  tagKeys,
  userConfigs,
} from "../../src/db/schema.ts";
import { DAY_MS, HOUR_MS, minuteOfDay } from "../../src/oee/time.ts";
import { localToUtc, zoneOffsetMs } from "../../src/oee/zone.ts";
import { insertSql } from "../sql.ts";
import { accounts, companies, gateways, machines, shifts } from "./plant.ts";

const companyId = 1;

/** The SQL of the set-up and messages of the demo plant's people, as of its first start (epoch ms). Requires its plant's SQL. */
export function officeSql(createdAt: number): string {
  const stamps = { createdAt, updatedAt: createdAt };
  return [
    planSql(createdAt),
    insertSql(
      tagKeys,
      tags.map((tag, i) => ({ id: idOf(i + 1), companyId, sort: i + 1, description: "", ...tag, ...stamps })),
    ),
    insertSql(
      personas,
      crew.map(({ name, email, hours, alertIds, language }, i) => ({
        id: idOf(i + 1),
        companyId,
        name,
        isActive: true,
        isUser: true,
        sms: contact(10 * i + 101),
        whatsapp: contact(10 * i + 102),
        email: contact(10 * i + 103, email),
        push: [],
        alertHours: daily(hours),
        alertIds,
        language,
        ...stamps,
      })),
    ),
    insertSql(
      alertRules,
      rules.map((rule, i) => ({
        id: alertRuleIds[i] ?? "",
        companyId,
        ...rule,
        machineIds: null,
        lineIds: null,
        shiftIds: null,
        texts: null,
        // Until the history is loaded: alerts.ts.
        isActive: false,
        ...stamps,
      })),
    ),
    subscriptionSql(createdAt),
    insertSql(notifications, messages(createdAt)),
    insertSql(
      userConfigs,
      accounts
        .filter((account) => account.companyId === companyId)
        .map(({ id }) => ({ userId: id, companyId, config: { theme: "light", board: { columns: 4 } }, ...stamps })),
    ),
  ].join("");
}

const tags = [
  { subject: "Machines", tagKey: "Hall", tagValue: "North", color: "#1f77b4", isDefault: true },
  { subject: "Machines", tagKey: "Criticality", tagValue: "", color: "#d62728", isDefault: false },
  { subject: "Operators", tagKey: "Team", tagValue: "", color: "#2ca02c", isDefault: true },
  { subject: "Skus", tagKey: "Family", tagValue: "Closures", color: "#9467bd", isDefault: false },
  { subject: "Stops", tagKey: "Needs follow-up", tagValue: "", color: "#ff7f0e", isDefault: false },
] as const;

/** The ids of the alert rules. */
export const alertRuleIds = [idOf(1), idOf(2)];

/** Notified in Spanish by day and by night, and in English around the clock: the admin, who has the rules and the reports. */
const crew = [
  {
    name: "Day maintenance",
    email: "maintenance@demo.test",
    hours: { start: "06:00", end: "22:00" },
    alertIds: [],
    language: "spanish",
  },
  { name: "Night foreman", email: "night@demo.test", hours: { start: "22:00", end: "06:00" }, alertIds: [], language: "spanish" },
  {
    name: "Marta Ibáñez",
    email: "admin@demo.test",
    hours: { start: "00:00", end: "24:00" },
    alertIds: alertRuleIds,
    language: "english",
  },
];

/** The admin is notified of both at once; maintenance of a stop that nobody has acknowledged for a quarter of an hour. */
const rules: Pick<InferInsertModel<typeof alertRules>, "name" | "kind" | "params" | "levels">[] = [
  {
    name: "Stopped for 5 minutes",
    kind: "stop",
    params: { minutes: 5 },
    levels: [
      { afterMinutes: 0, personaIds: [idOf(3)], chatRoomIds: [] },
      { afterMinutes: 15, personaIds: [idOf(1), idOf(2)], chatRoomIds: [] },
    ],
  },
  {
    name: "No data for 10 minutes",
    kind: "no_data",
    params: { minutes: 10 },
    levels: [{ afterMinutes: 0, personaIds: [idOf(3)], chatRoomIds: [] }],
  },
];

/** A plan before the history, one in force and a future one; each has the crews that the machines really get. */
function planSql(createdAt: number): string {
  const plan = (index: number, title: string, sinceDay: number, untilDay: number) => ({
    id: idOf(index),
    companyId,
    title,
    fileId: null,
    since: createdAt + sinceDay * DAY_MS,
    until: createdAt + untilDay * DAY_MS,
    createdAt,
    updatedAt: createdAt,
  });
  const plans = [plan(1, "Last month", -38, -8), plan(2, "This month", -1, 29), plan(3, "Next month", 29, 59)];
  const ownGateways = gateways.filter((gateway) => gateway.companyId === companyId).map(({ id }) => id);
  const ownShifts = shifts.filter((shift) => shift.companyId === companyId);
  const assignments = plans.flatMap(({ id: planId }) =>
    machines
      .filter(({ gatewayId }) => ownGateways.includes(gatewayId))
      .flatMap(({ id: machineId, crew }) =>
        crew.flatMap((operatorId, i) => {
          const shift = ownShifts[i];
          return shift ? [{ planId, machineId, shiftId: shift.id, operatorId }] : [];
        }),
      ),
  );
  return insertSql(operatorPlans, plans) + insertSql(operatorPlanAssignments, assignments);
}

/** A report after each shift to the admin, and a Spanish one each morning to maintenance. Their log is empty: none was sent yet. */
function subscriptionSql(createdAt: number): string {
  const stamps = { createdAt, updatedAt: createdAt };
  const subscriptions = [
    { id: idOf(1), name: "Shift report by mail", kind: "shift" as const, personaIds: [idOf(3)], language: "en" as const },
    {
      id: idOf(2),
      name: "Informe de la mañana",
      kind: "daily" as const,
      time: morning,
      nextRunAt: nextMorning(createdAt),
      personaIds: [idOf(1)],
      language: "es" as const,
    },
  ];
  return insertSql(
    reportSubscriptions,
    subscriptions.map((subscription) => ({ companyId, isActive: true, ...subscription, ...stamps })),
  );
}

const morning = "06:15";

/** The next time at which the plant's clock shows the time of the morning report, epoch ms. */
function nextMorning(after: number): number {
  const timezone = companies.find(({ id }) => id === companyId)?.timezone ?? "UTC";
  const today = Math.floor((after + zoneOffsetMs(timezone, after)) / DAY_MS);
  const at = (day: number) => localToUtc(timezone, day, minuteOfDay(morning));
  return at(today) > after ? at(today) : at(today + 1);
}

/** Two for everyone in the company, one of them read. */
function messages(createdAt: number) {
  return accounts
    .filter((account) => account.companyId === companyId)
    .flatMap(({ id: userId }) => [
      {
        id: idOf(2 * userId - 1),
        userId,
        title: "Welcome",
        body: "The demo plant is running.",
        readAt: createdAt,
        createdAt: createdAt - HOUR_MS,
      },
      {
        id: idOf(2 * userId),
        userId,
        title: "Blow moulder 2 stops often",
        body: "See its stop report of the last seven days.",
        createdAt,
      },
    ]);
}

function contact(index: number, value = "") {
  return { id: idOf(index), value, isActive: value !== "", reference: "" };
}

function daily<T>(day: T) {
  return { sunday: day, monday: day, tuesday: day, wednesday: day, thursday: day, friday: day, saturday: day };
}

/** Returns the same id for the same index in every demo. */
function idOf(index: number): string {
  return `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
}
