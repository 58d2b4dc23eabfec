import { gunzipSync } from "node:zlib";
import type { Context } from "hono";
import { invalid, Problem, unavailable } from "../core/problem.ts";
import { ownerOf } from "./admission.ts";
import type { HonoEnv } from "./env.ts";

// A body is read completely before its request takes a slot, so slow senders do not delay others.

/** The maximum size of a body, and the time in which it must arrive. */
export interface BodyRules {
  /** As it is sent, and after decompression. */
  maxBytes: number;
  deadlineMs: number;
  /** A body that arrives at this rate or faster may take longer than `deadlineMs`. */
  bytesPerSecond?: number;
}

/** The maximum number of bodies that an isolate receives at once, and of bytes of request bodies that it holds. */
const MAX_ARRIVING = 400;
const MAX_BYTES_HELD = 32 * 1024 * 1024;

interface Arriving {
  owner: string;
  since: number;
  bytes: number;
  giveUp(): void;
}

/** Oldest first. */
const arriving = new Set<Arriving>();
let bytesHeld = 0;

type Part = { done: boolean; value?: Uint8Array | undefined } | "too late" | "given up";

/**
 * Reads the request's body into memory, where later readers of the request find it, decompressed. Returns a function that releases it.
 * When too much is being received, the slowest body of the largest sender is dropped.
 * @throws Problem 413: too large, 408: too slow, 415: unknown encoding, 503: dropped, 400: broke off, or is not gzip. The rest of the body is
 * then not read
 */
export async function readBody(c: Context<HonoEnv>, rules: BodyRules): Promise<() => void> {
  const { body, headers } = c.req.raw;
  if (!body) return () => {};
  const encoding = (headers.get("content-encoding") ?? "identity").trim().toLowerCase();
  if (encoding !== "gzip" && encoding !== "identity") throw await refused(body, unknownEncoding(encoding));
  if (Number(headers.get("content-length")) > rules.maxBytes) throw await refused(body, tooLarge(rules));
  const gaveWay = Promise.withResolvers<"given up">();
  const own: Arriving = { owner: ownerOf(c), since: Date.now(), bytes: 0, giveUp: () => gaveWay.resolve("given up") };
  const release = () => {
    bytesHeld -= own.bytes;
    own.bytes = 0;
  };
  const reader = body.getReader();
  const clock = clockOf(own, rules);
  arriving.add(own);
  makeRoom();
  try {
    const parts: Uint8Array[] = [];
    for (;;) {
      const part: Part = await Promise.race([reader.read(), clock.over, gaveWay.promise]);
      if (part === "too late") throw tooSlow();
      if (part === "given up") throw unavailable("Too many request bodies are being received at once. Try again.", 1);
      if (part.done || !part.value) break;
      parts.push(part.value);
      own.bytes += part.value.byteLength;
      bytesHeld += part.value.byteLength;
      if (own.bytes > rules.maxBytes) throw tooLarge(rules);
      makeRoom();
    }
    const sent = joined(parts, own.bytes);
    const whole = encoding === "gzip" ? decompressed(sent, rules) : sent;
    bytesHeld += whole.byteLength - own.bytes;
    own.bytes = whole.byteLength;
    // The cache holds promises, although its type says otherwise.
    c.req.bodyCache.arrayBuffer = Promise.resolve(whole) as unknown as ArrayBuffer;
    cacheText(c, whole);
    parseOnce(c);
    return release;
  } catch (error) {
    release();
    throw await refused(reader, error instanceof Problem ? error : brokenOff());
  } finally {
    clock.stop();
    arriving.delete(own);
  }
}

/** Caches the parsed body: the validation and the check for unknown members both request its JSON, and Hono would parse it for each. */
function parseOnce({ req }: Context<HonoEnv>): void {
  const parse = req.json.bind(req);
  let parsed: Promise<unknown> | undefined;
  req.json = <T>() => {
    parsed ??= parse();
    return parsed as Promise<T>;
  };
}

/** Drops the slowest bodies of the largest senders while too much is being received. */
function makeRoom(): void {
  while (arriving.size > MAX_ARRIVING || (bytesHeld > MAX_BYTES_HELD && arriving.size > 0)) {
    const byOwner = [...Map.groupBy(arriving, ({ owner }) => owner).values()];
    const weight = (bodies: Arriving[]) => bodies.reduce((sum, { bytes }) => sum + bytes + MAX_BYTES_HELD / MAX_ARRIVING, 0);
    const [slowest] = byOwner.reduce((most, bodies) => (weight(bodies) > weight(most) ? bodies : most));
    if (!slowest) return;
    arriving.delete(slowest);
    bytesHeld -= slowest.bytes;
    slowest.bytes = 0;
    slowest.giveUp();
  }
}

/** Resolves when a body has taken too long for the bytes that have arrived. */
function clockOf(own: Arriving, { deadlineMs, bytesPerSecond }: BodyRules) {
  const { promise: over, resolve } = Promise.withResolvers<"too late">();
  const leftMs = () => deadlineMs + (bytesPerSecond ? (own.bytes / bytesPerSecond) * 1000 : 0) - (Date.now() - own.since);
  let timer: ReturnType<typeof setTimeout>;
  const wait = () => {
    timer = setTimeout(() => (leftMs() > 0 ? wait() : resolve("too late")), leftMs());
  };
  wait();
  return { over, stop: () => clearTimeout(timer) };
}

function joined(parts: readonly Uint8Array[], length: number): ArrayBuffer {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole.buffer;
}

/** The content of a gzip body. Decompression stops at `maxBytes`, so a small body cannot fill the memory. */
function decompressed(sent: ArrayBuffer, rules: BodyRules): ArrayBuffer {
  try {
    const content = gunzipSync(new Uint8Array(sent), { maxOutputLength: rules.maxBytes });
    return content.buffer.slice(content.byteOffset, content.byteOffset + content.byteLength);
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(rules);
    throw invalid([{ pointer: "", code: "malformed_gzip", message: "must be gzip, as its content-encoding says" }]);
  }
}

/** Caches the text of a JSON body. */
function cacheText({ req }: Context<HonoEnv>, whole: ArrayBuffer): void {
  if (!/json/i.test(req.header("content-type") ?? "")) return;
  req.bodyCache.text = Promise.resolve(decoded(whole)) as unknown as string;
}

/** The text of a body. A lenient decoder would make different texts equal: bytes that are not UTF-8 all become the same character. */
function decoded(whole: ArrayBuffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(whole);
  } catch {
    throw invalid([{ pointer: "", code: "malformed_utf8", message: "must be UTF-8" }]);
  }
}

/** Cancels the rest of a body. */
async function refused(body: Pick<ReadableStreamDefaultReader, "cancel">, problem: Problem): Promise<Problem> {
  await body.cancel(problem.detail).catch(() => {});
  return problem;
}

function tooLarge({ maxBytes }: BodyRules): Problem {
  return new Problem(413, `The body may have at most ${maxBytes} bytes, decompressed.`);
}

export function unknownEncoding(encoding: string): Problem {
  return new Problem(415, `The content-encoding ${encoding.slice(0, 40)} is not supported: send gzip, or no encoding.`, {
    headers: { "accept-encoding": "gzip" },
  });
}

export function tooSlow(): Problem {
  return new Problem(408, "The body did not arrive in time.", { headers: { connection: "close" } });
}

export function brokenOff(): Problem {
  return invalid([{ pointer: "", code: "incomplete", message: "ended before it was complete" }]);
}
