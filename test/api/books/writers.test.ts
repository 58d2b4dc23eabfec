import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { call } from "../../support/call.ts";
import { HOUR, MINUTE, SECOND, stopClockAtNoon } from "../../support/clock.ts";
import { createCalendarDay, createVersion, createWorkOrder } from "../../support/factories.ts";
import { doJob } from "../../support/jobs.ts";
import { machineObject } from "../../support/machine-object.ts";
import { configureMachine, countAt, flushMachine, ingest, republish, stopsOf } from "../../support/machines.ts";
import { iso, plant, TO } from "./closed-plant.ts";

stopClockAtNoon();

type Plant = Awaited<ReturnType<typeof plant>>;
type Things = Awaited<ReturnType<typeof thingsOf>>;
/** `refused`: 409. `held`: accepted, and held. `done`: done, and changes nothing of before. */
type Outcome = "refused" | "held" | "done";

interface Writer {
  what: string;
  run(p: Plant, things: Things): Promise<Outcome>;
  /** At a time that is closed. */
  after: Outcome;
  /** While it is being closed, before the machine has closed its books. Absent: `refused` by the database. */
  during?: Outcome;
}

const answered = (promise: Promise<{ status: number; body: unknown }>): Promise<Outcome> =>
  promise.then(({ status, body }) => {
    if (status === 409)
      return /closed_books|books are closed|closed books/.test(JSON.stringify(body))
        ? "refused"
        : (`409 ${JSON.stringify(body)}` as Outcome);
    return status >= 300 ? (`${status} ${JSON.stringify(body)}` as Outcome) : "done";
  });
const AT = TO - 3 * HOUR;

/** What there is to be changed at a time that will be closed. */
async function thingsOf(p: Plant) {
  const { machineId, companyId } = p;
  const [{ skuId }, { operatorId }, { causeId }] = [await p.sku(), await p.operator(), await p.cause()];
  const { workOrderId } = await createWorkOrder({ id: machineId, companyId }, skuId, { status: "InProgress" });
  const stops = (await stopsOf(machineId)).filter(({ endAt }) => (endAt ?? TO) < TO - HOUR);
  const made = async (path: string, body: object) => {
    const { status, body: item } = await p.send("POST", path, body);
    if (status >= 300) throw new Error(JSON.stringify(item));
    return item.id;
  };
  const withdrawalId = await made("/v1/event-withdrawals", withdrawalOf(machineId, AT - HOUR));
  const correctionId = await made("/v1/corrections", { machineId, at: iso(AT - HOUR), total: 2, comment: "Found before" });
  const bulkId = await made("/v1/stops/classify", { ids: [stops[4]?.id], generalCauseId: causeId });
  await flushMachine(machineId);
  return { bulkId, skuId, operatorId, causeId, workOrderId, stops, withdrawalId, correctionId };
}

const withdrawalOf = (machineId: number, from: number) => ({
  ...{ machineId, from: iso(from), to: iso(from + 10 * MINUTE), kinds: ["count"], reason: "A test of the sensor" },
});
const interval = { from: iso(AT), to: iso(AT + 20 * MINUTE), reason: "Nobody entered it" };

const dated = { effectiveFrom: iso(AT), through: "all", reason: "It was wrong" };
const writers: Writer[] = [
  {
    what: "a late count",
    run: async ({ gateway, nodeId }) => {
      const { warnings } = await ingest(gateway, [countAt(nodeId, AT + 7, 3, { id: "late count" })]);
      return warnings.some(({ code }) => code === "held") ? "held" : "done";
    },
    ...{ during: "done", after: "held" },
  },
  {
    what: "a late sign-in that a gateway sends",
    run: async ({ gateway, machineId }, { operatorId }) => {
      const event = { type: "operator", at: iso(AT + 9), machineId, operatorId, action: "in", id: "late sign-in" };
      const { warnings } = await ingest(gateway, [event]);
      return warnings.some(({ code }) => code === "held") ? "held" : "done";
    },
    ...{ during: "done", after: "held" },
  },
  {
    what: "a sign-in by a person",
    run: ({ send, machineId }, { operatorId }) =>
      answered(send("POST", `/v1/machines/${machineId}/sign-in`, { operatorId, at: iso(AT) })),
    ...{ during: "done", after: "refused" },
  },
  {
    what: "a run that a person begins",
    run: ({ send, machineId }, { skuId }) => answered(send("POST", `/v1/machines/${machineId}/run`, { skuId, at: iso(AT) })),
    ...{ during: "done", after: "refused" },
  },
  {
    what: "a correction",
    run: ({ send, machineId }) =>
      answered(send("POST", "/v1/corrections", { machineId, at: iso(AT), total: 1, comment: "Found" })),
    ...{ during: "done", after: "refused" },
  },
  {
    what: "an undone correction",
    run: ({ send }, { correctionId }) => answered(send("DELETE", `/v1/corrections/${correctionId}`)),
    ...{ during: "done", after: "refused" },
  },
  {
    what: "a withdrawal of events",
    run: ({ send, machineId }) => answered(send("POST", "/v1/event-withdrawals", withdrawalOf(machineId, AT))),
    ...{ during: "done", after: "refused" },
  },
  {
    what: "restored events",
    run: ({ send }, { withdrawalId }) => answered(send("DELETE", `/v1/event-withdrawals/${withdrawalId}`)),
    ...{ during: "done", after: "refused" },
  },
  {
    what: "what was made",
    run: ({ send, machineId }, { skuId }) => {
      const runs = [{ startTime: interval.from, skuId, workOrderId: null }];
      return answered(send("PUT", `/v1/machines/${machineId}/runs`, { ...interval, runs }));
    },
    ...{ during: "done", after: "refused" },
  },
  {
    what: "who was there",
    run: ({ send, machineId }, { operatorId }) => {
      const presences = [{ operatorId, startTime: interval.from, endTime: interval.to }];
      return answered(send("PUT", `/v1/machines/${machineId}/presences`, { ...interval, presences }));
    },
    ...{ during: "done", after: "refused" },
  },
  {
    what: "a classification of a stop",
    run: ({ send }, { stops, causeId }) =>
      answered(send("PUT", `/v1/stops/${stops[0]?.id}/classification`, { generalCauseId: causeId })),
    ...{ during: "done", after: "refused" },
  },
  {
    what: "a change of a stop",
    run: ({ send }, { stops }) => answered(send("PATCH", `/v1/stops/${stops[1]?.id}`, { name: "Mould" })),
    ...{ during: "done", after: "refused" },
  },
  {
    what: "a split of a stop",
    run: ({ send }, { stops }) =>
      answered(send("POST", `/v1/stops/${stops[2]?.id}/split`, { at: iso((stops[2]?.startAt ?? 0) + 5 * MINUTE) })),
    ...{ during: "done", after: "refused" },
  },
  {
    what: "a stop that is recorded",
    run: ({ send, machineId }) =>
      answered(send("POST", "/v1/stops", { machineId, startTime: iso(AT), endTime: iso(AT + MINUTE), name: "Forgotten" })),
    ...{ during: "done", after: "refused" },
  },
  {
    what: "a bulk classification, which leaves closed stops out",
    run: async ({ send }, { stops, causeId }) => {
      const { status, body } = await send("POST", "/v1/stops/classify", { ids: [stops[3]?.id], generalCauseId: causeId });
      if (status >= 300) throw new Error(JSON.stringify(body));
      return body.leftOut.closed.length > 0 ? "refused" : "done";
    },
    ...{ during: "done", after: "refused" },
  },
  {
    what: "an undone bulk classification, which leaves closed stops out",
    run: async ({ send }, { bulkId }) => {
      const { status, body } = await send("POST", `/v1/stop-classifications/${bulkId}/undo`);
      if (status >= 300) throw new Error(JSON.stringify(body));
      return body.kept > 0 ? "refused" : "done";
    },
    ...{ during: "done", after: "refused" },
  },
  ...(["absolute", "delta"] as const).map(
    (mode): Writer => ({
      what: `a report of progress (${mode})`,
      run: ({ send }, { workOrderId, skuId }) =>
        answered(send("PATCH", `/work/${workOrderId}/progress`, { skuId, mode, correct: 5, occurredAt: iso(AT) })),
      after: "refused",
    }),
  ),
  {
    what: "a recalculation",
    run: ({ send, machineId }) =>
      answered(send("POST", "/v1/recalculations", { reason: "Doubts", machineIds: [machineId], from: iso(AT) })),
    after: "refused",
  },
  {
    what: "limits of a machine from before",
    run: ({ send, machineId }) => answered(send("PATCH", `/v1/machines/${machineId}`, { stopAfterSeconds: 60, ...dated })),
    after: "refused",
  },
  {
    what: "a shift from before",
    run: ({ send, shiftId }) => answered(send("PATCH", `/v1/shifts/${shiftId}`, { end: "23:00", ...dated })),
    after: "refused",
  },
  {
    what: "a standard from before",
    run: ({ send }, { skuId }) =>
      answered(send("PATCH", `/v1/skus/${skuId}`, { standards: [{ machineId: null, standardCycleSeconds: 7 }], ...dated })),
    after: "refused",
  },
  {
    what: "the company's time zone from before",
    run: ({ send, companyId }) => answered(send("PATCH", `/v1/companies/${companyId}`, { timezone: "Europe/Madrid", ...dated })),
    after: "refused",
  },
  {
    what: "count sensors from before",
    run: ({ send, machineId }) => {
      const configs = [{ type: "total", countingFactor: 2, channel: 1, nodeId: 0 }];
      const body = { isCountEnabled: true, configs, effectiveFrom: iso(AT), reason: "A wrong factor" };
      return send("GET", `/v1/machines/${machineId}`).then(({ body: { nodeId } }) =>
        answered(send("PUT", `/v1/machines/${machineId}/count-sensor`, { ...body, configs: [{ ...configs[0], nodeId }] })),
      );
    },
    after: "refused",
  },
  {
    what: "a calendar day",
    run: ({ send }) =>
      answered(send("POST", "/v1/calendar-days", { date: iso(AT).slice(0, 10), scope: "company", closed: true })),
    after: "refused",
  },
  {
    what: "the restoring of a calendar day",
    run: async ({ send, companyId }) => {
      const { id } = await createCalendarDay(companyId, { date: iso(AT - 24 * HOUR).slice(0, 10), deletedAt: AT });
      return answered(send("POST", `/v1/calendar-days/${id}/restore`));
    },
    after: "refused",
  },
  {
    what: "a machine that was commissioned before",
    run: ({ send }) => {
      const name = crypto.randomUUID();
      return answered(send("POST", "/v1/machines", { name, ref: name, nodeId: 77, commissionedAt: iso(AT) }));
    },
    after: "refused",
  },
  {
    what: "set-up of from now on",
    run: async ({ send, machineId, companyId }) => {
      await answered(send("PATCH", `/v1/companies/${companyId}`, { timezone: "Asia/Tokyo" }));
      const outcome = await answered(
        send("PATCH", `/v1/machines/${machineId}`, { stopAfterSeconds: 30, noDataAfterSeconds: 60 }),
      );
      await configureMachine(machineId);
      return outcome;
    },
    ...{ during: "done", after: "done" },
  },
  {
    what: "readers, and the alarm",
    run: async ({ send, machineId, token }) => {
      await send("GET", `/v1/machines/${machineId}/shifts/${iso(TO - 24 * HOUR)}/explain`);
      await call("GET", `/v1/machines/${machineId}/state`, { token });
      await evictDurableObject(machineObject(env, machineId));
      await runInDurableObject(machineObject(env, machineId), (object) => object.alarm());
      return "done";
    },
    ...{ during: "done", after: "done" },
  },
  {
    what: "everything that is sent to the database again",
    run: async ({ machineId }) => {
      await republish(machineId);
      return "done";
    },
    ...{ during: "done", after: "done" },
  },
];

describe("each writer of the past", () => {
  it("works before books are closed", async () => {
    const p = await plant();
    const things = await thingsOf(p);
    for (const { what, run } of writers) expect.soft([what, await run(p, things)]).toEqual([what, "done"]);
  }, 180_000);

  it("changes no number once books are being closed, apart from those that machines still take, which are in the sums", async () => {
    const p = await plant();
    const things = await thingsOf(p);
    const { machineId, close, get, locked } = p;
    // Planned set-up of before has not begun, so no machine closes its books yet.
    const { versionId } = await createVersion(
      p.companyId,
      { kind: "shift", entity: "999999999", body: null },
      { dueAt: TO - HOUR },
    );
    const { id, state, machinesLeft } = (await close()).body;
    expect([state, machinesLeft]).toEqual(["closing", 1]);
    for (const { what, run, during = "refused" } of writers) expect.soft([what, await run(p, things)]).toEqual([what, during]);
    await env.DB_0.prepare("update set_up_versions set due_at = null where id = ?").bind(versionId).run();
    await flushMachine(machineId);
    vi.setSystemTime(Date.now() + MINUTE);
    await doJob("sweep", Date.now());
    const closed = await get(id);
    expect(closed.state).toBe("closed");
    const before = await locked();
    expect(closed.machines[0].sums).toEqual(closed.machines[0].sumsNow);
    await flushMachine(machineId);
    expect(await locked()).toEqual(before);
    expect((await get(id)).machines[0].sumsNow).toEqual(closed.machines[0].sums);
  }, 180_000);

  it("changes no number after books were closed", async () => {
    const p = await plant();
    const things = await thingsOf(p);
    const { machineId, close, get, locked, held, send } = p;
    const { id, state } = (await close()).body;
    expect(state).toBe("closed");
    const before = await locked();
    for (const { what, run, after } of writers) {
      expect.soft([what, await run(p, things)]).toEqual([what, after]);
      await flushMachine(machineId);
      expect.soft([what, await locked()]).toEqual([what, before]);
    }
    for (const entry of await held()) expect((await send("POST", `/v1/held-events/${entry.id}/accept`, {})).status).toBe(409);
    const { machines } = await get(id);
    expect(machines[0].sumsNow).toEqual(machines[0].sums);
  }, 180_000);
});

describe("200 late events that race a closing", () => {
  it("are in the sums or held, and the stored sums are the read ones for good", async () => {
    const { gateway, nodeId, machineId, close, get, held, locked } = await plant();
    const events = Array.from({ length: 200 }, (_, i) =>
      countAt(nodeId, TO - 5 * HOUR + i * 13 * SECOND + 1, 1, { id: `race ${i}` }),
    );
    const units = async () =>
      ((await locked()).records as { totalUnits: number }[]).reduce((sum, one) => sum + one.totalUnits, 0);
    const before = await units();
    // A machine takes few calls at a time.
    const send = async (some: typeof events) => {
      for (const event of some) expect(await ingest(gateway, [event])).toMatchObject({ accepted: 1, rejected: [] });
    };
    const sending = Promise.all([0, 1, 2, 3].map((n) => send(events.slice(n * 50, n * 50 + 50))));
    const { id } = (await close()).body;
    await sending;
    await flushMachine(machineId);
    const { state, machines } = await get(id);
    expect(state).toBe("closed");
    expect(machines[0].sums).toEqual(machines[0].sumsNow);
    const heldUnits = (await held()).reduce((sum: number, { units: more }: { units: number }) => sum + more, 0);
    expect((await units()) - before + heldUnits).toBe(200);
  });
});
