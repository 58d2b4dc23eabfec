import { StepError } from "../mqtt/broker.ts";
import type { Message } from "../mqtt/client.ts";
import { listen } from "../mqtt/listen.ts";
import type { CheckStep, Discovered } from "../source.ts";
import type { SparkplugConfig } from "./config.ts";
import { decodePayload, rebirthCommand } from "./decode.ts";
import { nodesOf } from "./nodes.ts";
import { commandTopic, filterOf, NAMESPACE, nameOf, nodeNames } from "./topics.ts";

/** The most metrics that `discover` tells. */
const MOST_METRICS = 5000;

/** The metrics that births announce, with a value as an example, by their address. */
function announced(found: Map<string, string>, { topic, payload }: Message): void {
  const [, group, type, node, device] = topic.split("/");
  if (type !== "NBIRTH" && type !== "DBIRTH") return;
  try {
    for (const { name, value } of decodePayload(payload).metrics) {
      const address = `group = ${JSON.stringify(group)}, node = ${JSON.stringify(node)}${device === undefined ? "" : `, device = ${JSON.stringify(device)}`}, metric = ${JSON.stringify(name)}`;
      if (name !== null && found.size < MOST_METRICS) found.set(address, String(value ?? "no value").slice(0, 200));
    }
  } catch {
    // A payload that is none of Sparkplug B announces nothing.
  }
}

export async function* checkSparkplug(config: SparkplugConfig, abort: AbortSignal, checkMs: number): AsyncIterable<CheckStep> {
  const steps: CheckStep[] = [];
  const names = nodeNames(config);
  const nodes = nodesOf(config.signal);
  const values = new Map<number, string>();
  const there = () => config.signal.filter((_, signal) => nodes.isThere(signal));
  try {
    const { refused } = await listen(
      config,
      {
        topics: names.map(filterOf),
        forMs: checkMs,
        take: ({ topic, payload }) => {
          try {
            for (const { signal, value } of nodes.take(topic, payload)?.readings ?? []) values.set(signal, String(value));
          } catch {
            return false;
          }
          return there().length === config.signal.length;
        },
        begin: (publish) => {
          for (const name of names) publish(commandTopic(name), rebirthCommand(Date.now()));
        },
        done: (step, detail) => void steps.push({ step, ok: true, detail }),
      },
      abort,
    );
    yield* steps;
    yield topicStep(
      config,
      refused,
      config.signal.filter((_, signal) => !nodes.isThere(signal)),
      checkMs,
    );
  } catch (error) {
    yield* steps;
    if (!(error instanceof StepError)) throw error;
    yield { step: error.step, ok: false, detail: error.message };
    return;
  }
  if (there().length < config.signal.length) return;
  for (const [signal, { metric }] of config.signal.entries()) {
    const value = values.get(signal);
    const detail = value ?? "the birth has no such metric, or it has no value: `discover` tells which there are";
    yield { step: "first value", ok: value !== undefined, detail: `Signal ${signal + 1}, ${metric}: ${detail}` };
  }
}

function topicStep(
  config: SparkplugConfig,
  refused: readonly string[],
  missing: readonly SparkplugConfig["signal"][number][],
  checkMs: number,
): CheckStep {
  if (refused.length > 0) {
    return {
      step: "topic",
      ok: false,
      detail: `The broker does not let this user read ${refused.join(", ")}: ask whoever runs it`,
    };
  }
  const [first] = missing;
  if (!first) return { step: "topic", ok: true, detail: `${nodeNames(config).length} nodes have announced themselves` };
  const name = [first.group, first.node, first.device].filter(Boolean).join("/");
  const detail = `${name} has not announced itself in ${checkMs / 1000} s: check group, node and device, whether it runs, and whether this user may publish to ${commandTopic(`${first.group}/${first.node}`)}; \`discover\` tells which there are`;
  return { step: "topic", ok: false, detail };
}

export async function* discoverSparkplug(config: SparkplugConfig, abort: AbortSignal, forMs: number): AsyncIterable<Discovered> {
  const found = new Map<string, string>();
  const asked = new Set<string>();
  let publish: (topic: string, payload: Buffer) => void = () => undefined;
  await listen(
    config,
    {
      topics: [`${NAMESPACE}/#`],
      forMs,
      take: (message) => {
        announced(found, message);
        const name = nameOf(message.topic);
        const isData = /\/[ND]DATA\//.test(message.topic);
        if (isData && !asked.has(name) && asked.size < MOST_METRICS) {
          asked.add(name);
          publish(commandTopic(name), rebirthCommand(Date.now()));
        }
        return false;
      },
      begin: (given) => {
        publish = given;
        for (const name of nodeNames(config)) publish(commandTopic(name), rebirthCommand(Date.now()));
      },
    },
    abort,
  );
  for (const [address, example] of [...found].sort()) yield { address, example };
}
