import { createHash, randomUUID } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { insertSql } from "../../scripts/sql.ts";
import { hashPassword } from "../../src/core/password.ts";
import * as schema from "../../src/db/schema.ts";

export const factor = 3;

/** A one-machine plant in a zone without clock changes, one 24 h shift, with its superuser and gateway. */
export interface Plant {
  companyId: number;
  machineId: number;
  nodeId: number;
  channel: number;
  email: string;
  password: string;
  gatewayToken: string;
  commissionedAt: number;
  /** A file with the SQL that creates everything. */
  sqlFile: string;
}

/** A new state folder in the system's temporary folder. */
export function freshStateFolder(): string {
  return mkdtempSync(join(tmpdir(), "andon-"));
}

/** A TCP port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  if (address === null || typeof address === "string") throw new Error("No port");
  return address.port;
}

/** Writes the SQL of a plant with random ids into the folder; it is commissioned `daysAgo` days before now. */
export async function newPlant(stateFolder: string, daysAgo: number): Promise<Plant> {
  const id = () => 1 + Math.floor(Math.random() * 1_000_000);
  const now = Date.now();
  const stamps = { createdAt: now, updatedAt: now };
  const plant: Plant = {
    companyId: id(),
    machineId: id(),
    nodeId: id(),
    channel: 1,
    email: `${randomUUID()}@e2e.test`,
    password: randomUUID(),
    gatewayToken: `andon_gw_${randomUUID()}`,
    commissionedAt: now - daysAgo * 86_400_000,
    sqlFile: join(stateFolder, "plant.sql"),
  };
  const { companyId, machineId, nodeId, channel, email, commissionedAt } = plant;
  const tokenHash = createHash("sha256").update(plant.gatewayToken).digest("hex");
  // At a cheap cost for tests.
  const passwordHash = await hashPassword(plant.password, { n: 16, r: 1, p: 1 });
  const name = "E2E";
  const days = [1, 2, 3, 4, 5, 6, 7];
  const machine = { id: machineId, companyId, name, ref: name, nodeId, signal: "counts" as const, commissionedAt };
  const sql = [
    insertSql(schema.companies, [{ id: companyId, name, timezone: "UTC", ...stamps }]),
    insertSql(schema.users, [{ id: id(), companyId, name, email, passwordHash, role: "superuser", ...stamps }]),
    insertSql(schema.gatewayTokens, [{ id: id(), companyId, name, tokenHash, createdAt: now }]),
    insertSql(schema.shifts, [{ id: id(), companyId, name, start: "00:00", end: "00:00", days, breaks: [], ...stamps }]),
    insertSql(schema.machines, [{ ...machine, ...stamps }]),
    insertSql(schema.countSensors, [{ machineId, isCountEnabled: true, updatedAt: now }]),
    insertSql(schema.countChannels, [{ companyId, nodeId, channel, machineId, type: "total", countingFactor: factor }]),
  ];
  writeFileSync(plant.sqlFile, sql.join(""));
  return plant;
}
