import { keepPreviousData, QueryClient, useQuery } from "@tanstack/preact-query";
import { companyQuery, isExpired, user } from "../app/session.ts";

// What desk, home and pair read from the API: one request per key, whoever asks. The wall and the terminal have their live rows.

/** How long what was read is taken for current when another component asks for it. */
const CURRENT_MS = 10_000;

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: CURRENT_MS,
      // A refusal is shown at once, with a button that tries again.
      retry: false,
      // A plant's network may have no internet, which is what browsers mean by "online".
      networkMode: "always",
      placeholderData: keepPreviousData,
    },
  },
});

/** Answers depend on the user and the company, so they are part of each key. */
const keyOf = (key: readonly unknown[]) => [user.value?.userId, companyQuery().companyId, ...key];

/** The data that were read last (null until there are any), the error of the last attempt, and whether the data belong to another key. */
export interface Loaded<T> {
  data: T | null;
  error: unknown;
  isStale: boolean;
  /** Reads again. The present data stay until the new ones have come. */
  reload(): Promise<void>;
}

/** How often something is read again. */
export interface ReadOptions<T> {
  /** In ms, maybe depending on the newest data, while the page is visible; null: not by itself. */
  everyMs?: number | null | ((data: T | null) => number | null);
  /** Whether it is read once: what a change would do, which is asked for again only if the change is another one. */
  isOnce?: boolean;
}

/**
 * Reads something: when the key changes, after every change made here (`invalidate`), and repeatedly if asked to. Components with the same key share one
 * request. While the session has ended nothing is read; what was asked before waits for the sign-in. Old data stay until the new ones have
 * come, so that nothing jumps.
 * @param key the path of the operation, then all that the answer depends on; null: there is nothing to read
 */
export function useRead<T>(
  key: readonly unknown[] | null,
  read: () => Promise<T>,
  { everyMs = null, isOnce = false }: ReadOptions<T> = {},
): Loaded<T> {
  const intervalOf = (data: T | null) => (typeof everyMs === "function" ? everyMs(data) : everyMs) ?? false;
  const query = useQuery(
    {
      queryKey: keyOf(key ?? []),
      queryFn: read,
      enabled: key !== null && !isExpired.value,
      refetchInterval: ({ state }) => intervalOf(state.data ?? null),
      ...(isOnce && { staleTime: "static" as const, gcTime: 0 }),
    },
    queries,
  );
  return {
    data: key === null ? null : (query.data ?? null),
    error: query.error,
    isStale: query.isPlaceholderData || query.data === undefined,
    reload: async () => {
      await query.refetch();
    },
  };
}

/** Reads something that several reads need, unless it was read within the last `CURRENT_MS`. @param key that of `useRead` */
export function readShared<T>(key: readonly unknown[], read: () => Promise<T>): Promise<T> {
  return queries.fetchQuery({ queryKey: keyOf(key), queryFn: read });
}

/** Reads all that is shown again, and drops what is not shown, because some of it could not be rendered. Resolves when the new data have come. */
export function readAgain(): Promise<void> {
  queries.removeQueries({ type: "inactive" });
  return invalidate();
}

/** Reads all that is shown again, because something was changed here. Resolves when the new data have come. */
export function invalidate(): Promise<void> {
  return queries.invalidateQueries();
}
