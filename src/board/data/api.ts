import type { paths } from "../../client/api.d.ts";
import type { ApiSchema } from "../../client/client.ts";
import { NoAnswer } from "../domain/no-answer.ts";
import { client, fetchInTime, repeatedOnceSignedIn } from "./client.ts";

export type { ApiSchema };

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
  /** How long the answer may take, in ms; null: without limit. */
  withinMs?: number | null;
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

/** A request whose path is chosen at run time, so that the types of its members are not known. */
export interface AnyRequest extends Extras {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  /** "blob": the answer is a file. */
  as?: "json" | "blob";
}

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
  return await send<AnswerOf<M, P>>(method, path, (request ?? {}) as AnyRequest);
}

/** Like `api`, for paths that are chosen at run time. @throws Refusal, NoAnswer */
export async function send<T>(method: Method, path: string, request: AnyRequest = {}): Promise<T> {
  const { data, refusal } = await exchange<T>(method, path, request);
  if (refusal) throw refusal;
  return data as T;
}

/** `client.request` without types, for operations that are chosen at run time. */
const request = client.request as unknown as (
  method: Method,
  path: string,
  init: object,
) => Promise<{ data?: unknown; error?: unknown; response: Response }>;

/** Like `send`, but returns the response, too, and a refusal instead of throwing it. @throws NoAnswer */
export async function exchange<T>(method: Method, path: string, sent: AnyRequest) {
  const { path: names = {}, query = {}, body, headers = {}, idempotencyKey, ifMatch, withinMs, as = "json" } = sent;
  const init = {
    params: { path: names, query },
    headers: {
      accept: "application/json",
      ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
      ...(ifMatch !== undefined && { "if-match": ifMatch }),
      ...headers,
    },
    parseAs: as,
    ...(body !== undefined && { body }),
    ...(body instanceof Blob && { bodySerializer: () => body }),
    ...(withinMs !== undefined && { fetch: (asked: Request) => fetchInTime(asked, {}, withinMs) }),
  };
  try {
    const { data, error, response } = await repeatedOnceSignedIn(path, () => request(method, path, init));
    return { data: data as T | undefined, response, refusal: response.ok ? null : refusalOf(response, error) };
  } catch (error) {
    throw error instanceof NoAnswer ? error : new NoAnswer("The answer broke off.");
  }
}

/** @param problem the body of the answer; another one than a problem, or none, if it is not the service's */
function refusalOf({ status, headers }: Response, problem: unknown): Refusal {
  return new Refusal(status, Object(problem) as Partial<ApiSchema<"Problem">>, Number(headers.get("retry-after")) || null);
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

/** The API's reason in words: "code is shown by no wall, or not any more". */
function reasonOf(status: number, { detail, title, errors = [] }: Partial<ApiSchema<"Problem">>): string {
  const faults = errors.map(({ pointer, message }) => `${pointer.replace(/^\/((query|path|header)\/)?/, "")} ${message}`.trim());
  return faults.length > 0 ? faults.join("; ") : (detail ?? title ?? `HTTP ${status}`);
}
