import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { call } from "../../support/call.ts";
import { stopClock } from "../../support/clock.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import {
  createCompany,
  createLine,
  createMachine,
  createShift,
  createShiftRecord,
  createStopCause,
  createStopSlice,
  createUser,
} from "../../support/factories.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const iso = (at: number) => new Date(at).toISOString();
const pathOf = (from: number, to: number, more = "") =>
  `/v1/timeline?${new URLSearchParams({ from: iso(from), to: iso(to) })}${more}`;

/** A company with a machine in a line and one in none, both with an eight-hour shift that began 30 hours ago. */
async function plant() {
  const { companyId } = await createCompany();
  const { token } = await createUser(companyId, "readonly");
  const { lineId, name: lineName } = await createLine(companyId);
  const [alone, inLine] = [await createMachine(companyId, { name: "A" }), await createMachine(companyId, { lineId, name: "B" })];
  const { shiftId } = await createShift(companyId);
  const startAt = Math.floor(Date.now() / hour - 30) * hour;
  const endAt = startAt + 8 * hour;
  const noDataSpans: [number, number | null][] = [[startAt + 30 * minute, startAt + 40 * minute]];
  for (const { machineId } of [alone, inLine]) {
    await createShiftRecord({ companyId, machineId, shiftId, startAt, endAt }, { noDataSpans });
  }
  const stop = (machineId: number, from: number, to: number, options: Parameters<typeof createStopSlice>[1] = {}) =>
    createStopSlice(
      {
        ...{ companyId, machineId, shiftId, shiftStart: startAt, shiftEnd: endAt },
        ...{ sliceStart: startAt + from * minute, sliceEnd: startAt + to * minute },
      },
      options,
    );
  const ask = (from: number, to: number, more = "") =>
    call("GET", pathOf(startAt + from * minute, startAt + to * minute, more), { token });
  return { companyId, lineId, lineName, alone, inLine, shiftId, startAt, endAt, stop, ask };
}

it("shows what each machine did in its shifts, and the id and cause of each stop, in one trip", async () => {
  const { companyId, lineId, lineName, alone, inLine, shiftId, startAt, endAt, stop, ask } = await plant();
  const { causeId, name } = await createStopCause(companyId);
  const jam = await stop(inLine.machineId, 60, 70, { generalCauseId: causeId, classificationId: 1 });
  const wait = await stop(inLine.machineId, 70, 90);
  await stop(inLine.machineId, 100, 110, { deletedAt: Date.now() });
  stopClock();
  await ask(0, 1);
  const { body, headers } = await ask(-60, 540);
  expect(headers.get("server-timing")).toContain('desc="1 trip"');
  const spellsOf = (machineId: number) =>
    body.data
      .filter((row: { machine: { id: number } }) => row.machine.id === machineId)
      .map((row: { status: string; startTime: string; endTime: string; stop: { id: number } | null }) => {
        const [from, to] = [row.startTime, row.endTime].map((time) => (Date.parse(time) - startAt) / minute);
        return [row.status, from, to, row.stop?.id].filter((part) => part !== undefined).join(" ");
      });
  expect(spellsOf(inLine.machineId)).toEqual([
    ...["A 0 30", "D 30 40", "A 40 60", `N 60 70 ${jam.id}`, `N 70 90 ${wait.id}`],
    "A 90 480",
  ]);
  expect(spellsOf(alone.machineId)).toEqual(["A 0 30", "D 30 40", "A 40 480"]);
  // Machines in lines come first.
  expect(body.data[3]).toEqual({
    machine: { id: inLine.machineId, name: "B" },
    line: { id: lineId, name: lineName },
    shift: { id: shiftId, name: expect.any(String), startTime: iso(startAt), endTime: iso(endAt) },
    status: "N",
    startTime: iso(startAt + 60 * minute),
    endTime: iso(startAt + 70 * minute),
    stop: {
      ...{ id: jam.id, name, isOpen: false, isBreak: false, version: 0 },
      generalCause: { id: causeId, name },
      specificCause: null,
    },
  });
  expect(body.data.at(-1)).toMatchObject({ machine: { id: alone.machineId }, line: null, stop: null });
});

it("is limited to its range, machines and lines", async () => {
  const { lineId, alone, inLine, stop, ask } = await plant();
  await stop(alone.machineId, 60, 90, { isProgrammed: true });
  const shown = async (more = "") =>
    (await ask(35, 70, more)).body.data.map(
      (row: { machine: { name: string }; status: string }) => row.machine.name + row.status,
    );
  expect(await shown()).toEqual(["BD", "BA", "AD", "AA", "AP"]);
  expect(await shown(`&machineIds=${alone.machineId}`)).toEqual(["AD", "AA", "AP"]);
  expect(await shown(`&lineIds=${lineId}`)).toEqual(["BD", "BA"]);
  expect(await shown(`&lineIds=${lineId}&machineIds=${alone.machineId}`)).toEqual([]);
  const row = (await ask(35, 38, `&machineIds=${inLine.machineId}`)).body.data;
  expect(row).toMatchObject([{ startTime: expect.stringMatching(/:35:/), endTime: expect.stringMatching(/:38:/) }]);
});

it("says whether a stop is in a planned break", async () => {
  const { alone, stop, ask } = await plant();
  await stop(alone.machineId, 60, 80, { isProgrammed: true, isIncludedInAvailability: false, breakName: "Lunch" });
  await stop(alone.machineId, 80, 90, { isProgrammed: true, isIncludedInAvailability: false });
  const { data } = (await ask(60, 90, `&machineIds=${alone.machineId}`)).body;
  expect(data).toMatchObject([
    { status: "O", stop: { name: "Lunch", isBreak: true } },
    { status: "O", stop: { isBreak: false } },
  ]);
});

it("extends open periods to now, and shows nothing of the future", async () => {
  const { companyId, alone, shiftId, ask } = await plant();
  const now = Date.now();
  const [startAt, endAt] = [now - 2 * hour, now + 2 * hour];
  const of = { companyId, machineId: alone.machineId, shiftId };
  await createShiftRecord({ ...of, startAt, endAt }, { asOf: now - 30 * minute, openBucket: "nonProgrammed" });
  const open = await createStopSlice({ ...of, shiftStart: startAt, shiftEnd: endAt, sliceStart: now - hour, sliceEnd: null });
  const { data } = (await ask(20 * 60, 72 * 60)).body;
  expect(data).toMatchObject([{ status: "A" }, { status: "N", stop: { id: open.id, isOpen: true } }]);
  expect(Date.parse(data[1].endTime) - now).toBeLessThan(10_000);
  expect((await ask(48 * 60, 72 * 60)).body).toEqual({ isRecalculating: false, data: [] });
});

it("begins and ends with a machine's service", async () => {
  const { companyId, shiftId, startAt, endAt, ask } = await plant();
  const service = { commissionedAt: startAt + 60 * minute, decommissionedAt: startAt + 120 * minute };
  const { machineId } = await createMachine(companyId, service);
  await createShiftRecord({ companyId, machineId, shiftId, startAt, endAt });
  expect((await ask(0, 480, `&machineIds=${machineId}`)).body.data).toMatchObject([
    { status: "A", startTime: iso(service.commissionedAt), endTime: iso(service.decommissionedAt) },
  ]);
});

it("has at most 20,000 stops", { timeout: 120_000 }, async () => {
  const { alone, stop, ask } = await plant();
  const first = await stop(alone.machineId, 60, 61);
  const more = (count: number, firstId: number) =>
    env.DB_0.prepare(
      `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?1)
       INSERT INTO stops (id, slice_start, before_slice_ms, slice_ms, duration_ms, shift_start, shift_ms, revision, company_id, machine_id, shift_id,
         is_manual, is_programmed, is_included_in_stops, is_included_in_availability, created_after_ms, updated_after_ms)
       SELECT ?2 + n, slice_start, before_slice_ms, slice_ms, duration_ms, shift_start, shift_ms, revision, company_id, machine_id, shift_id,
         is_manual, is_programmed, is_included_in_stops, is_included_in_availability, created_after_ms, updated_after_ms
       FROM numbers CROSS JOIN stops WHERE id = ?3`,
    )
      .bind(count, firstId, first.id)
      .run();
  // Above the ids of all other tests: they share the database.
  await more(19_999, 2 ** 51);
  expect((await ask(0, 480)).status).toBe(200);
  await more(1, 2 ** 52);
  const refused = await ask(0, 480);
  expectProblem(refused, 400, "/query/from");
  expect(refused.body.errors).toMatchObject([{ code: "too_many" }]);
  expect((await ask(61, 480)).status).toBe(200);
});

it("hides other companies' machines, and refuses invalid ranges", async () => {
  const { ask } = await plant();
  const other = await plant();
  expectProblem(await ask(0, 60, `&machineIds=${other.alone.machineId}`), 404, "/query/machineIds");
  expectProblem(await ask(0, 60, `&lineIds=${other.lineId}`), 404, "/query/lineIds");
  expectProblem(await ask(0, 60, `&companyId=${other.companyId}`), 404);
  expectProblem(await ask(60, 60), 400, "/query/from");
  expectProblem(await ask(0, 8 * 24 * 60), 400, "/query/to");
  expectProblem(await ask(0, 60, "&machine=1"), 400, "/query/machine");
  const { token } = await createUser((await createCompany()).companyId, "superuser");
  const own = await call("GET", pathOf(Date.now() - day, Date.now(), `&companyId=${other.companyId}`), { token });
  expect(own.status).toBe(200);
});
