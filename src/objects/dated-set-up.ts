import { type SQL, sql } from "drizzle-orm";
import type { CompanyDb } from "../db/client.ts";
import { setUpVersions } from "../db/schema.ts";
import type { Settings } from "../oee/settings.ts";
import type { ShiftDefinition } from "../oee/shift-definition.ts";
import { SECOND_MS } from "../oee/time.ts";
import { pieces, versionAt } from "../oee/versions.ts";

// A machine's object knows from when it has followed which settings. What somebody dated differently is passed to it beside them: it holds in its
// time, in place of what the settings say of it then.

type General = Omit<Settings, "since" | "skuStandardsMs" | "shifts" | "plan">;
/** Members of the general settings. Null: absent, where they may be. */
type GeneralMembers = { [member in keyof General]?: General[member] | null };

/** What holds of one thing in [since, until); `until` null: for ever. */
export interface DatedPiece {
  /** `next`: what follows one that ended, only until the settings say anything else. */
  since: number;
  until: number | null;
  isNext: boolean;
  /** Whether it had ended when its end was recorded, even if the machine's clock is behind. If not, the settings say when it ends. Absent: not known. */
  isOver?: boolean;
  of:
    | { kind: "limits" | "line" | "rules"; members: GeneralMembers }
    /** Null: it is not a shift of the machine. */
    | { kind: "shift"; id: number; definition: ShiftDefinition | null }
    /** Null: it has no standard. */
    | { kind: "standard"; id: string; standardMs: number | null };
}

type VersionRow = typeof setUpVersions.$inferSelect;

/** The statement that reads the versions of all that somebody has dated of the set-up of machines of a company. */
export function selectDated(db: CompanyDb, ofCompany: SQL, machineIds: readonly number[], limit: number) {
  const ids = JSON.stringify(machineIds.map(String));
  // Without planned versions: those that begin after now, and were recorded before they begin. A version of the past that a clock ahead of this one
  // recorded is not planned.
  const isKnown = sql`${setUpVersions.companyId} = ${ofCompany} AND ${setUpVersions.withdrawnAt} IS NULL
    AND (${setUpVersions.validFrom} <= max(${Date.now()}, ${setUpVersions.recordedAt}) OR ${setUpVersions.isExplicit} = 0)
    AND (${setUpVersions.kind}, ${setUpVersions.entity}) IN
    (SELECT dated.kind, dated.entity FROM set_up_versions AS dated WHERE dated.company_id = ${ofCompany} AND dated.is_explicit = 1
      AND (dated.kind IN ('shift', 'standard', 'rules')
        OR (dated.kind IN ('limits', 'line') AND dated.entity IN (SELECT value FROM json_each(${ids})))))`;
  return db.select().from(setUpVersions).where(isKnown).limit(limit);
}

/**
 * What somebody dated of a machine's set-up and has begun, in order.
 * @param rows the versions that `selectDated` reads
 * @param heardAt when the machine's first event arrived; null: none has
 */
export function datedPieces(
  rows: readonly VersionRow[],
  { machineId, heardAt }: { machineId: number; heardAt: number | null },
): DatedPiece[] {
  const own = rows.filter(({ kind, entity, machineId: of }) =>
    kind === "limits" || kind === "line" ? entity === String(machineId) : of === 0 || of === machineId,
  );
  const byItem = Map.groupBy(own, ({ kind, entity }) => `${kind} ${entity}`);
  const found = [...byItem.values()].flatMap((versions) => piecesOf(versions, { machineId, heardAt }));
  return found.sort((a, b) => a.since - b.since);
}

function piecesOf(versions: readonly VersionRow[], machine: { machineId: number; heardAt: number | null }): DatedPiece[] {
  const ofAny = pieces(
    versions.filter(({ machineId }) => machineId === 0),
    machine.heardAt,
  );
  const ofMachine = pieces(
    versions.filter(({ machineId }) => machineId !== 0),
    machine.heardAt,
  );
  const instants = [...new Set([...ofAny, ...ofMachine].map(({ since }) => since))].sort((a, b) => a - b);
  // The machine's own value replaces that for any.
  const deciding = instants.map((since) => {
    const mine = ofMachine.length > 0 ? versionAt(ofMachine, since) : undefined;
    const any = ofAny.length > 0 ? versionAt(ofAny, since) : undefined;
    return { since, versions: mine?.body ? [mine] : [mine, any].filter((one) => one !== undefined) };
  });
  return deciding.flatMap(({ since, versions: [first, second] }, i): DatedPiece[] => {
    const decided = first?.body ? first : (second ?? first);
    if (!decided) return [];
    const isDated = first?.isExplicit || second?.isExplicit;
    const isNext = !isDated && endsAt(deciding[i - 1]?.versions ?? [], since);
    if (!isDated && !isNext) return [];
    const next = deciding[i + 1];
    const until = next?.since ?? null;
    const isOver =
      next !== undefined && !next.versions.some(({ isExplicit }) => isExplicit) && !endsAt([first, second], next.since);
    return [{ since, until, isNext, isOver, of: meaningOf(decided, machine.machineId) }];
  });
}

/** Whether one of these was planned to end at an instant: it was recorded before. Then nothing else says to the machine that it did. */
function endsAt(versions: readonly (VersionRow | undefined)[], at: number): boolean {
  return versions.some((one) => one?.isExplicit && one.validUntil === at && one.recordedAt < at);
}

function meaningOf({ kind, entity, body }: VersionRow, machineId: number): DatedPiece["of"] {
  switch (kind) {
    case "standard":
      return { kind, id: entity, standardMs: body && (body as unknown as Standard).standardCycleSeconds * SECOND_MS };
    case "shift":
      return { kind, id: Number(entity), definition: body && definitionOf(Number(entity), body as unknown as Shift, machineId) };
    case "line":
      return { kind, members: { lineId: (body as { lineId?: number } | null)?.lineId ?? null } };
    case "rules":
      return { kind, members: body ? rulesOf(body as unknown as Rules) : {} };
    default:
      return { kind: "limits", members: body ? limitsOf(body as unknown as Limits) : {} };
  }
}

// The bodies of versions.

interface Standard {
  standardCycleSeconds: number;
}

type Shift = Omit<ShiftDefinition, "id"> & { machineIds: number[] | null };

function definitionOf(id: number, { machineIds, start, end, days, breaks }: Shift, machineId: number): ShiftDefinition | null {
  // In the order in which the settings have it.
  return machineIds === null || machineIds.includes(machineId) ? { id, start, end, days, breaks } : null;
}

type Rules = Required<Pick<General, "timezone" | "signOutAtShiftEnd" | "productionDay">>;

interface Limits {
  signal: General["signal"];
  stopAfterSeconds: number;
  noDataAfterSeconds: number | null;
  standardCycleSeconds: number | null;
  reportingSeconds: number | null;
  hourlyRate: number | null;
}

function limitsOf(limits: Limits): GeneralMembers {
  const toMs = (seconds: number | null) => (seconds === null ? null : Math.round(seconds * SECOND_MS));
  return {
    signal: limits.signal,
    stopAfterMs: toMs(limits.stopAfterSeconds),
    noDataAfterMs: toMs(limits.noDataAfterSeconds),
    reportingMs: toMs(limits.reportingSeconds),
    standardCycleMs: toMs(limits.standardCycleSeconds),
    hourlyRate: limits.hourlyRate,
  };
}

function rulesOf({
  timezone,
  signOutAtShiftEnd,
  productionDay,
}: Required<Pick<General, "timezone" | "signOutAtShiftEnd" | "productionDay">>): GeneralMembers {
  return { timezone, signOutAtShiftEnd, productionDay: productionDay === "calendarDay" ? null : productionDay };
}
