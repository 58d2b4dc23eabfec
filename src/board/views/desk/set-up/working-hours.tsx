import { may } from "../../../data/may.ts";
import { setUp } from "../../../texts/set-up.ts";
import { workingHours as t } from "../../../texts/working-hours.ts";
import { Empty } from "../../../ui/body.tsx";
import { Week } from "../../../ui/week.tsx";
import { useDesk } from "../desk-state.ts";
import { Part } from "../part.tsx";
import { ItemForm } from "./item-form.tsx";
import { ChooseItem } from "./items.tsx";
import { ShiftWeek, shiftText } from "./shift-week.tsx";
import { Shifts } from "./shifts.tsx";
import { Versions } from "./versions.tsx";
import { Year } from "./year.tsx";

/** The working hours: the week, whose shifts are changed in a form or by dragging, the days of the year, and the shifts themselves. */
export function WorkingHours() {
  const { state, setUp: plant, go } = useDesk();
  const choices = plant.shifts.map(({ id, name }) => ({ id: String(id), name }));
  const chosen = choices.find(({ id }) => id === state.itemId) ?? choices[0];
  const mayChange = may("set-up:write");
  return (
    <>
      {!chosen && (
        <Empty title={t.none}>
          {mayChange && (
            <p>
              {t.noneHint} <a href="/start">{t.firstSteps}</a>.
            </p>
          )}
        </Empty>
      )}
      {choices.length > 1 && (
        <ChooseItem kind="shift" choices={choices} value={chosen?.id ?? ""} onChange={(itemId) => go({ itemId })} />
      )}
      {chosen && !mayChange && (
        <Part>
          <WeekCard />
        </Part>
      )}
      {chosen && (
        <Part>
          <ItemForm
            key={chosen.id}
            kind="shift"
            {...chosen}
            picture={({ item, draft, change }) => <ShiftWeek id={chosen.id} {...{ item, draft }} onChange={change} />}
          />
        </Part>
      )}
      <Part>
        <Year />
      </Part>
      <Part>
        <Shifts />
      </Part>
      {chosen && (
        <Part>
          <Versions key={chosen.id} kind="shift" id={chosen.id} />
        </Part>
      )}
    </>
  );
}

/** The week as a picture, for those who only read it. */
function WeekCard() {
  const { weekStart, shifts } = useDesk().setUp;
  const drawn = shifts.map((one) => ({ ...one, id: String(one.id) }));
  return (
    <section class="card" aria-label={t.week.title}>
      <header class="card-head">
        <h2>{t.week.title}</h2>
        <p class="card-sub">{setUp.kinds.shift}</p>
      </header>
      <Week shifts={drawn} weekStart={weekStart} label={t.week.label(drawn.map(shiftText).join("; "))} />
      <ul>
        {drawn.map((one) => (
          <li key={one.id}>{shiftText(one)}</li>
        ))}
      </ul>
    </section>
  );
}
