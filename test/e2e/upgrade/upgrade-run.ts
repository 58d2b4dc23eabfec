import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { declaredCrons, runJob } from "../../../scripts/crons.ts";
import { secretsOf } from "../../../scripts/secrets.ts";
import { executeSqlFile } from "../../../scripts/service.ts";
import { apiClient } from "../../../src/client/client.ts";
import { answered, login, settledTotal } from "../api.ts";
import { type BuiltService, startBuilt } from "../built-service.ts";
import { halfWritten, readKilled } from "../crash/database.ts";
import { Client, type Line } from "../crash/line.ts";
import type { Counts } from "../crash/plant-lines.ts";
import { createLines, seed } from "../crash/works.ts";
import type { Receiver } from "../deliveries/receivers.ts";
import { Screen, until } from "../live/watcher.ts";
import { freePort, newPlant, type Plant } from "../plant.ts";
import { Ground, nameIn } from "./ground.ts";
import { deliverMessages, messageWrapper, type SeenMessage, seenMessages } from "./queue-messages.ts";
import { differences, numbersOf, type Place, type Readings, readAll, unread } from "./readings.ts";

/** A machine's object flushes every ten seconds. */
const FLUSH_MS = 12_000;
/** A kill comes at a random point of a write. */
const MAX_WAIT_MS = 60;
/** The most kills. */
const KILLS = 4;

type Ready = Awaited<ReturnType<Line["advance"]>>;

/** Where a run keeps its data. */
interface Folders {
  /** The state over which the versions run, one after the other. */
  state: string;
  /** The state of the control: a service of the present version in which the same happens to the company whose numbers are compared. */
  control: string;
}

/** One state over which two versions of the service run in turns, with a kill between them. */
export class UpgradeRun {
  readonly #stateFolder: string;
  readonly #port: number;
  readonly #variables: Record<string, string>;
  readonly #receiver: Receiver;
  readonly #since = Date.now() - 60_000;
  readonly #errors: string[] = [];
  readonly #plant: Plant;
  #service: BuiltService;
  #control: BuiltService;
  #place!: Place;
  #placeOfControl!: Place;
  #screen!: Screen;
  #lines: Line[] = [];
  #counts!: Counts;
  #ready: Ready[] = [];
  /** What the company's readings were before the last kill, and the queue messages that the version has sent. */
  #before: Readings = new Map();
  #waiting: SeenMessage[] = [];

  /**
   * Starts a version over a migrated state, and creates two kinds of companies in it: those of the lines, which a kill interrupts, and one that
   * rests meanwhile.
   * @param build of the version
   * @param receivers of the company's webhooks, and of those of the control
   */
  static async begin(folders: Folders, build: string, receivers: readonly [Receiver, Receiver]): Promise<UpgradeRun> {
    const plant = await newPlant(folders.state, 20);
    const seeds = await seed(folders.state, plant, KILLS);
    await executeSqlFile(folders.control, plant.sqlFile);
    const variables = { ...secretsOf(folders.state), ALLOW_LOOPBACK: "on" };
    const control = await startBuilt({ stateFolder: folders.control, port: await freePort(), variables });
    const run = new UpgradeRun(folders.state, plant, control, variables, receivers[0], await freePort());
    await run.start(build);
    run.#place = await createGround(run.#service.url, plant, receivers[0], run.#since);
    run.#placeOfControl = await createGround(control.url, plant, receivers[1], run.#since);
    run.#screen = new Screen(run.#service.url, run.#place.admin.token);
    const session = answered(await apiClient(run.#service.url).POST("/identity/login", { body: plant })).data;
    const { lines, counts } = await createLines(run.#place.superuser, plant, session, seeds);
    [run.#lines, run.#counts] = [lines, counts];
    return run;
  }

  private constructor(
    stateFolder: string,
    plant: Plant,
    control: BuiltService,
    variables: Record<string, string>,
    receiver: Receiver,
    port: number,
  ) {
    this.#stateFolder = stateFolder;
    this.#plant = plant;
    this.#control = control;
    this.#service = control;
    this.#variables = variables;
    this.#receiver = receiver;
    this.#port = port;
  }

  /**
   * Starts a version over the state.
   * @param build its build; default: that of the present version
   */
  async start(build?: string): Promise<void> {
    this.#service = await startBuilt({
      ...{ stateFolder: this.#stateFolder, port: this.#port, wrapper: messageWrapper, variables: this.#variables },
      ...(build !== undefined && { build }),
      // Those of the service itself. The runtime also reports names that it does not find, of receivers that are nowhere.
      onError: (line) => void (line.startsWith("{") && this.#errors.push(line)),
    });
  }

  /** What the version before has stored and sent is there and understood, and what was interrupted can be repeated. */
  async check(): Promise<void> {
    const { url } = this.#service;
    expect(await deliverMessages(url, this.#waiting)).toEqual([]);
    expect(differences(this.#before, await readAll(this.#place), this.#since)).toEqual([]);
    await Promise.all(this.#lines.map((line) => line.recover()));
    const { machineId } = this.#plant;
    expect(await settledTotal(url, this.#place.superuser.token, machineId, this.#counts.units)).toBe(this.#counts.units);
  }

  /** A day's work. Afterwards the numbers are those of the control, and nothing is wrong. */
  async work(phase: number): Promise<void> {
    const { ground } = this.#place;
    for (const place of [this.#place, this.#placeOfControl]) await place.ground.work(phase);
    this.#ready = await Promise.all(this.#lines.map((line) => line.advance()));
    for (const { runtimeUrl } of [this.#service, this.#control]) await runCrons(runtimeUrl);
    await sleep(FLUSH_MS);

    const { url } = this.#service;
    this.#before = await readAll(this.#place);
    expect(await unread(url, this.#before)).toEqual([]);
    const numbers = numbersOf(await readAll(this.#placeOfControl));
    expect(differences(numbers, numbersOf(this.#before), this.#since)).toEqual([]);
    const isNewNameShown = () => this.#screen.rows.get(ground.renamed)?.machine.name === nameIn(phase);
    await until(isNewNameShown, 20_000, "the screen shows the new name");
    expect(await healthOf(url)).toEqual({ parkedRows: 0, degradedMachines: 0, unreadableRows: 0 });
    this.#waiting = await seenMessages(url);
  }

  /** Kills the version during all kinds of writes. No error was logged, no message given up, and nothing is half written. */
  async killDuringWrites({ isMigrated = true } = {}): Promise<void> {
    const sends = this.#lines.map((line, i) => line.sendDuringKill(this.#ready[i] as Ready));
    await sleep(Math.random() * MAX_WAIT_MS);
    await this.#service.kill();
    await Promise.all(sends);
    expect(this.#errors).toEqual([]);
    readKilled(this.#stateFolder, (query) => {
      expect(query("SELECT * FROM dead_letters")).toEqual([]);
      // These queries name the tables of the present version.
      for (const [name, found] of isMigrated ? Object.entries(halfWritten) : []) expect(query(found), name).toEqual([]);
    });
  }

  /** The version changes nothing in an object that has taken a breaking step, and names the step. */
  async expectRefusal(step: string): Promise<void> {
    await expect(this.#place.ground.work(2)).rejects.toThrow(/answered 50\d/);
    await this.#service.kill();
    expect(this.#errors.join()).toContain(`The storage has step ${step} of a later version`);
    this.#errors.length = 0;
    // The machines' periodic work failed, and they are marked until its next try.
    for (const [request, answer] of this.#before) this.#before.set(request, without("isDegraded", answer));
  }

  /** Each event of the company was told at least once. */
  async expectAllTold(): Promise<void> {
    await runCrons(this.#service.runtimeUrl);
    const events = await this.#place.admin.list("/v1/events");
    const untold = () => events.filter(({ id }) => !this.#receiver.taken.has(id)).map(({ id }) => id);
    await expect.poll(untold, { timeout: 60_000, interval: 1000 }).toEqual([]);
    expect(this.#errors).toEqual([]);
  }

  close(): void {
    this.#screen.close();
  }
}

function without(member: string, value: unknown): unknown {
  const json = JSON.stringify(value, (name, one) => (name === member ? undefined : one));
  return json === undefined ? undefined : JSON.parse(json);
}

async function createGround(url: string, plant: Plant, receiver: Receiver, now: number): Promise<Place> {
  const superuser = new Client(url, await login(url, plant));
  const ground = new Ground(superuser, now);
  await ground.setUp(receiver);
  const admin = new Client(url, await login(url, ground.admin));
  // Made at the first request.
  await admin.do("GET", "/webhook-subscriptions/secret");
  return { ground, superuser, admin };
}

async function runCrons(runtimeUrl: string): Promise<void> {
  for (const cron of declaredCrons()) await runJob(runtimeUrl, cron);
}

async function healthOf(url: string) {
  const { parkedRows, degradedMachines, unreadableRows } = (await (await fetch(`${url}/health`)).json()) as Record<
    string,
    unknown
  >;
  return { parkedRows, degradedMachines, unreadableRows };
}
