import { afterEach } from "vitest";
import type { MqttConfig } from "../../../bridge/src/sources/mqtt/config.ts";
import { mqttConfig } from "../../../bridge/src/sources/mqtt/config.ts";
import { mqttSource } from "../../../bridge/src/sources/mqtt/mqtt.ts";
import type { CheckStep, Source } from "../../../bridge/src/sources/source.ts";
import { contextFor, type TestContext } from "../support/context.ts";

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Ends what a test has opened, after it. */
export function endAfter(end: () => Promise<void>): void {
  ends.push(end);
}

type Input = Record<string, unknown> & { signal: Record<string, unknown>[] };

export function mqttOf(port: number, input: Input): MqttConfig {
  return mqttConfig.parse({
    id: "hall",
    type: "mqtt",
    host: "127.0.0.1",
    port,
    ...input,
    signal: input.signal.map((signal) => ({ machine: "P1", kind: "total", ...signal })),
  });
}

/** A source that runs, with what a bridge that was there before has stored. `end` stops it as a bridge that is stopped, and ends it by itself. */
export function runs(config: MqttConfig, stored: unknown = null): TestContext & { ended: Promise<void> } {
  const context = contextFor(config.signal, stored === null ? null : JSON.parse(JSON.stringify(stored)));
  return runsIn(mqttSource(config), context);
}

export function runsIn<Context extends TestContext>(source: Source, context: Context): Context & { ended: Promise<void> } {
  const ended = source.run(context);
  endAfter(async () => {
    context.end();
    await ended;
  });
  return Object.assign(context, { ended });
}

export async function stepsOf(source: Source): Promise<CheckStep[]> {
  const steps: CheckStep[] = [];
  for await (const step of source.check(new AbortController().signal)) steps.push(step);
  return steps;
}

/** What the pulses of a signal add up to, repeated ones left out, as the bridge counts them. */
export function counted({ readings }: TestContext, signal = 0): number {
  return readings
    .filter((reading) => reading.signal === signal && !reading.isRepeated)
    .reduce((sum, { value }) => sum + Number(value), 0);
}
