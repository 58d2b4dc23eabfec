import { once } from "node:events";
import net, { type AddressInfo, type Socket } from "node:net";
import mqttPacket, { type ISubscribePacket, type Packet } from "mqtt-packet";

interface Sent {
  topic: string;
  payload: string | Buffer;
  qos: 0 | 1 | 2;
  retain: boolean;
}

interface Session {
  topics: string[];
  /** Sent, and not acknowledged: by message id, oldest first. QoS 2: whether the client has said that it got it. */
  inFlight: Map<number, Sent & { isReceived: boolean }>;
  newestId: number;
  socket: Socket | null;
}

export interface StrictBroker {
  port: number;
  /** Of all sessions: what was acknowledged, in its order. */
  acknowledged: string[];
  /** How much of that the client knows to be there, since the broker has answered a question that came later. */
  answered: number;
  /** What clients published, such as a request for a rebirth. */
  published: { topic: string; payload: Buffer; at: number }[];
  subscribed: string[][];
  connections: number;
  publish(topic: string, payload: string | Buffer, options?: { qos?: 0 | 1 | 2; retain?: boolean }): void;
  /** What clients send gets lost from now on, or no more. */
  loseAcknowledgements(are: boolean): void;
  /** Nothing is answered from now on, as with a broker whose cable is out, or again. */
  freeze(is: boolean): void;
  /** Ends all connections; sessions stay. */
  cut(): void;
  forgetSessions(): void;
  /** The bytes that clients have not taken. */
  unread(): number;
  close(): Promise<void>;
}

/**
 * A broker that keeps to what MQTT says of sessions, to the letter: what was not acknowledged is sent again after a reconnect, in its order and
 * with its message id. Other brokers differ in what this one is told to do.
 */
export async function strictBroker(
  options: { version?: 4 | 5; ids?: "up" | "lowest"; marksAgain?: boolean; port?: number } = {},
): Promise<StrictBroker> {
  const { version = 4, ids = "up", marksAgain = true } = options;
  const sessions = new Map<string, Session>();
  const kept = new Map<string, Sent>();
  const sockets = new Set<Socket>();
  let losesAcknowledgements = false;
  let isFrozen = false;

  const send = (socket: Socket | null, packet: Packet) => {
    if (socket && !socket.destroyed && !isFrozen) socket.write(mqttPacket.generate(packet, { protocolVersion: version }));
  };
  const idOf = (session: Session) => {
    if (ids === "up") session.newestId = (session.newestId % 65_535) + 1;
    else for (session.newestId = 1; session.inFlight.has(session.newestId); session.newestId += 1);
    return session.newestId;
  };
  const deliver = (session: Session, sent: Sent) => {
    if (sent.qos === 0) return send(session.socket, { cmd: "publish", dup: false, ...sent });
    // Without a connection, its id is given when it is sent first.
    const messageId = session.socket ? idOf(session) : -1 - session.inFlight.size - Math.random();
    session.inFlight.set(messageId, { ...sent, isReceived: false });
    if (session.socket) send(session.socket, { cmd: "publish", dup: false, messageId, ...sent });
  };
  const resume = (session: Session) => {
    const all = [...session.inFlight];
    session.inFlight.clear();
    for (const [oldId, { isReceived, ...sent }] of all) {
      const messageId = oldId > 0 ? oldId : idOf(session);
      session.inFlight.set(messageId, { ...sent, isReceived });
      if (isReceived) send(session.socket, { cmd: "pubrel", messageId });
      else send(session.socket, { cmd: "publish", dup: oldId > 0 && marksAgain, messageId, ...sent });
    }
  };

  const broker: StrictBroker = {
    port: 0,
    acknowledged: [],
    answered: 0,
    published: [],
    subscribed: [],
    connections: 0,
    publish: (topic, payload, { qos = 1, retain = false } = {}) => {
      if (retain) kept.set(topic, { topic, payload, qos, retain });
      for (const session of sessions.values()) {
        if (session.topics.some((filter) => matches(filter, topic))) deliver(session, { topic, payload, qos, retain: false });
      }
    },
    loseAcknowledgements: (are) => {
      losesAcknowledgements = are;
    },
    freeze: (is) => {
      isFrozen = is;
    },
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
    forgetSessions: () => sessions.clear(),
    unread: () => [...sockets].reduce((sum, socket) => sum + socket.writableLength, 0),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };

  const subscribe = (socket: Socket, session: Session, { messageId = 0, subscriptions }: ISubscribePacket) => {
    const topics = subscriptions.map(({ topic }) => topic);
    broker.subscribed.push(topics);
    send(socket, { cmd: "suback", messageId, granted: topics.map((topic) => (topic.startsWith("secret") ? 128 : 1)) });
    for (const topic of topics) {
      if (!session.topics.includes(topic)) session.topics.push(topic);
      for (const sent of kept.values()) if (matches(topic, sent.topic)) deliver(session, sent);
    }
  };
  const acknowledge = (socket: Socket, session: Session, cmd: Packet["cmd"], messageId: number) => {
    const known = session.inFlight.get(messageId);
    if (!known) return;
    if (cmd === "pubrec") {
      known.isReceived = true;
      send(socket, { cmd: "pubrel", messageId });
    } else {
      session.inFlight.delete(messageId);
      broker.acknowledged.push(String(known.payload));
    }
  };
  const take = (socket: Socket, session: Session, packet: Packet) => {
    if (losesAcknowledgements) return;
    if (packet.cmd === "subscribe") subscribe(socket, session, packet);
    else if (packet.cmd === "pingreq") {
      send(socket, { cmd: "pingresp" });
      broker.answered = broker.acknowledged.length;
    } else if (packet.cmd === "publish") {
      broker.published.push({ topic: packet.topic, payload: packet.payload as Buffer, at: performance.now() });
    } else if (packet.cmd === "puback" || packet.cmd === "pubrec" || packet.cmd === "pubcomp") {
      acknowledge(socket, session, packet.cmd, packet.messageId ?? 0);
    }
  };

  const server = net.createServer((socket) => {
    sockets.add(socket);
    broker.connections += 1;
    let session: Session | null = null;
    const parser = mqttPacket.parser({ protocolVersion: version });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      sockets.delete(socket);
      if (session?.socket === socket) session.socket = null;
    });
    parser.on("packet", (packet) => {
      if (isFrozen) return;
      if (packet.cmd !== "connect") {
        if (session) take(socket, session, packet);
        return;
      }
      if (packet.clean) sessions.delete(packet.clientId);
      const sessionPresent = sessions.has(packet.clientId);
      session = sessions.get(packet.clientId) ?? { topics: [], inFlight: new Map(), newestId: 0, socket: null };
      session.socket?.destroy();
      session.socket = socket;
      sessions.set(packet.clientId, session);
      send(socket, { cmd: "connack", sessionPresent, returnCode: 0, reasonCode: 0 });
      resume(session);
    });
    socket.on("data", (chunk: Buffer) => parser.parse(chunk));
  });
  server.listen(options.port ?? 0, "127.0.0.1");
  await once(server, "listening");
  broker.port = (server.address() as AddressInfo).port;
  return broker;
}

function matches(filter: string, topic: string): boolean {
  if (filter === "#") return !topic.startsWith("$");
  const pattern = filter.replace(/[.$]/g, "\\$&").replaceAll("+", "[^/]+").replace(/\/#$/, "(?:/.*)?");
  return new RegExp(`^${pattern}$`).test(topic);
}
