import { useEffect, useRef } from "preact/hooks";
import { BURST_GAP_MS, type Burst, badgeOf, burstWith } from "../../domain/key-burst.ts";

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/**
 * Calls back with the code of each badge that is read, wherever the focus is: the keys of a badge press no button, and leave the field that
 * has the focus as it was.
 */
export function useBadges(onBadge: (code: string) => void): void {
  const newest = useRef(onBadge);
  newest.current = onBadge;
  useEffect(() => {
    let burst: Burst | null = null;
    let before: { field: Field; value: string } | null = null;
    const end = (event: KeyboardEvent, field: Field | null) => {
      const code = badgeOf(burst, event.timeStamp, field !== null);
      burst = null;
      if (code === null) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (before) restore(before.field, before.value);
      newest.current(code);
    };
    const add = (event: KeyboardEvent, field: Field | null) => {
      burst = burstWith(burst, event.key, event.timeStamp);
      if (burst.text === event.key) before = field && { field, value: field.value };
      // A space in a badge's code would press the button that has the focus.
      else if (!field && event.key === " ") event.preventDefault();
    };
    const listen = (event: KeyboardEvent) => {
      const field = fieldOf(event.target);
      if (isSecret(field) || isShortcut(event)) burst = null;
      else if (event.key === "Enter") end(event, field);
      else if (event.key.length === 1) add(event, field);
      else if (event.key !== "Shift") burst = null;
    };
    addEventListener("keydown", listen, { capture: true });
    return () => removeEventListener("keydown", listen, { capture: true });
  }, []);
}

/** The time in which a digit may turn out to be the first of a badge. */
const ALONE_AFTER_MS = 2 * BURST_GAP_MS;
/** A second press of a digit in this time is a bounce of the first one. */
const BOUNCE_MS = 500;

/** Calls back for each digit from 1 to 8 that is pressed outside fields and dialogs, unless it belongs to a badge. */
export function useDigits(onDigit: (digit: number) => void, isOn: boolean): void {
  const now = useRef({ onDigit, isOn });
  now.current = { onDigit, isOn };
  useEffect(() => {
    let burst: Burst | null = null;
    let timer: number | undefined;
    const listen = (event: KeyboardEvent) => {
      const { key, target, timeStamp } = event;
      clearTimeout(timer);
      const isElsewhere = fieldOf(target) !== null || (target instanceof Element && target.closest("dialog") !== null);
      if (isElsewhere || isShortcut(event) || key.length !== 1) {
        burst = null;
        return;
      }
      const pressed = burstWith(burst, key, timeStamp);
      burst = pressed;
      // The same key twice at once is a bounce.
      if (!/^([1-8])\1?$/.test(pressed.text)) return;
      timer = window.setTimeout(() => {
        if (!now.current.isOn || timeStamp - lastDigitAt < BOUNCE_MS) return;
        lastDigitAt = timeStamp;
        now.current.onDigit(Number(key));
      }, ALONE_AFTER_MS);
    };
    addEventListener("keydown", listen);
    return () => {
      clearTimeout(timer);
      removeEventListener("keydown", listen);
    };
  }, []);
}

/** Outside the hook: the next question has a hook of its own, and a bounce must not answer it. */
let lastDigitAt = Number.NEGATIVE_INFINITY;

function fieldOf(target: EventTarget | null): Field | null {
  return target instanceof Element ? target.closest<Field>("input, textarea, select") : null;
}

function isShortcut({ ctrlKey, altKey, metaKey, repeat }: KeyboardEvent): boolean {
  return ctrlKey || altKey || metaKey || repeat;
}

/** Whether a field takes what is typed as it is: passwords come from managers, as fast as from a reader. */
function isSecret(field: Field | null): boolean {
  return field !== null && (field.type === "password" || field.type === "email");
}

function restore(field: Field, value: string): void {
  if (field.value === value) return;
  field.value = value;
  field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? "change" : "input", { bubbles: true }));
}
