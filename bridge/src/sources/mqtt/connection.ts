import { lookup } from "node:dns/promises";
import { once } from "node:events";
import net from "node:net";
import tls from "node:tls";
import mqttPacket, { type IConnackPacket, type Packet } from "mqtt-packet";
import { type BrokerConfig, fileOf, passwordOf, portOf, StepError } from "./broker.ts";
import { frameReader, type LongMessage } from "./frames.ts";

/** How long each step of connecting may take. */
const STEP_MS = 10_000;
/** How long the broker keeps the session of a bridge that is away, where it can be asked to (MQTT 5). */
const SESSION_SECONDS = 14 * 24 * 3600;
/** How many messages the broker may send before the first is acknowledged, where it can be asked to (MQTT 5). */
const RECEIVE_MAXIMUM = 1000;

export interface ConnectOptions {
  clientId: string;
  /** Whether the broker forgets the session with the connection. */
  isClean: boolean;
}

export interface Connection {
  /** Whether the broker still had the session. */
  isResumed: boolean;
  send(packet: Packet): void;
  /** Asks for an answer, which says that the broker has read everything that was sent before. At most one question is open. */
  ping(answered: () => void): void;
  pause(): void;
  resume(): void;
  /** Begins to read. `received` gets all that one piece of the stream contained, in order. */
  read(received: (packets: (Packet | LongMessage)[]) => void): void;
  /** Why the connection ended; null: the bridge closed it. */
  ended: Promise<StepError | null>;
  close(): void;
}

/** The steps of a connection, each reported when it is done. */
export type StepDone = (step: string, detail: string) => void;

/** @throws StepError */
export async function connect(
  broker: BrokerConfig,
  options: ConnectOptions,
  abort: AbortSignal,
  done: StepDone = () => undefined,
): Promise<Connection> {
  const { host } = broker;
  const { address } = await within("name", `${host} was not found in time: check the name server`, abort, lookup(host)).catch(
    (error: Error) => {
      throw error instanceof StepError
        ? error
        : new StepError("name", `${host} is not known here (${error.message}): check host`);
    },
  );
  done("name", address === host ? address : `${host} is ${address}`);
  const port = portOf(broker);
  const plain = net.connect({ host: address, port, noDelay: true });
  try {
    await opened(plain, "port", `${host} does not answer on port ${port}: check host, port and firewalls`, abort);
    done("port", `Something listens on port ${port}`);
    const socket = broker.tls ? await secured(broker, plain, abort) : plain;
    if (broker.tls) done("TLS", "The certificate is one that is trusted here");
    const connection = await loggedIn(broker, socket, options, abort);
    done("login", `The broker accepts ${broker.username ?? "clients without a name"}`);
    return connection;
  } catch (error) {
    plain.destroy();
    throw error;
  }
}

async function opened(socket: net.Socket, step: string, late: string, abort: AbortSignal, event = "connect"): Promise<void> {
  await within(step, late, abort, once(socket, event)).catch((error: NodeJS.ErrnoException) => {
    throw error instanceof StepError ? error : new StepError(step, failure(error, socket));
  });
}

async function secured(broker: BrokerConfig, plain: net.Socket, abort: AbortSignal): Promise<tls.TLSSocket> {
  const { host, ca_file, cert_file, key_file } = broker;
  const socket = tls.connect({
    socket: plain,
    ...(net.isIP(host) === 0 ? { servername: host } : {}),
    host,
    ...(ca_file && { ca: fileOf("TLS", "ca_file", ca_file) }),
    ...(cert_file && { cert: fileOf("TLS", "cert_file", cert_file) }),
    ...(key_file && { key: fileOf("TLS", "key_file", key_file) }),
  });
  // What the socket below says when it ends is what this one says, too.
  plain.on("error", () => undefined);
  await opened(socket, "TLS", "There is no answer by TLS: is it the port without TLS?", abort, "secureConnect");
  return socket;
}

const failures: Record<string, string> = {
  ECONNREFUSED: "nothing listens there: check port, and whether the broker runs",
  EHOSTUNREACH: "there is no way to it: check host and the network",
  ENETUNREACH: "there is no way to it: check host and the network",
  ETIMEDOUT: "it does not answer: check host, port and firewalls",
  ECONNRESET: "it closed the connection: check port and tls",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name: check host, or have a certificate made for this name",
  CERT_HAS_EXPIRED: "its certificate has expired: have a new one made, and check the clock of this computer",
  CERT_NOT_YET_VALID: "its certificate is not valid yet: check the clock of this computer",
};
for (const code of [
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
])
  failures[code] =
    "its certificate is signed by an authority that is not known here: give that authority's certificate as ca_file";

function failure(error: NodeJS.ErrnoException, socket: net.Socket): string {
  const said = failures[error.code ?? ""];
  if (said) return `${said} (${error.message})`;
  if (socket instanceof tls.TLSSocket) return `TLS failed: is it the port without TLS? (${error.message})`;
  return error.message;
}

/** What a broker says with its answer to a login: by the codes of MQTT 5, and of 3.1.1. */
const refusals: Record<number, string> = {
  1: "does not know this version of MQTT: try the other one",
  2: "refuses the client_id: choose another",
  3: "is not available",
  4: "refuses the username or the password: check username and password_file",
  5: "does not let this user in: check username and password_file",
  132: "does not know this version of MQTT: try the other one",
  133: "refuses the client_id: choose another",
  134: "refuses the username or the password: check username and password_file",
  135: "does not let this user in: check username and password_file",
  136: "is not available",
  138: "has banned this client: ask whoever runs it",
};

async function loggedIn(
  broker: BrokerConfig,
  socket: net.Socket,
  options: ConnectOptions,
  abort: AbortSignal,
): Promise<Connection> {
  const protocolVersion = broker.version === "5" ? 5 : 4;
  const password = passwordOf(broker);
  const { clientId, isClean } = options;
  const stream = packetStream(socket, protocolVersion, broker.max_message);
  const send = (packet: Packet) => {
    if (socket.writable) socket.write(mqttPacket.generate(packet, { protocolVersion }));
  };
  const connection = keptAlive(broker, socket, stream, send);
  // What the broker sends right after its answer is kept until somebody reads.
  const early: Received[] = [];
  let isAnswered = false;
  const answer = new Promise<IConnackPacket>((resolve) => {
    connection.read((packets) => {
      const packet = isAnswered ? undefined : packets.shift();
      early.push(...packets);
      if (isAnswered) return;
      isAnswered = true;
      socket.pause();
      if (packet && "cmd" in packet && packet.cmd === "connack") resolve(packet);
      else socket.destroy(new Error("The answer to the login is not one of MQTT: check port"));
    });
  });
  send({
    cmd: "connect",
    protocolId: "MQTT",
    protocolVersion,
    clientId,
    clean: isClean,
    keepalive: Math.max(1, Math.round(broker.keep_alive / 1000)),
    ...(broker.username !== undefined && { username: broker.username }),
    ...(password !== undefined && { password: Buffer.from(password) }),
    ...(protocolVersion === 5 && {
      properties: { receiveMaximum: RECEIVE_MAXIMUM, ...(!isClean && { sessionExpiryInterval: SESSION_SECONDS }) },
    }),
  });
  const ended = connection.ended.then((error) => {
    const why = error?.message ?? "it was closed";
    const hint = broker.tls ? "check username and client_id" : "check port: is it the one with TLS?";
    throw new StepError("login", `The broker does not answer the login, ${hint} (${why})`);
  });
  const late = "The broker does not answer the login: check port and tls";
  const { returnCode, reasonCode, sessionPresent } = await within("login", late, abort, Promise.race([answer, ended]));
  const code = returnCode ?? reasonCode ?? 0;
  if (code !== 0) throw new StepError("login", `The broker ${refusals[code] ?? `refuses the login with code ${code}`}`);
  const read: Connection["read"] = (received) => {
    connection.read(received);
    if (early.length > 0) received(early.splice(0));
    socket.resume();
  };
  return { ...connection, read, isResumed: sessionPresent };
}

type Received = Packet | LongMessage;
interface PacketStream {
  on(received: (packets: Received[]) => void): void;
}

/** The packets of a socket; what is none of MQTT ends it. */
function packetStream(socket: net.Socket, protocolVersion: 4 | 5, maxBytes: number): PacketStream {
  const parser = mqttPacket.parser({ protocolVersion });
  const frames = frameReader(maxBytes);
  let received: (packets: Received[]) => void = () => undefined;
  let packets: Received[] = [];
  parser.on("packet", (packet) => packets.push(packet));
  parser.on("error", (error) => {
    throw error;
  });
  socket.on("data", (chunk: Buffer) => {
    try {
      for (const frame of frames(chunk)) {
        if ("tooLong" in frame) packets.push(frame.tooLong);
        else parser.parse(frame.packet);
      }
    } catch (error) {
      socket.destroy(new Error(`The broker sent what is not MQTT (${(error as Error).message})`));
    }
    const all = packets;
    packets = [];
    if (all.length > 0) received(all);
  });
  return {
    on: (next) => {
      received = next;
    },
  };
}

/** Questions of MQTT (PINGREQ), and the end of a connection whose other side is gone without saying so. */
function keptAlive(broker: BrokerConfig, socket: net.Socket, stream: PacketStream, send: Connection["send"]): Connection {
  let heardAt = performance.now();
  let asked: { number: number; answered: () => void } | null = null;
  let sent = 0;
  let answers = 0;
  let isClosed = false;

  const sendPing = () => {
    send({ cmd: "pingreq" });
    sent += 1;
  };
  const ping = (answered: () => void) => {
    if (asked) return;
    sendPing();
    asked = { number: sent, answered };
  };
  const takeAnswer = () => {
    answers += 1;
    if (!asked || answers < asked.number) return;
    const { answered } = asked;
    asked = null;
    answered();
  };
  const timer = setInterval(() => {
    // While nothing is read, answers are not either.
    if (socket.isPaused()) heardAt = performance.now();
    const silentMs = performance.now() - heardAt;
    if (silentMs > 1.5 * broker.keep_alive) {
      socket.destroy(new Error(`The broker did not answer for ${Math.round(silentMs / 1000)} s`));
    } else sendPing();
  }, broker.keep_alive / 2);

  const ended = new Promise<StepError | null>((resolve) => {
    let error: Error | null = null;
    socket.on("error", (cause) => {
      error = cause;
    });
    socket.on("close", () => {
      clearInterval(timer);
      if (isClosed) resolve(null);
      else resolve(new StepError("connection", error ? failure(error, socket) : "The broker closed the connection"));
    });
  });

  return {
    isResumed: false,
    send,
    ping,
    ended,
    pause: () => socket.pause(),
    resume: () => {
      heardAt = performance.now();
      socket.resume();
    },
    read: (received) =>
      stream.on((packets) => {
        heardAt = performance.now();
        received(packets);
        for (const packet of packets) if ("cmd" in packet && packet.cmd === "pingresp") takeAnswer();
      }),
    close: () => {
      isClosed = true;
      send({ cmd: "disconnect" });
      socket.end();
      // What still comes is read, so that its end is seen, and comes again in the next connection.
      stream.on(() => undefined);
      socket.resume();
      // A broker that does not close its side is not waited for.
      setTimeout(() => socket.destroy(), 1000).unref();
    },
  };
}

/** What comes in time and before the abort. */
async function within<T>(step: string, late: string, abort: AbortSignal, what: Promise<T>): Promise<T> {
  abort.throwIfAborted();
  const end = new AbortController();
  const ended = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => reject(new StepError(step, late)), STEP_MS);
    const stop = () => reject(new StepError(step, "The bridge is stopped"));
    abort.addEventListener("abort", stop, { signal: end.signal });
    end.signal.addEventListener("abort", () => clearTimeout(timer));
  });
  try {
    return await Promise.race([what, ended]);
  } finally {
    end.abort();
  }
}
