import { randomUUID } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { tokenHashOf } from "../../src/core/bearer-token.ts";
import * as schema from "../../src/db/schema.ts";
import { DAY_MS, SECOND_MS } from "../../src/oee/time.ts";
import { insertSql } from "../sql.ts";
import type { PlantShape } from "./generated-plant.ts";

/** An additional company beside the generated ones, whose machines receive events and requests: their objects match the database. */
export interface BenchCompany {
  companyId: number;
  /** The token of the gateway that sends all events. */
  token: string;
  /** Gateways, each with the same number of machines, one channel each: from 1. */
  crowd: { nodeId: number; machineIds: number[] }[];
  /** Machines on gateways of their own. */
  single: BenchMachine;
  late: BenchMachine;
  steady: BenchMachine;
}

export interface BenchMachine {
  nodeId: number;
  machineIds: [number];
}

const GATEWAYS = 5;
const WEEK = [1, 2, 3, 4, 5, 6, 7];

/** The company beside a generated plant, with this many machines, and one operator for each, in its crowd. */
export function benchCompanyOf(
  { companies, machinesPerCompany }: Pick<PlantShape, "companies" | "machinesPerCompany">,
  crowdSize: number,
): BenchCompany {
  const firstId = companies * machinesPerCompany + 1;
  const perGateway = crowdSize / GATEWAYS;
  const crowd = Array.from({ length: GATEWAYS }, (_, i) => ({
    nodeId: i + 1,
    machineIds: Array.from({ length: perGateway }, (_, j) => firstId + i * perGateway + j),
  }));
  const machine = (n: number): BenchMachine => ({ nodeId: GATEWAYS + n, machineIds: [firstId + crowdSize + n - 1] });
  return {
    companyId: companies + 1,
    token: "andon_gw_of_the_bench",
    crowd,
    single: machine(1),
    late: machine(2),
    steady: machine(3),
  };
}

/** Operators have the ids of their machines. */
export function benchCompanySql({ companyId, token, crowd, single, late, steady }: BenchCompany, at: number): string {
  const stamps = { createdAt: at, updatedAt: at };
  const machines = [...crowd, single, late, steady].flatMap(({ nodeId, machineIds }) =>
    machineIds.map((id, i) => ({ id, nodeId, channel: i + 1 })),
  );
  const named = (id: number) => ({ id, companyId, name: `Hall ${id}`, ...stamps });
  // Silence alone changes nothing: no alarm disturbs the measurement.
  const quiet = { signal: "counts" as const, stopAfterSeconds: 86_400, noDataAfterSeconds: null, standardCycleSeconds: 10 };
  return [
    insertSql(schema.companies, [{ id: companyId, name: "Hall", timezone: "UTC", ...stamps }]),
    insertSql(schema.gatewayTokens, [{ id: 1, companyId, name: "Hall", tokenHash: tokenHashOf(token), createdAt: at }]),
    insertSql(schema.shifts, [{ ...named(companyId * 3), start: "00:00", end: "00:00", days: WEEK, breaks: [] }]),
    insertSql(schema.stopCauses, [{ ...named(companyId * 8), level: "general" }]),
    insertSql(
      schema.operators,
      machines.map(({ id }) => ({ ...named(id), code: `O-${id}` })),
    ),
    insertSql(
      schema.machines,
      machines.map(({ id, nodeId }) => ({ ...named(id), ref: `H-${id}`, nodeId, ...quiet, commissionedAt: at })),
    ),
    insertSql(
      schema.countSensors,
      machines.map(({ id }) => ({ machineId: id, isCountEnabled: true, updatedAt: at })),
    ),
    insertSql(
      schema.countChannels,
      machines.map(({ id, nodeId, channel }) => ({
        ...{ companyId, nodeId, channel, machineId: id, type: "total" as const, countingFactor: 1 },
      })),
    ),
  ].join("");
}

/** Removes the company of an earlier run from a database file. Its machines are in service from three days before `now`. */
export function renewBenchCompany(databaseFile: string, { companyId }: BenchCompany, now: number): void {
  const db = new DatabaseSync(databaseFile);
  db.exec(`BEGIN;
    DELETE FROM stops WHERE company_id = ${companyId};
    DELETE FROM shift_records WHERE company_id = ${companyId};
    DELETE FROM shift_parts WHERE company_id = ${companyId};
    DELETE FROM operator_shifts WHERE company_id = ${companyId};
    UPDATE machines SET commissioned_at = ${now - 3 * DAY_MS}, configured_version = 0 WHERE company_id = ${companyId};
    COMMIT`);
  db.close();
}

/** A gateway's requests: counts of its machines, in order of time. */
export class Gateway {
  readonly #nodeId: number;
  readonly #channels: number;
  readonly #perChannel: number;
  readonly #stepMs: number;
  #at: number;
  /** The prefix of the number in each event's id, which no other gateway's events have. */
  readonly #prefix = randomUUID().slice(0, 8);
  #sent = 0;

  /**
   * @param perChannel number of counts of each machine in a request
   * @param since time of the first ones, epoch ms; the next ones of a machine follow every `stepMs`, up to now
   */
  constructor(
    { nodeId, machineIds }: { nodeId: number; machineIds: number[] },
    perChannel: number,
    since: number,
    stepMs = SECOND_MS,
  ) {
    this.#nodeId = nodeId;
    this.#channels = machineIds.length;
    this.#perChannel = perChannel;
    this.#stepMs = stepMs;
    this.#at = since;
  }

  get eventsPerRequest(): number {
    return this.#channels * this.#perChannel;
  }

  /** The body of the next request. */
  next(): string {
    const events = Array.from({ length: this.eventsPerRequest }, (_, i) => {
      const channel = 1 + (i % this.#channels);
      if (channel === 1) this.#at = Math.min(this.#at + this.#stepMs, Date.now());
      const id = `${this.#prefix}-${this.#sent++}`;
      return { id, type: "count", at: new Date(this.#at).toISOString(), nodeId: this.#nodeId, channel, value: 1 };
    });
    return JSON.stringify({ events });
  }
}

/** Events that sign each machine's operator in, before anything is counted. */
export function signIns(machineIds: readonly number[], at: number): string {
  const time = new Date(at).toISOString();
  const events = machineIds.map((id) => ({ type: "operator", at: time, machineId: id, operatorId: id, action: "in" }));
  return JSON.stringify({ events });
}
