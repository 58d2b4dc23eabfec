import { may } from "../../../data/may.ts";
import { formats } from "../../../data/plant.ts";
import { byDueDate, concerns, lossKeyOf } from "../../../domain/actions.ts";
import { addDays, daysOf } from "../../../domain/days.ts";
import { hasSpan } from "../../../domain/desk-state.ts";
import { actions as t } from "../../../texts/actions.ts";
import { dayName } from "../../../ui/words.ts";
import { actedOn } from "../acted-on.ts";
import { useDesk } from "../desk-state.ts";
import { useOpenActions } from "./data.ts";

/** How many actions about one loss are named beside it. */
const MOST_NAMED = 2;

interface ActOnProps {
  /** The key of the loss. */
  lossKey: string;
  /** Its name. */
  name: string;
}

/** The open actions about a loss that is shown, each a link, and a button for those who may act on it. */
export function ActOnLoss({ lossKey, name }: ActOnProps) {
  const { state, day, setUp } = useDesk();
  const { machineId, lineId } = state;
  function act(): void {
    const { first, after } = daysOf(hasSpan(state.tab) ? state.span : "day", day, setUp.weekStart);
    actedOn.value = { lossKey, name, machineId, lineId, days: { first, last: addDays(after, -1) } };
  }
  return (
    <span class="act-on">
      <OpenActions lossKey={lossKey} />
      {may("actions:write") && (
        <button type="button" class="tool" aria-label={t.actOnLoss(name)} onClick={act}>
          {t.actOn}
        </button>
      )}
    </span>
  );
}

/** The open actions about a loss that is shown, each a link; nothing if there are none. */
export function OpenActions({ lossKey }: Pick<ActOnProps, "lossKey">) {
  const { state, setUp, hrefWith } = useDesk();
  const about = (useOpenActions().data ?? []).filter(
    (action) => lossKeyOf(action) === lossKey && concerns(action, state, setUp.machines),
  );
  const hrefOf = (actionId: number | null) => hrefWith({ tab: "actions", actionId, ownerId: null, isOverdue: false });
  return (
    <>
      {byDueDate(about)
        .slice(0, MOST_NAMED)
        .map(({ id, owner, dueOn, isOverdue }) => (
          <a key={id} class={isOverdue ? "acted worse" : "acted"} href={hrefOf(id)}>
            {(isOverdue ? t.actedLate : t.acted)(owner.name ?? "", dayName(dueOn))}
          </a>
        ))}
      {about.length > MOST_NAMED && (
        <a class="acted" href={hrefOf(null)}>
          {t.more(formats().number(about.length - MOST_NAMED))}
        </a>
      )}
    </>
  );
}
