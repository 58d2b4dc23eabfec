import type { ApiSchema } from "../../api.ts";
import { serverNow } from "../../clock.ts";
import type { ActionRequest } from "../../model/action-queue.ts";
import type { CauseChoice } from "../../model/cause-choices.ts";
import type { FloorStop } from "../../model/floor-stops.ts";

// The requests for the actions of people at a terminal, with the bodies that the API expects.

type Seen = Pick<FloorStop, "id" | "version">;

/** The version that the person saw, so that nobody's change is overwritten unseen. */
const seen = ({ version }: Seen) => (version === null ? {} : { ifMatch: `"${version}"` });
const iso = (at: number) => new Date(at).toISOString();

export function classify(stop: Seen, { generalCauseId, specificCauseId }: CauseChoice): ActionRequest {
  const body: ApiSchema<"ClassifyStopBody"> = { generalCauseId, specificCauseId, componentId: null, description: null };
  return { method: "put", path: "/v1/stops/{id}/classification", names: { id: stop.id }, body, ...seen(stop) };
}

/** Restores the former classification of a stop; null removes the present one. */
export function restore(stop: Seen, before: FloorStop["classification"]): ActionRequest {
  const place = { path: "/v1/stops/{id}/classification", names: { id: stop.id }, ...seen(stop) };
  if (!before) return { method: "delete", ...place };
  const { generalCause, specificCause, component, description } = before;
  const body: ApiSchema<"ClassifyStopBody"> = {
    generalCauseId: generalCause?.id ?? null,
    specificCauseId: specificCause?.id ?? null,
    componentId: component?.id ?? null,
    description,
  };
  return { method: "put", body, ...place };
}

export function split(stop: Seen, at: number): ActionRequest {
  const body: ApiSchema<"SplitStopBody"> = { at: iso(at) };
  return { method: "post", path: "/v1/stops/{id}/split", names: { id: stop.id }, body, ...seen(stop) };
}

export function sign(way: "in" | "out", machineId: number, operatorId: number): ActionRequest {
  const body: ApiSchema<"SignOperatorInBody"> = { operatorId, at: iso(serverNow()) };
  return { method: "post", path: `/v1/machines/{id}/sign-${way}`, names: { id: machineId }, body };
}

export function run(machineId: number, skuId: string, workOrderId: string | null): ActionRequest {
  const body: ApiSchema<"StartRunBody"> = { skuId, workOrderId, at: iso(serverNow()) };
  return { method: "post", path: "/v1/machines/{id}/run", names: { id: machineId }, body };
}

/** Adds units to the progress of an order. */
export function progress(
  workOrderId: string,
  machineId: number,
  skuId: string,
  units: { correct: number } | { defects: number },
): ActionRequest {
  const body: ApiSchema<"UpdateProgressBody"> = { skuId, ...units, mode: "delta", machineId, occurredAt: iso(serverNow()) };
  return { method: "patch", path: "/work/{workId}/progress", names: { workId: workOrderId }, body };
}

export function callForHelp(machineId: number, message: string | null): ActionRequest {
  const body: ApiSchema<"CreateHelpCallBody"> = { message };
  return { method: "post", path: "/v1/machines/{id}/help-calls", names: { id: machineId }, body };
}

export function answerHelp(helpCallId: number): ActionRequest {
  return { method: "post", path: "/v1/help-calls/{id}/answer", names: { id: helpCallId } };
}
