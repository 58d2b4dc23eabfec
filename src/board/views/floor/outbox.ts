import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { api, Refusal } from "../../api.ts";
import { serverNow } from "../../clock.ts";
import {
  type Action,
  type ActionRequest,
  again,
  isPassing,
  nextToSend,
  parsedQueue,
  pauseMs,
  type Queue,
  refused,
  sending,
  without,
} from "../../model/action-queue.ts";
import type { StopMark } from "../../model/floor-stops.ts";
import { onChange, recall, remember } from "../../store.ts";

// Sends the actions of people at this terminal, one at a time and in order, and stores them in the browser until the service has confirmed them.

/** An action as the view shows it: `label` while it waits or if it is refused, `done` once it is confirmed; for stops also the id and the new look. */
export interface Told {
  machineId: number;
  label: string;
  done: string;
  stopId?: number;
  mark?: StopMark;
}

/** The paths and bodies are those of `requests.ts`, which checks their types. */
const ask = api as (method: string, path: string, request: object) => Promise<unknown>;

type FloorAction = Action<Told>;

export interface Outbox {
  /** In order; refused ones stay until the person has decided. */
  queue: ReadonlySignal<Queue<Told>>;
  /** Whether the last attempt failed, so that the queue waits for the network. */
  isStuck: ReadonlySignal<boolean>;
  /** Adds an action and sends it as soon as its turn comes. Returns its key. */
  add(about: string, request: ActionRequest, told: Told): string;
  /** Removes an action that was certainly not sent yet. Returns false if it was, or may have been, sent. */
  takeBack(key: string): boolean;
  /** Drops a refused action. */
  drop(key: string): void;
  /** Sends a refused action again, regardless of others' changes meanwhile. */
  sendAnyway(key: string): void;
  close(): void;
}

/**
 * @param userId the owner of the actions: another user of the same browser has a separate queue
 * @param done is called with each confirmed action and the service's answer
 */
export function openOutbox(userId: number, done: (action: FloorAction, answer: unknown) => void): Outbox {
  const name = `floor.${userId}`;
  const queue = signal<Queue<Told>>(parsedQueue(recall(name)));
  const isStuck = signal(false);
  let isSending = false;
  let isClosed = false;
  let tries = 0;
  let timer: number | undefined;

  // Reads the browser's store first, because another tab may have changed it.
  function change(to: (queue: Queue<Told>) => Queue<Told>): void {
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
      tries++;
      isStuck.value = true;
      const retryAfter = error instanceof Refusal ? error.retryAfter : null;
      timer = window.setTimeout(() => void send(), pauseMs(tries, retryAfter, Math.random()));
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
    const request = { path: names, body, idempotencyKey: action.key, ...(ifMatch !== undefined && { ifMatch }) };
    try {
      const answer = await ask(method, path, request);
      tries = 0;
      change((all) => without(all, action.key));
      done(action, answer);
    } catch (error) {
      if (!(error instanceof Refusal) || isPassing(error.status)) throw error;
      tries = 0;
      change((all) => refused(all, action.key, { status: error.status, detail: error.message }));
    }
  }

  const online = () => {
    tries = 0;
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
    add(about, request, told) {
      const key = crypto.getRandomValues(new Uint32Array(4)).join("-");
      const isAlone = !queue.peek().some((other) => other.about === about);
      // After another action on the same subject, it will meet another version than the one that the person saw.
      const { ifMatch, ...others } = request;
      const asked = isAlone && ifMatch !== undefined ? request : others;
      change((all) => [...all, { key, about, at: serverNow(), request: asked, told, sentAt: null, refusal: null }]);
      void send();
      return key;
    },
    takeBack(key) {
      const action = queue.peek().find((one) => one.key === key);
      if (!action || action.sentAt !== null) return false;
      change((all) => without(all, key));
      return true;
    },
    drop(key) {
      change((all) => without(all, key));
      void send();
    },
    sendAnyway(key) {
      change((all) => again(all, key, `${key}-${serverNow()}`));
      void send();
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      removeEventListener("online", online);
    },
  };
}
