import type { DeskState } from "../../domain/desk-state.ts";
import { desk as t } from "../../texts/desk.ts";
import type { SetUp } from "./plant-data.ts";

type Chosen = Pick<DeskState, "machineId" | "lineId">;

interface ChooseProps {
  setUp: SetUp;
  chosen: Chosen;
  /** What can be chosen: all, a line or a machine; one machine; or all or a line. */
  of?: "any" | "machine" | "line";
  label: string;
  onChange(chosen: Chosen): void;
}

/** A field to choose all machines, those of a line, or one. */
export function ChooseMachines({ setUp, chosen, of = "any", label, onChange }: ChooseProps) {
  const { machines, lines } = setUp;
  const groups = [...lines.map((line) => ({ ...line, key: line.id as number | null })), { key: null, name: t.withoutLine }];
  return (
    <select
      class="control"
      aria-label={label}
      value={chosenValue(setUp, chosen, of)}
      onChange={({ currentTarget }) => {
        const [kind, id] = currentTarget.value.split(" ");
        onChange({ machineId: kind === "machine" ? Number(id) : null, lineId: kind === "line" ? Number(id) : null });
      }}
    >
      {of !== "machine" && <option value="">{t.allMachines}</option>}
      {groups.map(({ key, name }) => {
        const own = machines.filter((machine) => machine.lineId === key);
        if (own.length === 0) return null;
        if (of === "line") return key !== null && <LineOption key={key} id={key} name={name} />;
        const options = own.map((machine) => (
          <option key={machine.id} value={`machine ${machine.id}`}>
            {machine.name}
          </option>
        ));
        if (lines.length === 0) return options;
        return (
          <optgroup key={key} label={name}>
            {key !== null && of === "any" && <LineOption id={key} name={t.allOfLine(name)} />}
            {options}
          </optgroup>
        );
      })}
    </select>
  );
}

function LineOption({ id, name }: { id: number; name: string }) {
  return <option value={`line ${id}`}>{name}</option>;
}

function chosenValue({ machines }: SetUp, { machineId, lineId }: Chosen, of: ChooseProps["of"]): string {
  // The first machine of the line, if one is needed and none is chosen.
  const first = machines.find((machine) => lineId === null || machine.lineId === lineId)?.id ?? machines[0]?.id;
  if (of === "machine") return `machine ${machineId ?? first}`;
  if (machineId !== null && of !== "line") return `machine ${machineId}`;
  return lineId === null ? "" : `line ${lineId}`;
}
