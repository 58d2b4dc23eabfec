import { X509Certificate } from "node:crypto";
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect as openSocket } from "node:net";
import { join, resolve } from "node:path";
import { OPCUACertificateManager } from "node-opcua-certificate-manager";
import {
  type ClientSession,
  type EndpointDescription,
  LogLevel,
  MessageSecurityMode,
  OPCUAClient,
  SecurityPolicy,
  setLogLevel,
  UserTokenType,
} from "node-opcua-client";
import type { OpcuaConfig } from "../../src/sources/opcua/opcua.ts";
import type { CheckStep } from "../../src/sources/source.ts";
import { within } from "./limit.ts";

/** How long a step waits for an answer. */
const STEP_MS = 10_000;
const DEFAULT_PORT = 4840;
/** Between two attempts of the library to connect again: data are to be back soon after a server is. */
const RECONNECTION = { initialDelay: 100, maxDelay: 500, randomisationFactor: 0.1 };

// What the library has to say is in the steps and in the state of the source.
setLogLevel(LogLevel.Emergency);

/** What the steps have opened so far. */
export interface Connection {
  config: OpcuaConfig;
  abort: AbortSignal;
  address: string;
  endpoint: EndpointDescription | null;
  offered: EndpointDescription[];
  client: OPCUAClient | null;
  session: ClientSession | null;
}

/** The steps of a connection, in their order: each returns what it found, and throws what is wrong. */
const steps: [name: string, take: (connection: Connection) => Promise<string>][] = [
  ["name", findAddress],
  ["port", tryPort],
  ["endpoint", askEndpoints],
  ["security", chooseEndpoint],
  ["certificate", openChannel],
  ["login", openSession],
];

/** Connects step by step, and stops at the first one that fails. Returns the connection, or null after a failure. */
export async function* connectSteps(config: OpcuaConfig, abort: AbortSignal): AsyncGenerator<CheckStep, Connection | null> {
  const connection: Connection = { config, abort, address: "", endpoint: null, offered: [], client: null, session: null };
  for (const [step, take] of steps) {
    const result = await take(connection).then(
      (detail) => ({ ok: true, detail }),
      (error: unknown) => ({ ok: false, detail: messageOf(error) }),
    );
    if (!result.ok) await closeConnection(connection);
    yield { step, ...result };
    if (!result.ok) return null;
  }
  return connection;
}

/** Closes what was opened. A server that does not answer is not waited for. */
export async function closeConnection({ client, session }: Connection): Promise<void> {
  const never = new AbortController().signal;
  if (session) await within(1000, never, session.close(true)).catch(() => undefined);
  if (client) await within(1000, never, client.disconnect()).catch(() => undefined);
}

async function findAddress(connection: Connection): Promise<string> {
  const { host } = serverOf(connection.config);
  connection.address = await within(STEP_MS, connection.abort, lookup(host)).then(
    ({ address }) => address,
    (error: unknown) => {
      throw new Error(`${host} has no address: ${messageOf(error)}`);
    },
  );
  return `${host} is ${connection.address}`;
}

async function tryPort({ config, abort, address }: Connection): Promise<string> {
  const { port } = serverOf(config);
  const socket = openSocket({ host: address, port });
  try {
    await within(STEP_MS, abort, once(socket, "connect"));
  } catch (error) {
    throw new Error(`port ${port} of ${address} cannot be reached: ${messageOf(error)}`);
  } finally {
    socket.destroy();
  }
  return `port ${port} is open`;
}

async function askEndpoints(connection: Connection): Promise<string> {
  const { config, abort } = connection;
  const client = OPCUAClient.create({
    ...identityOf(config),
    endpointMustExist: false,
    connectionStrategy: { ...RECONNECTION, maxRetry: 0 },
  });
  try {
    await within(STEP_MS, abort, client.connect(config.endpoint));
    connection.offered = await within(STEP_MS, abort, client.getEndpoints());
  } catch (error) {
    throw new Error(`what is at the port does not answer as an OPC UA server: ${messageOf(error)}`);
  } finally {
    await closeConnection({ ...connection, client, session: null });
  }
  return `the server offers ${offeredText(connection.offered)}`;
}

async function chooseEndpoint(connection: Connection): Promise<string> {
  const { config, offered } = connection;
  const mode = MessageSecurityMode[config.security];
  const policy = policyOf(config);
  const endpoint = offered.find(({ securityMode, securityPolicyUri }) => securityMode === mode && securityPolicyUri === policy);
  if (!endpoint) throw new Error(`the server does not offer ${wishText(config)}, but ${offeredText(offered)}`);
  connection.endpoint = endpoint;
  return `${wishText(config)}`;
}

/** Opens the channel: the certificate of the server is one that we trust, and it trusts ours. */
async function openChannel(connection: Connection): Promise<string> {
  const { config, abort, endpoint } = connection;
  const identity = identityOf(config);
  if (config.security !== "None") await trustServer(config, identity.clientCertificateManager, endpoint);
  const client = OPCUAClient.create({
    ...identity,
    endpointMustExist: false,
    securityMode: MessageSecurityMode[config.security],
    securityPolicy: policyOf(config),
    requestedSessionTimeout: Math.max(60_000, 4 * config.silence),
    connectionStrategy: { ...RECONNECTION, maxRetry: 0 },
  });
  connection.client = client;
  const own = resolve(identity.clientCertificateManager.rootDir, "own/certs/client_certificate.pem");
  try {
    await within(STEP_MS, abort, client.connect(config.endpoint));
  } catch (error) {
    if (config.security === "None") throw error;
    throw new Error(`${messageOf(error)}. Does the server trust the certificate of the bridge? It is ${own}`);
  }
  // From now on the library connects again by itself; before, a server that refuses the bridge is not asked for ever.
  client.connectionStrategy.maxRetry = -1;
  return config.security === "None" ? "none is needed" : `the server has the trusted one, and trusts ours, ${own}`;
}

async function trustServer(config: OpcuaConfig, manager: OPCUACertificateManager, endpoint: EndpointDescription | null) {
  const certificate = endpoint?.serverCertificate;
  if (!certificate?.length) throw new Error("the server shows no certificate");
  const fingerprint = new X509Certificate(certificate).fingerprint256;
  if (!config.trust) {
    throw new Error(
      `nothing says which certificate to trust. The server's has the SHA-256 fingerprint ${fingerprint}: compare it with what the server itself shows, and write trust = "${fingerprint}"`,
    );
  }
  const digits = (text: string) => text.replaceAll(":", "").toUpperCase();
  if (digits(config.trust) !== digits(fingerprint))
    throw new Error(`the server has a certificate with the fingerprint ${fingerprint}, and not the trusted one`);
  await manager.initialize();
  await manager.trustCertificate(certificate);
}

async function openSession(connection: Connection): Promise<string> {
  const { config, abort, client } = connection;
  if (!client) throw new Error("there is no connection");
  const { username } = config;
  const login =
    username === undefined
      ? { type: UserTokenType.Anonymous as const }
      : { type: UserTokenType.UserName as const, userName: username, password: passwordOf(config) };
  const who = username === undefined ? "nobody (anonymous)" : username;
  try {
    connection.session = await within(STEP_MS, abort, client.createSession(login));
  } catch (error) {
    const advice = username === undefined ? "does it want a username?" : "check username and password_file";
    throw new Error(`the server refuses ${who}: ${messageOf(error)}; ${advice}`);
  }
  const isPlain = config.security === "None" && username !== undefined;
  return `the server accepts ${who}${isPlain ? "; with security None the bridge cannot know who gets the password" : ""}`;
}

/** The password, read anew for each connection, since secrets are changed while programs run. */
function passwordOf({ password_file, password_env }: OpcuaConfig): string {
  if (password_file !== undefined) return readFileSync(password_file, "utf8").trim();
  const password = process.env[password_env ?? ""];
  if (password === undefined) throw new Error(`the environment has no ${password_env}`);
  return password;
}

/** By what the bridge is known to servers: its name, and its certificate, which the library makes if there is none. */
function identityOf({ certificates }: OpcuaConfig) {
  const folder = resolve(certificates ?? join(process.env.STATE_DIRECTORY ?? "andon-bridge-state", "opcua"));
  return {
    applicationName: "andon-bridge",
    clientName: "andon-bridge",
    // Nobody but the bridge writes into the folder.
    clientCertificateManager: new OPCUACertificateManager({ rootFolder: folder, disableFileWatchers: true }),
  };
}

function serverOf({ endpoint }: OpcuaConfig): { host: string; port: number } {
  const [, host = "", port] = /^opc\.tcp:\/\/([^/:]+)(?::(\d+))?/.exec(endpoint) ?? [];
  return { host, port: port === undefined ? DEFAULT_PORT : Number(port) };
}

function policyOf({ security, policy }: OpcuaConfig): SecurityPolicy {
  return SecurityPolicy[security === "None" ? "None" : policy];
}

function wishText({ security, policy }: OpcuaConfig): string {
  return security === "None" ? "None" : `${security} with ${policy}`;
}

function offeredText(endpoints: readonly EndpointDescription[]): string {
  const texts = endpoints.map(({ securityMode, securityPolicyUri }) => {
    const policy = securityPolicyUri?.split("#")[1] ?? "an unknown policy";
    return securityMode === MessageSecurityMode.None ? "None" : `${MessageSecurityMode[securityMode]} with ${policy}`;
  });
  return [...new Set(texts)].join(", ") || "nothing";
}

export function messageOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return (message || code || String(error)).replace(/\s+/g, " ").trim();
}
