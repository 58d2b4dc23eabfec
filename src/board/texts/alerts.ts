import { inLanguage } from "../app/language.ts";
import type { alerts as English } from "./en/alerts.ts";

/** Texts of incidents and notifications, in the page's language. */
export let alerts: typeof English;

/** Loads these texts. Modules that use them are loaded after it. */
export async function load(): Promise<void> {
  ({ alerts } = await inLanguage({ en: () => import("./en/alerts.ts"), es: () => import("./es/alerts.ts") }));
}
