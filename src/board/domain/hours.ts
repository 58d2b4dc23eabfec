// Production hour by hour, against the target by the standards.

/** The used members of a row of `GET /v1/production`. */
export interface ProductionRow {
  start: string;
  end: string;
  total: number;
  defects: number;
  correct: number;
  target: number;
}

export interface Hour {
  start: number;
  end: number;
  total: number;
  defects: number;
  correct: number;
  target: number;
  /** Production beyond the target; negative below it. */
  delta: number;
  /** The sum of `delta` up to this hour. */
  cumulative: number;
}

/** Adds up the rows of several machines hour by hour, in order. */
export function hoursOf(rows: readonly ProductionRow[]): Hour[] {
  const hours = new Map<number, Hour>();
  for (const row of rows) {
    const start = Date.parse(row.start);
    const hour = hours.get(start) ?? {
      ...{ start, end: Date.parse(row.end), total: 0, defects: 0, correct: 0, target: 0 },
      ...{ delta: 0, cumulative: 0 },
    };
    hour.total += row.total;
    hour.defects += row.defects;
    hour.correct += row.correct;
    hour.target += row.target;
    hours.set(start, hour);
  }
  const list = [...hours.values()].sort((a, b) => a.start - b.start);
  let cumulative = 0;
  for (const hour of list) {
    hour.delta = hour.total - hour.target;
    cumulative += hour.delta;
    hour.cumulative = cumulative;
  }
  return list;
}

/** The ticks of an axis from 0: round steps up to a round number at or above a value. */
export function axisOf(value: number, most = 5): number[] {
  const rough = Math.max(value, 1e-9) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((one) => one * power >= rough * 0.9999) ?? 10) * power;
  const count = Math.max(1, Math.ceil(value / step - 1e-9));
  return Array.from({ length: count + 1 }, (_, i) => Number((i * step).toPrecision(12)));
}
