import { inLanguage } from "../app/language.ts";
import type { handOver as English } from "./en/hand-over.ts";

/** Texts of hand-overs, in the page's language. */
export let handOver: typeof English;

/** Loads these texts. Modules that use them are loaded after it. */
export async function load(): Promise<void> {
  ({ handOver } = await inLanguage({ en: () => import("./en/hand-over.ts"), es: () => import("./es/hand-over.ts") }));
}
