import type { ComponentChildren } from "preact";
import { actions as t } from "../../../texts/actions.ts";
import { dayName } from "../../../ui/words.ts";
import type { Action } from "./data.ts";

/** When an action is due; overdue ones have a word and a colour. */
export function DueText({ action: { dueOn, isOverdue } }: { action: Pick<Action, "dueOn" | "isOverdue"> }): ComponentChildren {
  return isOverdue ? <span class="worse">{t.late(dayName(dueOn))}</span> : dayName(dueOn);
}
