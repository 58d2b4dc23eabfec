import type { Answer, Client } from "../crash/line.ts";
import type { Ground } from "./ground.ts";

/** Request -> its answer. */
export type Readings = Map<string, Answer>;

/** A company in a service, with those who read it. */
export interface Place {
  ground: Ground;
  superuser: Client;
  admin: Client;
}

/** Operations that are not read here, and why. */
const left: Record<string, string> = {
  getLive: "a stream: the test watches it",
  getHealth: "of the service, not of the company: the test checks it",
  getOpenapi: "differs between versions",
  getService: "differs between versions",
  getWallPairing: "needs the secret of a pairing that is under way",
  getTerminalPairing: "needs the secret of a pairing that is under way",
  getGatewayPairing: "needs a pairing that is under way",
  getOwnGateway: "of the gateway that asks, with the present time",
  getThumbnail: "a file",
  listMachineEvents: "a stream of lines",
  previewReportSubscription: "a page for people",
  getBookClosing: "none is made here: the last release cannot",
  getRecalculation: "none is made here: the last release cannot",
  getImport: "none is made here: the last release cannot",
  listImportErrors: "none is made here: the last release cannot",
  getCalendarDay: "none is made here: the last release cannot",
  getStopClassification: "none is made here: the last release cannot",
  getAction: "none is made here: the last release cannot",
  getHandOver: "none is made here: the last release cannot",
  getShiftFigures: "of a date, which the list of shifts does not name",
  getCorrection: "none is made here: the last release cannot",
  getDefectReason: "none is made here: the last release cannot",
  getEventWithdrawal: "none is made here: the last release cannot",
  getRuns: "of an interval, which the list of machines does not name",
  getPresences: "of an interval, which the list of machines does not name",
  getUsage: "counts what the service used, which grows by reading",
};

/** The list whose items have the ids of a path, where it is not the path's own beginning. */
const listOf: Record<string, string> = {
  "/subscriptions/{subscriptionId}/logs": "/v1/report-subscriptions",
  "/machines/{machineId}/availability": "/v1/machines",
  "/v1/machines/{id}/shifts/{start}/explain": "",
};

interface Document {
  paths: Record<string, Record<string, { operationId: string }>>;
}

/** Reads everything of a company that the service can show, with all of its operations that read. */
export async function readAll({ admin, superuser, ground }: Place): Promise<Readings> {
  const { paths } = (await (await fetch(`${admin.url}/openapi.json`)).json()) as Document;
  const readings: Readings = new Map();
  const read = async (method: string, path: string, body?: object, client = admin) => {
    const answer = await client.do(method, path, body);
    readings.set(`${method} ${path}${body ? ` ${JSON.stringify(body)}` : ""}`, answer);
    return answer;
  };
  const { from, to } = ground.period;
  const period = `from=${from}&to=${to}`;
  const queries: Record<string, string[]> = {
    getAvailability: [`start=${from}&end=${to}`],
    listRealtimeOperators: ground.machines.map(({ id }) => `machineId=${id}`),
    getTimeline: [period],
    getSummary: ["day", "machine", "shift", "line", "sku", "operator"].map((groupBy) => `groupBy=${groupBy}&${period}`),
    getProduction: [period],
    listShiftRecords: [`${period}&limit=500`],
    listStopRecords: [`${period}&limit=500`],
    listAudit: ["limit=500"],
    listEvents: ["limit=500&sort=seq"],
    listStops: [`${period}&limit=500`],
  };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    methods.get && !(methods.get.operationId in left) ? [{ path, operationId: methods.get.operationId }] : [],
  );
  const plain = operations.filter(({ path }) => !path.includes("{"));
  for (const { path, operationId } of plain) {
    for (const query of queries[operationId] ?? [""]) await read("GET", path + (query && `?${query}`));
  }
  for (const { path, operationId } of operations.filter((one) => !plain.includes(one))) {
    const list = listOf[path] ?? path.slice(0, path.indexOf("/{"));
    const items = list === "" ? [] : itemsOf(readings, list);
    for (const { id, shiftIndicators } of items) {
      for (const query of queries[operationId] ?? [""]) {
        // A shift record has its id in its indicators.
        const named = path.replace(/\{\w+\}/, encodeURIComponent(id ?? shiftIndicators.indicatorId));
        await read("GET", named + (query && `?${query}`));
      }
    }
  }
  for (const { machine, shift } of itemsOf(readings, "/v1/shift-records")) {
    await read("GET", `/v1/machines/${machine.id}/shifts/${shift.startTime}/explain`);
  }
  const machineIds = ground.machines.map(({ id }) => id);
  await read("POST", "/v1/public/reports/metrics", { machineIds, from, to, pageSize: 1000 }, superuser);
  await read("POST", "/v1/public/reports/stops", { machineIds, from, to, pageSize: 1000 }, superuser);
  const metrics = ["stop_count", "stop_duration", "programmed_duration", "unclassified_count", "mttr", "mtbf"];
  await read("POST", "/widget/stop-metrics", { filter_by: { date_range: { from, to } }, metrics, group_by: "machine" });
  return readings;
}

function itemsOf(readings: Readings, list: string): Answer[] {
  const found = [...readings].find(([request]) => request === `GET ${list}` || request.startsWith(`GET ${list}?`));
  return found?.[1].data ?? [];
}

/** The operations of the document without any reading, apart from those that are left out. */
export async function unread(url: string, readings: Readings): Promise<string[]> {
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as Document;
  const requests = [...readings.keys()];
  return Object.entries(paths).flatMap(([path, { get }]) => {
    const pattern = new RegExp(`^GET ${path.replace(/\{\w+\}/g, "[^/?]+")}(\\?|$)`);
    return !get || get.operationId in left || requests.some((request) => pattern.test(request)) ? [] : [get.operationId];
  });
}

/** The requests whose answers differ between two versions, with both. Operations and members that only one of them has are left out. */
export function differences(before: Readings, after: Readings, since: number): object[] {
  const requests = new Set([...before.keys(), ...after.keys()]);
  const [known, knownNow] = [before, after].map((readings) => new Set([...readings.keys()].map(operationOf)));
  const common = [...requests].filter((request) => known?.has(operationOf(request)) && knownNow?.has(operationOf(request)));
  return common.flatMap((request) => {
    const answers = [before, after].map((readings) => readings.get(request));
    const [was, is] = commonOf(...withKnownFigures(request, answers[0], answers[1]));
    const [one, other] = [was, is].map((answer) => maskRecent(JSON.stringify(answer) ?? "nothing", since));
    return one === other ? [] : [{ request, ...firstDifference(one ?? "", other ?? "") }];
  });
}

/** A request without its query, and without the ids in its path. */
function operationOf(request: string): string {
  return request.replace(/\?.*/, "").replace(/\/[^/]*\d[^/]*/g, "/{id}");
}

/** The figures of operators that the released version has as null. They are compared again from the next release on. */
const newOfOperators = ["idealTime", "defects", "correct", "effectiveness", "quality", "oee"];

/** Both answers; of a summary by operator without the figures that only one of them has. */
function withKnownFigures(request: string, one: Answer, other: Answer): [Answer, Answer] {
  const isNull = (answer: Answer) =>
    (answer?.data ?? []).every((row: Answer) => newOfOperators.every((name) => row[name] === null));
  if (!request.startsWith("GET /v1/summary?groupBy=operator&") || isNull(one) === isNull(other)) return [one, other];
  const without = (answer: Answer) => ({
    ...answer,
    data: answer.data.map((row: Answer) => ({ ...row, ...Object.fromEntries(newOfOperators.map((name) => [name, null])) })),
  });
  return [without(one), without(other)];
}

/** Both values with the members that both have. */
function commonOf(one: Answer, other: Answer): [Answer, Answer] {
  if (Array.isArray(one) && Array.isArray(other)) {
    const longest = Math.max(one.length, other.length);
    const pairs = Array.from({ length: longest }, (_, i) => commonOf(one[i], other[i]));
    return [pairs.slice(0, one.length).map(([item]) => item), pairs.slice(0, other.length).map(([, item]) => item)];
  }
  if (one === null || other === null || typeof one !== "object" || typeof other !== "object") return [one, other];
  const members = Object.keys(one).filter((member) => member in other);
  const pairs = members.map((member) => [member, commonOf(one[member], other[member])] as const);
  return [
    Object.fromEntries(pairs.map(([member, [value]]) => [member, value])),
    Object.fromEntries(pairs.map(([member, [, value]]) => [member, value])),
  ];
}

/** Times since the test began move with the clock, and cursors contain the time of reading. */
function maskRecent(json: string, since: number): string {
  return json
    .replace(/"cursor":"[^"]*"/g, '"cursor":"more"')
    .replace(/"(\d{4}-\d\d-\d\dT[\d:.]+Z)"/g, (text, time) => (Date.parse(time) >= since ? '"recently"' : text))
    .replace(/(?<=[:[,])\d{13}(?=[,}\]])/g, (text) => (Number(text) >= since ? '"recently"' : text));
}

function firstDifference(one: string, other: string): { before: string; after: string } {
  const at = [...one].findIndex((char, i) => char !== other[i]);
  const from = Math.max(0, (at < 0 ? Math.min(one.length, other.length) : at) - 120);
  return { before: one.slice(from, from + 300), after: other.slice(from, from + 300) };
}

/** The readings of numbers, without random ids: the same in every service in which the same happened. */
export function numbersOf(readings: Readings): Readings {
  const ofNumbers =
    /^(GET \/v1\/(shift-records|stop-records|stops|production|summary|timeline|operators\/\d+\/shifts)|GET \/machines\/\d+\/availability|POST|GET \/v1\/machines\/\d+\/shifts)/;
  const uuid = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g;
  return new Map(
    [...readings]
      // Changes have random ids, and revisions depend on when what was sent arrived.
      .filter(([request]) => ofNumbers.test(request) && !/\/(changes|revisions)$/.test(request))
      .map(([request, answer]) => {
        const json = JSON.stringify(answer)
          .replace(uuid, "<id>")
          .replace(/"revisionCount":\d+/g, '"revisionCount":"any"');
        return [request, JSON.parse(json)];
      }),
  );
}
