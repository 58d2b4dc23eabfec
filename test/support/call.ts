import { exports } from "cloudflare:workers";
import type { Answer } from "./answer.ts";
import { expectDocumented } from "./documented.ts";

export interface CallOptions {
  token?: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** Handles the request instead of the service's own entry point. */
  via?: (request: Request) => Promise<Response>;
}

/** Calls the service, and throws if the OpenAPI document does not describe the answer. A body that is not a string, bytes or a form is sent as JSON. */
export async function call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
  const { token, body, via = (request) => exports.default.fetch(request) } = options;
  const headers = new Headers(options.headers);
  if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
  const isForm = body instanceof FormData;
  const isRaw = isForm || typeof body === "string" || body instanceof Uint8Array;
  if (body !== undefined && !isForm && !headers.has("content-type")) headers.set("content-type", "application/json");
  const init: RequestInit = { method, headers };
  if (body !== undefined) init.body = isRaw ? (body as BodyInit) : JSON.stringify(body);
  const response = await via(new Request(`http://andon.test${path}`, init));
  const text = await response.text();
  const isJson = /[/+]json/.test(response.headers.get("content-type") ?? "");
  const answer = { status: response.status, headers: response.headers, body: isJson && text ? JSON.parse(text) : text || null };
  if (!options.via) expectDocumented(method, path, answer);
  return answer;
}
