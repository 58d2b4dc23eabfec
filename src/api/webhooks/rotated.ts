import { z } from "@hono/zod-openapi";
import { answerText } from "../../core/answer-text.ts";

/** The response of an operation that replaces a secret. */
export const rotated = z
  .object({
    secret: answerText.nullable().openapi({
      description: "Shown only in this answer: null if the request is repeated with its Idempotency-Key",
      example: "whsec_Zm9yIHRoZSBkb2N1bWVudGF0aW9uIGFsb25lLCBrZXk=",
    }),
    previousUntil: z.iso
      .datetime()
      .nullable()
      .openapi({ description: "Until when calls also carry a signature by the previous secret; null: there was none" }),
  })
  .openapi("RotatedSecret");
