import { inLanguage } from "../app/language.ts";
import type { home as English } from "./en/home.ts";

/** Texts of the home page, in the page's language. */
export let home: typeof English;

/** Loads these texts. Modules that use them are loaded after it. */
export async function load(): Promise<void> {
  ({ home } = await inLanguage({ en: () => import("./en/home.ts"), es: () => import("./es/home.ts") }));
}
