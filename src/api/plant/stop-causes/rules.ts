import { type Fault, refusal } from "../../../core/problem.ts";
import { areUnchanged } from "../../../resource/queries.ts";
import { type RuleContext, type RuleInput, refuse, rule } from "../../../resource/rules.ts";
import { type StopCauseRow, selectCauseAndAbove, stopCauseTable } from "./queries.ts";

interface SentCause {
  parentId?: number | null;
  isProgrammed?: boolean | null;
  isIncludedInAvailability?: boolean | null;
}

/** The flags that a stop of this cause gets: the cause's own, or those of the general cause above a specific one. */
export function flagsOf(cause: StopCauseRow) {
  return {
    isProgrammed: cause.ownIsProgrammed ?? cause.generalIsProgrammed ?? false,
    isIncludedInAvailability: cause.ownIsIncludedInAvailability ?? cause.generalIsIncludedInAvailability ?? true,
  };
}

export const storeCause = rule(
  (db, { sent, owner }: RuleContext<SentCause>) => [selectCauseAndAbove(db, owner, sent.parentId ?? null)],
  ({ sent, before, next }: RuleInput<StopCauseRow, SentCause>, above) => {
    refuse(levelFaults(next));
    const own = {
      ownIsProgrammed: flagAfter(sent.isProgrammed, before?.ownIsProgrammed),
      ownIsIncludedInAvailability: flagAfter(sent.isIncludedInAvailability, before?.ownIsIncludedInAvailability),
    };
    if (next.parentId === before?.parentId) return { values: own };
    const parent = above.find(({ id }) => id === next.parentId);
    if (next.parentId !== null && (!parent || (next.level === "specific" && parent.level !== "general"))) {
      const message =
        next.level === "specific" ? "is not a general cause of this company" : "is not a stop cause of this company";
      refuse([{ pointer: "/parentId", code: "not_found", message }]);
    }
    if (above.some(({ id }) => id === next.id)) {
      throw refusal(409, [{ pointer: "/parentId", code: "cycle", message: "is the cause itself, or one below it" }]);
    }
    const general = next.level === "specific" ? parent : undefined;
    const inherited = {
      generalIsProgrammed: general?.ownIsProgrammed ?? null,
      generalIsIncludedInAvailability: general?.ownIsIncludedInAvailability ?? null,
    };
    return { values: { ...own, ...inherited }, expect: [areUnchanged(stopCauseTable, above)] };
  },
);

/** A flag after a write: the value in the request, or else the previous one. */
function flagAfter(sent: boolean | null | undefined, before: boolean | null = null): boolean | null {
  return sent === undefined ? before : sent;
}

function levelFaults({ level, parentId }: StopCauseRow): Fault[] {
  const pointer = "/parentId";
  if (level === "general" && parentId !== null) {
    return [{ pointer, code: "not_allowed", message: "is only for specific causes and components" }];
  }
  if (level === "specific" && parentId === null) {
    return [{ pointer, code: "required", message: "is required: the id of the general cause above it" }];
  }
  return [];
}
