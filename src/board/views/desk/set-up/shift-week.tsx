import "./shift-week.css";
import { useMemo } from "preact/hooks";
import { locale } from "../../../app/language.ts";
import { formats } from "../../../data/plant.ts";
import { dayOf, dayText, type WeekStart, weekdayOf } from "../../../domain/days.ts";
import { nextClockChange } from "../../../domain/first-steps.ts";
import { decimalsOf } from "../../../domain/formats.ts";
import type { Members, TypedBreak } from "../../../domain/set-up.ts";
import { axisOf, type Block, blocksOf, firstColumns, minutesOf } from "../../../domain/week.ts";
import { clockChangeOn, type Edge, hoursAWeek, runningAt } from "../../../domain/working-hours.ts";
import { workingHours } from "../../../texts/working-hours.ts";
import { type DrawnShift, Week } from "../../../ui/week.tsx";
import { WeekEdge } from "../../../ui/week-edge.tsx";
import { useDesk } from "../desk-state.ts";
import { weekdayText } from "./field-input.tsx";

const t = workingHours.week;
interface ShiftWeekProps {
  id: string;
  /** The shift as it is, and what is typed into its form. */
  item: Members;
  draft: Members;
  /** Fills fields of the form. */
  onChange(changes: Members): void;
}

/** The week of the plant with the shift that a form changes: its edges can be moved, and what they were is dotted. */
export function ShiftWeek({ id, item, draft, onChange }: ShiftWeekProps) {
  const { setUp, hrefWith } = useDesk();
  const { weekStart } = setUp;
  const saved = { ...(item as Omit<DrawnShift, "id">), id };
  const shown = drawnOf(saved, draft);
  const others = setUp.shifts.filter((one) => String(one.id) !== id).map((one) => ({ ...one, id: String(one.id) }));
  const shifts: DrawnShift[] = [...others, shown];
  // Of the saved times: the columns stay where they are while an edge is dragged.
  const axis = axisOf([...others, saved]);
  const firsts = firstColumns(blocksOf(shifts, axis, weekStart));
  const isFirst = (edge: Edge, { shift, column }: Block<DrawnShift>) => firsts.get(`${shift.id} ${edge}`) === column;
  const marks = marksOf(saved, shown, axis, weekStart);
  const [before, after] = [hoursAWeek([...others, saved]), hoursAWeek(shifts)];
  const hours = (value: number) => formats().number(value, decimalsOf(Number(value.toFixed(2))));
  return (
    <>
      <Week
        shifts={shifts}
        axis={axis}
        weekStart={weekStart}
        label={t.label(shifts.map(shiftText).join("; "))}
        {...{ marks }}
        chosenId={id}
      >
        {(block) => {
          const { shift, hasStart, hasEnd } = block;
          const text = hasStart && (
            <>
              <strong>{shift.name}</strong> <span>{`${shift.start}–${shift.end}`}</span>
            </>
          );
          if (shift.id !== id) {
            // One link a shift is enough for the keyboard.
            const isNamed = hasStart && isFirst("start", block);
            return (
              <a
                class="week-name"
                href={hrefWith({ itemId: shift.id })}
                tabIndex={isNamed ? 0 : -1}
                aria-label={shiftText(shift)}
              >
                {text}
              </a>
            );
          }
          return (
            <>
              <span class="week-name">{text}</span>
              {hasStart && (
                <WeekEdge
                  edge="start"
                  label={t.start(shift.name)}
                  shift={shift}
                  isNamed={isFirst("start", block)}
                  onMove={onChange}
                />
              )}
              {hasEnd && (
                <WeekEdge edge="end" label={t.end(shift.name)} shift={shift} isNamed={isFirst("end", block)} onMove={onChange} />
              )}
            </>
          );
        }}
      </Week>
      <p class="quiet">
        {t.hint} {marks.length > 0 && t.asNow}
      </p>
      <p role="status">{before === after ? t.hours(hours(before)) : t.hoursThen(hours(before), hours(after))}</p>
      <Clocks shifts={shifts} />
    </>
  );
}

/** The shift as its form says; what cannot be read is as it is. */
function drawnOf(saved: DrawnShift, draft: Members): DrawnShift {
  const clock = (typed: unknown, known: string) => (minutesOf(String(typed)) === null ? known : String(typed).trim());
  const breaks = (draft.breaks as TypedBreak[]).filter(({ start, end }) => minutesOf(start) !== null && minutesOf(end) !== null);
  return {
    ...saved,
    start: clock(draft.start, saved.start),
    end: clock(draft.end, saved.end),
    days: draft.days as string[],
    breaks,
  };
}

/** In words, for those who do not see the picture. */
export function shiftText({ name, start, end, days }: DrawnShift): string {
  return t.shift(name, `${start}–${end}`, days.map(weekdayText).join(" "));
}

/** Where the edges that were moved are until the change is made. */
function marksOf(saved: DrawnShift, shown: DrawnShift, axis: number, weekStart: WeekStart): { column: number; at: number }[] {
  return blocksOf([saved], axis, weekStart).flatMap(({ column, from, to, hasStart, hasEnd }) => [
    ...(hasStart && saved.start !== shown.start ? [{ column, at: from }] : []),
    ...(hasEnd && saved.end !== shown.end ? [{ column, at: to }] : []),
  ]);
}

/** When the clocks change next, and which shift runs then. */
function Clocks({ shifts }: { shifts: readonly DrawnShift[] }) {
  const { timezone } = useDesk().setUp;
  const [day, change] = useMemo(() => {
    const found = nextClockChange(timezone, dayOf(Date.now(), timezone));
    return [found, found === null ? null : clockChangeOn(found, timezone)] as const;
  }, [timezone]);
  if (day === null || change === null) return <p class="quiet">{t.noClocks}</p>;
  const names = runningAt(shifts, weekdayOf(day), change.from);
  return (
    <p class="quiet">
      {t.clocks(dayText(day, locale), change.from, change.to)} {names.length > 0 ? t.runs(names.join(", ")) : t.noneRuns}
    </p>
  );
}
