import { Refusal } from "../data/api.ts";
import { common, reasonOf } from "../texts/common.ts";

/** What the service refused, by field; what belongs to no field that is shown is under "". */
export function faultsOf(
  errors: readonly unknown[],
  shown: readonly string[],
  own?: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const found = new Map(own);
  const add = (name: string, text: string) => found.set(name, [found.get(name), text].filter(Boolean).join(" "));
  for (const error of errors) {
    if (error === null) continue;
    const refused = error instanceof Refusal ? error.faults : [];
    for (const { pointer, message } of refused) {
      const [, ...path] = pointer.split("/");
      // The member that has a field: "/targets/0/skuId" is about the field of the SKU, if there is none for all targets.
      const place = Math.max(
        path.findIndex((part) => shown.includes(part)),
        0,
      );
      const [name = "", ...rest] = path.slice(place);
      const row = /^\d+$/.test(rest[0] ?? "") ? Number(rest.shift()) + 1 : null;
      const text = [...rest, message].join(" ");
      if (shown.includes(name)) add(name, row === null ? text : common.inRow(row, text));
      else add("", `${name} ${message}`.trim());
    }
    if (refused.length === 0) add("", reasonOf(error));
  }
  return found;
}
