import type { DeskState } from "../../domain/desk-state.ts";
import { desk as t } from "../../texts/desk.ts";
import type { SetUp } from "./plant-data.ts";

type Chosen = Pick<DeskState, "machineId" | "lineId">;

interface ChooseProps {
  setUp: SetUp;
  chosen: Chosen;
  /** Whether one machine must be chosen: the first of the line, if none is. */
  isOne?: boolean;
  label: string;
  onChange(chosen: Chosen): void;
}

/** A field to choose all machines, those of a line, or one. */
export function ChooseMachines({ setUp, chosen: { machineId, lineId }, isOne = false, label, onChange }: ChooseProps) {
  const { machines, lines } = setUp;
  const first = machines.find((machine) => lineId === null || machine.lineId === lineId)?.id ?? machines[0]?.id;
  const value = isOne
    ? `machine ${machineId ?? first}`
    : machineId !== null
      ? `machine ${machineId}`
      : lineId !== null
        ? `line ${lineId}`
        : "";
  const groups = [...lines.map((line) => ({ ...line, key: line.id as number | null })), { key: null, name: t.withoutLine }];
  return (
    <select
      class="control"
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => {
        const [kind, id] = currentTarget.value.split(" ");
        onChange({ machineId: kind === "machine" ? Number(id) : null, lineId: kind === "line" ? Number(id) : null });
      }}
    >
      {!isOne && <option value="">{t.allMachines}</option>}
      {groups.map(({ key, name }) => {
        const own = machines.filter((machine) => machine.lineId === key);
        if (own.length === 0) return null;
        const options = own.map((machine) => (
          <option key={machine.id} value={`machine ${machine.id}`}>
            {machine.name}
          </option>
        ));
        if (lines.length === 0) return options;
        return (
          <optgroup key={key} label={name}>
            {key !== null && !isOne && <option value={`line ${key}`}>{t.allOfLine(name)}</option>}
            {options}
          </optgroup>
        );
      })}
    </select>
  );
}
