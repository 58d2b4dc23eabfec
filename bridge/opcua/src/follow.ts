import {
  AttributeIds,
  type ClientSession,
  type ClientSidePublishEngine,
  type ClientSubscription,
  DataChangeFilter,
  DataChangeNotification,
  DataChangeTrigger,
  type NotificationMessage,
  TimestampsToReturn,
} from "node-opcua-client";
import type { OpcuaConfig } from "../../src/sources/opcua/opcua.ts";
import type { SourceContext, SourceState } from "../../src/sources/source.ts";
import { type Connection, closeConnection, connectSteps, messageOf } from "./connect.ts";
import { createInbox } from "./inbox.ts";
import { createItem, type Item, isForgotten, takeValue } from "./items.ts";
import { chunks, pause, within } from "./limit.ts";

/** How long an answer may take. */
const ANSWER_MS = 10_000;
/** Between two attempts to connect. */
const RETRY_MS = 500;
/** How long the server keeps a subscription, with its queues, when it does not hear from the bridge. */
const LIFETIME_MS = 300_000;
/** The most values of one notification, and the most nodes of one request. */
const MOST_VALUES = 1000;
const MOST_NODES = 100;

/** Subscribes to the nodes until the bridge ends. When a session or a subscription is lost, it makes new ones. */
export async function run(config: OpcuaConfig, context: SourceContext): Promise<void> {
  const inbox = createInbox(context);
  const report = reporter(context);
  report("starting");
  while (!context.abort.aborted) {
    const connection = await open(config, context, report);
    if (connection) {
      const why = await follow(connection, context, inbox, report).catch(messageOf);
      if (!context.abort.aborted) context.log(`${why}; a new session is made`);
      await closeConnection(connection);
    }
    await pause(RETRY_MS, context.abort);
  }
  await inbox.settled();
}

type Report = (state: SourceState["state"], error?: string) => void;

/** Says how the source is when that has changed. */
function reporter(context: SourceContext): Report {
  let last = "";
  return (state, error) => {
    const text = `${state} ${error}`;
    if (text !== last) context.report({ state, error: error ?? null });
    last = text;
  };
}

async function open(config: OpcuaConfig, { abort }: SourceContext, report: Report): Promise<Connection | null> {
  const steps = connectSteps(config, abort);
  let taken = await steps.next();
  while (!taken.done) {
    const { step, ok, detail } = taken.value;
    if (!ok && !abort.aborted) report("failed", `${step}: ${detail}`);
    taken = await steps.next();
  }
  return taken.value;
}

/** What is followed: a session with one subscription. */
interface Followed {
  config: OpcuaConfig;
  context: SourceContext;
  session: ClientSession;
  engine: ClientSidePublishEngine;
  subscription: ClientSubscription;
  /** The nodes, by the handles that the server names them with. */
  items: Map<number, Item>;
  inbox: ReturnType<typeof createInbox>;
  /** Notifications that came before the handles were known; null: they are. */
  early: NotificationMessage[] | null;
  /** When the server told something of the subscription last. */
  heardAt: number;
  acknowledge(subscriptionId: number, sequenceNumber: number): void;
  report: Report;
}

/** Follows the nodes for as long as the server tells what they say. Returns why that ended. */
async function follow(
  { config, client, session }: Connection,
  context: SourceContext,
  inbox: ReturnType<typeof createInbox>,
  report: Report,
): Promise<string> {
  if (!client || !session) return "there is no session";
  const { abort } = context;
  const ended = Promise.withResolvers<string>();
  // It is what asks the server for notifications and acknowledges them: a part of the library that its types do not show at the session.
  const engine = (session as unknown as { getPublishEngine(): ClientSidePublishEngine }).getPublishEngine();
  const acknowledge = engine.acknowledge_notification.bind(engine);
  // The library would acknowledge a notification before anybody has seen it: here it waits until the values are on the disk.
  engine.acknowledge_notification = () => undefined;

  const subscription = await within(ANSWER_MS, abort, session.createSubscription2(subscriptionOf(config)));
  const followed: Followed = {
    config,
    context,
    session,
    engine,
    subscription,
    items: new Map(),
    inbox,
    early: [],
    heardAt: context.now(),
    acknowledge,
    report,
  };
  subscription.on("raw_notification", (message) => take(followed, message));
  subscription.on("terminated", () => ended.resolve("the subscription ended"));
  session.on("session_closed", () => ended.resolve("the session ended"));
  client.on("connection_lost", () => report("failed", "the connection was lost, and is made again"));
  const register = engine.registerSubscription.bind(engine);
  engine.registerSubscription = (made) => {
    // The library made a new subscription, after the server had lost the old one: what it tells first was so before.
    for (const item of followed.items.values()) item.isFirst = true;
    register(made);
  };

  await subscribe(followed);
  const silence = silenceOf(followed);
  const timer = setInterval(() => watch(followed, silence, ended.resolve), Math.min(silence / 10, 1000));
  const onAbort = () => ended.resolve("the bridge ends");
  abort.addEventListener("abort", onAbort, { once: true });
  const stopped = new AbortController();
  const comparing = compare(followed, stopped.signal).then((why) => why !== null && ended.resolve(why));
  const why = await ended.promise;
  clearInterval(timer);
  abort.removeEventListener("abort", onAbort);
  stopped.abort();
  await comparing;
  subscription.removeAllListeners("raw_notification");
  return why;
}

function subscriptionOf({ publish, silence }: OpcuaConfig) {
  return {
    requestedPublishingInterval: publish,
    // Without news the server says so three times within the silence.
    requestedMaxKeepAliveCount: Math.floor(silence / 3 / publish),
    requestedLifetimeCount: Math.ceil(Math.max(LIFETIME_MS, 10 * silence) / publish),
    maxNotificationsPerPublish: MOST_VALUES,
    publishingEnabled: true,
    priority: 1,
  };
}

/** Makes the monitored items. A node that the server does not have is unavailable until it has it. */
async function subscribe(followed: Followed): Promise<void> {
  const { config, context, subscription, items } = followed;
  const groups = Map.groupBy(config.signal.keys(), (signal) => {
    const { sampling, queue, trigger } = config.signal[signal] ?? {};
    return `${sampling} ${queue} ${trigger}`;
  });
  for (const signals of [...groups.values()].flatMap((group) => chunks(group, MOST_NODES))) {
    const made = await within(
      ANSWER_MS,
      context.abort,
      subscription.monitorItems(
        signals.map((signal) => ({ nodeId: config.signal[signal]?.node ?? "", attributeId: AttributeIds.Value })),
        parametersOf(config.signal[signals[0] ?? 0]),
        TimestampsToReturn.Both,
      ),
    );
    for (const [index, monitored] of made.monitoredItems.entries()) {
      const signal = signals[index] ?? 0;
      const item = createItem(signal);
      items.set(monitored.monitoringParameters.clientHandle, item);
      const status = monitored.result?.statusCode ?? monitored.statusCode;
      if (status.isGood()) continue;
      item.isFirst = false;
      context.log(`The server does not tell the values of ${config.signal[signal]?.node}: ${status.name}`);
      followed.inbox.put([{ unavailable: signal, at: null }], () => undefined);
    }
  }
  const { early } = followed;
  followed.early = null;
  for (const message of early ?? []) take(followed, message);
}

function parametersOf(signal: OpcuaConfig["signal"][number] | undefined) {
  const trigger = signal?.trigger === "timestamp" ? DataChangeTrigger.StatusValueTimestamp : DataChangeTrigger.StatusValue;
  return {
    samplingInterval: signal?.sampling ?? 0,
    queueSize: signal?.queue ?? 1,
    discardOldest: true,
    filter: new DataChangeFilter({ trigger }),
  };
}

/** A server that may speak less often than was asked of it is silent later. */
function silenceOf({ config, context, subscription }: Followed): number {
  const spoken = subscription.publishingInterval * subscription.maxKeepAliveCount;
  if (2 * spoken <= config.silence) return config.silence;
  context.log(`The server speaks every ${spoken / 1000} s when it has no news: it is silent after ${(2 * spoken) / 1000} s`);
  return 2 * spoken;
}

/** Takes a notification, or the server's word that there is none. */
function take(followed: Followed, message: NotificationMessage): void {
  const { config, context, subscription, engine, items, inbox, early, report } = followed;
  if (early) {
    early.push(message);
    return;
  }
  followed.heardAt = context.now();
  report("ok");
  context.heard();
  const values = (message.notificationData ?? []).flatMap((data) =>
    data instanceof DataChangeNotification ? (data.monitoredItems ?? []) : [],
  );
  if (!message.notificationData?.length) return;
  const news = values.flatMap(({ clientHandle, value }) => {
    const item = items.get(clientHandle);
    if (!item) return [];
    const taken = takeValue(config, item, value, context.now());
    if (taken.loss) context.lost(taken.loss);
    return [taken.news];
  });
  const { subscriptionId } = subscription;
  inbox.put(news, () => {
    followed.acknowledge(subscriptionId, message.sequenceNumber);
    if (engine.isSuspended && inbox.hasRoom()) {
      followed.heardAt = context.now();
      engine.suspend(false);
    }
  });
  // Nothing more is asked for until there is room: the server keeps it in the queues of its items.
  if (inbox.isFull()) engine.suspend(true);
}

/** Says that the server is silent, and ends a subscription of which nothing was heard for twice as long. */
function watch({ context, heardAt, inbox, report }: Followed, silence: number, end: (why: string) => void): void {
  const age = context.now() - heardAt;
  if (inbox.isFull() || age <= silence) return;
  report("silent");
  if (age > 2 * silence) end(`nothing was heard of the subscription for ${Math.round(age / 1000)} s`);
}

/**
 * Reads the nodes of which the server told nothing for a while, to find those of which it has forgotten to tell: after it restarted, was
 * loaded anew, or for a fault of its own. Returns why a new subscription is needed; null: the watching was stopped.
 */
async function compare({ config, session, items, inbox }: Followed, stopped: AbortSignal): Promise<string | null> {
  const slowest = Math.max(...config.signal.map(({ sampling }) => sampling));
  const everyMs = Math.max(config.silence / 2, 2 * (config.publish + slowest));
  for (;;) {
    const told = new Map([...items.values()].map((item) => [item, item.told]));
    await pause(everyMs, stopped);
    if (stopped.aborted) return null;
    const quiet = [...items.values()].filter((item) => item.told === told.get(item));
    for (const some of inbox.isFull() ? [] : chunks(quiet, MOST_NODES)) {
      const nodes = some.map(({ signal }) => ({ nodeId: config.signal[signal]?.node ?? "", attributeId: AttributeIds.Value }));
      // Whether there is an answer at all, the watch over the subscription decides.
      const values = await within(ANSWER_MS, stopped, session.read(nodes)).catch(() => []);
      const forgotten = some.find((item, index) => values[index] && isForgotten(item, values[index]));
      if (forgotten) return `the server does not tell what ${config.signal[forgotten.signal]?.node} says any more`;
    }
  }
}
