import "./sheet-dialog.css";
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { floor } from "../../texts/floor.ts";
import { SaidBar } from "./said.tsx";

/** A dialog over the terminal. Escape and its close button close it. */
export function SheetDialog({ title, onClose, children }: { title: string; onClose(): void; children: ComponentChildren }) {
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
      class="floor-dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        <button type="button" class="act floor-close" aria-label={floor.close} onClick={onClose}>
          <span aria-hidden="true">×</span>
        </button>
      </header>
      <div class="floor-dialog-body">
        <SaidBar />
        {children}
      </div>
    </dialog>
  );
}
