import { inLanguage } from "../app/language.ts";
import type { history as English } from "./en/history.ts";

/** Texts of the history of changes, in the page's language. */
export let history: typeof English;

/** Loads these texts. Modules that use them are loaded after it. */
export async function load(): Promise<void> {
  ({ history } = await inLanguage({ en: () => import("./en/history.ts"), es: () => import("./es/history.ts") }));
}
