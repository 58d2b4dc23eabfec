import { HOUR_MS } from "./time.ts";

// The actions of a person at a terminal that the service has not confirmed yet. They are sent one at a time in their order, each with a key
// so that the service carries it out only once, however often it is sent. Pure: the owner of the queue stores it after each change.

/** A request that can wait. */
export interface ActionRequest {
  method: "post" | "put" | "patch" | "delete";
  /** The path as in the OpenAPI document: `/v1/stops/{id}/split`. */
  path: string;
  /** The values of its parameters. */
  names: Record<string, number | string>;
  body?: unknown;
  /** The ETag of the version that it was decided on. */
  ifMatch?: string;
}

/** The reason why the service refused an action, as it is stored with it. */
export interface ActionRefusal {
  status: number;
  /** The API's reason; null: there was none. */
  detail: string | null;
}

export interface Action<Display = unknown> {
  /** Its Idempotency-Key. */
  key: string;
  /** When the person acted, epoch ms. */
  at: number;
  /** The subject that it changes. After a refused action, others on the same subject wait. */
  about: string;
  request: ActionRequest;
  /** The data that the view needs to show it. Keeps its name: it is stored in browsers, for actions that wait while the board is updated. */
  told: Display;
  /** The key of the action before it on the same stop, on whose result it was decided: it is sent with the version of that result. */
  after?: string;
  /** It undoes `after`, so it is dropped if that is not carried out. */
  isUndo?: boolean;
  /** When it was first sent, epoch ms; null: it was certainly not carried out. */
  sentAt: number | null;
  refusal: ActionRefusal | null;
}

export type Queue<Display = unknown> = readonly Action<Display>[];

/** The service forgets keys after 24 hours. An action sent again after that could be carried out twice. */
const KEY_HOLDS_MS = 23 * HOUR_MS;

/** The next action to send; null: all wait for a person, or there is none. */
export function nextToSend<T>(queue: Queue<T>): Action<T> | null {
  const blocked = new Set<string>();
  for (const action of queue) {
    if (action.refusal) blocked.add(action.about);
    else if (!blocked.has(action.about)) return action;
  }
  return null;
}

/** Records that an action is being sent. An action whose key may have been forgotten is left to the person instead. */
export function sending<T>(queue: Queue<T>, key: string, now: number): Queue<T> {
  return changed(queue, key, (action) => {
    if (action.sentAt === null) return { ...action, sentAt: now };
    return now - action.sentAt > KEY_HOLDS_MS ? { ...action, refusal: { status: 0, detail: null } } : action;
  });
}

/** Whether a refusal is temporary, so that the same action can be sent again unchanged. */
export function isPassing(status: number): boolean {
  return status === 401 || status === 408 || status === 429 || status >= 500;
}

/**
 * Removes an action that was carried out.
 * @param ifMatch the ETag of its result, which the next action on the same stop was decided on; null: it has none
 */
export function confirmed<T>(queue: Queue<T>, key: string, ifMatch: string | null): Queue<T> {
  return following(without(queue, key), key, ({ after: _, request, ...action }) => ({
    ...action,
    request: ifMatch === null ? request : { ...request, ifMatch },
  }));
}

/**
 * Removes an action that was not carried out, and what would undo it. The next action on the same stop is then sent with the version that
 * this one was decided on.
 */
export function dropped<T>(queue: Queue<T>, key: string): Queue<T> {
  const gone = queue.find((action) => action.key === key);
  if (!gone) return queue;
  return following(withoutUndo(without(queue, key), key), key, ({ after: _, request, ...action }) => ({
    ...action,
    ...(gone.after !== undefined && { after: gone.after }),
    request: gone.request.ifMatch === undefined ? request : { ...request, ifMatch: gone.request.ifMatch },
  }));
}

/** Records why an action was refused, and drops what would undo it. */
export function refused<T>(queue: Queue<T>, key: string, refusal: ActionRefusal): Queue<T> {
  return changed(withoutUndo(queue, key), key, (action) => ({ ...action, refusal }));
}

/** Makes a refused action a new one, with a request that the person has decided on since. */
export function again<T>(queue: Queue<T>, key: string, newKey: string, request: ActionRequest): Queue<T> {
  const renewed = changed(queue, key, (action) => ({ ...action, key: newKey, request, sentAt: null, refusal: null }));
  return following(renewed, key, (action) => ({ ...action, after: newKey }));
}

function without<T>(queue: Queue<T>, key: string): Queue<T> {
  return queue.filter((action) => action.key !== key);
}

function withoutUndo<T>(queue: Queue<T>, key: string): Queue<T> {
  return queue.filter(({ after, isUndo }) => !(isUndo && after === key));
}

function following<T>(queue: Queue<T>, key: string, change: (action: Action<T>) => Action<T>): Queue<T> {
  return queue.map((action) => (action.after === key ? change(action) : action));
}

/** Reads a stored queue; empty if the text is not a queue. */
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
