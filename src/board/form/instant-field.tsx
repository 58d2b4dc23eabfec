import { useId } from "preact/hooks";
import { plant } from "../data/plant.ts";
import { dayOf, type TypedInstant } from "../domain/days.ts";
import { DayField } from "./day-field.tsx";
import { FieldFault, faultProps } from "./field-fault.tsx";

interface InstantProps {
  /** Of the day, and of the time. */
  labels: readonly [string, string];
  typed: TypedInstant;
  fault: string | null;
  /** Whether it may be in the future. */
  isAhead: boolean;
  onChange(typed: TypedInstant): void;
}

/** A day and a time of day at the plant. */
export function InstantField({ labels: [day, clock], typed, fault, isAhead, onChange }: InstantProps) {
  const id = useId();
  return (
    <>
      <div class="day-pair">
        <div class="field">
          <span>{day}</span>
          <DayField
            label={day}
            day={typed.day}
            today={dayOf(Date.now(), plant.value?.timezone ?? "UTC")}
            isAhead={isAhead}
            onChange={(next) => onChange({ ...typed, day: next })}
          />
        </div>
        <div class="field clock-field">
          <label for={id}>{clock}</label>
          <input
            {...faultProps(id, fault)}
            type="text"
            autocomplete="off"
            value={typed.clock}
            onInput={({ currentTarget }) => onChange({ ...typed, clock: currentTarget.value })}
          />
        </div>
      </div>
      <FieldFault id={id} fault={fault} />
    </>
  );
}
