import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import type { Offset } from "./offset.ts";

/** What became of a request. */
export type Answer =
  | { kind: "ok"; body: unknown }
  /** Andon understood it, and refuses it. */
  | { kind: "refused"; status: number; detail: string }
  /** No answer, or one that says nothing about the request: try again. */
  | { kind: "failed"; detail: string; retryAfterMs: number | null };

export interface Andon {
  send(method: "GET" | "POST" | "PUT", path: string, body?: unknown): Promise<Answer>;
}

const TIMEOUT_MS = 30_000;
/** A shorter body is not worth compressing. */
const GZIP_FROM_BYTES = 1000;

export interface AndonOptions {
  url: string;
  /** Read at each request, so that a new token needs no start. Null: requests have none. */
  tokenFile: string | null;
  offset: Offset;
  now(): number;
  version: string;
}

/** Calls Andon's API. Never throws: what went wrong is in the answer. */
export function createAndon({ url, tokenFile, offset, now, version }: AndonOptions): Andon {
  const base = url.replace(/\/+$/, "");
  return {
    send: async (method, path, body) => {
      const token = tokenOf(tokenFile);
      if (token instanceof Error) return { kind: "refused", status: 401, detail: token.message };
      const content = body === undefined ? null : Buffer.from(JSON.stringify(body));
      const isCompressed = content !== null && content.length >= GZIP_FROM_BYTES;
      const sentAt = now();
      try {
        const response = await fetch(base + path, {
          method,
          redirect: "manual",
          signal: AbortSignal.timeout(TIMEOUT_MS),
          headers: {
            accept: "application/json",
            "user-agent": `andon-bridge/${version}`,
            ...(token !== null && { authorization: `Bearer ${token}` }),
            ...(content && { "content-type": "application/json" }),
            ...(isCompressed && { "content-encoding": "gzip" }),
          },
          body: isCompressed ? gzipSync(content) : content,
        });
        const text = await response.text();
        return answerOf(response, text, (service) => offset.measure(service, sentAt, now()));
      } catch (error) {
        return { kind: "failed", detail: `${base} cannot be reached: ${causeOf(error)}`, retryAfterMs: null };
      }
    },
  };
}

/** The gateway token: of the environment, or of its file. */
function tokenOf(file: string | null): string | null | Error {
  if (file === null) return null;
  const { ANDON_BRIDGE_TOKEN } = process.env;
  if (ANDON_BRIDGE_TOKEN) return ANDON_BRIDGE_TOKEN;
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return new Error(
      `there is no token: ${file} cannot be read. \`andon-bridge pair CODE\` makes it, with a code from Andon's set-up`,
    );
  }
}

function answerOf(response: Response, text: string, measure: (service: number) => void): Answer {
  const body = parsed(text);
  const { status } = response;
  if (response.ok) {
    if (typeof body !== "object" || body === null)
      return { kind: "failed", detail: `${response.url} answers, and is not Andon: its answer is no JSON`, retryAfterMs: null };
    const { now } = body as { now?: unknown };
    if (typeof now === "string" && Number.isFinite(Date.parse(now))) measure(Date.parse(now));
    return { kind: "ok", body };
  }
  const { title, detail } = (body ?? {}) as { title?: unknown; detail?: unknown };
  const said = [status, title, detail].filter((part) => typeof part === "string" || typeof part === "number").join(" ");
  const isTransient = status === 408 || status === 429 || status >= 500 || (status >= 300 && status < 400);
  if (!isTransient) return { kind: "refused", status, detail: said };
  return { kind: "failed", detail: `Andon answers ${said}`, retryAfterMs: retryAfter(response.headers.get("retry-after")) };
}

function retryAfter(value: string | null): number | null {
  if (value === null) return null;
  const ms = /^\d{1,6}$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), 600_000) : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** What the network said: fetch has it as the cause of its own error. */
function causeOf(error: unknown): string {
  const { message, cause } = error as { message: string; cause?: { message?: string; code?: string } };
  return cause?.message || cause?.code || message;
}
