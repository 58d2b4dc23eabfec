import type { RevisionReason } from "../../db/values.ts";
import type { EditedBy } from "../../objects/machine-protocol.ts";

/** Why the rows of closed shifts are computed again. */
export interface Why {
  reasons: readonly RevisionReason[];
  /** The person who made the change; null: nobody did, or it is not known. */
  by: EditedBy | null;
}

/** The reason where no other is known. */
export const lateEvents: Why = { reasons: ["lateEvents"], by: null };

/** The reason where events came with an import, or it was undone. */
export const ofImport: Why = { reasons: ["import"], by: null };

/** The reason of what is done because of both. */
export function both(earlier: Why | undefined, later: Why): Why {
  if (!earlier) return later;
  return { reasons: [...new Set([...earlier.reasons, ...later.reasons])], by: later.by ?? earlier.by };
}
