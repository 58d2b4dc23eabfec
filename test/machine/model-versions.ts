import type { Settings } from "../../src/oee/settings.ts";
import { SECOND } from "../support/clock.ts";

// The set-up as a function of time: what somebody said of a time holds in it, in place of what the object has followed since it heard of it.

/** A version of one thing of the set-up, as D1 has it. */
export interface Version {
  /** Of two versions, the one with the higher number was recorded later. */
  id: number;
  kind: "limits" | "rules" | "standard" | "shift";
  entity: string;
  /** The machine that a standard is for; 0: any. */
  machineId: number;
  validFrom: number;
  /** Null: for ever. */
  validUntil: number | null;
  /** Whether somebody said from when it holds. */
  isExplicit: boolean;
  recordedAt: number;
  // biome-ignore lint/suspicious/noExplicitAny: each kind has members of its own.
  body: any;
  isWithdrawn: boolean;
}

/** A thing of the set-up that has versions. */
export type Thing = Pick<Version, "kind" | "entity" | "machineId" | "body">;

export function keyOf({ kind, entity, machineId }: Pick<Version, "kind" | "entity" | "machineId">): string {
  return `${kind} ${entity} ${machineId}`;
}

/** The version of a thing that holds at an instant: the one that was recorded last of those that are for it. The first one is for all time before it. */
export function versionAt(versions: readonly Version[], at: number): Version | undefined {
  const isFor = ({ validFrom, validUntil }: Version, i: number) =>
    (i === 0 || validFrom <= at) && (validUntil === null || at < validUntil);
  return versions.findLast((one, i) => !one.isWithdrawn && isFor(one, i));
}

/**
 * The settings over time, looked up at each instant at which anything may change.
 * @param followed what the object has followed since when
 */
export function painted(followed: readonly Settings[], versions: readonly Version[], commissionedAt: number): Settings[] {
  const things = [...Map.groupBy(versions, keyOf).values()];
  const edges = versions.flatMap(({ validFrom, validUntil }) => [validFrom, validUntil ?? 0]);
  // What holds at the commissioning held always.
  const later = edges.filter((at) => at > commissionedAt);
  const instants = [...new Set([0, ...followed.map(({ since }) => since), ...later])].sort((a, b) => a - b);
  const all = instants.map((since) => {
    const settings = followed.findLast((one) => one.since <= since) ?? (followed[0] as Settings);
    const said = things.flatMap((all) => versionAt(all, Math.max(since, commissionedAt)) ?? []);
    return { ...withSaid(settings, said), since };
  });
  const textOf = (one: Settings | undefined) => JSON.stringify({ ...one, since: 0 });
  return all.filter((one, i) => textOf(one) !== textOf(all[i - 1]));
}

function withSaid(settings: Settings, said: readonly Version[]): Settings {
  const all = { ...settings, skuStandardsMs: { ...settings.skuStandardsMs } as Record<string, number> };
  const shifts = new Map(settings.shifts.map((shift) => [shift.id, shift]));
  for (const { kind, entity, body } of said.filter(({ isExplicit }) => isExplicit)) {
    if (kind === "rules") Object.assign(all, body);
    if (kind === "limits") Object.assign(all, limitsOf(body));
    if (kind === "shift" && body) shifts.set(Number(entity), { id: Number(entity), ...withoutMachines(body) });
    if (kind === "shift" && !body) shifts.delete(Number(entity));
  }
  for (const [skuId, own] of Map.groupBy(
    said.filter(({ kind }) => kind === "standard"),
    ({ entity }) => entity,
  )) {
    // The machine's own standard comes before that for any.
    const [mine, any] = [own.find(({ machineId }) => machineId !== 0), own.find(({ machineId }) => machineId === 0)];
    const deciding = mine?.body ? [mine] : [mine, any];
    if (!deciding.some((one) => one?.isExplicit)) continue;
    const body = mine?.body ?? any?.body;
    if (body) all.skuStandardsMs[skuId] = body.standardCycleSeconds * SECOND;
    else delete all.skuStandardsMs[skuId];
  }
  return { ...all, shifts: [...shifts.values()].sort((a, b) => a.id - b.id) };
}

export function limitsOf({ signal, stopAfterSeconds, noDataAfterSeconds, standardCycleSeconds }: Version["body"]) {
  const toMs = (seconds: number | null) => (seconds === null ? null : seconds * SECOND);
  const [noDataAfterMs, standardCycleMs] = [toMs(noDataAfterSeconds), toMs(standardCycleSeconds)];
  return { signal, stopAfterMs: stopAfterSeconds * SECOND, noDataAfterMs, standardCycleMs };
}

export function withoutMachines({ machineIds: _, ...shift }: Version["body"]) {
  return shift;
}
