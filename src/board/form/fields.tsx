import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { plant } from "../data/plant.ts";
import { dayOf, type TypedInstant } from "../domain/days.ts";
import { DayField } from "./day-field.tsx";
import { FieldFault, faultProps } from "./field-fault.tsx";
import { InstantField } from "./instant-field.tsx";

/** What is typed into a field, by its kind. A number is a text until it is sent: people write it as the page's language does. */
export interface Typed {
  text: string;
  lines: string;
  number: string;
  choice: string;
  flag: boolean;
  /** ISO date, of the plant's calendar. */
  day: string;
  instant: TypedInstant;
  /** The chosen ones. */
  several: readonly string[];
}

/** Inputs for texts that browsers know: what they show of it, and what they fill in. */
const inputs = {
  email: { type: "email", autocomplete: "username" },
  password: { type: "password", autocomplete: "current-password" },
  newPassword: { type: "password", autocomplete: "new-password" },
  personName: { type: "text", autocomplete: "name" },
  other: { type: "text", autocomplete: "off" },
} as const satisfies Record<string, { type: string; autocomplete: string }>;

interface Option {
  value: string;
  label: string;
}

/** A field of a form. */
export type Field = { label: string } /** `suggestions`: what can be chosen while typing. */ & (
  | { kind: "text"; maxLength?: number; suggestions?: readonly Option[]; as?: keyof typeof inputs }
  /** A text of several lines. */
  | { kind: "lines"; maxLength?: number }
  | { kind: "number" }
  | { kind: "choice"; options: readonly Option[] }
  | { kind: "flag" }
  /** `last`: the last day that may be chosen; today, if it is left out. */
  | { kind: "day"; last?: string; isAhead?: boolean }
  | { kind: "instant"; clockLabel: string; isAhead?: boolean }
  /** `all`: the label of what chooses all of them. */
  | { kind: "several"; options: readonly Option[]; all: string }
);

interface FieldProps {
  field: Field;
  typed: unknown;
  fault: string | null;
  onChange(typed: unknown): void;
}

/** The input of a field, with its label and what is wrong with it. */
export function FieldInput({ field, typed, fault, onChange }: FieldProps) {
  const id = useId();
  const { label } = field;
  const today = dayOf(Date.now(), plant.value?.timezone ?? "UTC");
  switch (field.kind) {
    case "text":
    case "number":
      return (
        <Labelled {...{ id, label, fault }}>
          <input
            {...faultProps(id, fault)}
            {...(field.kind === "text" && field.as ? inputs[field.as] : inputs.other)}
            inputMode={field.kind === "number" ? "decimal" : undefined}
            maxLength={field.kind === "text" ? field.maxLength : undefined}
            {...(field.kind === "text" && field.suggestions && { list: `${id}-list` })}
            value={typed as Typed["text"]}
            onInput={({ currentTarget }) => onChange(currentTarget.value)}
          />
          {field.kind === "text" && field.suggestions && (
            <datalist id={`${id}-list`}>
              {field.suggestions.map(({ value, label: text }) => (
                <option key={value} value={value} label={text} />
              ))}
            </datalist>
          )}
        </Labelled>
      );
    case "lines":
      return (
        <Labelled {...{ id, label, fault }} isWide>
          <textarea
            {...faultProps(id, fault)}
            rows={3}
            maxLength={field.maxLength}
            value={typed as Typed["lines"]}
            onInput={({ currentTarget }) => onChange(currentTarget.value)}
          />
        </Labelled>
      );
    case "choice":
      return (
        <Labelled {...{ id, label, fault }}>
          <select
            {...faultProps(id, fault)}
            value={typed as Typed["choice"]}
            onChange={({ currentTarget }) => onChange(currentTarget.value)}
          >
            {field.options.map(({ value, label: text }) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </Labelled>
      );
    case "flag":
      return (
        <div class="field">
          <label class="choice">
            <input
              {...faultProps(id, fault)}
              type="checkbox"
              checked={typed as Typed["flag"]}
              onChange={({ currentTarget }) => onChange(currentTarget.checked)}
            />
            {label}
          </label>
          <FieldFault id={id} fault={fault} />
        </div>
      );
    case "day":
      return (
        <div class="field">
          <span>{label}</span>
          <DayField
            label={label}
            day={typed as Typed["day"]}
            today={field.last ?? today}
            isAhead={field.isAhead ?? false}
            onChange={onChange}
          />
          <FieldFault id={id} fault={fault} />
        </div>
      );
    case "instant":
      return (
        <div class="field-wide">
          <InstantField
            labels={[label, field.clockLabel]}
            typed={typed as Typed["instant"]}
            fault={fault}
            isAhead={field.isAhead ?? false}
            onChange={onChange}
          />
        </div>
      );
    case "several":
      return <Several {...{ id, field, fault, onChange }} chosen={typed as Typed["several"]} />;
  }
}

/** A field with its label. */
function Labelled({ id, label, fault, isWide = false, children }: LabelledProps) {
  return (
    <div class={isWide ? "field field-wide" : "field"}>
      <label for={id}>{label}</label>
      {children}
      <FieldFault id={id} fault={fault} />
    </div>
  );
}

interface LabelledProps {
  id: string;
  label: string;
  fault: string | null;
  /** Whether it has a row of its own. */
  isWide?: boolean;
  children: ComponentChildren;
}

/** Several fields with a title. */
export function Group({ id, label, fault, children }: LabelledProps) {
  return (
    <fieldset class="choices field-wide" aria-describedby={fault === null ? undefined : `${id}-fault`}>
      <legend>{label}</legend>
      {children}
      <FieldFault id={id} fault={fault} />
    </fieldset>
  );
}

interface SeveralProps {
  id: string;
  field: Extract<Field, { kind: "several" }>;
  chosen: readonly string[];
  fault: string | null;
  onChange(chosen: readonly string[]): void;
}

function Several({ id, field: { label, options, all }, chosen, fault, onChange }: SeveralProps) {
  const isAll = chosen.length === options.length;
  if (options.length === 0) return null;
  return (
    <Group {...{ id, label, fault }}>
      <label class="choice">
        <input
          {...faultProps(id, fault)}
          type="checkbox"
          checked={isAll}
          onChange={() => onChange(isAll ? [] : options.map(({ value }) => value))}
        />
        {all}
      </label>
      <div class="choices-list">
        {options.map(({ value, label: text }) => (
          <label key={value} class="choice">
            <input
              type="checkbox"
              checked={chosen.includes(value)}
              onChange={({ currentTarget }) =>
                onChange(currentTarget.checked ? [...chosen, value] : chosen.filter((one) => one !== value))
              }
            />
            {text}
          </label>
        ))}
      </div>
    </Group>
  );
}
