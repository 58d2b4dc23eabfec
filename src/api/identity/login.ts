import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import { verifyPassword } from "../../http/password.ts";
import { open } from "../../http/permission.ts";
import { problemResponses, problemSchema, tooManyRequests, unauthenticated } from "../../http/problem.ts";
import { db } from "../../http/session.ts";
import { issueToken } from "../../http/token.ts";
import { finishAttempt, startAttempt, windowMs } from "./queries.ts";

const maxFailuresPerAccount = 10;
const maxFailuresPerAddress = 100;

const credentials = z.object({ email: z.string().trim().toLowerCase().min(1).max(254), password: z.string().min(1).max(1024) });

const jwt = z.object({
  token: z.string(),
  exp: z.int().openapi({ description: "End of the token's life, seconds since the epoch" }),
});
const failure = problemSchema.extend({ error: z.literal(true) }).openapi("FailedLogin");
const session = z.object({ email: z.string(), companyId: z.int(), id: z.int(), role: z.string(), jwt });

export const contract = createRoute({
  method: "post",
  path: "/identity/login",
  operationId: "login",
  tags: ["identity"],
  summary: "Exchange an e-mail address and a password for a token",
  description: "A failed login also carries `error: true`. 10 failures for an account or 100 from an address in 15 minutes: 429.",
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
  const address = c.req.header("cf-connecting-ip") ?? "local";
  const now = Date.now();
  // Two trips: attempts made at the same time must be counted before the slow comparison, not after it.
  const { byAddress, byAccount, user } = await startAttempt(db(c), email, address, now);
  const full = [byAddress.failures > maxFailuresPerAddress && byAddress, byAccount.failures > maxFailuresPerAccount && byAccount];
  const freeAt = Math.max(...full.map((counter) => (counter ? counter.windowStart + windowMs : 0)));
  if (freeAt > 0) throw tooManyRequests("Too many failed logins. Try again later.", (freeAt - now) / 1000);

  const matches = await verifyPassword(password, user?.passwordHash);
  if (!user?.isActive || !matches) throw unauthenticated("The e-mail address or the password is wrong.", { error: true });

  await finishAttempt(db(c), email, address, [byAddress, byAccount], now);
  const { id, companyId, role } = user;
  const { token, exp } = await issueToken(c.env, user, now / 1000);
  return c.json({ error: false as const, data: { email: user.email, companyId, id, role, jwt: { token, exp } } }, 200);
};
