import "./strip.css";
import { type ReadonlySignal, signal } from "@preact/signals";
import { serverNow } from "../../app/clock.ts";
import { api } from "../../data/api.ts";
import type { Row } from "../../data/live.ts";
import { durationText } from "../../domain/formats.ts";
import { continued, type Histories, historiesOf, minutesByKind, STRIP_MS } from "../../domain/history.ts";
import { iso, MINUTE_MS } from "../../domain/time.ts";
import { common } from "../../texts/common.ts";
import { wall } from "../../texts/wall.ts";
import { type Selection, selected, useReading } from "./reading.ts";

/** What the machines did in the last hours; empty until it is known. */
const histories = signal<Histories>(new Map());

/** Live rows continue the strips; reading them again brings what people have changed since. */
const READ_EVERY_MS = 10 * MINUTE_MS;

/** Reads what the machines of a wall did, while it is shown. Shows nothing itself: without strips a wall still says what it must. */
export function HistoryReader(selection: Selection) {
  const read = () => {
    const now = serverNow();
    const times = { from: iso(now - STRIP_MS), to: iso(now + MINUTE_MS) };
    return api("get", "/v1/timeline", { query: { ...selected(selection), ...times } });
  };
  useReading("timeline", READ_EVERY_MS, read, ({ data }) => {
    histories.value = historiesOf(data);
  });
  return null;
}

interface StripProps {
  row: ReadonlySignal<Row | undefined>;
  /** The shown instant, epoch ms, by the minute. */
  minute: ReadonlySignal<number>;
}

/** What a machine did in the last eight hours: a pattern, whose words are above it. Time outside shifts is empty. */
export function Strip({ row: of, minute }: StripProps) {
  const row = of.value;
  if (!row) return null;
  const now = minute.value + MINUTE_MS;
  const start = now - STRIP_MS;
  const spans = continued(histories.value.get(row.machine.id) ?? [], row, now);
  const percent = (ms: number) => `${((100 * ms) / STRIP_MS).toFixed(2)}%`;
  const said = [...minutesByKind(spans, now)].map(([kind, minutes]) => {
    return `${kind === "unknown" ? wall.noCause : common.kinds[kind]} ${durationText(minutes * MINUTE_MS)}`;
  });
  return (
    <div class="strip" role="img" aria-label={[wall.strip, ...said].join(", ")}>
      {spans
        .filter((one) => one.end > start)
        .map((one) => {
          const from = Math.max(one.start, start);
          const place = { left: percent(from - start), width: percent(one.end - from) };
          return <b key={one.start} class={`strip-${one.kind}`} style={place} />;
        })}
    </div>
  );
}
