import { useSignal } from "@preact/signals";
import { type ComponentType, h } from "preact";
import { useEffect } from "preact/hooks";
import { isReachable } from "../app/newer-version.ts";
import { waitAfter } from "../domain/backoff.ts";

/** After this many failures, the part is missing from a newer version of the page. */
const MOST_TRIES = 3;

/** What is thrown for a part that the service no longer has: this page is older than its version. */
export class MissingPart extends Error {
  override readonly name = "MissingPart";
}

/** Loads a part. Without network it tries again until it succeeds. @throws if the service answers, but does not have it */
async function loaded<T>(load: () => Promise<T>, failures = 0): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (failures >= MOST_TRIES && (await isReachable())) throw error;
    await new Promise((done) => setTimeout(done, waitAfter(failures + 1, Math.random())));
    return await loaded(load, failures + 1);
  }
}

/** A component that is loaded only when it is first shown, and shows nothing until then. Its styles are among those of the view. */
export function later<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let known: ComponentType<P> | null = null;
  return function Later(props: P) {
    const Shown = useSignal(known);
    const failure = useSignal<unknown>(null);
    useEffect(() => {
      loaded(load)
        .then((component) => {
          known = component;
          Shown.value = component;
        })
        .catch((error) => {
          failure.value = error;
        });
    }, []);
    // The error boundary shows the error, and loads the page again.
    if (failure.value !== null) throw new MissingPart(String(failure.value));
    return Shown.value && h(Shown.value, props);
  };
}
