import { and, eq, gt, isNotNull, isNull, or, type SQL } from "drizzle-orm";
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

/** The code that confirms a pairing. */
export interface ShownCode {
  kind: PairingKind;
  code: string;
}

/** The pairing of a code that is not over at `now`, whether it was confirmed or not; undefined: there is none. */
export function findShownPairing(directory: DirectoryDb, shown: ShownCode, now: number) {
  return directory.select().from(wallPairings).where(isShown(shown, now)).get();
}

/** Confirms the pairing that waits for a code at `now`. Returns it; undefined if none waits. Of two calls at once, one confirms it. */
export async function takePairing(directory: DirectoryDb, shown: ShownCode, now: number, values: Partial<PairingRow>) {
  return await confirmWhere(directory, isShown(shown, now), isNull(wallPairings.confirmedAt), now, values);
}

/** A pairing that a company has confirmed by a code, and that is not over at `now`; undefined: there is none. */
export function findTakenPairing(directory: DirectoryDb, shown: ShownCode, companyId: number, now: number) {
  const isTaken = and(isShown(shown, now), eq(wallPairings.companyId, companyId), isNotNull(wallPairings.confirmedAt));
  return directory.select().from(wallPairings).where(isTaken).get();
}

/** Confirms a pairing again, unless somebody else has done so since it was read. Returns it; undefined if somebody has. */
export async function takePairingAgain(directory: DirectoryDb, read: PairingRow, now: number, values: Partial<PairingRow>) {
  return await confirmWhere(
    directory,
    eq(wallPairings.id, read.id),
    eq(wallPairings.confirmedAt, read.confirmedAt ?? 0),
    now,
    values,
  );
}

function isShown(shown: ShownCode, now: number) {
  const { kind, code, expiresAt } = wallPairings;
  const isOfKind = shown.kind === "wall" ? or(eq(kind, "wall"), isNull(kind)) : eq(kind, shown.kind);
  return and(eq(code, shown.code), isOfKind, gt(expiresAt, now));
}

async function confirmWhere(
  directory: DirectoryDb,
  isIt: SQL | undefined,
  isAsRead: SQL,
  now: number,
  values: Partial<PairingRow>,
) {
  const { id, tokenHash, createdAt } = wallPairings;
  const [taken] = await directory
    .update(wallPairings)
    .set({ ...values, confirmedAt: now })
    .where(and(isIt, isAsRead))
    .returning({ id, tokenHash, createdAt });
  return taken;
}

/** The statement that makes a pairing wait again, until `expiresAt`. */
export function giveBackPairing(directory: DirectoryDb, id: string, expiresAt: number) {
  const values = { confirmedAt: null, companyId: null, lineIds: null, distance: null, expiresAt };
  return directory.update(wallPairings).set(values).where(eq(wallPairings.id, id));
}

/** The statement that makes the pairing of a gateway wait again. */
export function giveBackGatewayPairing(directory: DirectoryDb, id: string) {
  return directory.update(wallPairings).set({ confirmedAt: null }).where(eq(wallPairings.id, id));
}
