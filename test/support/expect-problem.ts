import { expect } from "vitest";
import type { Answer } from "./answer.ts";

/** Checks that an answer is a well-formed refusal; `pointers` are the faults that it must name, in any order. */
export function expectProblem(answer: Answer, status: number, ...pointers: string[]) {
  expect(answer.status, JSON.stringify(answer.body)).toBe(status);
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
  const { body } = answer;
  expect(body).toMatchObject({
    type: expect.stringMatching(/^urn:andon:problem:[a-z-]+$/),
    title: expect.any(String),
    status,
    detail: expect.any(String),
    instance: expect.stringMatching(/^\//),
    requestId: answer.headers.get("x-request-id"),
  });
  if (status === 401) expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="andon"');
  if (pointers.length > 0) expect(body.errors.map((one: { pointer: string }) => one.pointer).sort()).toEqual(pointers.sort());
}
