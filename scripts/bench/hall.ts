import { createHash, randomUUID } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import * as schema from "../../src/db/schema.ts";
import { DAY_MS, SECOND_MS } from "../../src/oee/time.ts";
import { insertSql } from "../sql.ts";
import type { PlantShape } from "./generated-plant.ts";

/** One more company beside the generated ones, whose machines are fed and asked: their objects hold what the database has of them. */
export interface Hall {
  companyId: number;
  /** Of the gateway that all events come by. */
  token: string;
  /** Gateways, each with as many machines, one channel each: from 1. */
  crowd: { nodeId: number; machineIds: number[] }[];
  /** Machines on gateways of their own. */
  single: HallMachine;
  late: HallMachine;
  steady: HallMachine;
}

export interface HallMachine {
  nodeId: number;
  machineIds: [number];
}

const GATEWAYS = 5;
const WEEK = [1, 2, 3, 4, 5, 6, 7];

/** The hall beside a generated plant, with so many machines, and one operator each, in its crowd. */
export function hallOf({ companies, machinesPerCompany }: PlantShape, crowdSize: number): Hall {
  const firstId = companies * machinesPerCompany + 1;
  const perGateway = crowdSize / GATEWAYS;
  const crowd = Array.from({ length: GATEWAYS }, (_, i) => ({
    nodeId: i + 1,
    machineIds: Array.from({ length: perGateway }, (_, j) => firstId + i * perGateway + j),
  }));
  const machine = (n: number): HallMachine => ({ nodeId: GATEWAYS + n, machineIds: [firstId + crowdSize + n - 1] });
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
export function hallSql({ companyId, token, crowd, single, late, steady }: Hall, at: number): string {
  const stamps = { createdAt: at, updatedAt: at };
  const machines = [...crowd, single, late, steady].flatMap(({ nodeId, machineIds }) =>
    machineIds.map((id, i) => ({ id, nodeId, channel: i + 1 })),
  );
  const named = (id: number) => ({ id, companyId, name: `Hall ${id}`, ...stamps });
  // Silence alone changes nothing: no alarm rings into what is measured.
  const quiet = { signal: "counts" as const, stopAfterSeconds: 86_400, noDataAfterSeconds: null, standardCycleSeconds: 10 };
  return [
    insertSql(schema.companies, [{ id: companyId, name: "Hall", timezone: "UTC", ...stamps }]),
    insertSql(schema.gatewayTokens, [{ id: 1, companyId, name: "Hall", tokenHash: sha256(token), createdAt: at }]),
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

/** Takes away what an earlier run left of the hall in a database file. Its machines are in service since three days before `now`. */
export function renewHall(databaseFile: string, { companyId }: Hall, now: number): void {
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

/** What a gateway sends: counts of its machines, one after the other, each at its time. */
export class Gateway {
  readonly #nodeId: number;
  readonly #channels: number;
  readonly #perChannel: number;
  readonly #stepMs: number;
  #at: number;
  /** Before the number of each event in its id: no other gateway's events have it. */
  readonly #prefix = randomUUID().slice(0, 8);
  #sent = 0;

  /**
   * @param perChannel counts of each machine in a request
   * @param since time of the first ones, epoch ms; the next ones of a machine follow by `stepMs`, up to now
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

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
