import { type Role, roles } from "../../src/db/schema.ts";
import type { Answer } from "../support/answer.ts";
import { call } from "../support/call.ts";
import { createGatewayToken, createUser } from "../support/factories.ts";
import { operationById } from "./operations.ts";
import { endsOwnTokens, type GoodRequest, type OperationId, requests } from "./requests.ts";
import { createWorld, password, type World } from "./world.ts";

/** The callers that may send requests about a company's things: its own users by role, and others. */
export interface Callers {
  world: World;
  /** The other company's world. */
  strange: World;
  /** By caller: a role; `broken`, with an invalid token; `gateway`; `stranger`, a superadmin of the other company; `nowhere`, a superuser. */
  tokens: Record<string, string>;
  send(id: OperationId, caller: string, request: GoodRequest): Promise<Answer>;
  /** Sends the operation's good request about a world's things. */
  ask(id: OperationId, caller: string, about: World): Promise<Answer>;
}

export async function createCallers(): Promise<Callers> {
  const [world, strange] = [await createWorld(), await createWorld()];
  const tokens: Record<string, string> = {};
  for (const role of roles) tokens[role] = (await createUser(world.companyId, role)).token;
  tokens.broken = `${tokens.superuser?.slice(0, -4)}AAAA`;
  tokens.gateway = (await createGatewayToken(world.companyId)).token;
  tokens.stranger = (await createUser(strange.companyId, "superadmin")).token;
  tokens.nowhere = tokens.superuser ?? "";

  async function send(id: OperationId, caller: string, { path, token: _, ...sent }: GoodRequest): Promise<Answer> {
    const role = { stranger: "superadmin", nowhere: "superuser" }[caller] ?? caller;
    const endsTokens = endsOwnTokens.includes(id) && roles.includes(role as Role);
    const token = endsTokens ? (await createUser(world.companyId, role as Role, { password })).token : tokens[caller];
    return await call(operationById.get(id)?.method ?? "", path, { ...(token !== undefined && { token }), ...sent });
  }

  const ask = async (id: OperationId, caller: string, about: World) => await send(id, caller, await requests[id](about));
  return { world, strange, tokens, send, ask };
}
