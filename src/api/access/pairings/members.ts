import { z } from "@hono/zod-openapi";
import { answerText } from "../../../core/answer-text.ts";
import { nameText } from "../../../core/inputs.ts";

// Members that the operations of walls, terminals and gateways share.

/** The company of what is paired. */
export const companyOfPairing = z.int().min(1).optional().openapi({
  description: "Its company: your own by default; only superusers may name another one",
});

/** What a display gets that begins a pairing. */
export function newPairing(noun: string) {
  return z.object({
    id: z.uuid(),
    code: answerText.openapi({ description: "To be shown, and entered by an admin", example: "CDFG-3467" }),
    secret: answerText.openapi({
      description: `The ${noun} fetches its token with this secret. Whoever has it can fetch the token, so never show it to anybody`,
      example: "andon_pair_Zm9yIHRoZSBkb2N1bWVudGF0aW9uIGFsb25lLCBrZXk",
    }),
    expiresAt: z.iso.datetime().openapi({ description: "When the code ends: ten minutes from now" }),
  });
}

/** The state of a pairing, as its display fetches it. */
export function pairing(noun: string, example: string) {
  return z.object({
    id: z.uuid(),
    status: z.enum(["pending", "confirmed", "expired"]).openapi({
      description: `\`expired\`: the time is over, or the token was deleted; the ${noun} begins another pairing`,
    }),
    expiresAt: z.iso
      .datetime()
      .openapi({ description: "When the code expires; once it is confirmed, until when the token can be fetched" }),
    token: answerText.nullable().openapi({
      description: `The ${noun}'s API token, the same each time; null unless confirmed`,
      example,
    }),
    companyId: z
      .int()
      .nullable()
      .openapi({ description: `The company of the ${noun}; null unless confirmed` }),
    name: answerText.nullable().openapi({ description: `The ${noun}'s name; null unless confirmed` }),
  });
}

const secret = z
  .string()
  .regex(/^andon_pair_[\w-]{43}$/, "must be the secret of the pairing")
  .openapi({ description: "The secret of the pairing" });

/** What a display asks with. */
export const asked = { params: z.object({ id: z.uuid() }), headers: z.object({ "x-pairing-secret": secret }) };

/** The body that confirms a pairing. */
export function confirmed(noun: string) {
  return z.object({
    code: nameText(20).openapi({ description: `The code that the ${noun} shows. Case, spaces and hyphens do not matter` }),
    name: nameText(200).openapi({ description: `Name of the ${noun}, and of its token` }),
    companyId: companyOfPairing,
  });
}
