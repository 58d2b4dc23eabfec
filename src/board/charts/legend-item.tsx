import "./legend.css";

/** An entry of a legend: a rectangle of a colour, or the line of a target or a curve. */
export function LegendItem({ colour, text, isLine = false }: { colour: string; text: string; isLine?: boolean }) {
  return (
    <li>
      <svg class="legend-mark" aria-hidden="true">
        {isLine ? (
          <line class={colour} x1="0" x2="100%" y1="50%" y2="50%" />
        ) : (
          <rect class={colour} x="1" y="1" width="18" height="12" />
        )}
      </svg>
      {text}
    </li>
  );
}
