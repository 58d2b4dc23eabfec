import { inLanguage } from "../app/language.ts";
import type { wall as English } from "./en/wall.ts";

/** Texts of the wall, in the page's language. */
export let wall: typeof English;

/** Loads these texts. Modules that use them are loaded after it. */
export async function load(): Promise<void> {
  ({ wall } = await inLanguage({ en: () => import("./en/wall.ts"), es: () => import("./es/wall.ts") }));
}
