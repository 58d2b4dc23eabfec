// A wall runs for months: when the service has a newer version of its page, it takes that.

const ASK_EVERY_MS = 10 * 60_000;

/** Loads the page again once the service gives another one than at first. Returns how to stop. */
export function reloadWhenNewer(): () => void {
  let first: string | null = null;
  const ask = async () => {
    try {
      const response = await fetch(location.pathname);
      if (!response.ok) return;
      const text = await response.text();
      first = first ?? text;
      if (text !== first) location.reload();
    } catch {
      // Without network there is nothing newer to be had.
    }
  };
  void ask();
  const timer = setInterval(() => void ask(), ASK_EVERY_MS);
  return () => clearInterval(timer);
}
