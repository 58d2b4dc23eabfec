import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { readConfig } from "../config/config.ts";
import { type Andon, createAndon } from "../upstream/andon.ts";
import { backoffMs } from "../upstream/backoff.ts";
import { createOffset } from "../upstream/offset.ts";
import { version } from "../version.ts";
import { type Command, configFile, UsageError } from "./command.ts";

/** Andon's limit of a request. */
const MOST_EVENTS = 1000;
/** How often a request is tried before the rest of the file is given up. */
const MOST_TRIES = 6;

export const replay: Command = {
  usage: "FILE",
  summary: "sends events from a file, one JSON object a line, such as `queue export` writes; by their ids each counts once",
  run: async ([file, ...rest], options) => {
    if (file === undefined) throw new UsageError("Which file?");
    // Read before the process moves to the folder of the configuration.
    const path = resolve(file);
    const {
      andon: { url },
      tokenFile,
    } = readConfig(configFile(rest, options));
    const andon = createAndon({ url, tokenFile, offset: createOffset(), now: Date.now, version });
    const sums = { accepted: 0, duplicates: 0, rejected: 0 };
    let batch: { line: number; event: unknown }[] = [];
    let number = 0;
    const send = async () => {
      const done = await sendBatch(andon, batch);
      batch = [];
      if (done) for (const key of Object.keys(sums) as (keyof typeof sums)[]) sums[key] += done[key];
      return done !== null;
    };
    for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
      number += 1;
      const event = line.trim() === "" ? null : eventOf(line, number);
      if (event) batch.push({ line: number, event });
      if (batch.length === MOST_EVENTS && !(await send())) return 1;
    }
    if (batch.length > 0 && !(await send())) return 1;
    console.log(`${sums.accepted} events accepted, ${sums.duplicates} were there before, ${sums.rejected} refused`);
    return sums.rejected === 0 ? 0 : 1;
  },
};

/** The event of a line; null: it is a value of which none can be made. */
function eventOf(text: string, line: number): object | null {
  try {
    const row = JSON.parse(text) as { event?: object | null; type?: string };
    return "event" in row ? (row.event ?? null) : row;
  } catch {
    throw new UsageError(`Line ${line} is not JSON.`);
  }
}

interface Sums {
  accepted: number;
  duplicates: number;
  rejected: number;
}

/** Sends one request, again if nothing answers. Null: it was given up, said why. */
async function sendBatch(andon: Andon, batch: readonly { line: number; event: unknown }[]): Promise<Sums | null> {
  for (let tries = 1; ; tries += 1) {
    const answer = await andon.send("POST", "/v1/ingest", { events: batch.map(({ event }) => event) });
    if (answer.kind === "ok") {
      const body = answer.body as {
        accepted: number;
        duplicates: number;
        rejected: { index: number; code: string; message: string }[];
      };
      for (const { index, code, message } of body.rejected) console.error(`line ${batch[index]?.line}: ${code}: ${message}`);
      return { ...body, rejected: body.rejected.length };
    }
    if (answer.kind === "refused" || tries === MOST_TRIES) {
      console.error(`${answer.detail}. Lines before ${batch[0]?.line} were sent; sending the file again is safe.`);
      return null;
    }
    await sleep(answer.retryAfterMs ?? backoffMs(tries));
  }
}
