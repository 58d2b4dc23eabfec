import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { workOrderStatuses } from "../../../src/db/schema.ts";
import { call } from "../../support/call.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { createUser } from "../../support/factories.ts";
import { addTarget, createOrderPlant, createOrderRun, storedOrder } from "../../support/work-orders.ts";

async function newPlant(...role: Parameters<typeof createOrderPlant>) {
  const plant = await createOrderPlant(...role);
  const report = (workId: string, body: unknown, headers: Record<string, string> = {}) =>
    call("PATCH", `/work/${workId}/progress`, { token: plant.token, body, headers });
  return { ...plant, report };
}

function newReader(companyId: number) {
  return createUser(companyId, "readonly");
}

/** The progress that people reported for an order's first target, and its status. */
async function stateOf(id: string) {
  const { order, targets, reports } = await storedOrder(id);
  return { status: order?.status, reported: targets?.[0]?.reported, reports: reports.length };
}

describe("progress", () => {
  it("reads as many rows for an order with many reports as for a new one", async () => {
    const { newOrder, report } = await newPlant();
    const id = await newOrder();
    const rowsRead = async () => {
      const log = vi.spyOn(console, "log").mockReturnValue(undefined);
      expect((await report(id, { correct: 1 })).status).toBe(204);
      const { rowsRead } = JSON.parse(log.mock.lastCall?.[0]);
      log.mockRestore();
      return rowsRead;
    };
    await rowsRead();
    const second = await rowsRead();
    for (let i = 0; i < 30; i++) await report(id, { correct: 1 });
    expect(await rowsRead()).toBe(second);
  });

  it("is added and stored with its author and time, with nothing in the answer", async () => {
    const { newOrder, report, first, bolt, nut, operatorId, userId } = await newPlant();
    const id = await newOrder();
    await addTarget(id, nut);
    const occurredAt = "2026-02-03T04:05:06.007+01:00";
    const before = Date.now();
    const comment = "By hand: é€😀";
    const body = { skuId: nut, correct: 5, defects: 1.5, mode: "delta", machineId: first.id, operatorId, occurredAt, comment };
    const answer = await report(id, { ...body, more: true });
    expect([answer.status, answer.body]).toEqual([204, null]);
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

  it("is for the only target, for now and by nobody by default", async () => {
    const { newOrder, report, bolt } = await newPlant();
    const id = await newOrder();
    expect((await report(id, { correct: 2 })).status).toBe(204);
    const { targets, reports } = await storedOrder(id);
    expect(targets?.[0]?.reported).toEqual([2, 0]);
    expect(reports).toMatchObject([{ sku_id: bolt, defects: null, machine_id: null, operator_id: null, comment: null }]);
    expect(reports[0]?.occurred_at).toBe(reports[0]?.created_at);
  });

  it("may be taken back, but not below 0, including the line's counts", async () => {
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

  it("in absolute mode states a total, to which later counts and reports are added, but none from before", async () => {
    const { newOrder, report, first, second, bolt, nut } = await newPlant();
    const id = await newOrder();
    await addTarget(id, nut);
    const at = Date.parse("2026-02-03T08:00:00Z");
    await createOrderRun(first.id, id, bolt, 30, 2, at - 1);
    await createOrderRun(second.id, id, bolt, 12, 1, at);
    await createOrderRun(first.id, id, nut, 500, 500, at);
    await createOrderRun(first.id, await newOrder(), bolt, 500, 500, at + 1);
    const total = async () => {
      const { progress } = (await call("GET", `/v1/work-orders/${id}`, { token: (await newReader(first.companyId)).token })).body;
      const { correct, defects } = progress.find(({ skuId }: { skuId: string }) => skuId === bolt);
      return [correct, defects];
    };
    const send = (body: object, ms: number) => report(id, { skuId: bolt, occurredAt: new Date(at + ms).toISOString(), ...body });
    expect(await total()).toEqual([42, 3]);
    expect((await send({ correct: 5 }, 60_000)).status).toBe(204);
    expect((await send({ correct: 7 }, -60_000)).status).toBe(204);
    expect(await total()).toEqual([54, 3]);

    // The run of 30 and the delta of 7 were before, the run of 12 and the delta of 5 after. Defects have a separate total.
    expect((await send({ mode: "absolute", correct: 100 }, 0)).status).toBe(204);
    expect(await total()).toEqual([117, 3]);
    // An older total and an earlier delta come too late to have an effect.
    expect((await send({ mode: "absolute", correct: 900 }, -1)).status).toBe(204);
    expect((await send({ correct: 900, defects: 1 }, -1)).status).toBe(204);
    expect(await total()).toEqual([117, 4]);
    expect((await send({ mode: "absolute", defects: 10 }, 1)).status).toBe(204);
    expect(await total()).toEqual([117, 10]);
    expect((await send({ mode: "absolute", correct: 0 }, 60_001)).status).toBe(204);
    expect(await total()).toEqual([0, 10]);
    expectProblem(await send({ correct: -0.5 }, 60_002), 409);

    const { reports } = await storedOrder(id);
    expect(reports.map(({ correct, defects, mode }) => [correct, defects, mode])).toEqual([
      [5, null, "delta"],
      [7, null, "delta"],
      [100, null, "absolute"],
      [900, null, "absolute"],
      [900, 1, "delta"],
      [null, 10, "absolute"],
      [0, null, "absolute"],
    ]);
    expectProblem(await send({ mode: "absolute", correct: -1 }, 0), 400, "/correct");
    expectProblem(await send({ mode: "absolute", defects: -0.1 }, 0), 400, "/defects");
  });

  it("of fractions is exact", async () => {
    const { newOrder, report } = await newPlant();
    const id = await newOrder();
    for (const correct of [0.3, -0.1, -0.2]) expect((await report(id, { correct })).status).toBe(204);
    expect(await stateOf(id)).toMatchObject({ reported: [0, 0] });
  });

  it("cannot exceed the largest safe number", async () => {
    const { newOrder, report } = await newPlant();
    const id = await newOrder();
    expect((await report(id, { correct: 2 ** 53 })).status).toBe(204);
    expectProblem(await report(id, { correct: 2 ** 53 }), 409);
    expect(await stateOf(id)).toMatchObject({ reported: [2 ** 53, 0] });
  });

  it("may be for any company's order if a superuser reports it", async () => {
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

  it("becomes InProgress by progress of a waiting order; closed orders accept none", async () => {
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

  it("follows the allowed transitions, after the progress in the same request", async () => {
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

  it("may be sent without progress, and its change is stored too", async () => {
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
    const kept = { sku_id: null, correct: null, defects: null, status: "Planned", comment: "Next week" };
    expect(reports).toMatchObject([kept]);
    expect((await report(id, { status: "Cancelled", skuId: nut })).status).toBe(204);
    expect((await storedOrder(id)).reports[1]).toMatchObject({ sku_id: nut, correct: null, status: "Cancelled" });
  });

  it("can be set back from Completed by admins and above", async () => {
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
  it("an order that does not exist, is deleted, or another company's", async () => {
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

  it("SKUs, machines and operators that are not the order's, before a wrong status", async () => {
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

  it("invalid members", async () => {
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
  it("all deltas count, and each is stored", async () => {
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

  it("one of two status changes is made, the other is refused", async () => {
    const { newOrder, report } = await newPlant();
    const id = await newOrder({ status: "InProgress" });
    const changes = ["Completed", "Cancelled"];
    const answers = await Promise.all(changes.map((status) => report(id, { status, correct: 1 })));
    const state = await stateOf(id);
    expect(answers.map(({ status }) => status)).toEqual(changes.map((change) => (change === state.status ? 204 : 409)));
    expect(state).toMatchObject({ reported: [1, 0], reports: 1 });
  });

  it.each([{ correct: 5 }, { correct: 5, status: "Completed" }])(
    "two requests with one Idempotency-Key count once: %o",
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
  it("a delta that is sent twice counts once, even if the order was closed; another body is a conflict", async () => {
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

  it("a refusal is not stored, and a key is forgotten after a day", async () => {
    const { newOrder, report, userId } = await newPlant();
    const id = await newOrder();
    const key = { "idempotency-key": crypto.randomUUID() };
    expectProblem(await report(id, { correct: -1 }, key), 409);
    expect((await report(id, { correct: 1 }, key)).status).toBe(204);
    await env.DB_0.prepare("update idempotency_keys set created_at = created_at - 86400001 where user_id = ?").bind(userId).run();
    expect((await report(id, { correct: 1 }, key)).status).toBe(204);
    expect(await stateOf(id)).toMatchObject({ reported: [2, 0], reports: 2 });
  });
});

it("any sequence of reports gives the totals that follow from their instants, never below 0", async () => {
  const { newOrder, report, first, bolt, companyId } = await newPlant();
  const { token } = await newReader(companyId);
  const start = Date.parse("2026-02-03T08:00:00Z");
  const amount = fc.option(
    fc.integer({ min: -30, max: 60 }).map((tenths) => tenths / 10),
    { nil: undefined },
  );
  const mode = fc.constantFrom("delta" as const, "delta" as const, "absolute" as const);
  const one = fc.record({ mode, correct: amount, defects: amount, minute: fc.nat(5) });
  const run = fc.record({ minute: fc.nat(5), correct: fc.nat(20), defects: fc.nat(5) });
  const runs = fc.uniqueArray(run, { maxLength: 3, selector: ({ minute }) => minute });
  let runCount = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(one, { maxLength: 12 }), runs, async (sequence, made) => {
      const id = await newOrder();
      // Each starts between the instants of reports, and no two runs of the machine start at the same instant.
      for (const { minute, correct, defects } of made) {
        await createOrderRun(first.id, id, bolt, correct, defects, start + minute * 60_000 - 30_000 + runCount++);
      }
      const totalOf = (member: "correct" | "defects", reports: typeof sequence) => {
        const said = reports.filter((one) => one[member] !== undefined);
        const stated = said
          .filter(({ mode }) => mode === "absolute")
          .reduce<(typeof said)[number] | undefined>(
            (newest, next) => (newest && newest.minute > next.minute ? newest : next),
            undefined,
          );
        const isLater = (delta: (typeof said)[number]) =>
          !stated ||
          delta.minute > stated.minute ||
          (delta.minute === stated.minute && said.indexOf(delta) > said.indexOf(stated));
        const deltas = said.filter((one) => one.mode === "delta" && isLater(one));
        const counted = made.filter(({ minute }) => !stated || minute > stated.minute);
        const sum = (list: readonly { [member in "correct" | "defects"]?: number | undefined }[]) =>
          list.reduce((total, one) => total + Math.round(10 * (one[member] ?? 0)), 0);
        return (sum(stated ? [stated] : []) + sum(deltas) + sum(counted)) / 10;
      };
      let taken: typeof sequence = [];
      for (const next of sequence) {
        const { minute, ...body } = next;
        const answer = await report(id, { ...body, occurredAt: new Date(start + minute * 60_000).toISOString() });
        const isSaid = next.correct !== undefined || next.defects !== undefined;
        const isStated = next.mode === "delta" || ((next.correct ?? 0) >= 0 && (next.defects ?? 0) >= 0);
        const after = [...taken, next];
        const isTaken = isSaid && isStated && totalOf("correct", after) >= 0 && totalOf("defects", after) >= 0;
        expect(answer.status < 300, JSON.stringify([answer.body, taken, next, made])).toBe(isTaken);
        if (isTaken) taken = after;
      }
      const { progress } = (await call("GET", `/v1/work-orders/${id}`, { token })).body;
      const [correct, defects] = [totalOf("correct", taken), totalOf("defects", taken)];
      const remaining = expect.closeTo(Math.max(0, 1000 - correct), 6);
      expect(progress).toEqual([{ skuId: bolt, targetQuantity: 1000, correct, defects, remaining }]);
      const { reports } = await storedOrder(id);
      const said = ({ mode, correct = null, defects = null }: Record<string, unknown>) => [mode, correct, defects];
      expect(reports.map(said)).toEqual(taken.map(said));
    }),
    { numRuns: 15 },
  );
});
