import "./week.css";
import type { ComponentChildren } from "preact";
import { locale } from "../app/language.ts";
import { type WeekStart, weekdayName } from "../domain/days.ts";
import { axisOf, type Block, blocksOf, clockOf, type WeekShift } from "../domain/week.ts";

const HOURS = 24;
const MINUTES = HOURS * 60;
/** Between the hours at the side. */
const LABEL_HOURS = 2;

/** A shift that is drawn. */
export interface DrawnShift extends WeekShift {
  id: string;
  name: string;
}

interface WeekProps<S extends DrawnShift> {
  shifts: readonly S[];
  weekStart: WeekStart;
  /** The minutes since midnight at which the columns begin. Left out: as suits the shifts. */
  axis?: number;
  /** The week in words. */
  label: string;
  /** Where each column has a mark, in minutes since its begin. */
  marks?: readonly { column: number; at: number }[];
  /** The shift that is changed. */
  chosenId?: string;
  /** What stands in a block, and can be used. Undefined: the week is a picture. */
  children?(block: Block<S>): ComponentChildren;
}

/** A week: a column for each day, shifts as blocks, breaks as gaps in them. */
export function Week<S extends DrawnShift>({
  shifts,
  weekStart,
  axis = axisOf(shifts),
  label,
  marks = [],
  chosenId,
  children,
}: WeekProps<S>) {
  const blocks = blocksOf(shifts, axis, weekStart);
  const labels = Array.from({ length: HOURS / LABEL_HOURS + 1 }, (_, i) => i * LABEL_HOURS * 60);
  const named = { role: children ? ("group" as const) : ("img" as const), "aria-label": label };
  return (
    <div class={children ? "week is-large" : "week"} {...named}>
      <div class="week-hours" aria-hidden="true">
        {labels.map((at) => (
          <span key={at} style={{ top: percent(at) }}>
            {clockOf(axis + at).slice(0, 2)}
          </span>
        ))}
      </div>
      {[0, 1, 2, 3, 4, 5, 6].map((column) => (
        <div key={column} class="week-day">
          <p aria-hidden="true">{weekdayName((column + (weekStart === "monday" ? 1 : 0)) % 7, locale, "short")}</p>
          <div class="week-column">
            {blocks
              .filter((block) => block.column === column)
              .map((block) => (
                <div
                  key={`${block.shift.id} ${block.hasStart}`}
                  class={blockClass(block, chosenId)}
                  style={{
                    top: percent(block.from),
                    height: percent(block.to - block.from),
                    left: `${(block.lane / block.lanes) * 100}%`,
                    width: `${100 / block.lanes}%`,
                  }}
                >
                  {block.gaps.map((gap) => (
                    <span
                      key={gap.from}
                      class="week-break"
                      style={{
                        top: percent(gap.from - block.from, block.to - block.from),
                        height: percent(gap.to - gap.from, block.to - block.from),
                      }}
                    />
                  ))}
                  {children?.(block)}
                </div>
              ))}
            {marks
              .filter((mark) => mark.column === column)
              .map(({ at }) => (
                <span key={at} class="week-mark" style={{ top: percent(at) }} />
              ))}
          </div>
        </div>
      ))}
    </div>
  );
}

function blockClass<S extends DrawnShift>({ shift, hasStart, hasEnd }: Block<S>, chosenId: string | undefined): string {
  const parts = ["week-block"];
  if (shift.id === chosenId) parts.push("is-chosen");
  if (!hasStart) parts.push("is-cut-above");
  if (!hasEnd) parts.push("is-cut-below");
  return parts.join(" ");
}

function percent(minutes: number, of = MINUTES): string {
  return `${(minutes / of) * 100}%`;
}
