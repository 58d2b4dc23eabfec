import { closeCodes, GONE_AFTER_MS, type LiveMessage, PING, PONG } from "../client/live-protocol.ts";
import { withPseudonyms } from "../core/operator-names.ts";
import { epochFor, type Pass, type Selection, type Watcher } from "../objects/hubs.ts";
import { minOf } from "../oee/extremes.ts";
import { isExpired, type RightsOf } from "./rights.ts";

/** The most sockets and event streams at once. A stream keeps the hub awake, which costs money. */
const MOST_SOCKETS = 1000;
const MOST_STREAMS = 20;

/** How often connections are looked at while changes are passed on: for tokens that have ended, and sockets that are silent. */
const LOOK_EVERY_MS = 5000;

/** The interval of comments that keep a stream alive, so that proxies do not close it. */
const COMMENT_EVERY_MS = 25_000;
/** A stream whose reader has left this many messages unread is ended. */
const MOST_UNREAD = 100;

/** The service opens no socket by itself, so the linter does not know their type. */
export type Socket = ReturnType<DurableObjectState["getWebSockets"]>[number];

/** The data of a socket that is kept while the hub sleeps. */
interface Attachment {
  pass: Pass;
  selection: Selection;
  connectedAt: number;
}

/** What is known of a connection, without reading its attachment again. */
interface Known extends Attachment {
  /** The same for equal selections. */
  key: string;
}

/** A message, and its text. */
interface Made {
  message: LiveMessage;
  text: string;
}

interface Stream extends Omit<Known, "connectedAt"> {
  write(message: LiveMessage): void;
  end(): void;
}

/** All watchers: WebSockets, which survive the hub's sleep, and event streams, which keep it awake. */
export class Watchers {
  readonly #ctx: DurableObjectState;
  readonly #streams = new Set<Stream>();
  /** All open sockets. Their attachments are read once, when the hub has slept. */
  #sockets: Map<Socket, Known>;
  /** When the connections are looked at again (epoch ms). */
  #lookAt = 0;

  readonly #onLeft: () => void;

  /** @param onLeft called when a stream has ended */
  constructor(ctx: DurableObjectState, onLeft: () => void) {
    this.#ctx = ctx;
    this.#onLeft = onLeft;
    this.#sockets = openSocketsOf(ctx);
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(PING, PONG));
  }

  /**
   * Whether anybody watches. First closes connections whose tokens have ended, and sockets that have not pinged for too long. That is done when the
   * next token ends, and otherwise now and then.
   */
  isAnybodyThere(now: number): boolean {
    // If the clock was set back, the pause is no longer than usual.
    if (now >= this.#lookAt || now < this.#lookAt - LOOK_EVERY_MS) {
      this.#closeExpired(now);
      this.#lookAt = Math.min(this.nextEnd() ?? Number.POSITIVE_INFINITY, now + LOOK_EVERY_MS);
    }
    return this.count > 0;
  }

  /** The number of connections. */
  get count(): number {
    return this.#streams.size + this.#sockets.size;
  }

  /** When the next token ends, epoch ms; null: none does. */
  nextEnd(): number | null {
    const ends = this.passes().flatMap(({ endsAt }) => endsAt ?? []);
    return ends.length > 0 ? minOf(ends) : null;
  }

  /** The selections of all watchers, each once. */
  selections(): Selection[] {
    return [...new Map([...this.#sockets.values(), ...this.#streams].map(({ key, selection }) => [key, selection])).values()];
  }

  passes(): Pass[] {
    return [...this.#sockets.values(), ...this.#streams].map(({ pass }) => pass);
  }

  /** Forgets a socket that was closed. */
  leave(socket: Socket): void {
    if (!this.#sockets.delete(socket)) this.#sockets = openSocketsOf(this.#ctx);
  }

  /** Whether there is room for one more. Of streams, which are few, a full company ends one of the user who has the most, if that is fair. */
  hasRoom(isSocket: boolean, { userId }: Pass): boolean {
    if (isSocket) return this.#sockets.size < MOST_SOCKETS;
    if (this.#streams.size < MOST_STREAMS) return true;
    const oldestToEnd = this.#streamToEnd(userId);
    oldestToEnd?.end();
    return oldestToEnd !== undefined;
  }

  /** The oldest stream of the user who has the most, if that user would still have as many as `userId` after the change. */
  #streamToEnd(userId: number): Stream | undefined {
    const byUser = Map.groupBy(this.#streams, ({ pass }) => pass.userId);
    const most = [...byUser.values()].reduce((largest, streams) => (streams.length > largest.length ? streams : largest), []);
    return most.length > (byUser.get(userId)?.length ?? 0) + 1 ? most[0] : undefined;
  }

  /**
   * Opens a socket with its first message.
   * @param subprotocol the one that the client wants; null: none
   */
  openSocket({ pass, selection }: Watcher, first: LiveMessage, subprotocol: string | null): Response {
    const { 0: client, 1: server } = new WebSocketPair();
    this.#ctx.acceptWebSocket(server);
    const attachment: Attachment = { pass, selection, connectedAt: Date.now() };
    server.serializeAttachment(attachment);
    this.#sockets.set(server, { ...attachment, key: keyOf(selection) });
    this.#lookAt = Math.min(this.#lookAt, pass.endsAt ?? this.#lookAt);
    server.send(JSON.stringify(shownTo(pass, first)));
    const headers = new Headers(subprotocol === null ? {} : { "sec-websocket-protocol": subprotocol });
    return new Response(null, { status: 101, webSocket: client, headers });
  }

  /** Opens an event stream with its first message. */
  openStream({ pass, selection }: Watcher, first: LiveMessage): Response {
    const streams = this.#streams;
    const lookBy = (endsAt: number | null) => {
      this.#lookAt = Math.min(this.#lookAt, endsAt ?? this.#lookAt);
    };
    const encoder = new TextEncoder();
    let stream: Stream | null = null;
    const leave = () => {
      if (stream && streams.delete(stream)) this.#onLeft();
    };
    const body = new ReadableStream<Uint8Array>(
      {
        start(controller) {
          const send = (text: string) => controller.enqueue(encoder.encode(text));
          const own: Stream = {
            ...{ pass, selection, key: keyOf(selection) },
            write(message) {
              if ((controller.desiredSize ?? 0) > 0) send(eventOf(message));
              else own.end();
            },
            end() {
              leave();
              controller.close();
            },
          };
          stream = own;
          streams.add(own);
          lookBy(pass.endsAt);
          own.write(shownTo(pass, first));
          const keepOpen = async () => {
            while (streams.has(own)) {
              await scheduler.wait(COMMENT_EVERY_MS);
              if (streams.has(own)) send(":\n\n");
            }
          };
          void keepOpen().catch(leave);
        },
        cancel: leave,
      },
      { highWaterMark: MOST_UNREAD },
    );
    return new Response(body, { headers: { "content-type": "text/event-stream", "cache-control": "no-cache" } });
  }

  /**
   * Sends each watcher the message for its selection.
   * @param messageFor returns null if there is nothing to send
   */
  send(messageFor: (selection: Selection) => LiveMessage | null): void {
    // Most selections are equal, so each message is made once: with names, and with pseudonyms.
    const made = { names: new Map<string, Made | null>(), pseudonyms: new Map<string, Made | null>() };
    const madeFor = ({ key, selection, pass }: Pick<Known, "key" | "selection" | "pass">) => {
      const before = pass.hidesNames ? made.pseudonyms : made.names;
      let known = before.get(key);
      if (known === undefined) {
        const message = messageFor(selection);
        known = message && madeOf(shownTo(pass, message));
        before.set(key, known);
      }
      return known;
    };
    for (const [socket, known] of this.#sockets) {
      const own = madeFor(known);
      // A closing socket accepts no messages.
      if (own && socket.readyState === OPEN) socket.send(own.text);
    }
    for (const stream of this.#streams) {
      const own = madeFor(stream);
      if (own) stream.write(own.message);
    }
  }

  /**
   * Closes the connections of watchers who may no longer watch. Those who may see operators' names from now on, or may not any more, are shown
   * that with the next message. Returns whether there are any.
   */
  apply(rightsOf: RightsOf): boolean {
    let isAnyChanged = false;
    /** Stores what a connection may see. Returns whether that changed. */
    const renew = (connection: { pass: Pass }, hidesNames: boolean): boolean => {
      if (hidesNames === (connection.pass.hidesNames ?? false)) return false;
      connection.pass = { ...connection.pass, hidesNames };
      isAnyChanged = true;
      return true;
    };
    for (const [socket, known] of this.#sockets) {
      const { closeCode, hidesNames } = rightsOf(known.pass);
      if (closeCode !== null) this.#close(socket, closeCode);
      else if (renew(known, hidesNames)) {
        const { key: _, ...attachment } = known;
        socket.serializeAttachment(attachment satisfies Attachment);
      }
    }
    for (const stream of this.#streams) {
      const { closeCode, hidesNames } = rightsOf(stream.pass);
      if (closeCode !== null) stream.end();
      else renew(stream, hidesNames);
    }
    return isAnyChanged;
  }

  /** Closes the connections of watchers whose selections have too many machines. */
  closeTooLarge(isTooLarge: (selection: Selection) => boolean): void {
    for (const [socket, { selection }] of this.#sockets) if (isTooLarge(selection)) this.#close(socket, closeCodes.tooMany);
    for (const stream of this.#streams) if (isTooLarge(stream.selection)) stream.end();
  }

  #closeExpired(now: number): void {
    for (const [socket, { pass, connectedAt }] of this.#sockets) {
      const heardAt = this.#ctx.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? connectedAt;
      if (isExpired(pass, now)) this.#close(socket, closeCodes.badToken);
      else if (now - Math.max(heardAt, connectedAt) > GONE_AFTER_MS) this.#close(socket, SILENT);
    }
    for (const stream of this.#streams) if (isExpired(stream.pass, now)) stream.end();
  }

  #close(socket: Socket, code: number): void {
    close(socket, code);
    this.#sockets.delete(socket);
  }
}

/** The open sockets of a hub. */
function openSocketsOf(ctx: DurableObjectState): Map<Socket, Known> {
  const open = ctx.getWebSockets().filter(({ readyState }) => readyState === OPEN);
  return new Map(
    open.map((socket) => {
      const attachment = socket.deserializeAttachment() as Attachment;
      return [socket, { ...attachment, key: keyOf(attachment.selection) }];
    }),
  );
}

const keyOf = (selection: Selection): string => JSON.stringify(selection);

/** "Going away", from RFC 6455: the client seems to be gone. */
const SILENT = 1001;
/** The ready state of a socket that accepts messages. */
const OPEN = 1;

const reasons: Record<number, string> = {
  [closeCodes.badToken]: "The token is not valid any more.",
  [closeCodes.forbidden]: "Your role may not watch any more.",
  [closeCodes.badMessage]: "Send nothing but `ping`.",
  [closeCodes.tooMany]: "There are more than 1,000 machines: select machines or lines.",
  [SILENT]: "No `ping` came for 90 s.",
};

/** Closes a socket with the reason of its code. */
export function close(socket: Socket, code: number): void {
  try {
    socket.close(code, reasons[code] ?? "");
  } catch {
    // It is closed already.
  }
}

/** A message as a watcher may see it. */
function shownTo(pass: Pass, message: LiveMessage): LiveMessage {
  if (!pass.hidesNames) return message;
  return { ...message, epoch: epochFor(pass, message.epoch), rows: withPseudonyms(message.rows) };
}

function madeOf(message: LiveMessage): Made {
  return { message, text: JSON.stringify(message) };
}

function eventOf(message: LiveMessage): string {
  return `id: ${message.epoch}.${message.seq}\nevent: ${message.type}\ndata: ${JSON.stringify(message)}\n\n`;
}
