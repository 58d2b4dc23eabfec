import "./tile.css";
import type { ReadonlySignal } from "@preact/signals";
import type { Row } from "../../data/live.ts";
import { formats } from "../../data/plant.ts";
import { figuresAt, isDoubtful, oeeOf } from "../../domain/extrapolate.ts";
import { clockText, durationText } from "../../domain/formats.ts";
import { kindOf, type MachineKind } from "../../domain/machine-kind.ts";
import { shownSince } from "../../domain/state-since.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import { isOverrun, lacksCause } from "../../domain/urgency.ts";
import { common, stopName } from "../../texts/common.ts";
import { wall } from "../../texts/wall.ts";
import { BellIcon } from "../../ui/bell-icon.tsx";
import { StateIcon } from "../../ui/state-icon.tsx";
import { Fit } from "./fit.tsx";

interface TileProps {
  row: ReadonlySignal<Row | undefined>;
  /** The shown instant, epoch ms. */
  now: ReadonlySignal<number>;
  /** Whether there is an open incident that nobody has acknowledged. */
  isAlarmed: boolean;
  /** Changes with the size of the tile. */
  layout: string;
}

/** The most characters of a cause on one line; a longer one gets two lines. */
const LONG = 32;

/** One machine on the wall. */
export function Tile({ row: of, now: at, isAlarmed, layout }: TileProps) {
  const row = of.value;
  const now = at.value;
  if (!row) return null;
  const { machine, helpCall, shift } = row;
  const since = shownSince(row);
  const kind = kindOf(row);
  const figures = figuresAt(row, now);
  const oee = figures && oeeOf(figures);
  const isNew = lacksCause(row);
  const cause = detailText(row, kind, now);
  const isClockShown = kind !== "off" && since !== null;
  return (
    <li class={`tile tile-${kind}${isNew ? " tile-new" : ""}${helpCall ? " tile-help" : ""}`} data-machine={machine.id}>
      <article>
        <h3>
          <Fit class="tile-name" text={machine.name} layout={layout} wraps />
          {isAlarmed && (
            <span class="tile-alert">
              <BellIcon /> {wall.alert}
            </span>
          )}
        </h3>
        <p class={`tile-state kind-${kind}`}>
          <StateIcon kind={kind} />
          <Fit class="tile-word" text={common.kinds[kind]} layout={layout} />
        </p>
        <p class="tile-clock">
          {isClockShown && <span class="tile-elapsed">{clockText(now - Date.parse(since))}</span>}
          {shift && (
            <Fit
              class="tile-oee"
              text={oeeText(oee, figures !== null && isDoubtful(figures))}
              layout={`${layout} ${isClockShown}`}
            />
          )}
        </p>
        {helpCall ? (
          <div class="tile-help-call">
            <span class="unseen" role="alert">
              {wall.help}: {machine.name}
            </span>
            <strong>
              {wall.help} {clockText(now - Date.parse(helpCall.since))}
            </strong>
            <Fit text={helpText(helpCall)} layout={layout} wraps />
          </div>
        ) : (
          <>
            <Fit class={`tile-cause${cause.length > LONG ? " tile-cause-long" : ""}`} text={cause} layout={layout} wraps />
            <Fit class="tile-work" text={workText(row, figures?.noDataTime ?? 0)} layout={layout} wraps />
          </>
        )}
        {figures && shift && (
          <Output total={figures.total} target={figures.target} elapsed={elapsedShare(shift, now)} layout={layout} />
        )}
      </article>
    </li>
  );
}

/** Production against the present target, which is the mark on the bar. The whole bar is the target of the shift. */
function Output({ total, target, elapsed, layout }: { total: number; target: number; elapsed: number; layout: string }) {
  const { number, signed } = formats();
  const whole = elapsed > 0 ? target / elapsed : 0;
  const share = (value: number) => (whole > 0 ? Math.min(1, value / whole) : 0);
  return (
    <div class="tile-output">
      <p class="tile-figures">
        <Fit class="tile-total" text={number(total)} layout={layout} />
        {target > 0 && <Fit class="tile-difference" text={wall.toTarget(signed(Math.round(total - target)))} layout={layout} />}
      </p>
      <svg
        class="tile-bar"
        viewBox="0 0 1000 40"
        preserveAspectRatio="none"
        role="img"
        aria-label={wall.produced(number(total), number(target))}
      >
        <rect class="bar-track" y="10" width="1000" height="20" />
        <rect class="bar-made" y="10" width={1000 * share(total)} height="20" />
        {target > 0 && <rect class="bar-target" x={1000 * share(target) - 4} width="8" height="40" />}
      </svg>
    </div>
  );
}

function oeeText(oee: number | null, doubtful: boolean): string {
  const value = oee === null ? wall.none : formats().percent(oee);
  return `${wall.oeeShort} ${value}${doubtful ? ` (${wall.doubtful})` : ""}`;
}

function helpText({ message, calledBy }: NonNullable<Row["helpCall"]>): string {
  const by = calledBy.name === null ? "" : wall.helpBy(calledBy.name);
  return [message, by].filter(Boolean).join(" · ");
}

/** The reason for the machine's state. */
function detailText(row: Row, kind: MachineKind, now: number): string {
  const { stop, plannedUntil, lastEventAt, isReachable, isDegraded, shortStops } = row;
  const since = shownSince(row);
  const { time } = formats();
  if (kind === "noData") {
    if (!isReachable || (isDegraded && lastEventAt === null)) return wall.unreachable;
    return lastEventAt === null ? wall.neverHeard : wall.silent(time(lastEventAt));
  }
  if (kind === "slow") return shortStops !== null && shortStops > 5 ? wall.shortStops(shortStops) : wall.belowStandard;
  const start = kind === "off" ? null : since === null ? wall.longAgo : wall.since(time(since));
  if (!stop) return start ?? "";
  if (lacksCause(row)) return [wall.noCause, start].join(" · ");
  // The most detailed causes: the stop's name is that of its specific cause, if it has one.
  const names = [stopName(stop.name), stop.component?.name];
  const end = plannedUntil && (isOverrun(row, now) ? wall.overrun(time(plannedUntil)) : wall.until(time(plannedUntil)));
  return [[...new Set(names.filter(Boolean))].join(" › "), end || start].filter(Boolean).join(" · ");
}

/** The SKU, order and operators in work, and a note if data are missing. */
function workText({ sku, workOrder, operators, heldCounts }: Row, noDataMinutes: number): string {
  return [
    sku && (sku.name ?? sku.id),
    // A word joiner: codes such as WO-1001 do not break at the hyphen.
    workOrder && wall.order((workOrder.code ?? workOrder.name ?? workOrder.id).replace(/-/g, "-\u2060")),
    ...(operators ?? []).map(({ name }) => name),
    heldCounts !== null && heldCounts > 0 && common.heldCounts(heldCounts),
    noDataMinutes >= 1 && wall.incompleteShort(durationText(noDataMinutes * MINUTE_MS)),
  ]
    .filter(Boolean)
    .join(" · ");
}

function elapsedShare({ startTime, endTime }: NonNullable<Row["shift"]>, now: number): number {
  const [start, end] = [Date.parse(startTime), Date.parse(endTime)];
  return Math.max(0, Math.min(1, (now - start) / (end - start)));
}
