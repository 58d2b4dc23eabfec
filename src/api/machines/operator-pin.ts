import type { Caller } from "../../core/caller.ts";
import { type PasswordClient, verifyPassword } from "../../core/password.ts";
import { invalid, tooManyRequests } from "../../core/problem.ts";
import { countPin, forgetPins, pinLockMs, uncount } from "../../directory/attempts.ts";
import { findOperatorSecrets } from "./queries.ts";

/** What somebody signs in with. */
export interface SignInProof {
  operatorId: number;
  pin?: string | undefined;
  code?: string | undefined;
}

/**
 * Checks the PIN or the badge of whoever signs in. At a paired terminal an operator who has a PIN needs one of them; elsewhere a PIN is checked if it
 * is there. Returns the name of who signs in at a terminal: that is who acts there.
 * @throws Problem 400 that names the member; 429 while the operator's PIN is locked there; 503 if too many are being checked
 */
export async function checkProof(
  caller: Caller,
  client: PasswordClient,
  companyId: number,
  { operatorId, pin, code }: SignInProof,
): Promise<string | undefined> {
  const { db, actor } = caller;
  const isAtTerminal = Boolean(actor.apiToken?.machineIds);
  if (!isAtTerminal && pin === undefined) return undefined;
  const known = await findOperatorSecrets(db, companyId, operatorId);
  // The event that follows says that there is no such operator.
  if (!known) return undefined;
  const name = isAtTerminal ? known.name : undefined;
  if (pin !== undefined) {
    await checkPin(caller, client, { companyId, operatorId, pin, pinHash: known.pinHash });
    return name;
  }
  if (known.pinHash === null || code === known.code) return name;
  if (code !== undefined) throw invalid([{ pointer: "/code", code: "wrong", message: "is not the operator's code" }]);
  throw invalid([{ pointer: "/pin", code: "required", message: "is required, unless the code of the operator's badge is sent" }]);
}

/** Counted before the slow comparison, so that concurrent attempts are counted too. */
async function checkPin(
  { directory, actor }: Caller,
  client: PasswordClient,
  { companyId, operatorId, pin, pinHash }: { companyId: number; operatorId: number; pin: string; pinHash: string | null },
): Promise<void> {
  if (pinHash === null)
    throw invalid([{ pointer: "/pin", code: "not_allowed", message: "is not allowed: the operator has none" }]);
  client.refuseHashing();
  const now = Date.now();
  const place = actor.apiToken ? `token ${actor.apiToken.id}` : `user ${actor.userId}`;
  const key = `pins|${companyId}|${place}|${operatorId}`;
  const [, counted, [last]] = await directory.batch(countPin(directory, key, now));
  if (counted.length === 0) {
    throw tooManyRequests("Five wrong PINs of this operator were entered here.", ((last?.since ?? now) + pinLockMs - now) / 1000);
  }
  const isRight = await client
    .hashing(() => verifyPassword(pin, pinHash))
    .catch(async (error: unknown) => {
      await uncount(directory, key);
      throw error;
    });
  if (!isRight) throw invalid([{ pointer: "/pin", code: "wrong", message: "is not the operator's PIN" }]);
  await forgetPins(directory, key);
}
