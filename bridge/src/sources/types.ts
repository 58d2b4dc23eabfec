import { z } from "zod";
import { type MqttConfig, mqttConfig } from "./mqtt/config.ts";
import { mqttSource } from "./mqtt/mqtt.ts";
import { type SimulatorConfig, simulatorConfig, simulatorSource } from "./simulator/simulator.ts";
import type { Source } from "./source.ts";

/** Every type of source: its configuration, and how a source is made from it. A new type is one line in each. */
export const sourceConfig = z.discriminatedUnion("type", [mqttConfig, simulatorConfig]);
export type SourceConfig = z.infer<typeof sourceConfig>;

export function sourceOf(config: SourceConfig): Source {
  return makers[config.type](config as never);
}

const makers: { [Type in SourceConfig["type"]]: (config: Extract<SourceConfig, { type: Type }>) => Source } = {
  mqtt: (config: MqttConfig) => mqttSource(config),
  simulator: (config: SimulatorConfig) => simulatorSource(config),
};
