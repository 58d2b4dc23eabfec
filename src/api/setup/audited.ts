import type { AuditAction } from "../../core/audit.ts";
import type { Viewer } from "../widgets/queries.ts";
import type { SetUpRow } from "./queries.ts";
import type { Resource } from "./resource.ts";

/** What a write of the set-up is to the audit: `stop-cause.create`. */
export function actionOf({ noun }: { noun: string }, verb: "create" | "change" | "delete" | "unarchive"): AuditAction {
  return `${noun.toLowerCase().replaceAll(" ", "-")}.${verb}` as AuditAction;
}

/** A row as the audit keeps it: its item, and of what was sent and is never shown, that it was sent. */
export function auditedOf<Row extends SetUpRow>(
  resource: Resource<Row>,
  row: Row,
  viewer: Viewer,
  sent: Record<string, unknown> = {},
): Record<string, unknown> {
  const item = resource.toItem(row, viewer);
  const hidden = Object.keys(sent).filter((member) => !(member in item) && sent[member] !== undefined);
  return { ...(resource.toAudited?.(item, row) ?? item), ...Object.fromEntries(hidden.map((member) => [member, "(not shown)"])) };
}
