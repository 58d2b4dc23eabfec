import "./hatchings.css";

/** The hatchings of the charts: grey for no data, red for a stop without a cause. */
export function Hatchings() {
  return (
    <svg class="hatchings" aria-hidden="true">
      <defs>
        <pattern id="desk-hatch" patternUnits="userSpaceOnUse" width="7" height="7" patternTransform="rotate(45)">
          <rect class="hatch-ground" width="7" height="7" />
          <line class="hatch-line" x1="0" y1="0" x2="0" y2="7" />
        </pattern>
        <pattern id="desk-unknown" patternUnits="userSpaceOnUse" width="7" height="7" patternTransform="rotate(45)">
          <rect class="unknown-ground" width="7" height="7" />
          <line class="unknown-line" x1="0" y1="0" x2="0" y2="7" />
        </pattern>
      </defs>
    </svg>
  );
}
