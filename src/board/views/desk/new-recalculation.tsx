import { useEffect, useRef, useState } from "preact/hooks";
import { companyQuery } from "../../app/session.ts";
import { api } from "../../data/api.ts";
import { addDays, dayOf, startOfDay } from "../../domain/days.ts";
import { maxOf } from "../../domain/extremes.ts";
import { iso } from "../../domain/time.ts";
import { past } from "../../texts/past.ts";
import { useUnsaved } from "../../ui/use-unsaved.ts";
import { DayField } from "./day-field.tsx";
import { useDesk } from "./desk-state.ts";
import { FormEnd } from "./form-end.tsx";
import { useMutation } from "./use-mutation.ts";

const t = past.recalculations;

/** A form that asks for a recalculation of whole days. `onEnd` gets its id; null: it was given up. */
export function NewRecalculation({ onEnd }: { onEnd(id: number | null): void }) {
  const { setUp } = useDesk();
  const today = dayOf(Date.now(), setUp.timezone);
  const [reason, setReason] = useState("");
  const [from, setFrom] = useState(addDays(today, -7));
  const [to, setTo] = useState(today);
  const [chosen, choose] = useState<readonly number[]>([]);
  const [fault, setFault] = useState<string | null>(null);
  const made = useRef<number | null>(null);
  const work = useMutation(() => onEnd(made.current));
  useUnsaved(!work.isWaiting && (reason !== "" || chosen.length > 0));
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);

  function start(): void {
    const wrong = chosen.length === 0 ? t.noMachine : from > to ? t.notInOrder : null;
    setFault(wrong);
    if (wrong !== null) return;
    const machines = setUp.machines.filter(({ id }) => chosen.includes(id));
    const body = { ...companyQuery(), reason: reason.trim(), machineIds: [...chosen], from: begin(machines), ...end() };
    void work.run(async () => {
      ({ id: made.current } = await api("post", "/v1/recalculations", { body, idempotencyKey: work.key }));
    });
  }

  /** The start of the first day; if machines were commissioned on it, that. */
  function begin(machines: typeof setUp.machines): string {
    const start = startOfDay(from, setUp.timezone);
    const commissioned = maxOf(machines.map(({ commissionedAt }) => Date.parse(commissionedAt)));
    const isOnThatDay = dayOf(commissioned, setUp.timezone) === from;
    return iso(isOnThatDay ? Math.max(start, commissioned) : start);
  }

  /** The end of the last day; today's is now. */
  function end(): { to?: string } {
    return to >= today ? {} : { to: iso(startOfDay(addDays(to, 1), setUp.timezone)) };
  }

  const isAll = chosen.length === setUp.machines.length;
  return (
    <form
      class="form"
      aria-label={t.formTitle}
      onSubmit={(event) => {
        event.preventDefault();
        start();
      }}
    >
      <label class="field">
        <span>{t.reason}</span>
        <input
          ref={first}
          type="text"
          required
          maxLength={500}
          autocomplete="off"
          value={reason}
          onInput={({ currentTarget }) => setReason(currentTarget.value)}
        />
      </label>
      <div class="day-pair">
        <div class="field">
          <span>{t.from}</span>
          <DayField label={t.from} day={from} today={today} onChange={setFrom} />
        </div>
        <div class="field">
          <span>{t.to}</span>
          <DayField label={t.to} day={to} today={today} onChange={setTo} />
        </div>
      </div>
      <fieldset class="choices">
        <legend>{t.machines}</legend>
        <label class="choice">
          <input type="checkbox" checked={isAll} onChange={() => choose(isAll ? [] : setUp.machines.map(({ id }) => id))} />
          {t.all}
        </label>
        <div class="choices-list">
          {setUp.machines.map(({ id, name }) => (
            <label key={id} class="choice">
              <input
                type="checkbox"
                checked={chosen.includes(id)}
                onChange={({ currentTarget }) =>
                  choose(currentTarget.checked ? [...chosen, id] : chosen.filter((one) => one !== id))
                }
              />
              {name}
            </label>
          ))}
        </div>
      </fieldset>
      <FormEnd
        reason={fault ?? work.reason}
        label={work.isWaiting ? t.sending : t.send}
        isDisabled={work.isWaiting}
        cancel={{ label: t.cancel, onCancel: () => onEnd(null) }}
      />
    </form>
  );
}
