import { inLanguage } from "../app/language.ts";
import type { signals as English } from "./en/signals.ts";

/** Texts of the signals that arrive, in the page's language. */
export let signals: typeof English;

/** Loads these texts. Modules that use them are loaded after it. */
export async function load(): Promise<void> {
  ({ signals } = await inLanguage({ en: () => import("./en/signals.ts"), es: () => import("./es/signals.ts") }));
}
