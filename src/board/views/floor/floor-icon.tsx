/** The strokes of the terminal's icons, 24 x 24; those of filled ones are their outline. */
const icons = {
  scrap: "M4 6h16M9 6V3h6v3M6 6l1 15h10l1-15M10 10v7M14 10v7",
  order: "M3 5v14M7 5v14M10 5v14M14 5v14M16.5 5v14M21 5v14",
  stops: "M8 6h13M8 12h13M8 18h13M3 6h2M3 12h2M3 18h2",
  split: "M12 3v18M3 8h5v8H3M21 8h-5v8h5",
  note: "M4 3h16v13l-5 5H4zM8 8h8M8 12h8M8 16h4",
  help: "M7.3 11V5.2a1.5 1.5 0 0 1 3 0V3.7a1.5 1.5 0 0 1 3 0v1.5a1.5 1.5 0 0 1 3 0v2a1.5 1.5 0 0 1 2.9 0V15c0 4.2-2.5 7-6.3 7-3.3 0-4.7-1.3-6.4-4.2L4 13.2c-.9-1.7 1.2-3 2.3-1.7z",
  winning: "M12 4 2 20h20z",
  losing: "M12 20 2 4h20z",
  even: "M12 7a5 5 0 1 0 .01 0z",
};
const filled: readonly string[] = ["help", "winning", "losing", "even"];

/** An icon in the colour of the text beside it, which gives its meaning. */
export function FloorIcon({ name }: { name: keyof typeof icons }) {
  const isFilled = filled.includes(name);
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path
        d={icons[name]}
        fill={isFilled ? "currentColor" : "none"}
        stroke={isFilled ? "none" : "currentColor"}
        stroke-width="2.2"
      />
    </svg>
  );
}
