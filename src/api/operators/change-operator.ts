import type { RouteHandler } from "@hono/zod-openapi";
import { passwordClientOf } from "../../http/admission.ts";
import { callerOf } from "../../http/session.ts";
import { changeContract } from "../../resource/contracts.ts";
import { changeOperator } from "./operators.ts";
import { operators } from "./resource.ts";

export const contract = changeContract(operators);

export const handler: RouteHandler<typeof contract> = async (c) => {
  const named = { ...c.req.valid("param"), ...c.req.valid("query"), ...c.req.valid("header") };
  return c.json(await changeOperator(callerOf(c), passwordClientOf(c), named, c.req.valid("json")), 200);
};
