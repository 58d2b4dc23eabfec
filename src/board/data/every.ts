import { companyQuery } from "../app/session.ts";
import { type AnswerOf, type PathOf, send } from "./api.ts";
import { allOf } from "./pages.ts";

/** The paths of lists that come in pages. */
type ListPath = {
  [P in PathOf<"get">]: AnswerOf<"get", P> extends { data: unknown[]; cursor: string | null } ? P : never;
}[PathOf<"get">];
type Page<P> = Extract<AnswerOf<"get", P>, { data: unknown[]; cursor: string | null }>;

/** The most items of a page. */
const MOST = 500;

/** All items of a list of the company that is shown. @throws Refusal, NoAnswer */
export function everyOf<P extends ListPath>(path: P): Promise<Page<P>["data"][number][]> {
  return allOf((cursor) => send<Page<P>>("get", path, { query: { ...companyQuery(), limit: MOST, ...cursor } }));
}
