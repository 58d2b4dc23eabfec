import { z } from "zod";
import { type FilesConfig, filesConfig } from "./files/config.ts";
import { filesSource } from "./files/files.ts";
import { type HttpConfig, httpConfig, httpSource } from "./http/http.ts";
import { type ModbusConfig, modbusConfig, modbusSource } from "./modbus/modbus.ts";
import { type MqttConfig, mqttConfig } from "./mqtt/config.ts";
import { mqttSource } from "./mqtt/mqtt.ts";
import { type MtconnectConfig, mtconnectConfig, mtconnectSource } from "./mtconnect/mtconnect.ts";
import { type OpcuaConfig, opcuaConfig, opcuaSource } from "./opcua/opcua.ts";
import { type SimulatorConfig, simulatorConfig, simulatorSource } from "./simulator/simulator.ts";
import type { Source } from "./source.ts";
import { type SparkplugConfig, sparkplugConfig } from "./sparkplug/config.ts";
import { sparkplugSource } from "./sparkplug/sparkplug.ts";

/** Every type of source: its configuration, and how a source is made from it. A new type is one line in each. */
export const sourceConfig = z.discriminatedUnion("type", [
  simulatorConfig,
  mqttConfig,
  sparkplugConfig,
  modbusConfig,
  mtconnectConfig,
  opcuaConfig,
  httpConfig,
  filesConfig,
]);
export type SourceConfig = z.infer<typeof sourceConfig>;

export function sourceOf(config: SourceConfig): Source {
  return makers[config.type](config as never);
}

const makers: { [Type in SourceConfig["type"]]: (config: Extract<SourceConfig, { type: Type }>) => Source } = {
  files: (config: FilesConfig) => filesSource(config),
  http: (config: HttpConfig) => httpSource(config),
  modbus: (config: ModbusConfig) => modbusSource(config),
  mqtt: (config: MqttConfig) => mqttSource(config),
  mtconnect: (config: MtconnectConfig) => mtconnectSource(config),
  opcua: (config: OpcuaConfig) => opcuaSource(config),
  simulator: (config: SimulatorConfig) => simulatorSource(config),
  sparkplug: (config: SparkplugConfig) => sparkplugSource(config),
};
