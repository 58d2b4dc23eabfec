import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { answerText } from "../../../core/answer-text.ts";
import { multilineText, text } from "../../../core/inputs.ts";
import { tokenSchema } from "../../../core/token.ts";
import { passwordClientOf } from "../../../http/admission.ts";
import { open } from "../../../http/permission.ts";
import { problemResponses, problemSchema } from "../../../http/problem.ts";
import { visitorOf } from "../../../http/session.ts";
import { signIn } from "./sessions.ts";
import { throttleText } from "./throttle.ts";

// The length is checked before trimming, as the API document states it: spaces alone are an unknown address (401).
const email = text(254).min(1).trim().toLowerCase();
const credentials = z.object({ email, password: multilineText(1024).min(1) });

const failure = problemSchema.extend({ error: z.literal(true) }).openapi("FailedLogin");
const session = z.object({ email: answerText, companyId: z.int(), id: z.int(), role: answerText, jwt: tokenSchema });

export const contract = createRoute({
  method: "post",
  path: "/identity/login",
  operationId: "login",
  tags: ["identity"],
  summary: "Exchange an e-mail address and a password for a token",
  description: `A failed login also carries \`error: true\`. ${throttleText}`,
  ...open(),
  request: {
    body: {
      required: true,
      content: {
        "application/json": { schema: credentials, example: { email: "superuser@demo.test", password: "andon-demo-plant" } },
      },
    },
  },
  responses: {
    200: {
      description: "Signed in",
      content: { "application/json": { schema: z.object({ error: z.literal(false), data: session }) } },
    },
    401: { description: "Failed", content: { "application/problem+json": { schema: failure } } },
    ...problemResponses(400, 413, 415, 429, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const data = await signIn(visitorOf(c), passwordClientOf(c), c.req.valid("json"));
  return c.json({ error: false as const, data }, 200);
};
