import { keyIdOf, type Place } from "../../../core/cipher.ts";
import { type ReferenceKind, referenceKinds } from "../../../core/references.ts";
import { implausibleOf } from "./implausible.ts";
import type { PlantSetUp } from "./queries.ts";

/** Gaps that a plant's set-up can have: all codes, each with its severity, what is wrong, and how to fix it. */
export const findingKinds = {
  no_machine: ["error", "The company has no machine.", "Create its machines: POST /v1/machines."],
  no_shift: ["error", "The company has no shift, so reports are empty.", "Create its shifts: POST /v1/shifts."],
  no_gateway_token: [
    "error",
    "There is no gateway token, so no gateway can send events.",
    "Issue one for each gateway: POST /v1/gateway-tokens.",
  ],
  machine_in_no_shift: [
    "error",
    "The machine is in no shift, so reports do not show it.",
    "Add it to a shift's machineIds, or set that to null for all machines: PATCH /v1/shifts/{id}.",
  ],
  no_count_sensor: [
    "error",
    "No channel of a gateway feeds the machine: its counts are refused.",
    "Name its channels: PUT /v1/machines/{id}/count-sensor. If it sends states instead of counts, set signal to states: PATCH /v1/machines/{id}.",
  ],
  counting_disabled: [
    "error",
    "Counting is disabled: counts add no units, they only show that data is flowing.",
    "Set isCountEnabled to true: PUT /v1/machines/{id}/count-sensor.",
  ],
  no_standard_cycle: [
    "warning",
    "The machine has no standard cycle: its effectiveness and OEE are 0.",
    "Set standardCycleSeconds (PATCH /v1/machines/{id}) or standards of SKUs (PATCH /v1/skus/{id}).",
  ],
  machine_not_heard: [
    "warning",
    "No event of the machine has been received yet.",
    "Check that its gateway sends events with its nodeId and channels, and a valid token, to POST /v1/ingest.",
  ],
  counts_held: [
    "warning",
    "Counts are held, because the machine cannot have made them: they add nothing.",
    "Accept or drop them: GET /v1/held-events. If they were right, its standard or its holdFactor is wrong: PATCH /v1/machines/{id}.",
  ],
  reports_seldom: [
    "warning",
    "Its device reports less often than the machine's limits allow, so running time becomes stops or no data.",
    "Set reportingSeconds (PATCH /v1/machines/{id}), or let counts carry `since`.",
  ],
  standard_too_slow: [
    "warning",
    "Its effectiveness was over 150 % in its last shifts: a standard cycle or a counting factor is wrong.",
    "Set standardCycleSeconds (PATCH /v1/machines/{id}), standards of SKUs (PATCH /v1/skus/{id}), or countingFactor (PUT /v1/machines/{id}/count-sensor).",
  ],
  channel_silent: [
    "warning",
    "One of its channels counted nothing in its last shifts, while others did.",
    "Check the sensor and its wiring, or take the channel out: PUT /v1/machines/{id}/count-sensor.",
  ],
  sku_without_standard: [
    "warning",
    "The SKU has no standard cycle on a machine that has none of its own either: effectiveness is 0 while it is made there.",
    "Give it a standard for that machine, or one with machineId: null for any: PATCH /v1/skus/{id}.",
  ],
  webhook_secret_lost: [
    "error",
    "The secret that signs webhook calls was encrypted with a key that the service no longer has: calls fail.",
    "Replace it, and give the receivers the new one: POST /v1/webhook-secret/rotate, or POST /v1/webhook-subscriptions/{id}/rotate-secret.",
  ],
  chat_room_address_lost: [
    "error",
    "The room's address was encrypted with a key that the service no longer has: messages to it fail.",
    "Enter its url again: PATCH /v1/chat-rooms/{id}.",
  ],
  chooses_no_machine: [
    "warning",
    "None of the machines that it is about is in service, nor has one of its lines a machine that is: it does nothing.",
    "Choose other machines or lines, or delete it.",
  ],
  names_deleted: [
    "warning",
    "It names something that was deleted.",
    "Take it out of that list, or delete what names it. Nothing can be changed at a plan that is Active: end it, and make another one.",
  ],
  no_stop_cause: ["warning", "There is no stop cause, so no stop can be classified.", "Create causes: POST /v1/stop-causes."],
  no_operator: ["warning", "There is no operator, so nobody's production is known.", "Create operators: POST /v1/operators."],
} as const satisfies Record<string, readonly ["error" | "warning", message: string, action: string]>;

export type FindingCode = keyof typeof findingKinds;

/** A gap and the object that has it; null: the company as a whole. */
export interface Finding {
  code: FindingCode;
  object: { type: FindingSubject; id: number | string; name: string } | null;
  /** What is wrong in this case, if that says more than the text of its kind. */
  message?: string;
}

/** What findings are about: `machine`, `sku`, `alert-rule`. */
type FindingSubject = ReturnType<typeof subjectOf>;
export const findingSubjects = referenceKinds.map(subjectOf);

export function subjectOf(kind: ReferenceKind) {
  return kind.toLowerCase().replaceAll(" ", "-");
}

type Machine = PlantSetUp["machines"][number];

/** The encrypted texts of a company that cannot be read. */
export async function unreadableOf(
  { companySecrets, hookSecrets, roomAddresses }: PlantSetUp,
  companyId: number,
  isReadable: (place: Place, sealed: string) => Promise<boolean>,
) {
  const unreadable = async <T extends { sealed: string }>(rows: readonly T[], placeOf: (row: T) => Place) => {
    const known = await Promise.all(rows.map((row) => isReadable(placeOf(row), row.sealed)));
    return rows.filter((_, i) => !known[i]);
  };
  const [secrets, ownSecrets, addresses] = await Promise.all([
    unreadable(companySecrets, () => ["webhook_secrets.sealed_secret", companyId]),
    unreadable(hookSecrets, ({ id }) => ["webhook_subscriptions.sealed_secret", id]),
    unreadable(roomAddresses, ({ id }) => ["chat_rooms.sealed_url", id]),
  ]);
  const findings: Finding[] = [
    ...secrets.map(({ sealed }) => lost("webhook_secret_lost", null, sealed)),
    ...ownSecrets.map(({ id, name, sealed }) =>
      lost("webhook_secret_lost", { type: subjectOf("webhook subscription"), id, name: name || id }, sealed),
    ),
    ...addresses.map(({ id, name, sealed }) =>
      lost("chat_room_address_lost", { type: subjectOf("chat room"), id, name }, sealed),
    ),
  ];
  return findings;
}

/** Names the key, if the text does. */
function lost(code: "webhook_secret_lost" | "chat_room_address_lost", object: Finding["object"], sealed: string): Finding {
  const keyId = keyIdOf(sealed);
  const [, usual] = findingKinds[code];
  return { code, object, ...(keyId !== null && { message: usual.replace("a key", `a key (${keyId})`) }) };
}

/** The gaps in a plant's set-up, the most serious first. `unnamed`: at least how many more were not read. */
export function findingsOf(plant: PlantSetUp): { findings: Finding[]; unnamed: number } {
  const { machines, skusWithoutStandard: skus } = plant;
  const ofCompany: [FindingCode, isMissing: boolean][] = [
    ["no_machine", machines.length === 0],
    ["no_shift", !plant.hasShift],
    ["no_gateway_token", !plant.hasGatewayToken],
    ["no_stop_cause", !plant.hasStopCause],
    ["no_operator", !plant.hasOperator],
  ];
  const findings: Finding[] = [
    ...ofCompany.flatMap(([code, isMissing]) => (isMissing ? [{ code, object: null }] : [])),
    ...machines.flatMap((machine) => {
      const object = { type: "machine" as const, id: machine.id, name: machine.name };
      const recent = machine.signal === "counts" ? machine.recent : null;
      return [
        ...missingOf(machine, plant).map((code) => ({ code, object })),
        ...(recent ? implausibleOf(recent).map((finding) => ({ ...finding, object })) : []),
      ];
    }),
    ...machines.flatMap(({ id, name, held }) => (held ? [heldFinding({ id, name }, held)] : [])),
    ...plant.idle.map(({ kind, id, name }) => ({
      code: "chooses_no_machine" as const,
      object: { type: subjectOf(kind), id, name },
    })),
    ...plant.broken.map(({ kind, id, name, member, to, missing }) => ({
      code: "names_deleted" as const,
      object: { type: subjectOf(kind), id, name },
      message: `Its ${member} names the ${to} ${missing}, which was deleted.`,
    })),
    ...skus.map(({ id, name }) => ({ code: "sku_without_standard" as const, object: { type: "sku" as const, id, name } })),
  ];
  const rank = ({ code }: Finding) => (findingKinds[code][0] === "error" ? 0 : 1);
  return { findings: findings.sort((a, b) => rank(a) - rank(b)), unnamed: (skus[0]?.count ?? 0) - skus.length + plant.cut };
}

function heldFinding({ id, name }: { id: number; name: string }, { count, units }: NonNullable<Machine["held"]>): Finding {
  const counts = count === 1 ? "1 count is" : `${count} counts are`;
  const message = `${counts} held, with ${units} units, because the machine cannot have made them: they add nothing.`;
  return { code: "counts_held", object: { type: "machine", id, name }, message };
}

function missingOf(machine: Machine, { hasShift }: PlantSetUp): FindingCode[] {
  const isByCounts = machine.signal === "counts";
  const missing: [FindingCode, boolean][] = [
    // Without any shift there is one finding for the company, not one for each machine.
    ["machine_in_no_shift", Boolean(hasShift) && !machine.isInShift],
    ["no_count_sensor", isByCounts && !machine.hasChannel],
    ["counting_disabled", isByCounts && Boolean(machine.hasChannel) && !machine.isCountEnabled],
    ["no_standard_cycle", !machine.hasStandard],
    ["machine_not_heard", machine.heardAt === null],
  ];
  return missing.flatMap(([code, isMissing]) => (isMissing ? [code] : []));
}
