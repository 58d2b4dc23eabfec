import { serverNow } from "../../app/clock.ts";
import type { ApiSchema } from "../../data/api.ts";
import type { ActionRequest } from "../../domain/action-queue.ts";
import type { CauseChoice } from "../../domain/causes.ts";
import { type FloorStop, markOf } from "../../domain/floor-stops.ts";
import { iso } from "../../domain/time.ts";

// The requests for the actions of people at a terminal, with the bodies that the API expects.

type Seen = Pick<FloorStop, "id" | "version">;
type Classification = FloorStop["classification"];

/** The version that the person saw, so that nobody's change is overwritten unseen. */
const seen = ({ version }: Seen) => ({ ifMatch: `"${version}"` });

/** Gives a stop another cause. Its component and note stay: the terminal does not show them. */
export function classify(stop: Seen & Pick<FloorStop, "classification">, choice: CauseChoice): ActionRequest {
  return setClassification(stop, markOf(choice, stop).classification);
}

/** Replaces the classification of a stop; null removes it. */
export function setClassification(stop: Seen, classification: Classification): ActionRequest {
  const place = { path: "/v1/stops/{id}/classification", names: { id: stop.id }, ...seen(stop) };
  if (!classification) return { method: "delete", ...place };
  const { generalCause, specificCause, component, description } = classification;
  const body: ApiSchema<"ClassifyStopBody"> = {
    generalCauseId: generalCause?.id ?? null,
    specificCauseId: specificCause?.id ?? null,
    componentId: component?.id ?? null,
    description,
  };
  return { method: "put", body, ...place };
}

/** Removes the causes of a stop. Its component and note stay. */
export function removeCauses(stop: Seen & Pick<FloorStop, "classification">): ActionRequest {
  return setClassification(stop, withoutCauses(stop.classification));
}

/** A classification with its component and note alone; null if there are none. */
export function withoutCauses(classification: Classification): Classification {
  const { component = null, description = null } = classification ?? {};
  return component || description !== null ? { generalCause: null, specificCause: null, component, description } : null;
}

/** A refused request about a stop as it is now: with its present version and, if it sets causes, the present component and note. */
export function asNow(request: ActionRequest, stop: FloorStop, isUndo: boolean): ActionRequest {
  const now = { ...request, ...seen(stop) };
  if (request.path !== "/v1/stops/{id}/classification" || isUndo) return now;
  const { component = null, description = null } = stop.classification ?? {};
  if (request.method === "delete") return removeCauses(stop);
  const body = request.body as ApiSchema<"ClassifyStopBody">;
  const isEmpty = !body.generalCauseId && !body.specificCauseId && !component && description === null;
  if (isEmpty) return setClassification(stop, null);
  return { ...now, body: { ...body, componentId: component?.id ?? null, description } };
}

export function split(stop: Seen, at: number): ActionRequest {
  const body: ApiSchema<"SplitStopBody"> = { at: iso(at) };
  return { method: "post", path: "/v1/stops/{id}/split", names: { id: stop.id }, body, ...seen(stop) };
}

/** Makes one stop of several that follow each other, the earliest first. */
export function merge(stops: readonly Seen[]): ActionRequest {
  const body: ApiSchema<"MergeStopsBody"> = { ids: stops.map(({ id }) => id), versions: stops.map(({ version }) => version) };
  return { method: "post", path: "/v1/stops/merge", names: {}, body };
}

/** @param code what was read from a badge, or typed: it signs in whoever has a PIN */
export function sign(way: "in" | "out", machineId: number, operatorId: number, code?: string): ActionRequest {
  const body: ApiSchema<"SignOperatorInBody"> = { operatorId, at: iso(serverNow()), ...(code !== undefined && { code }) };
  return { method: "post", path: `/v1/machines/{id}/sign-${way}`, names: { id: machineId }, body };
}

export function run(machineId: number, skuId: string, workOrderId: string | null): ActionRequest {
  const body: ApiSchema<"StartRunBody"> = { skuId, workOrderId, at: iso(serverNow()) };
  return { method: "post", path: "/v1/machines/{id}/run", names: { id: machineId }, body };
}

/** Adds good units to the progress of an order. */
export function progress(workOrderId: string, machineId: number, skuId: string, units: { correct: number }): ActionRequest {
  const body: ApiSchema<"UpdateProgressBody"> = { skuId, ...units, mode: "delta", machineId, occurredAt: iso(serverNow()) };
  return { method: "patch", path: "/work/{workId}/progress", names: { workId: workOrderId }, body };
}

export const CORRECTIONS = "/v1/corrections";

/** Adds rejected units to what the machine counted. What is null is that in work at the instant. */
export function correct(
  machineId: number,
  { at, ...about }: { at: number; defects: number; skuId: string | null; workOrderId: string | null; reasonId: number | null },
): ActionRequest {
  const body: ApiSchema<"CreateCorrectionBody"> = { machineId, at: iso(at), ...about };
  return { method: "post", path: CORRECTIONS, names: {}, body };
}

export function undoCorrection(id: number): ActionRequest {
  return { method: "delete", path: "/v1/corrections/{id}", names: { id } };
}

export function callForHelp(machineId: number, message: string | null): ActionRequest {
  const body: ApiSchema<"CreateHelpCallBody"> = { message };
  return { method: "post", path: "/v1/machines/{id}/help-calls", names: { id: machineId }, body };
}

export function answerHelp(helpCallId: number): ActionRequest {
  return { method: "post", path: "/v1/help-calls/{id}/answer", names: { id: helpCallId } };
}

/** The first letters of the paths of actions, and the permission that they take. */
const permissions = [
  ["/v1/stops", "stops:write"],
  ["/v1/machines/{id}/sign", "operators:sign-in"],
  ["/v1/machines/{id}/run", "runs:write"],
  ["/work/", "progress:write"],
  [CORRECTIONS, "corrections:write"],
] as const;

/** The permission that an action takes. */
export function permissionOf({ path }: ActionRequest) {
  return permissions.find(([start]) => path.startsWith(start))?.[1] ?? "help-calls:write";
}
