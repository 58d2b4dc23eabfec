import type { RouteHandler } from "@hono/zod-openapi";
import { passwordClientOf } from "../../http/admission.ts";
import { created } from "../../http/created.ts";
import { callerOf } from "../../http/session.ts";
import { createContract } from "../../resource/contracts.ts";
import { createOperator } from "./operators.ts";
import { operators } from "./resource.ts";

export const contract = createContract(operators);

export const handler: RouteHandler<typeof contract> = async (c) =>
  created(c, await createOperator(callerOf(c), passwordClientOf(c), c.req.valid("json")));
