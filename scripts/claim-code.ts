import { tokenHashOf } from "../src/core/bearer-token.ts";
import { newCode, shownCode } from "../src/core/short-code.ts";
import { inDatabase } from "./service.ts";
import { sql } from "./sql-text.ts";

/** The key that `POST /v1/claim` counts wrong codes under: see src/directory/attempts.ts. */
const WRONG_CODES = "claim";

/**
 * Makes the code with which a service without users is claimed, in place of the one before. Wrong codes are counted anew.
 * @param stateFolder null: of the deployed service
 */
export async function makeClaimCode(stateFolder: string | null): Promise<string> {
  const code = newCode();
  const statements = [
    sql`DELETE FROM claim_codes`,
    sql`INSERT INTO claim_codes (code_hash, created_at) VALUES (${tokenHashOf(code)}, ${Date.now()})`,
    sql`DELETE FROM login_attempts WHERE key = ${WRONG_CODES}`,
  ];
  await inDatabase(stateFolder, ({ run }) => run(statements), "DIRECTORY");
  return shownCode(code);
}
