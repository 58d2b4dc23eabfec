import { randomUUID } from "node:crypto";
import { hashPassword } from "../../src/core/password.ts";
import {
  dashboards,
  notifications,
  personas,
  reportSubscriptions,
  subscriptionLogs,
  tagKeys,
  userConfigs,
  users,
  widgetInstances,
  widgets,
} from "../../src/db/schema.ts";
import { HOUR_MS } from "../../src/oee/time.ts";
import { insertSql } from "../sql.ts";

/** The caller: a superuser of the first company, with a password hash of normal cost. */
export const asker = { email: "asker@bench.test", password: "a password of the bench" };
export const subscriptionId = "subscription-1";
export const dashboardId = "dashboard-1";

const companyId = 1;

/** The SQL of the set-up and messages of the first company's people, as of an instant (epoch ms). Requires its plant's SQL. */
export async function officeSql(at: number): Promise<string> {
  const stamps = { createdAt: at, updatedAt: at };
  const many = <T>(rows: number, make: (n: number) => T) => Array.from({ length: rows }, (_, i) => make(i + 1));
  const drawn = (name: string) => ({
    ...{ companyId, title: { en: name, es: name }, description: { en: "", es: "" } },
    ...{ spec: { type: "bar", size: 1.5 }, ...stamps },
  });
  const contact = () => ({ id: randomUUID(), value: "", isActive: false, reference: "" });
  const hours = { start: "00:00", end: "24:00" };
  const days = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const;
  const alertHours = Object.fromEntries(days.map((day) => [day, hours])) as (typeof personas.$inferInsert)["alertHours"];
  const contacts = () => ({ sms: contact(), whatsapp: contact(), email: contact(), push: [] });
  return [
    insertSql(users, [
      {
        ...{ id: 1, companyId, name: "Asker", email: asker.email, passwordHash: await hashPassword(asker.password) },
        ...{ role: "superuser" as const, ...stamps },
      },
    ]),
    insertSql(
      tagKeys,
      many(20, (n) => ({
        ...{ id: `tag-${n}`, companyId, sort: n, subject: "Machines" as const, tagKey: `Key ${n}`, description: "" },
        ...{ color: "#00aa00", isDefault: false, ...stamps },
      })),
    ),
    insertSql(
      personas,
      many(20, (n) => ({
        ...{ id: `persona-${n}`, companyId, name: `Persona ${n}`, isActive: true, isUser: false, ...contacts() },
        ...{ alertHours, alertIds: [], language: "spanish", ...stamps },
      })),
    ),
    insertSql(reportSubscriptions, [{ id: subscriptionId, companyId, name: "Daily", ...stamps }]),
    insertSql(
      subscriptionLogs,
      many(500, (n) => ({
        ...{ id: `log-${n}`, subscriptionId, status: "succeeded" as const, detail: "", shiftTitle: "Shift 1" },
        ...{ executeAt: at - n * HOUR_MS, executedAt: at - n * HOUR_MS, ...stamps },
      })),
    ),
    insertSql(
      notifications,
      many(500, (n) => ({
        ...{ id: `notification-${n}`, userId: 1, title: "A machine stands", body: "For an hour now", readAt: n % 2 ? at : null },
        createdAt: at - n * HOUR_MS,
      })),
    ),
    insertSql(userConfigs, [{ userId: 1, companyId, config: { theme: "light", board: { columns: 4 } }, ...stamps }]),
    insertSql(
      widgets,
      many(20, (n) => ({ id: `widget-${n}`, ...drawn(`Widget ${n}`) })),
    ),
    insertSql(dashboards, [{ id: dashboardId, ...drawn("Dashboard") }]),
    insertSql(
      widgetInstances,
      many(20, (n) => ({
        ...{ id: `instance-${n}`, dashboardId, widgetId: `widget-${n}`, specOverride: {}, visualConfig: { x: n }, ...stamps },
      })),
    ),
  ].join("");
}
