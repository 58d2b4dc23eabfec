import "./shift-card.css";
import { second } from "../../app/clock.ts";
import { may } from "../../data/may.ts";
import { formats } from "../../data/plant.ts";
import { kindOfStatus } from "../../domain/machine-kind.ts";
import { breaksOf, type HourBar, highestOf, hourBars, targetNow, withTotalNow } from "../../domain/shift-hours.ts";
import { floor } from "../../texts/floor.ts";
import type { MachineStore } from "./machine-store.ts";

/** The running shift: production against the present target, the timeline, and the hours. */
export function ShiftCard({ store }: { store: MachineStore }) {
  const { row } = store;
  if (!row?.shift) return null;
  const span = { start: Date.parse(row.shift.startTime), end: Date.parse(row.shift.endTime) };
  const plan = store.plan.value;
  const breaks = plan?.id === row.shift.id ? breaksOf(plan, span.start) : [];
  const hours = hourBars(store.hours.value ?? [], span, second.value, row.targetPerHour, breaks);
  const bars = withTotalNow(hours, row.total);
  return (
    <section class="card floor-shift">
      <header>
        <h2 class="quiet">{floor.thisShift}</h2>
        <Made row={row} />
      </header>
      <ShiftStrip store={store} span={span} />
      <Hours bars={bars} />
    </section>
  );
}

function Made({ row }: { row: NonNullable<MachineStore["row"]> }) {
  const { number, signed } = formats();
  const target = targetNow(row, second.value);
  const made = row.total ?? 0;
  if (!target) return <strong>{floor.madeSoFar(number(made))}</strong>;
  const ahead = Math.round(made) - Math.round(target);
  return (
    <strong>
      {floor.soFar(number(made), number(target))} ·{" "}
      <span class={ahead < 0 ? "kind-stopped" : "kind-running"}>{signed(ahead)}</span>
    </strong>
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
    <svg class="floor-timeline" viewBox="0 0 1000 40" preserveAspectRatio="none" role="img" aria-label={floor.timeline(count)}>
      <rect class="fill-line" width="1000" height="40" />
      {stretches.map((stretch) => {
        // The last stretch continues, so it is longer by now than when it was read.
        const end = stretch === last ? now : Date.parse(stretch.endTime);
        const [from, to] = [x(Date.parse(stretch.startTime)), x(end)];
        const { stop } = stretch;
        return (
          // biome-ignore lint/a11y/noStaticElementInteractions: the list of stops does the same for keyboards and screen readers.
          <rect
            key={stretch.startTime}
            class={`fill-${kindOfStatus(stretch.status, stop?.isBreak ?? false)} ${stop && mayAsk ? "floor-tap" : ""}`}
            x={from}
            width={Math.max(0, to - from)}
            height="40"
            onClick={() => {
              if (stop && mayAsk && store.stops.value?.some(({ id }) => id === stop.id)) store.picked.value = stop.id;
            }}
          />
        );
      })}
    </svg>
  );
}

const HEIGHT = 100;
/** The most times below the bars. */
const LABELS = 8;
/** The digits that fit above the bars. If there are more, the numbers stand where the times do. */
const PHONE_DIGITS = 38;
const TABLET_DIGITS = 84;

/** A bar per hour, and the target as a mark on it. */
function Hours({ bars }: { bars: readonly HourBar[] }) {
  const { number, time } = formats();
  const highest = highestOf(bars) * 1.05;
  const y = (value: number) => HEIGHT - (HEIGHT * value) / highest;
  const every = Math.ceil(bars.length / LABELS);
  const text = (value: number | null) => (value === null ? "–" : number(value));
  // With half a digit between two numbers.
  const digits = bars.length * (bars.reduce((most, { total }) => Math.max(most, text(total).length), 0) + 0.5);
  const room = digits > TABLET_DIGITS ? "hours-tight" : digits > PHONE_DIGITS ? "hours-tight-on-phone" : "";
  return (
    <figure class="floor-hours">
      <div class={`floor-bars ${room}`} aria-hidden="true">
        {bars.map(({ start, total, target, state }, i) => (
          <div key={start} class="floor-bar">
            <span class={`floor-bar-value ${i % every === 0 ? "" : "floor-bar-between"}`}>
              {state === "future" ? "" : text(total)}
            </span>
            <svg viewBox={`0 0 100 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
              {total !== null && (
                <rect
                  class={target !== null && total < target * 0.95 ? "fill-behind" : "fill-running"}
                  x="6"
                  width="88"
                  y={y(total)}
                  height={HEIGHT - y(total)}
                />
              )}
              {target !== null && <rect class="fill-text" x="0" width="100" y={y(target) - 1.5} height="3" />}
            </svg>
            {/* A long shift has no room for the time of each hour. */}
            <span class="quiet floor-bar-time">{i % every === 0 ? time(start) : ""}</span>
          </div>
        ))}
      </div>
      {/* A table takes its height whatever its style says, and would lengthen the page. */}
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
                <td>{text(total)}</td>
                <td>{target === null ? floor.noStandard : number(target)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}
