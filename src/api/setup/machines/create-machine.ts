import type { RouteHandler } from "@hono/zod-openapi";
import { callerOf } from "../../../http/session.ts";
import { createContract } from "../contracts.ts";
import { machines } from "./machines.ts";
import { createMachine } from "./new-machine.ts";

export const contract = createContract(machines);

export const handler: RouteHandler<typeof contract> = async (c) =>
  c.json(await createMachine(callerOf(c), c.req.valid("json")), 200);
