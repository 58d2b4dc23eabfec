import { z } from "@hono/zod-openapi";
import type { MachineNow } from "../../objects/machine-protocol.ts";
import type { AvailabilityStatus } from "../../oee/availability.ts";

/** The present status of a machine. */
export const machineStatus = z.enum(["A", "N", "P", "O", "D", "U"]).openapi({
  description:
    "A available, N not available (non-programmed stop), P programmed stop, O stop outside availability, D no data, " +
    "U outside shifts or out of service",
});

export const statusSince = z.iso.datetime().nullable().openapi({
  description:
    "When the status began: of a stop its start, of A and D not before the start of the shift. Null: more than two weeks ago",
});

export const degradedMark =
  "Whether the machine's periodic work fails at present: reports lack its newest numbers. It is retried until it succeeds. If the state cannot be " +
  "computed either, the status is D, and what else is unknown is null or empty. Also true while rows of the machine's object cannot be read " +
  "(`unreadableRows` of `/health`): its numbers lack what they said";

export const recalculatingMark =
  "Whether numbers of its past are being recalculated: those of reports may change in the next minutes without anything new at the machine";

const statuses: Record<NonNullable<MachineNow["bucket"]>, AvailabilityStatus> = {
  available: "A",
  nonProgrammed: "N",
  programmed: "P",
  other: "O",
  noData: "D",
};

export function statusOf({ bucket }: Pick<MachineNow, "bucket">): AvailabilityStatus {
  return bucket ? statuses[bucket] : "U";
}

export const heldMark =
  "How many of its counts are held, because it cannot have made them: they add nothing. See `/v1/held-events`";
