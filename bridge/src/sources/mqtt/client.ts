import { randomBytes } from "node:crypto";
import type { IPublishPacket, Packet, QoS } from "mqtt-packet";
import { pause } from "../wait.ts";
import { type BrokerConfig, portOf, StepError } from "./broker.ts";
import { type Connection, connect } from "./connection.ts";
import { deliveries, type StoredDeliveries } from "./deliveries.ts";
import type { LongMessage } from "./frames.ts";

export interface Message {
  topic: string;
  payload: Buffer;
  /** The broker kept it, and sends it because the bridge subscribes: it was so before. */
  isRetained: boolean;
  /** The broker sends it again, though the bridge may not have got it before. */
  isAgain: boolean;
}

/** What the client stores with the messages: by it, a session goes on where it was after the bridge was away. */
export interface ClientState {
  clientId: string;
  broker: string;
  /** What the session subscribes to; null: there was none yet. */
  filters: string[] | null;
  deliveries: StoredDeliveries;
  /** When the broker was connected last, epoch ms. */
  connectedAt: number | null;
}

interface Subscription {
  topic: string;
  qos: QoS;
  /** Subscribed to at each connection, so that what the broker keeps of it is sent again. Such a subscription may be refused. */
  isRenewed?: boolean;
}

export interface ClientOptions {
  broker: BrokerConfig;
  /** Whether the session ends with the connection: what is published meanwhile is not kept. */
  isClean: boolean;
  subscriptions: readonly Subscription[];
}

export interface ClientHandler {
  /**
   * Stores what messages say, with `client.state()`, in one transaction; none of them, if only that has changed. It is called with the same ones
   * again until it works: before, nothing is acknowledged, and once the window is full, nothing is read.
   */
  store(messages: readonly Message[]): Promise<void>;
  /** A message that was not read, since it is too long. */
  tooLong(message: LongMessage): void;
  /**
   * Called before the messages of a connection.
   * @param lostSince when the broker was heard last, if it has forgotten the session since: what was published meanwhile is lost
   */
  connected(lostSince: number | null): void;
  subscribed?(): void;
  /** The broker does not let the bridge subscribe to it. */
  refused(topic: string): void;
  failed(error: StepError): void;
  log(message: string): void;
  now(): number;
}

export interface Client {
  state(): ClientState;
  /** Sends something to a machine, if the broker is connected. */
  publish(topic: string, payload: Buffer): void;
  run(abort: AbortSignal): Promise<void>;
}

/** How many messages, and how many bytes of them, may wait for the disk before the bridge stops reading. */
const WINDOW = { messages: 1000, bytes: 4_000_000 };
/** The most messages of one transaction. */
const BATCH = 500;
/** The wait before connecting again: twice as long each time, and up to half of it less, so that many bridges do not come at once. */
const RECONNECT_MS = { first: 500, most: 30_000 };
const RETRY_STORE_MS = { first: 100, most: 5000 };
/** Topics in one packet: brokers limit its size. */
const TOPICS = 100;

/** What is to be stored, in its order: a packet, or that a connection began, or that something else of the client's state has changed. */
type Waiting = { connection: Connection } & ({ packet: Packet | LongMessage } | { isResumed: boolean } | { isChanged: true });

/** A client of a broker that acknowledges what is stored, and nothing else. */
export function mqttClient(options: ClientOptions, handler: ClientHandler, known: ClientState | null): Client {
  const { broker } = options;
  const address = `${broker.host}:${portOf(broker)}`;
  const isKnown = known?.broker === address && (broker.client_id ?? known.clientId) === known.clientId;
  // Brokers may refuse names of more than 23 letters and digits.
  const clientId = broker.client_id ?? (isKnown && known ? known.clientId : `andon${randomBytes(6).toString("hex")}`);
  const memory = deliveries(isKnown && known ? known.deliveries : null);
  let filters = isKnown && known ? known.filters : null;
  let connectedAt = isKnown && known ? known.connectedAt : null;
  let current: Connection | null = null;
  let lastPacketId = 0;
  let wait = RECONNECT_MS.first;
  /** The newest message whose acknowledgement is sent, and the questions for subscriptions that are open: of the present connection. */
  let acknowledged: ReturnType<typeof memory.newest>;
  const asked = new Map<number, readonly Subscription[]>();

  const waiting: Waiting[] = [];
  let waitingBytes = 0;
  let isWorking = false;
  let working: Promise<void> | null = null;

  const client: Client = {
    state: () => ({ clientId, broker: address, filters, deliveries: memory.stored(), connectedAt }),
    publish: (topic, payload) => current?.send({ cmd: "publish", topic, payload, qos: 0, dup: false, retain: false }),
    run,
  };

  async function run(abort: AbortSignal): Promise<void> {
    // The name is on the disk before the broker hears it: a session whose name is forgotten would keep messages for nobody.
    await stored([], abort);
    while (!abort.aborted) {
      const error = await connectOnce(abort);
      if (error && !abort.aborted) handler.failed(error);
      await pause(wait * (0.5 + Math.random() / 2), abort);
      wait = Math.min(2 * wait, RECONNECT_MS.most);
    }
    await working;
  }

  async function connectOnce(abort: AbortSignal): Promise<StepError | null> {
    const { isClean } = options;
    try {
      const connection = await connect(broker, { clientId, isClean }, abort);
      current = connection;
      const stop = () => void close(connection);
      abort.addEventListener("abort", stop);
      const { isResumed } = connection;
      handler.connected(isResumed || isClean ? null : connectedAt);
      waiting.push({ isResumed, connection });
      subscribe(connection, abort);
      connection.read((packets) => receive(connection, packets, abort));
      work(abort);
      const error = await connection.ended;
      abort.removeEventListener("abort", stop);
      return error;
    } catch (error) {
      if (error instanceof StepError) return error;
      if (abort.aborted) return null;
      return new StepError("connection", String((error as Error).message));
    } finally {
      current = null;
      acknowledged = undefined;
      asked.clear();
    }
  }

  /** What is on its way to the disk is still acknowledged. */
  async function close(connection: Connection): Promise<void> {
    connection.pause();
    await working;
    connection.close();
  }

  function subscribe(connection: Connection, abort: AbortSignal): void {
    const wanted = options.subscriptions.filter(({ isRenewed }) => !isRenewed).map(({ topic }) => topic);
    const had = connection.isResumed ? (filters ?? []) : [];
    // What the broker keeps of a topic could overtake what waits in the session: only what is new to it is subscribed to.
    const missing = options.subscriptions.filter(({ topic, isRenewed }) => isRenewed || !had.includes(topic));
    const gone = had.filter((topic) => !wanted.includes(topic));
    filters = had.filter((topic) => wanted.includes(topic));
    for (let begin = 0; begin < missing.length; begin += TOPICS) {
      const topics = missing.slice(begin, begin + TOPICS);
      const messageId = nextPacketId();
      asked.set(messageId, topics);
      connection.send({ cmd: "subscribe", messageId, subscriptions: topics.map(({ topic, qos }) => ({ topic, qos })) });
    }
    if (gone.length > 0) connection.send({ cmd: "unsubscribe", messageId: nextPacketId(), unsubscriptions: gone });
    if (missing.length === 0) handler.subscribed?.();
    else changed(connection, abort);
  }

  function changed(connection: Connection, abort: AbortSignal): void {
    waiting.push({ isChanged: true, connection });
    work(abort);
  }

  function nextPacketId(): number {
    lastPacketId = (lastPacketId % 65_535) + 1;
    return lastPacketId;
  }

  function receive(connection: Connection, packets: (Packet | LongMessage)[], abort: AbortSignal): void {
    for (const packet of packets) {
      connectedAt = handler.now();
      if (!("cmd" in packet) || packet.cmd === "publish" || packet.cmd === "pubrel") {
        waiting.push({ packet, connection });
        waitingBytes += bytesOf(packet);
      } else if (packet.cmd === "suback") {
        subscribed(packet.messageId ?? 0, packet.granted);
        changed(connection, abort);
      } else if (packet.cmd === "disconnect") handler.log(`The broker ends the connection: ${reasonOf(packet.reasonCode)}`);
    }
    if (waiting.length > WINDOW.messages || waitingBytes > WINDOW.bytes) connection.pause();
    work(abort);
  }

  function subscribed(messageId: number, granted: readonly unknown[]): void {
    const topics = asked.get(messageId) ?? [];
    asked.delete(messageId);
    wait = RECONNECT_MS.first;
    for (const [index, { topic, isRenewed }] of topics.entries()) {
      if (Number(granted[index]) >= 128) handler.refused(topic);
      else if (!isRenewed) filters = [...(filters ?? []), topic];
    }
    if (asked.size === 0) handler.subscribed?.();
  }

  /** Stores what waits, one transaction after the other, in the order in which it came. */
  function work(abort: AbortSignal): void {
    if (isWorking) return;
    isWorking = true;
    working = (async () => {
      while (waiting.length > 0 && !abort.aborted) await storeBatch(abort);
      isWorking = false;
    })();
  }

  async function storeBatch(abort: AbortSignal): Promise<void> {
    const batch = waiting.splice(0, BATCH);
    const messages: Message[] = [];
    let isChanged = false;
    for (const entry of batch) {
      if ("packet" in entry) {
        waitingBytes -= bytesOf(entry.packet);
        isChanged = remember(entry.packet, messages) || isChanged;
      } else {
        if ("isResumed" in entry) memory.begin(entry.isResumed);
        isChanged = true;
      }
    }
    if (isChanged && !(await stored(messages, abort))) return;
    if (current) acknowledgeAll(batch, current, abort);
  }

  function acknowledgeAll(batch: readonly Waiting[], connection: Connection, abort: AbortSignal): void {
    for (const entry of batch) if ("packet" in entry && entry.connection === connection) acknowledge(connection, entry.packet);
    if (batch.at(-1)?.connection === connection) acknowledged = memory.newest();
    confirm(connection, abort);
    if (waiting.length <= WINDOW.messages / 2 && waitingBytes <= WINDOW.bytes / 2) connection.resume();
  }

  /** Notes a packet in what is stored; messages that are not stored yet are added. Returns whether there is something to store. */
  function remember(packet: Packet | LongMessage, messages: Message[]): boolean {
    if (!("cmd" in packet)) {
      if (packet.qos < 2 || memory.isNewExactly(packet.messageId ?? 0)) handler.tooLong(packet);
      return packet.qos === 2;
    }
    if (packet.cmd === "pubrel") return memory.release(packet.messageId ?? 0);
    if (packet.cmd !== "publish") return false;
    const message = messageOf(packet);
    const messageId = packet.messageId ?? 0;
    if (packet.qos === 1 && !memory.isNew({ ...message, messageId, dup: packet.dup })) return false;
    if (packet.qos === 2 && !memory.isNewExactly(messageId)) return false;
    messages.push(message);
    return true;
  }

  function acknowledge(connection: Connection, packet: Packet | LongMessage): void {
    const messageId = packet.messageId ?? 0;
    const qos = "qos" in packet ? packet.qos : 0;
    if ("cmd" in packet && packet.cmd === "pubrel") connection.send({ cmd: "pubcomp", messageId });
    else if (qos === 1) connection.send({ cmd: "puback", messageId });
    else if (qos === 2) connection.send({ cmd: "pubrec", messageId });
  }

  /** Learns which acknowledgements the broker has: all that were sent before a question that it answers. */
  function confirm(connection: Connection, abort: AbortSignal): void {
    const mark = acknowledged;
    if (mark === undefined) return;
    connection.ping(() => {
      if (memory.confirm(mark)) changed(connection, abort);
      if (acknowledged === mark) acknowledged = undefined;
      else confirm(connection, abort);
    });
  }

  /** Tries until the disk takes it. Returns false if the bridge ends before. */
  async function stored(messages: readonly Message[], abort: AbortSignal): Promise<boolean> {
    for (let wait = RETRY_STORE_MS.first; !abort.aborted; wait = Math.min(2 * wait, RETRY_STORE_MS.most)) {
      try {
        await handler.store(messages);
        return true;
      } catch (error) {
        handler.log(`What the broker sent cannot be stored, and is not acknowledged: ${(error as Error).message}`);
        await pause(wait, abort);
      }
    }
    return false;
  }

  return client;
}

export function messageOf({ topic, payload, retain, dup }: IPublishPacket): Message {
  return { topic, payload: typeof payload === "string" ? Buffer.from(payload) : payload, isRetained: retain, isAgain: dup };
}

/** Why a broker of MQTT 5 ends a connection. */
function reasonOf(code = 0): string {
  if (code === 142) return "another client uses the same client_id";
  if (code === 139) return "it shuts down";
  return `code ${code}`;
}

/** The room that it takes while it waits. */
function bytesOf(packet: Packet | LongMessage): number {
  return "cmd" in packet && packet.cmd === "publish" ? packet.payload.length + packet.topic.length : 0;
}
