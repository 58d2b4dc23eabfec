import { z } from "@hono/zod-openapi";
import { idParameter, instant, text } from "../../../core/inputs.ts";
import { objectUsage } from "../../../http/session.ts";
import { tellMachines } from "../../../machine/tell-machines.ts";
import { isoOf } from "../../../oee/time.ts";
import { setUpAccess } from "../access.ts";
import { companyIdMember, type Resource, stampMembers, stampsOf } from "../resource.ts";
import { type MachineRow, machineTable } from "./queries.ts";

const maxSeconds = 7 * 86_400;

const seconds = (description: string) =>
  z
    .number()
    .min(0)
    .max(maxSeconds)
    .openapi({ description: `Seconds. ${description}` });
const own = {
  name: text(200).min(1).openapi({ example: "Press 1" }),
  ref: text(100).min(1).openapi({ description: "What the company calls it, unique there", example: "PRESS-01" }),
  nodeId: z
    .int()
    .min(0)
    .max(2 ** 31)
    .openapi({ description: "Its gateway", example: 1 }),
};
const signal = z.enum(["counts", "states"]).openapi({ description: "What it is known by: count pulses, or states sent for it" });
const stopAfterSeconds = seconds("A gap between counts (or a spell that does not run) longer than this is a stop");
const noDataAfterSeconds = seconds("Silence longer than this is no data; null: it never is").nullable();
const standardCycleSeconds = z.number().gt(0).max(maxSeconds).nullable().openapi({
  description: "Seconds per cycle, for SKUs without a standard of their own; null: none",
});
// Every shift since then gets a record.
const earliest = Date.UTC(2000, 0, 1);
const commissionedAt = instant
  .refine((at) => at >= earliest, "must not be before the year 2000")
  .openapi({ type: "string", format: "date-time", description: "The beginning of its ledger" });
const decommissionedAt = instant.nullable().openapi({
  type: ["string", "null"],
  description: "The end of its ledger; null: in service. It is changed to a time to come alone, and fixed once it has come",
});
const timestamp = z.iso.datetime();

const all = { ...own, signal, stopAfterSeconds, noDataAfterSeconds, standardCycleSeconds, commissionedAt, decommissionedAt };

export const machines: Resource<MachineRow> = {
  name: "Machine",
  names: "Machines",
  noun: "machine",
  nouns: "machines",
  path: "/v1/machines",
  description: `A machine is live at once. Until its first event it is still being set up: whatever its numbers depend on (shifts, time zone,
operator plan, count sensors, standards, limits) holds from its commissioning, in whatever order it was made. Afterwards changes take effect from
now on and closed shifts keep their numbers. A deleted machine is decommissioned, and its channels and its ref are free.`,
  access: setUpAccess,
  table: machineTable,
  example: { name: "Press 1", ref: "PRESS-01", nodeId: 1, standardCycleSeconds: 12 },
  id: idParameter,
  item: z
    .object({
      id: z.int(),
      companyId: companyIdMember,
      ...all,
      commissionedAt: timestamp,
      decommissionedAt: timestamp.nullable(),
    })
    .extend(stampMembers)
    .openapi("Machine"),
  create: z.object({
    ...own,
    signal: signal.default("counts"),
    stopAfterSeconds: stopAfterSeconds.default(120),
    noDataAfterSeconds: noDataAfterSeconds.default(300),
    standardCycleSeconds: standardCycleSeconds.default(null),
    commissionedAt: commissionedAt.optional().openapi({
      description:
        "The beginning of its ledger: events before it are refused, so name an early one to import history. Now when left out",
    }),
    decommissionedAt: decommissionedAt.default(null),
  }),
  change: z.object(all).partial(),
  toItem(row) {
    const { id, companyId, name, ref, nodeId, standardCycleSeconds } = row;
    const limits = { stopAfterSeconds: row.stopAfterSeconds, noDataAfterSeconds: row.noDataAfterSeconds };
    const service = { commissionedAt: isoOf(row.commissionedAt), decommissionedAt: isoOf(row.decommissionedAt) };
    return {
      id,
      companyId,
      name,
      ref,
      nodeId,
      signal: row.signal,
      ...limits,
      standardCycleSeconds,
      ...service,
      ...stampsOf(row),
    };
  },
  derive: async (sent, before) => ({ values: before || sent.commissionedAt !== undefined ? {} : { commissionedAt: Date.now() } }),
  faults({ commissionedAt, decommissionedAt }, before) {
    if (before && before.commissionedAt !== commissionedAt) {
      return [{ pointer: "/commissionedAt", code: "fixed", message: "is fixed: the machine's ledger began then" }];
    }
    const refused = (code: string, message: string) => [{ pointer: "/decommissionedAt", code, message }];
    if (decommissionedAt !== null && decommissionedAt <= commissionedAt)
      return refused("not_in_order", "must be after commissionedAt");
    if (!before || before.decommissionedAt === decommissionedAt) return [];
    // Shifts that ended, or go on, have their numbers: the ledger is neither cut short nor begun again behind them.
    const now = Date.now();
    if (before.decommissionedAt !== null && before.decommissionedAt <= now)
      return refused("fixed", "is fixed: the ledger ended then");
    return decommissionedAt === null || decommissionedAt > now ? [] : refused("past", "must not be in the past");
  },
  // Its object wakes for its shifts, also when no event ever comes. What fails here the next sweep repeats.
  created: (c, { id, configVersion }) => tellMachines(c.env, [{ machineId: id, configVersion }], objectUsage(c)),
};
