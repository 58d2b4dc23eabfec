import "./strip.css";
import { type ReadonlySignal, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { serverNow } from "../../app/clock.ts";
import { companyQuery } from "../../app/session.ts";
import { api } from "../../data/api.ts";
import type { Row } from "../../data/live.ts";
import { waitAfter } from "../../domain/backoff.ts";
import { durationText } from "../../domain/formats.ts";
import { continued, type Histories, historiesOf, minutesByKind, STRIP_MS } from "../../domain/history.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import type { WallOptions } from "../../domain/wall-options.ts";
import { common } from "../../texts/common.ts";
import { wall } from "../../texts/wall.ts";

/** What the machines did in the last hours; empty until it is known. */
const histories = signal<Histories>(new Map());

/** Live rows continue the strips; reading them again brings what people have changed since. */
const READ_EVERY_MS = 10 * MINUTE_MS;

/** Reads what the machines of a wall did, while it is shown. Shows nothing itself. */
export function HistoryReader({ lineIds, machineIds }: Pick<WallOptions, "lineIds" | "machineIds">) {
  useEffect(() => {
    let timer: number | undefined;
    let isGone = false;
    const chosen = {
      ...(lineIds.length > 0 && { lineIds: [...lineIds] }),
      ...(machineIds.length > 0 && { machineIds: [...machineIds] }),
    };
    const read = async (failures: number) => {
      const now = serverNow();
      const times = { from: new Date(now - STRIP_MS).toISOString(), to: new Date(now + MINUTE_MS).toISOString() };
      const found = await api("get", "/v1/timeline", { query: { ...companyQuery(), ...chosen, ...times } }).catch(() => null);
      if (isGone) return;
      if (found) histories.value = historiesOf(found.data);
      // Without strips a wall still says what it must. The line at the bottom shows a broken connection.
      const wait = found ? READ_EVERY_MS * (0.9 + 0.2 * Math.random()) : waitAfter(failures + 1, Math.random());
      timer = window.setTimeout(() => void read(found ? 0 : failures + 1), wait);
    };
    void read(0);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, []);
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
