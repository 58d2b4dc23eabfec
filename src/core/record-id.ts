/** More records of a kind than a machine can write in centuries. */
const RECORDS_PER_MACHINE = 2 ** 26;

/**
 * Returns the id of a machine's n-th stop or shift record. The object numbers its records itself, so that it knows an id before D1 does, a
 * repeated write finds its own row, and the id contains the machine.
 */
export function recordId(machineId: number, seq: number): number {
  return machineId * RECORDS_PER_MACHINE + seq;
}

/** Returns the machine and the number that the id of a stop or shift record contains. */
export function recordOf(id: number): { machineId: number; seq: number } {
  return { machineId: Math.floor(id / RECORDS_PER_MACHINE), seq: id % RECORDS_PER_MACHINE };
}
