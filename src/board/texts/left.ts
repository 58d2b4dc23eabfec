import { inLanguage } from "../app/language.ts";
import type { left as English } from "./en/left.ts";

/** Texts of the list of what is left to set up, in the page's language. */
export let left: typeof English;

/** Loads these texts. Modules that use them are loaded after it. */
export async function load(): Promise<void> {
  ({ left } = await inLanguage({ en: () => import("./en/left.ts"), es: () => import("./es/left.ts") }));
}
