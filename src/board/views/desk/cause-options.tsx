import type { CauseGroup } from "../../domain/causes.ts";

/** The causes of a plant, as options of a field: general causes, each followed by its specific ones. The value of an option is the key of the choice. */
export function CauseOptions({ tree }: { tree: readonly CauseGroup[] }) {
  return (
    <>
      {tree.map(({ general, specifics }) => (
        <optgroup key={(general ?? specifics[0])?.key} label={general?.name ?? "–"}>
          {[...(general ? [general] : []), ...specifics].map(({ key, path }) => (
            <option key={key} value={key}>
              {path}
            </option>
          ))}
        </optgroup>
      ))}
    </>
  );
}
