import { type SourceView, shownState } from "../intake/views.ts";
import { StorageError } from "../queue/database.ts";
import type { Queue } from "../queue/queue.ts";
import type { Andon } from "./andon.ts";
import type { Offset } from "./offset.ts";

/** How often Andon is sent how the bridge is, and how soon after a change. */
const EVERY_MS = 30_000;
const AFTER_CHANGE_MS = 1000;
/** A service of an earlier version does not take it: it is asked again so often. */
const UNKNOWN_MS = 3_600_000;
const LONGEST_ERROR = 300;

/** How the bridge is: what `PUT /v1/gateways/self/status` takes, and the page shows. */
export interface Status {
  version: string;
  startedAt: string;
  queue: {
    events: number;
    oldestAt: string | null;
    bytes: number;
    quarantined: number;
    dropped: { machineRef: string | null; events: number; from: string; to: string }[];
  };
  sources: {
    id: string;
    type: string;
    state: "ok" | "waiting" | "silent" | "failed";
    lastAt: string | null;
    perMinute: number;
    error: string | null;
  }[];
  clockSkewMs: number | null;
}

export interface StatusOptions {
  version: string;
  startedAt: number;
  queue: Queue;
  offset: Offset;
  now(): number;
  views(): readonly SourceView[];
}

/** Makes statuses: the rate of readings is that since the one before. */
export function createStatus({ version, startedAt, queue, offset, now, views }: StatusOptions): () => Status {
  const before = new Map<string, { at: number; readings: number; perMinute: number }>();
  const iso = (at: number) => new Date(at + (offset.current() ?? 0)).toISOString();
  const queueStatus = () => {
    try {
      const { events, oldestAt, bytes, quarantined } = queue.status();
      const dropped = queue.drops().map(({ machine, events: many, from, to }) => ({
        machineRef: machine === "" ? null : machine,
        events: many,
        from: iso(from),
        to: iso(to),
      }));
      return { events, oldestAt: oldestAt === null ? null : iso(oldestAt), bytes, quarantined, dropped };
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      return { events: 0, oldestAt: null, bytes: 0, quarantined: 0, dropped: [] };
    }
  };
  const rate = (id: string, readings: number) => {
    const known = before.get(id) ?? { at: startedAt, readings: 0, perMinute: 0 };
    const elapsed = now() - known.at;
    if (elapsed < 10_000) return known.perMinute;
    const perMinute = Math.round(((readings - known.readings) / elapsed) * 600_000) / 10;
    before.set(id, { at: now(), readings, perMinute });
    return perMinute;
  };
  return () => ({
    version,
    startedAt: iso(startedAt),
    queue: queueStatus(),
    sources: views().map((view) => {
      const { config, state, lastAt, readings } = view;
      // While nothing can be stored, no source is acknowledged: that is what people must know.
      const error = queue.fault() ?? state.error;
      return {
        id: config.id,
        type: config.type,
        state: queue.fault() === null ? shownState(view, now()) : "failed",
        lastAt: lastAt === null ? null : iso(lastAt),
        perMinute: rate(config.id, readings),
        error: error === null ? null : error.slice(0, LONGEST_ERROR),
      };
    }),
    clockSkewMs: skewOf(offset, now),
  });
}

/** How far the computer's clock is ahead of Andon's: the bridge's own is corrected. */
function skewOf(offset: Offset, now: () => number): number | null {
  const current = offset.current();
  return current === null ? null : Math.round(Date.now() - (now() + current));
}

/** Sends the status every 30 s, and soon after a change. */
export function createReporter(andon: Andon, status: () => Status, log: (message: string) => void, abort: AbortSignal) {
  let timer: NodeJS.Timeout | null = null;
  let sentAt = Number.NEGATIVE_INFINITY;
  let isSending = false;
  let fault: string | null = null;

  const plan = (ms: number) => {
    if (abort.aborted) return;
    if (timer) clearTimeout(timer);
    timer = setTimeout(send, ms);
  };
  abort.addEventListener("abort", () => {
    if (timer) clearTimeout(timer);
  });

  async function send(): Promise<void> {
    isSending = true;
    sentAt = Date.now();
    const answer = await andon.send("PUT", "/v1/gateways/self/status", status());
    isSending = false;
    const isUnknown = answer.kind === "refused" && answer.status === 404;
    // That Andon cannot be reached, or refuses the token, is said by the sender.
    const refused = answer.kind === "refused" && answer.status !== 401 && answer.status !== 403 ? answer.detail : null;
    if (refused !== null && refused !== fault) log(`Andon does not take the status of the bridge: ${refused}`);
    fault = refused;
    plan(isUnknown ? UNKNOWN_MS : EVERY_MS);
  }

  return {
    /** The first one is sent when the sources had time to connect, and the clock was compared. */
    start: () => plan(AFTER_CHANGE_MS),
    /** Says that something has changed. */
    changed: () => {
      if (!isSending && sentAt > 0 && fault === null) plan(Math.max(AFTER_CHANGE_MS, sentAt + AFTER_CHANGE_MS - Date.now()));
    },
  };
}
