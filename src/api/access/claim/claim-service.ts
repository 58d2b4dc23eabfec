import { createRoute, type RouteHandler, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { text } from "../../../core/inputs.ts";
import { newPassword } from "../../../core/password-rule.ts";
import { passwordClientOf } from "../../../http/admission.ts";
import type { UserEnv } from "../../../http/env.ts";
import { open } from "../../../http/permission.ts";
import { problemResponses } from "../../../http/problem.ts";
import { callerOf, visitorOf } from "../../../http/session.ts";
import { startCodeOf } from "../../../http/this-computer.ts";
import { companyMembers } from "../../plant/companies/resource.ts";
import { userMembers } from "../users/resource.ts";
import { acceptCode, claimService } from "./claims.ts";

const body = z.object({
  name: userMembers.name,
  email: userMembers.email,
  password: newPassword,
  code: text(20).min(1).openapi({
    description: "As `npm start -- --empty` or `npm run admin -- claim-code` printed it; small letters and hyphens do not matter",
    example: "CDFG-3467",
  }),
  companyName: companyMembers.name,
  timezone: companyMembers.timezone,
});

const example = {
  code: "CDFG-3467",
  name: "Ana Ruiz",
  email: "ana@example.com",
  password: "correct horse battery staple",
  companyName: "My Plant",
  timezone: "Europe/Madrid",
};

export const contract = createRoute({
  method: "post",
  path: "/v1/claim",
  operationId: "claimService",
  tags: ["identity"],
  summary: "Claim a service without users",
  description: `Makes the first user, a superuser, and the company. The code is good once. Then sign in with \`POST /identity/login\`.

In the demo that \`npm start\` runs, and only from that computer, the code that its first page has makes a further company, with an admin of its own: the
demo plant stays as it is, and there are at most 100 companies.

409: the service has, or had, users, or too many companies for a further one. 429: after ten wrong codes in 15 minutes; \`npm run admin -- claim-code\` makes a new one at any time.`,
  ...open(),
  request: { body: { required: true, content: { "application/json": { schema: body, example } } } },
  responses: {
    201: {
      description: "Claimed",
      content: { "application/json": { schema: z.object({ companyId: z.int(), userId: z.int() }).openapi("Claimed") } },
    },
    ...problemResponses(400, 409, 413, 415, 429, 503),
  },
});

export const handler: RouteHandler<typeof contract> = async (c) => {
  const claim = c.req.valid("json");
  const actor = await acceptCode(visitorOf(c), claim, startCodeOf(c));
  // The visitor acts as that user from here on.
  const context = c as unknown as Context<UserEnv>;
  context.set("actor", actor);
  return c.json(await claimService(callerOf(context), passwordClientOf(c), claim), 201);
};
