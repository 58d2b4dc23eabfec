import { useMemo, useState } from "preact/hooks";
import { locale } from "../../app/language.ts";
import { companyQuery } from "../../app/session.ts";
import { type ApiSchema, api } from "../../data/api.ts";
import { plant } from "../../data/plant.ts";
import { dayOf, weekdayName } from "../../domain/days.ts";
import {
  barsOf,
  breakFrom,
  type HoursTemplate,
  hoursTemplates,
  nextClockChange,
  type ShiftTemplate,
} from "../../domain/first-steps.ts";
import { FormEnd } from "../../form/form-end.tsx";
import { useMutation } from "../../form/use-mutation.ts";
import { start } from "../../texts/start.ts";
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
      <Week shifts={shifts} />
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

const COLUMN = 44;
const HOUR = 8;
const HEAD = 20;
const LEFT = 32;

/** The week as a picture: shifts as bars, breaks as gaps. */
function Week({ shifts }: { shifts: readonly ShiftTemplate[] }) {
  const columns = [0, 1, 2, 3, 4, 5, 6];
  return (
    <svg
      class="start-week"
      role="img"
      aria-label={t.week(shifts.map(textOf).join("; "))}
      viewBox={`0 0 ${LEFT + 7 * COLUMN} ${HEAD + 24 * HOUR + 6}`}
    >
      {[0, 6, 12, 18, 24].map((hour) => (
        <text key={hour} x={LEFT - 8} y={HEAD + hour * HOUR + 5} text-anchor="end">
          {String(hour).padStart(2, "0")}
        </text>
      ))}
      {columns.map((column) => (
        <g key={column}>
          <text x={LEFT + column * COLUMN + COLUMN / 2} y={13} text-anchor="middle">
            {weekdayName((column + 1) % 7, locale, "short")}
          </text>
          <rect class="closed" x={LEFT + column * COLUMN} y={HEAD} width={COLUMN - 4} height={24 * HOUR} />
        </g>
      ))}
      {barsOf(shifts).map(({ column, from, to, isBreak }) => (
        <rect
          key={`${column} ${from} ${isBreak}`}
          class={isBreak ? "break" : "shift"}
          x={LEFT + column * COLUMN}
          y={HEAD + from * HOUR + (isBreak ? 0 : 1)}
          width={COLUMN - 4}
          height={(to - from) * HOUR - (isBreak ? 0 : 2)}
        />
      ))}
    </svg>
  );
}
