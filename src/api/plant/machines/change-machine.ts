import type { RouteHandler } from "@hono/zod-openapi";
import { callerOf } from "../../../http/session.ts";
import { changeContract } from "../../../resource/contracts.ts";
import { changeMachine } from "./new-machine.ts";
import { machines } from "./resource.ts";

export const contract = changeContract(machines);

export const handler: RouteHandler<typeof contract> = async (c) => {
  const named = { ...c.req.valid("param"), ...c.req.valid("query"), ...c.req.valid("header") };
  return c.json(await changeMachine(callerOf(c), named, c.req.valid("json")), 200);
};
