import { inLanguage } from "../app/language.ts";
import type { people as English } from "./en/people.ts";

/** Texts of the desk's operators, in the page's language. */
export let people: typeof English;

/** Loads these texts. Modules that use them are loaded after it. */
export async function load(): Promise<void> {
  ({ people } = await inLanguage({ en: () => import("./en/people.ts"), es: () => import("./es/people.ts") }));
}
