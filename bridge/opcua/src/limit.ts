/**
 * Waits for work of the library, which has no other bound.
 * @throws what the work throws; or that it took too long, or that the bridge ends
 */
export function within<T>(ms: number, abort: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => end(() => reject(new Error(`no answer in ${ms / 1000} s`))), ms);
    const onAbort = () => end(() => reject(new Error("the bridge ends")));
    const end = (settle: () => void) => {
      clearTimeout(timer);
      abort.removeEventListener("abort", onAbort);
      settle();
    };
    abort.addEventListener("abort", onAbort, { once: true });
    if (abort.aborted) onAbort();
    work.then(
      (result) => end(() => resolve(result)),
      (error: unknown) => end(() => reject(error)),
    );
  });
}

/** Waits, at most until the bridge ends. */
export function pause(ms: number, abort: AbortSignal): Promise<void> {
  return within(ms, abort, new Promise<void>(() => undefined)).catch(() => undefined);
}

/** Lists of at most so many. */
export function chunks<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) => list.slice(index * size, (index + 1) * size));
}
