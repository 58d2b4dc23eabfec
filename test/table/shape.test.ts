import { beforeAll, describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { createUser } from "../support/factories.ts";
import { contract } from "./contract.ts";
import { publishedSchema, type Shape, shapeOf, strictly } from "./published.ts";
import { type OperationId, requests } from "./requests.ts";
import { createWorld, type World } from "./world.ts";

// The members and types of the contract's results. `integer`: the contract says number, and the number is whole;
// `?`: the member may be null.
const named = { name: "string", id: "integer" };
const cause = { name: "string", id: "string" };
const paging = { totalCount: "integer", totalPages: "integer", currentPage: "integer" };
const shift = { isActive: "boolean", endTime: "timestamp", startTime: "timestamp", ...named };
const l10n = { en: "string", es: "string" };
const stamps = { createdAt: "timestamp", updatedAt: "timestamp", deletedAt: "timestamp?" };
const common = {
  id: "string",
  title: l10n,
  description: l10n,
  spec: "map",
  isSystem: "boolean",
  isFavorited: "boolean",
  ...stamps,
  thumbnailUrl: "string?",
  compressedThumbnailUrl: "string?",
};
const widget = { ...common, featureRequirements: "string", labels: "string" };
const contact = { id: "string", value: "string", isActive: "boolean", reference: "string" };
const hours = { start: "string", end: "string" };
const all = (members: string, type: string) => Object.fromEntries(members.split(" ").map((member) => [member, type]));

const shapes: Partial<Record<OperationId, Shape>> = {
  getMetricReport: {
    ...paging,
    metrics: [
      {
        company: named,
        machine: { nodeId: "integer", ...named },
        shift,
        shiftIndicators: {
          ...all("unavailableTime otherStopsTime programmedDowntime nonProgrammedDowntime noDataTime netAvailability", "number"),
          ...all("lateStartTime earlyStopTime availableTime availability annotatedDowntime", "number"),
          indicatorId: "integer",
        },
        productionMetrics: {
          ...all("averageCycleSpeed cycleSpeed cycleCount actualSpeed averageSpeed defects correct total", "integer"),
          ...all("minutesLostByLowSpeed minutesLostByLowQuality effectiveness quality netOee oee", "integer"),
          ...all("netAvailability availability", "integer"),
        },
      },
    ],
  },
  saveTagKey: {
    id: "string",
    companyId: "integer",
    sort: "number",
    ...all("subject tagKey tagValue description color", "string"),
    isDefault: "boolean",
  },
  archiveDashboard: {
    ...common,
    archivedAt: "timestamp?",
    instances: [
      { id: "string", widgetId: "string", dashboardId: "string", specOverride: "map", visualConfig: "map", widget, ...stamps },
    ],
  },
  updateOperatorPlan: {
    id: "string",
    fileId: "string?",
    title: "string",
    since: "timestamp",
    until: "timestamp",
    status: "string",
    operatorCount: "integer",
    machineCount: "integer",
  },
  createWorkOrder: {},
  login: {
    error: "boolean",
    data: { email: "string", companyId: "integer", id: "integer", role: "string", jwt: { token: "string", exp: "integer" } },
  },
  listRealtimeOperators: {
    totalItems: "integer",
    data: [
      {
        ...all("shift machineName operatorName", "string"),
        // Units may be fractions: in the contract they are numbers.
        ...all("availability downtime uptime production", "number"),
        ...all("machineId operatorId", "integer"),
        sku: "string?",
        skuId: "string?",
      },
    ],
  },
  createPersona: {
    data: {
      id: "string",
      name: "string",
      isActive: "boolean",
      isUser: "boolean",
      sms: contact,
      whatsapp: contact,
      email: contact,
      push: [contact],
      alertHours: {
        sunday: hours,
        monday: hours,
        tuesday: hours,
        wednesday: hours,
        thursday: hours,
        friday: hours,
        saturday: hours,
      },
      alertIds: ["string"],
      language: "string",
    },
  },
  getStopReport: {
    ...paging,
    stops: [
      {
        classification: {
          description: "string?",
          generalCause: cause,
          specificCause: cause,
          component: cause,
          updatedAt: "timestamp",
          createdAt: "timestamp",
          id: "integer",
        },
        company: named,
        machine: named,
        shift,
        stop: {
          durationInMinutes: "number",
          ...stamps,
          ...all("isManual isIncludedInStops isIncludedInAvailability isProgrammed", "boolean"),
          endTime: "timestamp?",
          startTime: "timestamp",
          ...named,
        },
      },
    ],
  },
  promoteWidget: widget,
  listSubscriptionLogs: [
    {
      ...all("id subscriptionId status detail shiftTitle", "string"),
      executeAt: "timestamp",
      executedAt: "timestamp?",
      ...stamps,
    },
  ],
  getStopMetrics: { series: [{ ...all("name key label axis", "string"), points: [{ x: "integer", y: "number" }] }] },
  uploadThumbnail: { imageUrl: "string" },
  getAvailability: [{ status: "string", timestamp: "timestamp" }],
  getWebhookSecret: "string",
};

let world: World;
let token: string;
beforeAll(async () => {
  world = await createWorld();
  token = (await createUser(world.companyId, "superuser")).token;
});

/** All lists in an answer, outermost first. */
function listsIn(value: unknown): unknown[][] {
  if (typeof value !== "object" || value === null) return [];
  return [...(Array.isArray(value) ? [value] : []), ...Object.values(value).flatMap(listsIn)];
}

describe.each(contract)("%s, %s %s", (id, method, path) => {
  const published = publishedSchema(method, path);

  it("publishes the contract's members and types", () => {
    expect(published && shapeOf(published)).toEqual(shapes[id]);
  });

  it("answers exactly as published", async () => {
    const { path, ...sent } = await requests[id](world);
    const answer = await call(method, path, { token, ...sent });
    if (!published) {
      expect([answer.status, answer.body]).toEqual([204, null]);
      return;
    }
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
    expect(strictly(published).parse(answer.body)).toEqual(answer.body);
    // An empty list proves nothing about its items; only a new persona has empty ones.
    if (id !== "createPersona") for (const list of listsIn(answer.body)) expect(list).not.toHaveLength(0);
  });
});
