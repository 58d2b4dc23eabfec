import { useEffect, useRef, useState } from "preact/hooks";

/** The newest loaded data (null until there are any), the error of the last attempt, and whether the data belong to another key. */
export interface Loaded<T> {
  data: T | null;
  error: unknown;
  isStale: boolean;
  /** Loads again. The present data stay until the new data have come. */
  reload(): Promise<void>;
}

/**
 * Loads the data of a key: when the key changes, and repeatedly while the page is visible. Old data stay until the new data have come, so
 * that nothing jumps. Answers for a former key are dropped, as are answers to requests older than the shown data.
 * @param key null: there is nothing to load
 * @param refresh how often it is loaded again, in ms, maybe depending on the newest data; null: not by itself
 */
export function useLoaded<T>(
  key: string | null,
  load: () => Promise<T>,
  refresh: number | null | ((data: T | null) => number | null) = null,
): Loaded<T> {
  const [kept, keep] = useState<{ key: string | null; data: T | null; error: unknown }>({ key: null, data: null, error: null });
  const wanted = useRef(key);
  const everyMs = typeof refresh === "function" ? refresh(kept.data) : refresh;
  wanted.current = key;
  const newest = useRef(load);
  newest.current = load;
  const loads = useRef({ begun: 0, shown: 0, waiting: 0 });

  async function reload(): Promise<void> {
    const asked = wanted.current;
    if (asked === null) return;
    const number = ++loads.current.begun;
    const isWanted = () => wanted.current === asked && number > loads.current.shown;
    loads.current.waiting++;
    try {
      const data = await newest.current();
      if (!isWanted()) return;
      loads.current.shown = number;
      keep({ key: asked, data, error: null });
    } catch (error) {
      // If a refresh fails, the old data are still worth showing.
      if (isWanted()) keep((before) => ({ key: asked, data: before.key === asked ? before.data : null, error }));
    } finally {
      loads.current.waiting--;
    }
  }

  useEffect(() => {
    void reload();
    if (everyMs === null) return undefined;
    const timer = setInterval(() => {
      // While a session has ended, requests wait: they must not pile up.
      if (!document.hidden && loads.current.waiting === 0) void reload();
    }, everyMs);
    return () => clearInterval(timer);
  }, [key, everyMs]);

  return { data: kept.data, error: kept.key === key ? kept.error : null, isStale: kept.key !== key, reload };
}
