import "./speed-card.css";
import { second } from "../../app/clock.ts";
import { formats } from "../../data/plant.ts";
import { kindOfStatus } from "../../domain/machine-kind.ts";
import { fastestOf, SLOW_BELOW } from "../../domain/pace.ts";
import { HOUR_MS } from "../../domain/time.ts";
import { floor } from "../../texts/floor.ts";
import type { MachineStore } from "./machine-store.ts";
import { standardOf } from "./standard.ts";

const WIDTH = 1000;
const HEIGHT = 100;
/** The times below the line. */
const MARKS = 4;

/** The speed of the last hour as a line, with the standard and the speed below which the machine is slow. */
export function SpeedCard({ store }: { store: MachineStore }) {
  const paces = store.paces.value;
  const standard = standardOf(store);
  const { number, time } = formats();
  const end = second.value;
  const start = end - HOUR_MS;
  const limit = standard === null ? null : standard * SLOW_BELOW;
  const highest = 1.15 * fastestOf(paces, standard);
  const x = (at: number) => (WIDTH * (Math.min(Math.max(at, start), end) - start)) / HOUR_MS;
  const y = (perHour: number) => HEIGHT - (HEIGHT * perHour) / highest;
  const points = paces.map((one) => `${x((one.start + one.end) / 2).toFixed(1)},${y(one.perHour).toFixed(1)}`);
  const stops = (store.stretches.value ?? []).filter(({ status }) => status !== "A");
  const bounds = [standard !== null && floor.standard(number(standard)), limit !== null && floor.slowBelow(number(limit))];
  const about = bounds.filter(Boolean).join(" · ");
  return (
    <section class="floor-card floor-speed">
      <header class="floor-between">
        <h3>
          {floor.speed} <span class="floor-label">{floor.unitsAnHour}</span>
        </h3>
        <p class="floor-label">{about}</p>
      </header>
      <div class="floor-speed-chart">
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={floor.speedNow(about)}>
          {stops.map((stretch) => {
            const [from, to] = [x(Date.parse(stretch.startTime)), x(Date.parse(stretch.endTime))];
            const kind = kindOfStatus(stretch.status, stretch.stop?.isBreak ?? false);
            return (
              <rect key={stretch.startTime} class={`tint-${kind}`} x={from} width={Math.max(0, to - from)} height={HEIGHT} />
            );
          })}
          {standard !== null && <path class="speed-standard" d={`M0 ${y(standard)}H${WIDTH}`} />}
          {limit !== null && <path class="speed-limit" d={`M0 ${y(limit)}H${WIDTH}`} />}
          {points.length > 1 && <polyline class="speed-line" points={points.join(" ")} />}
        </svg>
      </div>
      <div class="floor-between floor-label" aria-hidden="true">
        {Array.from({ length: MARKS + 1 }, (_, i) => (
          <span key={i}>{time(start + (i * HOUR_MS) / MARKS)}</span>
        ))}
      </div>
      <div class="unseen">
        <table>
          <caption>{floor.speedTable}</caption>
          <thead>
            <tr>
              <th scope="col">{floor.from}</th>
              <th scope="col">{floor.unitsAnHour}</th>
            </tr>
          </thead>
          <tbody>
            {paces.map((one) => (
              <tr key={one.start}>
                <th scope="row">{time(one.start)}</th>
                <td>{number(one.perHour)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
