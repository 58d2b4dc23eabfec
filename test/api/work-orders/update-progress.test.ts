import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { workOrderStatuses } from "../../../src/db/schema.ts";
import { call } from "../../support/call.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { guardSuite } from "../../support/guards.ts";
import { addTarget, createOrderPlant, createOrderRun, storedOrder } from "../../support/work-orders.ts";

async function newPlant(...role: Parameters<typeof createOrderPlant>) {
  const plant = await createOrderPlant(...role);
  const report = (workId: string, body: unknown, headers: Record<string, string> = {}) =>
    call("PATCH", `/work/${workId}/progress`, { token: plant.token, body, headers });
  return { ...plant, report };
}

/** What people reported of an order's first target, and its status. */
async function stateOf(id: string) {
  const { order, targets, reports } = await storedOrder(id);
  return { status: order?.status, reported: targets?.[0]?.reported, reports: reports.length };
}

guardSuite({
  method: "PATCH",
  path: "/work/none/progress",
  body: { correct: 1 },
  roles: ["superuser", "superadmin", "admin", "user"],
});

describe("progress", () => {
  it("is added and kept with who and when, in one trip, with nothing in the answer", async () => {
    const { newOrder, report, first, bolt, nut, operatorId, userId } = await newPlant();
    const id = await newOrder();
    await addTarget(id, nut);
    const occurredAt = "2026-02-03T04:05:06.007+01:00";
    const before = Date.now();
    const comment = "By hand: é€😀";
    const body = { skuId: nut, correct: 5, defects: 1.5, mode: "delta", machineId: first.id, operatorId, occurredAt, comment };
    const answer = await report(id, { ...body, more: true });
    expect([answer.status, answer.body]).toEqual([204, null]);
    expect(answer.headers.get("server-timing")).toContain('desc="1 trip"');
    const { order, targets, reports } = await storedOrder(id);
    expect(order?.status).toBe("InProgress");
    expect(targets).toEqual([
      { skuId: bolt, quantity: 1000, reported: [0, 0] },
      { skuId: nut, quantity: 10, reported: [5, 1.5] },
    ]);
    expect(reports).toEqual([
      {
        id: expect.any(String),
        work_order_id: id,
        sku_id: nut,
        correct: 5,
        defects: 1.5,
        mode: "delta",
        status: "InProgress",
        machine_id: first.id,
        operator_id: operatorId,
        user_id: userId,
        comment,
        occurred_at: Date.parse(occurredAt),
        created_at: expect.any(Number),
      },
    ]);
    expect(reports[0]?.created_at).toBeGreaterThanOrEqual(before);
  });

  it("is of the one target, of now, and of nobody else where that is left out", async () => {
    const { newOrder, report, bolt } = await newPlant();
    const id = await newOrder();
    expect((await report(id, { correct: 2 })).status).toBe(204);
    const { targets, reports } = await storedOrder(id);
    expect(targets?.[0]?.reported).toEqual([2, 0]);
    expect(reports).toMatchObject([{ sku_id: bolt, defects: 0, machine_id: null, operator_id: null, comment: null }]);
    expect(reports[0]?.occurred_at).toBe(reports[0]?.created_at);
  });

  it("may be taken back, but not below 0, what the line counted included", async () => {
    const { newOrder, report, first, bolt } = await newPlant();
    const id = await newOrder();
    await report(id, { correct: 3, defects: 3 });
    expect((await report(id, { correct: -2, defects: -3 })).status).toBe(204);
    expectProblem(await report(id, { correct: -1.5 }), 409);
    expectProblem(await report(id, { correct: 1, defects: -1 }), 409);
    expect(await stateOf(id)).toEqual({ status: "InProgress", reported: [1, 0], reports: 2 });
    await createOrderRun(first.id, id, bolt, 10, 1);
    expect((await report(id, { correct: -11, defects: -1 })).status).toBe(204);
    expectProblem(await report(id, { correct: -1 }), 409);
    expect(await stateOf(id)).toEqual({ status: "InProgress", reported: [-10, -1], reports: 3 });
  });

  it("in absolute mode is the total, what the line counted included", async () => {
    const { newOrder, report, first, second, bolt, nut } = await newPlant();
    const id = await newOrder();
    await addTarget(id, nut);
    await createOrderRun(first.id, id, bolt, 30, 2);
    await createOrderRun(second.id, id, bolt, 12, 0);
    await createOrderRun(first.id, id, nut, 500, 500);
    await createOrderRun(first.id, await newOrder(), bolt, 500, 500);
    const set = (body: object) => report(id, { skuId: bolt, mode: "absolute", ...body });
    expect((await set({ correct: 50 })).status).toBe(204);
    expect(await stateOf(id)).toMatchObject({ reported: [8, 0] });
    expect((await set({ correct: 40, defects: 5 })).status).toBe(204);
    expect(await stateOf(id)).toMatchObject({ reported: [-2, 3] });
    expect((await set({ correct: 0, defects: 0 })).status).toBe(204);
    const { reports } = await storedOrder(id);
    expect(reports.map(({ correct, defects, mode }) => [correct, defects, mode])).toEqual([
      [8, 0, "absolute"],
      [-10, 3, "absolute"],
      [-40, -5, "absolute"],
    ]);
    expectProblem(await set({ correct: -1 }), 400, "/correct");
    expectProblem(await set({ defects: -0.1 }), 400, "/defects");
  });

  it("of fractions comes out even", async () => {
    const { newOrder, report } = await newPlant();
    const id = await newOrder();
    for (const correct of [0.3, -0.1, -0.2]) expect((await report(id, { correct })).status).toBe(204);
    expect(await stateOf(id)).toMatchObject({ reported: [0, 0] });
  });

  it("does not grow beyond what a number holds", async () => {
    const { newOrder, report } = await newPlant();
    const id = await newOrder();
    expect((await report(id, { correct: 2 ** 53 })).status).toBe(204);
    expectProblem(await report(id, { correct: 2 ** 53 }), 409);
    expect(await stateOf(id)).toMatchObject({ reported: [2 ** 53, 0] });
  });

  it("of a superuser may be of any company's order", async () => {
    const { newOrder, operatorId } = await createOrderPlant();
    const { report, operatorId: foreign } = await newPlant("superuser");
    const id = await newOrder();
    expect((await report(id, { correct: 1, operatorId })).status).toBe(204);
    expectProblem(await report(id, { correct: 1, operatorId: foreign }), 400, "/operatorId");
    expect(await stateOf(id)).toMatchObject({ reported: [1, 0] });
  });
});

describe("the status", () => {
  const started: Record<string, string> = {
    Backlog: "InProgress",
    Planned: "InProgress",
    InProgress: "InProgress",
    Paused: "Paused",
  };

  it("becomes InProgress by progress where the order waited; closed orders take none", async () => {
    const { newOrder, report } = await newPlant("admin");
    for (const from of workOrderStatuses) {
      const id = await newOrder({ status: from });
      const answer = await report(id, { defects: 1 });
      const to = started[from];
      if (to) expect([from, answer.status]).toEqual([from, 204]);
      else {
        expectProblem(answer, 409);
        expect(answer.body.detail).toContain(from);
        expectProblem(await report(id, { correct: 1, status: "InProgress" }), 409);
      }
      expect(await stateOf(id)).toEqual({ status: to ?? from, reported: [0, to ? 1 : 0], reports: to ? 1 : 0 });
    }
  });

  it("goes the ways of the order after the progress that comes with it", async () => {
    const { newOrder, report } = await newPlant();
    const cases = [
      ["Backlog", { correct: 1, status: "Completed" }, "Completed"],
      ["Planned", { correct: 1, status: "Paused" }, "Paused"],
      ["Planned", { correct: 1, status: "Planned" }, null],
      ["Paused", { correct: 1, status: "InProgress" }, "InProgress"],
      ["InProgress", { correct: 1, status: "Backlog" }, null],
    ] as const;
    for (const [from, body, to] of cases) {
      const id = await newOrder({ status: from });
      const answer = await report(id, body);
      if (to) expect(answer.status).toBe(204);
      else {
        expectProblem(answer, 409);
        expect(answer.body.detail).toContain(`from InProgress to ${body.status}`);
      }
      expect(await stateOf(id)).toEqual({ status: to ?? from, reported: [to ? 1 : 0, 0], reports: to ? 1 : 0 });
    }
  });

  it("may come alone, and its change is kept too", async () => {
    const { newOrder, report, nut } = await newPlant();
    const id = await newOrder();
    await addTarget(id, nut);
    expect((await report(id, { status: "Planned", comment: "Next week" })).status).toBe(204);
    expectProblem(await report(id, { status: "Completed" }), 409);
    const { order, targets, reports } = await storedOrder(id);
    expect(order?.status).toBe("Planned");
    expect(targets?.map(({ reported }) => reported)).toEqual([
      [0, 0],
      [0, 0],
    ]);
    const kept = { sku_id: null, correct: 0, defects: 0, status: "Planned", comment: "Next week" };
    expect(reports).toMatchObject([kept]);
    expect((await report(id, { status: "Cancelled", skuId: nut })).status).toBe(204);
    expect((await storedOrder(id)).reports[1]).toMatchObject({ sku_id: nut, correct: 0, status: "Cancelled" });
  });

  it("goes back from Completed for admins and above", async () => {
    for (const [role, status] of [
      ["user", 409],
      ["admin", 204],
      ["superadmin", 204],
      ["superuser", 204],
    ] as const) {
      const { newOrder, report } = await newPlant(role);
      const answer = await report(await newOrder({ status: "Completed" }), { status: "InProgress" });
      expect([role, answer.status]).toEqual([role, status]);
    }
  });
});

describe("a refusal changes nothing and names", () => {
  it("an order that is not there, deleted, or another company's", async () => {
    const { newOrder, report } = await newPlant();
    const foreign = await createOrderPlant();
    const theirs = await foreign.newOrder();
    const deleted = await newOrder({ deletedAt: 1 });
    const { machineId } = foreign.first;
    for (const id of [theirs, deleted, crypto.randomUUID()]) expectProblem(await report(id, { correct: 1, machineId }), 404);
    for (const id of [theirs, deleted]) {
      expect(await stateOf(id)).toEqual({ status: "Backlog", reported: [0, 0], reports: 0 });
    }
    expectProblem(await report("x".repeat(101), { correct: 1 }), 400, "/path/workId");
    expectProblem(await report("a%00", { correct: 1 }), 400, "/path/workId");
  });

  it("SKUs, machines and operators that are not the order's, before what is wrong with the status", async () => {
    const { newOrder, report, second, bolt, nut } = await newPlant();
    const foreign = await createOrderPlant();
    const id = await newOrder({ status: "Completed" });
    const { operatorId } = foreign;
    const answer = await report(id, { correct: 1, skuId: nut, machineId: second.id, operatorId });
    expectProblem(answer, 400, "/skuId", "/machineId", "/operatorId");
    for (const { code } of answer.body.errors) expect(code).toBe("not_found");
    expectProblem(await report(id, { status: "InProgress", skuId: "none" }), 400, "/skuId");
    expectProblem(await report(id, { status: "InProgress", machineId: 2 ** 53 - 1 }), 400, "/machineId");
    expectProblem(await report(id, { status: "InProgress", operatorId: 2 ** 40, skuId: bolt }), 400, "/operatorId");
    await addTarget(id, nut);
    const unsaid = await report(id, { correct: 1 });
    expectProblem(unsaid, 400, "/skuId");
    expect(unsaid.body.errors[0].code).toBe("required");
    expect(await stateOf(id)).toEqual({ status: "Completed", reported: [0, 0], reports: 0 });
  });

  it("what does not fit", async () => {
    const { newOrder, report } = await newPlant();
    const id = await newOrder();
    const ahead = new Date(Date.now() + 5 * 60_000 + 2000).toISOString();
    const faulty: [string, object][] = [
      ["/correct", { correct: "1" }],
      ["/correct", { correct: null }],
      ["/correct", { correct: 2 ** 53 + 2 }],
      ["/defects", { defects: -(2 ** 53) - 2 }],
      ["/defects", { defects: [1] }],
      ["/skuId", { skuId: 7 }],
      ["/skuId", { skuId: "" }],
      ["/skuId", { skuId: "a\0" }],
      ["/mode", { mode: "total" }],
      ["/machineId", { machineId: "1" }],
      ["/machineId", { machineId: 1.5 }],
      ["/operatorId", { operatorId: 0 }],
      ["/operatorId", { operatorId: 2 ** 53 }],
      ["/occurredAt", { occurredAt: ahead }],
      ["/occurredAt", { occurredAt: "2026-01-01" }],
      ["/occurredAt", { occurredAt: 1_700_000_000_000 }],
      ["/status", { status: "done" }],
      ["/comment", { comment: "c".repeat(2001) }],
      ["/comment", { comment: "a\0" }],
      ["/comment", { comment: "\ud800" }],
    ];
    for (const [pointer, more] of faulty) expectProblem(await report(id, { correct: 1, ...more }), 400, pointer);
    for (const body of [{}, { mode: "delta", comment: "?" }]) expectProblem(await report(id, body), 400, "");
    for (const body of ["", "{", "[]", "null"]) expectProblem(await report(id, body), 400, "");
    expect(await stateOf(id)).toEqual({ status: "Backlog", reported: [0, 0], reports: 0 });
    const soon = new Date(Date.now() + 4 * 60_000).toISOString();
    expect((await report(id, { correct: 1, occurredAt: soon, comment: "c".repeat(2000) })).status).toBe(204);
  });
});

describe("at the same time", () => {
  it("all deltas count, and each is kept", async () => {
    const { newOrder, report } = await newPlant();
    const id = await newOrder();
    const deltas = Array.from({ length: 20 }, (_, i) => i + 1);
    const answers = await Promise.all(deltas.map((correct) => report(id, { correct, defects: 1 })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
    expect(await stateOf(id)).toEqual({ status: "InProgress", reported: [210, 20], reports: 20 });
  });

  it("no two take the same units back", async () => {
    const { newOrder, report } = await newPlant();
    const id = await newOrder();
    await report(id, { correct: 5 });
    const answers = await Promise.all([1, 2, 3].map(() => report(id, { correct: -3 })));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409, 409]);
    expect(await stateOf(id)).toMatchObject({ reported: [2, 0], reports: 2 });
  });

  it("one of two status changes is made, the other hears of it", async () => {
    const { newOrder, report } = await newPlant();
    const id = await newOrder({ status: "InProgress" });
    const changes = ["Completed", "Cancelled"];
    const answers = await Promise.all(changes.map((status) => report(id, { status, correct: 1 })));
    const state = await stateOf(id);
    expect(answers.map(({ status }) => status)).toEqual(changes.map((change) => (change === state.status ? 204 : 409)));
    expect(state).toMatchObject({ reported: [1, 0], reports: 1 });
  });

  it.each([{ correct: 5 }, { correct: 5, status: "Completed" }])(
    "twins with one Idempotency-Key count once: %o",
    async (body) => {
      const { newOrder, report } = await newPlant();
      const id = await newOrder();
      const key = { "idempotency-key": crypto.randomUUID() };
      const answers = await Promise.all([1, 2, 3].map(() => report(id, body, key)));
      expect(answers.map((answer) => [answer.status, answer.body])).toEqual(Array(3).fill([204, null]));
      expect(await stateOf(id)).toMatchObject({ reported: [5, 0], reports: 1 });
    },
  );
});

describe("with an Idempotency-Key", () => {
  it("a delta sent twice counts once, also when the order is closed by then; another body is a conflict", async () => {
    const { newOrder, report } = await newPlant();
    const [id, other] = [await newOrder(), await newOrder()];
    const key = { "idempotency-key": "k" };
    expect((await report(id, { correct: 5 }, key)).status).toBe(204);
    await report(id, { status: "Completed" });
    const again = await report(id, { correct: 5 }, key);
    expect([again.status, again.body, again.headers.get("idempotent-replayed")]).toEqual([204, null, "true"]);
    expectProblem(await report(id, { correct: 6 }, key), 409);
    expect((await report(other, { correct: 6 }, key)).status).toBe(204);
    expect(await stateOf(id)).toEqual({ status: "Completed", reported: [5, 0], reports: 2 });
  });

  it("a refusal is not kept, and a key is forgotten after a day", async () => {
    const { newOrder, report, userId } = await newPlant();
    const id = await newOrder();
    const key = { "idempotency-key": crypto.randomUUID() };
    expectProblem(await report(id, { correct: -1 }, key), 409);
    expect((await report(id, { correct: 1 }, key)).status).toBe(204);
    await env.DB.prepare("update idempotency_keys set created_at = created_at - 86400001 where user_id = ?").bind(userId).run();
    expect((await report(id, { correct: 1 }, key)).status).toBe(204);
    expect(await stateOf(id)).toMatchObject({ reported: [2, 0], reports: 2 });
  });
});

it("any sequence of reports gives the totals that it tells, and a history that adds up to them", async () => {
  const { newOrder, report, first, bolt } = await newPlant();
  const amount = fc.option(
    fc.integer({ min: -30, max: 60 }).map((tenths) => tenths / 10),
    { nil: undefined },
  );
  const one = fc.record({ mode: fc.constantFrom("delta", "delta", "absolute"), correct: amount, defects: amount });
  await fc.assert(
    fc.asyncProperty(fc.array(one, { maxLength: 12 }), fc.nat(20), fc.nat(5), async (sequence, counted, rejected) => {
      const id = await newOrder();
      await createOrderRun(first.id, id, bolt, counted, rejected);
      // In tenths, which are whole.
      let totals = [10 * counted, 10 * rejected];
      for (const { mode, ...amounts } of sequence) {
        const given = [amounts.correct, amounts.defects].map((value) => value && Math.round(10 * value));
        const wanted = totals.map((total, i) => (mode === "delta" ? total + (given[i] ?? 0) : (given[i] ?? total)));
        const answer = await report(id, { mode, ...amounts });
        const isTaken = given.some((value) => value !== undefined) && wanted.every((total) => total >= 0);
        expect(answer.status < 300, JSON.stringify([answer.body, totals, wanted])).toBe(isTaken);
        if (isTaken) totals = wanted;
      }
      const { targets, reports } = await storedOrder(id);
      const reported = [totals[0] ?? 0, totals[1] ?? 0].map((total, i) => (total - 10 * ([counted, rejected][i] ?? 0)) / 10);
      expect(targets?.[0]?.reported).toEqual(reported.map((value) => expect.closeTo(value, 9)));
      const sumOf = (member: string) => reports.reduce((sum, row) => sum + Number(row[member]), 0);
      expect([sumOf("correct"), sumOf("defects")]).toEqual(reported.map((value) => expect.closeTo(value, 6)));
    }),
    { numRuns: 30 },
  );
});
