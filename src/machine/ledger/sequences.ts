import type { MachineStorage } from "../storage/machine-storage.ts";

/** The last numbers in use. A machine's stops, shift records and events are each numbered from 1. */
interface Numbers {
  lastStop: number;
  lastRecord: number;
  /** Missing: there is none yet. */
  lastEvent?: number;
}

const KEY = "numbers";

function numbers(storage: MachineStorage): Numbers {
  return storage.value<Numbers>(KEY) ?? { lastStop: 0, lastRecord: 0 };
}

/** Returns the number for a new stop. */
export function nextStopSeq(storage: MachineStorage): number {
  const given = numbers(storage);
  const lastStop = given.lastStop + 1;
  storage.saveValue(KEY, { ...given, lastStop });
  return lastStop;
}

/** Returns the number for a new event. */
export function nextEventSeq(storage: MachineStorage): number {
  const given = numbers(storage);
  const lastEvent = (given.lastEvent ?? 0) + 1;
  storage.saveValue(KEY, { ...given, lastEvent });
  return lastEvent;
}

/** Returns the number of the record of the shift that starts at an instant, the same each time. */
export function recordSeq(storage: MachineStorage, start: number): number {
  const known = storage.recordSeq(start);
  if (known !== null) return known;
  const given = numbers(storage);
  const lastRecord = given.lastRecord + 1;
  storage.saveValue(KEY, { ...given, lastRecord });
  storage.saveRecordSeq(start, lastRecord);
  return lastRecord;
}
