import { z } from "@hono/zod-openapi";
import { answerText } from "../../core/answer-text.ts";
import { multilineText, text } from "../../core/inputs.ts";
import { tagSubjects } from "../../db/values.ts";

/** A tag key as requests define it. */
export const tagDefinition = z.object({
  companyId: z.int().min(1),
  sort: z
    .number()
    .min(-(2 ** 53))
    .max(2 ** 53),
  subject: z.enum(tagSubjects),
  tagKey: text(200).min(1),
  description: multilineText(2000),
  color: text(50),
  isDefault: z.boolean(),
});
/** A tag key as responses show it. */
export const tagKey = tagDefinition
  .extend({ id: z.uuid(), tagValue: answerText.openapi({ description: "Empty until a value is given" }) })
  .openapi("TagKey");
