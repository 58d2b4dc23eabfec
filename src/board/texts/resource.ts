import { inLanguage } from "../app/language.ts";
import type { resource as English } from "./en/resource.ts";

/** Texts of the pages of resources, in the page's language. */
export let resource: typeof English;

/** Loads these texts. Modules that use them are loaded after it. */
export async function load(): Promise<void> {
  ({ resource } = await inLanguage({ en: () => import("./en/resource.ts"), es: () => import("./es/resource.ts") }));
}
