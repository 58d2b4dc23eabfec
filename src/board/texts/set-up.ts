import { inLanguage } from "../app/language.ts";
import type { setUp as English } from "./en/set-up.ts";

/** Texts of the set-up, in the page's language. */
export let setUp: typeof English;

/** Loads these texts. Modules that use them are loaded after it. */
export async function load(): Promise<void> {
  ({ setUp } = await inLanguage({ en: () => import("./en/set-up.ts"), es: () => import("./es/set-up.ts") }));
}
