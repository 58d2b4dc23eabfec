import { inLanguage } from "../app/language.ts";
import type { check as English } from "./en/check.ts";

/** Texts of what the set-up lacks, in the page's language. */
export let check: typeof English;

/** Loads these texts. Modules that use them are loaded after it. */
export async function load(): Promise<void> {
  ({ check } = await inLanguage({ en: () => import("./en/check.ts"), es: () => import("./es/check.ts") }));
}
