import type { components, paths } from "../../client/api.d.ts";
import { forgetWall, isExpired, session, signedInAgain } from "../app/session.ts";
import { NoAnswer } from "../domain/no-answer.ts";

/** A schema of the API by its name in the OpenAPI document. */
export type ApiSchema<Name extends keyof components["schemas"]> = components["schemas"][Name];

type Method = "get" | "post" | "put" | "patch" | "delete";
export type PathOf<M extends Method> = { [P in keyof paths]: paths[P] extends Record<M, unknown> ? P : never }[keyof paths];
type Operation<M extends Method, P> = P extends keyof paths ? (M extends keyof paths[P] ? paths[P][M] : never) : never;

type Json<Content> = Content extends { content: { "application/json": infer T } } ? T : undefined;
type Done<Responses> = { [S in keyof Responses]: S extends 200 | 201 | 202 | 204 ? Json<Responses[S]> : never }[keyof Responses];
/** The body of an operation's successful response; undefined if it has none. */
export type AnswerOf<M extends Method, P> = Operation<M, P> extends { responses: infer R } ? Done<R> : never;

type Part<O, Name extends "path" | "query"> = O extends { parameters: { [N in Name]: infer T } }
  ? { [N in Name]: T }
  : O extends { parameters: { [N in Name]?: infer T } }
    ? { [N in Name]?: T }
    : unknown;
type BodyPart<O> = O extends { requestBody: { content: { "application/json": infer T } } }
  ? { body: T }
  : O extends { requestBody?: { content: { "application/json": infer T } } }
    ? { body?: T }
    : unknown;
interface Extras {
  /** Makes repeating the request safe for 24 h, where the operation honours it. */
  idempotencyKey?: string;
  /** An ETag: the request is refused with 412 if the resource has changed since. */
  ifMatch?: string;
  /** Additional headers. */
  headers?: Record<string, string>;
  /** How long the answer may take, in ms. */
  withinMs?: number;
}
export type RequestOf<M extends Method, P> = Part<Operation<M, P>, "path"> &
  Part<Operation<M, P>, "query"> &
  BodyPart<Operation<M, P>> &
  Extras;

/** A refusal of the API: `message` is its reason, `faults` name members of the input. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  readonly faults: NonNullable<ApiSchema<"Problem">["errors"]>;
  /** Seconds to wait before repeating the request; null if the API sends none. */
  readonly retryAfter: number | null;

  constructor(status: number, problem: Partial<ApiSchema<"Problem">>, retryAfter: number | null) {
    super(reasonOf(status, problem));
    this.status = status;
    this.faults = problem.errors ?? [];
    this.retryAfter = retryAfter;
  }
}

const LOGIN = "/identity/login" satisfies PathOf<"post">;
const ANSWER_WITHIN_MS = 15_000;

/** Sent with each request, so that reads are never older than what this page has already read or written. */
let bookmark: string | null = null;

/**
 * Sends a request to the API: `await api("get", "/v1/stops/{id}", { path: { id } })`. If the user's token has ended, it waits until they have
 * signed in again and repeats the request once.
 * @throws Refusal with the API's reason
 * @throws NoAnswer without network, or after 15 s
 */
export async function api<M extends Method, P extends PathOf<M>>(
  method: M,
  path: P,
  // May be left out if the operation requires nothing.
  ...[request]: Record<string, never> extends RequestOf<M, P> ? [RequestOf<M, P>?] : [RequestOf<M, P>]
): Promise<AnswerOf<M, P>> {
  return answerOf(await exchange(method, path, (request ?? {}) as AnyRequest));
}

/** Like `api`, but returns the raw response, which `answerOf` reads. Repeats the request after a new sign-in if the token had ended. */
export async function exchange(method: string, path: string, request: AnyRequest): Promise<Response> {
  // Signing in needs no session, least of all the one that has ended.
  const { token, kind } = (path === LOGIN ? null : session.peek()) ?? {};
  if (token !== undefined && isExpired.peek()) {
    await signedInAgain(token);
    return await send(method, path, request, session.peek()?.token);
  }
  const response = await send(method, path, request, token);
  if (response.status !== 401 || token === undefined) return response;
  if (kind === "wall") {
    forgetWall(token);
    return response;
  }
  await signedInAgain(token);
  return await send(method, path, request, session.peek()?.token);
}

export interface AnyRequest extends Extras {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

async function send(method: string, path: string, request: AnyRequest, token: string | undefined): Promise<Response> {
  const headers: Record<string, string> = { accept: "application/json", ...request.headers };
  if (token !== undefined) {
    headers.authorization = `Bearer ${token}`;
    if (bookmark) headers["x-d1-bookmark"] = bookmark;
  }
  if (request.idempotencyKey !== undefined) headers["idempotency-key"] = request.idempotencyKey;
  if (request.ifMatch !== undefined) headers["if-match"] = request.ifMatch;
  const init: RequestInit = { method: method.toUpperCase(), headers };
  if (request.body !== undefined) {
    headers["content-type"] = "application/json";
    init.body = JSON.stringify(request.body);
  }
  const response = await fetchInTime(addressOf(path, request), init, request.withinMs);
  bookmark = response.headers.get("x-d1-bookmark") ?? bookmark;
  return response;
}

/** Sends a file to an operation, for as long as that takes. @throws like `api` */
export async function upload<P extends PathOf<"post">>(
  path: P,
  file: Blob,
  request: { type: string; query?: Record<string, unknown> },
): Promise<AnswerOf<"post", P>> {
  const send = () => {
    const headers = {
      accept: "application/json",
      "content-type": request.type,
      authorization: `Bearer ${session.peek()?.token}`,
    };
    return fetch(addressOf(path, request), { method: "POST", headers, body: file }).catch(() => {
      throw new NoAnswer("The file did not arrive.");
    });
  };
  const token = session.peek()?.token;
  let response = await send();
  if (response.status === 401 && token !== undefined) {
    await signedInAgain(token);
    response = await send();
  }
  bookmark = response.headers.get("x-d1-bookmark") ?? bookmark;
  return await answerOf(response);
}

/** `fetch` with a time limit, usually 15 s. @throws NoAnswer */
export async function fetchInTime(address: string, init: RequestInit, withinMs = ANSWER_WITHIN_MS): Promise<Response> {
  const tooLate = new AbortController();
  const timer = setTimeout(() => tooLate.abort(), withinMs);
  try {
    return await fetch(address, { ...init, signal: tooLate.signal });
  } catch {
    throw new NoAnswer("The service does not answer.");
  } finally {
    clearTimeout(timer);
  }
}

/** Path and query of a request, lists separated by commas. */
export function addressOf(path: string, { path: names = {}, query = {} }: Pick<AnyRequest, "path" | "query">): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(names[name])));
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text ? `${filled}?${text}` : filled;
}

/** Returns the body of a response. @throws Refusal, NoAnswer */
export async function answerOf<T>(response: Response): Promise<T> {
  const text = await response.text().catch(() => {
    throw new NoAnswer("The answer broke off.");
  });
  const body = parsed(text);
  if (response.ok) return body as T;
  const retryAfter = Number(response.headers.get("retry-after")) || null;
  throw new Refusal(response.status, (body ?? {}) as Partial<ApiSchema<"Problem">>, retryAfter);
}

function parsed(text: string): unknown {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The API's reason in words: "code is shown by no wall, or not any more". */
function reasonOf(status: number, { detail, title, errors = [] }: Partial<ApiSchema<"Problem">>): string {
  const faults = errors.map(({ pointer, message }) => `${pointer.replace(/^\/((query|path|header)\/)?/, "")} ${message}`.trim());
  return faults.length > 0 ? faults.join("; ") : (detail ?? title ?? `HTTP ${status}`);
}
