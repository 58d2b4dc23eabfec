import { assumed, prices } from "./prices.ts";

/** The use of the platform in a simulated time, as counted by meter.js. */
export interface Tally {
  /** Requests to the Worker and runs of its crons and consumers, by origin. */
  invocations: Partial<Record<Origin, number>>;
  /** By kind of object: calls by method (including `alarm`), their duration, and the number of starts of objects. */
  objects: Partial<Record<ObjectKind, { calls: Record<string, number>; activeMs: number; starts: number }>>;
  /** Trips to D1, by caller. */
  d1: Record<string, number>;
  /** Statements, by origin and text. */
  sql: Record<string, { runs: number; rowsRead: number; rowsWritten: number }>;
  queueMessages: number;
  /** Those of the crons' jobs. */
  jobMessages: number;
  /** Lines of the log about machines' requests and objects, and those that the service writes however many machines it has. */
  logLines: { machines: number; service: number };
  /** By caller. */
  r2: Record<string, { classA: number; classB: number }>;
  /** Messages that the wall received. */
  frames: number;
  /** Size of the machines' databases at the end. */
  objectBytes: number;
}

type Origin = keyof typeof assumed.cpuMs;
type ObjectKind = "machines" | "hubs" | "health";

/** Counts of one machine per day, by billed unit. */
export interface Counts {
  workerRequests: number;
  machineCalls: number;
  machineAlarms: number;
  hubCalls: number;
  healthCalls: number;
  objectRowsRead: number;
  objectRowsWritten: number;
  /** Of these, the number of set alarms. */
  alarmsSet: number;
  d1Trips: number;
  d1RowsRead: number;
  d1RowsWritten: number;
  queueMessages: number;
  logLines: number;
  r2Operations: number;
  /** The time for which its objects were busy here. This number has no price. */
  activeMs: number;
  /** The size of its own database at the end, not a count per day. */
  objectBytes: number;
}

export interface Bill {
  counts: Counts;
  /** USD of one machine in 30 days. */
  dollars: number;
  /** The same by purpose. */
  shares: Record<string, number>;
}

/** A statement and its cost. */
export interface Statement {
  text: string;
  runs: number;
  rowsRead: number;
  rowsWritten: number;
}

const DAYS = 30;
const GB = 1e9;
/** The cost of the crons belongs to the service, however many machines it has. */
const OF_SERVICE = "cron";
const PING_SECONDS = 25;
const PINGS_A_REQUEST = 20;
/** It is written, read and deleted. */
const OPERATIONS_A_MESSAGE = 3;

/**
 * @param hours the length of the counted time
 * @param machines the number of machines that shared it
 */
export function billOf(tally: Tally, hours: number, machines: number, isWatched: boolean): Bill {
  const perDay = 24 / hours / machines;
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
  const origins = (Object.entries(tally.invocations) as [Origin, number][]).filter(([origin]) => origin !== OF_SERVICE);
  const calls = (kind: ObjectKind) => tally.objects[kind]?.calls ?? {};
  const allCalls = (kind: ObjectKind) => sum(Object.values(calls(kind)));
  const statements = statementsOf(tally);
  const inObjects = statements.filter(({ text }) => text.startsWith("object of "));
  const inD1 = statements.filter(({ text }) => text.startsWith("D1 from ") && !text.startsWith(`D1 from ${OF_SERVICE}`));
  const trips = Object.entries(tally.d1).filter(([origin]) => origin !== OF_SERVICE);
  const tripsOfObjects = sum(trips.filter(([origin]) => origin === "machines" || origin === "hubs").map(([, number]) => number));
  const bucket = Object.entries(tally.r2).filter(([origin]) => origin !== OF_SERVICE);
  const classA = sum(bucket.map(([, of]) => of.classA));
  const classB = sum(bucket.map(([, of]) => of.classB));
  const pings = isWatched ? (hours * 3600) / PING_SECONDS / PINGS_A_REQUEST : 0;
  const counts: Counts = {
    workerRequests: sum(origins.map(([, number]) => number)),
    machineCalls: allCalls("machines") - (calls("machines").alarm ?? 0),
    machineAlarms: calls("machines").alarm ?? 0,
    hubCalls: allCalls("hubs") + pings,
    healthCalls: allCalls("health"),
    objectRowsRead: sum(inObjects.map(({ rowsRead }) => rowsRead)),
    objectRowsWritten: sum(inObjects.map(({ rowsWritten }) => rowsWritten)),
    alarmsSet: sum(inObjects.filter(({ text }) => text.endsWith(": setAlarm")).map(({ runs }) => runs)),
    d1Trips: sum(trips.map(([, number]) => number)),
    d1RowsRead: sum(inD1.map(({ rowsRead }) => rowsRead)),
    d1RowsWritten: sum(inD1.map(({ rowsWritten }) => rowsWritten)),
    queueMessages: tally.queueMessages,
    logLines: tally.logLines.machines,
    r2Operations: classA + classB,
    activeMs: sum(Object.values(tally.objects).map(({ activeMs }) => activeMs)),
    objectBytes: tally.objectBytes,
  };
  const objectRequests = allCalls("machines") + allCalls("hubs") + allCalls("health") + pings;
  const activeMs =
    objectRequests * assumed.objectCallMs +
    tripsOfObjects * assumed.databaseTripMs +
    2 * (calls("hubs").tell ?? 0) * assumed.tellMs;
  const perMonth = perDay * DAYS;
  const shares = {
    "Worker requests": counts.workerRequests * prices.workerRequest * perMonth,
    "Worker CPU": sum(origins.map(([origin, number]) => number * assumed.cpuMs[origin])) * prices.workerCpuMs * perMonth,
    "object requests": objectRequests * prices.objectRequest * perMonth,
    "object time": (activeMs / 1000) * assumed.objectGb * prices.objectGbSecond * perMonth,
    "rows written in objects": (counts.objectRowsWritten - counts.alarmsSet) * prices.objectRowWritten * perMonth,
    "alarms set": counts.alarmsSet * prices.objectRowWritten * perMonth,
    "rows read in objects": counts.objectRowsRead * prices.objectRowRead * perMonth,
    "objects' storage": (counts.objectBytes / GB / machines) * prices.objectGbMonth,
    "rows written in D1": counts.d1RowsWritten * prices.d1RowWritten * perMonth,
    "rows read in D1": counts.d1RowsRead * prices.d1RowRead * perMonth,
    queues: counts.queueMessages * OPERATIONS_A_MESSAGE * prices.queueOperation * perMonth,
    R2: (classA * prices.r2ClassA + classB * prices.r2ClassB) * perMonth,
    logs: counts.logLines * prices.logEvent * perMonth,
  };
  const ofOne = Object.fromEntries(
    Object.entries(counts).map(([name, value]) => [name, value * (name === "objectBytes" ? 1 / machines : perDay)]),
  ) as unknown as Counts;
  return { counts: ofOne, dollars: sum(Object.values(shares)), shares };
}

/** The cost of a service's crons, and of its own lines in the log, in 30 days in USD, with the company of the tally. */
export function billOfCrons(tally: Tally, hours: number): number {
  const runs = tally.invocations.cron ?? 0;
  const rows = statementsOf(tally).filter(({ text }) => text.startsWith(`D1 from ${OF_SERVICE}`));
  const inD1 = rows.reduce(
    (sum, { rowsRead, rowsWritten }) => sum + rowsRead * prices.d1RowRead + rowsWritten * prices.d1RowWritten,
    0,
  );
  const inR2 = (tally.r2[OF_SERVICE]?.classA ?? 0) * prices.r2ClassA + (tally.r2[OF_SERVICE]?.classB ?? 0) * prices.r2ClassB;
  const inQueues = tally.jobMessages * OPERATIONS_A_MESSAGE * prices.queueOperation;
  const ofRuns = runs * (prices.workerRequest + assumed.cpuMs.cron * prices.workerCpuMs);
  const inLogs = tally.logLines.service * prices.logEvent;
  return (inD1 + inR2 + inQueues + inLogs + ofRuns) * (24 / hours) * DAYS;
}

/** The statements of a tally, most expensive first. */
export function statementsOf(tally: Tally): Statement[] {
  const priceOf = ({ rowsRead, rowsWritten }: Statement) => rowsRead * prices.d1RowRead + rowsWritten * prices.d1RowWritten;
  return Object.entries(tally.sql)
    .map(([text, counted]) => ({ text, ...counted }))
    .sort((a, b) => priceOf(b) - priceOf(a));
}
