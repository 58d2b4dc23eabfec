import type { Caller } from "../../core/caller.ts";
import { seal, unseal } from "../../core/cipher.ts";
import { write } from "../../core/write.ts";
import { hasNoSecret, insertSecret, selectSecret } from "./queries.ts";

const secretBytes = 32;

/** The secret that signs the webhook calls of the caller's company. It is created on first use. */
export async function webhookSecret(caller: Caller): Promise<string> {
  const { companyId } = caller.actor;
  const { answer: sealed } = await write(
    caller,
    (db) => [selectSecret(db, companyId)],
    async ([kept]) => {
      if (kept) return { answer: kept.sealedSecret };
      const bytes = crypto.getRandomValues(new Uint8Array(secretBytes));
      const sealedSecret = await seal(caller.env, `whsec_${Buffer.from(bytes).toString("base64")}`);
      return {
        expect: [hasNoSecret(companyId)],
        rows: [
          insertSecret(caller.db, {
            companyId,
            sealedSecret,
            createdAt: Date.now(),
            previousSealedSecret: null,
            previousUntil: null,
          }),
        ],
        audit: { action: "webhook-secret.create", companyId, objectId: companyId, before: null, after: {} },
        answer: sealedSecret,
      };
    },
  );
  return await unseal(caller.env, sealed);
}
