import { useRef, useState } from "preact/hooks";
import { Refusal } from "../data/api.ts";
import { newKey } from "../data/new-key.ts";
import { invalidate } from "../data/query.ts";
import { reasonOf } from "../texts/common.ts";

/** Whether a change was refused because somebody else has changed the same since its ETag was read. */
export function isChangedMeanwhile(error: unknown): boolean {
  return error instanceof Refusal && error.status === 412;
}

export type Mutation = ReturnType<typeof useMutation>;

/**
 * Runs one change at a time, and then reads again all that is shown. A refused change keeps all entries and shows the API's reason.
 * @param onChanged called when the new data are shown
 */
export function useMutation(onChanged?: () => unknown) {
  return useWork(async () => {
    await invalidate();
    await onChanged?.();
  });
}

/** Runs one request at a time that changes nothing, such as a dry run. */
export function useTrial() {
  return useWork(async () => undefined);
}

function useWork(onDone: () => Promise<void>) {
  const [status, setStatus] = useState<{ isWaiting: boolean; isDone: boolean; error: unknown }>({
    ...{ isWaiting: false, isDone: false, error: null },
  });
  const key = useRef(newKey());
  const runs = useRef(0);
  return {
    ...status,
    /** The Idempotency-Key of a change: the same until the change is known to be done, so that it is done once. */
    key: key.current,
    reason: status.error === null ? null : reasonOf(status.error),
    /** Someone else has changed it since it was shown. */
    isOutdated: status.error instanceof Refusal && (status.error.status === 409 || status.error.status === 412),
    /** Forgets how the last change ended, because something else is to be changed now. */
    forget: () => {
      runs.current++;
      key.current = newKey();
      setStatus({ isWaiting: false, isDone: false, error: null });
    },
    async run(act: () => Promise<void>): Promise<void> {
      const number = ++runs.current;
      // How a run ended that was forgotten meanwhile is not shown.
      const show = (next: typeof status) => void (number === runs.current && setStatus(next));
      setStatus({ isWaiting: true, isDone: false, error: null });
      try {
        await act();
        key.current = newKey();
        await onDone();
        show({ isWaiting: false, isDone: true, error: null });
      } catch (error) {
        // A refused request was not carried out, so the next one may be different.
        if (error instanceof Refusal) key.current = newKey();
        show({ isWaiting: false, isDone: false, error });
      }
    },
  };
}
