import { expect, it } from "vitest";
import { call } from "../../../support/call.ts";
import {
  createCompany,
  createMachine,
  createOperator,
  createOperatorShift,
  createShift,
  createShiftRecord,
  createUser,
} from "../../../support/factories.ts";

const minute = 60_000;
const start = Date.UTC(2026, 0, 5, 6);
const hour = 60 * minute;

it("gives operators the quality and the OEE of their units, at the standards and with the scrap of the machines' shifts", async () => {
  const { companyId } = await createCompany({ timezone: "UTC" });
  const { token } = await createUser(companyId, "readonly");
  const { shiftId } = await createShift(companyId);
  const operators = [await createOperator(companyId, { name: "Ana" }), await createOperator(companyId, { name: "Bo" })];
  const [ana, bo] = operators.map(({ operatorId }) => operatorId) as [number, number];
  const { machineId } = await createMachine(companyId);
  const works = async (at: number, made: object, shares: [operatorId: number, up: number, down: number, units: number][]) => {
    const shift = { companyId, machineId, shiftId };
    await createShiftRecord({ ...shift, startAt: at, endAt: at + 8 * hour }, made);
    for (const [operatorId, up, down, units] of shares) {
      const times = { uptimeMs: up * minute, downtimeMs: down * minute };
      await createOperatorShift({ ...shift, operatorId, shiftStart: at, shiftEnd: at + 8 * hour }, { ...times, units });
    }
  };
  // 6 s a unit, a tenth of them rejected; Ana was there for all of it, Bo for half of it.
  const first = { availableMs: 400 * minute, totalUnits: 3000, defectUnits: 300, idealMs: 3000 * 6000 };
  await works(start, first, [
    [ana, 400, 80, 3000],
    [bo, 200, 0, 1500],
  ]);
  // 12 s a unit, nothing rejected.
  const second = { availableMs: 400 * minute, totalUnits: 1000, defectUnits: 0, idealMs: 1000 * 12_000 };
  await works(start + 24 * hour, second, [[ana, 400, 80, 1000]]);
  // Nothing made: neither quality nor performance is touched.
  await works(start + 48 * hour, {}, [[bo, 0, 100, 0]]);

  const range = `from=${new Date(start).toISOString()}&to=${new Date(start + 72 * hour).toISOString()}`;
  const { body } = await call("GET", `/v1/summary?groupBy=operator&${range}`, { token });
  expect(body.data).toMatchObject([
    {
      operator: { id: ana, name: "Ana" },
      ...{ availableTime: 800, unavailableTime: 160, idealTime: 500, total: 4000, defects: 300, correct: 3700 },
      ...{ availability: 83.33, effectiveness: 62.5, quality: 92.5, oee: 48.18, netOee: null, target: null, cycleCount: null },
    },
    {
      operator: { id: bo, name: "Bo" },
      ...{ availableTime: 200, unavailableTime: 100, idealTime: 150, total: 1500, defects: 150, correct: 1350 },
      ...{ availability: 66.67, effectiveness: 75, quality: 90, oee: 45 },
    },
  ]);
});
