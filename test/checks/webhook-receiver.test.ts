import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callFault, type Receiver, startReceiver } from "../../scripts/webhook-receiver.ts";

// The secret, id, time, body and signature of the example with which Standard Webhooks' own libraries are tested.
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const example = {
  id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
  timestamp: "1614265330",
  body: Buffer.from('{"test": 2432232314}'),
  signature: "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
};
const at = Number(example.timestamp) * 1000;
const headers = {
  "webhook-id": example.id,
  "webhook-timestamp": example.timestamp,
  "webhook-signature": example.signature,
};

describe("the signature of a call", () => {
  test("is right with the secret", () => {
    expect(callFault(secret, headers, example.body, at)).toBeNull();
  });

  test("is right with two secrets, one of them ours", () => {
    const two = { ...headers, "webhook-signature": `v1,${Buffer.alloc(32).toString("base64")} ${example.signature}` };
    expect(callFault(secret, two, example.body, at)).toBeNull();
  });

  test.each([
    ["another secret", "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", headers, example.body],
    ["another body", secret, headers, Buffer.from('{"test": 2432232315}')],
    ["another id", secret, { ...headers, "webhook-id": "msg_2" }, example.body],
    ["another version", secret, { ...headers, "webhook-signature": example.signature.replace("v1", "v1a") }, example.body],
    ["no signature", secret, { ...headers, "webhook-signature": "" }, example.body],
  ])("is wrong with %s", (_, ours, sent, body) => {
    expect(callFault(ours, sent, body, at)).toMatch(/signature/);
  });

  test.each([
    ["later", 301_000],
    ["earlier", -301_000],
  ])("is refused five minutes %s", (_, ms) => {
    expect(callFault(secret, headers, example.body, at + ms)).toMatch(/five minutes/);
    expect(callFault(secret, { ...headers, "webhook-timestamp": "soon" }, example.body, at)).toMatch(/five minutes/);
  });

  test("is wrong without its headers", () => {
    expect(callFault(secret, { ...headers, "webhook-id": undefined }, example.body, at)).toMatch(/is missing/);
  });
});

describe("the receiver", () => {
  const said: string[] = [];
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver(0, secret, (line) => said.push(line));
  });
  afterAll(() => receiver.close());

  async function call(body: string, sign = secret): Promise<number> {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const key = Buffer.from(sign.slice("whsec_".length), "base64");
    const signature = createHmac("sha256", key).update(`stop-1.${timestamp}.${body}`).digest("base64");
    const sent = { "webhook-id": "stop-1", "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
    return (await fetch(receiver.url, { method: "POST", headers: sent, body })).status;
  }

  test("shows what happened, and that an event was sent again", async () => {
    const event = { id: "stop-1", type: "stop.opened", timestamp: "2026-11-20T10:00:00.000Z", data: { machineName: "Press 1" } };
    expect(await call(JSON.stringify(event))).toBe(204);
    expect(await call(JSON.stringify(event))).toBe(204);
    const line = "Webhook  2026-11-20T10:00:00.000Z  stop.opened  Press 1  stop-1";
    expect(said.splice(0)).toEqual([line, `${line}  (again)`]);
  });

  test("refuses a call of somebody else, and one without an event", async () => {
    expect(await call("{}", "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")).toBe(401);
    expect(await call("no JSON")).toBe(400);
    expect(await call("x".repeat(70_000))).toBe(413);
    expect(said.splice(0)).toEqual(["Webhook refused: the signature is not by our secret"]);
  });
});
