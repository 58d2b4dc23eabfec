import { inLanguage } from "../app/language.ts";
import type { workingHours as English } from "./en/working-hours.ts";

/** Texts of the page of the working hours, in the page's language. */
export let workingHours: typeof English;

/** Loads these texts. Modules that use them are loaded after it. */
export async function load(): Promise<void> {
  ({ workingHours } = await inLanguage({
    en: () => import("./en/working-hours.ts"),
    es: () => import("./es/working-hours.ts"),
  }));
}
