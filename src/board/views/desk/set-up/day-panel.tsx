import { useEffect, useRef, useState } from "preact/hooks";
import { locale } from "../../../app/language.ts";
import { companyQuery } from "../../../app/session.ts";
import { api } from "../../../data/api.ts";
import { may } from "../../../data/may.ts";
import type { YearDay } from "../../../domain/calendar-year.ts";
import { dayOf, dayText, weekdayName, weekdayOf } from "../../../domain/days.ts";
import { shiftsOn } from "../../../domain/shifts.ts";
import { clockChangeOn } from "../../../domain/working-hours.ts";
import { Refused } from "../../../form/form-end.tsx";
import { useMutation } from "../../../form/use-mutation.ts";
import { workingHours } from "../../../texts/working-hours.ts";
import { useDesk } from "../desk-state.ts";
import { CalendarDayForm } from "./calendar-day-form.tsx";
import { Remove } from "./calendar-days.tsx";
import { scopeName, whatText } from "./day-text.ts";
import { type CalendarDay, deleteDay } from "./kinds.ts";

const t = workingHours.day;

type Open = { does: "close" | "other" } | { does: "change" | "remove"; entry: CalendarDay };

interface DayPanelProps {
  day: YearDay<CalendarDay>;
  /** @param text what was done; null: nothing */
  onEnd(text: string | null): void;
}

/**
 * A day of the year, with what holds on it. A day to come is closed, and opened again, at once; what changes the past or the running day is
 * tried first.
 */
export function DayPanel({ day: { day, kind, entries }, onEnd }: DayPanelProps) {
  const { setUp: plant } = useDesk();
  const [open, setOpen] = useState<Open | null>(null);
  const isAhead = day > dayOf(Date.now(), plant.timezone);
  const title = dayTitle(day);
  const own = entries.find(({ scope }) => scope === "company");
  const change = clockChangeOn(day, plant.timezone);
  const done = useRef("");
  const work = useMutation(() => onEnd(done.current));
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.querySelector<HTMLElement>("button")?.focus(), []);
  const close = () => {
    if (!isAhead) return setOpen({ does: "close" });
    done.current = t.closed(title);
    const body = { ...companyQuery(), date: day, scope: "company" as const, closed: true as const };
    void work.run(async () => void (await api("post", "/v1/calendar-days", { body, idempotencyKey: work.key })));
  };
  const reopen = (entry: CalendarDay) => {
    if (!isAhead) return setOpen({ does: "remove", entry });
    done.current = t.opened(title);
    void work.run(async () => void (await deleteDay(entry, { idempotencyKey: work.key })));
  };
  const end = (text: string) => (isDone: boolean) => (isDone ? onEnd(text) : setOpen(null));
  const usual = shiftsOn(plant.shifts, day).map(({ name, start, end: until }) => `${name} ${start}–${until}`);
  return (
    <section ref={box} class="year-open" aria-label={title}>
      <h3>{title}</h3>
      {entries.map((entry) => (
        <p key={entry.id}>
          {scopeName(entry, plant)}: {whatText(entry, plant)}
        </p>
      ))}
      {!own && <p>{usual.length > 0 ? t.usual(usual.join(", ")) : t.none}</p>}
      {change && <p>{t.clocks(change.from, change.to)}</p>}
      {may("set-up:write") && open === null && (
        <p class="form-buttons">
          {own ? (
            <button type="button" class="button" disabled={work.isWaiting} onClick={() => reopen(own)}>
              {work.isWaiting ? t.opening : t.open}
            </button>
          ) : (
            kind !== "none" && (
              <button type="button" class="button" disabled={work.isWaiting} onClick={close}>
                {work.isWaiting ? t.closing : t.close}
              </button>
            )
          )}
          {entries.map((entry) => {
            const name = scopeName(entry, plant);
            return (
              <>
                <button
                  type="button"
                  class="button"
                  aria-label={t.of(t.change, name)}
                  onClick={() => setOpen({ does: "change", entry })}
                >
                  {entries.length > 1 ? t.of(t.change, name) : t.change}
                </button>
                {entry !== own && (
                  <button type="button" class="button" onClick={() => setOpen({ does: "remove", entry })}>
                    {t.of(t.remove, name)}
                  </button>
                )}
              </>
            );
          })}
          <button type="button" class="button" onClick={() => setOpen({ does: "other" })}>
            {t.other}
          </button>
          <button type="button" class="button" onClick={() => onEnd(null)}>
            {t.done}
          </button>
        </p>
      )}
      <Refused reason={work.reason} />
      {(open?.does === "close" || open?.does === "other") && (
        <CalendarDayForm
          key={open.does}
          day={null}
          first={{ date: day, isClosed: open.does === "close" }}
          onEnd={end(open.does === "close" ? t.closed(title) : t.entered(title))}
        />
      )}
      {open?.does === "change" && <CalendarDayForm key={open.entry.id} day={open.entry} onEnd={end(t.entered(title))} />}
      {open?.does === "remove" && <Remove key={open.entry.id} day={open.entry} onEnd={end(t.opened(title))} />}
    </section>
  );
}

/** A day in words, with its weekday. */
export function dayTitle(day: string): string {
  return `${weekdayName(weekdayOf(day), locale, "short")} ${dayText(day, locale)}`;
}
