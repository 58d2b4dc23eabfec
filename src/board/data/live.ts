import { type ReadonlySignal, signal } from "@preact/signals";
import { BEARER, closeCodes, type LiveMessage, PING, PING_EVERY_MS, PONG, SUBPROTOCOL } from "../../client/live-protocol.ts";
import { learnTime, serverNow } from "../app/clock.ts";
import { companyQuery, forgetDisplay, session, signedInAgain } from "../app/session.ts";
import { waitAfter } from "../domain/backoff.ts";
import { Rows } from "../domain/rows.ts";
import { type SeenRow, seenAfter } from "../domain/state-since.ts";
import { addressOf } from "./api.ts";
import { fetchInTime } from "./client.ts";

export type Row = SeenRow;

/** The machines to follow; if empty, all of the company. */
export interface Selection {
  machineIds?: readonly number[];
  lineIds?: readonly number[];
}

/**
 * How fresh the rows are. "live": changes come as they happen. "polling": requested every 10 s. "lost": nothing came since `since` (epoch
 * ms), so the shown rows are old. "refused": the service does not show these machines to this session, for a `reason`.
 */
export type Freshness =
  | { kind: "connecting" }
  | { kind: "live" }
  | { kind: "polling" }
  | { kind: "lost"; since: number }
  | { kind: "refused"; reason: string };

export interface Live {
  /** The machines in the order of the plant; null until the first answer. */
  machineIds: ReadonlySignal<readonly number[] | null>;
  /** A machine's newest row; undefined where there is none (yet). */
  row(machineId: number): ReadonlySignal<Row | undefined>;
  freshness: ReadonlySignal<Freshness>;
  /** Closes the connection and stops all changes. */
  close(): void;
}

const PONG_WITHIN_MS = 10_000;
const POLL_EVERY_MS = 10_000;
const POLL_AFTER_FAILURES = 3;
/** How long a connection may be broken before that is shown. */
const GRACE_MS = 3000;

/**
 * Follows machines over one WebSocket, which is reopened whenever it breaks and then gets the missed changes. While that does not work,
 * it polls every 10 s instead.
 */
export function follow(selection: Selection = {}): Live {
  const rows = new Rows<Row>();
  const freshness = signal<Freshness>({ kind: "connecting" });

  let socket: WebSocket | null = null;
  let place: { epoch: string; seq: number } | null = null;
  let failures = 0;
  let heardAt: number | null = null;
  let etag: string | null = null;
  let isClosed = false;
  const timers: Record<"connect" | "ping" | "pong" | "poll" | "grace", number | undefined> = {
    connect: undefined,
    ping: undefined,
    pong: undefined,
    poll: undefined,
    grace: undefined,
  };

  function later(name: keyof typeof timers, ms: number, act: () => void): void {
    clearTimeout(timers[name]);
    timers[name] = window.setTimeout(act, ms);
  }

  function end(name: keyof typeof timers): void {
    clearTimeout(timers[name]);
    timers[name] = undefined;
  }

  function isOpen(): boolean {
    return socket?.readyState === WebSocket.OPEN;
  }

  function take(message: LiveMessage): void {
    learnTime(message.at);
    heardAt = serverNow();
    place = { epoch: message.epoch, seq: message.seq };
    const isNext = message.type === "changes";
    const seen = message.rows.map((row) => seenAfter(rows.of(row.machine.id).peek(), row, message.at, isNext));
    if (message.type === "snapshot") rows.replace(seen);
    else rows.change(seen, message.removed);
  }

  function connect(): void {
    clearTimeout(timers.connect);
    if (isClosed || socket) return;
    const token = session.peek()?.token;
    if (token === undefined) return;
    const url = new URL(
      addressOf("/v1/live", { query: { ...queryOf(selection), epoch: place?.epoch, since: place?.seq } }),
      location.href,
    );
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    const opened = new WebSocket(url.href, [SUBPROTOCOL, BEARER + token]);
    socket = opened;
    opened.onmessage = ({ data }) => {
      clearTimeout(timers.pong);
      if (data === PONG) {
        heardAt = serverNow();
        return;
      }
      const message = JSON.parse(data) as LiveMessage;
      // A newer service may send messages that this page does not know.
      if (message.type !== "snapshot" && message.type !== "changes") return;
      take(message);
      failures = 0;
      end("poll");
      end("grace");
      freshness.value = { kind: "live" };
    };
    opened.onopen = ping;
    opened.onclose = ({ code, reason }) => {
      if (socket === opened) void ended(code, reason, token);
    };
  }

  function ping(): void {
    later("ping", PING_EVERY_MS, () => {
      if (!socket || !isOpen()) return;
      socket.send(PING);
      later("pong", PONG_WITHIN_MS, drop);
      ping();
    });
  }

  /** Drops a socket without waiting for its close event, which never comes on a dead network. */
  function drop(): void {
    const dropped = socket;
    if (!dropped) return;
    dropped.onclose = null;
    dropped.onmessage = null;
    dropped.close();
    void ended(1006, "", "");
  }

  async function ended(code: number, reason: string, token: string): Promise<void> {
    socket = null;
    clearTimeout(timers.ping);
    clearTimeout(timers.pong);
    if (isClosed) return;
    if (code === closeCodes.forbidden) {
      freshness.value = { kind: "refused", reason: inWords(reason) };
      return;
    }
    // The missed changes are no longer available, or the place is from another hub.
    if (code === closeCodes.badMessage) place = null;
    if (code === closeCodes.badToken) {
      if (session.peek()?.kind !== "user") return forgetDisplay(token);
      notHeard();
      await signedInAgain(token);
      return connect();
    }
    failures++;
    // Counted from the first failure, so that later ones do not make old rows look live for longer.
    if (freshness.peek().kind === "live" && timers.grace === undefined) later("grace", GRACE_MS, notHeard);
    if (failures >= POLL_AFTER_FAILURES && timers.poll === undefined) void poll();
    later("connect", waitAfter(failures, Math.random()), connect);
  }

  /** Polls while the socket does not work. Attempts to connect continue meanwhile. */
  async function poll(): Promise<void> {
    if (isClosed || isOpen()) return end("poll");
    later("poll", POLL_EVERY_MS, () => void poll());
    const token = session.peek()?.token;
    if (token === undefined) return;
    const answer = await ask(selection, token, etag);
    if (isClosed || isOpen()) return;
    if (answer.kind === "ended") {
      end("poll");
      return void ended(closeCodes.badToken, "", token);
    }
    if (answer.kind === "none") return notHeard();
    if (answer.kind === "refused") {
      freshness.value = answer;
      return;
    }
    heardAt = serverNow();
    if (answer.kind === "new") {
      take(answer.snapshot);
      etag = answer.etag;
    }
    freshness.value = { kind: "polling" };
  }

  function notHeard(): void {
    end("grace");
    if (freshness.peek().kind === "refused") return;
    if (heardAt !== null) freshness.value = { kind: "lost", since: heardAt };
    else if (failures >= POLL_AFTER_FAILURES) freshness.value = { kind: "lost", since: serverNow() };
  }

  /** Connects at once, because the network may be back. */
  function tryNow(): void {
    if (document.visibilityState === "hidden" || isClosed || freshness.peek().kind === "refused") return;
    if (socket && isOpen()) {
      // After a computer has slept, its socket may be open but dead.
      socket.send(PING);
      later("pong", PONG_WITHIN_MS, drop);
    } else connect();
  }

  function offline(): void {
    drop();
    notHeard();
  }

  addEventListener("online", tryNow);
  addEventListener("offline", offline);
  document.addEventListener("visibilitychange", tryNow);
  connect();

  return {
    machineIds: rows.ids,
    row: (machineId) => rows.of(machineId),
    freshness,
    close() {
      isClosed = true;
      for (const timer of Object.values(timers)) clearTimeout(timer);
      removeEventListener("online", tryNow);
      removeEventListener("offline", offline);
      document.removeEventListener("visibilitychange", tryNow);
      socket?.close();
    },
  };
}

type Asked =
  | { kind: "new"; snapshot: LiveMessage; etag: string | null }
  | { kind: "same" }
  | { kind: "refused"; reason: string }
  | { kind: "ended" }
  | { kind: "none" };

/** Requests all rows once. */
async function ask(selection: Selection, token: string, etag: string | null): Promise<Asked> {
  const headers: Record<string, string> = { accept: "application/json", authorization: `Bearer ${token}` };
  if (etag !== null) headers["if-none-match"] = etag;
  try {
    const response = await fetchInTime(addressOf("/v1/live", { query: queryOf(selection) }), { headers });
    const { status } = response;
    if (status === 304) return { kind: "same" };
    if (status === 401) return { kind: "ended" };
    if (status === 403 || status === 404) return { kind: "refused", reason: inWords((await response.json()).detail) };
    if (!response.ok) return { kind: "none" };
    return { kind: "new", snapshot: await response.json(), etag: response.headers.get("etag") };
  } catch {
    return { kind: "none" };
  }
}

/** The API's reason without the part of the request that it refers to. */
function inWords(reason: string): string {
  return reason.replace(/^\/(query|path|header)\/\w+: /, "");
}

function queryOf({ machineIds, lineIds }: Selection) {
  return {
    ...companyQuery(),
    machineIds: machineIds?.length ? machineIds : undefined,
    lineIds: lineIds?.length ? lineIds : undefined,
  };
}
