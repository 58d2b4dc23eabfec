import { type Measured, multipleOf } from "./load.ts";
import type { Cost } from "./server.ts";

/** A line of the table: an operation, the cost of one request, and of the same on a bare Worker (null: there is no counterpart). */
export interface Line {
  name: string;
  andon: Measured;
  cost: Cost;
  bare: Measured | null;
}

/** A bound that must be met, or a remark beside the table if it has no `limit`. */
export interface Finding {
  name: string;
  value: number;
  unit: string;
  limit?: { atLeast: number } | { atMost: number };
}

/** Throughput at p50 as a share of the bare Worker's. */
export function ratioOf({ andon, bare }: Line): number | null {
  return bare && multipleOf(bare, andon);
}

export function isMet({ value, limit }: Finding): boolean {
  if (!limit) return true;
  return "atLeast" in limit ? value >= limit.atLeast : value <= limit.atMost;
}

/** The table in Markdown. Times in ms. */
export function tableOf(lines: readonly Line[]): string {
  const head =
    "operation | requests/s | p50 | p99 | D1 trips | rows read | rows written | object calls | bare requests/s | bare p50 | ratio";
  const rows = lines.map((line) => {
    const { name, andon, bare, cost } = line;
    const { dbTrips, rowsRead, rowsWritten, objectCalls } = cost;
    const measured = [figure(andon.perSecond), figure(andon.p50), figure(andon.p99)];
    const twin = bare ? [figure(bare.perSecond), figure(bare.p50), (ratioOf(line) ?? 0).toFixed(2)] : ["", "", ""];
    return [name, ...measured, dbTrips, rowsRead, rowsWritten, objectCalls, ...twin].join(" | ");
  });
  const rule = `---|${"---:|".repeat(10)}`;
  return [`| ${head} |`, `|${rule}`, ...rows.map((row) => `| ${row} |`)].join("\n");
}

/** The findings, one line of Markdown each; unmet ones are marked. */
export function findingsOf(findings: readonly Finding[]): string {
  return findings
    .map((finding) => {
      const { name, value, unit, limit } = finding;
      const result = `${figure(value)}${unit && ` ${unit}`}`;
      if (!limit) return `- ${name}: ${result}`;
      const bound = "atLeast" in limit ? `at least ${limit.atLeast}` : `at most ${limit.atMost}`;
      return `- ${name}: ${result} (${bound}${isMet(finding) ? "" : ": MISSED"})`;
    })
    .join("\n");
}

/** Three significant digits; a whole number from 100 on. */
function figure(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
