// Describes a person's change of a stop, by comparing the stop before and after it.

export type Change =
  | { kind: "record" | "delete" | "noted" | "unclassified" | "changed" }
  | { kind: "classified"; causeIds: string[] }
  | { kind: "named"; name: string }
  | { kind: "split"; at: string }
  | { kind: "merge"; count: number };

/** A stop as in the audit. */
type Seen = Record<string, unknown> | null;

const causeMembers = ["generalCauseId", "specificCauseId", "componentId"] as const;

/**
 * The change that an entry of `GET /v1/stops/{id}/changes` describes.
 * @param before,after as in the entry: a stop, or a list of stops
 */
export function changeOf(action: string, before: unknown, after: unknown): Change {
  const [was, is] = [firstOf(before), firstOf(after)];
  if (action === "split") return { kind: "split", at: String(listOf(after)[1]?.startTime ?? is?.endTime ?? "") };
  if (action === "merge") return { kind: "merge", count: listOf(before).length };
  if (action === "record" || action === "delete") return { kind: action };
  const causeIds = causesIn(is);
  if (action === "classify") {
    if (causeIds.length > 0 && causeIds.join() !== causesIn(was).join()) return { kind: "classified", causeIds };
    if (causeIds.length === 0 && causesIn(was).length > 0) return { kind: "unclassified" };
    return { kind: "noted" };
  }
  if (typeof is?.name === "string" && is.name !== was?.name) return { kind: "named", name: is.name };
  return { kind: "changed" };
}

function causesIn(stop: Seen): string[] {
  return causeMembers.map((member) => stop?.[member]).filter((id): id is string => typeof id === "string");
}

function listOf(value: unknown): NonNullable<Seen>[] {
  return Array.isArray(value) ? value : [];
}

function firstOf(value: unknown): Seen {
  return Array.isArray(value) ? (value[0] ?? null) : (value as Seen);
}
