import { describe, expect, it } from "vitest";
import type { Role } from "../../../src/db/schema.ts";
import { call } from "../../support/call.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { createCompany, createSubscription, createSubscriptionLog, createUser } from "../../support/factories.ts";

const pathOf = (id: string, query = "") => `/subscriptions/${id}/logs${query}`;

async function newSubscriber(role: Role = "readonly") {
  const { companyId } = await createCompany();
  const { token } = await createUser(companyId, role);
  const subscription = await createSubscription(companyId);
  const list = (query = "", id = subscription.id) => call("GET", pathOf(id, query), { token });
  return { companyId, subscription, list };
}

describe("logs of a subscription", () => {
  it("are in the contract's shape, in one trip", async () => {
    const { subscription, list } = await newSubscriber();
    const at = Date.UTC(2026, 0, 2, 3, 4, 5, 6);
    const stamps = { createdAt: at + 1, updatedAt: at + 2 };
    const ran = await createSubscriptionLog(subscription.id, { executeAt: at, executedAt: at + 3, ...stamps });
    const waiting = { executeAt: at + 60_000, executedAt: null, status: "scheduled" as const, detail: "", shiftTitle: "Late" };
    const due = await createSubscriptionLog(subscription.id, { ...waiting, ...stamps });
    await list("?limit=0");
    const { status, body, headers } = await list();
    const iso = (time: number) => new Date(time).toISOString();
    const common = { subscriptionId: subscription.id, createdAt: iso(at + 1), updatedAt: iso(at + 2), deletedAt: null };
    expect({ status, body }).toStrictEqual({
      status: 200,
      body: [
        { id: due.id, ...common, ...waiting, executeAt: "2026-01-02T03:05:05.006Z" },
        {
          id: ran.id,
          ...common,
          status: "succeeded",
          detail: "Sent",
          shiftTitle: "Morning",
          executeAt: "2026-01-02T03:04:05.006Z",
          executedAt: "2026-01-02T03:04:05.009Z",
        },
      ],
    });
    expect(headers.get("server-timing")).toContain('desc="1 trip"');
  });

  it("are newest first, then by id, without deleted ones and those of other subscriptions", async () => {
    const { companyId, subscription, list } = await newSubscriber();
    const ids = ["a", "c", "b", "d"].map((name) => `${name}-${crypto.randomUUID()}`);
    for (const [i, id] of ids.entries()) await createSubscriptionLog(subscription.id, { id, executeAt: i < 3 ? 5000 : 4000 });
    await createSubscriptionLog(subscription.id, { deletedAt: Date.now() });
    await createSubscriptionLog((await createSubscription(companyId)).id);
    const { body } = await list();
    expect(body.map(({ id }: { id: string }) => id[0])).toEqual(["c", "b", "a", "d"]);
  });

  it("are a hundred by default, and continue before a time", async () => {
    const { subscription, list } = await newSubscriber();
    await Promise.all(
      Array.from({ length: 103 }, (_, i) => createSubscriptionLog(subscription.id, { executeAt: 1000 * (i + 1) })),
    );
    const times = async (query: string) =>
      (await list(query)).body.map(({ executeAt }: { executeAt: string }) => Date.parse(executeAt) / 1000);
    const first = await times("");
    expect([first.length, first[0], first[99]]).toEqual([100, 103, 4]);
    expect(await times("?before=1970-01-01T00:00:04Z")).toEqual([3, 2, 1]);
    expect(await times("?before=1970-01-01T02:00:04.001%2B02:00&limit=2")).toEqual([4, 3]);
    expect(await times("?before=1970-01-01T00:00:01Z")).toEqual([]);
    expect(await times("?limit=1000")).toHaveLength(103);
  });

  it("are empty for a subscription without any", async () => {
    const { list } = await newSubscriber();
    expect(await list()).toMatchObject({ status: 200, body: [] });
  });

  it("of an unknown, a deleted or another company's subscription are a 404", async () => {
    const { companyId, list } = await newSubscriber("superadmin");
    const other = await newSubscriber("superuser");
    await createSubscriptionLog(other.subscription.id);
    const deleted = await createSubscription(companyId, { deletedAt: Date.now() });
    for (const id of [crypto.randomUUID(), deleted.id, other.subscription.id]) expectProblem(await list("", id), 404);
    const own = await createSubscription(companyId);
    expect(await other.list("", own.id)).toMatchObject({ status: 200, body: [] });
  });

  it("need valid page parameters", async () => {
    const { list } = await newSubscriber();
    for (const limit of ["0", "-1", "1001", "1.5", "x", "", "1e999"])
      expectProblem(await list(`?limit=${limit}`), 400, "/query/limit");
    for (const before of ["", "x", "2026-01-01", "1767225600000", "2026-02-30T00:00:00Z"]) {
      expectProblem(await list(`?before=${before}`), 400, "/query/before");
    }
    expectProblem(await list("", "a".repeat(101)), 400, "/path/subscriptionId");
    expectProblem(await list("", "%00"), 400, "/path/subscriptionId");
  });
});
