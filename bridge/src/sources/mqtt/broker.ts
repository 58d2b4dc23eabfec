import { readFileSync } from "node:fs";
import { z } from "zod";
import { byteSize, duration } from "../../config/duration.ts";

/** How a broker is reached, of the sources that have one. */
export const brokerMembers = {
  host: z.string().min(1).max(255).meta({ description: "The broker's name or address" }),
  port: z.int().min(1).max(65_535).optional().meta({ description: "1883, or 8883 with TLS, if left out" }),
  version: z.enum(["3.1.1", "5"]).default("3.1.1").meta({ description: "The version of MQTT" }),
  tls: z.boolean().default(false).meta({ description: "Whether the connection is encrypted" }),
  ca_file: z
    .string()
    .min(1)
    .optional()
    .meta({ description: "The certificate of the authority that signed the broker's, if it is the plant's own" }),
  cert_file: z.string().min(1).optional().meta({ description: "The bridge's certificate, for brokers that ask for one" }),
  key_file: z.string().min(1).optional().meta({ description: "The key of the bridge's certificate" }),
  username: z.string().min(1).max(256).optional(),
  password_file: z
    .string()
    .min(1)
    .optional()
    .meta({ description: "The file with the password: passwords are not in the configuration" }),
  password_env: z.string().min(1).optional().meta({ description: "Or the environment variable with the password" }),
  client_id: z
    .string()
    .min(1)
    .max(128)
    .optional()
    .meta({ description: "The name by which the broker knows the bridge. Left out: the bridge makes one, and keeps it" }),
  keep_alive: duration
    .default(30_000)
    .meta({ description: "A broker that does not answer for one and a half times as long is gone" }),
  max_message: byteSize.default(1_000_000).meta({ description: "A longer message is not read, but told as lost" }),
};
const brokerSchema = z.strictObject(brokerMembers);
export type BrokerConfig = z.infer<typeof brokerSchema>;

/** What is wrong with these members together; null: nothing. */
export function brokerProblem(config: BrokerConfig): string | null {
  if (!config.tls && (config.ca_file ?? config.cert_file ?? config.key_file))
    return "ca_file, cert_file and key_file need tls = true";
  if ((config.cert_file === undefined) !== (config.key_file === undefined)) return "cert_file and key_file need each other";
  if (config.password_file && config.password_env) return "password_file and password_env exclude each other";
  return null;
}

/** A step of connecting that failed, with a sentence that says what to do. */
export class StepError extends Error {
  readonly step: string;
  constructor(step: string, message: string) {
    super(message);
    this.step = step;
  }
}

export function portOf({ port, tls }: BrokerConfig): number {
  return port ?? (tls ? 8883 : 1883);
}

/** The password, read anew for each connection, since secrets are changed while programs run. */
export function passwordOf({ password_file, password_env }: BrokerConfig): string | undefined {
  if (password_file) return fileOf("login", "password_file", password_file).toString("utf8").trim();
  if (password_env === undefined) return undefined;
  const password = process.env[password_env];
  if (password === undefined)
    throw new StepError("login", `The environment has no ${password_env}: set it, or change password_env`);
  return password;
}

export function fileOf(step: string, member: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new StepError(step, `${member} cannot be read: ${(error as Error).message}`);
  }
}
