import { inLanguage } from "../app/language.ts";
import type { messages as English } from "./en/messages.ts";

/** Texts of who is told what, in the page's language. */
export let messages: typeof English;

/** Loads these texts. Modules that use them are loaded after it. */
export async function load(): Promise<void> {
  ({ messages } = await inLanguage({ en: () => import("./en/messages.ts"), es: () => import("./es/messages.ts") }));
}
