import { z } from "@hono/zod-openapi";

/** A text in an answer. In a request every text is one of those in `inputs.ts`, which refuse what a store would change. */
export const answerText = z.string();
