import { inLanguage } from "../app/language.ts";
import type { access as English } from "./en/access.ts";

/** Texts of users, roles and tokens, in the page's language. */
export let access: typeof English;

/** Loads these texts. Modules that use them are loaded after it. */
export async function load(): Promise<void> {
  ({ access } = await inLanguage({ en: () => import("./en/access.ts"), es: () => import("./es/access.ts") }));
}
