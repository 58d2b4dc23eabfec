import { and, eq, gt, isNull } from "drizzle-orm";
import type { DirectoryDb } from "../db/client.ts";
import { wallPairings } from "../db/schema/directory.ts";

export type PairingRow = typeof wallPairings.$inferSelect;

/** The statement that stores a new pairing. */
export function insertPairing(directory: DirectoryDb, row: typeof wallPairings.$inferInsert) {
  return directory.insert(wallPairings).values(row);
}

/** A pairing; undefined if there is none with this id. */
export function findPairing(directory: DirectoryDb, id: string) {
  return directory.select().from(wallPairings).where(eq(wallPairings.id, id)).get();
}

/** Confirms the pairing that waits for this code at `now`. Returns it; undefined if none waits. Of two calls at once, one confirms it. */
export async function takePairing(directory: DirectoryDb, code: string, now: number, values: Partial<PairingRow>) {
  const { id, tokenHash, createdAt, expiresAt, confirmedAt } = wallPairings;
  const [taken] = await directory
    .update(wallPairings)
    .set({ ...values, confirmedAt: now })
    .where(and(eq(wallPairings.code, code), isNull(confirmedAt), gt(expiresAt, now)))
    .returning({ id, tokenHash, createdAt });
  return taken;
}

/** The statement that makes a pairing wait again, until `expiresAt`. */
export function giveBackPairing(directory: DirectoryDb, id: string, expiresAt: number) {
  const values = { confirmedAt: null, companyId: null, lineIds: null, distance: null, expiresAt };
  return directory.update(wallPairings).set(values).where(eq(wallPairings.id, id));
}
