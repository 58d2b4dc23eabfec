import { type Weekday, weekdays } from "../oee/time.ts";

// Values of enumerated columns and shapes of JSON columns. All modules may import them; only queries import the tables.

export const roles = ["superuser", "superadmin", "admin", "user", "readonly"] as const;
export type Role = (typeof roles)[number];

/** What is paired: displays, and gateways. See `src/api/access/pairings/`. */
export const pairingKinds = ["wall", "terminal", "gateway"] as const;
export type PairingKind = (typeof pairingKinds)[number];

/** Permissions that can be granted to roles, for operations without a fixed list of roles. */
export const permissions = [
  "work-orders:write",
  "targets:write",
  "progress:write",
  /** Delete the own config. */
  "configs:write",
  /** Delete anyone's config in the company. */
  "configs:manage",
  "set-up:read",
  "set-up:write",
  "users:read",
  "users:write",
  "gateways:write",
  "api-tokens:read",
  "api-tokens:write",
  /** Record, classify, change, split, merge and delete stops. */
  "stops:write",
  /** Correct what machines counted. */
  "corrections:write",
  /** Sign operators in and out at machines. */
  "operators:sign-in",
  /** See the names and badges of operators: without it, pseudonyms are in their place. */
  "operator-names:read",
  /** Set what a machine makes: SKU and work order. */
  "runs:write",
  /** Change personas: contacts, hours and language of alerts. */
  "personas:write",
  /** Read the numbers of the own company: shift and stop records, summaries, production, the state of all machines. */
  "reports:read",
  /** Call for help at machines, and answer calls. */
  "help-calls:write",
  /** Write what one shift hands over to the next, and acknowledge it. */
  "hand-overs:write",
  /** Create and change actions about losses. */
  "actions:write",
  /** Create and change alert rules and chat rooms. */
  "alerts:write",
  /** Acknowledge incidents. */
  "incidents:acknowledge",
  "webhooks:read",
  "webhooks:write",
  "report-subscriptions:write",
] as const;
export type Permission = (typeof permissions)[number];

/** What Cloudflare calls the places that data may be bound to: those that databases and Durable Objects have. */
export const jurisdictions = ["eu", "fedramp", "us"] as const;
export type Jurisdiction = (typeof jurisdictions)[number];

export const tagSubjects = ["Machines", "Operators", "Skus", "WorkOrders", "Stops", "Shifts", "Sensors"] as const;

/** The names by the numbers that are stored for them. */
export function namesIn<Name extends string>(numbers: Readonly<Record<Name, number>>): ReadonlyMap<number, Name> {
  return new Map(Object.entries<number>(numbers).map(([name, number]) => [number, name as Name]));
}

export interface Contact {
  id: string;
  value: string;
  isActive: boolean;
  reference: string;
}

/** The types of events: docs/events.md describes each. */
export const eventTypes = [
  "stop.opened",
  "stop.closed",
  "stop.changed",
  "stop.classified",
  "shift.closed",
  "shift.revised",
  "machine.no_data",
  "machine.signal_back",
  "machine.counts_held",
  "operator.signed_in",
  "operator.signed_out",
  "work_order.created",
  "work_order.started",
  "work_order.late",
  "work_order.completed",
  "alert.opened",
  "alert.escalated",
  "alert.acknowledged",
  "alert.resolved",
  "help.called",
] as const;
export type EventType = (typeof eventTypes)[number];

/** The numbers by which the types of events are stored. A number is never changed, nor given to another type: stored events have it. */
export const eventTypeNumbers: Readonly<Record<EventType, number>> = {
  "stop.opened": 1,
  "stop.closed": 2,
  "stop.changed": 3,
  "stop.classified": 4,
  "shift.closed": 5,
  "shift.revised": 6,
  "machine.no_data": 7,
  "machine.signal_back": 8,
  "machine.counts_held": 9,
  "operator.signed_in": 10,
  "operator.signed_out": 11,
  "work_order.created": 12,
  "work_order.started": 13,
  "work_order.late": 14,
  "work_order.completed": 15,
  "alert.opened": 16,
  "alert.escalated": 17,
  "alert.acknowledged": 18,
  "alert.resolved": 19,
  "help.called": 20,
};

/** The status of the delivery of an event to a webhook subscription. */
export const deliveryStatuses = ["pending", "succeeded", "failed", "cancelled"] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** The numbers by which they are stored: never changed. */
export const deliveryStatusNumbers: Readonly<Record<DeliveryStatus, number>> = {
  pending: 0,
  succeeded: 1,
  failed: 2,
  cancelled: 3,
};

/** What an alert rule looks for. */
export const alertKinds = [
  "stop",
  "cause",
  "not_running",
  "no_data",
  "unclassified",
  "short_stops",
  "oee",
  "availability",
  "defects",
  "order_late",
  "help",
  "gateway_silent",
  "gateway_queue",
  "gateway_clock",
] as const;
export type AlertKind = (typeof alertKinds)[number];

/** The kinds that look at what gateways report. */
export const gatewayAlertKinds: readonly AlertKind[] = ["gateway_silent", "gateway_queue", "gateway_clock"];

/** Whether the objects of machines look for it. The others are about orders, calls for help and gateways. */
export function isLookedForByMachines(kind: AlertKind): boolean {
  return kind !== "order_late" && kind !== "help" && !gatewayAlertKinds.includes(kind);
}

/** The name of `short_stops` until November 2026: machine objects and messages that an older version wrote still have it. */
export const OLD_SHORT_STOPS = "micro_stops";

/** Whom to notify, and how long after the incident was opened. The first level has no delay. */
export interface AlertLevel {
  afterMinutes: number;
  personaIds: string[];
  chatRoomIds: string[];
}

export const channels = ["in_app", "email", "sms", "whatsapp", "push", "chat"] as const;
export type ChannelName = (typeof channels)[number];

/**
 * `pending`: to be sent. `held`: outside the persona's hours or over the hourly limit, so part of the next digest. `digested`: was sent in a
 * digest.
 */
export const messageStatuses = ["pending", "held", "sent", "digested", "failed"] as const;
export type MessageStatus = (typeof messageStatuses)[number];

export const reportKinds = ["shift", "daily", "weekly"] as const;

export { type Weekday, weekdays };

/** `HH:mm`, end exclusive and up to `24:00`; an end before the start is on the next day, equal ones are silence. */
export type AlertHours = Record<Weekday, { start: string; end: string }>;

export const workOrderStatuses = ["Backlog", "Planned", "InProgress", "Paused", "Completed", "Cancelled"] as const;
export type WorkOrderStatus = (typeof workOrderStatuses)[number];

/** Statuses of orders that take no more production. */
export const closedStatuses: readonly WorkOrderStatus[] = ["Completed", "Cancelled"];

/**
 * Why a closed shift was revised. `lateEvents`: events arrived after its end, or none did for so long that its end counts otherwise. `setUp`: what
 * numbers depend on was changed for a past time. `recalculation`: somebody asked for it.
 */
export const revisionReasons = ["lateEvents", "edit", "setUp", "correction", "import", "recalculation", "withdrawal"] as const;
export type RevisionReason = (typeof revisionReasons)[number];

/** Values of members by name. */
type Members = Record<string, string | number | boolean | null>;

/** What a revision changed. Members of the record and of its stops have the names that they have in the API. */
export interface RevisionBody {
  /** The members of the record that are different now, with their values before and after. */
  before: Members;
  after: Members;
  /** The changed stops, or the first of them; `before` null: it is new, `after` null: there is none any more. */
  stops: { id: number; before: Members | null; after: Members | null }[];
  /** How many stops changed. */
  stopCount: number;
  /** Whether its parts changed: the time and counts of an hour, a SKU or an order. */
  arePartsChanged: boolean;
  /** Whether the operators or their shares changed. */
  isRosterChanged: boolean;
}

/** The kinds of members whose versions are kept. */
export const versionKinds = ["limits", "line", "service", "standard", "shift", "rules", "cause"] as const;
export type VersionKind = (typeof versionKinds)[number];

export const importFormats = ["ndjson", "csv"] as const;
export type ImportFormat = (typeof importFormats)[number];

export const importStates = ["receiving", "waiting", "running", "done", "failed", "undoing", "undone"] as const;
export type ImportState = (typeof importStates)[number];

/** How far a machine has come in a recalculation that was asked for. `requested`: the machine does not know yet. */
export const closingStates = ["closing", "closed", "failed", "reopened"] as const;
export const closingMachineStates = ["waiting", "closed", "reopening", "open"] as const;
export type ClosingMachineState = (typeof closingMachineStates)[number];

/** What people had left open when books were closed. */
export interface BooksFinding {
  code: "unclassified_stops" | "silent_machines" | "held_events";
  count: number;
}

/** What the shifts of a machine sum up to. */
export interface BooksSums {
  machineId: number;
  shifts: number;
  totalUnits: number;
  defectUnits: number;
  availableMs: number;
  noDataMs: number;
  programmedMs: number;
  nonProgrammedMs: number;
  otherMs: number;
  idealMs: number;
}

export const recalculationStates = ["requested", "waiting", "replaying", "computing", "done", "failed"] as const;
export type RecalculationState = (typeof recalculationStates)[number];

/** What a calendar day is for. */
export const calendarScopes = ["company", "line", "machine"] as const;

export const channelTypes = ["cycle", "total", "good", "defect", "rework"] as const;
export type ChannelType = (typeof channelTypes)[number];

/** Percentages of what is shown in colours. */
export interface Thresholds {
  badBelow: number;
  goodFrom: number;
}

export interface ShiftBreak {
  name: string;
  /** Local wall-clock `HH:mm`. */
  start: string;
  end: string;
  isIncludedInAvailability: boolean;
}

/** A text in the languages of the contract. */
export interface L10n {
  en: string;
  es: string;
}

/** What a bulk classification gives to each of its stops. */
export interface StopClassificationEdit {
  causes: {
    generalCauseId: number | null;
    specificCauseId: number | null;
    componentId: number | null;
    description: string | null;
  };
  flags: CauseFlags;
  /** What each stop keeps of its own; left out: nothing. */
  kept?: KeptCauses;
}

/** What a cause says of its stops. */
interface CauseFlags {
  isProgrammed?: boolean;
  isIncludedInStops?: boolean;
  isIncludedInAvailability?: boolean;
}

/** The members of a classification that a request does not name: each stop keeps its own. */
export interface KeptCauses {
  members: (keyof StopClassificationEdit["causes"])[];
  /** The general cause above the specific one that is named; null: there is none, or none is named. */
  generalCauseId: number | null;
  /** The causes that stops may keep beside the named one, by id, with the flags that they give. */
  flags: Record<number, CauseFlags>;
}

/** Stops of a machine that wait for a bulk classification: the number and the version of each. */
export type WaitingStops = [machineId: number, stops: [seq: number, version: number][]];

/**
 * Why a bulk classification leaves a stop as it is: somebody changed it, it is not there any more, its machine did not answer for a day, or its
 * books are closed.
 */
export type LeftOut = "changed" | "gone" | "unreachable" | "closed";

/** The types of events that people can withdraw. */
export const withdrawableKinds = ["count", "heartbeat", "state", "operator", "sku"] as const;
export type WithdrawableKind = (typeof withdrawableKinds)[number];

/** Which events of a time are withdrawn: those that match all that is not null. */
export interface WithdrawalFilter {
  nodeId: number | null;
  channel: number | null;
  /** Null: what machines send by themselves, or with `ids` all kinds. */
  kinds: readonly WithdrawableKind[] | null;
  minValue: number | null;
  importId: number | null;
  ids: readonly string[] | null;
}

/** What an action is about. */
export const lossKinds = ["cause", "unclassified", "speed", "quality", "noData"] as const;
export type LossKind = (typeof lossKinds)[number];
export const actionStates = ["open", "done", "dropped"] as const;

/** What people write down of a shift for the next one, by subject; null: nothing. */
export interface HandOverNotes {
  safety: string | null;
  quality: string | null;
  people: string | null;
  other: string | null;
}

interface NamedId {
  id: number;
  name: string;
}

/** What was made in a shift, or a part of it, with minutes and percentages. */
export interface HandedOver {
  /** What the standards allowed, up to then. */
  target: number;
  total: number;
  defects: number;
  oee: number;
  availability: number;
  /** Minutes. */
  unavailableTime: number;
  noDataTime: number;
}

/** The figures of a shift as it is handed over. Times are ISO 8601. */
export interface HandOverFigures {
  /** As of when. */
  at: string;
  /** Whether the shift had ended then. */
  isShiftOver: boolean;
  all: HandedOver;
  stopCount: number;
  /** The stops without a cause that nobody planned. */
  withoutCause: { count: number; minutes: number };
  hours: { start: string; total: number; target: number }[];
  /** Without a line: the company's lines, and what is in none. */
  lines: ({ line: NamedId | null } & HandedOver)[];
  lineCount: number;
  machines: ({ machine: NamedId; line: NamedId | null } & HandedOver)[];
  machineCount: number;
  stops: {
    id: number;
    machine: NamedId;
    name: string;
    hasCause: boolean;
    startTime: string;
    /** Null: it was open. */
    endTime: string | null;
    minutes: number;
    note: string | null;
  }[];
  incidents: { id: string; name: string; machine: NamedId | null; since: string; acknowledgedBy: string | null }[];
  incidentCount: number;
  calls: { id: number; machine: NamedId; message: string | null; since: string }[];
  callCount: number;
  lateOrders: { id: string; code: string; name: string; dueTime: string | null; expectedAt: string | null; remaining: number }[];
  lateOrderCount: number;
}

/** What of the set-up can be imported from a file. */
export const setUpImportKinds = [
  "skus",
  "operators",
  "machines",
  "lines",
  "stop-causes",
  "defect-reasons",
  "work-orders",
] as const;
export type SetUpImportKind = (typeof setUpImportKinds)[number];

/** What an import stored of an item. */
export interface ImportedItem {
  id: number | string;
  /** Of the item as the import left it. */
  updatedAt: number;
  /** The members that it changed, as they were. Null: it created the item. */
  before: Record<string, unknown> | null;
}

/** A channel that feeds no machine, and that nobody wants to see. */
export interface IgnoredChannel {
  nodeId: number;
  channel: number;
  /** Epoch ms. */
  since: number;
}
