import type { Trend } from "../../domain/extrapolate.ts";

// Shapes of the wall, 24 x 24, in the colour of the text around them: the wall's face has no such letters. A word or number beside them says the same.

const shapes = {
  ahead: "M12 4 22 20H2z",
  behind: "M12 20 2 4h20z",
  even: "M12 5a7 7 0 1 0 .01 0z",
  hand: "M7.3 11V5.2a1.5 1.5 0 0 1 3 0V3.7a1.5 1.5 0 0 1 3 0v1.5a1.5 1.5 0 0 1 3 0v2a1.5 1.5 0 0 1 2.9 0V15c0 4.2-2.5 7-6.3 7-3.3 0-4.7-1.3-6.4-4.2L4 13.2c-.9-1.7 1.2-3 2.3-1.7z",
  stopped: "M4 4h16v16H4z",
};

/** A filled shape: how a shift goes, a call for help, a stop. */
export function Mark({ shape }: { shape: keyof typeof shapes }) {
  return (
    <svg class={`mark mark-${shape}`} viewBox="0 0 24 24" aria-hidden="true">
      <path d={shapes[shape]} fill="currentColor" />
    </svg>
  );
}

/** An arrow to the right: what the shift will come to. */
export function ToTheEnd() {
  return (
    <svg class="mark mark-end" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M3 12h16M13 5.5 19.5 12 13 18.5" fill="none" stroke="currentColor" stroke-width="3" />
    </svg>
  );
}

/** The class of the colour of a trend. */
export const colourOf = (trend: Trend) => `trend-${trend}`;
