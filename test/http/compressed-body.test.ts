import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { MINUTE } from "../support/clock.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { createUser } from "../support/factories.ts";
import { countAt, createLine } from "../support/machines.ts";
import { probe } from "./probe-app.ts";

const via = probe();
const mebibyte = 1024 * 1024;
const compressed = { "content-encoding": "gzip" };

function gzip(text: string): Uint8Array {
  return new Uint8Array(gzipSync(text));
}

/** Sends a body to an operation that returns it. */
function send(body: Uint8Array | string, headers: Record<string, string> = compressed) {
  return call("POST", "/probe/shapes/1", { body, headers, via });
}

describe("a body with a content-encoding", () => {
  it("is decompressed if it is gzip, and read as it is with identity", async () => {
    const text = '{"entries":[{"a/b":7}]}';
    expect((await send(gzip(text))).body).toEqual({ entries: [{ "a/b": 7 }] });
    expect((await send(gzip(text), { "content-encoding": " GZIP" })).body).toEqual({ entries: [{ "a/b": 7 }] });
    expect((await send(text, { "content-encoding": "identity" })).body).toEqual({ entries: [{ "a/b": 7 }] });
  });

  it.each(["br", "deflate", "zstd", "gzip, gzip", "compress"])("is refused with 415 if that is %s", async (encoding) => {
    const answer = await send(gzip("{}"), { "content-encoding": encoding });
    expectProblem(answer, 415);
    expect(answer.headers.get("accept-encoding")).toBe("gzip");
  });

  it("is refused if it is not the gzip that it claims to be, or ends too early", async () => {
    const good = gzip('{"entries":[]}');
    for (const bad of ["{}", good.slice(0, 12), good.map((byte, i) => (i === 12 ? byte ^ 0xff : byte))]) {
      const answer = await send(bad);
      expectProblem(answer, 400, "");
      expect(answer.body.errors[0].code).toBe("malformed_gzip");
    }
  });

  it("is limited by its decompressed size, so that a small one cannot fill the memory", async () => {
    const padded = (length: number) => gzip(`{}${" ".repeat(length - 2)}`);
    expect((await send(padded(mebibyte))).status).toBe(200);
    expectProblem(await send(padded(mebibyte + 1)), 413);
    const blank = new Blob([new Uint8Array(mebibyte)]);
    const zeros = new Blob(Array<Blob>(100).fill(blank)).stream().pipeThrough(new CompressionStream("gzip"));
    const bomb = new Uint8Array(await new Response(zeros).arrayBuffer());
    expect(bomb.byteLength).toBeLessThan(mebibyte);
    const before = Date.now();
    expectProblem(await send(bomb), 413);
    expect(Date.now() - before).toBeLessThan(2000);
  });

  it("brings 1,000 events of a gateway in a tenth of the bytes", async () => {
    const { machine, token } = await createLine();
    const start = Date.now() - 60 * MINUTE;
    const events = Array.from({ length: 1000 }, (_, i) =>
      countAt(machine.nodeId, start + i * 3457, 1 + ((i * 7) % 5), { id: `gw1-${String(417_000 + i).padStart(8, "0")}` }),
    );
    const text = JSON.stringify({ events });
    const body = gzip(text);
    expect(body.byteLength).toBeLessThan(text.length / 10);
    const answer = await call("POST", "/v1/ingest", { token, body, headers: compressed });
    expect(answer.body).toMatchObject({ accepted: 1000, rejected: [] });
  });

  it("is the same request as without compression for an Idempotency-Key", async () => {
    const { companyId } = await createLine();
    const { token } = await createUser(companyId, "admin");
    const text = JSON.stringify({ name: "Ada", code: "A-1" });
    const key = { "idempotency-key": crypto.randomUUID() };
    const plain = await call("POST", "/v1/operators", { token, body: text, headers: key });
    const again = await call("POST", "/v1/operators", { token, body: gzip(text), headers: { ...key, ...compressed } });
    expect([plain.status, again.status, again.headers.get("idempotent-replayed")]).toEqual([201, 201, "true"]);
    expect(again.body).toEqual(plain.body);
  });
});
