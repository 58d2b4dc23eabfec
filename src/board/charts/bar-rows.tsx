import "./kinds.css";
import "./bar-rows.css";
import type { ComponentChildren } from "preact";

export interface BarRow {
  key: string;
  label: string;
  /** The number beside the bar. */
  value: string;
  /** The start and end of the bar, in percent of the width. */
  from: number;
  to: number;
  /** The class of its colour: "k-stopped". */
  colour: string;
  href?: string;
  isOpen?: boolean;
  /** What stands below it, outside of its link. */
  note?: ComponentChildren;
  isEmphasized?: boolean;
}

/** Bars below each other, each with its label and its number. A bar with an address is a link. */
export function BarRows({ label, rows, children }: { label: string; rows: readonly BarRow[]; children?: ComponentChildren }) {
  return (
    <>
      <ul class="bar-rows" aria-label={label}>
        {rows.map((row) => (
          <li key={row.key} data-key={row.key}>
            {row.href === undefined ? (
              <span class="bar-row">
                <Parts row={row} />
              </span>
            ) : (
              <a class="bar-row" href={row.href} aria-current={row.isOpen ? "true" : undefined}>
                <Parts row={row} />
              </a>
            )}
            {row.note}
          </li>
        ))}
      </ul>
      {children}
    </>
  );
}

function Parts({ row: { label, value, from, to, colour, isEmphasized } }: { row: BarRow }) {
  return (
    <>
      <span class={isEmphasized ? "bar-label strong" : "bar-label"}>{label}</span>
      <svg class="bar-track" aria-hidden="true">
        <line class="bar-base" x1={`${from}%`} x2={`${from}%`} y1="-30%" y2="100%" />
        <rect
          class={colour}
          x={`${from}%`}
          width={`${to === from ? 0 : Math.max(to - from, 0.25)}%`}
          y="10%"
          height="80%"
          rx="3"
        />
      </svg>
      <span class={isEmphasized ? "bar-value strong" : "bar-value"}>{value}</span>
    </>
  );
}
