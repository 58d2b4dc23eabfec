import type { Context } from "hono";
import { invalid, Problem } from "../core/problem.ts";
import { within } from "../limits/load.ts";
import { receiving } from "./admission.ts";
import type { HonoEnv, UserEnv } from "./env.ts";
import { brokenOff, tooSlow, unknownEncoding } from "./read-body.ts";

// A file that may be longer than the memory: it is stored while it arrives.

/** How long the next bytes may take, and at what rate all of them have to come. */
const IDLE_MS = 30_000;
const BYTES_PER_SECOND = 16 * 1024;

/**
 * Receives the file in a request's body.
 * @param types the media types that it may have
 * @param store gets the bytes as they arrive, decompressed
 * @throws Problem 415: another type, or an unknown encoding, 408: too slow, 400: there is none, it broke off, or is not gzip, 503: too many are received. The rest of the body is
 * then not read
 */
export async function receiveFile<T>(
  c: Context<UserEnv>,
  types: readonly string[],
  store: (bytes: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  const { body, headers } = c.req.raw;
  const encoding = (headers.get("content-encoding") ?? "identity").trim().toLowerCase();
  const type = mediaTypeOf(headers);
  try {
    if (!types.includes(type))
      throw new Problem(415, `This operation accepts ${types.join(" or ")}, not ${type || "a body without a content-type"}.`);
    if (encoding !== "gzip" && encoding !== "identity") throw unknownEncoding(encoding);
    if (!body) throw invalid([{ pointer: "", code: "required", message: "must be a file" }]);
    const context = c as unknown as Context<HonoEnv>;
    return await receiving(context, () => store(encoding === "gzip" ? decompressed(arriving(body)) : arriving(body)));
  } catch (error) {
    await body?.cancel(String(error)).catch(() => {});
    throw error;
  }
}

/** The media type of a body, without its parameters. */
export function mediaTypeOf(headers: Headers): string {
  return (headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

/** The bytes of a body. */
async function* arriving(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  let bytes = 0;
  /** Without the time in which nobody asked for more. */
  let waitedMs = 0;
  try {
    for (;;) {
      const askedAt = Date.now();
      const { done, value } = await within(IDLE_MS, "the sender", reader.read());
      waitedMs += Date.now() - askedAt;
      if (done) return;
      bytes += value.byteLength;
      if (waitedMs > IDLE_MS + (bytes / BYTES_PER_SECOND) * 1000) throw tooSlow();
      yield value;
    }
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw error instanceof Error && error.name === "StorageBusy" ? tooSlow() : brokenOff();
  } finally {
    await reader.cancel().catch(() => {});
    reader.releaseLock();
  }
}

/** The content of gzip. */
async function* decompressed(bytes: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  let failure: unknown;
  const source = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await bytes.next();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        failure = error;
        controller.error(error);
      }
    },
    cancel: () => void bytes.return(undefined),
  });
  const reader = source.pipeThrough(new DecompressionStream("gzip") as ReadableWritablePair<Uint8Array, Uint8Array>).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } catch {
    throw failure ?? invalid([{ pointer: "", code: "malformed_gzip", message: "must be gzip, as its content-encoding says" }]);
  } finally {
    await reader.cancel().catch(() => {});
  }
}
