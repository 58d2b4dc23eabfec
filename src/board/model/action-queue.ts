// What a person did at a terminal and the service has not confirmed yet. Actions are sent one at a time in their order, each with a key by
// which the service does it once however often it is sent. Pure: whoever keeps the queue stores it after each change.

/** A request that can wait. */
export interface ActionRequest {
  method: "post" | "put" | "patch" | "delete";
  /** As in the OpenAPI document: `/v1/stops/{id}/split`. */
  path: string;
  /** What its parameters stand for. */
  names: Record<string, number | string>;
  body?: unknown;
  /** The version of the thing that the person saw. */
  ifMatch?: string;
}

/** Why the service did not do it. */
export interface Refusal {
  status: number;
  /** The API's reason; null: there was none. */
  detail: string | null;
}

export interface Action<Told = unknown> {
  /** Its Idempotency-Key. */
  key: string;
  /** When the person did it, epoch ms. */
  at: number;
  /** What it changes: behind a refused action about a thing, others about the same thing wait. */
  about: string;
  request: ActionRequest;
  /** What the view needs to tell of it. */
  told: Told;
  /** When it was first sent, epoch ms; null: it certainly was not done. */
  sentAt: number | null;
  refusal: Refusal | null;
}

export type Queue<Told = unknown> = readonly Action<Told>[];

/** The service forgets keys after 24 hours: sent again later, an action could be done twice. */
const KEY_HOLDS_MS = 23 * 3_600_000;

/** The next action to send; null: all wait for a person, or there is none. */
export function nextToSend<T>(queue: Queue<T>): Action<T> | null {
  const blocked = new Set<string>();
  for (const action of queue) {
    if (action.refusal) blocked.add(action.about);
    else if (!blocked.has(action.about)) return action;
  }
  return null;
}

/** Notes that an action is being sent. One whose key may not hold any more is left to the person instead. */
export function sending<T>(queue: Queue<T>, key: string, now: number): Queue<T> {
  return changed(queue, key, (action) => {
    if (action.sentAt === null) return { ...action, sentAt: now };
    return now - action.sentAt > KEY_HOLDS_MS ? { ...action, refusal: { status: 0, detail: null } } : action;
  });
}

/** Whether a refusal is for the moment only: the same action can be sent again as it is. */
export function isPassing(status: number): boolean {
  return status === 401 || status === 408 || status === 429 || status >= 500;
}

/** Without an action: it was done, or the person gave it up. */
export function without<T>(queue: Queue<T>, key: string): Queue<T> {
  return queue.filter((action) => action.key !== key);
}

/** Notes why an action was refused. */
export function refused<T>(queue: Queue<T>, key: string, refusal: Refusal): Queue<T> {
  return changed(queue, key, (action) => ({ ...action, refusal }));
}

/** An action that was refused is sent again as a new one, whatever others changed since. */
export function again<T>(queue: Queue<T>, key: string, newKey: string): Queue<T> {
  return changed(queue, key, (action) => {
    const { ifMatch: _, ...request } = action.request;
    return { ...action, key: newKey, request, sentAt: null, refusal: null };
  });
}

/**
 * The pause before an action is tried again, in ms.
 * @param tries that came to nothing so far, from 1
 * @param retryAfter what the service asked for, in seconds; null: nothing
 * @param random 0 to 1
 */
export function pauseMs(tries: number, retryAfter: number | null, random: number): number {
  const most = Math.min(30_000, 1000 * 2 ** Math.min(tries, 6));
  return Math.max(retryAfter === null ? 0 : retryAfter * 1000, most * (0.5 + random / 2));
}

/** A queue as it was stored; empty if the text is none. */
export function parsedQueue<T>(text: string | null): Queue<T> {
  try {
    const parsed: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(parsed) ? (parsed.filter(isAction) as Action<T>[]) : [];
  } catch {
    return [];
  }
}

function isAction(one: Partial<Action> | null): boolean {
  return typeof one?.key === "string" && typeof one.about === "string" && typeof one.request?.path === "string";
}

function changed<T>(queue: Queue<T>, key: string, change: (action: Action<T>) => Action<T>): Queue<T> {
  return queue.map((action) => (action.key === key ? change(action) : action));
}
