import { readConfig } from "../config/config.ts";
import { duration } from "../config/duration.ts";
import type { Discovered } from "../sources/source.ts";
import { sourceOf } from "../sources/types.ts";
import { type Command, configFile, endSignal, UsageError } from "./command.ts";

/** How long a source is heard. */
const HEARD_MS = 30_000;

export const discover: Command = {
  usage: "[FILE]",
  summary: "lists what the other sides of the sources offer: topics, unit ids, data items",
  options: {
    for: { type: "string", help: 'hears each source so long, such as "2min"; 30 s by default' },
    source: { type: "string", help: "only this source" },
  },
  run: async (args, options) => {
    const config = readConfig(configFile(args, options));
    const time = duration.optional().safeParse(options.for);
    if (!time.success) throw new UsageError(`--for ${time.error.issues[0]?.message}`);
    const abort = endSignal();
    const sources = config.source.filter(({ id }) => options.source === undefined || id === options.source);
    if (sources.length === 0) throw new UsageError(`There is no source "${options.source}".`);
    const found = await Promise.all(
      sources.map(async (source) => {
        const offered = sourceOf(source).discover?.(abort, time.data ?? HEARD_MS);
        if (!offered) console.log(`${source.id}: a source of the type ${source.type} offers nothing to list`);
        return offered ? listed(source.id, offered) : true;
      }),
    );
    return found.every(Boolean) ? 0 : 1;
  },
};

/** Whether anything was found. */
async function listed(id: string, offered: AsyncIterable<Discovered>): Promise<boolean> {
  let isAny = false;
  for await (const { address, example } of offered) {
    console.log(`${id}: ${address}  ${example}`);
    isAny = true;
  }
  if (!isAny) console.log(`${id}: nothing was heard`);
  return isAny;
}
