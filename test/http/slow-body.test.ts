import { afterEach, describe, expect, it, vi } from "vitest";
import type { Answer } from "../support/answer.ts";
import { call } from "../support/call.ts";
import { stopClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { createCompany, createUser } from "../support/factories.ts";
import { serviceWith } from "../support/service.ts";
import { createWidget } from "../support/widgets.ts";
import { probe } from "./probe-app.ts";

afterEach(() => {
  vi.useRealTimers();
});

const json = { "content-type": "application/json" };

/** A body that is sent step by step, and whether the service has given up on it. */
function slowBody() {
  const sent = { isCancelled: false };
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const stream = new ReadableStream<Uint8Array>({
    start(own) {
      controller = own;
    },
    cancel() {
      sent.isCancelled = true;
    },
  });
  const send = (text: string | Uint8Array) =>
    controller?.enqueue(typeof text === "string" ? new TextEncoder().encode(text) : text);
  return { sent, stream, send, end: () => controller?.close() };
}

/** Sends a request with a slow body. Returns its promise, and a function for the answer so far. */
function ask(method: string, path: string, body: ReadableStream, token?: string, via = probe()) {
  const headers = { ...json, ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  let answer: Answer | undefined;
  const asked = call(method, path, { via: (request) => via(new Request(request, { method, headers, body })) }).then((came) => {
    answer = came;
  });
  return { asked, answer: () => answer };
}

describe("a slow body", () => {
  it("is abandoned after two seconds in a public operation", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    const { sent, stream, send } = slowBody();
    const { asked, answer } = ask("POST", "/probe/shapes/1", stream);
    send("{");
    await vi.advanceTimersByTimeAsync(1900);
    send('"entries"');
    expect([answer(), sent.isCancelled]).toEqual([undefined, false]);
    await vi.advanceTimersByTimeAsync(200);
    await asked;
    expectProblem(answer() as Answer, 408);
    expect(sent.isCancelled).toBe(true);
  });

  it("is read completely if it arrives in time, in any number of pieces", async () => {
    const { stream, send, end } = slowBody();
    const { asked, answer } = ask("POST", "/probe/shapes/1", stream);
    for (const piece of '{"entries":[{"a/b":7}]}') send(piece);
    end();
    await asked;
    expect(answer()).toMatchObject({ status: 200, body: { entries: [{ "a/b": 7 }] } });
  });

  it("takes no slot of requests that are complete", async () => {
    // So that no body is too late.
    stopClock();
    const via = probe({ MAX_REQUESTS_IN_FLIGHT: "4" });
    const slow = Array.from({ length: 20 }, () => slowBody());
    const waiting: ReturnType<typeof ask>[] = [];
    for (const { stream } of slow) {
      waiting.push(ask("POST", "/probe/shapes/1", stream, undefined, via));
      // If all came at the same moment, some would be refused.
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(waiting.map(({ answer }) => answer())).toEqual(Array(20).fill(undefined));
    for (let i = 0; i < 10; i++) expect((await call("POST", "/probe/shapes/1", { body: {}, via })).status).toBe(200);
    for (const { send, end } of slow) {
      send("{}");
      end();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await Promise.all(waiting.map(({ asked }) => asked));
    expect(waiting.map(({ answer }) => answer()?.status)).toEqual(Array(20).fill(200));
  });

  it("is dropped if a caller has too many, the oldest first", async () => {
    // So that no body is too late.
    stopClock();
    const via = probe();
    const slow = Array.from({ length: 405 }, () => slowBody());
    const waiting: ReturnType<typeof ask>[] = [];
    for (const [i, { stream }] of slow.entries()) {
      waiting.push(ask("POST", "/probe/shapes/1", stream, undefined, via));
      // More at the same moment would be a rush, in which they begin one by one.
      if (i % 4 === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await eventually(() => expect(slow.filter(({ sent }) => sent.isCancelled)).toHaveLength(5));
    expect((await call("POST", "/probe/shapes/1", { body: {}, via })).status).toBe(200);
    await eventually(() => expect(waiting.filter(({ answer }) => answer()?.status === 503).length).toBeGreaterThanOrEqual(5));
    for (const { sent, end } of slow) if (!sent.isCancelled) end();
    await Promise.all(waiting.map(({ asked }) => asked));
    // The first to arrive give way first.
    expect(waiting.slice(0, 5).map(({ answer }) => answer()?.status)).toEqual([503, 503, 503, 503, 503]);
  });

  it("has five seconds with a token, or for an upload as long as its rate is fair", async () => {
    const { companyId } = await createCompany();
    const { token } = await createUser(companyId, "admin");
    const { id } = await createWidget(companyId);
    expect((await call("GET", "/v1/shifts", { token })).status).toBe(200);
    // Later than any rush that the earlier tests caused.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], now: Date.now() + 10_000 });
    const [shift, picture] = [slowBody(), slowBody()];
    const asks = [
      ask("POST", "/v1/shifts", shift.stream, token, serviceWith({})),
      ask("POST", `/widgets/${id}/thumbnail`, picture.stream, token, serviceWith({})),
    ];
    // As many bytes as extend the time by two seconds.
    picture.send(new Uint8Array(512 * 1024));
    await vi.advanceTimersByTimeAsync(4900);
    expect(asks.map(({ answer }) => answer()?.status)).toEqual([undefined, undefined]);
    await vi.advanceTimersByTimeAsync(200);
    await asks[0]?.asked;
    expect(asks.map(({ answer }) => answer()?.status)).toEqual([408, undefined]);
    await vi.advanceTimersByTimeAsync(2000);
    await asks[1]?.asked;
    expect(asks[1]?.answer()?.status).toBe(408);
  });
});
