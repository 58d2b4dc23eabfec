import { recall, remember } from "./store.ts";

// Light or dark. The page's root has the theme as an attribute (tokens.css). Until that is set, it has no colours, so that nothing flashes.

export const themes = ["auto", "light", "dark"] as const;
/** "auto": the theme that the browser prefers. */
export type Theme = (typeof themes)[number];

const darkness = matchMedia("(prefers-color-scheme: dark)");

/** The theme chosen in this browser. */
export function chosenTheme(): Theme {
  const kept = recall("theme");
  return themes.find((one) => one === kept) ?? "auto";
}

/** Stores a choice and applies it. */
export function chooseTheme(theme: Theme): void {
  remember("theme", theme);
  showTheme(theme);
}

/** Applies the chosen theme, and follows later changes of the browser's preference. A wall's page sets its own theme. */
export function startTheme(): void {
  if (document.documentElement.dataset.theme) return;
  showTheme(chosenTheme());
  darkness.addEventListener("change", () => showTheme(chosenTheme()));
}

function showTheme(theme: Theme): void {
  const isDark = theme === "auto" ? darkness.matches : theme === "dark";
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
}
