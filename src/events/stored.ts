import type { events } from "../db/schema.ts";
import { type EventType, eventTypeNumbers, eventTypes, namesIn } from "../db/values.ts";
import type { NewEvent, StoredEvent } from "./event.ts";
import { aboutOf, decodeData, type EventColumns, encodeData } from "./shapes.ts";

// The rows of events. An event that a machine numbered has the id `type:about:machine-n`, which is not stored.

export type EventRow = typeof events.$inferSelect;

/** `data` is an object that is published as it is, with names filled in where they are null. */
const AS_OBJECT = 0;
/** `data` is an array (shapes.ts). */
export const AS_ARRAY = 1;

const types = namesIn(eventTypeNumbers);

/** The type with a number. */
export function typeOf(number: number): EventType {
  const type = types.get(number);
  if (type === undefined) throw new Error(`No type of events has the number ${number}.`);
  return type;
}

/** The columns of a new event's row, as far as they follow from the event. */
export function rowOf({ id, companyId, machineId, type, at, data }: NewEvent) {
  const array = encodeData(type, data, { machineId, lineId: null, at });
  const numbered = numberedOf(id);
  const isNumbered = numbered !== null && numbered.machineId === machineId;
  const isIdKnown = array !== null && isNumbered && idOf(type, data, numbered) === id;
  return {
    ...{ companyId, machineId, n: isNumbered ? numbered.n : null, key: isIdKnown ? null : id, type: eventTypeNumbers[type], at },
    ...{ form: array ? AS_ARRAY : AS_OBJECT, data: JSON.stringify(array ?? data) },
  };
}

/** The event of a row, with names that are null where they are not stored. */
export function eventOf({
  companyId,
  seq,
  machineId,
  n,
  key,
  type: number,
  lineId,
  at,
  form,
  data: text,
}: EventRow): StoredEvent {
  const type = typeOf(number);
  const columns = { machineId, lineId, at };
  const stored = JSON.parse(text);
  const data = form === AS_ARRAY ? decodeData(type, stored, columns) : withLine(stored, columns);
  return { companyId, seq, machineId, id: key ?? idOf(type, data, { machineId: machineId ?? 0, n: n ?? 0 }), type, at, data };
}

/** An object that was stored before the line was known gets it. */
function withLine<Data extends object>(data: Data, { lineId }: EventColumns): Data {
  return "lineId" in data && data.lineId === null ? { ...data, lineId } : data;
}

interface Numbered {
  machineId: number;
  n: number;
}

function idOf(type: EventType, data: StoredEvent["data"], { machineId, n }: Numbered): string {
  return `${type}:${aboutOf(data, machineId)}:${machineId}-${n}`;
}

/** The parts of the id of an event that a machine numbered; null for other ids. */
export function numberedOf(id: string): (Numbered & { type: EventType; about: number }) | null {
  const [, name, about, machineId, n] = /^([a-z_.]+):(\d{1,16}):(\d{1,16})-(\d{1,16})$/.exec(id) ?? [];
  const type = eventTypes.find((one) => one === name);
  return type ? { type, about: Number(about), machineId: Number(machineId), n: Number(n) } : null;
}
