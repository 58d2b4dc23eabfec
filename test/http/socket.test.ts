import { describe, expect, it } from "vitest";
import { createApiToken, createCompany, createUser } from "../support/factories.ts";
import { probe } from "./probe-app.ts";

const via = probe();

/** Opens a socket to the probe. */
async function open(headers: Record<string, string>): Promise<Response> {
  return await via(new Request("http://andon.test/probe/socket", { headers: { upgrade: "websocket", ...headers } }));
}

describe("a WebSocket", () => {
  it.each([
    ["the Authorization header", (token: string) => ({ authorization: `Bearer ${token}` })],
    ["a subprotocol", (token: string) => ({ "sec-websocket-protocol": `andon.v1, bearer.${token}` })],
  ])("is accepted with a token in %s", async (_where, headersOf) => {
    const { token } = await createUser((await createCompany()).companyId, "user");
    const response = await open(headersOf(token));
    expect([response.status, response.headers.get("sec-websocket-protocol")]).toEqual([101, "andon.v1"]);
    const socket = response.webSocket as WebSocket;
    socket.accept();
    const answered = new Promise((resolve) => socket.addEventListener("message", ({ data }) => resolve(data)));
    socket.send("hello");
    expect(await answered).toBe("echo of hello");
    socket.close();
  });

  it("is accepted with an API token", async () => {
    const { token } = await createApiToken(await createUser((await createCompany()).companyId, "user"), { isReadOnly: true });
    const response = await open({ "sec-websocket-protocol": `andon.v1, bearer.${token}` });
    expect(response.status).toBe(101);
    response.webSocket?.accept();
    response.webSocket?.close();
  });

  it("is refused without a valid token, and with one in a subprotocol of a request that is not a handshake", async () => {
    const { token } = await createUser((await createCompany()).companyId, "user");
    const bearer = { "sec-websocket-protocol": `bearer.${token}` };
    expect((await open({})).status).toBe(401);
    expect((await open({ "sec-websocket-protocol": "bearer.wrong" })).status).toBe(401);
    expect((await via(new Request("http://andon.test/probe/me", { headers: bearer }))).status).toBe(401);
  });
});
