import { inLanguage } from "../app/language.ts";
import type { claim as English } from "./en/claim.ts";

/** Texts of the form for the first account, in the page's language. */
export let claim: typeof English;

/** Loads these texts. Modules that use them are loaded after it. */
export async function load(): Promise<void> {
  ({ claim } = await inLanguage({ en: () => import("./en/claim.ts"), es: () => import("./es/claim.ts") }));
}
