import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";

/** A write, and what the service shows of its line of work once it is done. */
export interface Step {
  operation: string;
  method: string;
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** Of whoever sends it: the line's own when left out. */
  token?: string;
  /** Whether it carries an Idempotency-Key. */
  isKeyed?: true;
  /** Statuses that tell, when it is sent again, that it was done the first time. */
  doneBefore?: number[];
  /** What `read` gives once it is done. */
  shows: unknown;
  /** Looks at the answer. `isRepeat`: it may have been done before. */
  check?(answer: Answer, isRepeat: boolean): void;
}

/** The body of a 2xx; undefined where a repeat was told that it was done before. */
// biome-ignore lint/suspicious/noExplicitAny: what the service answers is held against the document elsewhere.
export type Answer = any;

/** What a line does, one write after the other; each is given the answer to the one before. Asks while the server is up. */
export type Steps = AsyncGenerator<Step, void, Answer>;

/** A line of work: writes that build on each other, and a reading that tells how far they are. */
export interface Work {
  shows: unknown;
  read(): Promise<unknown>;
  steps(): Steps;
}

/** A write that was answered in the end. */
export interface Done {
  operation: string;
  /** The service's ids of those tries that were answered. */
  requestIds: readonly string[];
  isKeyed: boolean;
  timesSent: number;
}

interface Sent {
  step: Step;
  /** Names the write, however often it is sent. */
  key: string;
  timesSent: number;
  requestIds: string[];
}

/** Runs a line of work over a server that is killed, as a careful client does: what was not answered is sent again. */
export class Line {
  /** Operation -> how often it was in flight at a kill. */
  readonly cuts = new Map<string, number>();
  readonly done: Done[] = [];
  readonly #client: Client;
  readonly #work: Work;
  readonly #steps: Steps;
  #shows: unknown;
  /** The answer that the next step is made of. */
  #answer: Answer;
  /** Sent, and not answered yet. */
  #open: Sent | null = null;

  constructor(client: Client, work: Work) {
    this.#client = client;
    this.#work = work;
    this.#steps = work.steps();
    this.#shows = work.shows;
  }

  /** After a start: what was answered is there, what was not is there whole or not at all; it is sent again, and is there once. */
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
    // A machine's object that was killed after its own write tells the database when it wakes.
    await expect.poll(() => this.#work.read(), { timeout: 20_000, interval: 100, message: operation }).toEqual(shows);
  }

  /** Does what comes before the write that was cut off least, and gets that ready. */
  async advance(): Promise<Sent> {
    // Once around, so that every kind of write was seen.
    for (let done = 0; ; done++) {
      const sent = await this.#next();
      const cuts = this.cuts.get(sent.step.operation) ?? 0;
      if (done > 0 && cuts <= Math.min(...this.cuts.values())) return sent;
      this.cuts.set(sent.step.operation, cuts);
      if (done >= maxSteps) return sent;
      await this.#send(sent);
    }
  }

  /** Sends a write that the kill may cut off. Resolves when it was answered or cut off. */
  async gamble(sent: Sent): Promise<void> {
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

  /** Throws TypeError, as fetch does, when no answer came. */
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

/** More than any line has between two writes of a kind. */
const maxSteps = 20;

/** Asks the service at `url` with a user's token. */
export class Client {
  readonly url: string;
  readonly token: string;
  /** The service's ids of all requests that were answered. */
  readonly answered = new Set<string>();

  constructor(url: string, token: string) {
    this.url = url;
    this.token = token;
  }

  /** Sends a write; whoever has too much to do is asked again. Adds the service's ids of what was answered to `requestIds`. */
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
      if ([429, 503].includes(response.status) && tries < 5) await sleep(1000);
      else return { status: response.status, body: text === "" ? null : JSON.parse(text) };
    }
  }

  /** Does a write while nobody is killed, and gives its answer. */
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

/** In an order of their own, for lists that come in that of random ids. */
export function sorted<T>(items: readonly T[]): T[] {
  return items.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}
