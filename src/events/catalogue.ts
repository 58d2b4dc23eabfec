import { z } from "zod";
import { alertKinds, type EventType, revisionReasons, workOrderStatuses } from "../db/values.ts";

// All types of events. docs/events.md and the webhooks of the OpenAPI document are generated from this. The Worker does not import it: the code that
// writes events builds them, and the tests check them against these schemas.

/** Describes a type of event. */
export interface EventDescription {
  /** When it is written, and what it means. */
  when: string;
  data: z.ZodObject;
  example: Record<string, unknown>;
}

const instant = z.iso.datetime();
const name = z.string().nullable();
const id = z.int().nullable();
/** The changes: for each member, its previous and its new value. */
const changes = z
  .record(z.string(), z.strictObject({ from: z.unknown(), to: z.unknown() }))
  .describe("The members that differ from the previous event about it, with their old and new values");
const minutes = z.number().describe("Minutes, two decimals");
const percent = z.number().describe("Percent, two decimals");

const machine = {
  machineId: z.int(),
  machineName: name,
  lineId: id.describe("The line that the machine was in; null: none"),
  lineName: name,
};

const stop = {
  ...machine,
  stopId: z.int().describe("As in `/v1/stops/{id}`"),
  shiftId: id.describe("The shift in which it began; null: none"),
  shiftName: name,
  since: instant,
  until: instant.nullable().describe("Null: the stop is still open"),
  isManual: z.boolean().describe("Whether a person recorded it"),
  isProgrammed: z.boolean(),
  isIncludedInStops: z.boolean(),
  isIncludedInAvailability: z.boolean(),
  name: name.describe("A name given by a person"),
  breakName: name.describe("The planned break that caused it"),
  generalCauseId: id,
  generalCauseName: name,
  specificCauseId: id,
  specificCauseName: name,
  componentId: id,
  componentName: name,
  description: z.string().nullable(),
};

const shift = {
  ...machine,
  recordId: z.int().describe("As in `/v1/shift-records/{id}`"),
  shiftId: z.int(),
  shiftName: name,
  since: instant,
  until: instant,
  availableMinutes: minutes,
  noDataMinutes: minutes,
  programmedMinutes: minutes,
  nonProgrammedMinutes: minutes,
  otherMinutes: minutes.describe("Minutes of stops that are not included in availability"),
  cycles: z.number(),
  total: z.number().describe("Units counted"),
  defects: z.number(),
  availability: percent,
  effectiveness: percent,
  quality: percent,
  oee: percent,
};

const operator = { ...machine, operatorId: z.int(), operatorName: name, since: instant };

const workOrder = {
  workOrderId: z.string(),
  code: z.string(),
  name: z.string(),
  status: z.enum(workOrderStatuses),
  dueAt: instant.nullable().describe("Its `estimatedDeliveryTime`; null: none"),
  machineIds: z.array(z.int()),
};

const alert = {
  incidentId: z.string().describe("As in `/v1/incidents/{id}`"),
  ruleId: z.string(),
  ruleName: name,
  kind: z.enum(alertKinds),
  machineId: id.describe("The first machine; null: it concerns no machine"),
  machineName: name,
  lineId: id,
  lineName: name,
  nodeId: id.describe("The silent gateway; null: it concerns no gateway"),
  machineIds: z
    .array(z.int())
    .describe("The machines concerned, as known at that time: more machines of a silent gateway may follow. At most 1,000"),
  machineCount: z.int().nullable().describe("How many these are, listed or not; null: the event is older than this member"),
  since: instant.describe("When the cause of the alert began"),
  level: z.int().describe("The number of levels that were notified"),
  facts: z.record(z.string(), z.unknown()).describe("The values that the rule found; they depend on its kind"),
};

const aMachine = { machineId: 12, machineName: "Press 1", lineId: 3, lineName: "Bottling" };
const aStop = {
  ...aMachine,
  ...{ stopId: 805306375, shiftId: 4, shiftName: "Morning", since: "2026-03-02T09:14:05.000Z", until: null },
  ...{
    isManual: false,
    isProgrammed: false,
    isIncludedInStops: true,
    isIncludedInAvailability: true,
    name: null,
    breakName: null,
  },
  ...{ generalCauseId: null, generalCauseName: null, specificCauseId: null, specificCauseName: null },
  ...{ componentId: null, componentName: null, description: null },
};
const aClosedStop = { ...aStop, until: "2026-03-02T09:31:40.000Z" };
const aShift = {
  ...aMachine,
  ...{ recordId: 805306370, shiftId: 4, shiftName: "Morning" },
  ...{ since: "2026-03-02T06:00:00.000Z", until: "2026-03-02T14:00:00.000Z" },
  ...{ availableMinutes: 340, noDataMinutes: 10, programmedMinutes: 40, nonProgrammedMinutes: 60, otherMinutes: 30 },
  ...{ cycles: 1445, total: 2890, defects: 58, availability: 77.27, effectiveness: 85, quality: 97.99, oee: 64.37 },
};
const anOperator = { ...aMachine, operatorId: 8, operatorName: "Jorge", since: "2026-03-02T06:01:12.000Z" };
const anOrder = {
  ...{ workOrderId: "0b6f6c1e-5a5c-4f0e-9a52-7d1f7f0f4a11", code: "WO-1001", name: "Spring batch", status: "Backlog" },
  ...{ dueAt: "2026-03-04T12:00:00.000Z", machineIds: [12, 13] },
};
const anAlert = {
  ...{ incidentId: "9f0c2f1e-1a52-4b0e-8f63-0d2e6a4c7b11", ruleId: "4d7f7f0f-5a5c-4f0e-9a52-7d1f7f0f4a12" },
  ...{ ruleName: "Long stop", kind: "stop", ...aMachine, nodeId: null, machineIds: [12], machineCount: 1 },
  ...{ since: "2026-03-02T09:14:05.000Z", level: 1, facts: { minutes: 5 } },
};

/** All types of events. */
export const catalogue: Readonly<Record<EventType, EventDescription>> = {
  "stop.opened": {
    when: "A machine has stood still for longer than its `stopAfterSeconds`, or a person recorded a stop. `since` is when it stopped.",
    data: z.strictObject(stop),
    example: aStop,
  },
  "stop.closed": {
    when: "A stop has ended. A stop that had already ended when it was found gets both events at once.",
    data: z.strictObject({ ...stop, until: instant }),
    example: aClosedStop,
  },
  "stop.changed": {
    when:
      "A published stop has changed: late signals moved its start or end or reopened it, or a person changed its flags or name, split or merged it. " +
      "With `isRemoved` it no longer exists, or is part of another stop.",
    data: z.strictObject({ ...stop, changes, isRemoved: z.boolean() }),
    example: {
      ...aClosedStop,
      changes: { until: { from: "2026-03-02T09:35:00.000Z", to: "2026-03-02T09:31:40.000Z" } },
      isRemoved: false,
    },
  },
  "stop.classified": {
    when: "A person set or removed the causes of a stop. `changes` includes the flags that changed with them.",
    data: z.strictObject({ ...stop, changes }),
    example: {
      ...aClosedStop,
      ...{ generalCauseId: 21, generalCauseName: "Jam", description: "Cap feeder" },
      changes: { generalCauseId: { from: null, to: 21 }, description: { from: null, to: "Cap feeder" } },
    },
  },
  "shift.closed": {
    when: "A shift of a machine has ended, or the machine was decommissioned during it. The numbers are those of the shift.",
    data: z.strictObject(shift),
    example: aShift,
  },
  "shift.revised": {
    when:
      "The numbers of a closed shift have changed: signals arrived late, a person changed its stops, or what numbers depend on was changed for a past " +
      "time. `GET /v1/shift-records/{id}/revisions` lists all changes of a shift.",
    data: z.strictObject({
      ...shift,
      changes,
      reasons: z
        .array(z.string())
        .nullable()
        .describe(`Why: ${revisionReasons.join(", ")}. More may come. Null: the event is older than this member`),
    }),
    example: { ...aShift, changes: { availability: { from: 75, to: 77.27 } }, reasons: ["edit"] },
  },
  "machine.no_data": {
    when: "A machine has sent nothing for longer than its `noDataAfterSeconds`. `since` is the time of its last signal.",
    data: z.strictObject({ ...machine, since: instant }),
    example: { ...aMachine, since: "2026-03-02T11:00:03.000Z" },
  },
  "machine.signal_back": {
    when: "A machine has sent signals again, the first at `until`. If they are late data, the silence was shorter than reported, or there was none.",
    data: z.strictObject({ ...machine, since: instant, until: instant }),
    example: { ...aMachine, since: "2026-03-02T11:00:03.000Z", until: "2026-03-02T11:10:00.000Z" },
  },
  "machine.counts_held": {
    when:
      "A machine was sent counts that it cannot have made. They are held: they add nothing until a person accepts them. Published for the first of " +
      "a UTC day.",
    data: z.strictObject({
      ...machine,
      heldId: z.int().describe("As in `/v1/held-events/{id}/events`"),
      reason: z.string().describe("Why they are held, such as `implausible`. More reasons may come"),
      count: z.int().describe("How many counts are held"),
      units: z.number().describe("The units that they would add"),
      since: instant.describe("Time of the first"),
      until: instant.describe("Time of the last"),
    }),
    example: {
      ...aMachine,
      ...{ heldId: 805473144, reason: "implausible", count: 1, units: 999999999 },
      ...{ since: "2026-03-02T11:10:00.000Z", until: "2026-03-02T11:10:00.000Z" },
    },
  },
  "operator.signed_in": {
    when: "An operator signed in at a machine. Published again if late events move it.",
    data: z.strictObject(operator),
    example: anOperator,
  },
  "operator.signed_out": {
    when:
      "An operator signed out, or was signed out by the end of the shift. Published again if late events move it; with `isRemoved` the sign-in no " +
      "longer exists.",
    data: z.strictObject({ ...operator, until: instant.nullable(), isRemoved: z.boolean() }),
    example: { ...anOperator, until: "2026-03-02T14:00:00.000Z", isRemoved: false },
  },
  "work_order.created": {
    when: "A work order was created.",
    data: z.strictObject(workOrder),
    example: anOrder,
  },
  "work_order.started": {
    when:
      "A work order went from Backlog or Planned to InProgress, once per order: because a person changed its status or reported progress, or " +
      "because a machine made its first units.",
    data: z.strictObject(workOrder),
    example: { ...anOrder, status: "InProgress" },
  },
  "work_order.late": {
    when:
      "An open work order is late: its `dueAt` has passed, or is before `expectedAt`, the time at which it will be finished at the present rate. " +
      "Published once per `dueAt`.",
    data: z.strictObject({ ...workOrder, expectedAt: instant.nullable() }),
    example: { ...anOrder, status: "InProgress", expectedAt: "2026-03-04T15:20:00.000Z" },
  },
  "work_order.completed": {
    when: "A work order was set to Completed. Published again if it was reopened in between.",
    data: z.strictObject(workOrder),
    example: { ...anOrder, status: "Completed" },
  },
  "alert.opened": {
    when: "An alert rule applies, and its first level is notified.",
    data: z.looseObject(alert),
    example: anAlert,
  },
  "alert.escalated": {
    when: "Nobody acknowledged an incident in time, and its next level is notified.",
    data: z.looseObject(alert),
    example: { ...anAlert, level: 2 },
  },
  "alert.acknowledged": {
    when: "A person acknowledged an incident: no further level is notified.",
    data: z.looseObject({ ...alert, userId: z.int(), userName: name }),
    example: { ...anAlert, userId: 7, userName: "Ana" },
  },
  "alert.resolved": {
    when: "The condition of an incident ended at `until`.",
    data: z.looseObject({ ...alert, until: instant }),
    example: { ...anAlert, until: "2026-03-02T09:31:40.000Z" },
  },
  "help.called": {
    when: "Someone at a machine called for help.",
    data: z.strictObject({
      ...machine,
      helpCallId: z.int().describe("As in `/v1/help-calls/{id}`"),
      since: instant,
      message: z.string().nullable().describe("The caller's message; null: none"),
      userId: z.int().describe("Who called"),
      userName: name,
    }),
    example: {
      ...aMachine,
      ...{ helpCallId: 41, since: "2026-03-02T09:20:00.000Z", message: "Cap feeder jams", userId: 9, userName: "Luis" },
    },
  },
};
