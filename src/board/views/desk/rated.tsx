import "./rated.css";
import { formats } from "../../data/plant.ts";
import { hasOwnThresholds, type Rated, type Rating, ratingOf, thresholdsOf } from "../../domain/thresholds.ts";
import { desk as t } from "../../texts/desk.ts";
import { useDesk } from "./desk-state.ts";
import { shownMachines } from "./plant-data.ts";

const shapes: Record<Exclude<Rating, "watched">, string> = { bad: "M5 9 0 1h10z", good: "M5 1l5 8H0z" };

/** The thresholds of a machine, and percentages that show how they compare with them. Without a `machineId`: those of the machine the desk shows, or of the company if it shows several. */
export function useRated() {
  const { setUp, state } = useDesk();
  const thresholds = (of: Rated, machineId = state.machineId) => {
    const machine = setUp.machines.find(({ id }) => id === machineId);
    return thresholdsOf(of, setUp.company, machine);
  };
  return {
    thresholds,
    /** A percentage with a colour and a shape for low or good. It is no component, so that saved tables have its text. `value` null: it is not known. */
    rated(of: Rated, value: number | null, decimals = 0, machineId?: number) {
      if (value === null) return "–";
      const rating = ratingOf(value, thresholds(of, machineId), decimals);
      return (
        <span class={`rated rated-${rating}`} data-rating={rating}>
          {rating !== "watched" && shapeOf(rating)}
          {formats().percent(value, decimals)}
        </span>
      );
    },
  };
}

/** A threshold, which has one decimal at most. */
export function thresholdText(share: number): string {
  return formats().percent(share, Number.isInteger(share) ? 0 : 1);
}

/** What the colours of OEE in a table mean. `isByMachine`: each row has the thresholds of its machine. */
export function RatedNote({ isByMachine = false }: { isByMachine?: boolean }) {
  const { setUp, state } = useDesk();
  const { badBelow, goodFrom } = useRated().thresholds("oee");
  const isOwn = isByMachine && state.machineId === null && hasOwnThresholds("oee", shownMachines(setUp, state));
  return (
    <span class="rated-note">
      {t.thresholds.oee} {shapeOf("bad")} {isOwn ? t.thresholds.bad : t.thresholds.below(thresholdText(badBelow))}{" "}
      {shapeOf("good")} {isOwn ? t.thresholds.byMachine : t.thresholds.from(thresholdText(goodFrom))}
    </span>
  );
}

function shapeOf(rating: keyof typeof shapes) {
  return (
    <svg class={`rated-shape rated-${rating}`} viewBox="0 0 10 10" role="img" aria-label={t.thresholds[rating]}>
      <path d={shapes[rating]} />
    </svg>
  );
}
