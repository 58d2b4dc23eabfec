import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { serverNow } from "../../app/clock.ts";
import { onChange, recall, remember } from "../../app/store.ts";
import { type ApiSchema, api, Refusal } from "../../data/api.ts";
import { newKey } from "../../data/new-key.ts";
import {
  type Action,
  type ActionRequest,
  again,
  confirmed,
  dropped,
  isPassing,
  nextToSend,
  parsedQueue,
  type Queue,
  refused,
  sending,
} from "../../domain/action-queue.ts";
import { waitAfter } from "../../domain/backoff.ts";
import type { StopMark } from "../../domain/floor-stops.ts";
import { iso } from "../../domain/time.ts";

// Sends the actions of people at this terminal, one at a time and in order, and stores them in the browser until the service has confirmed them.

/** An action as the view shows it: `label` while it waits or if it is refused, `done` once it is confirmed; for stops also the id and the new look. */
export interface Display {
  machineId: number;
  label: string;
  done: string;
  stopId?: number;
  mark?: StopMark;
}

/** The paths and bodies are those of `requests.ts`, which checks their types. */
const ask = api as (method: string, path: string, request: object) => Promise<unknown>;

type FloorAction = Action<Display>;

export interface Outbox {
  /** In order; refused ones stay until the person has decided. */
  queue: ReadonlySignal<Queue<Display>>;
  /** Whether the last attempt failed, so that the queue waits for the network. */
  isStuck: ReadonlySignal<boolean>;
  /**
   * Adds an action and sends it as soon as its turn comes. Returns its key.
   * @param undoes the key of the unconfirmed action that it undoes
   */
  add(about: string, request: ActionRequest, told: Display, undoes?: string): string;
  /** Removes an action that was certainly not carried out. Returns false if it was, or may have been. */
  takeBack(key: string): boolean;
  /** Drops a refused action. */
  drop(key: string): void;
  /** Sends a refused action again as this request, with the version that the person has seen since. */
  sendAgain(key: string, request: ActionRequest): void;
  close(): void;
}

/**
 * @param userId the owner of the actions: another user of the same browser has a separate queue
 * @param done is called with each confirmed action and the service's answer
 */
export function openOutbox(userId: number, done: (action: FloorAction, answer: unknown) => void): Outbox {
  const name = `floor.${userId}`;
  const queue = signal<Queue<Display>>(parsedQueue(recall(name)));
  const isStuck = signal(false);
  let isSending = false;
  let isClosed = false;
  let failures = 0;
  let timer: number | undefined;

  // Reads the browser's store first, because another tab may have changed it.
  function change(to: (queue: Queue<Display>) => Queue<Display>): void {
    queue.value = to(parsedQueue(recall(name)));
    remember(name, queue.value.length > 0 ? JSON.stringify(queue.value) : null);
  }

  async function send(): Promise<void> {
    clearTimeout(timer);
    if (isSending || isClosed) return;
    isSending = true;
    try {
      for (let next = take(); next && !isClosed; next = take()) await sendOne(next);
      isStuck.value = false;
    } catch (error) {
      failures++;
      isStuck.value = true;
      const retryAfter = error instanceof Refusal ? error.retryAfter : null;
      timer = window.setTimeout(() => void send(), waitAfter(failures, Math.random(), retryAfter));
    } finally {
      isSending = false;
    }
  }

  /** Takes the next action and records it as sent: from now on it may have been carried out. */
  function take(): FloorAction | null {
    for (;;) {
      const next = nextToSend(queue.peek());
      if (!next) return null;
      change((all) => sending(all, next.key, serverNow()));
      const noted = queue.peek().find(({ key }) => key === next.key);
      if (noted && !noted.refusal) return noted;
    }
  }

  /** @throws if the queue has to wait: no answer, or a temporary refusal */
  async function sendOne(action: FloorAction): Promise<void> {
    const { method, path, names, body, ifMatch } = action.request;
    // At a paired terminal, who was signed in then acted.
    const headers = { "x-acted-at": iso(action.at) };
    const request = { path: names, body, headers, idempotencyKey: action.key, ...(ifMatch !== undefined && { ifMatch }) };
    try {
      const answer = await ask(method, path, request);
      failures = 0;
      change((all) => confirmed(all, action.key, etagIn(answer, action.told.stopId)));
      done(action, answer);
    } catch (error) {
      if (!(error instanceof Refusal) || isPassing(error.status)) throw error;
      failures = 0;
      change((all) => refused(all, action.key, { status: error.status, detail: error.message }));
    }
  }

  const online = () => {
    failures = 0;
    void send();
  };
  addEventListener("online", online);
  onChange(name, (text) => {
    queue.value = parsedQueue(text);
  });
  void send();

  return {
    queue,
    isStuck: computed(() => isStuck.value && queue.value.length > 0),
    add(about, request, told, undoes) {
      const key = newKey();
      // Another cause replaces the refused one: the person decided again.
      const replaced = queue.peek().find((one) => one.about === about && one.refusal && one.request.path === request.path);
      if (replaced && told.stopId !== undefined) change((all) => dropped(all, replaced.key));
      const before =
        told.stopId === undefined
          ? undefined
          : queue
              .peek()
              .filter((one) => one.about === about && !one.refusal)
              .pop();
      const after = undoes ?? before?.key;
      const { ifMatch: _, ...others } = request;
      const asked = after === undefined ? request : others;
      const follows = { ...(after !== undefined && { after }), ...(undoes !== undefined && { isUndo: true }) };
      const state = { sentAt: null, refusal: null };
      change((all) => [...all, { key, about, at: serverNow(), request: asked, told, ...follows, ...state }]);
      void send();
      return key;
    },
    takeBack(key) {
      const action = queue.peek().find((one) => one.key === key);
      if (!action || (action.sentAt !== null && !action.refusal)) return false;
      change((all) => dropped(all, key));
      void send();
      return true;
    },
    drop(key) {
      change((all) => dropped(all, key));
      void send();
    },
    sendAgain(key, request) {
      change((all) => again(all, key, newKey(), request));
      void send();
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      removeEventListener("online", online);
    },
  };
}

/** The ETag of a stop in an answer that has it, alone or in a list; null: it has not. */
function etagIn(answer: unknown, stopId: number | undefined): string | null {
  if (stopId === undefined) return null;
  const stops = stopsIn(answer as ApiSchema<"Stop"> | { data: ApiSchema<"Stop">[] });
  const found = stops.find(({ id }) => id === stopId);
  return found ? `"${found.version}"` : null;
}

/** The stops in the answer to an edit: one, or the parts of a split one. */
export function stopsIn(answer: ApiSchema<"Stop"> | { data: ApiSchema<"Stop">[] }): ApiSchema<"Stop">[] {
  return "data" in answer ? answer.data : [answer];
}
