import { inLanguage } from "../app/language.ts";
import type { pair as English } from "./en/pair.ts";

/** Texts of the pair page, in the page's language. */
export let pair: typeof English;

/** Loads these texts. Modules that use them are loaded after it. */
export async function load(): Promise<void> {
  ({ pair } = await inLanguage({ en: () => import("./en/pair.ts"), es: () => import("./es/pair.ts") }));
}
