#!/usr/bin/env node
import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import { check } from "./commands/check.ts";
import { type Command, type CommandOptions, UsageError } from "./commands/command.ts";
import { discover } from "./commands/discover.ts";
import { init } from "./commands/init.ts";
import { pair } from "./commands/pair.ts";
import { preview } from "./commands/preview.ts";
import { queue } from "./commands/queue.ts";
import { replay } from "./commands/replay.ts";
import { run } from "./commands/run.ts";
import { schema } from "./commands/schema.ts";
import { ConfigError } from "./config/config.ts";
import { version } from "./version.ts";

// Garbage is collected early, so that memory stays flat: by default it grows to several times what the bridge needs.
setFlagsFromString("--heap-growing-percent=10");

const commands: Record<string, Command> = { init, pair, check, discover, preview, run, queue, replay, schema };

function helpText(): string {
  const lines = Object.entries(commands).flatMap(([name, { usage, summary, options = {} }]) => [
    `  ${`${name} ${usage}`.padEnd(28)}${summary}`,
    ...Object.entries(options).map(([option, { help }]) => `  ${"".padEnd(28)}  --${option}: ${help}`),
  ]);
  return `andon-bridge ${version}: reads machines, and brings what they made to Andon exactly once

Usage: andon-bridge COMMAND [FILE]      FILE is the configuration, bridge.toml by default

${lines.join("\n")}

  --config FILE (for pair, queue and replay), --help, --version
Environment: ANDON_BRIDGE_TOKEN in place of the token's file; NODE_EXTRA_CA_CERTS for a certificate authority of one's own.
Exit codes: 0 done, 1 failed, 2 called wrongly or a faulty configuration.`;
}

async function main(words: string[]): Promise<number> {
  const [name = "", ...rest] = words;
  if (words.includes("--version")) return say(version);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (words.includes("--help") || words.length === 0 || name === "help") return say(helpText());
  if (!command) throw new UsageError(`There is no command "${name}".`);
  const { values, positionals } = parsed(command, rest);
  return command.run(positionals, values);
}

function parsed({ options = {} }: Command, args: string[]): { values: CommandOptions; positionals: string[] } {
  const known = Object.fromEntries(Object.entries(options).map(([option, { type }]) => [option, { type }]));
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { ...known, config: { type: "string" } },
      allowPositionals: true,
    });
    return { values: values as CommandOptions, positionals };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function say(text: string): number {
  console.log(text);
  return 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UsageError || error instanceof ConfigError)) throw error;
  console.error(error instanceof UsageError ? `${error.message} See andon-bridge --help.` : error.message);
  process.exitCode = 2;
}
// A source whose other side hangs must not keep the process.
process.exit();
