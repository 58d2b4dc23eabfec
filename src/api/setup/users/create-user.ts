import type { RouteHandler } from "@hono/zod-openapi";
import { passwordClientOf } from "../../../http/rooms.ts";
import { callerOf } from "../../../http/session.ts";
import { createContract } from "../contracts.ts";
import { createUser } from "./accounts.ts";
import { users } from "./users.ts";

export const contract = createContract(users);

export const handler: RouteHandler<typeof contract> = async (c) =>
  c.json(await createUser(callerOf(c), passwordClientOf(c), c.req.valid("json")), 200);
