import { inLanguage } from "../app/language.ts";
import { NoAnswer } from "../domain/no-answer.ts";
import type { common as English } from "./en/common.ts";

/** Texts of all views, in the page's language. */
export let common: typeof English;

/** Loads these texts. Modules that use them are loaded after it. */
export async function load(): Promise<void> {
  ({ common } = await inLanguage({ en: () => import("./en/common.ts"), es: () => import("./es/common.ts") }));
}

/** The message for a failed request: the API's own reason if there is one. */
export function reasonOf(error: unknown): string {
  if (error instanceof NoAnswer) return common.noAnswer;
  return error instanceof Error ? error.message : String(error);
}

/** The name of a stop in the page's language: the API calls one without a cause or a name of its own "Stop". */
export function stopName(name: string): string {
  return name === "Stop" ? common.stop : name;
}
