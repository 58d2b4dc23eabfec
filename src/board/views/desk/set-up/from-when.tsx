import { useId } from "preact/hooks";
import type { When } from "../../../domain/dates.ts";
import { FieldFault, faultProps } from "../../../form/field-fault.tsx";
import { InstantField } from "../../../form/instant-field.tsx";
import { setUp } from "../../../texts/set-up.ts";

const t = setUp.when;

interface FromWhenProps {
  when: When;
  faults: ReadonlyMap<string, string>;
  hasPast: boolean;
  hasFuture: boolean;
  onChange(when: When): void;
}

/** From when a change holds: now, or from another instant, then also until when; and why. */
export function FromWhen({ when, faults, hasPast, hasFuture, onChange }: FromWhenProps) {
  const name = useId();
  const reasonId = useId();
  const set = (changes: Partial<When>) => onChange({ ...when, ...changes });
  const label = hasPast && hasFuture ? t.instant : hasPast ? t.instantPast : t.instantAhead;
  return (
    <>
      <fieldset class="choices">
        <legend>{t.title}</legend>
        <label class="choice">
          <input type="radio" name={name} checked={when.isNow} onChange={() => set({ isNow: true })} />
          {t.now}
        </label>
        <label class="choice">
          <input type="radio" name={name} checked={!when.isNow} onChange={() => set({ isNow: false })} />
          {label}
        </label>
        {!when.isNow && (
          <InstantField
            labels={[t.day, t.clock]}
            typed={when.from}
            fault={faults.get("effectiveFrom") ?? null}
            isAhead={hasFuture}
            onChange={(from) => set({ from })}
          />
        )}
      </fieldset>
      {!when.isNow && hasFuture && (
        <fieldset class="choices">
          <legend>{t.until}</legend>
          {(["next", "instant", "all"] as const).map((until) => (
            <label key={until} class="choice">
              <input type="radio" name={`${name}-until`} checked={when.until === until} onChange={() => set({ until })} />
              {until === "next" ? t.next : until === "instant" ? t.end : t.all}
            </label>
          ))}
          {when.until === "instant" && (
            <InstantField
              labels={[t.endDay, t.endClock]}
              typed={when.end}
              fault={faults.get("effectiveUntil") ?? null}
              isAhead
              onChange={(end) => set({ end })}
            />
          )}
        </fieldset>
      )}
      <div class="field">
        <label for={reasonId}>{t.reason}</label>
        <input
          {...faultProps(reasonId, faults.get("reason") ?? null)}
          type="text"
          maxLength={500}
          autocomplete="off"
          placeholder={when.isNow ? "" : t.reasonHint}
          value={when.reason}
          onInput={({ currentTarget }) => set({ reason: currentTarget.value })}
        />
        <FieldFault id={reasonId} fault={faults.get("reason") ?? null} />
      </div>
    </>
  );
}
