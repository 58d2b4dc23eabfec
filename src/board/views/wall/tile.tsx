import "./tile.css";
import type { ReadonlySignal } from "@preact/signals";
import type { Row } from "../../data/live.ts";
import { formats } from "../../data/plant.ts";
import { figuresAt, forecastShareAt, trendOf } from "../../domain/extrapolate.ts";
import { clockText } from "../../domain/formats.ts";
import { kindOf, type MachineKind } from "../../domain/machine-kind.ts";
import { shownSince } from "../../domain/state-since.ts";
import { isOverrun, lacksCause } from "../../domain/urgency.ts";
import { emsOf, nameParts } from "../../domain/wall-texts.ts";
import { common, stopName } from "../../texts/common.ts";
import { wall } from "../../texts/wall.ts";
import { BellIcon } from "../../ui/bell-icon.tsx";
import { later } from "../../ui/later.tsx";
import { StateIcon } from "../../ui/state-icon.tsx";
import { MachineName } from "./machine-name.tsx";
import { colourOf, Mark, ToTheEnd } from "./marks.tsx";

/** Loaded later: a pattern beside the words, which have a place kept for it. */
const Strip = later(async () => (await import("./parts.ts")).Strip);

interface TileProps {
  row: ReadonlySignal<Row | undefined>;
  /** The shown instant, epoch ms, and the same by the minute. */
  now: ReadonlySignal<number>;
  minute: ReadonlySignal<number>;
  /** Whether there is an open incident that nobody has acknowledged. */
  isAlarmed: boolean;
  /** Whether it has two lines. */
  isDense: boolean;
  /** The width of a line, in font sizes. */
  ems: number;
}

/** One machine on the wall: its name, what it does and why, and whether its shift is won or lost. */
export function Tile({ row: of, now: at, minute, isAlarmed, isDense, ems }: TileProps) {
  const row = of.value;
  const now = at.value;
  if (!row) return null;
  const { machine, helpCall } = row;
  const kind = kindOf(row);
  const word = wordOf(row, kind, now);
  const clock = clockOf(row, kind, now);
  const icon = helpCall ? <Mark shape="hand" /> : <StateIcon kind={kind} />;
  const classes = ["tile", `tile-${kind}`, lacksCause(row) && "tile-new", helpCall && "tile-help"].filter(Boolean);
  const room = ems - (isDense ? ICON_EMS : 0) - (isAlarmed ? ICON_EMS : 0);
  return (
    <li
      class={classes.join(" ")}
      data-machine={machine.id}
      title={[machine.name, word, helpCall && helpText(helpCall)].filter(Boolean).join(" · ")}
    >
      <article>
        <div class="tile-line">
          {isDense && <span class={`tile-state kind-${kind}`}>{icon}</span>}
          {isAlarmed && <Alarm />}
          <MachineName name={machine.name} />
          {clock !== null && hasRoomForClock(machine.name, clock, room) && <span class="tile-elapsed">{clock}</span>}
        </div>
        {helpCall && <Call name={machine.name} />}
        {isDense ? (
          <Second row={row} kind={kind} word={word} now={now} ems={ems} />
        ) : (
          <>
            <p class={`tile-line tile-state kind-${kind}`}>
              {icon}
              <span class="tile-word">{word}</span>
            </p>
            <p class="tile-line">
              <Result row={row} kind={kind} now={now} ems={ems} />
            </p>
          </>
        )}
      </article>
      <Strip row={of} minute={minute} />
    </li>
  );
}

/** The second line of a tile with two: how the shift goes, if the machine is running; otherwise what it does and why, with the difference to target if it fits. */
function Second({ row, kind, word, now, ems }: { row: Row; kind: MachineKind; word: string; now: number; ems: number }) {
  const hasWord = kind !== "running" || row.helpCall !== null;
  return (
    <p class="tile-line">
      {hasWord && (
        <span class={`tile-state kind-${kind}`}>
          <span class="tile-word">{word}</span>
        </span>
      )}
      <Result row={row} kind={kind} now={now} ems={hasWord ? ems - emsOf(word) - GAP_EMS : ems} />
    </p>
  );
}

/** The widths of what is beside texts, in font sizes. As in tile.css. */
const ICON_EMS = 1;
const GAP_EMS = 0.35;
const MARK_EMS = 0.75;
/** Beside a clock a name has at least this much: its end, and a letter and an ellipsis before it. */
const LEAST_NAME_EMS = 3.2;
const LEAST_HEAD_EMS = 1.4;

function hasRoomForClock(name: string, clock: string, ems: number): boolean {
  const least = Math.max(LEAST_NAME_EMS, LEAST_HEAD_EMS + emsOf(nameParts(name)[1]));
  return ems - emsOf(clock) - GAP_EMS >= Math.min(least, emsOf(name));
}

/** The difference to the target of this moment, and the forecast for the end of the shift. What does not fit is left out. */
function Result({ row, kind, now, ems }: { row: Row; kind: MachineKind; now: number; ems: number }) {
  const figures = figuresAt(row, now);
  if (!figures || figures.target <= 0) return null;
  const { signed, percent, time } = formats();
  const share = forecastShareAt(row, now);
  const units = Math.round(figures.total - figures.target);
  const trend = trendOf(share, units);
  const difference = signed(units);
  // Its numbers are those of its last event.
  const asOf = kind === "noData" && row.lastEventAt !== null ? `${time(row.lastEventAt)}: ` : "";
  const own = MARK_EMS + emsOf(asOf + difference);
  if (ems < own) return null;
  const forecast = share === null || asOf ? null : percent(Math.round(100 * share));
  const hasForecast = forecast !== null && ems >= own + GAP_EMS + MARK_EMS + emsOf(forecast);
  return (
    <>
      <span class={`tile-difference ${asOf ? "" : colourOf(trend)}`}>
        {!asOf && <Mark shape={trend} />}
        {asOf}
        {difference}
      </span>
      {hasForecast && (
        <span class="tile-forecast">
          <ToTheEnd />
          {forecast}
        </span>
      )}
    </>
  );
}

interface PinProps extends Pick<TileProps, "row" | "now" | "isAlarmed"> {
  /** The width of a line, in font sizes: if the clock does not fit, it has a line of its own. */
  ems: number;
}

/** A machine in the column of those who are needed: its name, why, and for how long. */
export function Pin({ row: of, now: at, isAlarmed, ems }: PinProps) {
  const row = of.value;
  const now = at.value;
  if (!row) return null;
  const { machine, helpCall } = row;
  const kind = kindOf(row);
  const { word, clock } = pinTexts(row, now);
  const isLong = pinLines(row, now, ems) > 2;
  const elapsed = clock !== null && <span class="tile-elapsed">{clock}</span>;
  return (
    <li
      class={`tile pin tile-${kind} ${helpCall ? "tile-help" : "tile-new"}`}
      data-machine={machine.id}
      title={[machine.name, word, helpCall && helpText(helpCall)].filter(Boolean).join(" · ")}
    >
      <article>
        <div class="tile-line">
          <span class="tile-state">{helpCall ? <Mark shape="hand" /> : <StateIcon kind={kind} />}</span>
          {isAlarmed && <Alarm />}
          <MachineName name={machine.name} />
        </div>
        {helpCall && <Call name={machine.name} />}
        <p class="tile-line pin-why">
          <span class="tile-word">{word}</span>
          {!isLong && elapsed}
        </p>
        {isLong && <p class="tile-line pin-why">{elapsed}</p>}
      </article>
    </li>
  );
}

/** How many lines a machine needs in the column. */
export function pinLines(row: Row, now: number, ems: number): number {
  const { word, clock } = pinTexts(row, now);
  return clock === null || emsOf(word) + GAP_EMS + emsOf(clock) <= ems ? 2 : 3;
}

function pinTexts(row: Row, now: number) {
  const kind = kindOf(row);
  return { word: wordOf(row, kind, now), clock: clockOf(row, kind, now) };
}

/** Somebody should acknowledge an alert of the machine. */
function Alarm() {
  return (
    <span class="tile-alert">
      <BellIcon /> <span class="unseen">{wall.alert}</span>
    </span>
  );
}

/** Said by screen readers. */
function Call({ name }: { name: string }) {
  return (
    <span class="unseen" role="alert">
      {wall.help}: {name}
    </span>
  );
}

function helpText({ message, calledBy }: NonNullable<Row["helpCall"]>): string {
  const by = calledBy.name === null ? "" : wall.helpBy(calledBy.name);
  return [message, by].filter(Boolean).join(" · ");
}

/** What the machine does; the cause of a stop, if it is known. */
export function wordOf(row: Row, kind: MachineKind, now: number): string {
  const { stop, plannedUntil, shortStops, helpCall, isReachable } = row;
  if (helpCall) return helpCall.message ?? wall.help;
  if (kind === "slow") return shortStops !== null && shortStops > 5 ? wall.shortStops(shortStops) : common.kinds.slow;
  if (kind === "noData") return isReachable ? common.kinds.noData : wall.unreachable;
  if (!stop || kind === "running" || kind === "off") return common.kinds[kind];
  if (lacksCause(row)) return wall.noCause;
  // The most detailed causes: the stop's name is that of its specific cause, if it has one.
  const names = [stopName(stop.name), stop.component?.name];
  const over = plannedUntil !== null && isOverrun(row, now) && wall.overrun(formats().time(plannedUntil));
  return [[...new Set(names.filter(Boolean))].join(" › "), over].filter(Boolean).join(" · ");
}

/** For how long it has been so, or has called for help; null for machines that run, and where nobody knows. */
function clockOf(row: Row, kind: MachineKind, now: number): string | null {
  if (row.helpCall) return clockText(now - Date.parse(row.helpCall.since));
  const since = shownSince(row);
  return kind === "running" || kind === "off" || since === null ? null : clockText(now - Date.parse(since));
}
