import type { SetUpPart } from "./set-up.ts";

// Where what GET /v1/setup/check finds is put right.

/** A finding, as far as it decides that. */
interface Finding {
  code: string;
  object: { type: string; id: number | string } | null;
}

/** A page of the set-up with the item, the first steps, what is held, or the orders. */
type PlaceOfFinding = { part: SetUpPart; itemId: string | null } | "start" | "changes" | "orders";

const steps = ["no_machine", "no_shift", "no_gateway_token", "machine_not_heard"];
const ofSensors = ["no_count_sensor", "counting_disabled", "channel_silent"];

/** The pages of the set-up by what a finding is about. */
const parts: Readonly<Record<string, SetUpPart>> = {
  machine: "machine",
  sku: "sku",
  shift: "shift",
  line: "lines",
  operator: "people",
  "stop-cause": "cause",
  "calendar-day": "days",
  "alert-rule": "alerts",
  persona: "personas",
  "chat-room": "rooms",
  "report-subscription": "mails",
  "webhook-subscription": "webhooks",
};

/** The page of the board on which a finding is put right; null: none, only the API does that. */
export function placeOf({ code, object }: Finding): PlaceOfFinding | null {
  if (steps.includes(code)) return "start";
  if (code === "counts_held") return "changes";
  if (code === "no_stop_cause") return { part: "cause", itemId: null };
  if (code === "no_operator") return { part: "people", itemId: null };
  if (code === "machine_in_no_shift") return { part: "shift", itemId: null };
  if (object === null) return null;
  const itemId = String(object.id);
  if (ofSensors.includes(code)) return { part: "sensors", itemId };
  if (object.type === "work-order") return "orders";
  const part = parts[object.type];
  return part === undefined ? null : { part, itemId };
}
