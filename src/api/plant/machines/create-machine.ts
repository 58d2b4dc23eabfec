import type { RouteHandler } from "@hono/zod-openapi";
import { created } from "../../../http/created.ts";
import { callerOf } from "../../../http/session.ts";
import { createContract } from "../../../resource/contracts.ts";
import { createMachine } from "./new-machine.ts";
import { machines } from "./resource.ts";

export const contract = createContract(machines);

export const handler: RouteHandler<typeof contract> = async (c) =>
  created(c, await createMachine(callerOf(c), c.req.valid("json")));
