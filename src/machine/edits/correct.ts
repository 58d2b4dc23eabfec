import { recordId } from "../../core/record-id.ts";
import type {
  CorrectionRefusal,
  CorrectionState,
  EditedBy,
  KeyedRequest,
  NewCorrection,
} from "../../objects/machine-protocol.ts";
import { unitsFor } from "../../oee/corrections.ts";
import { settingsAt } from "../../oee/settings.ts";
import type { ShiftOccurrence } from "../../oee/shifts.ts";
import { isoOf } from "../../oee/time.ts";
import { roundUnits } from "../../oee/units.ts";
import { advanceTo } from "../inputs/input-log.ts";
import { refusalOfPast } from "../ledger/books-door.ts";
import { LedgerReader } from "../ledger/ledger-reader.ts";
import { computeChangedShifts, publishWindow } from "../ledger/publish-shifts.ts";
import { putAudit, putCorrection } from "../publish/projection.ts";
import type { Configuration } from "../settings/configuration.ts";
import type { Head } from "../storage/ledger-rows.ts";
import type { MachineStorage } from "../storage/machine-storage.ts";
import type { StoredCorrection } from "../storage/stored-corrections.ts";
import { once } from "./once.ts";

/** Who corrects, with which request, and when. */
interface Correcting {
  by: EditedBy;
  request: KeyedRequest | null;
  now: number;
}

type Outcome = { correction: CorrectionState } | CorrectionRefusal;

/**
 * Enters a correction, and computes its shift, of whatever age, with it. A request with a key is carried out once. Runs inside a transaction.
 * @param configuration with all settings of the past
 */
export function correct(
  storage: MachineStorage,
  configuration: Configuration,
  sent: NewCorrection,
  correcting: Correcting,
): Outcome {
  return onceOf(storage, configuration, correcting, (head) => enter(storage, configuration, head, sent, correcting));
}

/** Undoes a correction, as `correct` enters it: it stays, and counts for nothing. */
export function undoCorrection(
  storage: MachineStorage,
  configuration: Configuration,
  seq: number,
  correcting: Correcting,
): Outcome {
  return onceOf(storage, configuration, correcting, (head) => undo(storage, configuration, head, seq, correcting));
}

function onceOf(
  storage: MachineStorage,
  configuration: Configuration,
  { by, request, now }: Correcting,
  run: (head: Head) => Outcome,
): Outcome {
  return once<{ correction: CorrectionState }, CorrectionRefusal>(
    storage,
    { request, by, now },
    {
      run: () => {
        const head = advanceTo(storage, configuration, now);
        computeChangedShifts(storage, configuration, head, now);
        return run(head);
      },
      numbersOf: ({ correction }) => [correction.id - recordId(configuration.identity.machineId, 0)],
      again: ([seq = 0]) => {
        const correction = storage.corrections.get(seq);
        if (!correction) return noCorrection;
        return { correction: stateOf(storage, configuration, correction, now) };
      },
    },
  );
}

function enter(
  storage: MachineStorage,
  configuration: Configuration,
  head: Head,
  sent: NewCorrection,
  { by, now }: Correcting,
): Outcome {
  const at = Math.min(sent.at, now);
  const closed = refusalOfPast(storage, at);
  if (closed) return closed;
  const occurrence = shiftAt(configuration, at);
  if ("refused" in occurrence) return occurrence;
  const { userId, apiTokenId } = by;
  const defects = roundUnits(sent.defects + sent.rework);
  const correction = { ...sent, at, defects };
  const refusal = impossible(new LedgerReader(storage, configuration, head, now), occurrence, sent, correction);
  if (refusal) return refusal;
  const seq = storage.corrections.add({ ...correction, userId, apiTokenId, undone: null, applied: null });
  publishWindow(storage, configuration, head, occurrence, now, { reasons: ["correction"], by });
  const state = stateOf(storage, configuration, storage.corrections.get(seq) as StoredCorrection, now);
  putEntry(storage, configuration, by, now, "create", null, state);
  return { correction: state };
}

function undo(storage: MachineStorage, configuration: Configuration, head: Head, seq: number, { by, now }: Correcting): Outcome {
  const known = storage.corrections.get(seq);
  if (!known || known.undone) return noCorrection;
  const closed = refusalOfPast(storage, known.at);
  if (closed) return closed;
  const before = stateOf(storage, configuration, known, now);
  storage.corrections.save({ ...known, undone: { at: now, userId: by.userId } });
  const window = configuration.calendar.at(known.at) ?? { start: known.at, end: known.at + 1 };
  publishWindow(storage, configuration, head, window, now, { reasons: ["correction"], by });
  const after = stateOf(storage, configuration, storage.corrections.get(seq) as StoredCorrection, now);
  putEntry(storage, configuration, by, now, "undo", before, after);
  return { correction: after };
}

const noCorrection = { refused: "not_found", message: "There is no such correction." } as const;

/** The shift in which an instant lies; a refusal if the machine has none. */
function shiftAt({ history, calendar }: Configuration, at: number): ShiftOccurrence | CorrectionRefusal {
  const { commissionedAt } = history[0];
  const { decommissionedAt } = settingsAt(history, Number.MAX_SAFE_INTEGER);
  const refuse = (refused: "before_commissioning" | "after_decommissioning" | "no_shift", message: string) => ({
    ...{ refused, message },
    member: "at" as const,
  });
  if (at < commissionedAt)
    return refuse("before_commissioning", `is before the machine was commissioned, at ${isoOf(commissionedAt)}`);
  if (decommissionedAt !== null && at >= decommissionedAt)
    return refuse("after_decommissioning", `is after the machine was decommissioned, at ${isoOf(decommissionedAt)}`);
  return (
    calendar.at(at) ?? refuse("no_shift", "lies in no shift of the machine: what is made outside shifts cannot be corrected")
  );
}

/** Why a correction cannot be; null: it can. */
function impossible(
  reader: LedgerReader,
  occurrence: ShiftOccurrence,
  sent: NewCorrection,
  correction: Omit<NewCorrection, "rework">,
): CorrectionRefusal | null {
  if (!reader.hasParts(occurrence)) {
    return { refused: "settled", member: "at", message: "is of a shift whose counts an earlier version did not keep by hour" };
  }
  const there = unitsFor(reader.partsOf(occurrence), correction);
  if (!there) {
    const member = sent.skuId === null ? "workOrderId" : "skuId";
    return {
      refused: "not_made",
      member,
      message: `is not what the machine made in the shift that began at ${isoOf(occurrence.start)}`,
    };
  }
  return belowZero(there, sent, correction);
}

function belowZero(
  there: { total: number; defects: number },
  sent: NewCorrection,
  { total, defects }: { total: number; defects: number },
): CorrectionRefusal | null {
  const refuse = (member: "total" | "defects" | "rework", message: string): CorrectionRefusal => ({
    refused: "below_zero",
    member,
    message: `${message}: in this shift, ${there.total} units of this SKU and order are counted, ${there.defects} of them defects`,
  });
  const ofDefects = sent.defects === 0 ? "rework" : "defects";
  if (roundUnits(there.total + total) < 0) return refuse("total", "takes away more units than there are");
  if (roundUnits(there.defects + defects) < 0) return refuse(ofDefects, "takes away more defects than there are");
  const good = roundUnits(there.total + total - there.defects - defects);
  // Where nothing was counted, the defects were made before.
  const isCounted = there.total > 0 || total !== 0;
  if (isCounted && good < 0 && total - defects < 0)
    return refuse(total < 0 ? "total" : ofDefects, "leaves fewer good units than none");
  return null;
}

function stateOf(
  storage: MachineStorage,
  { identity, history, calendar }: Configuration,
  correction: StoredCorrection,
  now: number,
) {
  return putCorrection({ storage, identity, history, now }, correction, calendar.at(correction.at));
}

function putEntry(
  storage: MachineStorage,
  { identity }: Configuration,
  by: EditedBy,
  now: number,
  verb: "create" | "undo",
  before: CorrectionState | null,
  after: CorrectionState,
): void {
  putAudit(
    { storage, identity, now },
    {
      id: crypto.randomUUID(),
      at: now,
      companyId: identity.companyId,
      ...by,
      action: `correction.${verb}`,
      objectType: "correction",
      objectId: String(after.id),
      before: before && shown(before),
      after: shown(after),
    },
  );
}

/** A correction as the audit shows it: as answers do, without names. */
function shown(state: CorrectionState) {
  const { id, machineId, at, skuId, workOrderId, total, defects, rework, reasonId, comment, undoneAt, undoneBy } = state;
  const { appliedTotal, appliedDefects, userId, createdAt } = state;
  const isApplied = appliedTotal === total && appliedDefects === roundUnits(defects + rework);
  const named = <Id extends number | string>(one: Id | null) => (one === null ? null : { id: one });
  return {
    ...{ id, machine: named(machineId), at: isoOf(at), sku: named(skuId), workOrder: named(workOrderId) },
    ...{ total, defects, rework, reason: named(reasonId), comment, appliedTotal, appliedDefects },
    ...{
      isAppliedInPart: undoneAt === null && !isApplied,
      userId,
      createdAt: isoOf(createdAt),
      undoneAt: isoOf(undoneAt),
      undoneBy,
    },
  };
}
