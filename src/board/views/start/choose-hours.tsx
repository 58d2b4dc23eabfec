import { useMemo, useState } from "preact/hooks";
import { locale } from "../../app/language.ts";
import { companyQuery } from "../../app/session.ts";
import { api } from "../../data/api.ts";
import { plant } from "../../data/plant.ts";
import { dayOf } from "../../domain/days.ts";
import {
  breakFrom,
  type HoursTemplate,
  hoursTemplates,
  nextClockChange,
  type ShiftTemplate,
  withEdge,
} from "../../domain/first-steps.ts";
import { axisOf, blocksOf, firstColumns } from "../../domain/week.ts";
import { FormEnd } from "../../form/form-end.tsx";
import { useMutation } from "../../form/use-mutation.ts";
import { start } from "../../texts/start.ts";
import { Week } from "../../ui/week.tsx";
import { WeekEdge } from "../../ui/week-edge.tsx";

const t = start.hours;

/** Working hours to choose from, drawn as a week in which their edges are moved. */
export function ChooseHours() {
  const [chosen, choose] = useState<HoursTemplate>("two");
  const [shifts, setShifts] = useState<readonly ShiftTemplate[]>(hoursTemplates.two);
  const work = useMutation();
  const use = () =>
    work.run(async () => {
      for (const [i, { name, start: from, end, days, breakAt }] of shifts.entries()) {
        const breaks = breakAt === null ? [] : [{ name: t.break, ...breakFrom(breakAt) }];
        const body = { ...companyQuery(), name: t.names[name], start: from, end, days: [...days], breaks };
        // With the key of an earlier try a shift that was stored then is not stored again.
        await api("post", "/v1/shifts", { body, idempotencyKey: `${work.key}-${i}` });
      }
    });
  const weekStart = plant.value?.weekStart ?? "monday";
  const drawn = shifts.map((shift) => ({
    ...shift,
    id: shift.name,
    breaks: shift.breakAt === null ? [] : [breakFrom(shift.breakAt)],
  }));
  // Of the template: the columns stay where they are while an edge is dragged.
  const axis = axisOf(hoursTemplates[chosen]);
  const firsts = firstColumns(blocksOf(drawn, axis, weekStart));
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
            <input
              type="radio"
              name="hours"
              checked={one === chosen}
              onChange={() => {
                choose(one);
                setShifts(hoursTemplates[one]);
              }}
            />
            <span>{t.templates[one]}</span>
          </label>
        ))}
      </fieldset>
      <Week shifts={drawn} axis={axis} weekStart={weekStart} label={t.week(shifts.map(textOf).join("; "))}>
        {(block) =>
          (["start", "end"] as const).map(
            (edge) =>
              block[edge === "start" ? "hasStart" : "hasEnd"] && (
                <WeekEdge
                  key={edge}
                  edge={edge}
                  label={t.edges[edge](t.names[block.shift.name])}
                  shift={block.shift}
                  isNamed={firsts.get(`${block.shift.id} ${edge}`) === block.column}
                  onMove={(times) => setShifts(withEdge(shifts, block.shift.name, edge, times[edge] ?? block.shift[edge]))}
                />
              ),
          )
        }
      </Week>
      <p class="quiet">{t.drag}</p>
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
