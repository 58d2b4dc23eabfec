import { expect, it } from "vitest";
import { roles as allRoles, type Role } from "../../src/db/schema.ts";
import { call } from "./call.ts";
import { stopClock } from "./clock.ts";
import { expectProblem } from "./expect-problem.ts";
import { createCompany, createUser } from "./factories.ts";

export interface PagedList {
  path: string;
  /** All roles by default. */
  roles?: readonly Role[];
  /** Creates five items of a company, and returns their ids in the order of the list. */
  createFive(companyId: number, userId: number): Promise<(string | number)[]>;
  /** Whether the list belongs to the user: then it takes no company. */
  isOwn?: boolean;
}

/** Tests the rules that apply to every list of a company's items. */
export function listSuite({ path, roles = allRoles, createFive, isOwn = false }: PagedList) {
  it(`${path} has every item once, page by page, in one trip each`, async () => {
    const { companyId } = await createCompany();
    const { token, userId } = await createUser(companyId, roles.includes("admin") ? "admin" : "superuser");
    const ids = await createFive(companyId, userId);
    const seen: (string | number)[] = [];
    const sizes: number[] = [];
    stopClock();
    let cursor: string | null = "";
    while (cursor !== null) {
      const answer = await call("GET", `${path}?limit=2${cursor && `&cursor=${cursor}`}`, { token });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      expect(Object.keys(answer.body)).toEqual(["data", "cursor"]);
      expect(answer.headers.get("server-timing")).toMatch(sizes.length === 0 ? /trips?"/ : /"1 trip"/);
      seen.push(...answer.body.data.map((item: { id: string | number }) => item.id));
      sizes.push(answer.body.data.length);
      cursor = answer.body.cursor;
    }
    expect(seen).toEqual(ids);
    expect(sizes).toEqual([2, 2, 1]);
    expect((await call("GET", `${path}?limit=5`, { token })).body).toMatchObject({ data: { length: 5 }, cursor: null });
  });

  it(`${path} shows a company only its own items`, async () => {
    const { companyId } = await createCompany();
    const owner = await createUser(companyId, "superadmin");
    await createFive(companyId, owner.userId);
    const stranger = await createUser((await createCompany()).companyId, "superadmin");
    expect((await call("GET", path, { token: stranger.token })).body.data).toEqual([]);
    if (isOwn) return;
    expectProblem(await call("GET", `${path}?companyId=${companyId}`, { token: stranger.token }), 404);
    expect((await call("GET", `${path}?companyId=${companyId}`, { token: owner.token })).body.data).toHaveLength(5);
    const superuser = await createUser(stranger.companyId, "superuser");
    expect((await call("GET", `${path}?companyId=${companyId}`, { token: superuser.token })).body.data).toHaveLength(5);
  });

  it(`${path} names each fault of the query`, async () => {
    const { companyId } = await createCompany();
    const { token } = await createUser(companyId, "superuser");
    const forged = Buffer.from('["x"]').toString("base64url");
    for (const [query, pointer] of [
      ["limit=0", "/query/limit"],
      ["limit=501", "/query/limit"],
      ["limit=1.5", "/query/limit"],
      ["cursor=nonsense", "/query/cursor"],
      [`cursor=${forged}${"A".repeat(2000)}`, "/query/cursor"],
      ["color=red", "/query/color"],
    ] as const) {
      expectProblem(await call("GET", `${path}?${query}`, { token }), 400, pointer);
    }
  });
}

/** Creates five items one after the other, and returns their ids, newest first. */
export async function newestFirst<T extends { id: string | number }>(create: (at: number) => Promise<T>): Promise<T["id"][]> {
  const ids: T["id"][] = [];
  // Two of them have the same instant, so that their ids decide, and a page ends between them.
  for (const at of [1000, 2000, 3000, 3000, 4000]) ids.unshift((await create(at)).id);
  const [newest, second, third, ...others] = ids;
  if (newest === undefined || second === undefined || third === undefined) return ids;
  return [newest, ...(second > third ? [second, third] : [third, second]), ...others];
}
