import { textsOf } from "../app/language.ts";
import { NoAnswer } from "../domain/no-answer.ts";
import { common as en } from "./en/common.ts";
import { common as es } from "./es/common.ts";

export const common = textsOf({ en, es });

/** The message for a failed request: the API's own reason if there is one. */
export function reasonOf(error: unknown): string {
  if (error instanceof NoAnswer) return common.noAnswer;
  return error instanceof Error ? error.message : String(error);
}

/** The name of a stop in the page's language: the API calls one without a cause or a name of its own "Stop". */
export function stopName(name: string): string {
  return name === "Stop" ? common.stop : name;
}
