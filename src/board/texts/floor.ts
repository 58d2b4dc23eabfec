import { inLanguage } from "../app/language.ts";
import type { floor as English } from "./en/floor.ts";

/** Texts of the floor, in the page's language. */
export let floor: typeof English;

/** Loads these texts. Modules that use them are loaded after it. */
export async function load(): Promise<void> {
  ({ floor } = await inLanguage({ en: () => import("./en/floor.ts"), es: () => import("./es/floor.ts") }));
}
