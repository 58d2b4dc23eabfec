import "./hours-card.css";
import { second } from "../../app/clock.ts";
import { may } from "../../data/may.ts";
import { formats } from "../../data/plant.ts";
import { kindOfStatus } from "../../domain/machine-kind.ts";
import { breaksOf, type HourBar, highestOf, hourBars, withTotalNow } from "../../domain/shift-hours.ts";
import { floor } from "../../texts/floor.ts";
import type { MachineStore, Stretch } from "./machine-store.ts";

const HEIGHT = 100;
/** The most times below the bars. */
const LABELS = 8;
/** A machine that made less than this part of an hour's target has lost something in it. */
const BEHIND_BELOW = 0.95;

/** The hours of the running shift, with a mark for each target, above its timeline. */
export function HoursCard({ store }: { store: MachineStore }) {
  const { row } = store;
  if (!row?.shift) return null;
  const span = { start: Date.parse(row.shift.startTime), end: Date.parse(row.shift.endTime) };
  const plan = store.plan.value;
  const breaks = plan?.id === row.shift.id ? breaksOf(plan, span.start) : [];
  const hours = hourBars(store.hours.value ?? [], span, second.value, row.targetPerHour, breaks);
  const bars = withTotalNow(hours, row.total);
  const hour = (at: number) => formats().time(at).slice(0, 2);
  const name = `${row.shift.name} ${hour(span.start)}–${hour(span.end)}`;
  return (
    <section class="floor-card floor-hours">
      <div class="floor-between floor-label">
        <span>{floor.unitsByHour}</span>
        <span class="floor-shift-name" title={name}>
          {name}
        </span>
      </div>
      <Bars bars={bars} />
      <ShiftStrip store={store} span={span} />
      <HoursTable bars={bars} />
    </section>
  );
}

/** A bar per hour, and the target as a mark on it. */
function Bars({ bars }: { bars: readonly HourBar[] }) {
  const { time } = formats();
  const highest = highestOf(bars) * 1.05;
  const y = (value: number) => HEIGHT - (HEIGHT * value) / highest;
  const every = Math.ceil(bars.length / LABELS);
  return (
    <>
      <div class="floor-bars">
        <svg viewBox={`0 0 ${100 * bars.length} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          {bars.map(({ start, total, target }, i) => (
            <g key={start}>
              {total !== null && (
                <rect
                  class={target !== null && total < target * BEHIND_BELOW ? "fill-behind" : "fill-made"}
                  x={100 * i + 7}
                  width="86"
                  y={y(total)}
                  height={HEIGHT - y(total)}
                />
              )}
              {target !== null && <path class="floor-mark floor-target" d={`M${100 * i + 7} ${y(target)}h86`} />}
            </g>
          ))}
        </svg>
      </div>
      <div class="floor-hour-names floor-label" aria-hidden="true">
        {bars.map(({ start, state }, i) => (
          <span key={start} class={state === "running" ? "floor-hour-now" : ""}>
            {/* A long shift has no room for the name of each hour. */}
            {i % every === 0 ? time(start).slice(0, 2) : ""}
          </span>
        ))}
      </div>
    </>
  );
}

/** The timeline of the shift. A tap on a stop asks for its cause; the list of stops does the same for keys. */
function ShiftStrip({ store, span }: { store: MachineStore; span: { start: number; end: number } }) {
  const stretches = store.stretches.value ?? [];
  const now = Math.min(second.value, span.end);
  const x = (at: number) => (1000 * (Math.min(Math.max(at, span.start), span.end) - span.start)) / (span.end - span.start);
  const last = stretches[stretches.length - 1];
  const mayAsk = may("stops:write");
  const count = store.stops.value?.length ?? 0;
  return (
    <svg class="floor-timeline" viewBox="0 0 1000 18" preserveAspectRatio="none" role="img" aria-label={floor.timeline(count)}>
      <defs>
        <pattern id="floor-uncaused" width="16" height="6" patternUnits="userSpaceOnUse" patternTransform="skewX(-60)">
          <rect class="hatch-ground" width="16" height="6" />
          <rect class="hatch-stripe" width="10" height="6" />
        </pattern>
      </defs>
      <rect class="fill-ground" width="1000" height="18" />
      {stretches.map((stretch) => {
        // The last stretch continues, so it is longer by now than when it was read.
        const end = stretch === last ? now : Date.parse(stretch.endTime);
        const [from, to] = [x(Date.parse(stretch.startTime)), x(end)];
        const { stop } = stretch;
        return (
          // biome-ignore lint/a11y/noStaticElementInteractions: the list of stops does the same for keyboards and screen readers.
          <rect
            key={stretch.startTime}
            class={`${lookOf(stretch)} ${stop && mayAsk ? "floor-tap" : ""}`}
            x={from}
            width={Math.max(0, to - from)}
            height="18"
            onClick={() => {
              if (stop && mayAsk && store.stops.value?.some(({ id }) => id === stop.id)) store.picked.value = stop.id;
            }}
          />
        );
      })}
    </svg>
  );
}

function lookOf({ status, stop }: Stretch): string {
  const isUncaused = status === "N" && stop !== null && !stop.generalCause && !stop.specificCause;
  return isUncaused ? "fill-stopped fill-uncaused" : `fill-${kindOfStatus(status, stop?.isBreak ?? false)}`;
}

/** The hours for screen readers. A table takes its height whatever its style says, and would lengthen the page: hence the box around it. */
function HoursTable({ bars }: { bars: readonly HourBar[] }) {
  const { number, time } = formats();
  return (
    <div class="unseen">
      <table>
        <caption>{floor.hours}</caption>
        <thead>
          <tr>
            <th scope="col">{floor.hour}</th>
            <th scope="col">{floor.made}</th>
            <th scope="col">{floor.target}</th>
          </tr>
        </thead>
        <tbody>
          {bars.map(({ start, total, target }) => (
            <tr key={start}>
              <th scope="row">{time(start)}</th>
              <td>{total === null ? "–" : number(total)}</td>
              <td>{target === null ? floor.noStandard : number(target)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
