import type { causeChoices } from "../../domain/causes.ts";

/** The causes of a plant, as options of a field: general causes with their specific ones. */
export function CauseOptions({ groups }: Pick<ReturnType<typeof causeChoices>, "groups">) {
  return (
    <>
      {groups.map(({ general, options }) => (
        <optgroup key={general} label={general}>
          {options.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </optgroup>
      ))}
    </>
  );
}
