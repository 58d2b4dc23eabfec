import { type ClientState, type Message, mqttClient } from "../mqtt/client.ts";
import type { Source, SourceContext } from "../source.ts";
import { checkSparkplug, discoverSparkplug } from "./check.ts";
import type { SparkplugConfig } from "./config.ts";
import { rebirthCommand } from "./decode.ts";
import { nodesOf, nothing, type Said } from "./nodes.ts";
import { rebirthRequests } from "./rebirths.ts";
import { commandTopic, filterOf, nameOf, nodeNames } from "./topics.ts";

/** What the source stores with its readings. */
interface Cursor {
  client: ClientState;
  heardAt: number | null;
}

/** How long `check` waits for births. */
const CHECK_MS = 30_000;
/** How often the machines whose nodes are there are said to be there, and after how long one that is not is said to be missing. */
const THERE_MS = 10_000;

export function sparkplugSource(config: SparkplugConfig, checkMs: number = CHECK_MS): Source {
  return {
    run: (context) => run(config, context),
    check: (abort) => checkSparkplug(config, abort, checkMs),
    discover: (abort, forMs) => discoverSparkplug(config, abort, forMs),
  };
}

async function run(config: SparkplugConfig, context: SourceContext): Promise<void> {
  const cursor = context.cursor as Cursor | null;
  let heardAt = cursor?.heardAt ?? null;
  let connectedAt: number | null = null;
  const nodes = nodesOf(config.signal);
  const missingSignals = new Set<number>();
  /** What is left to do of the messages that could not be stored. */
  const left = new WeakMap<Message, Said>();

  const rebirths = rebirthRequests((name, reason) => {
    context.log(`${reason}: ${name} is asked for its births`);
    client.publish(commandTopic(name), rebirthCommand(context.now()));
  });

  const saidOf = (message: Message): Said | null => {
    const name = nameOf(message.topic);
    try {
      const said = nodes.take(message.topic, message.payload);
      if (!said) return null;
      if (said.born) rebirths.born(name);
      if (said.rebirth) rebirths.ask(name, said.rebirth);
      if (said.missing > 0) tellMissing(name, said.missing, message);
      return said;
    } catch (error) {
      context.log(`${message.topic}: the payload is none of Sparkplug B (${(error as Error).message})`);
      return null;
    }
  };

  const tellMissing = (name: string, events: number, { topic }: Message) => {
    const to = context.now();
    const reason = `${events} messages of ${name} did not come, before one on ${topic}: running totals catch up with the births, pulses do not`;
    for (const [signal, { group, node }] of config.signal.entries()) {
      if (`${group}/${node}` === name) context.lost({ signal, events, from: heardAt ?? to, to, reason });
    }
  };

  const store = async (messages: readonly Message[]) => {
    for (const message of messages) {
      if (!left.has(message)) left.set(message, saidOf(message) ?? nothing());
      heardAt = context.now();
    }
    const said = messages.flatMap((message) => left.get(message) ?? []);
    // Deaths are told in their place between the values.
    const ends = [...said.keys()].filter((index) => said[index]?.unavailable.length);
    let begin = 0;
    for (const end of new Set([...ends, said.length - 1])) {
      const part = said.slice(begin, end + 1);
      const next: Cursor = { client: client.state(), heardAt };
      await context.store(
        part.flatMap(({ readings }) => readings),
        next,
      );
      for (const each of part) each.readings = [];
      for (const { signal, at } of said[end]?.unavailable.splice(0) ?? []) await context.unavailable(signal, at);
      begin = end + 1;
    }
    report();
  };

  const report = () => {
    if (connectedAt === null) return;
    const isAny = config.signal.some((_, signal) => nodes.isThere(signal));
    const isLate = context.now() - connectedAt > THERE_MS;
    if (isAny) context.report({ state: "ok", error: null });
    else if (isLate) context.report({ state: "silent", error: "None of the nodes has announced itself" });
  };

  const client = mqttClient(
    {
      broker: config,
      // As Sparkplug wants it: what nodes published meanwhile is told by their births.
      isClean: true,
      subscriptions: nodeNames(config).map((name) => ({ topic: filterOf(name), qos: 1 })),
    },
    {
      now: context.now,
      log: context.log,
      store,
      tooLong: ({ topic, bytes }) =>
        context.log(`A message of ${bytes} bytes on ${topic} is longer than max_message, and was not read`),
      connected: () => {
        connectedAt = context.now();
        nodes.forget();
        missingSignals.clear();
        if (heardAt === null) return;
        const reason = "Nodes do not keep pulses for a bridge that is away";
        for (const [signal, { reading }] of config.signal.entries()) {
          if (reading !== "cumulative") context.lost({ signal, events: null, from: heardAt, to: connectedAt, reason });
        }
      },
      subscribed: () => {
        for (const name of nodeNames(config)) rebirths.ask(name, "The bridge begins to listen");
      },
      refused: (topic) => context.log(`The broker does not let the bridge read ${topic}`),
      failed: ({ step, message }) => {
        connectedAt = null;
        rebirths.end();
        context.report({ state: "failed", error: `${step}: ${message}` });
      },
    },
    cursor?.client ?? null,
  );

  /** While a node is there, its machines have data, though they send only what changes. */
  const tell = async () => {
    report();
    if (connectedAt === null || context.now() - connectedAt < THERE_MS) return;
    for (const [signal, { group, node }] of config.signal.entries()) {
      if (nodes.isThere(signal)) missingSignals.delete(signal);
      else rebirths.ask(`${group}/${node}`, `${group}/${node} has not announced all of its machines`);
      if (nodes.isThere(signal) || missingSignals.has(signal)) continue;
      missingSignals.add(signal);
      await context.unavailable(signal, null);
    }
    if (missingSignals.size < config.signal.length) context.heard();
  };
  const timer = setInterval(() => void tell().catch((error) => context.log((error as Error).message)), THERE_MS);
  await client.run(context.abort).finally(() => {
    clearInterval(timer);
    rebirths.end();
  });
}
