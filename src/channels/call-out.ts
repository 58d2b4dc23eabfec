import { resolve4, resolve6 } from "node:dns/promises";
import { configOf } from "../core/config.ts";
import { isLoopback } from "../core/loopback.ts";
import { StorageBusy, within } from "../limits/load.ts";
import { isPublicAddress, urlFault } from "./public-url.ts";

/** The time limit for the DNS lookup, the call and reading the answer together. */
const CALL_MS = 10_000;
const MAX_ANSWER_BYTES = 64 * 1024;

export interface Call {
  url: string;
  method: "POST" | "GET";
  headers: Readonly<Record<string, string>>;
  body?: string | Uint8Array<ArrayBuffer>;
}

/** The result of a call. With `error` it failed, and has a `status` only if it was answered. An answer of any other status is not an error. */
export type CallResult =
  | { status: number; headers: Headers; text: string; durationMs: number; error?: undefined }
  | { error: string; durationMs: number; status?: number };

/** Returns all addresses of a host name. @throws if they cannot be resolved */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/**
 * Makes an outgoing HTTP call; the only place that does. Tenants choose some of the URLs, so the URL is checked first: its spelling,
 * and the addresses that its host name has now. Redirects are not followed. Only the first 64 KiB of the answer are read. Never throws.
 *
 * The name can get another address between the look-up and the call. The platform has to refuse that: Cloudflare's network does not call
 * private addresses.
 */
export async function callOut(env: Env, call: Call, resolve: Resolve = resolveName): Promise<CallResult> {
  const startedAt = Date.now();
  const ending = new AbortController();
  try {
    const result = await within(CALL_MS, "the receiver", calledOut(env, call, resolve, ending.signal));
    return { ...result, durationMs: Date.now() - startedAt };
  } catch (error) {
    return { error: wordsOf(error), durationMs: Date.now() - startedAt };
  } finally {
    // Cancels a call that still waits, and the rest of an answer that is too long.
    ending.abort();
  }
}

type Answered = { status: number; headers: Headers; text: string } | { status?: number; error: string };

async function calledOut(env: Env, call: Call, resolve: Resolve, signal: AbortSignal): Promise<Answered> {
  const { url, method, headers, body = null } = call;
  const allowsLoopback = configOf(env).ALLOW_LOOPBACK;
  const fault = urlFault(url, allowsLoopback);
  if (fault !== null) return { error: `was not called: the URL ${fault}` };
  const target = new URL(url);
  if (!(allowsLoopback && isLoopback(target))) {
    const error = addressesFault(await resolve(target.hostname));
    if (error !== null) return { error };
  }
  const answer = await fetch(target, {
    method,
    headers: { "user-agent": "Andon", ...headers },
    body,
    redirect: "manual",
    signal,
  });
  const { status } = answer;
  if (status >= 300 && status < 400) return { status, error: "answered with a redirect, and those are not followed" };
  return { status, headers: answer.headers, text: await beginningOf(answer) };
}

function addressesFault(answers: readonly string[]): string | null {
  // The look-up also returns the names that the host name is an alias of.
  const known = answers.map(isPublicAddress).filter((isPublic) => isPublic !== null);
  if (known.length === 0) return "was not called: its host name has no address";
  return known.every(Boolean) ? null : "was not called: its host name leads to an address that is not public";
}

/** The platform queries Cloudflare's resolver over HTTPS. Without internet access that fails, and so does the call. */
async function resolveName(hostname: string): Promise<string[]> {
  const noneOfTheKind = (error: { code?: string }): string[] => {
    if (error.code === "ENOTFOUND" || error.code === "ENODATA") return [];
    throw new Error("was not called: its host name could not be looked up");
  };
  const answers = await Promise.all([resolve4(hostname).catch(noneOfTheKind), resolve6(hostname).catch(noneOfTheKind)]);
  return answers.flat();
}

async function beginningOf(answer: Response): Promise<string> {
  const reader = answer.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let left = MAX_ANSWER_BYTES; reader && left > 0; ) {
    const { value, done } = await reader.read();
    if (done) break;
    text += decoder.decode(value.subarray(0, left), { stream: true });
    left -= value.byteLength;
  }
  return text;
}

function wordsOf(error: unknown): string {
  if (error instanceof StorageBusy) return `gave no answer within ${CALL_MS / 1000} s`;
  const message = error instanceof Error ? error.message : String(error);
  return message.startsWith("was not called") ? message : `could not be reached: ${message.slice(0, 200)}`;
}
