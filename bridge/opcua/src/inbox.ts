import type { Reading, SourceContext } from "../../src/sources/source.ts";
import { messageOf } from "./connect.ts";
import { pause } from "./limit.ts";

/** One value of a notification: a reading, or that there is none. */
export type News = { reading: Reading } | { unavailable: number; at: number | null };

/** How many values wait for the disk before the server is asked for no more, and when it is asked again. */
const FULL = 10_000;
const ROOM = 1000;
/** Between two attempts to store what could not be stored. */
const RETRY_MS = 1000;

/** Takes notifications to the disk, one after the other, each in its order: what cannot be stored now waits here, and so does what follows. */
export function createInbox(context: SourceContext) {
  let waiting = 0;
  let last = Promise.resolve();

  /** Stores what a notification said, and calls back when it is on the disk. */
  function put(news: readonly News[], stored: () => void): void {
    waiting += news.length;
    last = last.then(async () => {
      const isStored = await storeAll(context, news);
      waiting -= news.length;
      if (isStored) stored();
    });
  }
  return {
    put,
    isFull: () => waiting >= FULL,
    hasRoom: () => waiting < ROOM,
    /** Resolves when nothing waits any more. */
    settled: () => last,
  };
}

/** Returns whether it is on the disk: not, if the bridge ended before. */
async function storeAll(context: SourceContext, news: readonly News[]): Promise<boolean> {
  for (const part of parts(news)) {
    let isStored = false;
    while (!isStored) {
      try {
        if (Array.isArray(part)) await context.store(part);
        else await context.unavailable(part.unavailable, part.at);
        isStored = true;
      } catch (error) {
        context.log(`${messageOf(error)}; it is tried again, and what the server sends is not acknowledged`);
        await pause(RETRY_MS, context.abort);
        if (context.abort.aborted) return false;
      }
    }
  }
  return true;
}

type Unavailable = Extract<News, { unavailable: number }>;

/** Readings that follow each other are stored together. */
function parts(news: readonly News[]): (Reading[] | Unavailable)[] {
  const list: (Reading[] | Unavailable)[] = [];
  for (const one of news) {
    const open = list.at(-1);
    if ("unavailable" in one) list.push(one);
    else if (Array.isArray(open)) open.push(one.reading);
    else list.push([one.reading]);
  }
  return list;
}
