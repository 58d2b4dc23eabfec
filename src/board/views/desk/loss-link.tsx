import type { BriefLoss } from "../../domain/brief.ts";
import { type DeskState, hrefOf } from "../../domain/desk-state.ts";
import { desk as t } from "../../texts/desk.ts";
import { lossName } from "../../ui/words.ts";
import { useDesk } from "./desk-state.ts";

export interface To {
  /** The state of the desk for a link: the shown day, with these changes. */
  to(changes: Partial<DeskState>): DeskState;
}

/** The name of a loss. */
export function lossText({ kind, cause, key }: BriefLoss): string {
  if (kind === "speed" || kind === "quality") return t.brief.parts[kind];
  return cause && key !== "/" ? lossName({ ...cause, isUnknown: false }) : t.losses.unknown;
}

/** The view in which losses of a kind are looked into. */
export const viewOf: Record<BriefLoss["kind"], Partial<DeskState>> = {
  planned: { tab: "losses" },
  stops: { tab: "losses" },
  speed: { tab: "hours" },
  quality: { tab: "losses" },
};

/**
 * Makes the link of a loss to the view that explains it: the losses for a cause, the day of the machine for stops without a cause. It is no
 * component, so that saved tables have its text.
 */
export function useLossLink(to: To["to"]) {
  const { setUp } = useDesk();
  return (loss: BriefLoss) => {
    const { kind, key, cause, mostly } = loss;
    const withoutCause: Partial<DeskState> = { tab: "day", ...(mostly && { machineId: mostly.id, lineId: null }) };
    const where = key === "/" ? withoutCause : { ...viewOf[kind], ...(cause && { cause: key }) };
    const at = mostly?.name && setUp.machines.length > 1 ? t.brief.mostly(mostly.name) : "";
    return (
      <a href={hrefOf(to(where))}>
        {lossText(loss)}
        {at}
      </a>
    );
  };
}
