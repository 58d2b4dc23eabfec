import { createLine, createMachine, createOperator, createPersona, createShift, createStopCause } from "../support/factories.ts";
import { createWidget } from "../support/widgets.ts";

const random = () => crypto.randomUUID().slice(0, 8);
const hours = (n: number) => new Date(Date.now() + n * 3_600_000).toISOString();

/** A kind of set-up object, with everything that the suite for all kinds needs. */
export interface Kind {
  path: string;
  /** A body that creates one; a different one with each call. */
  body(companyId: number): Promise<Record<string, unknown>>;
  /** The required members of the body; all others have a default. */
  required: readonly string[];
  /** The members of the item that come from a body. */
  shown?(body: Record<string, unknown>): Record<string, unknown>;
  change: Record<string, unknown>;
  /** Members that are not as before after it was deleted and restored. */
  restored?: Record<string, unknown>;
  /** False: what is deleted is gone for good. */
  isRestorable?: false;
  /** Invalid changes, by the pointer of the fault. */
  faulty: Record<string, Record<string, unknown>>;
}

const l10n = (name: string) => ({ en: `${name} ${random()}`, es: `${name} es` });
let minute = 0;

export const kinds: Record<string, Kind> = {
  users: {
    path: "/v1/users",
    body: async () => ({
      name: "Ana",
      email: `Ana.${random()}@Example.test`,
      password: "a long enough password",
      role: "readonly",
      isActive: false,
    }),
    required: ["name", "email", "password", "role"],
    shown: ({ password, ...body }) => ({ ...body, email: String(body.email).toLowerCase() }),
    change: { name: "Ana Ruiz", role: "user" },
    faulty: { "/email": { email: "nobody" }, "/role": { role: "root" }, "/password": { password: "fourteen chars" } },
  },
  machines: {
    restored: { decommissionedAt: null },
    path: "/v1/machines",
    body: async (companyId) => ({
      name: "Press",
      ref: `P-${random()}`,
      nodeId: 4,
      lineId: (await createLine(companyId)).lineId,
      signal: "states",
      stopAfterSeconds: 0,
      noDataAfterSeconds: null,
      standardCycleSeconds: 12.5,
      hourlyRate: 48.5,
      oeeThresholds: { badBelow: 50, goodFrom: 80.5 },
      availabilityThresholds: null,
      commissionedAt: "2026-01-01T00:00:00.000Z",
      decommissionedAt: "2031-01-01T00:00:00.000Z",
    }),
    required: ["name", "ref", "nodeId"],
    change: {
      ...{ stopAfterSeconds: 90, hourlyRate: 0, decommissionedAt: null, lineId: null },
      ...{ oeeThresholds: null, coverageThresholds: { badBelow: 0, goodFrom: 100 } },
    },
    faulty: {
      "/lineId": { lineId: 2 ** 40 },
      "/nodeId": { nodeId: -1 },
      "/signal": { signal: "pulses" },
      "/standardCycleSeconds": { standardCycleSeconds: 0 },
      "/hourlyRate": { hourlyRate: -0.01 },
      "/oeeThresholds/goodFrom": { oeeThresholds: { badBelow: 80, goodFrom: 79.9 } },
      "/availabilityThresholds/badBelow": { availabilityThresholds: { badBelow: -1, goodFrom: 80 } },
      "/coverageThresholds/goodFrom": { coverageThresholds: { badBelow: 80, goodFrom: 100.5 } },
      "/decommissionedAt": { decommissionedAt: "2025-12-31T23:59:59Z" },
      "/commissionedAt": { commissionedAt: "1999-12-31T23:59:59Z" },
      "/ref": { ref: "a\0" },
    },
  },
  lines: {
    path: "/v1/lines",
    body: async () => ({ name: `Line ${random()}`, order: -2 }),
    required: ["name"],
    change: { order: 3 },
    faulty: { "/name": { name: "" }, "/order": { order: 1.5 } },
  },
  "defect reasons": {
    path: "/v1/defect-reasons",
    body: async () => ({ name: `Scratch ${random()}` }),
    required: ["name"],
    change: { name: "Dent" },
    faulty: { "/name": { name: "" } },
  },
  shifts: {
    path: "/v1/shifts",
    // One minute each, so that those of a company do not overlap.
    body: async (companyId) => {
      const at = 60 + (minute++ % 600);
      const clock = (n: number) => `${String(Math.floor(n / 60)).padStart(2, "0")}:${String(n % 60).padStart(2, "0")}`;
      const { machineId } = await createMachine(companyId);
      return {
        name: "Short",
        start: clock(at),
        end: clock(at + 1),
        days: ["monday", "sunday"],
        breaks: [],
        machineIds: [machineId],
      };
    },
    required: ["name", "start", "end", "days"],
    change: { name: "Shorter", days: ["tuesday"], breaks: [] },
    faulty: {
      "/start": { start: "24:00" },
      "/end": { end: "6:00" },
      "/days": { days: null },
      "/days/1": { days: ["monday", "monday"] },
      "/breaks/0": { breaks: [{ name: "Lunch", start: "12:00", end: "12:30" }] },
      "/machineIds": { machineIds: [] },
    },
  },
  operators: {
    path: "/v1/operators",
    body: async () => ({ name: "Jorge", code: `O-${random()}` }),
    required: ["name", "code"],
    change: { name: "Jorge Cano" },
    faulty: { "/name": { name: "" }, "/code": { code: "c".repeat(101) }, "/pin": { pin: "123" } },
  },
  skus: {
    path: "/v1/skus",
    body: async (companyId) => {
      const { machineId } = await createMachine(companyId);
      const standards = [
        { machineId: null, standardCycleSeconds: 10 },
        { machineId, standardCycleSeconds: 12.5 },
      ];
      return { id: `S ${random()}/é`, name: "Bottle", standards };
    },
    required: ["name"],
    change: { name: "Big bottle", standards: [{ machineId: null, standardCycleSeconds: 9 }] },
    faulty: {
      "/standards/0/standardCycleSeconds": { standards: [{ machineId: null, standardCycleSeconds: 0 }] },
      "/standards/0/machineId": { standards: [{ machineId: 2 ** 40, standardCycleSeconds: 1 }] },
      "/standards/1/machineId": {
        standards: [
          { machineId: null, standardCycleSeconds: 1 },
          { machineId: null, standardCycleSeconds: 2 },
        ],
      },
    },
  },
  "stop causes": {
    path: "/v1/stop-causes",
    body: async (companyId) => {
      const { causeId } = await createStopCause(companyId);
      return { level: "specific", parentId: causeId, name: "Jam", isProgrammed: true, isIncludedInAvailability: false };
    },
    required: ["level", "name"],
    change: { name: "Big jam" },
    faulty: { "/parentId": { parentId: null }, "/name": { name: 3 }, "/isProgrammed": { isProgrammed: "yes" } },
  },
  "operator plans": {
    path: "/v1/operator-plans",
    body: async (companyId) => {
      const { machineId } = await createMachine(companyId);
      const { operatorId } = await createOperator(companyId);
      const { shiftId } = await createShift(companyId);
      const assignments = [{ operatorId, machineId, shiftId }];
      return { title: "Week", since: hours(1), until: hours(2), assignments };
    },
    required: ["title", "since", "until"],
    shown: (body) => ({ ...body, fileId: null, status: "future", operatorCount: 1, machineCount: 1 }),
    change: { title: "Other week", until: "2100-01-01T00:00:00.000Z" },
    faulty: {
      "/until": { until: hours(0.5) },
      "/title": { title: "" },
      "/assignments/0/operatorId": { assignments: [{ operatorId: 0, machineId: 1, shiftId: 1 }] },
    },
  },
  widgets: {
    path: "/v1/widgets",
    body: async () => ({
      title: l10n("Widget"),
      description: l10n("About"),
      spec: { type: "bar", size: 1.5, nested: { deep: [null, "ü"] } },
      featureRequirements: "oee",
      labels: "a,b",
    }),
    required: ["title", "description", "spec"],
    shown: (body) => ({ ...body, isSystem: false, isFavorited: false, thumbnailUrl: null, compressedThumbnailUrl: null }),
    change: { labels: "c", spec: {} },
    faulty: { "/title/es": { title: { en: "Only English" } }, "/spec": { spec: [] } },
  },
  dashboards: {
    path: "/v1/dashboards",
    body: async (companyId) => ({
      title: l10n("Dashboard"),
      description: l10n("About"),
      spec: { columns: 2 },
      instances: [{ widgetId: (await createWidget(companyId)).id, specOverride: { limit: 5 }, visualConfig: { x: 1 } }],
    }),
    required: ["title", "description", "spec"],
    shown: ({ instances, ...body }) => ({ ...body, isSystem: false, archivedAt: null, thumbnailUrl: null }),
    change: { spec: { columns: 3 } },
    faulty: {
      "/instances/0/widgetId": { instances: [{ widgetId: "none" }] },
      "/instances/0/id": { instances: [{ id: "none", widgetId: "none" }] },
      "/description": { description: "text" },
    },
  },
  "report subscriptions": {
    path: "/v1/report-subscriptions",
    body: async (companyId) => ({
      name: `Report ${random()}`,
      kind: "weekly",
      time: "06:30",
      weekdays: ["monday"],
      machineIds: null,
      lineIds: [(await createLine(companyId)).lineId],
      shiftIds: null,
      personaIds: [(await createPersona(companyId)).id],
      addresses: ["hall1@example.com"],
      webhookSubscriptionIds: [],
      language: "es",
      isActive: true,
    }),
    required: ["name", "kind"],
    change: { name: "Daily report", kind: "daily", weekdays: null, lineIds: null, personaIds: [] },
    faulty: {
      "/kind": { kind: "monthly" },
      "/time": { time: "24:00" },
      "/weekdays": { weekdays: ["monday", "tuesday"] },
      "/weekdays/0": { weekdays: ["Monday"] },
      "/machineIds/0": { lineIds: null, machineIds: [2 ** 40] },
      "/lineIds/0": { lineIds: [2 ** 40] },
      "/personaIds/0": { personaIds: ["none"] },
      "/addresses/0": { addresses: ["nobody"] },
      "/webhookSubscriptionIds/0": { webhookSubscriptionIds: ["none"] },
      "/personaIds": { personaIds: [], addresses: [] },
      "/language": { language: "fr" },
    },
  },
  "chat rooms": {
    path: "/v1/chat-rooms",
    body: async () => ({
      name: `Room ${random()}`,
      service: "slack",
      language: "es",
      isActive: false,
      url: "https://hooks.example.com/services/1",
    }),
    required: ["name", "service", "language", "url"],
    shown: ({ url, ...body }) => body,
    change: { name: "Maintenance", service: "teams", language: "en" },
    faulty: {
      "/service": { service: "irc" },
      "/language": { language: "fr" },
      "/url": { url: "https://10.0.0.1/services/1" },
    },
  },
  "alert rules": {
    path: "/v1/alert-rules",
    body: async (companyId) => {
      const { machineId } = await createMachine(companyId);
      const { shiftId } = await createShift(companyId);
      const { id: personaId } = await createPersona(companyId);
      return {
        name: "Press stands",
        when: { kind: "stop", minutes: 10 },
        machineIds: [machineId],
        lineIds: [(await createLine(companyId)).lineId],
        shiftIds: [shiftId],
        levels: [
          { afterMinutes: 0, personaIds: [personaId], chatRoomIds: [] },
          { afterMinutes: 15, personaIds: [], chatRoomIds: [] },
        ],
        texts: { en: "{machine} stands", es: "{machine} parada" },
        isActive: false,
      };
    },
    required: ["name", "when"],
    change: { name: "Press has stood", when: { kind: "no_data", minutes: 7 }, levels: [], texts: null },
    faulty: {
      "/when/minutes": { when: { kind: "stop", minutes: 1441 } },
      "/when/kind": { when: { kind: "feeling" } },
      "/machineIds/0": { machineIds: [2 ** 40] },
      "/lineIds/0": { lineIds: [2 ** 40] },
      "/shiftIds/0": { shiftIds: [2 ** 40] },
      "/levels/0/afterMinutes": { levels: [{ afterMinutes: 5, personaIds: [], chatRoomIds: [] }] },
      "/levels/0/personaIds/0": { levels: [{ afterMinutes: 0, personaIds: ["nobody"], chatRoomIds: [] }] },
      "/texts/en": { texts: { en: "{weather}", es: "x" } },
    },
  },
  "webhook subscriptions": {
    path: "/v1/webhook-subscriptions",
    body: async (companyId) => ({
      url: `https://${random()}.example.com/in?key=1`,
      events: ["stop.opened", "help.called"],
      machineIds: null,
      lineIds: [(await createLine(companyId)).lineId],
      isActive: false,
      description: "ERP",
      hasOwnSecret: false,
    }),
    required: ["url"],
    change: { description: "MES", isActive: true, events: null },
    faulty: {
      "/url": { url: "https://10.1.2.3/" },
      "/events/0": { events: ["stop.exploded"] },
      "/events": { events: [] },
      "/machineIds/0": { machineIds: [2 ** 40], lineIds: null },
      "/lineIds/0": { lineIds: [2 ** 40] },
      "/description": { description: "d".repeat(201) },
    },
  },
  "API tokens": {
    isRestorable: false,
    path: "/v1/api-tokens",
    body: async () => ({ name: `Program ${random()}`, role: "readonly", isReadOnly: true, expiresAt: hours(1) }),
    required: ["name", "role"],
    change: { name: "Wall display", expiresAt: hours(0.5) },
    faulty: { "/name": { name: "" }, "/expiresAt": { expiresAt: hours(-1) } },
  },
  "gateway tokens": {
    isRestorable: false,
    path: "/v1/gateway-tokens",
    body: async () => ({ name: `Gateway ${random()}` }),
    required: ["name"],
    change: { name: "Gateway hall 2" },
    faulty: { "/name": { name: "" } },
  },
};
