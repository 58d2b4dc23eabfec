import { call } from "./call.ts";

/**
 * Pairs a terminal with machines, by its code.
 * @param admin the token of who confirms
 */
export async function pairTerminal(admin: string, machineIds: readonly number[], name = "Terminal 1") {
  const path = "/v1/terminal-pairings";
  const { id, code, secret } = (await call("POST", path)).body;
  const confirmed = await call("POST", `${path}/confirm`, { token: admin, body: { code, name, machineIds } });
  if (confirmed.status !== 200) throw new Error(JSON.stringify(confirmed.body));
  const { body } = await call("GET", `${path}/${id}`, { headers: { "x-pairing-secret": secret } });
  return { apiTokenId: confirmed.body.id as number, token: body.token as string, secret: secret as string };
}
