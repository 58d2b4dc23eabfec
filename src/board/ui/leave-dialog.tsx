import { answerLeaving } from "../app/unsaved.ts";
import { common } from "../texts/common.ts";
import { Dialog } from "./dialog.tsx";

/** Asks whether a form is left although its entries are not saved. */
export function LeaveDialog() {
  return (
    <Dialog title={common.leaveTitle} onClose={() => answerLeaving(false)}>
      <p class="dialog-buttons">
        <button type="button" class="button primary" onClick={() => answerLeaving(false)}>
          {common.stay}
        </button>
        <button type="button" class="button" onClick={() => answerLeaving(true)}>
          {common.leave}
        </button>
      </p>
    </Dialog>
  );
}
