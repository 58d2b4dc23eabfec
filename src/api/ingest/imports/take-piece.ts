import type { CompanyDb } from "../../../db/client.ts";
import { isStaleRead } from "../../../db/errors.ts";
import { chunksOf, eachOf, OBJECTS_AT_ONCE } from "../../../limits/load.ts";
import type { HistoryAdded, SentEvent } from "../../../objects/machine-protocol.ts";
import { callMachine } from "../../../objects/machines.ts";
import { minOf } from "../../../oee/extremes.ts";
import { findTargets } from "../queries.ts";
import { type Delivery, EventRouter, namedIn, oldestCountAt, type ParsedEvent, parseEvent } from "../route-events.ts";
import type { FileLine, Piece } from "./file-lines.ts";
import { MOST_ERRORS } from "./import.ts";
import { addMachines, type Counts, type ImportRow, type NewError, recordPiece } from "./queries.ts";

/** The lines whose machines, SKUs and orders are looked up at once. */
const LINES_PER_LOOKUP = 5000;

// The results of an event, as a machine gives them (HistoryAdded).
const ACCEPTED = 1;
const DUPLICATE = 2;
const HELD = 3;
const FIRST_REFUSAL = 10;

type LineRefusal = { code: string; message: string };
type LineResult = "accepted" | "held" | "duplicate" | LineRefusal;

/**
 * Sends the events of a piece to their machines, and records what came of them. May be repeated: a machine takes each piece once, and answers again what
 * it answered before.
 * @returns false if the import was taken back, or another run has recorded the piece
 * @throws if a machine did not answer, after sending the others theirs
 */
export async function takePiece(env: Env, db: CompanyDb, row: ImportRow, { lines, next }: Piece): Promise<boolean> {
  const routed = await route(db, row, lines);
  const results: (LineResult | undefined)[] = routed.map((to) => (Array.isArray(to) ? undefined : to));
  const deliveries = routed.flatMap((to, index) => (Array.isArray(to) ? to.map((one) => ({ index, ...one })) : []));
  const byMachine = Map.groupBy(deliveries, ({ machineId }) => machineId);
  if (byMachine.size > 0) await addMachines(db, row.id, [...byMachine.keys()]);
  const failures: unknown[] = [];
  let isOver = false;
  const sendTo = async (machineId: number, batch: readonly (typeof deliveries)[number][]) => {
    const piece = {
      importId: row.id,
      receivedAt: row.createdAt,
      offset: row.offset,
      events: batch.map(({ event }) => event as SentEvent),
    };
    const version = minOf(batch.map(({ configVersion }) => configVersion));
    const added = await callMachine(env, machineId, (machine) => machine.addHistory(piece, version));
    if (added === "over") isOver = true;
    else for (const [i, { index }] of batch.entries()) results[index] = better(results[index], resultOf(added, i, machineId));
  };
  await eachOf(byMachine, OBJECTS_AT_ONCE, ([machineId, batch]) =>
    sendTo(machineId, batch).catch((error) => failures.push(error)),
  );
  if (failures.length > 0) throw failures[0];
  return !isOver && (await record(db, row, next, lines, results));
}

/** The machines of each line, or why it is refused. */
async function route(
  db: CompanyDb,
  { companyId, createdAt }: ImportRow,
  lines: readonly FileLine[],
): Promise<(Delivery[] | LineRefusal)[]> {
  const routed: (Delivery[] | LineRefusal)[] = [];
  for (const some of chunksOf(lines, LINES_PER_LOOKUP)) {
    // What is in the future depends on when the file came: a piece that is taken again has the same events.
    const parsed = some.map(({ sent, refusal }) => (refusal ? null : parseEvent(sent, createdAt)));
    const events = parsed.filter((event): event is ParsedEvent => event !== null);
    const router = new EventRouter(await findTargets(db, companyId, namedIn(events), Math.min(oldestCountAt(events), createdAt)));
    for (const [i, event] of parsed.entries()) routed.push(event ? router.route(event) : (some[i]?.refusal ?? []));
  }
  return routed;
}

function resultOf(added: HistoryAdded | null, i: number, machineId: number): LineResult {
  const result = added?.results[i];
  if (!added || result === undefined) return { code: "unknown_machine", message: `machineId: there is no machine ${machineId}` };
  if (result === ACCEPTED) return "accepted";
  if (result === HELD) return "held";
  return result === DUPLICATE ? "duplicate" : (added.refusals[result - FIRST_REFUSAL] ?? "duplicate");
}

/** Of the results that a line has at several machines: it is accepted if it was new to one of them. */
function better(one: LineResult | undefined, other: LineResult): LineResult {
  const rank = (result: LineResult) => (typeof result === "object" ? 3 : ["accepted", "held", "duplicate"].indexOf(result));
  return one === undefined || rank(other) < rank(one) ? other : one;
}

async function record(
  db: CompanyDb,
  row: ImportRow,
  next: Piece["next"],
  lines: readonly FileLine[],
  results: readonly (LineResult | undefined)[],
): Promise<boolean> {
  const counts: Counts = { accepted: 0, duplicates: 0, held: 0, failed: 0 };
  const errors: NewError[] = [];
  for (const [i, { line, offset }] of lines.entries()) {
    const result = results[i] ?? "duplicate";
    if (typeof result === "object") {
      counts.failed += 1;
      if (row.failed + counts.failed <= MOST_ERRORS) errors.push({ line, offset, ...named(result) });
    } else if (result === "duplicate") counts.duplicates += 1;
    else {
      counts.accepted += 1;
      if (result === "held") counts.held += 1;
    }
  }
  try {
    await recordPiece(db, row, next, { counts, errors, now: Date.now() });
    return true;
  } catch (error) {
    if (isStaleRead(error)) return false;
    throw error;
  }
}

/** A refusal with the member that its message begins with. */
function named({ code, message }: LineRefusal): Pick<NewError, "member" | "code" | "message"> {
  const [whole, member = null] = /^(\w+): /.exec(message) ?? [""];
  return { member, code, message: message.slice(whole?.length ?? 0) };
}
