import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { text } from "../../core/inputs.ts";
import { unauthenticated } from "../../core/problem.ts";
import { issueToken, tokenSchema } from "../../core/token.ts";
import { auditAs } from "../../http/old-audit.ts";
import { open } from "../../http/permission.ts";
import { problemResponses, problemSchema } from "../../http/problem.ts";
import { refuseHashing } from "../../http/rooms.ts";
import { db } from "../../http/session.ts";
import { auditFailure, finishAttempt } from "./queries.ts";
import { beginAttempt, throttleText, tryPassword } from "./throttle.ts";

const email = text(254).trim().toLowerCase().min(1);
const credentials = z.object({ email, password: text(1024).min(1) });

const failure = problemSchema.extend({ error: z.literal(true) }).openapi("FailedLogin");
const session = z.object({ email: z.string(), companyId: z.int(), id: z.int(), role: z.string(), jwt: tokenSchema });

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
  const { email, password } = c.req.valid("json");
  refuseHashing(c);
  // Two trips: attempts made at the same time must be counted before the slow comparison, not after it.
  const { user, attempt } = await beginAttempt(c, email);
  const matches = await tryPassword(c, attempt, password, user?.passwordHash);
  const audit = auditAs(c, { userId: user?.id ?? 0, companyId: user?.companyId ?? 0 });
  if (!user?.isActive || !matches) {
    await auditFailure(db(c), user, attempt, audit);
    throw unauthenticated("The e-mail address or the password is wrong.", { error: true });
  }

  const entry = { action: "login.success", companyId: user.companyId, objectId: user.id, before: null } as const;
  await db(c).batch([audit({ ...entry, after: { address: attempt.address } }), ...finishAttempt(db(c), attempt)]);
  const { id, companyId, role } = user;
  const { token, exp } = await issueToken(c.env, user, Date.now() / 1000);
  return c.json({ error: false as const, data: { email: user.email, companyId, id, role, jwt: { token, exp } } }, 200);
};
