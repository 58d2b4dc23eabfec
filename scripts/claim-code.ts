import { tokenHashOf } from "../src/core/bearer-token.ts";
import { CLAIM_KEY, newCode, shownCode } from "../src/core/short-code.ts";
import { inDatabase } from "./service.ts";
import { sql } from "./sql-text.ts";

/**
 * Makes the code with which a service without users is claimed, in place of the one before. Wrong codes are counted anew.
 * @param stateFolder null: of the deployed service
 */
export async function makeClaimCode(stateFolder: string | null): Promise<string> {
  const code = newCode();
  const statements = [
    sql`DELETE FROM claim_codes`,
    sql`INSERT INTO claim_codes (code_hash, created_at) VALUES (${tokenHashOf(code)}, ${Date.now()})`,
    sql`DELETE FROM login_attempts WHERE key = ${CLAIM_KEY}`,
  ];
  await inDatabase(stateFolder, ({ run }) => run(statements), "DIRECTORY");
  return shownCode(code);
}
