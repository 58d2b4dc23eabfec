import { isDeepStrictEqual } from "node:util";
import { recordId } from "../core/record-id.ts";
import type { EventType } from "../db/values.ts";
import { isoOf } from "../oee/time.ts";

// How the data of events are stored: as an array with a place for each member. Names are not stored: they are looked up when an event is sent or listed
// (names.ts). Stored events are read by these shapes, so a shape never changes, except that it may get more places at its end.

export type EventData = Record<string, unknown>;

/** What an event's row knows apart from the data. */
export interface EventColumns {
  machineId: number | null;
  lineId: number | null;
  at: number;
}

/** A member, or several, and how they are stored. */
interface Place {
  encode(data: EventData, columns: EventColumns): unknown;
  decode(stored: unknown, columns: EventColumns): EventData;
}

interface Shape {
  /** Members that are not stored. */
  unstored: readonly Unstored[];
  places: readonly Place[];
}

/** The members of the machine, which are columns, or names. */
type Unstored = (columns: EventColumns) => EventData;

const ofMachine: Unstored = ({ machineId, lineId }) => ({ machineId, machineName: null, lineId, lineName: null });

function names(...members: string[]): Unstored {
  return () => Object.fromEntries(members.map((member) => [member, null]));
}

/** A member that is stored as it is. */
function plain(member: string): Place {
  return { encode: (data) => data[member] ?? null, decode: (stored) => ({ [member]: stored }) };
}

/** The id of a record of the machine, stored as its number there. */
function record(member: string): Place {
  const zero = ({ machineId }: EventColumns) => recordId(machineId ?? 0, 0);
  return {
    encode: (data, columns) => Number(data[member]) - zero(columns),
    decode: (stored, columns) => ({ [member]: Number(stored) + zero(columns) }),
  };
}

/** A time, stored as the milliseconds from it to the event. */
function time(member: string): Place {
  return {
    encode: (data, { at }) => (data[member] === null ? null : at - Date.parse(String(data[member]))),
    decode: (stored, { at }) => ({ [member]: stored === null ? null : isoOf(at - Number(stored)) }),
  };
}

/** Members that are true or false, stored as the bits of a number. */
function flags(...members: string[]): Place {
  return {
    encode: (data) => members.reduce((bits, member, i) => bits + (data[member] === true ? 2 ** i : 0), 0),
    decode: (stored) => Object.fromEntries(members.map((member, i) => [member, (Number(stored) & (2 ** i)) !== 0])),
  };
}

/** The changes, stored as the numbers of the members in this list with their old values. The new values are the members themselves. */
function changes(members: readonly string[]): Place {
  return {
    encode: (data) =>
      Object.entries(data.changes as Record<string, { from: unknown }>).flatMap(([member, { from }]) => [
        members.indexOf(member),
        from,
      ]),
    decode: (stored) => {
      const list = stored as unknown[];
      const changed = Array.from({ length: list.length / 2 }, (_, i) => [
        members[Number(list[2 * i])],
        { from: list[2 * i + 1] },
      ]);
      return { changes: Object.fromEntries(changed) };
    },
  };
}

const stop: Shape = {
  unstored: [ofMachine, names("shiftName", "generalCauseName", "specificCauseName", "componentName")],
  places: [
    ...[record("stopId"), plain("shiftId"), time("since"), time("until")],
    flags("isManual", "isProgrammed", "isIncludedInStops", "isIncludedInAvailability"),
  ],
};
const stopCauses = ["generalCauseId", "description", "specificCauseId", "componentId", "name", "breakName"].map(plain);
const stopChanges = changes([
  ...["since", "until", "isManual", "isProgrammed", "isIncludedInStops", "isIncludedInAvailability", "name", "breakName"],
  ...["generalCauseId", "specificCauseId", "componentId", "description"],
]);

const shiftNumbers = [
  ...[
    "availableMinutes",
    "noDataMinutes",
    "programmedMinutes",
    "nonProgrammedMinutes",
    "otherMinutes",
    "cycles",
    "total",
    "defects",
  ],
  ...["availability", "effectiveness", "quality", "oee"],
];
const shift: Shape = {
  unstored: [ofMachine, names("shiftName")],
  places: [record("recordId"), plain("shiftId"), time("since"), time("until"), ...shiftNumbers.map(plain)],
};

const operator: Shape = { unstored: [ofMachine, names("operatorName")], places: [plain("operatorId"), time("since")] };

/** Written by SQL, too: `insertOrderEvents` in queries.ts. */
const workOrder: Shape = {
  unstored: [],
  places: [plain("workOrderId"), plain("code"), plain("name"), plain("status"), time("dueAt"), plain("machineIds")],
};

const alert: Shape = {
  unstored: [ofMachine, names("ruleName")],
  places: [
    ...["incidentId", "ruleId", "kind", "nodeId", "machineIds"].map(plain),
    ...[time("since"), plain("level"), plain("facts")],
  ],
};

/** A place that alerts got later, so that it comes after those of each type. */
const machineCount = plain("machineCount");

function more({ unstored, places }: Shape, added: readonly Place[], ...addedNames: string[]): Shape {
  return { unstored: [...unstored, names(...addedNames)], places: [...places, ...added] };
}

const shapes: Readonly<Record<EventType, Shape>> = {
  "stop.opened": more(stop, stopCauses),
  "stop.closed": more(stop, stopCauses),
  "stop.changed": more(stop, [stopChanges, flags("isRemoved"), ...stopCauses]),
  "stop.classified": more(stop, [stopChanges, ...stopCauses]),
  "shift.closed": shift,
  "shift.revised": more(shift, [changes(shiftNumbers), plain("reasons")]),
  "machine.no_data": { unstored: [ofMachine], places: [time("since")] },
  "machine.signal_back": { unstored: [ofMachine], places: [time("since"), time("until")] },
  "machine.counts_held": {
    unstored: [ofMachine],
    places: [record("heldId"), plain("reason"), plain("count"), plain("units"), time("since"), time("until")],
  },
  "operator.signed_in": operator,
  "operator.signed_out": more(operator, [time("until"), flags("isRemoved")]),
  "work_order.created": workOrder,
  "work_order.started": workOrder,
  "work_order.late": more(workOrder, [time("expectedAt")]),
  "work_order.completed": workOrder,
  "alert.opened": more(alert, [machineCount]),
  "alert.escalated": more(alert, [machineCount]),
  "alert.acknowledged": more(alert, [plain("userId"), machineCount], "userName"),
  "alert.resolved": more(alert, [time("until"), machineCount]),
  "help.called": {
    unstored: [ofMachine],
    // The name of the operators who called at a terminal: the user is the one who paired it. Null: the user's name is looked up.
    places: [plain("helpCallId"), time("since"), plain("message"), plain("userId"), plain("userName")],
  },
};

/** The array that an event's data are stored as; null if they have members that it would lose, as those of another version of the service may. */
export function encodeData(type: EventType, data: EventData, columns: EventColumns): unknown[] | null {
  try {
    const stored = shapes[type].places.map((place) => place.encode(data, columns));
    while (stored.length > 0 && stored.at(-1) === null) stored.pop();
    return isDeepStrictEqual(decodeData(type, stored, columns), data) ? stored : null;
  } catch {
    // A member that the shape needs is missing.
    return null;
  }
}

/** The data of an event that is stored as an array. */
export function decodeData(type: EventType, stored: readonly unknown[], columns: EventColumns): EventData {
  const { unstored, places } = shapes[type];
  const data: EventData = {};
  for (const members of unstored) Object.assign(data, members(columns));
  for (const [i, place] of places.entries()) Object.assign(data, place.decode(stored[i] ?? null, columns));
  const changed = data.changes as Record<string, object> | undefined;
  if (changed) {
    data.changes = Object.fromEntries(Object.entries(changed).map(([member, old]) => [member, { ...old, to: data[member] }]));
  }
  return data;
}

/** The first place of an event's array that a machine numbered: the record or operator that its id names. Null: the id names the machine. */
export function firstPlaceOf(type: EventType, about: number, machineId: number): number | null {
  if (type === "machine.no_data" || type === "machine.signal_back") return null;
  return type.startsWith("operator.") ? about : about - recordId(machineId, 0);
}

/** The id that is part of the id of an event that a machine numbered: of the record or operator that it is about, or of the machine. */
export function aboutOf(data: EventData, machineId: number): number {
  return Number(data.stopId ?? data.recordId ?? data.heldId ?? data.operatorId ?? machineId);
}
