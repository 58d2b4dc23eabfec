import { useEffect } from "preact/hooks";
import { companyQuery } from "../../app/session.ts";
import { waitAfter } from "../../domain/backoff.ts";
import type { WallOptions } from "../../domain/wall-options.ts";

/** The machines of a wall. */
export type Selection = Pick<WallOptions, "lineIds" | "machineIds">;

/** The machines of a wall, as members of a query. */
export function selected({ lineIds, machineIds }: Selection) {
  return {
    ...companyQuery(),
    ...(lineIds.length > 0 && { lineIds: [...lineIds] }),
    ...(machineIds.length > 0 && { machineIds: [...machineIds] }),
  };
}

/**
 * Reads something at once and then again and again, while the component is there and `key` stays the same. After a failure it is read sooner: the line at
 * the bottom shows a broken connection, and what was read stays. An answer that comes too late is dropped.
 * @param key what the request depends on; null: nothing is read
 */
export function useReading<T>(key: string | null, everyMs: number, read: () => Promise<T>, take: (found: T) => void): void {
  useEffect(() => {
    if (key === null) return;
    let timer: number | undefined;
    let isGone = false;
    const next = async (failures: number) => {
      const found = await read().then(
        (answer) => ({ answer }),
        () => null,
      );
      if (isGone) return;
      if (found) take(found.answer);
      // Walls that were switched on together do not ask together.
      const wait = found ? everyMs * (0.9 + 0.2 * Math.random()) : waitAfter(failures + 1, Math.random());
      timer = window.setTimeout(() => void next(found ? 0 : failures + 1), wait);
    };
    void next(0);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [key]);
}
