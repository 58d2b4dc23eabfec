import { commonPasswordKey, guessableText, isGuessable, type PasswordOwner } from "../../core/password-rule.ts";
import { invalid } from "../../core/problem.ts";
import type { Db } from "../../db/client.ts";
import { type Guesses, guessesOf, selectGuesses } from "./queries.ts";

type Owner = Omit<PasswordOwner, "company">;

/** 400 at `pointer` when others would soon guess what is to be the owner's password. One trip. */
export async function refuseGuessable(
  db: Db,
  password: string,
  owner: Owner & { companyId: number },
  pointer: string,
): Promise<void> {
  const [found] = await selectGuesses(db, owner.companyId, commonPasswordKey(password));
  refuseGuessed(password, owner, guessesOf(found), pointer);
}

/** As `refuseGuessable`, by what was found already. */
export function refuseGuessed(password: string, owner: Owner, { isCommon, company }: Guesses, pointer: string): void {
  if (isCommon) throw invalid([{ pointer, code: "common", message: "is one of the commonest passwords" }]);
  if (isGuessable(password, { ...owner, company })) {
    throw invalid([{ pointer, code: "guessable", message: guessableText }]);
  }
}
