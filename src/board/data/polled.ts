import { type AnswerOf, type AnyRequest, exchange, type PathOf, type RequestOf } from "./api.ts";

/**
 * Returns a function for repeating one request. While the answer stays the same, the service does not send it again (ETag).
 * The function throws like `api`.
 */
export function polled<P extends PathOf<"get">>(path: P, request: RequestOf<"get", P>): () => Promise<AnswerOf<"get", P>> {
  let kept: { etag: string; answer: AnswerOf<"get", P> } | null = null;
  return async () => {
    const known = kept;
    const headers = known ? { "if-none-match": known.etag } : {};
    const { data, response, refusal } = await exchange<AnswerOf<"get", P>>("get", path, { ...(request as AnyRequest), headers });
    if (response.status === 304 && known) return known.answer;
    if (refusal) throw refusal;
    const answer = data as AnswerOf<"get", P>;
    const etag = response.headers.get("etag");
    kept = etag === null ? null : { etag, answer };
    return answer;
  };
}
