import { inLanguage } from "../app/language.ts";
import type { actions as English } from "./en/actions.ts";

/** Texts of actions, in the page's language. */
export let actions: typeof English;

/** Loads these texts. Modules that use them are loaded after it. */
export async function load(): Promise<void> {
  ({ actions } = await inLanguage({ en: () => import("./en/actions.ts"), es: () => import("./es/actions.ts") }));
}
