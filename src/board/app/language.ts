import { recall, remember } from "./store.ts";

/** The languages of the board, with their own names. */
export const languages = { en: "English", es: "Español" } as const;
export type Language = keyof typeof languages;

const isLanguage = (name: string | null | undefined): name is Language =>
  name !== null && name !== undefined && name in languages;

/** `?lang=` in the address, else the language chosen here before, else the browser's, else English. Fixed until the page is reloaded. */
export const language: Language = chosen();

/** The locale for numbers and dates. */
export const locale = { en: "en-GB", es: "es-ES" }[language];

/** Loads what there is in each language, in the page's. A module with a missing text does not compile. */
export function inLanguage<T>(loads: Record<Language, () => Promise<T>>): Promise<T> {
  return loads[language]();
}

/** Stores a language and reloads the page in it. */
export function changeLanguage(next: Language): void {
  remember("language", next);
  const url = new URL(location.href);
  url.searchParams.delete("lang");
  location.replace(url.href);
}

function chosen(): Language {
  const asked = [new URLSearchParams(location.search).get("lang"), recall("language"), ...navigator.languages];
  for (const name of asked) {
    const short = name?.slice(0, 2).toLowerCase();
    if (isLanguage(short)) return short;
  }
  return "en";
}
