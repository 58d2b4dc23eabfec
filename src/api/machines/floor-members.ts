import { z } from "@hono/zod-openapi";
import { answerText } from "../../core/answer-text.ts";
import { idParameter, instant, text } from "../../core/inputs.ts";
import { pinText } from "../../core/pin-rule.ts";

// Members of requests and responses that the operations of the shop floor share.

/** The time of a report from the shop floor; omitted: now. */
export const floorInstant = instant.optional().openapi({
  description:
    "When it happened: up to 48 h ago; now when left out. Times up to 5 minutes ahead, from a wrong clock, count as now",
});

const floorState = z
  .object({
    machineId: z.int(),
    isChanged: z.boolean().openapi({
      description: "Whether the present state of the machine changed. False: it was so already, or later events decide",
    }),
    skuId: answerText.nullable().openapi({ description: "Currently in production; null if there is none" }),
    workOrderId: answerText.nullable().openapi({ description: "Currently in production; null if there is none" }),
    operators: z
      .array(z.object({ id: z.int(), since: z.iso.datetime() }))
      .openapi({ description: "Who is signed in, by id, and since when" }),
  })
  .openapi("FloorState");

/** The response of an operation of the shop floor. */
export const floorAnswer = {
  description: "The machine's state after it",
  content: { "application/json": { schema: floorState } },
};

const operatorBody = z.object({
  operatorId: z.int().min(1).openapi({ description: "Of the machine's company" }),
  at: floorInstant,
});

const params = z.object({ id: idParameter });

/** The request of the operation that signs an operator out. */
export const signingOut = {
  params,
  body: { required: true, content: { "application/json": { schema: operatorBody, example: { operatorId: 1 } } } },
};

const signInBody = operatorBody.extend({
  pin: pinText
    .optional()
    .openapi({ description: "The operator's PIN. For an operator who has one, a paired terminal must send this or `code`" }),
  code: text(100)
    .optional()
    .openapi({ description: "The code that a person typed, or that was read from a badge; checked at paired terminals alone" }),
});

/** The request of the operation that signs an operator in. */
export const signingIn = {
  params,
  body: { required: true, content: { "application/json": { schema: signInBody, example: { operatorId: 1 } } } },
};
