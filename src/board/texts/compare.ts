import { inLanguage } from "../app/language.ts";
import type { compare as English } from "./en/compare.ts";

/** Texts of the desk's comparison, in the page's language. */
export let compare: typeof English;

/** Loads these texts. Modules that use them are loaded after it. */
export async function load(): Promise<void> {
  ({ compare } = await inLanguage({ en: () => import("./en/compare.ts"), es: () => import("./es/compare.ts") }));
}
