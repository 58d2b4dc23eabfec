import type { Context } from "hono";
import { conflict, invalid, notFound, type Problem } from "../../core/problem.ts";
import type { UserEnv } from "../../http/env.ts";
import { askMachine, continueAt, db } from "../../http/session.ts";
import type { EditRefusal, StopEdit } from "../../machine/edit-stops.ts";
import { companyOf } from "../setup/scope.ts";
import { findCauses, findMachineAndCauses, type StopCause } from "./queries.ts";
import { slicedStopOf } from "./stop.ts";

/** The machine whose stops are edited, and the causes that the request names. */
export interface Scene {
  machineId: number;
  companyId: number;
  machineName: string;
  isDeleted: boolean;
  configVersion: number;
  causes: StopCause[];
}

/** Reads what an edit is checked against; null: the actor has no such machine. One trip. */
export async function readScene(c: Context<UserEnv>, machineId: number, causeIds: readonly number[] = []): Promise<Scene | null> {
  const { machine, causes } = await findMachineAndCauses(db(c), machineId, companyOf(c, undefined, undefined), causeIds);
  if (!machine) return null;
  const { companyId, name: machineName, deletedAt, configVersion } = machine;
  return { machineId, companyId, machineName, isDeleted: deletedAt !== null, configVersion, causes };
}

/** The 404 of a stop. */
export function noStop(...ids: number[]): Problem {
  return notFound(ids.length === 1 ? `There is no stop ${ids[0]}.` : "One of the stops does not exist.");
}

/**
 * Has the machine's object do an edit, and gives the stops that it left behind, by start. Throws the problem of a refusal.
 * @param ids of the stops that the request names
 */
export async function editStops(c: Context<UserEnv>, scene: Scene, edit: StopEdit, ids: number[]) {
  const { machineId, companyId, machineName, configVersion } = scene;
  const by = { userId: c.var.actor.userId, requestId: c.var.requestId };
  const request = c.var.idempotentRequest ?? null;
  const edited = await askMachine(c, machineId, (machine) => machine.editStops(edit, companyId, by, request, configVersion));
  if ("refused" in edited) throw problemOf(edited, ids);
  if (edited.bookmark !== null) continueAt(c, companyId, edited.bookmark);

  const causes = new Map(scene.causes.map((cause) => [cause.id, cause.name]));
  const causeIds = edited.stops.flat().flatMap((row) => [row.generalCauseId, row.specificCauseId, row.componentId]);
  const unnamed = causeIds.filter((id): id is number => id !== null && !causes.has(id));
  // A second trip for a stop that was classified before: which causes it has is known only now.
  for (const { id, name } of unnamed.length > 0 ? await findCauses(db(c), unnamed) : []) causes.set(id, name);

  const nameOf = (id: number | null) => (id === null ? null : (causes.get(id) ?? null));
  const now = Date.now();
  return edited.stops.flatMap((slices) => {
    const rows = slices.map((row) => ({
      ...row,
      machineName,
      generalCauseName: nameOf(row.generalCauseId),
      specificCauseName: nameOf(row.specificCauseId),
      componentName: nameOf(row.componentId),
    }));
    return slicedStopOf(rows, now) ?? [];
  });
}

function problemOf(refusal: EditRefusal, ids: number[]): Problem {
  if (refusal.refused === "invalid") {
    return invalid([{ pointer: `/${refusal.member}`, code: "out_of_range", message: refusal.message }]);
  }
  return refusal.refused === "conflict" ? conflict(refusal.message) : noStop(...ids);
}
