import { inLanguage } from "../app/language.ts";
import type { emptyPlant as English } from "./en/empty-plant.ts";

/** Texts of a plant without machines, in the page's language. */
export let emptyPlant: typeof English;

/** Loads these texts. Modules that use them are loaded after it. */
export async function load(): Promise<void> {
  ({ emptyPlant } = await inLanguage({ en: () => import("./en/empty-plant.ts"), es: () => import("./es/empty-plant.ts") }));
}
