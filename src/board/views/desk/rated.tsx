import "./rated.css";
import { formats } from "../../data/plant.ts";
import { hasOwnThresholds, type Rated, type Rating, ratingOf, thresholdsOf } from "../../domain/thresholds.ts";
import { desk as t } from "../../texts/desk.ts";
import { useDesk } from "./desk-state.ts";
import { shownMachines } from "./plant-data.ts";

const shapes: Record<Exclude<Rating, "watched">, string> = { bad: "M5 9 0 1h10z", good: "M5 1l5 8H0z" };

interface RatedProps {
  of: Rated;
  /** Null: it is not known. */
  value: number | null;
  decimals?: number;
  /** Whose thresholds it has; undefined: those of the chosen machine, or else of the company. */
  machineId?: number | undefined;
}

/** A percentage in the colour and with the shape of its thresholds. */
export function RatedPercent({ of, value, decimals = 0, machineId }: RatedProps) {
  const { setUp, state } = useDesk();
  if (value === null) return <>–</>;
  const id = machineId ?? state.machineId;
  const machine = setUp.machines.find((one) => one.id === id);
  const rating = ratingOf(value, thresholdsOf(of, setUp.company, machine), decimals);
  return (
    <span class={`rated rated-${rating}`} data-rating={rating}>
      {rating !== "watched" && <Shape rating={rating} />}
      {formats().percent(value, decimals)}
    </span>
  );
}

/** What the colours of OEE in a table mean. `isByMachine`: each row has the thresholds of its machine. */
export function RatedNote({ isByMachine = false }: { isByMachine?: boolean }) {
  const { setUp, state } = useDesk();
  const isOwn = isByMachine && state.machineId === null && hasOwnThresholds("oee", shownMachines(setUp, state));
  const machine = setUp.machines.find(({ id }) => id === state.machineId);
  const { badBelow, goodFrom } = thresholdsOf("oee", setUp.company, machine);
  const text = (share: number) => formats().percent(share, Number.isInteger(share) ? 0 : 1);
  return (
    <span class="rated-note">
      {t.thresholds.oee} <Shape rating="bad" /> {isOwn ? t.thresholds.bad : t.thresholds.below(text(badBelow))}{" "}
      <Shape rating="good" /> {isOwn ? t.thresholds.byMachine : t.thresholds.from(text(goodFrom))}
    </span>
  );
}

function Shape({ rating }: { rating: keyof typeof shapes }) {
  return (
    <svg class={`rated-shape rated-${rating}`} viewBox="0 0 10 10" role="img" aria-label={t.thresholds[rating]}>
      <path d={shapes[rating]} />
    </svg>
  );
}
