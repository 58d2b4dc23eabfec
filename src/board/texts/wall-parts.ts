import { inLanguage } from "../app/language.ts";
import type { wallParts as English } from "./en/wall-parts.ts";

/** Texts of a plant without machines, in the page's language. */
export let wallParts: typeof English;

/** Loads these texts. Modules that use them are loaded after it. */
export async function load(): Promise<void> {
  ({ wallParts } = await inLanguage({ en: () => import("./en/wall-parts.ts"), es: () => import("./es/wall-parts.ts") }));
}
