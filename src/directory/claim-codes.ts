import { eq } from "drizzle-orm";
import type { DirectoryDb } from "../db/client.ts";
import { claimCodes } from "../db/schema/directory.ts";

/** The statement that finds the hash of a code with which the service can be claimed. */
export function selectClaimCode(directory: DirectoryDb, codeHash: string) {
  return directory.select().from(claimCodes).where(eq(claimCodes.codeHash, codeHash));
}

/** The statement that makes the code useless. */
export function deleteClaimCodes(directory: DirectoryDb) {
  return directory.delete(claimCodes);
}
