import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { locale } from "../../../app/language.ts";
import { weekdayName, weekdays } from "../../../domain/days.ts";
import {
  channelTypes,
  type Field,
  type FieldKind,
  type Typed,
  type TypedBreak,
  type TypedChannel,
  type TypedStandard,
} from "../../../domain/set-up.ts";
import { Group, FieldInput as KitInput } from "../../../form/fields.tsx";
import { setUp as t } from "../../../texts/set-up.ts";
import { Icon } from "../../../ui/icon.tsx";
import { useDesk } from "../desk-state.ts";
import { useCauses } from "../plant-data.ts";

interface FieldInputProps {
  field: Field;
  typed: unknown;
  fault: string | null;
  onChange(typed: unknown): void;
}

interface InputProps<K extends FieldKind> {
  field: Field;
  typed: Typed[K];
  /** The id of the field, and what is wrong with it. */
  id: string;
  fault: string | null;
  label: string;
  onChange(typed: Typed[K]): void;
}

/** A field of the set-up, with what is wrong with it. */
export function FieldInput({ field, typed, fault, onChange }: FieldInputProps) {
  const id = useId();
  const Input = inputs[field.kind] as (props: InputProps<FieldKind>) => ComponentChildren;
  const label = t.fields[field.name] ?? field.name;
  return <Input {...{ field, id, fault, label, onChange }} typed={typed as Typed[FieldKind]} />;
}

/** A choice, with its values as texts. */
function Select({ label, fault, typed, options, onChange }: SelectProps) {
  return (
    <KitInput
      field={{ kind: "choice", label, options }}
      typed={typed}
      fault={fault}
      onChange={(value) => onChange(String(value))}
    />
  );
}

interface SelectProps {
  label: string;
  fault: string | null;
  typed: string;
  options: readonly { value: string; label: string }[];
  onChange(value: string): void;
}

const named = (all: readonly { id: number; name: string }[]) => all.map(({ id, name }) => ({ value: String(id), label: name }));

function TextInput({ label, ...props }: InputProps<"number" | "optional" | "clock" | "zone">) {
  return <KitInput {...props} field={{ kind: "text", label }} onChange={(value) => props.onChange(String(value))} />;
}

function ChoiceInput({ field, ...props }: InputProps<"choice">) {
  return <Select {...props} options={(field.options ?? []).map((one) => ({ value: one, label: t.options[one] ?? one }))} />;
}

function FlagInput({ label, ...props }: InputProps<"flag">) {
  return <KitInput {...props} field={{ kind: "flag", label }} onChange={(value) => props.onChange(value === true)} />;
}

function InheritedInput({ typed, onChange, ...props }: InputProps<"inherited">) {
  const options = [
    { value: "null", label: t.inherited },
    { value: "true", label: t.yes },
    { value: "false", label: t.no },
  ];
  return (
    <Select
      {...props}
      typed={String(typed)}
      options={options}
      onChange={(value) => onChange(value === "null" ? null : value === "true")}
    />
  );
}

function LineInput({ typed, onChange, ...props }: InputProps<"line">) {
  const { lines } = useDesk().setUp;
  return (
    <Select
      {...props}
      typed={String(typed ?? "")}
      options={[{ value: "", label: t.noLine }, ...named(lines)]}
      onChange={(value) => onChange(value === "" ? null : Number(value))}
    />
  );
}

function GeneralInput({ typed, onChange, ...props }: InputProps<"general">) {
  const causes = useCauses();
  const general = causes.data?.filter(({ level }) => level === "general") ?? [];
  return <Select {...props} typed={String(typed)} options={named(general)} onChange={(value) => onChange(Number(value))} />;
}

function DaysInput({ id, label, fault, typed, onChange }: InputProps<"days">) {
  const { weekStart } = useDesk().setUp;
  const [sunday = "", ...others] = weekdays;
  const ordered = weekStart === "monday" ? [...others, sunday] : weekdays;
  return (
    <Group {...{ id, label, fault }}>
      <div class="day-choices">
        {ordered.map((day) => (
          <label key={day} class="choice">
            <input
              type="checkbox"
              checked={typed.includes(day)}
              onChange={({ currentTarget }) =>
                onChange(weekdays.filter((one) => (one === day ? currentTarget.checked : typed.includes(one))))
              }
            />
            {weekdayText(day)}
          </label>
        ))}
      </div>
    </Group>
  );
}

/** A weekday in the page's language, short. */
export function weekdayText(day: string): string {
  return weekdayName(weekdays.indexOf(day), locale, "short");
}

function MachinesInput({ id, label, fault, typed, onChange }: InputProps<"machines">) {
  const { machines } = useDesk().setUp;
  return (
    <Group {...{ id, label, fault }}>
      <label class="choice">
        <input
          type="checkbox"
          checked={typed === null}
          onChange={({ currentTarget }) => onChange(currentTarget.checked ? null : machines.map((one) => one.id))}
        />
        {t.allMachines}
      </label>
      {typed !== null && (
        <div class="choices-list">
          {machines.map((one) => (
            <label key={one.id} class="choice">
              <input
                type="checkbox"
                checked={typed.includes(one.id)}
                onChange={({ currentTarget }) =>
                  onChange(currentTarget.checked ? [...typed, one.id] : typed.filter((other) => other !== one.id))
                }
              />
              {one.name}
            </label>
          ))}
        </div>
      )}
    </Group>
  );
}

interface RowsProps<T> {
  rows: readonly T[];
  /** A new row. */
  empty: T;
  onChange(rows: readonly T[]): void;
  children(row: T, set: (changes: Partial<T>) => void, i: number): ComponentChildren;
}

/** A list whose rows are changed, added and removed. */
export function Rows<T extends object>({ rows, empty, onChange, children }: RowsProps<T>) {
  return (
    <>
      {rows.map((row, i) => (
        <div key={i} class="field-row">
          {children(row, (changes) => onChange(rows.map((one, k) => (k === i ? { ...one, ...changes } : one))), i)}
          <button
            type="button"
            class="tool"
            aria-label={t.remove(i + 1)}
            onClick={() => onChange(rows.filter((_, k) => k !== i))}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
      <button type="button" class="tool field-add" onClick={() => onChange([...rows, empty])}>
        {t.add}
      </button>
    </>
  );
}

/** A text field of a row. */
export function Cell({ label, value, onChange }: { label: string; value: string; onChange(value: string): void }) {
  return (
    <label class="field">
      <span>{label}</span>
      <input type="text" autocomplete="off" value={value} onInput={({ currentTarget }) => onChange(currentTarget.value)} />
    </label>
  );
}

function BreaksInput({ id, label, fault, typed, onChange }: InputProps<"breaks">) {
  const empty: TypedBreak = { name: "", start: "12:00", end: "12:30", isIncludedInAvailability: false };
  return (
    <Group {...{ id, label, fault }}>
      <Rows rows={typed} empty={empty} onChange={onChange}>
        {(row, set) => (
          <>
            <Cell label={t.breakName} value={row.name} onChange={(name) => set({ name })} />
            <Cell label={t.fields.start ?? ""} value={row.start} onChange={(start) => set({ start })} />
            <Cell label={t.fields.end ?? ""} value={row.end} onChange={(end) => set({ end })} />
            <label class="choice">
              <input
                type="checkbox"
                checked={row.isIncludedInAvailability}
                onChange={({ currentTarget }) => set({ isIncludedInAvailability: currentTarget.checked })}
              />
              {t.breakCounts}
            </label>
          </>
        )}
      </Rows>
    </Group>
  );
}

function StandardsInput({ id, label, fault, typed, onChange }: InputProps<"standards">) {
  const { machines } = useDesk().setUp;
  const free = [null, ...machines.map((one) => one.id)].find((one) => !typed.some(({ machineId }) => machineId === one));
  const empty: TypedStandard = { machineId: free ?? null, standardCycleSeconds: "" };
  return (
    <Group {...{ id, label, fault }}>
      <Rows rows={typed} empty={empty} onChange={onChange}>
        {(row, set) => (
          <>
            <label class="field">
              <span>{t.choose.machine}</span>
              <select
                value={String(row.machineId ?? "")}
                onChange={({ currentTarget }) =>
                  set({ machineId: currentTarget.value === "" ? null : Number(currentTarget.value) })
                }
              >
                <option value="">{t.anyMachine}</option>
                {machines.map((one) => (
                  <option key={one.id} value={String(one.id)}>
                    {one.name}
                  </option>
                ))}
              </select>
            </label>
            <Cell
              label={t.seconds}
              value={row.standardCycleSeconds}
              onChange={(standardCycleSeconds) => set({ standardCycleSeconds })}
            />
          </>
        )}
      </Rows>
    </Group>
  );
}

function ChannelsInput({ id, label, fault, typed, onChange }: InputProps<"channels">) {
  const empty: TypedChannel = { type: "total", nodeId: "", channel: "", countingFactor: "1", wrapsAt: "" };
  return (
    <Group {...{ id, label, fault }}>
      <Rows rows={typed} empty={empty} onChange={onChange}>
        {(row, set) => (
          <>
            <label class="field">
              <span>{t.type}</span>
              <select value={row.type} onChange={({ currentTarget }) => set({ type: currentTarget.value })}>
                {channelTypes.map((one) => (
                  <option key={one} value={one}>
                    {t.options[one]}
                  </option>
                ))}
              </select>
            </label>
            <Cell label={t.node} value={row.nodeId} onChange={(nodeId) => set({ nodeId })} />
            <Cell label={t.channel} value={row.channel} onChange={(channel) => set({ channel })} />
            <Cell label={t.factor} value={row.countingFactor} onChange={(countingFactor) => set({ countingFactor })} />
            <Cell label={t.wraps} value={row.wrapsAt} onChange={(wrapsAt) => set({ wrapsAt })} />
          </>
        )}
      </Rows>
    </Group>
  );
}

function ThresholdsInput({ id, label, fault, typed, onChange }: InputProps<"thresholds">) {
  const set = (changes: Partial<Typed["thresholds"]>) => onChange({ ...typed, ...changes });
  return (
    <Group {...{ id, label, fault }}>
      <div class="field-row">
        <Cell label={t.badBelow} value={typed.badBelow} onChange={(badBelow) => set({ badBelow })} />
        <Cell label={t.goodFrom} value={typed.goodFrom} onChange={(goodFrom) => set({ goodFrom })} />
      </div>
    </Group>
  );
}

function OwnThresholdsInput({ label, ...props }: InputProps<"ownThresholds">) {
  return <ThresholdsInput {...props} label={t.orAsPlant(label)} />;
}

const inputs: { [K in FieldKind]: (props: InputProps<K>) => ComponentChildren } = {
  number: TextInput as (props: InputProps<"number">) => ComponentChildren,
  optional: TextInput as (props: InputProps<"optional">) => ComponentChildren,
  clock: TextInput as (props: InputProps<"clock">) => ComponentChildren,
  zone: TextInput as (props: InputProps<"zone">) => ComponentChildren,
  choice: ChoiceInput,
  flag: FlagInput,
  inherited: InheritedInput,
  line: LineInput,
  general: GeneralInput,
  days: DaysInput,
  machines: MachinesInput,
  breaks: BreaksInput,
  standards: StandardsInput,
  channels: ChannelsInput,
  thresholds: ThresholdsInput,
  ownThresholds: OwnThresholdsInput,
};
