import { recordId } from "../../core/record-id.ts";
import type { AuditRow } from "../../db/audit-row.ts";
import type { AmendRefusal, EditedBy, KeyedRequest, Past, PastRun } from "../../objects/machine-protocol.ts";
import type { Amendment } from "../../oee/amendments.ts";
import { signedInAt } from "../../oee/machine.ts";
import type { OrderRun } from "../../oee/production.ts";
import type { DeepReadonly } from "../../oee/read-only.ts";
import { settingsAt } from "../../oee/settings.ts";
import { type Interval, isoOf } from "../../oee/time.ts";
import { advanceTo, foldAgain } from "../inputs/input-log.ts";
import { refusalOfPast } from "../ledger/books-door.ts";
import { recalculationOf } from "../ledger/recalculation.ts";
import { putAudit } from "../publish/projection.ts";
import type { Configuration } from "../settings/configuration.ts";
import type { MachineStorage } from "../storage/machine-storage.ts";
import { recalculableFrom } from "../storage/retention.ts";
import { MOST_AMENDMENTS } from "../storage/stored-amendments.ts";
import { once } from "./once.ts";

/** The most runs or presences that are shown at once. */
const MOST_SHOWN = 1000;
/** The most runs or presences of which the audit has what they were before. */
const MOST_AUDITED = 50;

/** Who makes an amendment, or takes one back. */
interface Amending {
  by: EditedBy;
  /** What has a request is done once, no matter how often it is sent. */
  request: KeyedRequest | null;
  /** The audit entry. Its object is the amendment. */
  entry: AuditRow;
  now: number;
}

/**
 * Applies an amendment in place of the events of its interval. What follows from it is folded again: at once, or in a recalculation. Runs inside a
 * transaction. Returns its number.
 */
export function amend(
  storage: MachineStorage,
  configuration: Configuration,
  amendment: Amendment,
  reason: string,
  { by, request, entry, now }: Amending,
): { n: number } | AmendRefusal {
  return once<{ n: number }, AmendRefusal>(
    storage,
    { request, by, now },
    {
      run() {
        const refusal = refusalOf(storage, configuration, amendment, now);
        if (refusal) return refusal;
        const before = auditedBefore(storage, configuration, amendment, now);
        const n = storage.amendments.add(amendment, { madeAt: now, by, reason });
        takeEffect(storage, configuration, amendment, n, { by, entry: { ...entry, before }, now });
        return { n };
      },
      numbersOf: ({ n }) => [n],
      again: ([n = 0]) => ({ n }),
    },
  );
}

/** Undoes an amendment: what it replaced holds again. Runs inside a transaction. */
export function undoAmendment(
  storage: MachineStorage,
  configuration: Configuration,
  kind: Amendment["kind"],
  n: number,
  { by, request, entry, now }: Amending,
): { n: number } | AmendRefusal {
  return once<{ n: number }, AmendRefusal>(
    storage,
    { request, by, now },
    {
      run() {
        const amendment = storage.amendments.get(kind, n);
        if (!amendment) return { refused: "not_found", message: "There is no such amendment, or not any more." };
        const refusal = tooEarly(storage, amendment);
        if (refusal) return refusal;
        advanceTo(storage, configuration, now);
        storage.amendments.undo(n, by);
        takeEffect(storage, configuration, amendment, n, { by, entry, now });
        return { n };
      },
      numbersOf: () => [n],
      again: () => ({ n }),
    },
  );
}

/** What was made, or who was there, in an interval up to now, and the amendments of it. */
export function pastOf(
  storage: MachineStorage,
  configuration: Configuration,
  kind: Amendment["kind"],
  interval: Interval,
  now: number,
): Past {
  const { ledger } = advanceTo(storage, configuration, now);
  const isMeant = ({ start }: { start: number }) => start < interval.end;
  const closed = storage.ledger.runs(interval);
  const runs = kind === "runs" ? [...closed, ...[ledger.run ?? []].flat().filter(isMeant)].map(runOf) : [];
  const present = signedInAt(ledger, interval.start, configuration.calendar).filter(isMeant);
  const open = present.map(({ end, ...who }) => ({ ...who, end: end > now ? null : end }));
  const presences = kind === "presences" ? [...storage.ledger.presences(interval), ...open] : [];
  return {
    runs: runs.slice(0, MOST_SHOWN),
    presences: presences.slice(0, MOST_SHOWN),
    amendments: storage.amendments.of(kind, interval),
    isComplete: Math.max(runs.length, presences.length) <= MOST_SHOWN,
    isRecalculating: recalculationOf(storage) !== null,
  };
}

function runOf({ start, end, workOrderId, made }: DeepReadonly<OrderRun> & { end?: number }): PastRun {
  return { start, end: end ?? null, skuId: made.skuId, workOrderId };
}

/** Folds the interval of an amendment again, and makes the audit entry. */
function takeEffect(
  storage: MachineStorage,
  configuration: Configuration,
  { start, end }: Interval,
  n: number,
  { by, entry, now }: Omit<Amending, "request">,
): void {
  const { identity } = configuration;
  foldAgain(storage, configuration, { from: start, until: end }, now, { reasons: ["edit"], by });
  putAudit({ storage, identity, now }, { ...entry, objectId: String(recordId(identity.machineId, n)) });
}

function auditedBefore(storage: MachineStorage, configuration: Configuration, { kind, ...interval }: Amendment, now: number) {
  const { runs, presences } = pastOf(storage, configuration, kind, interval, now);
  const times = ({ start, end }: { start: number; end: number | null }) => ({ startTime: isoOf(start), endTime: isoOf(end) });
  if (kind === "runs") {
    const some = runs.slice(0, MOST_AUDITED);
    return { runs: some.map(({ skuId, workOrderId, ...run }) => ({ ...times(run), skuId, workOrderId })) };
  }
  return { presences: presences.slice(0, MOST_AUDITED).map(({ operatorId, ...time }) => ({ ...times(time), operatorId })) };
}

function refusalOf(
  storage: MachineStorage,
  { history }: Configuration,
  { kind, start, end }: Amendment,
  now: number,
): AmendRefusal | null {
  const [{ commissionedAt }] = history;
  const { decommissionedAt } = settingsAt(history, Number.MAX_SAFE_INTEGER);
  if (start < commissionedAt) {
    const message = `must not be before the machine's commissioning, ${isoOf(commissionedAt)}`;
    return { refused: "invalid", member: "from", code: "out_of_range", message };
  }
  if (end > now) return { refused: "invalid", member: "to", code: "in_future", message: "must not be in the future" };
  if (decommissionedAt !== null && end > decommissionedAt) {
    const message = `must not be after the machine's decommissioning, ${isoOf(decommissionedAt)}`;
    return { refused: "invalid", member: "to", code: "out_of_range", message };
  }
  // Until its first event, all of a machine's set-up holds from its commissioning.
  if (storage.events.newestAt() === null) return { refused: "conflict", message: "The machine has no events yet." };
  if (storage.amendments.count(kind) >= MOST_AMENDMENTS) {
    return { refused: "conflict", message: `The machine has ${MOST_AMENDMENTS} amendments of its ${kind} already: undo some.` };
  }
  return tooEarly(storage, { start });
}

function tooEarly(storage: MachineStorage, { start }: { start: number }): AmendRefusal | null {
  const closed = refusalOfPast(storage, start);
  if (closed) return closed;
  const keptFrom = recalculableFrom(storage);
  if (start >= keptFrom) return null;
  const message = `must not be before ${isoOf(keptFrom)}: events are kept since then, and what is older cannot be computed again`;
  return { refused: "too_late", message };
}
