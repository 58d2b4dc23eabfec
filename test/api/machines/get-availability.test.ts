import { describe, expect, it } from "vitest";
import { z } from "zod";
import { call } from "../../support/call.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import {
  createCompany,
  createMachine,
  createShift,
  createShiftRecord,
  createStopSlice,
  createUser,
} from "../../support/factories.ts";
import { createRunningLine } from "../../support/running-line.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const iso = (at: number) => new Date(at).toISOString();
const pathOf = (machineId: number | string, start: number | string, end: number | string) => {
  const text = (time: number | string) => encodeURIComponent(typeof time === "number" ? iso(time) : time);
  return `/machines/${machineId}/availability?start=${text(start)}&end=${text(end)}`;
};

const timeline = z.array(z.strictObject({ status: z.enum(["A", "N", "P", "O", "D", "U"]), timestamp: z.iso.datetime() }));

async function plant() {
  const { companyId } = await createCompany();
  const { token } = await createUser(companyId, "readonly");
  const { machineId } = await createMachine(companyId);
  const { shiftId } = await createShift(companyId);
  /** `0A 10N`: A from the origin, N from 10 minutes after it. */
  const ask = async (origin: number, from: number, to: number) => {
    const { status, body, headers } = await call("GET", pathOf(machineId, origin + from * minute, origin + to * minute), {
      token,
    });
    expect(status, JSON.stringify(body)).toBe(200);
    const text = timeline.parse(body).map((one) => `${(Date.parse(one.timestamp) - origin) / minute}${one.status}`);
    return { text: text.join(" "), headers };
  };
  return { of: { companyId, machineId, shiftId }, token, ask };
}

describe("availability", () => {
  it("shows a shift's stops, missing data and the time around it, in one database trip", async () => {
    const { of, ask } = await plant();
    const startAt = Math.floor(Date.now() / hour - 30) * hour;
    const endAt = startAt + 8 * hour;
    await createShiftRecord(
      { ...of, startAt, endAt },
      {
        noDataSpans: [
          [startAt + 30 * minute, startAt + 40 * minute],
          [startAt + 470 * minute, null],
        ],
      },
    );
    const slice = (from: number, to: number, options: Parameters<typeof createStopSlice>[1] = {}) =>
      createStopSlice(
        { ...of, shiftStart: startAt, shiftEnd: endAt, sliceStart: startAt + from * minute, sliceEnd: startAt + to * minute },
        options,
      );
    await slice(0, 10);
    await slice(10, 20, { isProgrammed: true });
    await slice(100, 110, { isProgrammed: true, isIncludedInAvailability: false });
    await slice(200, 300, { deletedAt: Date.now() });

    await ask(startAt, 0, 1);
    const { text, headers } = await ask(startAt, -60, 540);
    expect(text).toBe("-60U 0N 10P 20A 30D 40A 100O 110A 470D 480U");
    expect(headers.get("server-timing")).toContain('desc="1 trip"');
    expect((await ask(startAt, 5, 105)).text).toBe("5N 10P 20A 30D 40A 100O");
    expect((await ask(startAt, 20, 30)).text).toBe("20A");
  });

  it("extends open periods to now, and shows nothing of the future", async () => {
    const { of, ask } = await plant();
    const now = Date.now();
    const startAt = now - 120 * minute;
    const endAt = now + 120 * minute;
    await createShiftRecord({ ...of, startAt, endAt }, { asOf: now - 30 * minute, openBucket: "nonProgrammed" });
    await createStopSlice({ ...of, shiftStart: startAt, shiftEnd: endAt, sliceStart: startAt + 60 * minute, sliceEnd: null });
    expect((await ask(startAt, -10, 600)).text).toBe("-10U 0A 60N");
    expect((await ask(startAt, 121, 600)).text).toBe("");
  });

  it("excludes other machines and the time out of service", async () => {
    const { of, token } = await plant();
    const now = Date.now();
    const machine = await createMachine(of.companyId, { commissionedAt: now - 2 * hour, decommissionedAt: now - hour });
    const run = { startAt: now - 3 * hour, endAt: now - minute };
    await createShiftRecord({ ...of, ...run });
    await createShiftRecord({ ...of, ...run, machineId: machine.machineId });
    const { body } = await call("GET", pathOf(machine.machineId, now - 4 * hour, now), { token });
    expect(body).toEqual([
      { status: "U", timestamp: iso(now - 4 * hour) },
      { status: "A", timestamp: iso(now - 2 * hour) },
      { status: "U", timestamp: iso(now - hour) },
    ]);
  });

  it("has only machines of the caller's company; for superusers all", async () => {
    const { of, token } = await plant();
    const other = await plant();
    const path = pathOf(other.of.machineId, 0, hour);
    expectProblem(await call("GET", path, { token }), 404);
    expectProblem(await call("GET", pathOf(999_999_999, 0, hour), { token }), 404);
    const deleted = await createMachine(of.companyId, { deletedAt: Date.now() });
    expectProblem(await call("GET", pathOf(deleted.machineId, 0, hour), { token }), 404);
    const superuser = await createUser(of.companyId, "superuser");
    expect((await call("GET", path, { token: superuser.token })).body).toEqual([{ status: "U", timestamp: iso(0) }]);
  });

  it("names each fault of the request", async () => {
    const { of, token } = await plant();
    const get = (path: string) => call("GET", path, { token });
    const { machineId } = of;
    expectProblem(await get(`/machines/${machineId}/availability`), 400, "/query/start", "/query/end");
    expectProblem(await get(pathOf(machineId, "yesterday", "2026-02-30T00:00:00Z")), 400, "/query/start", "/query/end");
    expectProblem(await get(pathOf(machineId, hour, hour)), 400, "/query/end");
    expectProblem(await get(pathOf(machineId, hour, 0)), 400, "/query/end");
    expectProblem(await get(pathOf(machineId, 0, 92 * day + 1)), 400, "/query/end");
    expect((await get(pathOf(machineId, 0, 92 * day))).status).toBe(200);
    expectProblem(await get(pathOf("1.5", 0, hour)), 400, "/path/machineId");
    expectProblem(await get(pathOf("first", 0, hour)), 400, "/path/machineId");
  });

  it("shows the periods of a machine's counts", async () => {
    const { companyId, machine, startAt } = await createRunningLine();
    const { token } = await createUser(companyId, "user");
    const { body } = await call("GET", pathOf(machine.id, startAt - hour, Date.now() + hour), { token });
    const at = (minutes: number) => iso(startAt + minutes * minute);
    expect(timeline.parse(body)).toEqual([
      { status: "U", timestamp: at(-60) },
      { status: "A", timestamp: at(0) },
      { status: "N", timestamp: at(60) },
      { status: "A", timestamp: at(90) },
      { status: "N", timestamp: at(120) },
    ]);
  });
});
