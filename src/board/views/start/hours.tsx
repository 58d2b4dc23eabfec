import { useMemo, useState } from "preact/hooks";
import { locale } from "../../app/language.ts";
import { companyQuery } from "../../app/session.ts";
import { type ApiSchema, api } from "../../data/api.ts";
import { plant } from "../../data/plant.ts";
import { dayOf } from "../../domain/days.ts";
import { breakFrom, type HoursTemplate, hoursTemplates, nextClockChange, type ShiftTemplate } from "../../domain/first-steps.ts";
import { FormEnd } from "../../form/form-end.tsx";
import { useMutation } from "../../form/use-mutation.ts";
import { start } from "../../texts/start.ts";
import { Week } from "../../ui/week.tsx";
import { Step } from "./step.tsx";

const t = start.hours;

/** The shifts of the plant: what there is, or templates to choose from. */
export function WorkingHours({ shifts }: { shifts: readonly ApiSchema<"Shift">[] }) {
  const isDone = shifts.length > 0;
  const known = shifts.map(({ name, start: from, end }) => `${name} ${from}–${end}`).join(", ");
  return (
    <Step id="hours" title={t.title} isDone={isDone} {...(isDone && { hint: known })}>
      {!isDone && <Choose />}
    </Step>
  );
}

function Choose() {
  const [chosen, choose] = useState<HoursTemplate>("two");
  const work = useMutation();
  const shifts: readonly ShiftTemplate[] = hoursTemplates[chosen];
  const use = () =>
    work.run(async () => {
      for (const [i, { name, start: from, end, days, breakAt }] of shifts.entries()) {
        const breaks = breakAt === null ? [] : [{ name: t.break, ...breakFrom(breakAt) }];
        const body = { ...companyQuery(), name: t.names[name], start: from, end, days: [...days], breaks };
        // With the key of an earlier try a shift that was stored then is not stored again.
        await api("post", "/v1/shifts", { body, idempotencyKey: `${work.key}-${i}` });
      }
    });
  const zone = plant.value?.timezone ?? "UTC";
  const clocks = useMemo(() => nextClockChange(zone, dayOf(Date.now(), zone)), [zone]);
  const dayText = (day: string) =>
    new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }).format(Date.parse(day));
  return (
    <form
      class="form"
      aria-label={t.title}
      onSubmit={(event) => {
        event.preventDefault();
        void use();
      }}
    >
      <fieldset>
        <legend class="quiet">{t.hint}</legend>
        {(Object.keys(hoursTemplates) as HoursTemplate[]).map((one) => (
          <label key={one} class="choice">
            <input type="radio" name="hours" checked={one === chosen} onChange={() => choose(one)} />
            <span>{t.templates[one]}</span>
          </label>
        ))}
      </fieldset>
      <Week
        shifts={shifts.map((shift) => ({
          ...shift,
          id: shift.name,
          breaks: shift.breakAt === null ? [] : [breakFrom(shift.breakAt)],
        }))}
        weekStart={plant.value?.weekStart ?? "monday"}
        label={t.week(shifts.map(textOf).join("; "))}
      />
      <ul>
        {shifts.map((shift) => (
          <li key={shift.name}>{textOf(shift)}</li>
        ))}
      </ul>
      <p class="quiet">{clocks === null ? t.noClocks : t.clocks(dayText(clocks))}</p>
      <FormEnd reason={work.reason} label={work.isWaiting ? t.using : t.use} isDisabled={work.isWaiting} isPrimary />
    </form>
  );
}

function textOf({ name, start: from, end, days, breakAt }: ShiftTemplate): string {
  const line = t.line(t.names[name], `${from}–${end}`, days.length === 7 ? t.everyDay : t.workdays);
  if (breakAt === null) return line;
  const { start: at, end: until } = breakFrom(breakAt);
  return `${line}, ${t.breakAt(at, until)}`;
}
