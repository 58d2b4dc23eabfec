import { createHash, randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { insertSql } from "../../../scripts/sql.ts";
import { hashPassword } from "../../../src/core/password.ts";
import * as schema from "../../../src/db/schema.ts";

const HOUR = 3_600_000;

/** A company with its users, machines and a widget. */
export interface Tenant {
  companyId: number;
  name: string;
  emails: string[];
  machineIds: number[];
  shiftId: number;
  widgetId: string;
  gatewayToken: string;
}

/** Two companies on one service: one attacks, the other one wants to work. */
export interface Tenants {
  attacker: Tenant;
  neighbour: Tenant;
  /** The password of all users; cheap to check. */
  password: string;
  sqlFile: string;
}

/** Writes the SQL of the tenants into the folder. The attacker has `machines` machines, the neighbour four. */
export async function newTenants(folder: string, machines: number): Promise<Tenants> {
  const password = randomUUID();
  const cheap = await hashPassword(password, { n: 16, r: 1, p: 1 });
  const attacker = companyOf(1, machines);
  const neighbour = companyOf(2, 4);
  const sqlFile = join(folder, "tenants.sql");
  writeFileSync(sqlFile, [attacker, neighbour].map((company) => sqlOf(company, cheap)).join(""));
  return { attacker, neighbour, password, sqlFile };
}

function companyOf(companyId: number, machines: number): Tenant {
  const people = Array.from({ length: 8 }, (_, i) => i);
  return {
    companyId,
    // Letters that look like 1: a pattern made of names backtracks over them again and again.
    name: companyId === 1 ? "lililililililililz" : "Neighbour",
    emails: people.map((i) => `person${i}@company${companyId}.test`),
    machineIds: Array.from({ length: machines }, (_, i) => 1000 * companyId + i),
    shiftId: companyId,
    widgetId: randomUUID(),
    gatewayToken: `andon_gw_${randomUUID()}`,
  };
}

function sqlOf({ companyId, name, emails, machineIds, shiftId, widgetId, gatewayToken }: Tenant, passwordHash: string): string {
  const now = Date.now();
  const stamps = { createdAt: now, updatedAt: now };
  const tokenHash = createHash("sha256").update(gatewayToken).digest("hex");
  const text = { en: name, es: name };
  return [
    insertSql(schema.companies, [{ id: companyId, name, timezone: "UTC", ...stamps }]),
    insertSql(
      schema.users,
      emails.map((email, i) => ({
        id: 100 * companyId + i,
        companyId,
        name,
        email,
        passwordHash,
        role: "admin" as const,
        ...stamps,
      })),
    ),
    insertSql(schema.gatewayTokens, [{ id: companyId, companyId, name, tokenHash, createdAt: now }]),
    insertSql(schema.shifts, [
      { id: shiftId, companyId, name, start: "00:00", end: "00:00", days: [1, 2, 3, 4, 5, 6, 7], breaks: [], ...stamps },
    ]),
    insertSql(
      schema.machines,
      machineIds.map((id) => ({
        ...{ id, companyId, name: `M${id}`, ref: `M${id}`, nodeId: id, signal: "counts" as const },
        ...{ commissionedAt: now - 30 * HOUR, ...stamps },
      })),
    ),
    insertSql(
      schema.countSensors,
      machineIds.map((machineId) => ({ machineId, isCountEnabled: true, updatedAt: now })),
    ),
    insertSql(
      schema.countChannels,
      machineIds.map((machineId) => ({
        ...{ companyId, nodeId: machineId, channel: 1, machineId, type: "total" as const, countingFactor: 1 },
      })),
    ),
    insertSql(schema.widgets, [{ id: widgetId, companyId, title: text, description: text, spec: {}, ...stamps }]),
  ].join("");
}
