import "./day-field.css";
import { useLayoutEffect, useRef } from "preact/hooks";
import { locale } from "../app/language.ts";
import { dayFrom, dayText } from "../domain/days.ts";
import { desk as t } from "../texts/desk.ts";
import { Icon } from "../ui/icon.tsx";

interface DayFieldProps {
  /** ISO date. */
  day: string;
  /** The last day that may be chosen, unless days to come may be, too. */
  today: string;
  isAhead?: boolean;
  /** What the day is, if it is not the day of the view. */
  label?: string;
  onChange(day: string): void;
}

/** A day, shown and typed in the page's language, with the browser's calendar behind a button. */
export function DayField({ day, today, isAhead = false, label = t.day, onChange }: DayFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const shown = dayText(day, locale);
  // What was typed is replaced when another day is shown, and stays otherwise.
  useLayoutEffect(() => {
    if (field.current) field.current.value = shown;
    tell("");
  }, [shown]);
  function tell(fault: string): void {
    field.current?.setCustomValidity(fault);
    field.current?.setAttribute("aria-invalid", String(fault !== ""));
  }
  function choose(text: string): void {
    const chosen = dayFrom(text, locale, today);
    if (chosen === null || (chosen > today && !isAhead)) {
      tell(chosen === null ? t.dayWrong(dayText(today, locale)) : t.dayLater(dayText(today, locale)));
      field.current?.reportValidity();
      return;
    }
    tell("");
    if (chosen !== day) onChange(chosen);
    else if (field.current) field.current.value = shown;
  }
  return (
    <span class="day-field">
      <input
        ref={field}
        class="control"
        type="text"
        autocomplete="off"
        aria-label={label}
        defaultValue={shown}
        onInput={() => tell("")}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <span class="day-pick">
        <Icon name="calendar" />
        {/* For the pointer alone: by keyboard the day is typed. */}
        <input
          type="date"
          aria-label={t.calendar}
          title={t.calendar}
          tabIndex={-1}
          value={day}
          max={isAhead ? undefined : today}
          onChange={({ currentTarget }) => {
            if (currentTarget.value) choose(currentTarget.value);
            field.current?.focus();
          }}
        />
      </span>
    </span>
  );
}
