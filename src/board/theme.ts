import { recall, remember } from "./store.ts";

// Light or dark. The page's root always says which one it is (tokens.css): it has the colours of neither until then, so that nothing flashes.

export const themes = ["auto", "light", "dark"] as const;
/** "auto": as the browser prefers. */
export type Theme = (typeof themes)[number];

const darkness = matchMedia("(prefers-color-scheme: dark)");

/** What was chosen in this browser. */
export function chosenTheme(): Theme {
  const kept = recall("theme");
  return themes.find((one) => one === kept) ?? "auto";
}

/** Remembers a choice, and shows the page in it. */
export function chooseTheme(theme: Theme): void {
  remember("theme", theme);
  showTheme(theme);
}

/** Shows the page in the theme that was chosen, also when the browser prefers another one later. A wall's page says itself what it is. */
export function startTheme(): void {
  if (document.documentElement.dataset.theme) return;
  showTheme(chosenTheme());
  darkness.addEventListener("change", () => showTheme(chosenTheme()));
}

function showTheme(theme: Theme): void {
  const isDark = theme === "auto" ? darkness.matches : theme === "dark";
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
}
