import { env } from "cloudflare:workers";
import { expect } from "vitest";
import type { ArchivedKind } from "../../src/core/archive/parts.ts";
import { runJob } from "../../src/jobs/jobs.ts";
import { call } from "./call.ts";

/** Moves what is due of a company to the archive, and deletes what is due. */
export const forget = (companyId: number, bindings: Partial<Env> = {}) =>
  runJob({ ...env, ...bindings }, { job: "forget", at: Date.now(), companyIds: [companyId] });

/** Reads a list page by page. Returns the items, and how many pages were of the archive. */
export async function readPages<Item>(path: string, token: string, query: string): Promise<{ items: Item[]; archived: number }> {
  const items: Item[] = [];
  let archived = 0;
  let cursor: string | null = "";
  for (let pages = 0; cursor !== null && pages < 50; pages++) {
    const { status, body } = await call("GET", `${path}?${query}${cursor ? `&cursor=${cursor}` : ""}`, { token });
    expect(status, JSON.stringify(body)).toBe(200);
    items.push(...body.data);
    archived += body.archived ? 1 : 0;
    cursor = body.cursor;
  }
  expect(cursor).toBeNull();
  return { items, archived };
}

/** The names of the files of a company in the archive. */
export const keysOf = async (kind: ArchivedKind, companyId: number) =>
  (await env.ARCHIVE.list({ prefix: `${kind}/${companyId}/` })).objects.map(({ key }) => key);
