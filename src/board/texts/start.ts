import { inLanguage } from "../app/language.ts";
import type { start as English } from "./en/start.ts";

/** Texts of the first steps of a plant, in the page's language. */
export let start: typeof English;

/** Loads these texts. Modules that use them are loaded after it. */
export async function load(): Promise<void> {
  ({ start } = await inLanguage({ en: () => import("./en/start.ts"), es: () => import("./es/start.ts") }));
}
