// The views of the board. The service's router, the build, the board's own router and the checks read this table; nothing else lists views.

/** What is fixed about a view. */
export interface ViewEntry {
  /** The paths at which the service serves its page. */
  paths: readonly [string, ...string[]];
  /** The oldest browser that it runs in: televisions have Chromium 79, tablets and computers at least 114 (2023). */
  target: "chrome79" | "chrome114";
  /** Whether its scripts are built apart: a television shows nothing else, and one script is smaller than chunks shared with other views. */
  isAlone?: boolean;
  /** Whether it is dark from the start, whatever the browser prefers. */
  isDark?: boolean;
  /** The texts that its first modules use: files of texts/. Parts that are loaded later load their own. */
  texts: readonly string[];
  /** The font that it loads at first, and its KiB at most; without one, it has those of the device. */
  font?: { file: string; maxKib: number };
  /** The most KiB (gzipped), without fonts, that it loads before it shows something. */
  maxKib: number;
  /** The permission without which the API refuses all that it shows; null: there is none. A paired wall has it by its token. */
  permission: string | null;
}

/** All views by name. The name is also the folder in views/ and the first part of the paths; `home` is at `/`. */
export const views = {
  home: { paths: ["/"], target: "chrome114", texts: ["common", "alerts", "home"], maxKib: 28, permission: null },
  wall: {
    ...{ paths: ["/wall"], target: "chrome79", isAlone: true, isDark: true, texts: ["common", "wall"], maxKib: 35 },
    font: { file: "roboto-condensed-latin-600-normal.woff2", maxKib: 22 },
    permission: "reports:read",
  },
  floor: {
    ...{ paths: ["/floor", "/floor/*"], target: "chrome114", texts: ["common", "alerts", "floor"], maxKib: 50 },
    permission: "reports:read",
  },
  desk: {
    ...{ paths: ["/desk", "/desk/*"], target: "chrome114", texts: ["common", "alerts", "desk", "past"], maxKib: 100 },
    permission: "reports:read",
  },
  start: { paths: ["/start"], target: "chrome114", texts: ["common", "start"], maxKib: 50, permission: "set-up:write" },
  pair: { paths: ["/pair"], target: "chrome114", texts: ["common", "pair"], maxKib: 35, permission: "api-tokens:write" },
} as const satisfies Record<string, ViewEntry>;

export type ViewName = keyof typeof views;

/** The names of all views. */
export const viewNames = Object.keys(views) as ViewName[];

/** The view that has a page at this path; null: none has. */
export function viewAt(pathname: string): ViewName | null {
  const [first = "home"] = pathname.split("/").filter(Boolean);
  return viewNames.find((name) => name === first && (name !== "home" || pathname === "/")) ?? null;
}
