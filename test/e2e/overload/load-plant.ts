import { createHash, randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { insertSql } from "../../../scripts/sql.ts";
import { hashPassword } from "../../../src/core/password.ts";
import * as schema from "../../../src/db/schema.ts";
import type { Answer, Ask } from "./load.ts";

const HOUR = 3_600_000;
const CHANNEL = 1;
const iso = (at: number) => new Date(at).toISOString();

/** An event as it is sent. */
interface Sent {
  id: string;
  type: "count";
  at: string;
  nodeId: number;
  channel: number;
  value: number;
}

/** A plant of many machines, two on each gateway, and of people who read them. */
export interface LoadPlant {
  gateways: Gateway[];
  emails: string[];
  /** The password of users with cheap hashes. */
  password: string;
  /** A user with a password hash of normal cost. */
  login: { email: string; password: string };
  machineIds: number[];
  sqlFile: string;
}

/** Writes the SQL of a plant into the folder: `size` gateways, twice as many machines, and as many users as gateways. */
export async function newLoadPlant(folder: string, size: number): Promise<LoadPlant> {
  const now = Date.now();
  const stamps = { createdAt: now, updatedAt: now };
  const companyId = 1;
  const name = "Hall";
  const ids = Array.from({ length: size }, (_, i) => i + 1);
  const machineIds = Array.from({ length: 2 * size }, (_, i) => i + 1);
  const commissionedAt = now - 60 * HOUR;
  const [password, slowPassword] = [randomUUID(), randomUUID()];
  const cheap = await hashPassword(password, { n: 16, r: 1, p: 1 });
  const email = (id: number) => `person${id}@e2e.test`;
  const login = { email: "slow@e2e.test", password: slowPassword };
  const gateways = ids.map((id) => new Gateway(id, `andon_gw_${randomUUID()}`, [2 * id - 1, 2 * id]));
  const machineOf = (id: number) => ({ id, companyId, name: `M${id}`, ref: `M${id}`, nodeId: id, signal: "counts" as const });
  const people = { companyId, name, role: "superuser" as const, ...stamps };
  const sqlFile = join(folder, "load-plant.sql");
  const sql = [
    insertSql(schema.companies, [{ id: companyId, name, timezone: "UTC", ...stamps }]),
    insertSql(schema.users, [
      ...ids.map((id) => ({ id, email: email(id), passwordHash: cheap, ...people })),
      { id: size + 1, email: login.email, passwordHash: await hashPassword(slowPassword), ...people },
    ]),
    insertSql(
      schema.gatewayTokens,
      gateways.map(({ id, token }) => ({ id, companyId, name, tokenHash: sha256(token), createdAt: now })),
    ),
    insertSql(schema.shifts, [
      { id: 1, companyId, name, start: "00:00", end: "00:00", days: [1, 2, 3, 4, 5, 6, 7], breaks: [], ...stamps },
    ]),
    insertSql(schema.operators, [{ id: 1, companyId, name, code: "O-1", ...stamps }]),
    insertSql(
      schema.machines,
      machineIds.map((id) => ({ ...machineOf(id), commissionedAt, ...stamps })),
    ),
    insertSql(
      schema.countSensors,
      machineIds.map((machineId) => ({ machineId, isCountEnabled: true, updatedAt: now })),
    ),
    insertSql(
      schema.countChannels,
      machineIds.map((machineId) => ({
        ...{ companyId, nodeId: machineId, channel: CHANNEL, machineId },
        ...{ type: "total" as const, countingFactor: 1 },
      })),
    ),
  ];
  writeFileSync(sqlFile, sql.join(""));
  return { gateways, emails: ids.map(email), password, login, machineIds, sqlFile };
}

/** Sends counts of its machines, and remembers what it sent and what was not accepted. */
export class Gateway {
  readonly id: number;
  readonly token: string;
  readonly machineIds: readonly number[];
  /** Machine -> units sent so far, accepted or not. */
  readonly units = new Map<number, number>();
  /** 2xx answers that did not accept every event. */
  readonly wrong: string[] = [];
  #again: Sent[] = [];
  #last = Date.now();

  constructor(id: number, token: string, machineIds: readonly number[]) {
    this.id = id;
    this.token = token;
    this.machineIds = machineIds;
  }

  /** A request with this many counts as of now. */
  counts(events: number): Ask {
    const made = Array.from({ length: events }, (_, i) => {
      this.#last = Math.max(this.#last, Date.now() - 1000);
      return this.#count(this.machineIds[i % this.machineIds.length] as number, this.#last, 1 + (i % 3));
    });
    return this.#ask(events > 100 ? "batch" : "ingest", made);
  }

  /** Requests with everything that was not acknowledged, until nothing is left. */
  *resend(): Generator<Ask> {
    while (this.#again.length > 0) yield this.#ask("again", this.#again.splice(0, 1000));
  }

  #count(machineId: number, at: number, value: number): Sent {
    this.units.set(machineId, (this.units.get(machineId) ?? 0) + value);
    return { id: randomUUID(), type: "count", at: iso(at), nodeId: machineId, channel: CHANNEL, value };
  }

  #ask(kind: string, events: Sent[]): Ask {
    const done = ({ status, body }: Answer) => {
      if (status !== 200) {
        this.#again.push(...events);
        return;
      }
      const { accepted, duplicates, rejected } = JSON.parse(body) as { accepted: number; duplicates: number; rejected: object[] };
      const isFirst = kind !== "again";
      if (accepted + duplicates !== events.length || rejected.length > 0 || (isFirst && duplicates > 0)) this.wrong.push(body);
    };
    return { kind, method: "POST", path: "/v1/ingest", token: this.token, body: JSON.stringify({ events }), done };
  }
}

/** The plant's requests, repeatedly: of 40 requests 26 send counts, 6 query the objects, 8 the database. */
export function* mixOf(
  { gateways, machineIds, login }: LoadPlant,
  tokens: readonly string[],
  has = { heavy: true },
): Generator<Ask> {
  const people = around(tokens);
  const sending = around(gateways);
  const post = (kind: string, path: string, body: object): Ask => ({
    ...{ kind, method: "POST", path, token: people() },
    body: JSON.stringify(body),
  });
  const operatorsPath = `/machines/realtime/operators?machineId=${machineIds.slice(0, 10).join()}`;
  for (let i = 0; ; i++) {
    if (has.heavy && i % 400 === 100) yield { ...post("login", "/identity/login", login), token: "" };
    else if (has.heavy && i % 400 === 300) yield sending().counts(1000);
    else if (i % 10 === 1) yield post("metrics", "/v1/public/reports/metrics", { pageSize: 20 });
    else if (i % 10 === 4) yield post("stops", "/v1/public/reports/stops", { pageSize: 20 });
    else if (i % 10 === 7) yield { kind: "operators", method: "GET", path: operatorsPath, token: people() };
    else if (i % 20 === 9) yield { kind: "state", method: "GET", path: `/v1/machines/${1 + (i % 7)}/state`, token: people() };
    else yield sending().counts(4);
  }
}

function around<T>(items: readonly T[]): () => T {
  let i = 0;
  return () => items[i++ % items.length] as T;
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
