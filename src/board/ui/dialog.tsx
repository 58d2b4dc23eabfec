import "./dialog.css";
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

interface DialogProps {
  title: string;
  /** Its size and what is particular to a view. */
  class?: string;
  /** Called by Escape, and by the close button if there is one. Undefined: the dialog stays until it is answered. */
  onClose?(): void;
  /** The accessible name of a close button beside the title. */
  close?: string;
  children: ComponentChildren;
}

/** A dialog above the page. When it is removed, the focus returns to where it was. */
export function Dialog({ title, class: name = "", onClose, close, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const { activeElement } = document;
    dialog.current?.showModal();
    // A dialog that is removed while it is open does not return the focus by itself.
    return () => (activeElement as HTMLElement | null)?.focus?.({ preventScroll: true });
  }, []);
  return (
    <dialog
      ref={dialog}
      class={`dialog ${name}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
    >
      <header class="dialog-head">
        <h2 id={id}>{title}</h2>
        {close !== undefined && (
          <button type="button" class="dialog-close" aria-label={close} onClick={onClose}>
            <span aria-hidden="true">×</span>
          </button>
        )}
      </header>
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}
