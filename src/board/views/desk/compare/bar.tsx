import "../brief.css";

interface BarProps {
  /** The bar and the mark, in percent of the width. The mark null: there is none. */
  value: number;
  mark: number | null;
  colour: string;
}

/** A bar, with a mark for what it is compared with. */
export function CompareBar({ value, mark, colour }: BarProps) {
  const at = Math.min(Math.max(mark ?? 0, 0.5), 99.5);
  return (
    <svg class="brief-bar" aria-hidden="true">
      <rect class={colour} width={`${Math.min(Math.max(value, 0.25), 100)}%`} y="20%" height="60%" rx="2" />
      {mark !== null && <line class="compare-mark" x1={`${at}%`} x2={`${at}%`} y1="0" y2="100%" />}
    </svg>
  );
}
