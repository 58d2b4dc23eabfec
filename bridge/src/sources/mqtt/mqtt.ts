import type { Loss, Reading, Source, SourceContext } from "../source.ts";
import { checkMqtt, discoverMqtt } from "./check.ts";
import { type ClientState, type Message, mqttClient } from "./client.ts";
import type { MqttConfig, MqttSignal } from "./config.ts";
import { type BrokerCount, countOf, DROPPED, type Sequence, UPTIME } from "./losses.ts";
import { documentOf, readMessage } from "./messages.ts";

/** What the source stores with its readings. */
interface Cursor {
  client: ClientState;
  /** By topic and path of the number. */
  sequences: Record<string, Sequence>;
  broker: BrokerCount | null;
}

/** How long `check` waits for a message. */
const CHECK_MS = 30_000;
/** How often is seen whether the source is silent. While only the connection says that machines are there, it says so each time. */
const HEARD_MS = 10_000;

export function mqttSource(config: MqttConfig, checkMs: number = CHECK_MS): Source {
  return {
    run: (context) => run(config, context),
    check: (abort) => checkMqtt(config, abort, checkMs),
    discover: (abort, forMs) => discoverMqtt(config, abort, forMs),
  };
}

async function run(config: MqttConfig, context: SourceContext): Promise<void> {
  const cursor = context.cursor as Cursor | null;
  let sequences = cursor?.sequences ?? {};
  let broker = cursor?.broker ?? null;
  let isListening = false;
  let heardAt = context.now();
  const signals = Map.groupBy<string, [number, MqttSignal]>(config.signal.entries(), ([, { topic }]) => topic);
  /** The topics whose machine published in this connection: what the broker kept of them is older. */
  const live = new Set<string>();
  const problems = new Map<number, string>();

  const report = () => {
    if (!isListening) return;
    const isSilent = config.alive === "messages" && context.now() - heardAt > config.silence;
    const [problem = null] = problems.values();
    context.report(isSilent ? { state: "silent", error: "No machine has published anything" } : { state: "ok", error: problem });
  };
  const setProblem = (signal: number, problem: string | null) => {
    if (problem === null) problems.delete(signal);
    else if (problems.get(signal) !== problem) {
      problems.set(signal, problem);
      context.log(problem);
    }
  };

  const read = (message: Message, known: Record<string, Sequence>, found: { readings: Reading[]; losses: Loss[] }) => {
    const document = documentOf(message);
    const numbers: Record<string, Sequence> = {};
    for (const [signal, its] of signals.get(message.topic) ?? []) {
      const key = `${its.topic} ${its.sequence_path}`;
      const { reading, problem, gap, number } = readMessage(
        its,
        message,
        document,
        known[key],
        live.has(message.topic),
        context.now(),
      );
      if (number) numbers[key] = number;
      if (reading) found.readings.push({ ...reading, signal });
      if (gap) found.losses.push({ ...gap, signal });
      setProblem(signal, problem);
    }
    // Only now: the signals of one message have the same number before it.
    Object.assign(known, numbers);
    if (!message.isRetained) live.add(message.topic);
    heardAt = context.now();
  };

  const store = async (messages: readonly Message[]) => {
    const found = { readings: [] as Reading[], losses: [] as Loss[] };
    const nextSequences = { ...sequences };
    let nextBroker = broker;
    for (const message of messages) {
      if (message.topic === UPTIME || message.topic === DROPPED) {
        const { count, loss } = countOf(nextBroker, message.topic, message.payload.toString("latin1", 0, 32), context.now());
        nextBroker = count;
        if (loss) found.losses.push(loss);
      } else read(message, nextSequences, found);
    }
    const next: Cursor = { client: client.state(), sequences: nextSequences, broker: nextBroker };
    await context.store(found.readings, next);
    [sequences, broker] = [nextSequences, nextBroker];
    for (const loss of found.losses) context.lost(loss);
    report();
  };

  const client = mqttClient(
    {
      broker: config,
      isClean: false,
      subscriptions: [
        ...[...signals.keys()].map((topic) => ({ topic, qos: config.qos })),
        // In this order, so that a broker that started again is known before its count.
        ...[UPTIME, DROPPED].map((topic) => ({ topic, qos: 0 as const, isRenewed: true })),
      ],
    },
    {
      now: context.now,
      log: context.log,
      store,
      tooLong: ({ topic, bytes }) => {
        const [from, reason] = [
          context.now(),
          `A message of ${bytes} bytes on ${topic} is longer than max_message, and was not read`,
        ];
        context.log(reason);
        for (const [signal] of signals.get(topic) ?? []) context.lost({ signal, events: 1, from, to: from, reason });
      },
      connected: (lostSince) => {
        heardAt = context.now();
        live.clear();
        if (lostSince === null) return;
        const reason = "The broker has forgotten the bridge's session, and what was published meanwhile: is its persistence on?";
        context.lost({ signal: null, events: null, from: lostSince, to: context.now(), reason });
      },
      subscribed: () => {
        isListening = true;
        report();
      },
      refused: (topic) => {
        if (topic === DROPPED) context.log(`The broker does not tell ${DROPPED}: loss cannot be seen here`);
        for (const [signal] of signals.get(topic) ?? []) setProblem(signal, `The broker does not let the bridge read ${topic}`);
      },
      failed: ({ step, message }) => {
        isListening = false;
        context.report({ state: "failed", error: `${step}: ${message}` });
      },
    },
    cursor?.client ?? null,
  );

  const timer = setInterval(
    () => {
      report();
      if (isListening && config.alive === "connection") context.heard();
    },
    Math.min(HEARD_MS, config.silence),
  );
  await client.run(context.abort).finally(() => clearInterval(timer));
}
