import type { Middleware } from "openapi-fetch";
import { apiClient } from "../../client/client.ts";
import { forgetDisplay, isExpired, session, signedInAgain } from "../app/session.ts";
import { NoAnswer } from "../domain/no-answer.ts";

// The API client of the board: with a time limit, the session, and the bookmark.

const ANSWER_WITHIN_MS = 15_000;
const LOGIN = "/identity/login";

/**
 * `fetch` with a time limit, usually 15 s.
 * @param withinMs null: none, for what takes as long as the network needs
 * @throws NoAnswer without network, or after that time
 */
export async function fetchInTime(
  input: string | Request,
  init: RequestInit = {},
  withinMs: number | null = ANSWER_WITHIN_MS,
): Promise<Response> {
  const tooLate = new AbortController();
  const timer = withinMs === null ? undefined : setTimeout(() => tooLate.abort(), withinMs);
  try {
    return await fetch(input, { ...init, signal: tooLate.signal });
  } catch {
    throw new NoAnswer("The service does not answer.");
  } finally {
    clearTimeout(timer);
  }
}

/** Sent with each request, so that reads are never older than what this page has already read or written. */
let bookmark: string | null = null;

const bookmarks: Middleware = {
  onRequest({ request }) {
    if (bookmark !== null && request.headers.has("authorization")) request.headers.set("x-d1-bookmark", bookmark);
  },
  onResponse({ response }) {
    bookmark = response.headers.get("x-d1-bookmark") ?? bookmark;
  },
};

/** Sends the session's token. If that has ended, waits until the user has signed in again. */
const sessions: Middleware = {
  async onRequest({ request, schemaPath }) {
    // Signing in needs no session, least of all the one that has ended.
    if (schemaPath === LOGIN) return;
    const ended = isExpired.peek() ? session.peek()?.token : undefined;
    if (ended !== undefined) await signedInAgain(ended);
    const token = session.peek()?.token;
    if (token !== undefined) request.headers.set("authorization", `Bearer ${token}`);
  },
};

/**
 * Sends a request, and once more after the user has signed in again, if the token turns out to have ended. It is not middleware: that could
 * only repeat a copy of the request, and the copy of a file would be kept in memory.
 * @param path of the operation
 */
export async function repeatedOnceSignedIn<T extends { response: Response }>(path: string, send: () => Promise<T>): Promise<T> {
  const { token, kind } = (path === LOGIN ? null : session.peek()) ?? {};
  const first = await send();
  if (first.response.status !== 401 || token === undefined) return first;
  if (kind !== "user") {
    forgetDisplay(token);
    return first;
  }
  await signedInAgain(token);
  return await send();
}

/** The client of this service, for `api`. */
export const client = apiClient("", undefined, { fetch: fetchInTime });
// The bookmark is sent with a token alone, so the session comes first.
client.use(sessions, bookmarks);
