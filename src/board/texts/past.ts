import { inLanguage } from "../app/language.ts";
import type { past as English } from "./en/past.ts";

/** Texts of what changes the past, in the page's language. */
export let past: typeof English;

/** Loads these texts. Modules that use them are loaded after it. */
export async function load(): Promise<void> {
  ({ past } = await inLanguage({ en: () => import("./en/past.ts"), es: () => import("./es/past.ts") }));
}
