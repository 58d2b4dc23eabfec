import { keyIdOf, seal, unseal } from "../core/cipher.ts";
import { keyRing } from "../core/keys.ts";
import { companyDb } from "../db/client.ts";
import { DAY_MS } from "../oee/time.ts";
import { countSealed, replaceSealed, type Sealed, saveKeyUses, selectKeyUses, selectSealedOtherwise } from "./queries.ts";

/** The maximum number of texts that a run encrypts again. */
const TEXTS_PER_RUN = 100;

/**
 * Encrypts texts again that were sealed with another key than the current one, up to a maximum number, and stores how many each key has sealed: that
 * says when the previous one is not needed any more (`npm run admin -- rotate-key`). If nothing is left, it counts once a day.
 */
export async function rotateKey(env: Env, now: number): Promise<void> {
  const ring = keyRing(env);
  const [current] = ring;
  const db = companyDb(env, "first-primary");
  const known = await selectKeyUses(db);
  const isDone = known.every(({ keyId, texts }) => keyId === current.id || texts === 0);
  const countedAt = known.find(({ keyId, isCurrent }) => keyId === current.id && isCurrent)?.countedAt ?? 0;
  if (isDone && now - DAY_MS < countedAt && countedAt <= now) return;

  const others = await selectSealedOtherwise(db, current.id, TEXTS_PER_RUN);
  const sealedAgain = await Promise.all(others.map((one) => resealed(env, one)));
  const replaced = sealedAgain.filter((one) => one !== null);
  const [first, ...more] = replaceSealed(db, replaced);
  if (first) await db.batch([first, ...more]);
  const counted = await countSealed(db);
  const [firstSave, ...saves] = saveKeyUses(db, current.id, counted, now);
  if (firstSave) await db.batch([firstSave, ...saves]);
  const left = counted.filter(({ keyId }) => keyId !== current.id).reduce((sum, { texts }) => sum + texts, 0);
  const unreadable = others.length - replaced.length;
  if (others.length > 0) {
    const keys = [...new Set(others.map(({ sealed }) => keyIdOf(sealed) ?? "without an id"))].sort();
    console.log(JSON.stringify({ event: "key_rotated", resealed: replaced.length, unreadable, left, keys }));
  }
}

/** A text sealed again with the current key; null if it cannot be opened. */
async function resealed(env: Env, { column, id, sealed }: Sealed): Promise<(Sealed & { next: string }) | null> {
  try {
    const text = await unseal(env, [column, id], sealed);
    return { column, id, sealed, next: await seal(env, [column, id], text) };
  } catch {
    // `/health` and the set-up check say so.
    return null;
  }
}
