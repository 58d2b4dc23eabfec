import type { MachineStorage } from "./storage.ts";

/** The numbers that were given last: a machine's stops, shift records and events are numbered, each from 1. */
interface Numbers {
  lastStop: number;
  lastRecord: number;
  /** Left out: none was given. */
  lastEvent?: number;
}

const KEY = "numbers";

function numbers(storage: MachineStorage): Numbers {
  return storage.value<Numbers>(KEY) ?? { lastStop: 0, lastRecord: 0 };
}

/** The number of a new stop. */
export function nextStopSeq(storage: MachineStorage): number {
  const given = numbers(storage);
  const lastStop = given.lastStop + 1;
  storage.saveValue(KEY, { ...given, lastStop });
  return lastStop;
}

/** The number of a new event. */
export function nextEventSeq(storage: MachineStorage): number {
  const given = numbers(storage);
  const lastEvent = (given.lastEvent ?? 0) + 1;
  storage.saveValue(KEY, { ...given, lastEvent });
  return lastEvent;
}

/** The number of the record of the shift that starts at an instant: the same each time. */
export function recordSeq(storage: MachineStorage, start: number): number {
  const known = storage.recordSeq(start);
  if (known !== null) return known;
  const given = numbers(storage);
  const lastRecord = given.lastRecord + 1;
  storage.saveValue(KEY, { ...given, lastRecord });
  storage.saveRecordSeq(start, lastRecord);
  return lastRecord;
}
