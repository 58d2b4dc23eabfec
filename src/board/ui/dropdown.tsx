import "./control.css";
import "./dropdown.css";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface DropdownProps {
  /** The button's label for screen readers, and its tooltip. */
  label: string;
  /** The button's content, hidden from screen readers. */
  button: ComponentChildren;
  class: string;
  onToggle?(isOpen: boolean): void;
  children: ComponentChildren;
}

/** A sheet that a button opens. It closes with Escape, or when something else is clicked or gets the focus. */
export function Dropdown({ label, button, class: name, onToggle, children }: DropdownProps) {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = ({ target }: Event) => {
      // The clicked element may have been removed from the page.
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
      <summary class="control" title={label}>
        <span class="unseen">{label}</span>
        {button}
      </summary>
      <div class="dropdown-sheet">{children}</div>
    </details>
  );
}
