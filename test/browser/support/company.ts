import { expect, vi } from "vitest";
import type { ApiSchema } from "../../../src/client/client.ts";
import { ingest, login } from "../../e2e/api.ts";
import type { Account } from "./accounts.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const iso = (at: number) => new Date(at).toISOString();
const shiftStart = () => Math.floor(Date.now() / HOUR - 4) * HOUR;
const everyDay = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

// biome-ignore lint/suspicious/noExplicitAny: bodies of many operations, which other tests hold against the document.
type Body = any;
export type Row = ApiSchema<"MachineOverview">;

/** The activity of a machine when a test begins. */
export type Doing =
  | "runs"
  | "runs slowly"
  | "stands"
  | "stands for a cause"
  | "is in setup"
  | "is out of plan"
  | "is silent"
  | "is out of shift";

export interface TestMachine {
  id: number;
  name: string;
  nodeId: number;
}

/** A company with its admin, set up through the API. */
export class Company {
  readonly id: number;
  readonly name: string;
  readonly admin: { email: string; password: string };
  readonly token: string;
  /** The persona that is the admin. */
  readonly personaId: string;
  /** The session as pages store it for a signed-in user. */
  readonly session: object;
  readonly #url: string;
  #nodes = 0;

  private constructor(url: string, name: string, { companyId: id, userId, email, password, personaId }: Account, token: string) {
    this.#url = url;
    this.id = id;
    this.name = name;
    this.admin = { email, password };
    this.personaId = personaId;
    this.token = token;
    this.session = { kind: "user", token, userId, email, role: "admin", companyId: id };
  }

  /** Signs an admin in, and makes the requested changes to the company. */
  static async take(url: string, account: Account, changes: { name?: string; timezone?: string }): Promise<Company> {
    const { companyId, name, email, password } = account;
    const company = new Company(url, changes.name ?? name, account, await login(url, { email, password }));
    if (Object.keys(changes).length > 0) await company.send("PATCH", `/v1/companies/${companyId}`, changes);
    return company;
  }

  /** Adds a user of a role, who can sign in. */
  async user(role: string): Promise<{ email: string; password: string }> {
    const account = { email: `${role}-${this.id}@browser.test`, password: "only for these tests" };
    await this.send("POST", "/v1/users", { name: "Rosa Reader", role, ...account });
    return account;
  }

  /** Sends a request as the admin. Throws on a refusal, with its text. */
  async send(method: string, path: string, body?: object): Promise<Body> {
    const headers = { authorization: `Bearer ${this.token}`, ...(body && { "content-type": "application/json" }) };
    const response = await fetch(this.#url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return response.status === 204 ? null : await response.json();
  }

  /** A shift that began four hours ago and ends in twenty hours. */
  async shift(options: object = {}): Promise<Body> {
    const start = iso(shiftStart()).slice(11, 16);
    return await this.send("POST", "/v1/shifts", { name: "Long shift", start, end: start, days: everyDay, ...options });
  }

  /** A machine with a count channel, commissioned when the shift began; ten seconds a cycle. */
  async machine(name: string, options: object = {}): Promise<TestMachine> {
    const nodeId = ++this.#nodes;
    const machine = { name, ref: `M-${nodeId}`, nodeId, standardCycleSeconds: 10, commissionedAt: iso(shiftStart()) };
    const { id } = await this.send("POST", "/v1/machines", { ...machine, ...options });
    const configs = [{ type: "total", channel: 1, nodeId, countingFactor: 1 }];
    await this.send("PUT", `/v1/machines/${id}/count-sensor`, { isCountEnabled: true, configs });
    return { id, name, nodeId };
  }

  /** A general cause of stops. */
  async cause(name: string, options: object = {}): Promise<{ id: number; name: string }> {
    return await this.send("POST", "/v1/stop-causes", { level: "general", name, ...options });
  }

  /** Sends events as the admin. Throws if one is refused. */
  async ingest(events: ApiSchema<"IngestEvent">[]): Promise<void> {
    for (let i = 0; i < events.length; i += 1000) {
      const { rejected } = await ingest(this.#url, this.token, events.slice(i, i + 1000));
      expect(rejected).toEqual([]);
    }
  }

  /** Counts of a machine from some minutes ago to fewer, one every half minute; three pulses each are the standard speed. */
  counts({ nodeId }: TestMachine, fromMinutesAgo: number, toMinutesAgo: number, value = 3): ApiSchema<"IngestEvent">[] {
    const now = Date.now();
    const steps = Math.floor((fromMinutesAgo - toMinutesAgo) * 2);
    return Array.from({ length: steps + 1 }, (_, i) => {
      const at = iso(now - fromMinutesAgo * MINUTE + i * (MINUTE / 2));
      return { type: "count", at, nodeId, channel: 1, value };
    });
  }

  /** A machine that sends states, and has been running for two hours. */
  async stateMachine(name: string, options: object = {}): Promise<TestMachine> {
    const machine = await this.machine(name, {
      signal: "states",
      noDataAfterSeconds: null,
      standardCycleSeconds: null,
      ...options,
    });
    await this.tell(machine, "running", 120);
    return machine;
  }

  /** Sends a state of the machine as of some minutes ago. A stop begins after two minutes of it. */
  async tell({ id: machineId }: TestMachine, state: "running" | "down" | "setup", minutesAgo: number): Promise<void> {
    await this.ingest([{ type: "state", machineId, state, at: iso(Date.now() - minutesAgo * MINUTE) }]);
  }

  /** One more count, now. */
  async count(machine: TestMachine, value = 3): Promise<void> {
    await this.ingest(this.counts(machine, 0, 0, value));
  }

  /** Machines with the given activities, by name, in a running shift. */
  async plant(doing: Record<string, Doing>): Promise<Record<string, TestMachine>> {
    const machines = await this.#machines(Object.keys(doing));
    const inShift = Object.entries(doing).flatMap(([name, what]) =>
      what === "is out of shift" ? [] : (machines[name]?.id ?? []),
    );
    await this.shift({ machineIds: inShift });
    const events = Object.entries(doing).flatMap(([name, what]) => this.#history(machines[name] as TestMachine, what));
    await this.ingest(events);
    await this.#classify(machines, doing);
    return machines;
  }

  async #machines(names: string[]): Promise<Record<string, TestMachine>> {
    const made: [string, TestMachine][] = [];
    for (const name of names) made.push([name, await this.machine(name)]);
    return Object.fromEntries(made);
  }

  #history(machine: TestMachine, what: Doing): ApiSchema<"IngestEvent">[] {
    if (what === "runs") return this.counts(machine, 120, 0);
    if (what === "runs slowly") return this.counts(machine, 120, 0, 1);
    if (what === "is silent") return this.counts(machine, 120, 30);
    // Counts of zero show that the machine is connected and produces nothing.
    return [...this.counts(machine, 120, 20), ...this.counts(machine, 19, 0, 0)];
  }

  async #classify(machines: Record<string, TestMachine>, doing: Record<string, Doing>): Promise<void> {
    const flags: Partial<Record<Doing, object>> = {
      "stands for a cause": {},
      "is in setup": { isProgrammed: true },
      "is out of plan": { isIncludedInAvailability: false },
    };
    for (const [name, what] of Object.entries(doing)) {
      const machine = machines[name];
      if (!flags[what] || !machine) continue;
      const cause = await this.cause(`Cause of ${name}`, flags[what]);
      const { stop } = await this.row(machine);
      await this.send("PUT", `/v1/stops/${stop?.id}/classification`, { generalCauseId: cause.id });
    }
  }

  /** Waits until this many shift records can be read from the database. */
  async published(records: number): Promise<void> {
    const count = async () => (await this.send("GET", "/v1/shift-records")).data.length as number;
    await vi.waitUntil(async () => (await count()) >= records, { timeout: 120_000, interval: 500 });
  }

  /** The present state of all machines. */
  async state(): Promise<Row[]> {
    return (await this.send("GET", "/v1/state")).data;
  }

  /** The present state of a machine. */
  async row(machine: TestMachine): Promise<Row> {
    return (await this.send("GET", `/v1/state?machineIds=${machine.id}`)).data[0];
  }
}
