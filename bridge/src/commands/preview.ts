import { createClock } from "../clock.ts";
import { readConfig } from "../config/config.ts";
import { duration } from "../config/duration.ts";
import { createIntake } from "../intake/intake.ts";
import { sourceOf } from "../sources/types.ts";
import { type Command, configFile, endSignal, UsageError } from "./command.ts";

export const preview: Command = {
  usage: "[FILE]",
  summary: "reads the sources, and shows each value and what would be sent for it; sends and stores nothing",
  options: {
    for: { type: "string", help: 'ends after this time, such as "30s"' },
    source: { type: "string", help: "only this source" },
    json: { type: "boolean", help: "one JSON object a line" },
  },
  run: async (args, options) => {
    const config = readConfig(configFile(args, options));
    const time = duration.optional().safeParse(options.for);
    if (!time.success) throw new UsageError(`--for ${time.error.issues[0]?.message}`);
    const abort = endSignal(time.data);
    const clock = createClock(null, 0);
    const intake = createIntake({
      queue: null,
      clock,
      log: (message) => console.error(message),
      onRead: (source, { machine, kind }, { at, raw, made }) => {
        if (options.json) console.log(JSON.stringify({ source, machine, kind, at: new Date(at).toISOString(), raw, made }));
        else
          console.log(
            [new Date(at).toISOString(), source.padEnd(12), `${machine} ${kind}`.padEnd(20), raw.padEnd(16), made].join("  "),
          );
      },
    });
    const sources = config.source.filter(({ id }) => options.source === undefined || id === options.source);
    if (sources.length === 0) throw new UsageError(`There is no source "${options.source}".`);
    const keepAlive = setInterval(() => undefined, 60_000);
    await Promise.all(sources.map((source) => sourceOf(source).run(intake.contextOf(source, abort))));
    clearInterval(keepAlive);
    intake.flush();
    return 0;
  },
};
