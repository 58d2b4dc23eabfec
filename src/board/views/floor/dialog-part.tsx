import type { ComponentChildren } from "preact";
import { Boundary } from "../../ui/boundary.tsx";
import { SheetDialog } from "./sheet-dialog.tsx";

/** A dialog that says so if what is in it fails. */
export function DialogPart({ title, onClose, children }: { title: string; onClose(): void; children: ComponentChildren }) {
  return <Boundary frame={(sentence) => <SheetDialog {...{ title, onClose }}>{sentence}</SheetDialog>}>{children}</Boundary>;
}
