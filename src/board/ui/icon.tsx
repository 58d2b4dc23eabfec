/** The strokes of an icon, 24 x 24. */
const icons = {
  close: "M6 6l12 12M18 6L6 18",
  before: "M15 5l-7 7 7 7",
  after: "M9 5l7 7-7 7",
  left: "M19 12H5M11 6l-6 6 6 6",
  right: "M5 12h14M13 6l6 6-6 6",
  closer: "M12 5v14M5 12h14",
  farther: "M5 12h14",
  calendar: "M4 6h16v14H4zM4 11h16M8 3v4M16 3v4",
  menu: "M4 6h16M4 12h16M4 18h16",
  revised: "M4 20h4L19 9l-4-4L4 16zM13 7l4 4",
  again: "M19 12a7 7 0 1 1-2-5l2 2M19 4v5h-5",
};

/** An icon in the colour of the text around it. The label of its button gives its meaning. */
export function Icon({ name }: { name: keyof typeof icons }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={icons[name]} fill="none" stroke="currentColor" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round" />
    </svg>
  );
}
