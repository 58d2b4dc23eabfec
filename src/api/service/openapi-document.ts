import { createHash } from "node:crypto";
import type { Visitor } from "../../core/caller.ts";
import { STORAGE_MS, within } from "../../limits/load.ts";

/** The OpenAPI document, as text. */
interface OpenapiDocument {
  text: string;
  etag: string;
}

/** The document, cached by the first request. */
let kept: OpenapiDocument | undefined;

/** Returns the document that `npm run assets` made when this Worker was built. */
export async function getOpenapi({ env }: Visitor): Promise<OpenapiDocument> {
  kept ??= await readDocument(env.ASSETS);
  return kept;
}

async function readDocument(assets: Fetcher): Promise<OpenapiDocument> {
  const answer = await within(STORAGE_MS, "The static files", assets.fetch("https://assets.test/openapi.json"));
  if (!answer.ok) throw new Error(`openapi.json is not among the static files: ${answer.status}`);
  const text = await within(STORAGE_MS, "The static files", answer.text());
  return { text, etag: `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"` };
}
