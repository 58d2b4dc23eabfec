import { language } from "../../../app/language.ts";
import type { ApiSchema } from "../../../data/api.ts";

type InTwo = ApiSchema<"L10n">;

/** The longest title that is typed. */
export const MOST_LETTERS = 200;

/** A text in both languages is the one that was typed, while nobody has given them different ones: whoever needs those uses the API. */
export function typedText(typed: string, before: InTwo = { en: "", es: "" }): InTwo {
  const text = typed.trim();
  return before.en === before.es ? { en: text, es: text } : { ...before, [language]: text };
}
