import { locale } from "../../../app/language.ts";
import type { ApiSchema } from "../../../data/api.ts";
import { may } from "../../../data/may.ts";
import { formats } from "../../../data/plant.ts";
import { decimalsOf, numberFrom } from "../../../domain/formats.ts";
import type { Draft, Refuse } from "../../../form/form.tsx";
import { resource } from "../../../texts/resource.ts";
import { setUp } from "../../../texts/set-up.ts";
import { useDesk } from "../desk-state.ts";
import { type SetUp, type StopCause, useCauses } from "../plant-data.ts";
import { ChangeMany } from "./change-many.tsx";
import { canMerge, MergeCause } from "./merge-cause.tsx";
import { itemFields, type ResourceKind, ResourcePage, RowButton, textColumn } from "./resource-page.tsx";

// The lists of what numbers depend on: their members that have versions are changed on the page of an item, which asks from when.

type Machine = ApiSchema<"Machine">;
type Sku = ApiSchema<"Sku">;

/** The kinds whose items are listed before one is chosen. */
export type ListedKind = "machine" | "sku" | "cause";

export function ItemList({ kind }: { kind: ListedKind }) {
  if (kind === "sku") return <Skus />;
  return kind === "machine" ? <Machines /> : <Causes />;
}

/** The link to the page of an item, on which what numbers depend on is changed. */
function useOpen() {
  const { hrefWith } = useDesk();
  return (kind: ListedKind, id: number | string, name: string) => {
    const label = resource.numbers[kind];
    return (
      <>
        <a class="tool" href={hrefWith({ kind, itemId: String(id) })} aria-label={resource.of(label, name)}>
          {label}
        </a>{" "}
      </>
    );
  };
}

function Machines() {
  const { setUp: plant } = useDesk();
  const open = useOpen();
  return (
    <>
      <ResourcePage kind={machineKind(plant, open)} />
      <ChangeMany />
    </>
  );
}

function machineKind({ lines, machines }: SetUp, open: ReturnType<typeof useOpen>): ResourceKind<Machine> {
  const t = resource.machines;
  const lineOf = ({ lineId }: Machine) => lines.find(({ id }) => id === lineId)?.name ?? "";
  const seconds = (value: number | null) => (value === null ? "" : `${formats().number(value, decimalsOf(value))}\u00a0s`);
  return {
    path: "/v1/machines",
    texts: { ...t, title: setUp.kinds.machine, none: setUp.none.machine },
    nameOf: ({ name }) => name,
    columns: [
      textColumn(t.name, ({ name }) => name),
      textColumn(t.ref, ({ ref }) => ref),
      { name: t.line, cell: lineOf, sortBy: lineOf, isShown: lines.length > 0 },
      {
        name: t.standard,
        cell: ({ standardCycleSeconds }) => seconds(standardCycleSeconds),
        sortBy: ({ standardCycleSeconds }) => standardCycleSeconds,
        isNumber: true,
      },
      {
        name: t.stopAfter,
        cell: ({ stopAfterSeconds }) => seconds(stopAfterSeconds),
        sortBy: ({ stopAfterSeconds }) => stopAfterSeconds,
        isNumber: true,
      },
    ],
    permission: "set-up:write",
    tools: ({ id, name }) => open("machine", id, name),
    form: (machine) => (machine ? changedMachine(machine) : newMachine(lines, machines)),
  };
}

const machineFields = {
  name: { kind: "text", label: resource.machines.name, maxLength: 200 },
  ref: { kind: "text", label: resource.machines.ownName, maxLength: 100 },
  nodeId: { kind: "number", label: resource.machines.node },
} as const;

/** The members that both forms of a machine have. */
function machineBody({ name, ref, nodeId }: Draft<typeof machineFields>, refuse: Refuse<typeof machineFields>) {
  if (name.trim() === "") refuse("name", setUp.faults.required);
  const node = numberFrom(nodeId, locale);
  if (typeof node !== "object") refuse("nodeId", setUp.faults.number);
  return { name: name.trim(), ref: ref.trim() || name.trim(), nodeId: typeof node === "object" ? node.value : 0 };
}

function changedMachine({ name, ref, nodeId }: Machine) {
  return itemFields({ fields: machineFields, initial: { name, ref, nodeId: String(nodeId) }, body: machineBody });
}

function newMachine(lines: SetUp["lines"], machines: readonly Machine[]) {
  const t = resource.machines;
  const options = [{ value: "", label: setUp.noLine }, ...lines.map(({ id, name }) => ({ value: String(id), label: name }))];
  return itemFields({
    fields: {
      ...machineFields,
      standardCycleSeconds: { kind: "number", label: t.newStandard },
      lineId: { kind: "choice", label: t.line, options },
    },
    initial: { name: "", ref: "", nodeId: String(nextNode(machines)), standardCycleSeconds: "", lineId: "" },
    body: ({ standardCycleSeconds, lineId, ...draft }, refuse) => ({
      ...machineBody(draft, refuse),
      standardCycleSeconds: optionalNumber(standardCycleSeconds, () => refuse("standardCycleSeconds", setUp.faults.number)),
      lineId: lineId === "" ? null : Number(lineId),
    }),
  });
}

/** The number that was typed; null: none was. */
function optionalNumber(typed: string, refuse: () => void): number | null {
  if (typed.trim() === "") return null;
  const found = numberFrom(typed, locale);
  if (typeof found === "object") return found.value;
  refuse();
  return null;
}

/** The node of the newest machine's gateway: most new machines are wired to it. */
function nextNode(machines: readonly Machine[]): number {
  return machines.reduce((newest, one) => (one.id > newest.id ? one : newest), { id: 0, nodeId: 1 }).nodeId;
}

function Skus() {
  const open = useOpen();
  const t = resource.skus;
  const { setUp: plant } = useDesk();
  const machineOf = (id: number | null) =>
    id === null ? setUp.anyMachine : (plant.machines.find((one) => one.id === id)?.name ?? String(id));
  const kind: ResourceKind<Sku> = {
    path: "/v1/skus",
    texts: { ...t, title: setUp.kinds.sku, none: setUp.none.sku },
    nameOf: ({ id, name }) => (id === name ? id : `${id} · ${name}`),
    columns: [
      textColumn(t.id, ({ id }) => id),
      textColumn(t.name, ({ name }) => name),
      {
        name: t.standards,
        cell: ({ standards }) =>
          standards
            .map(
              ({ machineId, standardCycleSeconds: one }) =>
                `${machineOf(machineId)}: ${formats().number(one, decimalsOf(one))}\u00a0s`,
            )
            .join(", "),
      },
    ],
    permission: "set-up:write",
    tools: ({ id, name }) => open("sku", id, name),
    form: (sku) => (sku ? changedSku(sku) : newSku()),
  };
  return <ResourcePage kind={kind} />;
}

function changedSku({ id, name }: Sku) {
  return itemFields({
    fields: { name: { kind: "text", label: resource.skus.name, maxLength: 200 } },
    initial: { name },
    body: (draft) => ({ name: draft.name.trim() || id }),
  });
}

function newSku() {
  const t = resource.skus;
  return itemFields({
    fields: {
      id: { kind: "text", label: t.newId, maxLength: 100 },
      name: { kind: "text", label: t.name, maxLength: 200 },
      standard: { kind: "number", label: t.newStandard },
    },
    initial: { id: "", name: "", standard: "" },
    body: ({ id, name, standard }, refuse) => {
      if (id.trim() === "") refuse("id", setUp.faults.required);
      const standardCycleSeconds = optionalNumber(standard, () => refuse("standard", setUp.faults.number));
      return {
        ...{ id: id.trim(), name: name.trim() || id.trim() },
        standards: standardCycleSeconds === null ? [] : [{ machineId: null, standardCycleSeconds }],
      };
    },
  });
}

function Causes() {
  const open = useOpen();
  const causes = useCauses().data ?? [];
  const t = resource.causes;
  const pathOf = ({ parentId, name }: StopCause): string => {
    const parent = causes.find(({ id }) => id === parentId);
    return parent ? `${pathOf(parent)} › ${name}` : name;
  };
  const kind: ResourceKind<StopCause> = {
    path: "/v1/stop-causes",
    texts: { ...t, title: setUp.kinds.cause, none: setUp.none.cause },
    nameOf: ({ name }) => name,
    columns: [
      { name: t.name, cell: pathOf, sortBy: pathOf },
      { name: t.level, cell: ({ level }) => t.levels[level], sortBy: ({ level }) => level },
      { name: t.planned, cell: ({ isProgrammed }) => (isProgrammed ? setUp.yes : setUp.no) },
      { name: t.counts, cell: ({ isIncludedInAvailability }) => (isIncludedInAvailability ? setUp.yes : setUp.no) },
    ],
    permission: "set-up:write",
    tools: (cause, show, close) => (
      <>
        {open("cause", cause.id, cause.name)}
        {may("set-up:write") && may("stops:write") && (
          <RowButton
            label={resource.merge.open}
            name={cause.name}
            onPress={() =>
              show(<MergeCause key={cause.id} {...{ cause, causes }} nameOf={pathOf} onEnd={close} />, canMerge(cause, causes))
            }
          />
        )}
      </>
    ),
    form: (cause) =>
      cause ? changedCause(cause) : newCause(causes.map((one) => ({ value: String(one.id), label: pathOf(one) }))),
  };
  return <ResourcePage kind={kind} />;
}

const levels = ["general", "specific", "component"] as const;

function changedCause({ name }: StopCause) {
  return itemFields({
    fields: { name: { kind: "text", label: resource.causes.name, maxLength: 200 } },
    initial: { name },
    body: (draft, refuse) => {
      if (draft.name.trim() === "") refuse("name", setUp.faults.required);
      return { name: draft.name.trim() };
    },
  });
}

function newCause(parents: readonly { value: string; label: string }[]) {
  const t = resource.causes;
  return itemFields({
    fields: {
      name: { kind: "text", label: t.name, maxLength: 200 },
      level: { kind: "choice", label: t.level, options: levels.map((value) => ({ value, label: t.levels[value] })) },
      parentId: { kind: "choice", label: t.parent, options: [{ value: "", label: setUp.nothing }, ...parents] },
    },
    initial: { name: "", level: "general", parentId: "" },
    body: ({ name, level, parentId }, refuse) => {
      if (name.trim() === "") refuse("name", setUp.faults.required);
      if (level === "specific" && parentId === "") refuse("parentId", setUp.faults.required);
      return { name: name.trim(), level, parentId: parentId === "" ? null : Number(parentId) };
    },
  });
}
