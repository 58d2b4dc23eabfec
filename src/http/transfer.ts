import type { Context } from "hono";
import { Problem, unavailable } from "../core/problem.ts";
import { Slots } from "../limits/load.ts";
import { ownerOf, withSlot } from "./admission.ts";
import type { HonoEnv, UserEnv } from "./env.ts";
import { logError, logTransfer, type TransferEnd } from "./request-log.ts";

// Files that are read while they are sent. A file has a slot among the requests only while a part of it is read: how fast its caller
// takes it is no concern of others.

/** A part of a file, and the function that reads the next one; null for the last part. */
export interface Part {
  text: string;
  rows: number;
  next: (() => Promise<Part>) | null;
}

/** How many files an isolate sends at once to one owner. Each holds about one part in memory. */
const MAX_FILES = 8;
/** How long a caller may take no part of its file before the transfer is aborted. */
const IDLE_MS = 60_000;
/** The number of attempts to get a slot for the next part, and the pause between them. */
const MAX_ASKS = 6;
const ASK_PAUSE_MS = 1000;

const underWay = new Slots(2 * IDLE_MS);

/**
 * Answers with a file that begins with `first`. The next part is read when the caller has taken the one before. If reading fails, or the
 * caller takes nothing for a minute, the answer breaks off: its end never looks like the end of the file.
 * @throws Problem 503 if the caller's company is receiving too many files
 */
export function transfer<E extends UserEnv>(c: Context<E>, headers: Record<string, string>, first: Part): Response {
  const context = c as unknown as Context<HonoEnv>;
  if (!first.next) return c.body(first.text, 200, headers);
  const owner = ownerOf(context);
  let leave = underWay.take(owner, MAX_FILES);
  if (!leave) throw unavailable(`${MAX_FILES} files are being sent already. Wait for one of them.`, 10);
  const startedAt = Date.now();
  const encoder = new TextEncoder();
  let part: Part | null = first;
  let rows = 0;
  let idle: ReturnType<typeof setTimeout> | undefined;
  const end = (how: TransferEnd) => {
    if (idle !== undefined) clearTimeout(idle);
    leave?.();
    logTransfer(context, { file: how, rows, durationMs: Date.now() - startedAt });
  };
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (idle !== undefined) clearTimeout(idle);
        try {
          const present = part ?? { text: "", rows: 0, next: null };
          rows += present.rows;
          controller.enqueue(encoder.encode(present.text));
          if (!present.next) {
            controller.close();
            return end("complete");
          }
          // Renews its slot, so only stalled transfers lose theirs.
          leave?.();
          leave = underWay.take(owner, MAX_FILES);
          part = await readNext(context, present.next);
        } catch (error) {
          logError(context, error as Error);
          // The runtime logs the error that ends the stream, and the error of a query contains its parameters.
          controller.error(new Error("The file could not be read to its end."));
          return end("failed");
        }
        idle = setTimeout(() => {
          controller.error(new Error("The caller takes nothing."));
          end("given up");
        }, IDLE_MS);
      },
      cancel: () => end("left"),
    },
    { highWaterMark: 0 },
  );
  return c.body(stream, 200, headers);
}

/** Reads a part in a slot of its own, like a report. Retries while no slot is free. */
async function readNext(c: Context<HonoEnv>, next: () => Promise<Part>): Promise<Part> {
  for (let asks = 1; ; asks++) {
    try {
      let part: Part | undefined;
      await withSlot(c, "report", async () => {
        part = await next();
      });
      if (part) return part;
    } catch (error) {
      if (!(error instanceof Problem && error.status === 503) || asks >= MAX_ASKS) throw error;
      await scheduler.wait(ASK_PAUSE_MS);
    }
  }
}
