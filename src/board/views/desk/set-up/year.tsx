import "./year.css";
import { useMemo, useRef, useState } from "preact/hooks";
import { locale } from "../../../app/language.ts";
import { may } from "../../../data/may.ts";
import { formats } from "../../../data/plant.ts";
import { type DayKind, monthsOf, type YearDay, yearOf } from "../../../domain/calendar-year.ts";
import { addDays, dayOf, weekdayName } from "../../../domain/days.ts";
import { workingHours } from "../../../texts/working-hours.ts";
import { Body } from "../../../ui/body.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { useDesk } from "../desk-state.ts";
import { CopyWeek } from "./copy-week.tsx";
import { DayPanel, dayTitle } from "./day-panel.tsx";
import { type CalendarDay, useCalendarDays } from "./kinds.ts";

const t = workingHours.year;
const kinds: readonly DayKind[] = ["usual", "none", "closed", "other"];
/** By how many days the arrow keys go on. */
const keySteps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

type Day = YearDay<CalendarDay>;

/** The days of a year: which are closed, have other shifts, or change the clocks. Each can be opened and changed. */
export function Year() {
  const { setUp: plant } = useDesk();
  const today = dayOf(Date.now(), plant.timezone);
  const [year, setYear] = useState(Number(today.slice(0, 4)));
  const [focused, setFocused] = useState(today);
  const [open, setOpen] = useState<string | null>(null);
  const [isCopying, setCopying] = useState(false);
  const [said, say] = useState("");
  const box = useRef<HTMLDivElement>(null);
  const loaded = useCalendarDays();
  const entries = loaded.data ?? [];
  const days = useMemo(
    () => yearOf(year, { shifts: plant.shifts, entries, zone: plant.timezone }),
    [year, plant.shifts, plant.timezone, loaded.data],
  );
  const shown = days.find(({ day }) => day === open);
  // The one that the tabulator reaches: always one of the year.
  const stop = days.some(({ day }) => day === focused) ? focused : `${year}-01-01`;
  const count = (...some: DayKind[]) => days.filter(({ kind }) => some.includes(kind)).length;
  const show = (day: string | null) => {
    say("");
    setCopying(false);
    setOpen(day);
  };
  const copy = () => {
    show(null);
    setCopying(!isCopying);
  };
  const choose = (day: string) => {
    setFocused(day);
    show(day === open ? null : day);
  };
  const turn = (by: number) => {
    show(null);
    setYear(year + by);
  };
  const focus = (day: string) => {
    setFocused(day);
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(`[data-day="${day}"]`)?.focus());
  };
  const step = (event: KeyboardEvent) => {
    const by = keySteps[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const next = addDays(stop, by);
    if (next.startsWith(`${year}-`)) focus(next);
  };
  const end = (text: string | null) => {
    show(null);
    if (text !== null) say(text);
    focus(open ?? stop);
  };
  return (
    <section class="card" aria-label={String(year)} aria-busy={loaded.isStale}>
      <header class="card-head">
        <h2>{year}</h2>
        <p class="card-sub">{loaded.data && t.counts(count("closed"), count("usual", "other"))}</p>
        <p class="card-tools">
          {may("set-up:write") && (
            <button type="button" class="tool" aria-expanded={isCopying} onClick={copy}>
              {workingHours.copy.open}
            </button>
          )}
          <button type="button" class="tool" aria-label={t.earlier} onClick={() => turn(-1)}>
            <Icon name="before" />
          </button>
          <button type="button" class="tool" aria-label={t.later} onClick={() => turn(1)}>
            <Icon name="after" />
          </button>
        </p>
      </header>
      <Body loaded={loaded}>
        {may("set-up:write") && <p class="quiet">{t.hint}</p>}
        <p role="status">{said}</p>
        {isCopying && <CopyWeek entries={entries} source={focused} onEnd={end} />}
        {shown && <DayPanel key={shown.day} day={shown} onEnd={end} />}
        <div ref={box} class="year">
          {monthsOf(days, plant.weekStart).map((weeks, month) => (
            <Month key={month} {...{ weeks, today, stop, open }} onOpen={choose} onKey={step} />
          ))}
        </div>
        <Legend />
      </Body>
    </section>
  );
}

interface MonthProps {
  weeks: readonly (readonly (Day | null)[])[];
  today: string;
  /** The day that the tabulator reaches. */
  stop: string;
  open: string | null;
  onOpen(day: string): void;
  onKey(event: KeyboardEvent): void;
}

function Month({ weeks, today, stop, open, onOpen, onKey }: MonthProps) {
  const { weekStart } = useDesk().setUp;
  const first = weeks[0]?.find((one) => one !== null)?.day ?? "";
  const name = new Intl.DateTimeFormat(locale, { timeZone: "UTC", month: "long" }).format(Date.parse(first));
  return (
    <table class="month">
      <caption>{name}</caption>
      <thead>
        <tr>
          {[0, 1, 2, 3, 4, 5, 6].map((column) => {
            const weekday = (column + (weekStart === "monday" ? 1 : 0)) % 7;
            return (
              <th key={column} scope="col">
                <span class="unseen">{weekdayName(weekday, locale)}</span>
                <span aria-hidden="true">{weekdayName(weekday, locale, "short").slice(0, 2)}</span>
              </th>
            );
          })}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week, i) => (
          <tr key={i}>
            {week.map((one, column) => (
              <td key={column}>
                {one && (
                  <button
                    type="button"
                    class={dayClass(one)}
                    data-day={one.day}
                    tabIndex={one.day === stop ? 0 : -1}
                    aria-label={t.day(dayTitle(one.day), whatOf(one))}
                    aria-expanded={one.day === open}
                    aria-current={one.day === today ? "date" : undefined}
                    title={whatOf(one)}
                    onClick={() => onOpen(one.day)}
                    onKeyDown={onKey}
                  >
                    {Number(one.day.slice(8))}
                  </button>
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function dayClass({ kind, isPartly, isClockChange }: Pick<Day, "kind" | "isPartly" | "isClockChange">): string {
  return ["year-day", `is-${kind}`, isPartly && "is-partly", isClockChange && "is-clock"].filter(Boolean).join(" ");
}

function whatOf({ kind, isPartly, isClockChange }: Day): string {
  return [t.kinds[kind], isPartly && t.partly, isClockChange && t.clocks].filter(Boolean).join(", ");
}

function Legend() {
  const example = formats().number(7, 0);
  const plain = { kind: "usual", isPartly: false, isClockChange: false } as const;
  const marks = [
    ...kinds.map((kind) => ({ key: kind, text: t.kinds[kind], look: { ...plain, kind } })),
    { key: "partly", text: t.partly, look: { ...plain, isPartly: true } },
    { key: "clocks", text: t.clocks, look: { ...plain, isClockChange: true } },
  ];
  return (
    <ul class="year-legend">
      {marks.map(({ key, text, look }) => (
        <li key={key}>
          <span class={dayClass(look)} aria-hidden="true">
            {example}
          </span>{" "}
          {text}
        </li>
      ))}
    </ul>
  );
}
