import { locale } from "../../../app/language.ts";
import type { ApiSchema } from "../../../data/api.ts";
import { signedFrom } from "../../../domain/formats.ts";
import { resource } from "../../../texts/resource.ts";
import { setUp } from "../../../texts/set-up.ts";
import { useDesk } from "../desk-state.ts";
import { LineBoard } from "./line-board.tsx";
import { itemFields, type ResourceKind, ResourcePage, textColumn } from "./resource-page.tsx";

const t = resource.lines;
type Line = ApiSchema<"Line">;

/** The lines of the plant, with how many machines are in each. */
export function Lines() {
  const { machines } = useDesk().setUp;
  const countOf = ({ id }: Line) => machines.filter(({ lineId }) => lineId === id).length;
  return (
    <>
      <ResourcePage kind={kindOf(countOf)} />
      <LineBoard />
    </>
  );
}

function kindOf(countOf: (line: Line) => number): ResourceKind<Line> {
  return {
    path: "/v1/lines",
    texts: t,
    nameOf: ({ name }) => name,
    columns: [
      textColumn(t.name, ({ name }) => name),
      { name: t.orderShort, cell: ({ order }) => order, sortBy: ({ order }) => order, isNumber: true },
      { name: t.machines, cell: countOf, sortBy: countOf, isNumber: true },
    ],
    permission: "set-up:write",
    form: (line) =>
      itemFields({
        fields: { name: { kind: "text", label: t.name, maxLength: 200 }, order: { kind: "number", label: t.order } },
        initial: { name: line?.name ?? "", order: String(line?.order ?? 0) },
        body: ({ name, order }, refuse) => {
          if (name.trim() === "") refuse("name", setUp.faults.required);
          const place = signedFrom(order, locale);
          if (typeof place !== "object") refuse("order", setUp.faults.number);
          return { name: name.trim(), order: typeof place === "object" ? place.value : 0 };
        },
      }),
  };
}
