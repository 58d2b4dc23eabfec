import type { RouteHandler } from "@hono/zod-openapi";
import { created } from "../../../http/created.ts";
import { callerOf } from "../../../http/session.ts";
import { createContract } from "../contracts.ts";
import { machines } from "./machines.ts";
import { createMachine } from "./new-machine.ts";

export const contract = createContract(machines);

export const handler: RouteHandler<typeof contract> = async (c) =>
  created(c, await createMachine(callerOf(c), c.req.valid("json")));
