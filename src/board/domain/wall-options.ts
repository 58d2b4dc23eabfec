import { type Distance, distances } from "./wall-layout.ts";

/** The options of a wall in its address. */
export interface WallOptions {
  lineIds: readonly number[];
  machineIds: readonly number[];
  distance: Distance;
  secondsPerPage: number;
  theme: "dark" | "light";
  /** "urgency": those that need someone first; "fixed": each machine always at its place, in the order of the plant. */
  order: "urgency" | "fixed";
  /** "hours": the machines in short, and what they made hour by hour; "map": the machines on a picture of the plant. */
  show: (typeof shows)[number];
}

const shows = ["tiles", "hours", "map"] as const;

/** Reads `lines=1,2`, `machines=`, `distance=3|5|8|10`, `page=12`, `theme=light`, `order=fixed` and `show=hours|map`. Ignores anything else. */
export function optionsOf(query: URLSearchParams): WallOptions {
  const distance = Number(query.get("distance"));
  const seconds = Number(query.get("page"));
  return {
    lineIds: idsOf(query.get("lines")),
    machineIds: idsOf(query.get("machines")),
    distance: distances.find((one) => one === distance) ?? 5,
    secondsPerPage: Number.isInteger(seconds) && seconds >= 3 && seconds <= 600 ? seconds : 12,
    theme: query.get("theme") === "light" ? "light" : "dark",
    order: query.get("order") === "fixed" ? "fixed" : "urgency",
    show: shows.find((one) => one === query.get("show")) ?? "tiles",
  };
}

function idsOf(text: string | null): number[] {
  const ids = (text ?? "").split(",").filter((part) => /^[1-9]\d{0,14}$/.test(part.trim()));
  return [...new Set(ids.map(Number))];
}
