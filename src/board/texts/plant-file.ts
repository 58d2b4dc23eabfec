import { inLanguage } from "../app/language.ts";
import type { plantFile as English } from "./en/plant-file.ts";

/** Texts of the plant as a file, in the page's language. */
export let plantFile: typeof English;

/** Loads these texts. Modules that use them are loaded after it. */
export async function load(): Promise<void> {
  ({ plantFile } = await inLanguage({ en: () => import("./en/plant-file.ts"), es: () => import("./es/plant-file.ts") }));
}
