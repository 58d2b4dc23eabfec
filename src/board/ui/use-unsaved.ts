import { useEffect, useRef } from "preact/hooks";
import { markUnsaved } from "../app/unsaved.ts";

/** Has the user asked before a form with unsaved entries is left. */
export function useUnsaved(isUnsaved: boolean): void {
  const form = useRef(Symbol("form"));
  useEffect(() => {
    markUnsaved(form.current, isUnsaved);
    return () => markUnsaved(form.current, false);
  }, [isUnsaved]);
}
