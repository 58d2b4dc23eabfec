import { inLanguage } from "../app/language.ts";
import type { setUpImports as English } from "./en/set-up-imports.ts";

/** Texts of the imports of set-up, in the page's language. */
export let setUpImports: typeof English;

/** Loads these texts. Modules that use them are loaded after it. */
export async function load(): Promise<void> {
  ({ setUpImports } = await inLanguage({
    en: () => import("./en/set-up-imports.ts"),
    es: () => import("./es/set-up-imports.ts"),
  }));
}
