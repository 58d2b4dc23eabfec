import { inLanguage } from "../app/language.ts";
import type { gateways as English } from "./en/gateways.ts";

/** Texts of how gateways are doing and how bridges are paired, in the page's language. */
export let gateways: typeof English;

/** Loads these texts. Modules that use them are loaded after it. */
export async function load(): Promise<void> {
  ({ gateways } = await inLanguage({ en: () => import("./en/gateways.ts"), es: () => import("./es/gateways.ts") }));
}
