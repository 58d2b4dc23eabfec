import "./line-hours.css";
import { type ReadonlySignal, useSignal } from "@preact/signals";
import { api } from "../../data/api.ts";
import type { Row } from "../../data/live.ts";
import { formats } from "../../data/plant.ts";
import { trendOf } from "../../domain/extrapolate.ts";
import type { ProductionRow } from "../../domain/hours.ts";
import type { PlantNow } from "../../domain/plant-now.ts";
import { HOUR_MS, iso, MINUTE_MS } from "../../domain/time.ts";
import { type MachineDay, machineDays } from "../../domain/timeline.ts";
import { type Reason, reasonsOf, type WallHour, wallHours, withSum } from "../../domain/wall-hours.ts";
import type { Size } from "../../domain/wall-layout.ts";
import { emsOf } from "../../domain/wall-texts.ts";
import { common, stopName } from "../../texts/common.ts";
import { wall } from "../../texts/wall.ts";
import { load as loadTexts, wallParts as t } from "../../texts/wall-parts.ts";
import { later } from "../../ui/later.tsx";
import { colourOf, Mark, ToTheEnd } from "./marks.tsx";
import { type Selection, selected, useReading } from "./reading.ts";
import { ShortMachine } from "./short-machine.tsx";

const READ_EVERY_MS = 2 * MINUTE_MS;
/** The whole shift is read: its sum must be that of the header. */
const MOST_HOURS = 24;
/** Heights in font sizes, and widths of the columns but the last one. As in line-hours.css. */
const LINE = 1.365;
const MACHINE = 1.47;
const COLUMNS = 17.5;
/** So many hours there should be before machines are left out. */
const LEAST_HOURS = 4;
/** The width of a machine, and how many may be side by side. */
const MACHINE_EMS = 11;
const MOST_ACROSS = 3;

export interface LineHoursProps extends Selection {
  rows: readonly Row[];
  plant: ReadonlySignal<PlantNow>;
  /** The shown instant, epoch ms. */
  now: ReadonlySignal<number>;
  /** The font size and its captions', and the room for all, in px. */
  text: number;
  caption: number;
  space: Size;
}

interface Known {
  production: readonly ProductionRow[];
  days: readonly MachineDay[];
}

/** The machines of a line in short, and what they made hour by hour, and why not more. */
function Shown({ rows, plant: shown, now: at, text, caption, space, lineIds, machineIds }: LineHoursProps) {
  const now = at.value;
  const { shift, figures, forecastShare, targetAtEnd } = shown.value;
  const known = useKnown({ lineIds, machineIds }, shift, Math.floor(now / HOUR_MS));
  const most = Math.floor(space.height / (LINE * text)) - 2;
  const across = Math.max(1, Math.min(MOST_ACROSS, Math.floor(space.width / text / MACHINE_EMS)));
  const machineLines = Math.min(2, Math.ceil(rows.length / across), Math.max(0, most - LEAST_HOURS));
  const lines = Math.max(1, Math.floor((space.height - 1.5 * caption) / text / LINE - 1.25 - (machineLines * MACHINE) / LINE));
  const whole =
    shift && known ? withSum(wallHours(known.production, shift, now, MOST_HOURS), figures ?? { total: 0, target: 0 }) : [];
  const whyEms = space.width / text - COLUMNS;
  const { number, percent } = formats();
  return (
    <div class="line-hours">
      <ul class="line-machines" style={{ "--columns": across }}>
        {rows.slice(0, across * machineLines).map((row) => (
          <ShortMachine key={row.machine.id} row={row} now={now} />
        ))}
      </ul>
      {shift && (
        <table>
          <thead>
            <tr>
              <th scope="col">{t.hour}</th>
              <th scope="col">{t.target}</th>
              <th scope="col">{t.made}</th>
              <th scope="col">{t.difference}</th>
              {whyEms > 0 && <th scope="col">{t.why}</th>}
            </tr>
          </thead>
          <tbody>
            {shownOf(whole, lines).map((hour) => (
              <HourRow key={hour.start} hour={hour} reasons={known ? reasonsOf(known.days, hour) : []} whyEms={whyEms} />
            ))}
          </tbody>
          {figures && (
            <tfoot>
              <tr>
                <th scope="row">{t.soFar}</th>
                <td class="quiet">{number(figures.target)}</td>
                <td>{number(figures.total)}</td>
                <Difference total={figures.total} target={figures.target} share={forecastShare} />
                {whyEms > 0 && (
                  <td title={t.hourByHour}>
                    {forecastShare !== null && (
                      <span class="line-end">
                        <ToTheEnd /> {endText(percent(Math.round(100 * forecastShare)), number(targetAtEnd), whyEms)}
                      </span>
                    )}
                  </td>
                )}
              </tr>
            </tfoot>
          )}
        </table>
      )}
    </div>
  );
}

/** The same, once its texts are there. */
export const LineHours = later(async () => {
  await loadTexts();
  return Shown;
});

function endText(share: string, target: string, ems: number): string {
  const whole = t.shiftEnds(share, target);
  return emsOf(whole) + 1.5 <= ems ? whole : share;
}

/** The last hours that have begun, or if there is room the first ones to come, too. */
function shownOf(hours: readonly WallHour[], lines: number): readonly WallHour[] {
  const begun = hours.filter(({ total }) => total !== null).length;
  const first = Math.max(0, Math.min(begun - lines, hours.length - lines));
  return hours.slice(first, first + lines);
}

function HourRow({ hour, reasons, whyEms }: { hour: WallHour; reasons: readonly Reason[]; whyEms: number }) {
  const { start, end, total, target, isRunning } = hour;
  const { number, time } = formats();
  const why = whyOf(hour, reasons);
  const [first = "", second] = why;
  const both = second === undefined ? first : `${first} · ${second}`;
  return (
    <tr class={isRunning ? "line-now" : undefined}>
      <th scope="row">{`${time(start).slice(0, 2)}–${time(end).slice(0, 2)}`}</th>
      <td class="quiet">{total === null ? "" : number(target)}</td>
      <td>{total === null ? "" : number(total)}</td>
      {total === null ? <td /> : <Difference total={total} target={target} share={target > 0 ? total / target : null} />}
      {whyEms > 0 && <td title={why.join(" · ")}>{emsOf(both) <= whyEms ? both : first}</td>}
    </tr>
  );
}

function Difference({ total, target, share }: { total: number; target: number; share: number | null }) {
  const units = Math.round(total) - Math.round(target);
  const trend = trendOf(share, units);
  return (
    <td class={colourOf(trend)}>
      <span class="line-difference">
        <Mark shape={trend} />
        {formats().signed(units)}
      </span>
    </td>
  );
}

/** The two longest reasons, in words. An hour that lacks units though nothing stood was slow. */
function whyOf({ total, target }: WallHour, reasons: readonly Reason[]): string[] {
  const texts = reasons.slice(0, 2).map(({ kind, stop, minutes }) => {
    const name = kind === "noData" ? common.kinds.noData : kind === "unknown" ? wall.noCause : stopName(stop?.name ?? "");
    return `${name} ${Math.round(minutes)}\u00a0min`;
  });
  const isSlow = total !== null && trendOf(target > 0 ? total / target : null, total - target) === "behind";
  return texts.length === 0 && isSlow ? [common.kinds.slow] : texts;
}

/** What the machines made in the hours of a shift and why not more; read again when an hour is over. Null until it is known. */
function useKnown(selection: Selection, shift: PlantNow["shift"], hour: number): Known | null {
  const known = useSignal<Known | null>(null);
  const { start = 0, end = 0 } = shift ?? {};
  const query = { ...selected(selection), from: iso(start), to: iso(end) };
  const read = async () => {
    const [production, timeline] = await Promise.all([
      api("get", "/v1/production", { query: { ...query, interval: "hour" } }),
      api("get", "/v1/timeline", { query }),
    ]);
    return { production: production.data, days: machineDays(timeline.data) };
  };
  useReading(shift && `${start} ${end} ${hour}`, READ_EVERY_MS, read, (found) => {
    known.value = found;
  });
  return known.value;
}
