import "./sheet-dialog.css";
import type { ComponentChildren } from "preact";
import { floor } from "../../texts/floor.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { SaidBar } from "./said.tsx";

/** A dialog over the terminal. Escape and its close button close it. */
export function SheetDialog({ title, onClose, children }: { title: string; onClose(): void; children: ComponentChildren }) {
  return (
    <Dialog title={title} class="floor-dialog" close={floor.close} onClose={onClose}>
      <SaidBar />
      {children}
    </Dialog>
  );
}
