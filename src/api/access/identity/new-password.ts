import { guessableText, isGuessable, type PasswordOwner } from "../../../core/password-rule.ts";
import { invalid } from "../../../core/problem.ts";
import type { Guesses } from "./queries.ts";

type Owner = Omit<PasswordOwner, "company">;

/** Throws 400 at `pointer` if the new password is common or easy to guess for this owner. */
export function refuseGuessed(password: string, owner: Owner, { isCommon, company }: Guesses, pointer: string): void {
  if (isCommon) throw invalid([{ pointer, code: "common", message: "is one of the most common passwords" }]);
  if (isGuessable(password, { ...owner, company })) {
    throw invalid([{ pointer, code: "guessable", message: guessableText }]);
  }
}
