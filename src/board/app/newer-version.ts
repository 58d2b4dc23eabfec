import { waitAfter } from "../domain/backoff.ts";
import { MINUTE_MS } from "../domain/time.ts";

// A wall runs for months, so it reloads when the service has a newer version of its page. After an error, every page reloads.

const ASK_EVERY_MS = 10 * MINUTE_MS;

/** Reloads the page once the service returns a different one than at first. Returns a function that stops this. */
export function reloadWhenNewer(): () => void {
  let first: string | null = null;
  const ask = async () => {
    const text = await pageText();
    first = first ?? text;
    // Without network there is nothing to reload.
    if (text !== null && text !== first) location.reload();
  };
  void ask();
  const timer = setInterval(() => void ask(), ASK_EVERY_MS);
  return () => clearInterval(timer);
}

/** Whether the service returns this page. */
export async function isReachable(): Promise<boolean> {
  return (await pageText()) !== null;
}

async function pageText(): Promise<string | null> {
  try {
    const response = await fetch(location.pathname);
    return response.ok ? await response.text() : null;
  } catch {
    return null;
  }
}

const RELOADS = "andon.reloads";
/** A page that worked for this long has recovered. */
const RECOVERED_AFTER_MS = 5 * MINUTE_MS;
/** The first reload waits as long as `waitAfter` says for this many failures: 4 to 8 s. */
const FIRST_RELOAD = 4;

/** Reloads the page after an error, as soon as the service answers: after some seconds, and later each time that this did not help. */
export function reloadAfterError(): () => void {
  const { count, at } = reloadsSoFar();
  const before = Date.now() - at < RECOVERED_AFTER_MS ? count : 0;
  let timer: number | undefined;
  const wait = (failures: number) => {
    timer = window.setTimeout(
      async () => {
        if (!(await isReachable())) return wait(failures);
        try {
          sessionStorage.setItem(RELOADS, JSON.stringify({ count: before + 1, at: Date.now() }));
        } catch {
          // Without storage it reloads at the same pace each time.
        }
        location.reload();
      },
      waitAfter(failures, Math.random()),
    );
  };
  wait(FIRST_RELOAD + before);
  return () => clearTimeout(timer);
}

function reloadsSoFar(): { count: number; at: number } {
  try {
    const { count, at } = JSON.parse(sessionStorage.getItem(RELOADS) ?? "") as { count: unknown; at: unknown };
    if (typeof count === "number" && typeof at === "number") return { count, at };
  } catch {
    // There are none, or no storage.
  }
  return { count: 0, at: 0 };
}
