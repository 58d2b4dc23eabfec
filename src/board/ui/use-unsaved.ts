import { useEffect, useRef } from "preact/hooks";
import { markUnsaved } from "../app/unsaved.ts";

/** Has the page ask before a form is left that has entries which are not saved. */
export function useUnsaved(isUnsaved: boolean): void {
  const form = useRef(Symbol("form"));
  useEffect(() => {
    markUnsaved(form.current, isUnsaved);
    return () => markUnsaved(form.current, false);
  }, [isUnsaved]);
}
