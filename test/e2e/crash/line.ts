import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, vi } from "vitest";

/** A write, and the state of its line of work that the service shows once it is done. */
export interface Step {
  operation: string;
  method: string;
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** The sender's token; by default the line's own. */
  token?: string;
  /** Whether it has an Idempotency-Key. */
  isKeyed?: true;
  /** Statuses by which a repeat reports that it was done the first time. */
  doneBefore?: number[];
  /** The result of `read` once it is done. */
  shows: unknown;
  /** Checks the answer. `isRepeat`: it may have been done before. */
  check?(answer: Answer, isRepeat: boolean): void;
}

/** The body of a 2xx; undefined if a repeat was answered that it was done before. */
// biome-ignore lint/suspicious/noExplicitAny: what the service answers is held against the document elsewhere.
export type Answer = any;

/** The writes of a line, in order; each receives the answer to the previous one. Sends requests while the server is up. */
export type Steps = AsyncGenerator<Step, void, Answer>;

/** A line of work: writes that build on each other, and a read that shows their progress. */
export interface Work {
  shows: unknown;
  read(): Promise<unknown>;
  steps(): Steps;
  /** Throws unless what its writes have begun is done, and the numbers are those that follow from them. */
  settled?(shows: unknown): Promise<void>;
}

/** A write that was eventually answered. */
export interface Done {
  operation: string;
  /** The service's request ids of the attempts that were answered. */
  requestIds: readonly string[];
  isKeyed: boolean;
  timesSent: number;
}

interface Sent {
  step: Step;
  /** Identifies the write, however often it is sent. */
  key: string;
  timesSent: number;
  requestIds: string[];
}

/** Runs a line of work over a server that is killed, like a careful client: unanswered writes are sent again. */
export class Line {
  /** Operation -> how often it was in flight at a kill. */
  readonly cuts = new Map<string, number>();
  readonly done: Done[] = [];
  readonly #client: Client;
  readonly #work: Work;
  readonly #steps: Steps;
  #shows: unknown;
  /** The answer on which the next step is based. */
  #answer: Answer;
  /** Sent, and not answered yet. */
  #open: Sent | null = null;

  constructor(client: Client, work: Work) {
    this.#client = client;
    this.#work = work;
    this.#steps = work.steps();
    this.#shows = work.shows;
  }

  /** After a start: answered writes are stored, an unanswered one is stored completely or not at all; it is repeated, and is then stored once. */
  async recover(): Promise<void> {
    const open = this.#open;
    const seen = await this.#work.read();
    if (!open) {
      expect(seen).toEqual(this.#shows);
      return;
    }
    const { operation, shows } = open.step;
    expect([this.#shows, shows], `after ${operation} was cut off`).toContainEqual(seen);
    await this.#send(open);
    // A machine's object that was killed after its own write updates the database when it wakes.
    await expect.poll(() => this.#work.read(), { timeout: 20_000, interval: 100, message: operation }).toEqual(shows);
  }

  /** At the end: what the writes have begun is done by itself. */
  async settle(): Promise<void> {
    await vi.waitFor(() => this.#work.settled?.(this.#shows), { timeout: 60_000, interval: 250 });
  }

  /**
   * Does all writes before the one that was interrupted least often, and prepares that one.
   * @param wanted operations of which one is prepared instead, if the line has it
   */
  async advance(wanted: ReadonlySet<string> = new Set()): Promise<Sent> {
    const hasWanted = [...this.cuts.keys()].some((operation) => wanted.has(operation));
    // One full cycle, so that every kind of write is known.
    for (let done = 0; ; done++) {
      const sent = await this.#next();
      if (hasWanted && wanted.has(sent.step.operation)) return sent;
      const cuts = this.cuts.get(sent.step.operation) ?? 0;
      if (!hasWanted && done > 0 && cuts <= Math.min(...this.cuts.values())) return sent;
      this.cuts.set(sent.step.operation, cuts);
      if (done >= maxSteps) return sent;
      await this.#send(sent);
    }
  }

  /** Sends a write that the kill may interrupt. Resolves when it was answered or interrupted. */
  async sendDuringKill(sent: Sent): Promise<void> {
    try {
      await this.#send(sent);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      const { operation } = sent.step;
      this.cuts.set(operation, (this.cuts.get(operation) ?? 0) + 1);
    }
  }

  async #next(): Promise<Sent> {
    const { value: step } = await this.#steps.next(this.#answer);
    if (!step) throw new Error("a line of work has no end");
    return { step, key: randomUUID(), timesSent: 0, requestIds: [] };
  }

  /** Throws TypeError, as fetch does, if no answer came. */
  async #send(sent: Sent): Promise<void> {
    const { step, key } = sent;
    this.#open = sent;
    const isRepeat = sent.timesSent > 0;
    sent.timesSent++;
    const { status, body } = await this.#client.send(step, key, sent.requestIds);
    const isDoneBefore = isRepeat && (step.doneBefore ?? []).includes(status);
    if (status >= 300 && !isDoneBefore) throw new Error(`${step.operation} answered ${status}: ${JSON.stringify(body)}`);
    this.#open = null;
    this.#answer = isDoneBefore ? undefined : body;
    this.#shows = step.shows;
    const { requestIds, timesSent } = sent;
    this.done.push({ operation: step.operation, requestIds, isKeyed: step.isKeyed ?? false, timesSent });
    step.check?.(this.#answer, isRepeat);
  }
}

/** More than any line has between two writes of the same kind. */
const maxSteps = 20;

/** Sends requests to the service at `url` with a user's token. */
export class Client {
  readonly url: string;
  readonly token: string;
  /** The service's ids of all answered requests. */
  readonly answered = new Set<string>();

  constructor(url: string, token: string) {
    this.url = url;
    this.token = token;
  }

  /**
   * Sends a write, and repeats it while the service is overloaded, or the computer so busy that the body did not arrive in time (408: nothing was done).
   * Adds the service's ids of the answered attempts to `requestIds`.
   */
  async send(step: Step, key: string, requestIds: string[] = []): Promise<{ status: number; body: Answer }> {
    const { method, path, body, isKeyed, token = this.token } = step;
    const isPlain = body instanceof FormData || typeof body === "string" || body === undefined;
    const headers = {
      authorization: `Bearer ${token}`,
      "x-request-id": key,
      ...(isKeyed && { "idempotency-key": key }),
      ...(!isPlain && { "content-type": "application/json" }),
      ...step.headers,
    };
    for (let tries = 1; ; tries++) {
      const sent = isPlain ? ((body ?? null) as FormData | string | null) : JSON.stringify(body);
      const response = await fetch(this.url + path, { method, headers, body: sent });
      const text = await response.text();
      requestIds.push(response.headers.get("x-request-id") ?? "");
      this.answered.add(response.headers.get("x-request-id") ?? "");
      if ([408, 429, 503].includes(response.status) && tries < 5) await sleep(1000);
      else return { status: response.status, body: text === "" ? null : JSON.parse(text) };
    }
  }

  /** Does a write while nothing is killed, and returns its answer. */
  async do(method: string, path: string, body?: unknown, token?: string): Promise<Answer> {
    const step: Step = { operation: path, method, path, body, shows: null, ...(token !== undefined && { token }) };
    const { status, body: answer } = await this.send(step, randomUUID());
    if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(answer)}`);
    return answer;
  }

  /** Every item of a list. */
  async list(path: string): Promise<Answer[]> {
    const items: Answer[] = [];
    for (let cursor = ""; ; ) {
      const page = await this.do("GET", `${path}${path.includes("?") ? "&" : "?"}limit=500${cursor}`);
      items.push(...page.data);
      if (page.cursor === null) return items;
      cursor = `&cursor=${encodeURIComponent(page.cursor)}`;
    }
  }
}

/** The given members of an item. */
export function pick(item: Answer, members: readonly string[]): Record<string, Answer> {
  return Object.fromEntries(members.map((member) => [member, item[member]]));
}

/** Sorts by content, for lists in the order of random ids. */
export function sorted<T>(items: readonly T[]): T[] {
  return items.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}
