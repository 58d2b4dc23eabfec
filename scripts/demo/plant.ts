import type { DemoPlant } from "../../src/client/demo-plant.ts";
import type { channelTypes, ShiftBreak } from "../../src/db/schema.ts";

/** How the simulator runs a machine: ratios 0..1; `trouble` multiplies the number and length of its stops. */
export interface Behaviour {
  speed: number;
  trouble: number;
  defectRatio: number;
}

/** A gateway: the node that sends for its machines. */
export interface DemoGateway {
  id: number;
  companyId: number;
  nodeId: number;
  name: string;
}

/** A count channel of a machine's gateway; one pulse is `countingFactor` units. */
export interface DemoChannel {
  channel: number;
  type: (typeof channelTypes)[number];
  countingFactor: number;
}

/** A machine of the demo; it makes its SKUs in turn, with one member of its crew per shift. */
export interface DemoMachine {
  id: number;
  gatewayId: number;
  name: string;
  ref: string;
  signal: "counts" | "states";
  standardCycleSeconds: number;
  /** The cost of an hour, in the company's currency. */
  hourlyRate: number;
  channels: DemoChannel[];
  skuIds: string[];
  crew: number[];
  behaviour: Behaviour;
}

/** A shift of every weekday, in its company's wall-clock time. */
export interface DemoShift {
  id: number;
  companyId: number;
  name: string;
  start: string;
  end: string;
  breaks: ShiftBreak[];
}

/** A stop cause with the causes below it. */
export interface DemoCause {
  name: string;
  isProgrammed?: boolean;
  isIncludedInAvailability?: boolean;
  below?: DemoCause[];
}

export const password = "andon-demo-plant";

export const companies = [
  { id: 1, name: "Demo Plant", timezone: "Europe/Madrid", currency: "EUR" },
  { id: 2, name: "Second Plant", timezone: "America/New_York", currency: "USD" },
];

export const accounts = [
  { id: 1, companyId: 1, name: "Sofía Prieto", email: "superuser@demo.test", role: "superuser" },
  { id: 2, companyId: 1, name: "Andrés Molina", email: "superadmin@demo.test", role: "superadmin" },
  { id: 3, companyId: 1, name: "Marta Ibáñez", email: "admin@demo.test", role: "admin" },
  { id: 4, companyId: 1, name: "Jorge Cano", email: "user@demo.test", role: "user" },
  { id: 5, companyId: 1, name: "Elena Rubio", email: "readonly@demo.test", role: "readonly" },
  { id: 6, companyId: 2, name: "Dana Whitfield", email: "admin@second.test", role: "admin" },
] as const;

/** Whom one can look around as on the first page. */
export const demoPlant: DemoPlant = {
  password,
  wall: "readonly@demo.test",
  people: { manager: "superadmin@demo.test", operator: "user@demo.test", lead: "user@demo.test", admin: "admin@demo.test" },
};

export const gateways: DemoGateway[] = [
  { id: 1, companyId: 1, nodeId: 1, name: "Moulding hall" },
  { id: 2, companyId: 1, nodeId: 2, name: "Bottle line" },
  { id: 3, companyId: 1, nodeId: 3, name: "Tool shop" },
  { id: 4, companyId: 2, nodeId: 1, name: "Press shop" },
];

const rest = (name: string, start: string, end: string): ShiftBreak[] => [{ name, start, end, isIncludedInAvailability: false }];

export const shifts: DemoShift[] = [
  { id: 1, companyId: 1, name: "Morning", start: "06:00", end: "14:00", breaks: rest("Lunch", "10:00", "10:30") },
  { id: 2, companyId: 1, name: "Afternoon", start: "14:00", end: "22:00", breaks: rest("Lunch", "18:00", "18:30") },
  { id: 3, companyId: 1, name: "Night", start: "22:00", end: "06:00", breaks: rest("Lunch", "02:00", "02:30") },
  { id: 4, companyId: 2, name: "Day", start: "07:00", end: "15:00", breaks: rest("Lunch", "11:00", "11:30") },
  { id: 5, companyId: 2, name: "Evening", start: "15:00", end: "23:00", breaks: rest("Lunch", "19:00", "19:30") },
];

const crewNames: Record<number, string[]> = {
  1: [
    "Ana Torres",
    "Bruno Vidal",
    "Carla Núñez",
    "Diego Ferrer",
    "Eva Campos",
    "Félix Roldán",
    "Gloria Pascual",
    "Hugo Serrano",
    "Inés Lozano",
    "Javier Soto",
    "Katia Morales",
    "Luis Herrero",
  ],
  2: ["Aaron Blake", "Brenda Cole", "Carlos Diaz", "Denise Ford"],
};

export const operators = Object.entries(crewNames)
  .flatMap(([companyId, names]) => names.map((name) => ({ companyId: Number(companyId), name })))
  .map((operator, index) => ({ id: index + 1, ...operator, code: `OP-${String(index + 1).padStart(2, "0")}` }));

export const skus = [
  { companyId: 1, id: "CAP-28", name: "Screw cap 28 mm", standardCycleSeconds: 12 },
  { companyId: 1, id: "CAP-38", name: "Screw cap 38 mm", standardCycleSeconds: 14 },
  { companyId: 1, id: "LID-90", name: "Jar lid 90 mm", standardCycleSeconds: 18 },
  { companyId: 1, id: "BTL-050", name: "Bottle 0.5 l", standardCycleSeconds: 6 },
  { companyId: 1, id: "BTL-100", name: "Bottle 1 l", standardCycleSeconds: 8 },
  { companyId: 1, id: "BOX-24", name: "Box of 24 bottles", standardCycleSeconds: 20 },
  { companyId: 1, id: "MLD-INS", name: "Mould insert", standardCycleSeconds: 90 },
  { companyId: 1, id: "EJ-PIN", name: "Ejector pin", standardCycleSeconds: 60 },
  { companyId: 2, id: "BRKT-L", name: "Bracket, left", standardCycleSeconds: 15 },
  { companyId: 2, id: "BRKT-R", name: "Bracket, right", standardCycleSeconds: 16 },
  { companyId: 2, id: "HUB-7", name: "Hub, 7 in", standardCycleSeconds: 75 },
];

/** Standards of a SKU on one machine, which take precedence over the SKU's own. */
export const machineStandards = [
  { companyId: 1, skuId: "CAP-28", machineId: 2, standardCycleSeconds: 10 },
  { companyId: 1, skuId: "BTL-100", machineId: 5, standardCycleSeconds: 7.5 },
];

const counted = (channel: number, countingFactor: number): DemoChannel[] => [
  { channel, type: "total", countingFactor },
  { channel: channel + 1, type: "defect", countingFactor: 1 },
];

export const machines: DemoMachine[] = [
  {
    id: 1,
    gatewayId: 1,
    name: "Injection 1",
    ref: "INJ-1",
    signal: "counts",
    standardCycleSeconds: 12,
    hourlyRate: 38,
    channels: counted(1, 2),
    skuIds: ["CAP-28", "CAP-38"],
    crew: [1, 5, 9],
    behaviour: { speed: 0.93, trouble: 0.9, defectRatio: 0.015 },
  },
  {
    id: 2,
    gatewayId: 1,
    name: "Injection 2",
    ref: "INJ-2",
    signal: "counts",
    standardCycleSeconds: 12,
    hourlyRate: 38,
    channels: counted(3, 4),
    skuIds: ["CAP-28", "CAP-38"],
    crew: [1, 5, 9],
    behaviour: { speed: 0.96, trouble: 0.6, defectRatio: 0.008 },
  },
  {
    id: 3,
    gatewayId: 1,
    name: "Injection 3",
    ref: "INJ-3",
    signal: "counts",
    standardCycleSeconds: 18,
    hourlyRate: 38,
    channels: [
      { channel: 5, type: "good", countingFactor: 1 },
      { channel: 6, type: "defect", countingFactor: 1 },
    ],
    skuIds: ["LID-90"],
    crew: [2, 6, 10],
    behaviour: { speed: 0.89, trouble: 1.3, defectRatio: 0.03 },
  },
  {
    id: 4,
    gatewayId: 2,
    name: "Blow moulder 1",
    ref: "BLW-1",
    signal: "counts",
    standardCycleSeconds: 6,
    hourlyRate: 46,
    channels: counted(1, 2),
    skuIds: ["BTL-050", "BTL-100"],
    crew: [2, 6, 10],
    behaviour: { speed: 0.95, trouble: 0.8, defectRatio: 0.012 },
  },
  {
    id: 5,
    gatewayId: 2,
    name: "Blow moulder 2",
    ref: "BLW-2",
    signal: "counts",
    standardCycleSeconds: 8,
    hourlyRate: 62,
    channels: counted(3, 2),
    skuIds: ["BTL-100", "BTL-050"],
    crew: [3, 7, 11],
    behaviour: { speed: 0.88, trouble: 2, defectRatio: 0.02 },
  },
  {
    id: 6,
    gatewayId: 2,
    name: "Packer",
    ref: "PCK-1",
    signal: "counts",
    standardCycleSeconds: 20,
    hourlyRate: 62,
    channels: [
      { channel: 5, type: "cycle", countingFactor: 1 },
      { channel: 6, type: "rework", countingFactor: 1 },
    ],
    skuIds: ["BOX-24"],
    crew: [3, 7, 11],
    behaviour: { speed: 0.96, trouble: 1, defectRatio: 0.01 },
  },
  {
    id: 7,
    gatewayId: 3,
    name: "Mill 1",
    ref: "MIL-1",
    signal: "states",
    standardCycleSeconds: 90,
    hourlyRate: 54,
    channels: counted(1, 1),
    skuIds: ["MLD-INS"],
    crew: [4, 8, 12],
    behaviour: { speed: 0.94, trouble: 1.2, defectRatio: 0.02 },
  },
  {
    id: 8,
    gatewayId: 3,
    name: "Lathe 1",
    ref: "LAT-1",
    signal: "states",
    standardCycleSeconds: 60,
    hourlyRate: 85,
    channels: counted(3, 1),
    skuIds: ["EJ-PIN"],
    crew: [4, 8, 12],
    behaviour: { speed: 0.91, trouble: 0.8, defectRatio: 0.015 },
  },
  {
    id: 9,
    gatewayId: 4,
    name: "Press 1",
    ref: "PRS-1",
    signal: "counts",
    standardCycleSeconds: 15,
    hourlyRate: 85,
    channels: counted(1, 2),
    skuIds: ["BRKT-L", "BRKT-R"],
    crew: [13, 15],
    behaviour: { speed: 0.94, trouble: 1, defectRatio: 0.012 },
  },
  {
    id: 10,
    gatewayId: 4,
    name: "Mill 2",
    ref: "MIL-2",
    signal: "states",
    standardCycleSeconds: 75,
    hourlyRate: 60,
    channels: counted(3, 1),
    skuIds: ["HUB-7"],
    crew: [14, 16],
    behaviour: { speed: 0.92, trouble: 1.1, defectRatio: 0.02 },
  },
];

const generalCauses: DemoCause[] = [
  {
    name: "Breakdown",
    below: [
      { name: "Mechanical", below: [{ name: "Belt" }, { name: "Bearing" }, { name: "Ejector" }] },
      { name: "Electrical", below: [{ name: "Motor" }, { name: "Sensor" }] },
      { name: "Hydraulic", below: [{ name: "Pump" }, { name: "Hose" }] },
    ],
  },
  { name: "Jam", below: [{ name: "Part stuck" }, { name: "Conveyor full" }] },
  { name: "Supply", below: [{ name: "No material" }, { name: "No operator" }] },
  { name: "Changeover", isProgrammed: true, below: [{ name: "Mould change" }, { name: "Colour change" }] },
  { name: "Maintenance", isProgrammed: true, below: [{ name: "Preventive" }, { name: "Cleaning" }] },
  { name: "No order", isProgrammed: true, isIncludedInAvailability: false },
];

/** A stop cause as it is stored. */
export interface CauseRow {
  id: number;
  companyId: number;
  level: "general" | "specific" | "component";
  parentId: number | null;
  name: string;
  /** Null: inherited from the general cause above it. */
  ownIsProgrammed: boolean | null;
  ownIsIncludedInAvailability: boolean | null;
}

const levels = ["general", "specific", "component"] as const;

function causeRows(): CauseRow[] {
  const rows: CauseRow[] = [];
  const add = (cause: DemoCause, depth: 0 | 1 | 2, companyId: number, parent: CauseRow | null) => {
    const row: CauseRow = {
      id: rows.length + 1,
      companyId,
      level: levels[depth],
      parentId: parent?.id ?? null,
      name: cause.name,
      ownIsProgrammed: cause.isProgrammed ?? null,
      ownIsIncludedInAvailability: cause.isIncludedInAvailability ?? null,
    };
    rows.push(row);
    for (const below of cause.below ?? []) add(below, depth === 0 ? 1 : 2, companyId, row);
  };
  for (const company of companies) for (const cause of generalCauses) add(cause, 0, company.id, null);
  return rows;
}

/** The tree of causes, general to component, once per company. */
export const causes: CauseRow[] = causeRows();
