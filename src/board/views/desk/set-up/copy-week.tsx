import { useRef } from "preact/hooks";
import { locale } from "../../../app/language.ts";
import { companyQuery } from "../../../app/session.ts";
import { api } from "../../../data/api.ts";
import { invalidate } from "../../../data/query.ts";
import { copiesOf, MOST_COPIES } from "../../../domain/calendar-year.ts";
import { addDays, dayOf, dayText } from "../../../domain/days.ts";
import { Form, useForm } from "../../../form/form.tsx";
import { workingHours } from "../../../texts/working-hours.ts";
import { useDesk } from "../desk-state.ts";
import type { CalendarDay } from "./kinds.ts";

const t = workingHours.copy;

interface CopyWeekProps {
  entries: readonly CalendarDay[];
  /** A day of the week that is copied, as the form begins. */
  source: string;
  /** @param text what was done; null: nothing */
  onEnd(text: string | null): void;
}

/** Makes the calendar days of a week again in other weeks, which are to come. It says how many before. */
export function CopyWeek({ entries, source, onEnd }: CopyWeekProps) {
  const { timezone, weekStart } = useDesk().setUp;
  const today = dayOf(Date.now(), timezone);
  const later = addDays(source > today ? source : today, 7);
  const planOf = (typed: { source: string; first: string; last: string }) => copiesOf(entries, typed, { today, weekStart });
  const made = useRef(0);
  const form = useForm({
    fields: {
      source: { kind: "day", label: t.source, isAhead: true },
      first: { kind: "day", label: t.first, isAhead: true },
      last: { kind: "day", label: t.last, isAhead: true },
    },
    initial: { source, first: later, last: later },
    body: (typed, refuse) => {
      const { copies, kept, weeks } = planOf(typed);
      if (typed.last < typed.first) refuse("last", t.order);
      else if (copies.length > MOST_COPIES) refuse("last", t.tooMany(MOST_COPIES));
      else if (copies.length === 0) refuse("", kept > 0 || weeks === 0 ? t.noneLeft : t.nothing);
      return copies;
    },
    send: async (copies, idempotencyKey) => {
      try {
        for (const [i, { entry, date }] of copies.entries()) {
          // With the key of an earlier try a day that was made then is not made again.
          await api("post", "/v1/calendar-days", { body: bodyOf(entry, date), idempotencyKey: `${idempotencyKey}-${i}` });
        }
      } catch (error) {
        // Those before the one that was refused are there.
        await invalidate();
        throw error;
      }
      made.current = copies.length;
    },
    onSent: () => onEnd(t.made(made.current)),
  });
  const { copies, kept, weeks } = planOf(form.draft);
  return (
    <section class="year-open" aria-label={t.title}>
      <Form
        form={form}
        label={t.title}
        intro={<h3>{t.title}</h3>}
        send={t.send}
        sending={t.sending}
        cancel={{ label: t.cancel, onCancel: () => onEnd(null) }}
      >
        {copies.length > 0 && copies.length <= MOST_COPIES && (
          <p role="status">
            {t.makes(copies.length, weeks)} {kept > 0 && t.kept(kept)} {dayText(copies[0]?.date ?? "", locale)}
            {copies.length > 1 && ` – ${dayText(copies[copies.length - 1]?.date ?? "", locale)}`}
          </p>
        )}
      </Form>
    </section>
  );
}

function bodyOf({ scope, lineId, machineId, closed, shifts }: CalendarDay, date: string) {
  const of = { ...(lineId !== null && { lineId }), ...(machineId !== null && { machineId }) };
  return { ...companyQuery(), date, scope, ...of, ...(closed ? { closed: true as const } : { shifts }) };
}
