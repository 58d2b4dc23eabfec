import "./plant-hours.css";
import { type ReadonlySignal, useSignal } from "@preact/signals";
import { serverNow } from "../../app/clock.ts";
import { api } from "../../data/api.ts";
import { formats } from "../../data/plant.ts";
import { EVEN_FROM } from "../../domain/extrapolate.ts";
import { maxOf } from "../../domain/extremes.ts";
import type { ProductionRow } from "../../domain/hours.ts";
import type { PlantNow } from "../../domain/plant-now.ts";
import { iso, MINUTE_MS } from "../../domain/time.ts";
import { type WallHour, wallHours } from "../../domain/wall-hours.ts";
import { wall } from "../../texts/wall.ts";
import { type Selection, selected, useReading } from "./reading.ts";

const READ_EVERY_MS = 2 * MINUTE_MS;
/** The heights of the drawing: of the target, and of the whole. */
const [TARGET, WHOLE] = [90, 100];
const STEP = 20;

interface PlantHoursProps extends Selection {
  plant: ReadonlySignal<PlantNow>;
}

/** The units of each hour of the shift as a share of its target, which is the line. */
export function PlantHours({ plant, lineIds, machineIds }: PlantHoursProps) {
  const { start = 0, end = 0 } = plant.value.shift ?? {};
  const rows = useSignal<readonly ProductionRow[] | null>(null);
  const query = { ...selected({ lineIds, machineIds }), interval: "hour" as const, from: iso(start), to: iso(end) };
  useReading(
    end === 0 ? null : `${start} ${end}`,
    READ_EVERY_MS,
    () => api("get", "/v1/production", { query }),
    ({ data }) => {
      rows.value = data;
    },
  );
  if (!rows.value || end === 0) return null;
  const hours = wallHours(rows.value, { start, end }, serverNow());
  const { time, number } = formats();
  const highest = maxOf([1, ...hours.map(shareOf)]);
  const heightOf = (hour: WallHour) => (TARGET * shareOf(hour)) / highest;
  const said = hours
    .filter(({ total }) => total !== null)
    .map(({ start: at, total, target }) => {
      return wall.ofTarget(time(at), number(total ?? 0), number(target));
    });
  return (
    <section class="hours">
      <h3>{wall.hours}</h3>
      <svg
        viewBox={`0 0 ${STEP * hours.length} ${WHOLE}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={[wall.hours, ...said].join(", ")}
      >
        {hours.map((hour, i) => (
          <rect
            key={hour.start}
            class={100 * shareOf(hour) < EVEN_FROM ? "hours-short" : "hours-made"}
            x={STEP * i + 1.5}
            y={WHOLE - heightOf(hour)}
            width={STEP - 3}
            height={heightOf(hour)}
          />
        ))}
        <rect class="hours-target" y={WHOLE - TARGET / highest} width={STEP * hours.length} height="3" />
      </svg>
      <ol aria-hidden="true">
        {hours.map((hour) => (
          <li key={hour.start}>{time(hour.start).slice(0, 2)}</li>
        ))}
      </ol>
    </section>
  );
}

function shareOf({ total, target }: WallHour): number {
  return total === null || target <= 0 ? 0 : total / target;
}
