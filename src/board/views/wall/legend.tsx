import { emsOf } from "../../domain/wall-texts.ts";
import { common } from "../../texts/common.ts";
import { wall } from "../../texts/wall.ts";
import { StateIcon } from "../../ui/state-icon.tsx";
import { Mark, ToTheEnd } from "./marks.tsx";

/** Between texts, in font sizes. As in footer.css. */
const SPACE_EMS = 1.4;

const running = {
  name: "running",
  width: 1.2,
  marks: (
    <span class="kind-running">
      <StateIcon kind="running" />
    </span>
  ),
} as const;
const difference = {
  name: "difference",
  width: 2,
  marks: (
    <>
      <span class="trend-behind">
        <Mark shape="behind" />
      </span>
      <span class="trend-ahead">
        <Mark shape="ahead" />
      </span>
    </>
  ),
} as const;
const forecast = { name: "forecast", width: 1, marks: <ToTheEnd /> } as const;
const strip = { name: "strip", width: 0, marks: null } as const;

/**
 * What the shapes mean, as far as there is room.
 * @param ems the width that it can take, in font sizes
 * @param isDense whether running machines have no word
 */
export function Legend({ ems, isDense }: { ems: number; isDense: boolean }) {
  const all = [...(isDense ? [running] : []), difference, forecast, strip];
  let left = ems;
  return (
    <ul class="wall-legend">
      {all.map(({ name, marks, width }) => {
        const text = name === "running" ? common.kinds.running : wall.legend[name];
        left -= width + emsOf(text) + SPACE_EMS;
        if (left < 0) return null;
        return (
          <li key={name}>
            {marks}
            {text}
          </li>
        );
      })}
    </ul>
  );
}
