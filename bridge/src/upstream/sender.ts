import { StorageError } from "../queue/database.ts";
import type { Lane, Queue, QueuedEvent } from "../queue/queue.ts";
import type { Andon, Answer } from "./andon.ts";
import { backoffMs } from "./backoff.ts";
import type { Offset } from "./offset.ts";
import { sentEvent } from "./sent-event.ts";

/** Andon's limit of a request. */
const MOST_EVENTS = 1000;
/** Requests are not closer than this, so that each has what came meanwhile. */
const PAUSE_MS = 200;
/** While nothing comes, the queue is looked at so often: another process may have put something into it. */
const IDLE_MS = 5000;
/** How often the bounds of the queue are checked. */
const BOUNDS_MS = 10_000;
/** Codes that pass by themselves, of a service that does not say which do. */
const transientCodes = new Set(["unknown_channel", "in_future", "too_many_held"]);

interface Rejection {
  index: number;
  code: string;
  message: string;
  isTransient?: boolean;
}

interface Waiting {
  failures: number;
  until: number;
}

export interface SenderOptions {
  queue: Queue;
  andon: Andon;
  offset: Offset;
  /** The bridge's clock. */
  now(): number;
  log(message: string): void;
  abort: AbortSignal;
  /** Called when events were dropped. */
  onDropped(): void;
}

/**
 * Brings the events of the queue to Andon: of each signal of a machine the oldest first, and of all signals in each request, so that none waits
 * for another. An event leaves the queue when Andon has it, or will never take it.
 */
export function createSender({ queue, andon, offset, now, log, abort, onDropped }: SenderOptions) {
  /** Lanes whose oldest event Andon does not take yet. */
  const waiting = new Map<number, Waiting>();
  /** The newest time of each lane that was corrected: times do not go back when the correction changes. */
  const newest = new Map<number, number>();
  let most = MOST_EVENTS;
  let failures = 0;
  let fault: string | null = null;
  let boundedAt = 0;
  let isAsked = false;
  let isPokeable = false;
  let endSleep: () => void = () => undefined;
  abort.addEventListener("abort", () => endSleep());

  const sleep = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      endSleep = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  async function run(): Promise<void> {
    while (!abort.aborted) {
      isAsked = false;
      const { ms, untilPoked } = await step().catch((error: unknown) => {
        if (!(error instanceof StorageError)) log(`Sending failed: ${(error as Error).stack}`);
        return { ms: IDLE_MS, untilPoked: false };
      });
      if (abort.aborted) return;
      isPokeable = untilPoked;
      await sleep(untilPoked && isAsked ? PAUSE_MS : ms);
      isPokeable = false;
    }
  }

  /** Sends one request. Returns how long to wait for the next. */
  async function step(): Promise<{ ms: number; untilPoked: boolean }> {
    if (Date.now() - boundedAt >= BOUNDS_MS) keepBounds();
    // Before the clock is measured, nothing can be sent: its answer says what Andon's clock shows.
    if (offset.current() === null) {
      const answer = await andon.send("POST", "/v1/ingest", { events: [] });
      if (answer.kind !== "ok") return notTaken(answer, 0);
      taken();
      if (offset.current() === null) offset.measure(Date.now(), now(), now());
    }
    const batch = nextBatch();
    if (batch.length === 0) return { ms: idleMs(), untilPoked: true };
    fix(batch);
    const id = queue.id();
    const events = batch.map(({ lane, event }) => sentEvent(id, lane, event));
    const answer = await andon.send("POST", "/v1/ingest", { events });
    if (answer.kind !== "ok") return notTaken(answer, batch.length);
    // Another file was made meanwhile: these events are not in it.
    if (queue.id() !== id) return { ms: 0, untilPoked: false };
    taken();
    settle(batch, (answer.body as { rejected?: Rejection[] }).rejected ?? []);
    return { ms: PAUSE_MS, untilPoked: false };
  }

  function keepBounds(): void {
    boundedAt = Date.now();
    const dropped = queue.keepBounds(now());
    if (dropped === 0) return;
    log(`The queue is full, or its events too old: the ${dropped} oldest were dropped.`);
    onDropped();
  }

  /** The oldest events of all lanes that do not wait, in equal parts. One that waited is tried with one event. */
  function nextBatch(): { lane: Lane; event: QueuedEvent }[] {
    const at = Date.now();
    const ready = queue.lanes().filter(({ id }) => (waiting.get(id)?.until ?? 0) <= at);
    const part = Math.ceil(most / Math.max(1, ready.length));
    const found = ready.map((lane) => ({ lane, events: queue.oldest(lane.id, waiting.has(lane.id) ? 1 : part) }));
    // What short lanes leave is for the long ones.
    const long = found.filter(({ lane, events }) => events.length === part && !waiting.has(lane.id));
    const left = most - found.reduce((sum, { events }) => sum + events.length, 0);
    const more = Math.floor(left / Math.max(1, long.length));
    if (more > 0) for (const lane of long) lane.events = queue.oldest(lane.lane.id, part + more);
    return found.flatMap(({ lane, events }) => events.map((event) => ({ lane, event }))).slice(0, MOST_EVENTS);
  }

  /** Fixes the times of events that are sent first, on the disk: sent again, they must be the same. */
  function fix(batch: { lane: Lane; event: QueuedEvent }[]): void {
    const fresh = batch.map(({ event }) => event).filter((event) => event.byBridge && event.offsetMs === null);
    const current = offset.current() ?? 0;
    for (const event of fresh) {
      const at = Math.max(event.at + current, newest.get(event.lane) ?? 0);
      newest.set(event.lane, at);
      event.offsetMs = at - event.at;
    }
    if (fresh.length > 0) queue.fixTimes(fresh, current);
  }

  function settle(batch: { lane: Lane; event: QueuedEvent }[], rejected: readonly Rejection[]): void {
    const byIndex = new Map(rejected.map((rejection) => [rejection.index, rejection]));
    const done: QueuedEvent[] = [];
    const refused: { event: QueuedEvent; code: string; message: string }[] = [];
    const waits = new Map<Lane, string>();
    for (const [index, { lane, event }] of batch.entries()) {
      const rejection = byIndex.get(index);
      if (!rejection) done.push(event);
      else if (rejection.isTransient ?? transientCodes.has(rejection.code)) waits.set(lane, rejection.message);
      else refused.push({ event, ...rejection });
    }
    queue.settle(done, refused);
    for (const { event, code, message } of refused)
      log(`Event ${event.seq} is refused for good, and in quarantine: ${code}: ${message}`);
    for (const { lane } of batch) if (!waits.has(lane)) waiting.delete(lane.id);
    for (const [lane, message] of waits) {
      const count = (waiting.get(lane.id)?.failures ?? 0) + 1;
      waiting.set(lane.id, { failures: count, until: Date.now() + backoffMs(count) });
      if (count === 1) log(`The events of ${lane.machine} (${lane.kind}) wait: ${message}`);
    }
  }

  function taken(): void {
    if (fault !== null) log("Andon answers again.");
    fault = null;
    failures = 0;
    // A body that was too large once is tried again, a little larger each time.
    most = Math.min(MOST_EVENTS, Math.ceil(most * 1.1));
  }

  function notTaken(answer: Exclude<Answer, { kind: "ok" }>, size: number): { ms: number; untilPoked: boolean } {
    if (answer.kind === "refused" && answer.status === 413 && size > 1) {
      most = Math.floor(size / 2);
      log(`A request of ${size} events is too large for Andon, or for a proxy before it: the next ones have ${most}.`);
      return { ms: PAUSE_MS, untilPoked: false };
    }
    const { detail } = answer;
    if (detail !== fault) log(answer.kind === "refused" ? `Andon refuses the bridge: ${detail}` : detail);
    fault = detail;
    failures += 1;
    const asked = answer.kind === "failed" ? answer.retryAfterMs : null;
    return { ms: asked === null ? backoffMs(failures) : Math.max(asked, PAUSE_MS), untilPoked: false };
  }

  const idleMs = () => {
    const soonest = Math.min(...[...waiting.values()].map(({ until }) => until - Date.now()), IDLE_MS);
    return Math.max(soonest, PAUSE_MS);
  };

  return {
    run,
    /** Says that there are new events. */
    poke: () => {
      isAsked = true;
      if (isPokeable) endSleep();
    },
    /** Why Andon does not take events; null: it does. */
    fault: () => fault,
  };
}
