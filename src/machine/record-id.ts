/** More records of a kind than a machine can write in centuries. */
const RECORDS_PER_MACHINE = 2 ** 26;

/**
 * Id of a machine's n-th stop or shift record. The object numbers its own, so it knows an id before D1 does, a repeated
 * write meets its own row, and an id tells its machine.
 */
export function recordId(machineId: number, seq: number): number {
  return machineId * RECORDS_PER_MACHINE + seq;
}
