import { createExecutionContext, runInDurableObject, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { moveAuditEntries } from "../../src/core/write.ts";
import { companyDb, directoryDb } from "../../src/db/client.ts";
import { configureDue } from "../../src/jobs/configure-machines.ts";
import { router } from "../../src/router.ts";
import { MINUTE, NOON } from "../support/clock.ts";
import { machineObject } from "../support/machine-object.ts";
import { flushMachine } from "../support/machines.ts";
import { type Faults, FaultyBindings } from "./bindings.ts";
import { operations, type PlantRequest, type WritingOperation } from "./operations.ts";
import { type PlannedFault, planOf, type Step } from "./plan.ts";
import { createPlant, type Plant } from "./plant.ts";
import { type State, StateRecorder } from "./state.ts";

/** The answer that a caller received; null: none, the caller gave up. */
interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

/** The results of a request in the world without faults. */
interface Reference {
  calls: string[];
  answer: Answer;
  /** Its body, in terms that are valid in every world. */
  body: string;
  before: State;
  /** The state when it was answered, and after the sweep and the alarms had run too. */
  answered: State;
  settled: State;
}

/** Work without a request: the alarm of the line's machine, and the sweep that notifies machines of their set-up. */
const alarm = "alarm";
const sweep = "sweep";
/** Their answers depend on the attempt: a repeated request reports duplicates, or sends another test message. */
const ownAnswers = new Set(["ingest", "testPersona", "testChatRoom"]);
const grantId = "00000000-0000-4000-8000-000000000015";
/** Longer than the service's own deadlines last when shortened. */
const patienceMs = 40;
const patienceLooks = 10;

let current: World | undefined;

/** The bindings of the world that is in use. */
export function bindingsAtWork(): FaultyBindings | undefined {
  return current?.bindings;
}

/** A world in which steps are done, under faults. */
class World {
  readonly plant: Plant;
  readonly recorder: StateRecorder;
  readonly bindings = new FaultyBindings(env);

  private constructor(plant: Plant, recorder: StateRecorder) {
    this.plant = plant;
    this.recorder = recorder;
  }

  static async create(): Promise<World> {
    vi.setSystemTime(NOON);
    // The grants of the migration: they belong to no company, and so not to a world.
    await env.DIRECTORY.batch([
      env.DIRECTORY.prepare(
        "DELETE FROM role_permissions WHERE id = ? OR permission_id = 'gateways:write' AND role_id = 'readonly'",
      ).bind(grantId),
      env.DIRECTORY.prepare("INSERT INTO role_permissions VALUES (?, 'readonly', 'configs:write', 0, 0)").bind(grantId),
    ]);
    // Keys of pictures are made from their content: a picture that another world stored would hide that this one did not store it.
    const { objects } = await env.THUMBNAILS.list();
    await env.THUMBNAILS.delete(objects.map(({ key }) => key));
    const recorder = await StateRecorder.begin();
    const world = new World(await createPlant((table) => recorder.last(table)), recorder);
    current = world;
    await world.settle();
    // Gives a name to anything that the first request deletes.
    await recorder.state();
    return world;
  }

  /** Runs the sweep and every machine's alarm, without faults. */
  async settle(): Promise<void> {
    this.bindings.begin(new Map());
    await configureDue(env);
    await moveAuditEntries(directoryDb(env), companyDb(env, "first-primary"));
    for (const machineId of await this.recorder.machines()) await flushMachine(machineId);
  }

  /** Puts the world's bindings into its machines' objects. */
  async enterObjects(): Promise<void> {
    for (const machineId of await this.recorder.machines()) {
      await runInDurableObject(machineObject(env, machineId), (object) => {
        (object as unknown as { env: Env }).env = this.bindings.env;
      });
    }
  }

  /** Does a step once, and returns the answer; null if the caller gave up. */
  async attempt(step: Step, request: PlantRequest | null, key: string, faults: Faults): Promise<Answer | null> {
    this.bindings.begin(faults);
    const patience = new AbortController();
    const gaveUp = this.#silence(patience.signal);
    try {
      if (!request) return await Promise.race([this.#doOwnWork(step), gaveUp]);
      const ctx = createExecutionContext();
      const sent = toRequest(operationOf(step), request, this.plant, key);
      const answer = await Promise.race([answerOf(router.fetch(sent, this.bindings.env, ctx)), gaveUp]);
      if (answer) await Promise.race([waitOnExecutionContext(ctx), gaveUp]);
      return answer;
    } finally {
      patience.abort();
    }
  }

  /** Resolves (with null) when nothing has happened for longer than any deadline, or nobody waits for that any more. */
  async #silence(isOver: AbortSignal): Promise<null> {
    for (let looks = 0; looks < patienceLooks && !isOver.aborted; looks++) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (this.bindings.silentForMs() < patienceMs) looks = 0;
    }
    return null;
  }

  /** Returns null if it failed and is tried again. */
  async #doOwnWork({ operationId }: Step): Promise<Answer | null> {
    try {
      if (operationId === sweep) await configureDue(this.bindings.env);
      else {
        await runInDurableObject(machineObject(env, this.plant.machine.id), async (object) => {
          await object.alarm();
          await object.publish(0);
        });
      }
      return { status: 204, headers: new Headers(), text: "" };
    } catch {
      return null;
    }
  }

  /** Changes the machines' set-up without notifying them, like a write that ends too early, so that the sweep has work to do. */
  async prepare({ operationId }: Step): Promise<void> {
    if (operationId !== sweep) return;
    const change = "UPDATE machines SET stop_after_seconds = 700, config_version = config_version + 1 WHERE company_id = ?";
    await env.DB_0.prepare(change).bind(this.plant.companyId).run();
  }
}

/** Runs the plan of a seed in one world without faults and in another one with them. Throws if they differ. */
export async function runPlan(seed: number): Promise<{ steps: number; calls: number; refused: number }> {
  const steps = planOf(seed, [...operations.map(({ operationId }) => operationId), alarm, sweep]);
  const references = await withoutFaults(steps);
  const world = await World.create();
  const log: string[] = [];
  try {
    for (const [i, step] of steps.entries()) {
      vi.setSystemTime(NOON + (i + 1) * MINUTE);
      await underFaults(world, step, references[i] as Reference, `step-${i}`, log);
    }
  } catch (error) {
    const story = log.map((line) => `  ${line}`).join("\n");
    throw new Error(`FAULT_SEED=${seed}: ${(error as Error).message}\n${story}`, { cause: error });
  }
  const calls = references.reduce((sum, reference) => sum + reference.calls.length, 0);
  return { steps: steps.length, calls, refused: references.filter(({ answer }) => answer.status >= 400).length };
}

async function withoutFaults(steps: readonly Step[]): Promise<Reference[]> {
  const world = await World.create();
  const references: Reference[] = [];
  for (const [i, step] of steps.entries()) {
    vi.setSystemTime(NOON + (i + 1) * MINUTE);
    await world.prepare(step);
    await world.enterObjects();
    const before = await world.recorder.state();
    const answer = await world.attempt(step, requestOf(step, world.plant), `step-${i}`, new Map());
    if (!answer) throw new Error(`${step.operationId} gave no answer without faults`);
    // A later one may be refused because of an earlier one.
    if (i === 0 && answer.status >= 400) throw new Error(`${step.operationId} has no good request: ${answer.text}`);
    const { calls } = world.bindings;
    const answered = await world.recorder.state();
    const body = answer.status < 400 ? world.recorder.answer(answer.text) : "";
    await world.settle();
    const settled = await world.recorder.state();
    references.push({ calls, answer, body, before, answered, settled });
  }
  return references;
}

async function underFaults(world: World, step: Step, reference: Reference, key: string, log: string[]): Promise<void> {
  const { operationId } = step;
  const request = requestOf(step, world.plant);
  await world.prepare(step);
  await world.enterObjects();
  let answer: Answer | null = null;
  let wasDone = false;
  for (const planned of [...step.tries, []]) {
    const faults = faultsOf(planned, reference.calls.length);
    answer = await world.attempt(step, request, key, faults);
    const { calls } = world.bindings;
    log.push(`${operationId}: ${describeCalls(calls, faults)} -> ${answer ? `${answer.status} ${answer.text}` : "no answer"}`);
    const state = await world.recorder.state();
    const isDone = expectWhole(reference, state);
    expectAnswer(step, answer, reference, wasDone, isDone);
    if (answer && answer.status < 400 && !ownAnswers.has(operationId)) expectBody(reference, world.recorder.answer(answer.text));
    wasDone ||= isDone;
    if (answer && answer.status < 500) break;
    if (planned.length === 0) throw new Error("no answer to a try without faults");
  }
  await world.settle();
  expectSame(reference.settled, await world.recorder.state(), "at the end");
}

/** Throws unless each part of the state is as before or as after the request. Returns whether the data that it wrote are as after it. */
function expectWhole({ before, answered, settled, calls }: Reference, state: State): boolean {
  // A machine's object recognizes a repeat of what it has done, so the answer is kept after that: it may be missing, until the request is sent again.
  const isDecidedByObject = calls.some((name) => name.startsWith("object."));
  const unanswered = {
    ...answered,
    tables: answered.tables.filter((line) => !isKeptAnswer(line) || before.tables.includes(line)),
  };
  const known = [before, answered, settled, ...(isDecidedByObject ? [unanswered] : [])];
  const isAsOne = (part: (of: State) => readonly string[]) => known.some((of) => isSame(part(of), part(state)));
  if (!isAsOne(({ tables }) => tables)) throw new Error(`half written\n${difference(answered.tables, state.tables)}`);
  for (const machine of new Set(state.objects.map(machineOf))) {
    const ofMachine = (of: State) => of.objects.filter((line) => machineOf(line) === machine);
    // A machine that has not been notified of its own identity yet: the sweep does that.
    if (ofMachine(state).some((line) => line.endsWith(" identity undefined"))) continue;
    if (!isAsOne(ofMachine)) throw new Error(`half written in an object\n${difference(ofMachine(answered), ofMachine(state))}`);
  }
  const missing = state.pictures.filter((picture) => picture.endsWith(" missing"));
  if (missing.length > 0) throw new Error(`a row names a picture that is not there: ${missing}`);
  if (state.asleep.length > 0) throw new Error(`rows wait, and no alarm is set in time: ${state.asleep}`);
  // The sweep notifies machines that were not notified of their set-up; a write to an object is done or not.
  const isWritten = calls.some((name) => name === "object.ingest" || name === "object.editStops");
  return isSame(answered.tables, state.tables) && (!isWritten || isSame(answered.objects, state.objects));
}

function isKeptAnswer(line: string): boolean {
  return line.startsWith("idempotency_keys ");
}

function machineOf(line: string): string {
  return line.slice(0, line.indexOf(" "));
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((line, i) => line === others[i]);
}

/** Throws if the answer is not one that the caller may get. */
function expectAnswer(step: Step, answer: Answer | null, { answer: wanted }: Reference, wasDone: boolean, isDone: boolean) {
  if (!answer) return;
  const { status, headers, text } = answer;
  if (status >= 500) {
    if (status !== 500 && status !== 503) throw new Error(`answered ${status}`);
    if (!headers.get("content-type")?.includes("application/problem+json"))
      throw new Error(`a ${status} that is no problem: ${text}`);
    if (status === 503 && !headers.get("retry-after")) throw new Error("a 503 without Retry-After");
    return;
  }
  if (status === wanted.status) {
    if (status < 400 && !isDone) throw new Error(`answered ${status}, and it is not stored`);
    return;
  }
  // A repeated request that was done, and that cannot be recognized as the same request, is refused.
  const isHarmless = wasDone && status >= 400 && !operationOf(step).isKeyed;
  if (!isHarmless) throw new Error(`answered ${status} ${text}, and without faults ${wanted.status} ${wanted.text}`);
}

function expectBody({ body }: Reference, found: string): void {
  if (body !== found) throw new Error(`answered ${found}\nand without faults ${body}`);
}

function expectSame(wanted: State, state: State, when: string): void {
  for (const part of Object.keys(wanted) as (keyof State)[]) {
    const found = difference(wanted[part], state[part]);
    if (found) throw new Error(`other than without faults ${when}: ${part}\n${found}`);
  }
}

function difference(wanted: readonly string[], found: readonly string[]): string {
  const left = [...found];
  const missing = wanted.filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return [...missing.map((line) => `  - ${line}`), ...left.map((line) => `  + ${line}`)].join("\n");
}

function faultsOf(planned: readonly PlannedFault[], calls: number): Faults {
  return new Map(planned.map(({ at, kind }) => [1 + Math.floor(at * calls), kind]));
}

function describeCalls(calls: readonly string[], faults: Faults): string {
  return calls.map((name, i) => (faults.has(i + 1) ? `${name} (${faults.get(i + 1)})` : name)).join(", ");
}

function operationOf({ operationId }: Step): WritingOperation {
  const found = operations.find((operation) => operation.operationId === operationId);
  if (!found) throw new Error(`there is no operation ${operationId}`);
  return found;
}

function requestOf(step: Step, plant: Plant): PlantRequest | null {
  const isOwnWork = step.operationId === alarm || step.operationId === sweep;
  return isOwnWork ? null : operationOf(step).request(plant);
}

function toRequest({ method, isKeyed }: WritingOperation, request: PlantRequest, plant: Plant, key: string): Request {
  const { path, body, token = plant.superuser.token, contentType = "application/json" } = request;
  const headers = new Headers({ authorization: `Bearer ${token}`, "cf-connecting-ip": `10.0.0.${plant.companyId % 250}` });
  if (isKeyed) headers.set("idempotency-key", key);
  const isForm = body instanceof FormData;
  if (body !== undefined && !isForm) headers.set("content-type", contentType);
  const init: RequestInit = { method, headers };
  if (body !== undefined) init.body = isForm || typeof body === "string" ? body : JSON.stringify(body);
  return new Request(`http://andon.test${path}`, init);
}

async function answerOf(answered: Response | Promise<Response>): Promise<Answer> {
  const response = await answered;
  return { status: response.status, headers: response.headers, text: await response.text() };
}
