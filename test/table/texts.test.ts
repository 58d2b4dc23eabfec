import { beforeAll, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { createUser } from "../support/factories.ts";
import { type Operation, operations } from "./operations.ts";
import { type GoodRequest, requests } from "./requests.ts";
import { createWorld, password, type World } from "./world.ts";

// No text of a request passes by the rules of texts: each text of a good request is replaced by one that no store returns.

const bad = "a\ud800";

/** Each text in a body, by its pointer, with the body in which it is replaced. */
function* spoiled(body: unknown): Generator<{ pointer: string; body: unknown }> {
  if (typeof body === "string") yield { pointer: "", body: bad };
  if (typeof body !== "object" || body === null) return;
  for (const [key, value] of Object.entries(body)) {
    for (const { pointer, body: part } of spoiled(value)) {
      const copy = Array.isArray(body) ? body.with(Number(key), part) : { ...body, [key]: part };
      yield { pointer: `/${key}${pointer}`, body: copy };
    }
  }
}

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

const takesJson = ({ id, content }: Operation) => content["application/json"] !== undefined && id !== "ingest";

it.each(operations.filter(takesJson))("$id refuses a text that no store returns", { timeout: 60_000 }, async (operation) => {
  const user = await createUser(world.companyId, "superuser", { password });
  const { path, body, token = user.token }: GoodRequest = await requests[operation.id](world);
  for (const sent of spoiled(body)) {
    const answer = await call(operation.method, path, { token, body: sent.body as object });
    expect(answer.status, `${sent.pointer} ${JSON.stringify(answer.body)}`).toBe(400);
  }
});
