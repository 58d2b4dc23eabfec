import { inLanguage } from "../app/language.ts";
import type { desk as English } from "./en/desk.ts";

/** Texts of the desk, in the page's language. */
export let desk: typeof English;

/** Loads these texts. Modules that use them are loaded after it. */
export async function load(): Promise<void> {
  ({ desk } = await inLanguage({ en: () => import("./en/desk.ts"), es: () => import("./es/desk.ts") }));
}
