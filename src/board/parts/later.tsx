import { useSignal } from "@preact/signals";
import { type ComponentType, h } from "preact";
import { useEffect } from "preact/hooks";

/** A component that is loaded only when it is first shown, and shows nothing until then. Its styles are among those of the view. */
export function later<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let loaded: ComponentType<P> | null = null;
  return function Later(props: P) {
    const Shown = useSignal(loaded);
    const failure = useSignal<unknown>(null);
    useEffect(() => {
      load()
        .then((component) => {
          loaded = component;
          Shown.value = component;
        })
        .catch((error) => {
          failure.value = error;
        });
    }, []);
    // The error boundary shows the error, and how to load the page again.
    if (failure.value !== null) throw failure.value;
    return Shown.value && h(Shown.value, props);
  };
}
