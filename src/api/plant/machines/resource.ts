import { z } from "@hono/zod-openapi";
import { idOrNull, idParameter, idShape, instant, listText, nameText, text } from "../../../core/inputs.ts";
import { recalculatingMember } from "../../../core/recalculating.ts";
import { HOLD_FACTOR } from "../../../oee/plausible.ts";
import { isoOf } from "../../../oee/time.ts";
import { companyIdMember, type Resource, setUpAccess, stampMembers, stampsOf } from "../../../resource/resource.ts";
import { versionedMembers } from "../../../resource/versions.ts";
import { machineThresholds, newMachineThresholds, ownThresholds } from "../thresholds.ts";
import { type MachineRow, machineTable } from "./queries.ts";
import { removeMachine, restoreMachine, storeMachine } from "./rules.ts";

const maxSeconds = 7 * 86_400;

const seconds = (description: string) =>
  z
    .number()
    .min(0)
    .max(maxSeconds)
    .openapi({ description: `Seconds. ${description}` });
const own = {
  name: nameText(200).openapi({ example: "Press 1" }),
  ref: nameText(100).openapi({ description: "The company's own name for it, unique in the company", example: "PRESS-01" }),
  nodeId: z
    .int()
    .min(0)
    .max(2 ** 31)
    .openapi({ description: "The gateway's number", example: 1 }),
};
const signal = z
  .enum(["counts", "states"])
  .openapi({ description: "What its status is derived from: its count pulses, or the states that are sent for it" });
const stopAfterSeconds = seconds(
  "A gap between counts (or a time without running, by its states) that is longer than this is a stop",
);
const noDataAfterSeconds = seconds(
  "When nothing is received for longer than this, the time is no data; null: it never is",
).nullable();
const reportingSeconds = z
  .number()
  .gt(0)
  .max(86_400)
  .nullable()
  .openapi({
    description: `Seconds. The longest time over which the device collects counts before it sends them; null: it sends each when it is made. A
count without \`since\` was then made in that time before its \`at\`, and stops and no data are shown that much later`,
  });
const holdFactor = z
  .number()
  .min(1)
  .max(1_000_000)
  .nullable()
  .openapi({
    description: `A count with more than 1,000 cycles, and more than this many times what fits at the standard since the last count of its channel,
is held until an admin accepts it: \`GET /v1/held-events\`. Without a standard, one of more than 1,000,000 pulses is. null: none is`,
  });
const standardCycleSeconds = z.number().gt(0).max(maxSeconds).nullable().openapi({
  description: "Seconds per cycle, for SKUs without a standard of their own; null: none",
});
const hourlyRate = z.number().min(0).max(1e9).nullable().openapi({
  description:
    "What an hour of this machine's time is worth, in the company's currency: losses in money are calculated from it; null: not known. A change takes effect with the next shift",
});
// A limit, because every shift since the commissioning gets a record.
const earliest = Date.UTC(2000, 0, 1);
const commissionedAt = instant
  .refine((at) => at >= earliest, "must not be before the year 2000")
  .openapi({
    type: "string",
    format: "date-time",
    description: "Start of its ledger. Once an event is stored, it can only become earlier",
  });
const decommissionedAt = instant.nullable().openapi({
  type: ["string", "null"],
  description: "End of its ledger; null: in service. Can only be set to a future time, and cannot change once that has passed",
});
const timestamp = z.iso.datetime();
const lineId = idOrNull(
  "The line that the machine belongs to; null: none. A change takes effect with the next shift, until the first event from the commissioning on",
);

const all = {
  ...own,
  lineId,
  signal,
  stopAfterSeconds,
  noDataAfterSeconds,
  reportingSeconds,
  holdFactor,
  standardCycleSeconds,
  hourlyRate,
  ...machineThresholds,
  commissionedAt,
  decommissionedAt,
};

export const machines: Resource<MachineRow> = {
  names: { type: "Machine", types: "Machines", noun: "machine", nouns: "machines" },
  path: "/v1/machines",
  filters: {
    ref: text(100).optional().openapi({ description: "The machine with this ref", example: "PRESS-01" }),
    lineIds: listText(idParameter, idShape).optional().openapi({ description: "Machines in one of these lines" }),
  },
  description: `A machine is live at once. Until its first event, everything its numbers depend on (shifts, time zone, operator plan, count
sensors, standards, limits) applies from its commissioning on, whatever the order of set-up. After that, changes take effect from now on, and closed
shifts keep their numbers. A deleted machine is decommissioned, and its channels and its ref are free. When it is restored, it is in service again, with those of its
channels that are still free, and the time in between has no shifts.`,
  access: { ...setUpAccess, machines: { get: "path" } },
  table: machineTable,
  members: {
    id: idParameter,
    item: z
      .object({
        id: z.int(),
        companyId: companyIdMember,
        ...all,
        lineId: z.int().nullable().openapi({ description: "The line that it is in; null: none" }),
        commissionedAt: timestamp,
        decommissionedAt: timestamp.nullable(),
        isRecalculating: recalculatingMember,
      })
      .extend(stampMembers)
      .openapi("Machine"),
    create: z.object({
      ...own,
      lineId: lineId.default(null),
      signal: signal.default("counts"),
      stopAfterSeconds: stopAfterSeconds.default(120),
      noDataAfterSeconds: noDataAfterSeconds.default(300),
      reportingSeconds: reportingSeconds.default(null),
      holdFactor: holdFactor.default(HOLD_FACTOR),
      standardCycleSeconds: standardCycleSeconds.default(null),
      hourlyRate: hourlyRate.default(null),
      ...newMachineThresholds,
      commissionedAt: commissionedAt.optional().openapi({
        description:
          "Start of its ledger: earlier events are refused, so choose an early time to import history. Defaults to now",
      }),
      decommissionedAt: decommissionedAt.default(null),
    }),
    change: z.object(all).partial(),
    example: { name: "Press 1", ref: "PRESS-01", nodeId: 1, standardCycleSeconds: 12 },
  },
  shape: {
    item(row) {
      const { id, companyId, name, ref, nodeId, lineId, signal, stopAfterSeconds, noDataAfterSeconds, standardCycleSeconds } =
        row;
      return {
        ...{ id, companyId, name, ref, nodeId, lineId, signal, stopAfterSeconds, noDataAfterSeconds, standardCycleSeconds },
        reportingSeconds: row.reportingSeconds,
        holdFactor: row.holdFactor,
        hourlyRate: row.hourlyRate,
        ...ownThresholds(row),
        commissionedAt: isoOf(row.commissionedAt),
        decommissionedAt: isoOf(row.decommissionedAt),
        isRecalculating: typeof row.recalculatingFrom === "number",
        ...stampsOf(row),
      };
    },
    audited: ({ isRecalculating: _, ...item }) => item,
  },
  versioned: [
    versionedMembers(
      "limits",
      ({ signal, stopAfterSeconds, noDataAfterSeconds, standardCycleSeconds, reportingSeconds, hourlyRate }) => ({
        ...{ signal, stopAfterSeconds, noDataAfterSeconds, standardCycleSeconds, reportingSeconds, hourlyRate },
      }),
    ),
    versionedMembers("line", ({ lineId }) => ({ lineId: lineId ?? null })),
    versionedMembers("service", ({ commissionedAt, decommissionedAt }) => ({ commissionedAt, decommissionedAt }), {
      shownOf: (body) => ({ commissionedAt: isoOf(body.commissionedAt), decommissionedAt: isoOf(body.decommissionedAt) }),
    }),
  ],
  inSetUp: ({ id: machineId, ...row }) => ({
    machine: {
      ...{ machineId, lineId: row.lineId, nodeId: row.nodeId, signal: row.signal, hourlyRate: row.hourlyRate },
      ...{ stopAfterSeconds: row.stopAfterSeconds, noDataAfterSeconds: row.noDataAfterSeconds },
      ...{ reportingSeconds: row.reportingSeconds, standardCycleSeconds: row.standardCycleSeconds },
      ...{ holdFactor: row.holdFactor, commissionedAt: row.commissionedAt, decommissionedAt: row.decommissionedAt },
    },
  }),
  watched: "set-up",
  rules: { store: storeMachine(null), remove: removeMachine, restore: restoreMachine },
};
