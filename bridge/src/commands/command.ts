/** One command of `andon-bridge`. */
export interface Command {
  /** What follows its name, for `--help`. */
  usage: string;
  summary: string;
  options?: Record<string, { type: "string" | "boolean"; help: string }>;
  /** Returns the exit code. */
  run(args: string[], options: CommandOptions): Promise<number>;
}

export interface CommandOptions {
  [name: string]: string | boolean | undefined;
  /** The file of the configuration. */
  config?: string;
}

/** What was called wrongly, for people. */
export class UsageError extends Error {}

/** The file of the configuration: named, or `bridge.toml` here. */
export function configFile(args: readonly string[], options: CommandOptions): string {
  if (args.length > 1) throw new UsageError(`Too many arguments: ${args.slice(1).join(" ")}`);
  return args[0] ?? options.config ?? "bridge.toml";
}

/** Ends with SIGINT and SIGTERM, or after a time. */
export function endSignal(afterMs?: number): AbortSignal {
  const controller = new AbortController();
  const end = () => controller.abort();
  process.once("SIGINT", end);
  process.once("SIGTERM", end);
  if (afterMs !== undefined) setTimeout(end, afterMs).unref();
  return controller.signal;
}
