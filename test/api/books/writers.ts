import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { Answer } from "../../support/answer.ts";
import { call } from "../../support/call.ts";
import { HOUR, MINUTE, SECOND } from "../../support/clock.ts";
import { eventually } from "../../support/eventually.ts";
import { createCalendarDay, createMachine, createOperatorPlan, createUser, createWorkOrder } from "../../support/factories.ts";
import { machineObject } from "../../support/machine-object.ts";
import { configureMachine, countAt, flushMachine, ingest, republish, stopsOf } from "../../support/machines.ts";
import type { NumberOperation } from "../../support/past-writers.ts";
import { iso, type plant, START, TO } from "./closed-plant.ts";

// What may change numbers of the past: writers.test.ts does each of them before books are closed, meanwhile, and afterwards.

export type Plant = Awaited<ReturnType<typeof plant>>;
export type Things = Awaited<ReturnType<typeof thingsOf>>;
/** `done`: done, and changes nothing of before. `held`: accepted, and held. `left out`: done without it. Else what was answered. */
export type Outcome = "done" | "held" | "left out" | `closed_books ${string}` | `unexpected ${string}`;
type Sent = [method: "POST" | "PUT" | "PATCH" | "DELETE", path: string, body?: object];

export interface Writer {
  what: string;
  /** The operation; null: it is none. */
  by: NumberOperation | null;
  /** The request, or what else is done. */
  send?(p: Plant, things: Things): Sent | Promise<Sent>;
  run?(p: Plant, things: Things): Promise<Outcome>;
  /** How a dry run is asked for, if there is one: it answers the same refusal. */
  dryRun?: "body" | "query";
  /** At a time that is closed. */
  after: Outcome;
  /** While it is being closed, before the machine has closed its books. Absent: refused by the database, as afterwards. */
  during?: Outcome;
}

/** When writers change something. */
const AT = TO - 3 * HOUR;
const GLITCH = 999_999_999;

/** What there is to be changed at a time that will be closed. */
export async function thingsOf(p: Plant) {
  const { machineId, companyId, gateway, nodeId, send } = p;
  const [{ skuId }, { operatorId, code: operatorCode }, { causeId }] = [await p.sku(), await p.operator(), await p.cause()];
  const { workOrderId } = await createWorkOrder({ id: machineId, companyId }, skuId, { status: "InProgress" });
  const { workOrderId: freshOrderId } = await createWorkOrder({ id: machineId, companyId }, skuId, { status: "Planned" });
  const of = async (...[method, path, body]: Sent) => {
    const { status, body: answer } = await send(method, path, body);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`);
    return answer;
  };
  const listOf = async (path: string) => (await send("GET", path)).body.data as { id: number; [member: string]: unknown }[];

  const stops = (await stopsOf(machineId)).filter(({ endAt }) => (endAt ?? TO) < TO - HOUR);
  const { id: withdrawalId } = await of("POST", "/v1/event-withdrawals", withdrawalOf(machineId, AT - HOUR));
  const correction = { machineId, at: iso(AT - HOUR), total: 2, comment: "Found before" };
  const { id: correctionId } = await of("POST", "/v1/corrections", correction);
  const { id: bulkId } = await of("POST", "/v1/stops/classify", { ids: [stops[4]?.id], generalCauseId: causeId });
  const recorded: number[] = [];
  for (let i = 0; i < 4; i++) {
    const [startTime, endTime] = [iso(AT - 30 * MINUTE + i * 6 * MINUTE), iso(AT - 26 * MINUTE + i * 6 * MINUTE)];
    recorded.push((await of("POST", "/v1/stops", { machineId, startTime, endTime, generalCauseId: causeId })).id);
  }
  const [recordedId = 0, classifiedId = 0, splitId = 0, otherId = 0] = recorded;
  const split = await of("POST", `/v1/stops/${splitId}/split`, { at: iso(AT - 16 * MINUTE) });
  const partIds: number[] = split.data.map(({ id }: { id: number }) => id);

  // Late counts take the stop away of which something was said.
  const { id: removedId = 0, startAt = 0 } = stops[5] ?? {};
  await of("PUT", `/v1/stops/${removedId}/classification`, { generalCauseId: causeId });
  await of("PATCH", `/v1/stops/${removedId}`, { name: "Mould" });
  const between = Array.from({ length: 8 }, (_, i) => countAt(nodeId, startAt + i * 4 * MINUTE, 1, { id: `orphan ${i}` }));
  await ingest(gateway, between);

  const before = { from: iso(AT - 100 * MINUTE), to: iso(AT - 90 * MINUTE), reason: "Nobody entered it" };
  const { skuId: formerSkuId } = await p.sku();
  const runs = [{ startTime: before.from, skuId: formerSkuId, workOrderId: null }];
  const amendedRuns = await of("PUT", `/v1/machines/${machineId}/runs`, { ...before, runs });
  const presences = [{ operatorId, startTime: before.from, endTime: before.to }];
  const amendedPresences = await of("PUT", `/v1/machines/${machineId}/presences`, { ...before, presences });

  const day = { date: iso(START - 24 * HOUR).slice(0, 10), scope: "company", closed: true };
  const { id: calendarDayId } = await of("POST", "/v1/calendar-days", day);
  const importId = await importOf(p, countAt(nodeId, AT - 50 * MINUTE + 1, 2, { id: "imported before" }));
  await ingest(
    gateway,
    [11, 12].map((s) => countAt(nodeId, AT + s * SECOND, GLITCH, { id: `glitch ${s}` })),
  );
  await flushMachine(machineId);

  const orphans = await listOf("/v1/orphaned-edits");
  const held = (await listOf("/v1/held-events")).find(({ reason }) => reason === "implausible");
  const heldIds = (await listOf(`/v1/held-events/${held?.id}/events`)).map(({ id }) => id);
  const versionIds: Record<string, number> = {};
  for (const [kind, id, change] of [
    ["machines", machineId, { stopAfterSeconds: 601 }],
    ["shifts", p.shiftId, { breaks: [{ name: "Pause", start: "03:00", end: "03:10" }] }],
    ["skus", skuId, { standards: [{ machineId: null, standardCycleSeconds: 9 }] }],
    ["companies", companyId, { signOutAtShiftEnd: false }],
  ] as const) {
    const dates = { effectiveFrom: iso(AT - 2 * HOUR), reason: "It was wrong" };
    await of("PATCH", `/v1/${kind}/${id}`, { ...change, ...dates });
    await configureMachine(machineId);
    await flushMachine(machineId);
    const dated = (await listOf(`/v1/${kind}/${id}/versions`)).find(({ isDated }) => isDated);
    versionIds[kind] = dated?.id ?? 0;
  }
  const planIds: string[] = [];
  for (let i = 0; i < 3; i++) {
    const assignments = [{ operatorId, machineId, shiftId: p.shiftId }];
    const { id } = await createOperatorPlan(companyId, { since: START, until: TO + 60 * HOUR, assignments });
    planIds.push(id);
  }
  return {
    ...{ planIds, operatorCode, formerSkuId, freshOrderId },
    ...{ skuId, operatorId, causeId, workOrderId, stops, withdrawalId, correctionId, bulkId, recordedId, classifiedId, partIds },
    ...{ otherId, calendarDayId, importId, orphans, heldId: held?.id, heldIds, versionIds },
    amendedRunsId: amendedRuns.amendments[0].id as number,
    amendedPresencesId: amendedPresences.amendments[0].id as number,
  };
}

/** Imports a file with one event, and waits until its line was taken. */
async function importOf({ token, machineId }: Plant, event: object): Promise<number> {
  const headers = { "content-type": "application/x-ndjson" };
  const { status, body } = await call("POST", "/v1/imports", { token, headers, body: `${JSON.stringify(event)}\n` });
  if (status !== 201) throw new Error(JSON.stringify(body));
  await eventually(async () => {
    const { state } = (await call("GET", `/v1/imports/${body.id}`, { token })).body;
    if (state !== "done") throw new Error(`The import is ${state}.`);
  });
  await flushMachine(machineId);
  return body.id;
}

function withdrawalOf(machineId: number, from: number) {
  return { machineId, from: iso(from), to: iso(from + 10 * MINUTE), kinds: ["count"], reason: "A test of the sensor" };
}

const interval = { from: iso(AT), to: iso(AT + 20 * MINUTE), reason: "Nobody entered it" };
const dated = { effectiveFrom: iso(AT), through: "all", reason: "It was wrong" };
/** What machines refuse: they take it until they have closed their books. */
const ofMachine = (pointer: string) => ({ after: `closed_books ${pointer}`, during: "done" }) as const;
/** What the database refuses, as soon as books are being closed. */
const ofDatabase = (pointer: string) => ({ after: `closed_books ${pointer}` }) as const;
const nothing = { after: "done", during: "done" } as const;

/** Does what a writer does. */
export async function outcomeOf({ send, run }: Writer, p: Plant, things: Things): Promise<Outcome> {
  if (!send) return (await run?.(p, things)) ?? "done";
  return answered(await p.send(...(await send(p, things))));
}

/** Asks for the dry run of what a writer does. */
export async function tried({ send, dryRun }: Writer, p: Plant, things: Things): Promise<Outcome> {
  const [method, path, body] = (await send?.(p, things)) ?? ["POST", ""];
  return answered(
    await (dryRun === "query" ? p.send(method, `${path}?dryRun=true`, body) : p.send(method, path, { ...body, dryRun: true })),
  );
}

/** A refusal names the member, the rule and the instant. */
function answered({ status, body }: Answer): Outcome {
  if (status < 300) return "done";
  const [fault, ...others] = body.errors ?? [];
  const isWhole = others.length === 0 && fault?.message.includes(`the books are closed up to ${iso(TO)}`);
  return status === 409 && isWhole
    ? (`${fault.code} ${fault.pointer}` as Outcome)
    : `unexpected ${status} ${JSON.stringify(body)}`;
}

export const writers: Writer[] = [
  {
    ...{ what: "a late count", by: "ingest" },
    run: async ({ gateway, nodeId }) => {
      const { warnings } = await ingest(gateway, [countAt(nodeId, AT + 7, 3, { id: "late count" })]);
      return warnings.some(({ code }) => code === "held") ? "held" : "done";
    },
    ...{ during: "done", after: "held" },
  },
  {
    ...{ what: "a late sign-in that a gateway sends", by: "ingest" },
    run: async ({ gateway, machineId }, { operatorId }) => {
      const event = { type: "operator", at: iso(AT + 9), machineId, operatorId, action: "in", id: "late sign-in" };
      const { warnings } = await ingest(gateway, [event]);
      return warnings.some(({ code }) => code === "held") ? "held" : "done";
    },
    ...{ during: "done", after: "held" },
  },
  {
    ...{ what: "held counts that are accepted", by: "acceptHeldEvents" },
    send: (_, { heldId, heldIds }) => ["POST", `/v1/held-events/${heldId}/accept`, { ids: heldIds.slice(0, 1) }],
    ...ofMachine("/ids"),
  },
  {
    ...{ what: "held counts that are dropped", by: "dropHeldEvents" },
    send: (_, { heldId, heldIds }) => ["POST", `/v1/held-events/${heldId}/drop`, { ids: heldIds.slice(1) }],
    ...nothing,
  },
  {
    ...{ what: "an import", by: "createImport" },
    run: async (p) => {
      const id = await importOf(p, countAt(p.nodeId, AT + 13, 3, { id: "imported" }));
      const [error] = (await p.send("GET", `/v1/imports/${id}/errors`)).body.data;
      return error ? (`${error.code} /${error.member}` as Outcome) : "done";
    },
    ...ofMachine("/at"),
  },
  {
    ...{ what: "an import that is taken back", by: "undoImport" },
    send: (_, { importId }) => ["POST", `/v1/imports/${importId}/undo`],
    ...ofDatabase("/path/id"),
  },
  {
    ...{ what: "a sign-in by a person", by: "signOperatorIn" },
    send: ({ machineId }, { operatorId }) => ["POST", `/v1/machines/${machineId}/sign-in`, { operatorId, at: iso(AT) }],
    ...ofMachine("/at"),
  },
  {
    ...{ what: "a sign-out by a person", by: "signOperatorOut" },
    send: ({ machineId }, { operatorId }) => ["POST", `/v1/machines/${machineId}/sign-out`, { operatorId, at: iso(AT + 1) }],
    ...ofMachine("/at"),
  },
  {
    ...{ what: "a run that a person begins", by: "startRun" },
    send: ({ machineId }, { skuId }) => ["POST", `/v1/machines/${machineId}/run`, { skuId, at: iso(AT) }],
    ...ofMachine("/at"),
  },
  {
    ...{ what: "a correction", by: "createCorrection" },
    send: ({ machineId }) => ["POST", "/v1/corrections", { machineId, at: iso(AT), total: 1, comment: "Found" }],
    ...ofMachine("/at"),
  },
  {
    ...{ what: "an undone correction", by: "undoCorrection" },
    send: (_, { correctionId }) => ["DELETE", `/v1/corrections/${correctionId}`],
    ...ofMachine("/path/id"),
  },
  {
    ...{ what: "a withdrawal of events", by: "createEventWithdrawal", dryRun: "body" },
    send: ({ machineId }) => ["POST", "/v1/event-withdrawals", withdrawalOf(machineId, AT)],
    ...ofMachine("/from"),
  },
  {
    ...{ what: "restored events", by: "restoreEvents" },
    send: (_, { withdrawalId }) => ["DELETE", `/v1/event-withdrawals/${withdrawalId}`],
    ...ofMachine("/path/id"),
  },
  {
    ...{ what: "what was made", by: "amendRuns" },
    send: ({ machineId }, { skuId }) => {
      const runs = [{ startTime: interval.from, skuId, workOrderId: null }];
      return ["PUT", `/v1/machines/${machineId}/runs`, { ...interval, runs }];
    },
    ...ofMachine("/from"),
  },
  {
    ...{ what: "what was made, taken back", by: "undoRunAmendment" },
    send: ({ machineId }, { amendedRunsId }) => ["DELETE", `/v1/machines/${machineId}/runs/${amendedRunsId}`],
    ...ofMachine("/path/amendmentId"),
  },
  {
    ...{ what: "who was there", by: "amendPresences" },
    send: ({ machineId }, { operatorId }) => {
      const presences = [{ operatorId, startTime: interval.from, endTime: interval.to }];
      return ["PUT", `/v1/machines/${machineId}/presences`, { ...interval, presences }];
    },
    ...ofMachine("/from"),
  },
  {
    ...{ what: "who was there, taken back", by: "undoPresenceAmendment" },
    send: ({ machineId }, { amendedPresencesId }) => ["DELETE", `/v1/machines/${machineId}/presences/${amendedPresencesId}`],
    ...ofMachine("/path/amendmentId"),
  },
  {
    ...{ what: "a classification of a stop", by: "classifyStop" },
    send: (_, { stops, causeId }) => ["PUT", `/v1/stops/${stops[0]?.id}/classification`, { generalCauseId: causeId }],
    ...ofMachine("/path/id"),
  },
  {
    ...{ what: "a classification that is taken away", by: "declassifyStop" },
    send: (_, { classifiedId }) => ["DELETE", `/v1/stops/${classifiedId}/classification`],
    ...ofMachine("/path/id"),
  },
  {
    ...{ what: "a change of a stop", by: "changeStop" },
    send: (_, { stops }) => ["PATCH", `/v1/stops/${stops[1]?.id}`, { name: "Mould" }],
    ...ofMachine("/path/id"),
  },
  {
    ...{ what: "a split of a stop", by: "splitStop" },
    send: (_, { stops }) => {
      const { id, startAt = 0 } = stops[2] ?? {};
      return ["POST", `/v1/stops/${id}/split`, { at: iso(startAt + 5 * MINUTE) }];
    },
    ...ofMachine("/path/id"),
  },
  {
    ...{ what: "a merge of stops", by: "mergeStops" },
    send: (_, { partIds }) => ["POST", "/v1/stops/merge", { ids: partIds }],
    ...ofMachine("/ids"),
  },
  {
    ...{ what: "a stop that is recorded", by: "recordStop" },
    send: ({ machineId }) => {
      return ["POST", "/v1/stops", { machineId, startTime: iso(AT), endTime: iso(AT + MINUTE), name: "Forgotten" }];
    },
    ...ofMachine("/startTime"),
  },
  {
    ...{ what: "a recorded stop that is deleted", by: "deleteStop" },
    send: (_, { recordedId }) => ["DELETE", `/v1/stops/${recordedId}`],
    ...ofMachine("/path/id"),
  },
  {
    ...{ what: "a bulk classification", by: "classifyStops" },
    run: async ({ send }, { stops, causeId }) => {
      const { status, body } = await send("POST", "/v1/stops/classify", { ids: [stops[3]?.id], generalCauseId: causeId });
      if (status >= 300) throw new Error(JSON.stringify(body));
      return body.leftOut.closed.length > 0 ? "left out" : "done";
    },
    ...{ during: "done", after: "left out" },
  },
  {
    ...{ what: "an undone bulk classification", by: "undoStopClassification" },
    run: async ({ send }, { bulkId }) => {
      const { status, body } = await send("POST", `/v1/stop-classifications/${bulkId}/undo`);
      if (status >= 300) throw new Error(JSON.stringify(body));
      return body.kept > 0 ? "left out" : "done";
    },
    ...{ during: "done", after: "left out" },
  },
  {
    ...{ what: "an orphaned edit that is put on another stop", by: "attachOrphanedEdit" },
    send: (_, { orphans, otherId }) => ["POST", `/v1/orphaned-edits/${orphans[0]?.id}/attach`, { stopId: otherId }],
    ...ofMachine("/stopId"),
  },
  {
    ...{ what: "an orphaned edit that is dropped", by: "dropOrphanedEdit" },
    send: (_, { orphans }) => ["DELETE", `/v1/orphaned-edits/${orphans[1]?.id}`],
    ...nothing,
  },
  ...(["absolute", "delta"] as const).map(
    (mode): Writer => ({
      ...{ what: `a report of progress (${mode})`, by: "updateProgress" },
      send: (_, { workOrderId, skuId }) => {
        return ["PATCH", `/work/${workOrderId}/progress`, { skuId, mode, correct: 5, occurredAt: iso(AT) }];
      },
      ...ofDatabase("/occurredAt"),
    }),
  ),
  {
    ...{ what: "a recalculation", by: "createRecalculation" },
    send: ({ machineId }) => ["POST", "/v1/recalculations", { reason: "Doubts", machineIds: [machineId], from: iso(AT) }],
    ...ofDatabase("/from"),
  },
  {
    ...{ what: "limits of a machine from before", by: "changeMachine", dryRun: "body" },
    send: ({ machineId }) => ["PATCH", `/v1/machines/${machineId}`, { stopAfterSeconds: 60, ...dated }],
    ...ofDatabase("/effectiveFrom"),
  },
  {
    ...{ what: "a machine that is commissioned earlier", by: "changeMachine", dryRun: "body" },
    send: ({ machineId }) => ["PATCH", `/v1/machines/${machineId}`, { commissionedAt: iso(START - HOUR) }],
    ...ofDatabase("/commissionedAt"),
  },
  {
    ...{ what: "a shift from before", by: "changeShift", dryRun: "body" },
    send: ({ shiftId }) => [
      "PATCH",
      `/v1/shifts/${shiftId}`,
      { breaks: [{ name: "Pause", start: "21:00", end: "21:30" }], ...dated },
    ],
    ...ofDatabase("/effectiveFrom"),
  },
  {
    ...{ what: "a standard from before", by: "changeSku", dryRun: "body" },
    send: (_, { skuId }) => {
      return ["PATCH", `/v1/skus/${skuId}`, { standards: [{ machineId: null, standardCycleSeconds: 7 }], ...dated }];
    },
    ...ofDatabase("/effectiveFrom"),
  },
  {
    ...{ what: "the company's time zone from before", by: "changeCompany", dryRun: "body" },
    send: ({ companyId }) => ["PATCH", `/v1/companies/${companyId}`, { timezone: "Europe/Madrid", ...dated }],
    ...ofDatabase("/effectiveFrom"),
  },
  ...(
    [
      ["machines", "withdrawMachineVersion", ({ machineId }) => machineId],
      ["shifts", "withdrawShiftVersion", ({ shiftId }) => shiftId],
      ["skus", "withdrawSkuVersion", (_, { skuId }) => skuId],
      ["companies", "withdrawCompanyVersion", ({ companyId }) => companyId],
    ] as [kind: string, by: NumberOperation, id: (p: Plant, things: Things) => number | string][]
  ).map(
    ([kind, by, id]): Writer => ({
      ...{ what: `a version of ${kind} that is withdrawn`, by, dryRun: "query" },
      send: (p, things) => ["DELETE", `/v1/${kind}/${id(p, things)}/versions/${things.versionIds[kind]}`],
      ...ofDatabase("/path/versionId"),
    }),
  ),
  {
    ...{ what: "count sensors from before", by: "putCountSensor", dryRun: "body" },
    send: ({ machineId, nodeId }) => {
      const configs = [{ type: "total", countingFactor: 2, channel: 1, nodeId }];
      const body = { isCountEnabled: true, configs, effectiveFrom: iso(AT), reason: "A wrong factor" };
      return ["PUT", `/v1/machines/${machineId}/count-sensor`, body];
    },
    ...ofDatabase("/effectiveFrom"),
  },
  {
    ...{ what: "a calendar day", by: "createCalendarDay", dryRun: "body" },
    send: () => ["POST", "/v1/calendar-days", { date: iso(AT).slice(0, 10), scope: "company", closed: true }],
    ...ofDatabase("/date"),
  },
  {
    ...{ what: "a calendar day in a plant file", by: "putPlantFile", dryRun: "query" },
    send: () => {
      const day = { date: iso(AT).slice(0, 10), scope: "company", shifts: [] };
      return ["PUT", "/v1/plant", { formatVersion: 1, calendarDays: [day] }];
    },
    ...ofDatabase("/calendarDays/0"),
  },
  {
    ...{ what: "a changed calendar day", by: "changeCalendarDay", dryRun: "body" },
    send: ({ shiftId }, { calendarDayId }) => {
      return ["PATCH", `/v1/calendar-days/${calendarDayId}`, { shifts: [{ shiftId, start: "01:00", end: "02:00" }] }];
    },
    ...ofDatabase("/path/id"),
  },
  {
    ...{ what: "a calendar day that is deleted", by: "deleteCalendarDay", dryRun: "query" },
    send: (_, { calendarDayId }) => ["DELETE", `/v1/calendar-days/${calendarDayId}`],
    ...ofDatabase("/path/id"),
  },
  {
    ...{ what: "a calendar day that is restored", by: "restoreCalendarDay" },
    send: async ({ companyId }) => {
      const date = iso(AT - 24 * HOUR).slice(0, 10);
      const { id } = await createCalendarDay(companyId, { date, deletedAt: AT });
      return ["POST", `/v1/calendar-days/${id}/restore`];
    },
    ...ofDatabase("/path/id"),
  },
  {
    ...{ what: "a machine that was commissioned before", by: "createMachine" },
    send: () => {
      const name = crypto.randomUUID();
      return ["POST", "/v1/machines", { name, ref: name, nodeId: 77, commissionedAt: iso(AT) }];
    },
    ...ofDatabase("/commissionedAt"),
  },
  {
    ...{ what: "an operator plan of before", by: "createOperatorPlan" },
    send: ({ machineId, shiftId }, { operatorId }) => {
      const body = { title: crypto.randomUUID(), since: iso(START), until: iso(TO + 60 * HOUR) };
      return ["POST", "/v1/operator-plans", { ...body, assignments: [{ operatorId, machineId, shiftId }] }];
    },
    ...nothing,
  },
  {
    ...{ what: "an order that is completed", by: "updateProgress" },
    send: (_, { workOrderId }) => ["PATCH", `/work/${workOrderId}/progress`, { mode: "delta", status: "Completed" }],
    ...nothing,
  },
  {
    ...{ what: "set-up of from now on", by: "changeMachine" },
    run: async ({ send, machineId, companyId }) => {
      const company = answered(await send("PATCH", `/v1/companies/${companyId}`, { timezone: "Asia/Tokyo" }));
      const limits = { stopAfterSeconds: 30, noDataAfterSeconds: 60 };
      const machine = answered(await send("PATCH", `/v1/machines/${machineId}`, limits));
      await configureMachine(machineId);
      return company === "done" ? machine : company;
    },
    ...nothing,
  },
  {
    ...{ what: "count sensors of from now on", by: "updateCountSensors" },
    run: async ({ companyId, machine }) => {
      const { token } = await createUser(companyId, "superuser");
      const configs = [{ type: "total", countingFactor: 3, channel: 1, nodeId: machine.nodeId }];
      const updated = [{ machineRef: machine.ref, isCountEnabled: true, configs }];
      const body = { companyId, added: [], updated, deleted: [] };
      return answered(await call("PATCH", "/backoffice/machines/count-sensors", { token, body }));
    },
    ...nothing,
  },
  {
    ...{ what: "another end of an operator plan", by: "changeOperatorPlan" },
    send: (_, { planIds }) => ["PATCH", `/v1/operator-plans/${planIds[0]}`, { until: iso(TO + 50 * HOUR) }],
    ...nothing,
  },
  {
    ...{ what: "another end of an operator plan, by its former path", by: "updateOperatorPlan" },
    send: (_, { planIds }) => ["PUT", `/operator-plan/${planIds[1]}`, { until: iso(TO + 50 * HOUR) }],
    ...nothing,
  },
  {
    ...{ what: "an operator plan that is deleted", by: "deleteOperatorPlan" },
    send: (_, { planIds }) => ["DELETE", `/v1/operator-plans/${planIds[2]}`],
    ...nothing,
  },
  {
    ...{ what: "a file with an operator plan of before", by: "uploadOperatorPlan" },
    run: async ({ machine, token, send, shiftId }, { operatorCode }) => {
      const { name: shiftName } = (await send("GET", `/v1/shifts/${shiftId}`)).body;
      const query = new URLSearchParams({ title: crypto.randomUUID(), since: iso(START), until: iso(TO + 60 * HOUR) });
      const body = `operatorCode,machineRef,shiftName\n${operatorCode},${machine.ref},${shiftName}\n`;
      const headers = { "content-type": "text/csv" };
      return answered(await call("POST", `/v1/operator-plans/csv?${query}`, { token, body, headers }));
    },
    ...nothing,
  },
  {
    ...{ what: "an operator who is deleted", by: "deleteOperator" },
    send: (_, { operatorId }) => ["DELETE", `/v1/operators/${operatorId}`],
    ...nothing,
  },
  {
    ...{ what: "an order that goes on at another machine", by: "updateWorkOrder" },
    send: async ({ companyId }, { workOrderId }) => {
      const { id } = await createMachine(companyId, { commissionedAt: Date.now() });
      return ["PUT", "/work-order-target", { machines: [String(id)], workOrder: { id: workOrderId, status: "InProgress" } }];
    },
    ...nothing,
  },
  {
    ...{ what: "an order that is deleted", by: "deleteWorkOrder" },
    send: (_, { freshOrderId }) => ["DELETE", `/v1/work-orders/${freshOrderId}`],
    ...nothing,
  },
  {
    ...{ what: "another meaning of a cause", by: "changeStopCause" },
    send: (_, { causeId }) => ["PATCH", `/v1/stop-causes/${causeId}`, { isProgrammed: true }],
    ...nothing,
  },
  {
    ...{ what: "a cause that is deleted", by: "deleteStopCause" },
    send: (_, { causeId }) => ["DELETE", `/v1/stop-causes/${causeId}`],
    ...nothing,
  },
  {
    ...{ what: "an SKU that is deleted", by: "deleteSku" },
    send: (_, { formerSkuId }) => ["DELETE", `/v1/skus/${formerSkuId}`],
    ...nothing,
  },
  {
    ...{ what: "a shift that is deleted", by: "deleteShift" },
    send: ({ shiftId }) => ["DELETE", `/v1/shifts/${shiftId}`],
    ...nothing,
  },
  {
    ...{ what: "a new shift", by: "createShift" },
    send: () => ["POST", "/v1/shifts", { name: crypto.randomUUID(), start: "06:00", end: "14:00", days: ["monday"] }],
    ...nothing,
  },
  {
    ...{ what: "readers, and the alarm", by: null },
    run: async ({ send, machineId, token }) => {
      await send("GET", `/v1/machines/${machineId}/shifts/${iso(TO - 24 * HOUR)}/explain`);
      await call("GET", `/v1/machines/${machineId}/state`, { token });
      await evictDurableObject(machineObject(env, machineId));
      await runInDurableObject(machineObject(env, machineId), (object) => object.alarm());
      return "done";
    },
    ...nothing,
  },
  {
    ...{ what: "a machine that is deleted", by: "deleteMachine" },
    send: ({ machineId }) => ["DELETE", `/v1/machines/${machineId}`],
    ...nothing,
  },
  {
    ...{ what: "everything that is sent to the database again", by: null },
    run: async ({ machineId }) => {
      await republish(machineId);
      return "done";
    },
    ...nothing,
  },
];
