import { maxOf } from "../domain/extremes.ts";
import { axisOf } from "../domain/hours.ts";
import { Plot, type PlotPoint } from "./plot.tsx";

/** A point in time: the values of the curves there. Null, or a curve without a value: there was nothing. */
export interface CurvePoint<Name extends string> extends PlotPoint {
  at: Readonly<Partial<Record<Name, number>>> | null;
}

interface CurvesProps<Name extends string> {
  title: string;
  /** The curves, the most important one first: it is drawn on top, with dots. */
  names: readonly Name[];
  points: readonly CurvePoint<NoInfer<Name>>[];
  /** The axis reaches at least to this value. */
  least: number;
  text(value: number): string;
}

/** Curves over time, broken where there are no data. The class of a curve is `s-` and its name. */
export function Curves<Name extends string>({ title, names, points, least, text }: CurvesProps<Name>) {
  // A few lines, however large: a glitch of a counter makes an OEE of millions.
  const axis = axisOf(maxOf([least, ...points.flatMap(({ at }) => names.flatMap((name) => at?.[name] ?? []))]));
  const top = axis[axis.length - 1] ?? least;
  const x = (i: number) => ((i + 0.5) * 100) / points.length;
  const y = (value: number) => 100 - (100 * value) / top;
  const pathOf = (name: Name) =>
    points
      .map(({ at }, i) => {
        const value = at?.[name];
        return value === undefined
          ? ""
          : `${points[i - 1]?.at?.[name] === undefined ? "M" : "L"}${x(i).toFixed(2)} ${y(value).toFixed(2)}`;
      })
      .join("");
  const [first] = names;
  return (
    <Plot
      title={title}
      axis={axis.map((value) => ({ at: y(value), text: text(value) }))}
      points={points}
      every={Math.ceil(points.length / 6)}
    >
      {/* A box in percent: the curves stretch with it, but their strokes do not. */}
      <svg class="plot-area" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        {axis.map((value) => (
          <line key={value} class="plot-line" x1="0" x2="100" y1={y(value)} y2={y(value)} vector-effect="non-scaling-stroke" />
        ))}
        {[...names].reverse().map((name) => (
          <path key={name} class={`plot-curve s-${name}`} d={pathOf(name)} vector-effect="non-scaling-stroke" />
        ))}
      </svg>
      <svg class="plot-area plot-over" aria-hidden="true">
        {first &&
          points.map(({ key, at }, i) => {
            const value = at?.[first];
            return value !== undefined && <circle key={key} class={`d-${first}`} cx={`${x(i)}%`} cy={`${y(value)}%`} r="4" />;
          })}
      </svg>
    </Plot>
  );
}
