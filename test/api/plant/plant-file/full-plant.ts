import { expect } from "vitest";
import { call } from "../../../support/call.ts";
import { createCompany, createUser } from "../../../support/factories.ts";

/** An empty company, with its admin's calls. */
export async function newPlant(options: Parameters<typeof createCompany>[0] = {}) {
  const { companyId } = await createCompany(options);
  const { token } = await createUser(companyId, "admin");
  const ask = (method: string, path: string, body?: unknown) => call(method, path, { token, body });
  const make = async (kind: string, body: object) => {
    const made = await ask("POST", `/v1/${kind}`, body);
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    return made.body;
  };
  const file = async (query = "") => {
    const { status, body } = await ask("GET", `/v1/plant${query}`);
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  };
  return { companyId, token, ask, make, file };
}

/** A plant with something of each kind, and texts that YAML could take for something else. */
export async function fullPlant() {
  const plant = await newPlant();
  const { ask, make } = plant;
  const press = { stopAfterSeconds: 90, noDataAfterSeconds: null, standardCycleSeconds: 12.5, hourlyRate: 80 };
  const commissionedAt = "2026-01-01T00:00:00.000Z";
  const line = await make("lines", { name: "on", order: 2 });
  await make("lines", { name: "Line 1" });
  const second = await make("machines", { name: "Press", ref: "P-2", nodeId: 1, commissionedAt });
  const thresholds = { oeeThresholds: { badBelow: 50, goodFrom: 80 } };
  const first = await make("machines", {
    ...{ name: "Press", ref: "P-10", nodeId: 1, lineId: line.id, ...press, ...thresholds, commissionedAt },
  });
  const configs = [
    { type: "defect", countingFactor: 1, channel: 2, nodeId: 1 },
    { type: "total", countingFactor: 0.5, channel: 1, nodeId: 1, wrapsAt: 65536 },
  ];
  await ask("PUT", `/v1/machines/${first.id}/count-sensor`, { isCountEnabled: true, configs });
  const lunch = { name: "Lunch: 10 # o'clock", start: "10:00", end: "10:30" };
  const early = await make("shifts", {
    name: "Morning",
    start: "06:00",
    end: "14:00",
    days: ["sunday", "monday"],
    breaks: [lunch],
  });
  await make("shifts", { name: "Extra", start: "14:00", end: "22:00", days: [], machineIds: [second.id, first.id] });
  const own = [{ shiftId: early.id, start: "06:00", end: "12:00" }];
  await make("calendar-days", { date: "2026-12-24", scope: "company", shifts: own });
  await make("calendar-days", { date: "2026-12-24", scope: "machine", machineId: first.id, closed: true });
  await make("calendar-days", { date: "2026-12-24", scope: "line", lineId: line.id, closed: true });
  const standards = [
    { machineId: first.id, standardCycleSeconds: 11 },
    { machineId: null, standardCycleSeconds: 12 },
  ];
  await make("skus", { id: "0005", name: "null", standards });
  await make("skus", { id: "#A", name: " - [x]: 'y' \"z\" " });
  const broken = await make("stop-causes", { level: "general", name: "Breakdown", isProgrammed: false });
  const jam = await make("stop-causes", { level: "specific", name: "Jam", parentId: broken.id, isIncludedInAvailability: false });
  await make("stop-causes", { level: "component", name: "Belt", parentId: jam.id });
  await make("defect-reasons", { name: "Scratch" });
  await make("defect-reasons", { name: "Ñandú 😀" });
  return plant;
}
