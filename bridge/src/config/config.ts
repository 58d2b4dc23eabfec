import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parse, TomlError } from "smol-toml";
import { z } from "zod";
import { sourceConfig } from "../sources/types.ts";
import { byteSize, duration } from "./duration.ts";
import { lineOf } from "./line-of.ts";

export const configSchema = z.strictObject({
  andon: z.strictObject({
    url: z.url({ protocol: /^https?$/ }).meta({ description: "The address of Andon, as in a browser" }),
    token_file: z.string().min(1).optional().meta({
      description: "The file with the gateway token. By default `token` in the folder of the queue, where `pair` puts it",
    }),
  }),
  queue: z
    .strictObject({
      folder: z.string().min(1).optional().meta({
        description:
          "Where the queue is kept. By default what systemd says (StateDirectory), else `andon-bridge-state` beside this file",
      }),
      max_age: duration.prefault("14d").meta({ description: "Older events are dropped, and reported" }),
      max_bytes: byteSize
        .prefault("2GB")
        .meta({ description: "If the queue is larger, the oldest events are dropped, and reported" }),
    })
    .prefault({}),
  page: z
    .strictObject({
      port: z
        .int()
        .min(0)
        .max(65_535)
        .default(8640)
        .meta({ description: "The page of the bridge is on 127.0.0.1 at this port; 0: no page" }),
    })
    .prefault({}),
  source: z.array(sourceConfig).min(1).max(100),
});

export type Config = z.infer<typeof configSchema> & {
  /** The folders and files, which the file gives relative to its own. */
  folder: string;
  tokenFile: string;
};

/** What is wrong with a configuration, for people: one line for each fault. */
export class ConfigError extends Error {}

/**
 * Reads the configuration. Relative paths in it are meant from its own folder, so the process moves there.
 * @throws ConfigError
 */
export function readConfig(path: string): Config {
  const file = resolve(path);
  const text = textOf(file);
  const config = checked(text, file);
  process.chdir(dirname(file));
  const folder = resolve(config.queue.folder ?? process.env.STATE_DIRECTORY ?? "andon-bridge-state");
  return { ...config, folder, tokenFile: resolve(config.andon.token_file ?? `${folder}/token`) };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new ConfigError(`${file} cannot be read: ${(error as Error).message}. \`andon-bridge init\` makes one.`);
  }
}

function checked(text: string, file: string): z.infer<typeof configSchema> {
  const result = configSchema.safeParse(parsed(text, file));
  if (!result.success) throw new ConfigError(result.error.issues.map((issue) => faultText(issue, text, file)).join("\n"));
  const ids = result.data.source.map(({ id }) => id);
  const twice = ids.findIndex((id, index) => ids.indexOf(id) !== index);
  if (twice < 0) return result.data;
  const line = lineOf(text, ["source", twice, "id"]);
  throw new ConfigError(`${file}:${line}: source.${twice}.id: another source has the id "${ids[twice]}"`);
}

function parsed(text: string, file: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof TomlError) throw new ConfigError(`${file}:${error.line}: ${error.message.split("\n")[0]}`);
    throw error;
  }
}

function faultText(issue: z.core.$ZodIssue, text: string, file: string): string {
  const unknown = issue.code === "unrecognized_keys" ? issue.keys : [];
  const path = [...issue.path, ...unknown.slice(0, 1)].filter((step) => typeof step !== "symbol");
  const isSecret = unknown.some((key) => /password|token|secret/.test(key));
  const advice = isSecret
    ? '. Secrets are not in this file: name a file that holds it, such as password_file = "mqtt.password", or a variable, password_env = "MQTT_PASSWORD"'
    : "";
  return `${file}:${lineOf(text, path)}: ${path.join(".")}: ${issue.message}${advice}`;
}
