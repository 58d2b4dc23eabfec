import { inLanguage } from "../app/language.ts";
import type { dashboards as English } from "./en/dashboards.ts";

/** Texts of the dashboards, in the page's language. */
export let dashboards: typeof English;

/** Loads these texts. Modules that use them are loaded after it. */
export async function load(): Promise<void> {
  ({ dashboards } = await inLanguage({ en: () => import("./en/dashboards.ts"), es: () => import("./es/dashboards.ts") }));
}
