import "./kinds.css";
import { maxOf } from "../domain/extremes.ts";
import { axisOf } from "../domain/hours.ts";
import { unitsText } from "../ui/numbers.ts";
import { Plot, type PlotPoint } from "./plot.tsx";

/** A bar of units: good ones below, rejected ones on top, and a mark at the target (0: none). */
export interface UnitBar extends PlotPoint {
  good: number;
  rejected: number;
  target: number;
}

/** Bars of units over time, against their targets. */
export function UnitBars({ title, bars }: { title: string; bars: readonly UnitBar[] }) {
  const axis = axisOf(maxOf(bars.map(({ good, rejected, target }) => Math.max(good + rejected, target))), 4);
  const top = axis[axis.length - 1] ?? 1;
  const y = (value: number) => 100 - (100 * value) / top;
  const width = 100 / bars.length;
  return (
    <Plot
      title={title}
      axis={axis.map((value) => ({ at: y(value), text: unitsText(value) }))}
      points={bars}
      every={Math.ceil(bars.length / 8)}
    >
      <svg class="plot-area" aria-hidden="true">
        {axis.map((value) => (
          <line key={value} class="plot-line" x1="0" x2="100%" y1={`${y(value)}%`} y2={`${y(value)}%`} />
        ))}
        {bars.map(({ key, good, rejected, target }, i) => {
          const [x, inner] = [i * width + width * 0.14, width * 0.72];
          return (
            <g key={key}>
              <rect class="k-made" x={`${x}%`} width={`${inner}%`} y={`${y(good)}%`} height={`${100 - y(good)}%`} />
              <rect
                class="k-quality"
                x={`${x}%`}
                width={`${inner}%`}
                y={`${y(good + rejected)}%`}
                height={`${y(good) - y(good + rejected)}%`}
              />
              {target > 0 && (
                <line
                  class="plot-target"
                  x1={`${i * width + width * 0.04}%`}
                  x2={`${(i + 1) * width - width * 0.04}%`}
                  y1={`${y(target)}%`}
                  y2={`${y(target)}%`}
                />
              )}
            </g>
          );
        })}
      </svg>
    </Plot>
  );
}
