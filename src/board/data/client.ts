import type { Middleware } from "openapi-fetch";
import { apiClient } from "../../client/client.ts";
import { forgetWall, isExpired, session, signedInAgain } from "../app/session.ts";
import { NoAnswer } from "../domain/no-answer.ts";

// The client of the API with what the board adds to each request.

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

/** Copies of the requests under way, by their id: a body can be sent only once. */
const sent = new Map<string, { copy: Request; token: string }>();

const signedIn = (request: Request, token: string | undefined) => {
  if (token !== undefined) request.headers.set("authorization", `Bearer ${token}`);
};

/** Sends the session's token. If that has ended, waits until the user has signed in again, and repeats the request once. */
const sessions: Middleware = {
  async onRequest({ id, request, schemaPath }) {
    // Signing in needs no session, least of all the one that has ended.
    if (schemaPath === LOGIN) return;
    const token = session.peek()?.token;
    if (token !== undefined && isExpired.peek()) {
      await signedInAgain(token);
      signedIn(request, session.peek()?.token);
      return;
    }
    signedIn(request, token);
    if (token !== undefined) sent.set(id, { copy: request.clone(), token });
  },
  async onResponse({ id, response, options }) {
    const first = sent.get(id);
    sent.delete(id);
    if (!first || response.status !== 401) return undefined;
    if (session.peek()?.kind === "wall") {
      forgetWall(first.token);
      return undefined;
    }
    await signedInAgain(first.token);
    signedIn(first.copy, session.peek()?.token);
    return await options.fetch(first.copy);
  },
  onError({ id }) {
    sent.delete(id);
  },
};

/** The client of this service, for `api`. */
export const client = apiClient("", undefined, { fetch: fetchInTime });
// Requests pass them in this order, answers in the opposite one.
client.use(sessions, bookmarks);
