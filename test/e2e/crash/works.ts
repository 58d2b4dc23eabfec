import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";
import { executeSqlFile } from "../../../scripts/service.ts";
import { insertSql } from "../../../scripts/sql.ts";
import { sql } from "../../../scripts/sql-text.ts";
import { hashPassword } from "../../../src/core/password.ts";
import { companies, users } from "../../../src/db/schema.ts";
import type { Plant } from "../plant.ts";
import { type Client, Line, type Work } from "./line.ts";
import { type Newcomer, officeLines } from "./office-lines.ts";
import { amendmentLine, bulkLine, orphanLine, type Past, withdrawalLine } from "./past-lines.ts";
import {
  Counts,
  correctionLine,
  floorLine,
  handOverLine,
  heldLine,
  helpLine,
  orderLine,
  sensorLine,
  stopLine,
} from "./plant-lines.ts";
import { type BaseCompany, setUpLines } from "./set-up-lines.ts";
import { booksLine, importLine, recalculationLine } from "./task-lines.ts";

const DAY = 86_400_000;
const NODE_ID = 7;

const l10n = (text: string) => ({ en: text, es: text });

/** A company with one of each, created through the API. */
async function createBaseCompany(client: Client): Promise<BaseCompany> {
  const { id: companyId } = await client.do("POST", "/v1/companies", { name: "Ground", timezone: "UTC" });
  const make = (path: string, body: object) => client.do("POST", path, { companyId, ...body });
  const days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
  const commissionedAt = new Date(Date.now() - 4 * DAY).toISOString();
  const drawn = { title: l10n("Widget"), description: l10n("About"), spec: {} };
  // The shift first: a machine starts with the existing shifts.
  const shift = await make("/v1/shifts", { name: "Day", start: "08:00", end: "16:00", days });
  const [machine, operator, widget] = await Promise.all([
    make("/v1/machines", { name: "Press", ref: "PRESS", nodeId: NODE_ID, commissionedAt }),
    make("/v1/operators", { name: "Jorge", code: "O-0" }),
    make("/v1/widgets", drawn),
  ]);
  return { companyId, machine, operator, shift, widgetId: widget.id };
}

/** What the lines need that cannot be created through the API: users who may be the first to request a secret, and notifications. */
interface Seeds {
  newcomers: Newcomer[];
  notificationIds: string[];
}

/**
 * Inserts a plant and what its lines need.
 * @param kills at most
 */
export async function seed(stateFolder: string, plant: Plant, kills: number): Promise<Seeds> {
  // Two for each kill.
  const count = 2 * kills + 10;
  const password = randomUUID();
  const now = Date.now();
  const stamps = { createdAt: now, updatedAt: now };
  const passwordHash = await hashPassword(password, { n: 16, r: 1, p: 1 });
  const newcomers = Array.from({ length: count }, (_, i) => ({ id: 2_000_000 + i, email: `new${i}@e2e.test`, password }));
  const notificationIds = Array.from({ length: 8 * count }, () => randomUUID());
  const statements = [
    insertSql(
      companies,
      newcomers.map(({ id }) => ({ id, name: "New", timezone: "UTC", ...stamps })),
    ),
    insertSql(
      users,
      newcomers.map(({ id, email }) => ({
        id,
        companyId: id,
        name: "New",
        email,
        passwordHash,
        role: "admin" as const,
        ...stamps,
      })),
    ),
    sql`INSERT INTO notifications (id, user_id, title, body, created_at)
      SELECT value, (SELECT id FROM users WHERE email = ${plant.email}), 'Title', 'Body', ${now}
      FROM json_each(${JSON.stringify(notificationIds)});`,
  ];
  appendFileSync(plant.sqlFile, statements.join(""));
  await executeSqlFile(stateFolder, plant.sqlFile);
  return { newcomers: newcomers.map(({ email }) => ({ email, password })), notificationIds };
}

/** The paths of the API that the service at `url` has, alone and with each method: an earlier version lacks those of later operations. */
async function pathsOf(url: string): Promise<ReadonlySet<string>> {
  const response = await fetch(`${url}/openapi.json`);
  if (!response.ok) throw new Error(`/openapi.json answered ${response.status}`);
  const { paths } = (await response.json()) as { paths: Record<string, object> };
  return new Set(
    Object.entries(paths).flatMap(([path, item]) => [
      path,
      ...Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    ]),
  );
}

/** The lines of the operations that put the past right, by the path of one of them. */
const ofPast = {
  "/v1/machines/{id}/runs": amendmentLine,
  "/v1/event-withdrawals": withdrawalLine,
  "/v1/orphaned-edits": orphanLine,
  "/v1/stops/classify": bulkLine,
  "/v1/recalculations": recalculationLine,
  "/v1/imports": importLine,
  "/v1/books/closings": booksLine,
};

async function pastLines(client: Client, paths: ReadonlySet<string>): Promise<Work[]> {
  const dayStart = (daysAgo: number) => Math.floor(Date.now() / DAY - daysAgo) * DAY + 8 * 3_600_000;
  const known = Object.entries(ofPast).filter(([path]) => paths.has(path));
  return await Promise.all(
    known.map(async ([, line]) => {
      const { companyId, machine, operator } = await createBaseCompany(client);
      const on: Past = {
        companyId,
        machineId: machine.id,
        operatorId: operator.id,
        nodeId: NODE_ID,
        shifts: [dayStart(3), dayStart(1)],
      };
      return line(client, on);
    }),
  );
}

/** Lines of work that together write with every operation that the client's service has, and the counts that were sent. */
export async function createLines(
  client: Client,
  plant: Plant,
  self: { id: number; companyId: number },
  { newcomers, notificationIds }: Seeds,
): Promise<{ lines: Line[]; counts: Counts }> {
  const [stopped, ordered, sensed, office, floor, doubtful, corrected] = await Promise.all(
    Array.from({ length: 7 }, () => createBaseCompany(client)),
  );
  if (!stopped || !ordered || !sensed || !office || !floor || !doubtful || !corrected)
    throw new Error("seven companies were made");
  const threeDaysAgo = Math.floor(Date.now() / DAY - 3) * DAY + 8 * 3_600_000;
  const counts = new Counts(plant);
  const paths = await pathsOf(client.url);
  const user = { userId: self.id, companyId: self.companyId, notificationIds };
  const works = [
    counts.work(),
    counts.work(),
    stopLine(client, stopped.machine.id, stopped.companyId, threeDaysAgo),
    orderLine(client, ordered.machine.id, ordered.companyId),
    floorLine(client, floor.machine.id, floor.operator.id, floor.companyId),
    helpLine(client, floor.machine.id, floor.companyId),
    sensorLine(client, sensed.machine, sensed.companyId, 9),
    ...(paths.has("/v1/corrections") ? [correctionLine(client, corrected.machine.id, corrected.companyId, threeDaysAgo)] : []),
    ...(paths.has("/v1/hand-overs") ? [handOverLine(client)] : []),
    heldLine(client, doubtful.machine.id, doubtful.companyId, 9),
    ...officeLines(client, user, office.companyId, newcomers, paths),
    ...(await pastLines(client, paths)),
    ...(await setUpLines(client, () => createBaseCompany(client), paths)),
  ];
  return { lines: works.map((work) => new Line(client, work)), counts };
}
