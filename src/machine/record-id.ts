/** More records of a kind than a machine can write in centuries. */
const RECORDS_PER_MACHINE = 2 ** 26;

/**
 * Id of a machine's n-th stop or shift record. The object numbers its own: so it knows an id before D1 does, a repeated write finds
 * its own row, and an id contains its machine.
 */
export function recordId(machineId: number, seq: number): number {
  return machineId * RECORDS_PER_MACHINE + seq;
}

/** The machine of a stop's or shift record's id, and its number there. */
export function recordOf(id: number): { machineId: number; seq: number } {
  return { machineId: Math.floor(id / RECORDS_PER_MACHINE), seq: id % RECORDS_PER_MACHINE };
}
