// A wall runs for months, so it reloads when the service has a newer version of its page.

const ASK_EVERY_MS = 10 * 60_000;

/** Reloads the page once the service returns a different one than at first. Returns a function that stops this. */
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
      // Without network there is nothing to reload.
    }
  };
  void ask();
  const timer = setInterval(() => void ask(), ASK_EVERY_MS);
  return () => clearInterval(timer);
}
