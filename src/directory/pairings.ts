import { and, eq, gt, isNull, or } from "drizzle-orm";
import type { DirectoryDb } from "../db/client.ts";
import { wallPairings } from "../db/schema/directory.ts";
import type { PairingKind } from "../db/values.ts";

export type PairingRow = typeof wallPairings.$inferSelect;

/** The statement that stores a new pairing. */
export function insertPairing(directory: DirectoryDb, row: typeof wallPairings.$inferInsert) {
  return directory.insert(wallPairings).values(row);
}

/** A pairing; undefined if there is none with this id. */
export function findPairing(directory: DirectoryDb, id: string) {
  return directory.select().from(wallPairings).where(eq(wallPairings.id, id)).get();
}

/** What an admin enters to confirm a pairing. */
export interface ShownCode {
  kind: PairingKind;
  code: string;
}

/** Confirms the pairing that waits for a code at `now`. Returns it; undefined if none waits. Of two calls at once, one confirms it. */
export async function takePairing(directory: DirectoryDb, shown: ShownCode, now: number, values: Partial<PairingRow>) {
  const { id, kind, code, tokenHash, createdAt, expiresAt, confirmedAt } = wallPairings;
  const isOfKind = shown.kind === "wall" ? or(eq(kind, "wall"), isNull(kind)) : eq(kind, shown.kind);
  const [taken] = await directory
    .update(wallPairings)
    .set({ ...values, confirmedAt: now })
    .where(and(eq(code, shown.code), isOfKind, isNull(confirmedAt), gt(expiresAt, now)))
    .returning({ id, tokenHash, createdAt });
  return taken;
}

/** The statement that makes a pairing wait again, until `expiresAt`. */
export function giveBackPairing(directory: DirectoryDb, id: string, expiresAt: number) {
  const values = { confirmedAt: null, companyId: null, lineIds: null, distance: null, expiresAt };
  return directory.update(wallPairings).set(values).where(eq(wallPairings.id, id));
}
