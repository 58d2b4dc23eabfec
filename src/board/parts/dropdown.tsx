import "./control.css";
import "./dropdown.css";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface DropdownProps {
  /** What the button says to screen readers, and to the mouse. */
  label: string;
  /** What the button shows. */
  button: ComponentChildren;
  class: string;
  onToggle?(isOpen: boolean): void;
  children: ComponentChildren;
}

/** A sheet behind a button. It closes by Escape, and when something else is clicked or has the focus. */
export function Dropdown({ label, button, class: name, onToggle, children }: DropdownProps) {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = ({ target }: Event) => {
      // What was just clicked may be gone from the page.
      if (details.current && target instanceof Node && target.isConnected && !details.current.contains(target)) {
        details.current.open = false;
      }
    };
    for (const event of ["pointerdown", "focusin"]) addEventListener(event, close);
    return () => {
      for (const event of ["pointerdown", "focusin"]) removeEventListener(event, close);
    };
  }, []);
  return (
    <details
      class={`dropdown ${name}`}
      ref={details}
      onToggle={({ currentTarget }) => onToggle?.(currentTarget.open)}
      onKeyDown={({ key, currentTarget }) => {
        if (key !== "Escape") return;
        currentTarget.open = false;
        currentTarget.querySelector("summary")?.focus();
      }}
    >
      <summary class="control" aria-label={label} title={label}>
        {button}
      </summary>
      <div class="dropdown-sheet">{children}</div>
    </details>
  );
}
