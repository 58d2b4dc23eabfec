import { useState } from "preact/hooks";
import { locale } from "../../../app/language.ts";
import { may } from "../../../data/may.ts";
import { useSteps } from "../../../data/paged.ts";
import { invalidate, useRead } from "../../../data/query.ts";
import { inOrder } from "../../../domain/calendar.ts";
import { dayOf, dayText } from "../../../domain/days.ts";
import { FormEnd } from "../../../form/form-end.tsx";
import { isChangedMeanwhile, useMutation } from "../../../form/use-mutation.ts";
import { desk } from "../../../texts/desk.ts";
import { setUp } from "../../../texts/set-up.ts";
import { Body } from "../../../ui/body.tsx";
import { ListCard } from "../../../ui/list-card.tsx";
import type { Column } from "../../../ui/table.tsx";
import { useDesk } from "../desk-state.ts";
import { Part } from "../part.tsx";
import { CalendarDayForm } from "./calendar-day-form.tsx";
import { scopeName, whatText } from "./day-text.ts";
import { type CalendarDay, type DryRun, deleteDay, useCalendarDays } from "./kinds.ts";
import { PlannedStops } from "./planned-stops.tsx";
import { Preview } from "./preview.tsx";

const t = setUp.days;
/** How many rows are shown at first, and added with each press. */
const STEP = 20;

/** The dates that are closed, or have other shifts than their weekday; and stops that are planned ahead. */
export function CalendarView() {
  return (
    <>
      <Part>
        <CalendarDays />
      </Part>
      <Part>
        <PlannedStops />
      </Part>
    </>
  );
}

type Open = { does: "enter" } | { does: "change" | "remove"; day: CalendarDay };

function CalendarDays() {
  const { setUp: plant } = useDesk();
  const [open, setOpen] = useState<Open | null>(null);
  const [isSaved, setSaved] = useState(false);
  const loaded = useCalendarDays();
  const list = useSteps(loaded, inOrder(loaded.data ?? [], dayOf(Date.now(), plant.timezone)), STEP);
  const mayChange = may("set-up:write");
  const show = (next: Open) => {
    setSaved(false);
    setOpen(next);
  };
  const close = (isDone: boolean) => {
    setOpen(null);
    setSaved(isDone);
  };
  const names = t.columns;
  const columns: Column<CalendarDay>[] = [
    { name: names.date, cell: ({ date }) => dayText(date, locale), sortBy: ({ date }) => date },
    { name: names.scope, cell: (day) => scopeName(day, plant), sortBy: (day) => scopeName(day, plant) },
    { name: names.what, cell: (day) => whatText(day, plant) },
    {
      name: names.actions,
      cell: (day) =>
        mayChange &&
        (["change", "remove"] as const).map((does) => (
          <button
            key={does}
            type="button"
            class="tool"
            aria-label={t.of(t[does], dayText(day.date, locale))}
            onClick={() => show({ does, day })}
          >
            {t[does]}
          </button>
        )),
    },
  ];
  return (
    <>
      <ListCard
        title={t.title}
        hint={t.hint}
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        none={t.none}
        noneHint={t.noneHint}
        tool={
          mayChange &&
          open?.does !== "enter" && (
            <button type="button" class="tool" onClick={() => show({ does: "enter" })}>
              {t.enter}
            </button>
          )
        }
      >
        {open?.does === "enter" && <CalendarDayForm day={null} onEnd={close} />}
        <p role="status">{isSaved && t.saved}</p>
      </ListCard>
      {open?.does === "change" && (
        <section class="card" aria-label={t.changeTitle(dayText(open.day.date, locale))}>
          <header class="card-head">
            <h2>{t.changeTitle(dayText(open.day.date, locale))}</h2>
            <p class="card-sub">{scopeName(open.day, plant)}</p>
          </header>
          <CalendarDayForm key={open.day.id} day={open.day} onEnd={close} />
        </section>
      )}
      {open?.does === "remove" && (
        <Part>
          <Remove key={open.day.id} day={open.day} onEnd={close} />
        </Part>
      )}
    </>
  );
}

/** Says what deleting a calendar day would do, and does it. */
export function Remove({ day, onEnd }: { day: CalendarDay; onEnd(isDone: boolean): void }) {
  const [isKnown, setKnown] = useState(false);
  const title = t.removeTitle(dayText(day.date, locale));
  const tried = useRead<DryRun | null>(
    ["remove", day.id, day.updatedAt],
    async () => {
      const found = await deleteDay(day, { isTried: true });
      setKnown(found?.recalculationId == null);
      return found;
    },
    { isOnce: true },
  );
  const work = useMutation(() => onEnd(true));
  const remove = () =>
    work.run(async () => {
      try {
        await deleteDay(day, { idempotencyKey: work.key });
      } catch (error) {
        // The list then has it as it is now.
        if (isChangedMeanwhile(error)) await invalidate();
        throw error;
      }
    });
  return (
    <section class="card" aria-label={title}>
      <header class="card-head">
        <h2>{title}</h2>
        <p class="card-sub">{t.removeHint}</p>
      </header>
      <Body loaded={tried}>{tried.data && <Preview tried={tried.data} isAhead onEnd={() => setKnown(true)} />}</Body>
      <FormEnd
        reason={isChangedMeanwhile(work.error) ? desk.changedMeanwhile.title : work.reason}
        label={t.remove}
        isDisabled={work.isWaiting || !isKnown}
        cancel={{ label: t.cancel, onCancel: () => onEnd(false) }}
        onConfirm={() => void remove()}
      />
    </section>
  );
}
