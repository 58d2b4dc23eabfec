import { expect, it, vi } from "vitest";
import { call } from "../../support/call.ts";
import { DAY, HOUR, MINUTE, NOON, stopClockAtNoon } from "../../support/clock.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import {
  createChannels,
  createCompany,
  createGatewayToken,
  createLine,
  createMachine,
  createShift,
  createUser,
} from "../../support/factories.ts";
import { configureMachine, countAt, flushMachine, ingest, recordsOf, stopsOf } from "../../support/machines.ts";

stopClockAtNoon();

const MIDNIGHT = NOON - 12 * HOUR;
const iso = (at: number) => new Date(at).toISOString();
/** The date of a day, counted from today. */
const date = (day: number) => iso(MIDNIGHT + day * DAY).slice(0, 10);

/** Machines in UTC with shifts from 06:00 to 14:00 and 14:00 to 22:00, commissioned days ago. */
async function plant({ machines = 1, daysAgo = 1 } = {}) {
  const { companyId } = await createCompany();
  const line = await createLine(companyId);
  const early = await createShift(companyId, { name: "Early", start: "06:00", end: "14:00" });
  const late = await createShift(companyId, { name: "Late", start: "14:00", end: "22:00" });
  const { token: gateway } = await createGatewayToken(companyId);
  const options = { commissionedAt: MIDNIGHT - daysAgo * DAY, noDataAfterSeconds: null, lineId: line.id };
  const own: Awaited<ReturnType<typeof createMachine>>[] = [];
  for (let i = 0; i < machines; i++) {
    const machine = await createMachine(companyId, options);
    await createChannels(machine, [{ channel: 1, type: "total" }]);
    own.push(machine);
  }
  const [machine] = own as [(typeof own)[number]];
  const follow = async () => {
    for (const { id } of own) {
      await configureMachine(id);
      await flushMachine(id);
    }
  };
  /** Counts once a minute in [from, to), in hours from today's midnight. */
  const work = async (from: number, to: number, { nodeId } = machine) => {
    const counts = Array.from({ length: (to - from) * 60 }, (_, i) => countAt(nodeId, MIDNIGHT + from * HOUR + i * MINUTE));
    for (let i = 0; i < counts.length; i += 1000) expect((await ingest(gateway, counts.slice(i, i + 1000))).rejected).toEqual([]);
    await follow();
  };
  const send = async (method: string, path: string, body?: object) => {
    const { token } = await createUser(companyId, "admin");
    return await call(method, `/v1/${path}`, { token, ...(body && { body }) });
  };
  const enter = async (body: object) => {
    const made = await send("POST", "calendar-days", body);
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    await follow();
    return made.body as { id: number };
  };
  const remove = async ({ id }: { id: number }) => {
    expect((await send("DELETE", `calendar-days/${id}`)).status).toBe(204);
    await follow();
  };
  return { companyId, line, early, late, machine, machines: own, gateway, work, send, enter, remove, follow };
}

/** The shifts of a machine's records, in hours from today's midnight, with what was made in them. */
async function shiftsOf({ id }: { id: number }) {
  return (await recordsOf(id)).map(({ shiftId, startAt, endAt, totalUnits }) => ({
    shiftId,
    hours: [startAt, endAt].map((at) => (at - MIDNIGHT) / HOUR),
    totalUnits,
  }));
}

it("a closed day of the company, entered ahead, has no shifts", async () => {
  const own = await plant();
  await own.work(6, 12);
  await own.enter({ date: date(1), scope: "company", closed: true });
  vi.setSystemTime(NOON + 2 * DAY);
  await own.work(53, 54);
  const starts = (await shiftsOf(own.machine)).map(({ hours }) => hours[0]);
  expect(starts).toEqual([-18, -10, 6, 14, 54]);
});

it("a holiday that nobody entered is taken out of the past, as long as its calendar day is not deleted, and again when that is restored", async () => {
  const own = await plant({ daysAgo: 6 });
  for (const day of [-6, -5, -4, -3, -2, -1]) if (day !== -4) await own.work(24 * day + 6, 24 * day + 14);
  await own.work(6, 11);
  const summary = async () => {
    const range = { from: iso(MIDNIGHT - 4 * DAY), to: iso(MIDNIGHT - 3 * DAY) };
    const { body } = await own.send("GET", `summary?${new URLSearchParams({ groupBy: "cause", ...range })}`);
    return [body.total.unavailableTime, body.data.length];
  };
  const before = [
    await shiftsOf(own.machine),
    (await stopsOf(own.machine.id)).filter(({ deletedAt }) => deletedAt === null).length,
  ];
  expect(await summary()).toEqual([16 * 60, 1]);
  const day = await own.enter({ date: date(-4), scope: "machine", machineId: own.machine.id, closed: true });
  expect(await summary()).toEqual([0, 0]);
  const without = (await shiftsOf(own.machine)).map(({ hours }) => hours[0] as number);
  expect(without.filter((start) => start >= -96 && start < -72)).toEqual([]);
  expect(without).toHaveLength((before[0] as unknown[]).length - 2);
  await own.remove(day);
  expect(await summary()).toEqual([16 * 60, 1]);
  expect((await own.send("POST", `calendar-days/${day.id}/restore`)).status).toBe(200);
  await own.follow();
  expect(await summary()).toEqual([0, 0]);
  await own.remove(day);
  expect([
    await shiftsOf(own.machine),
    (await stopsOf(own.machine.id)).filter(({ deletedAt }) => deletedAt === null).length,
  ]).toEqual(before);
});

it("the running shift of one machine gets another end, and its later time counts", async () => {
  const own = await plant({ machines: 2, daysAgo: 0 });
  const [one, other] = own.machines;
  for (const machine of own.machines) await own.work(6, 12, machine);
  const shifts = [{ shiftId: own.early.id, start: "06:00", end: "16:00" }];
  await own.enter({ date: date(0), scope: "machine", machineId: one?.id, shifts });
  const state = (await own.send("GET", `machines/${one?.id}/state`)).body;
  expect(state.shift.endTime).toBe(iso(MIDNIGHT + 16 * HOUR));
  vi.setSystemTime(MIDNIGHT + 17 * HOUR);
  for (const machine of own.machines) await own.work(12, 17, machine);
  expect(await shiftsOf(one as { id: number })).toEqual([{ shiftId: own.early.id, hours: [6, 16], totalUnits: 600 }]);
  expect((await shiftsOf(other as { id: number })).map(({ hours, totalUnits }) => [...hours, totalUnits])).toEqual([
    [6, 14, 480],
    [14, 22, 180],
  ]);
});

it("a day of the past that gets another shift has what was counted in it, as if the day had been entered before", async () => {
  const [late, early] = [await plant({ daysAgo: 5 }), await plant({ daysAgo: 5 })];
  const days = [-4, -1];
  const dayOf = (own: typeof late, day: number) => ({
    ...{ date: date(day), scope: "line", lineId: own.line.id },
    shifts: [
      { shiftId: own.late.id, start: "20:00", end: "04:00" },
      { shiftId: own.early.id, start: "07:30", end: "12:00" },
    ],
  });
  for (const day of days) await early.enter(dayOf(early, day));
  for (const own of [late, early]) for (let day = -5; day < 0; day++) await own.work(24 * day + 5, 24 * day + 24);
  for (const own of [late, early]) await own.work(1, 11);
  for (const day of days) await late.enter(dayOf(late, day));
  const comparable = async (own: typeof late) => {
    const records = (await recordsOf(own.machine.id)).map(
      ({ id, revision, companyId, machineId, shiftId, createdAt, updatedAt, lineId, asOf, ...rest }) => ({
        ...{ ...rest, isEarly: shiftId === own.early.id },
      }),
    );
    const stops = (await stopsOf(own.machine.id))
      .filter(({ deletedAt }) => deletedAt === null)
      .map(({ shiftStart, sliceStart, sliceEnd, startAt, endAt }) => ({ shiftStart, sliceStart, sliceEnd, startAt, endAt }));
    return { records, stops: stops.sort((a, b) => a.sliceStart - b.sliceStart) };
  };
  expect(await comparable(late)).toEqual(await comparable(early));
  expect(
    (await shiftsOf(late.machine)).filter(({ hours }) => (hours[0] as number) >= -24 && (hours[0] as number) < 6),
  ).toMatchObject([
    { hours: [-16.5, -12], totalUnits: 270 },
    { hours: [-4, 4], totalUnits: 420 },
  ]);
});

it("a day of a machine comes before that of its line, and that before the company's", async () => {
  const own = await plant({ machines: 2, daysAgo: 0 });
  const [one, other] = own.machines as [(typeof own.machines)[number], (typeof own.machines)[number]];
  const shift = (hour: string) => [{ shiftId: own.early.id, start: `${hour}:00`, end: "14:00" }];
  await own.enter({ date: date(1), scope: "company", shifts: shift("08") });
  const ofLine = await own.enter({ date: date(1), scope: "line", lineId: own.line.id, shifts: shift("09") });
  await own.enter({ date: date(1), scope: "machine", machineId: one.id, shifts: shift("10") });
  await own.enter({ date: date(2), scope: "company", shifts: shift("08") });
  const changed = await own.send("PATCH", `calendar-days/${ofLine.id}`, { shifts: shift("11") });
  expect(changed.body).toMatchObject({
    closed: false,
    shifts: [{ shiftId: own.early.id, start: "11:00", end: "14:00", breaks: [] }],
  });
  vi.setSystemTime(NOON + 2 * DAY + 4 * HOUR);
  await own.follow();
  await ingest(
    own.gateway,
    own.machines.map(({ nodeId }) => countAt(nodeId, NOON + 2 * DAY)),
  );
  await own.follow();
  const startsOf = async (machine: { id: number }) =>
    (await shiftsOf(machine)).map(({ hours }) => hours[0]).filter((start) => (start ?? 0) > 22);
  expect([await startsOf(one), await startsOf(other)]).toEqual([
    [34, 56],
    [35, 56],
  ]);
});

it("a shift without weekdays runs on the calendar days that name it alone", async () => {
  const own = await plant({ daysAgo: 0 });
  const extra = await own.send("POST", "shifts", { name: "Extra", start: "22:00", end: "23:00", days: [] });
  expect(extra.status, JSON.stringify(extra.body)).toBe(201);
  await own.enter({ date: date(1), scope: "company", shifts: [{ shiftId: extra.body.id, start: "22:00", end: "02:00" }] });
  await own.work(6, 12);
  vi.setSystemTime(MIDNIGHT + 2 * DAY + 5 * HOUR);
  await own.work(46, 53);
  const records = await shiftsOf(own.machine);
  expect(records.map(({ hours }) => hours)).toEqual([
    [6, 14],
    [14, 22],
    [46, 50],
  ]);
  expect(records.at(-1)).toMatchObject({ shiftId: extra.body.id, totalUnits: 240 });
});

it("breaks that are left out are those of the shift that lie inside", async () => {
  const own = await plant({ daysAgo: 0 });
  const breaks = [
    { name: "Coffee", start: "08:00", end: "08:15", isIncludedInAvailability: false },
    { name: "Lunch", start: "12:00", end: "12:30", isIncludedInAvailability: true },
  ];
  const withBreaks = await own.send("PATCH", `shifts/${own.early.id}`, { breaks });
  expect(withBreaks.status).toBe(200);
  const day = await own.send("POST", "calendar-days", {
    ...{ date: date(1), scope: "company" },
    shifts: [{ shiftId: own.early.id, start: "07:00", end: "12:00" }],
  });
  expect(day.body.shifts[0].breaks).toEqual([breaks[0]]);
});

it("bad calendar days are refused with the member and the rule, and change nothing", async () => {
  const own = await plant({ daysAgo: 0 });
  const other = await plant({ daysAgo: 0 });
  const shift = { shiftId: own.early.id, start: "06:00", end: "12:00" };
  const refused: [object, string][] = [
    [{ scope: "company", closed: true }, "/date"],
    [{ date: "2040-02-30", scope: "company", closed: true }, "/date"],
    [{ date: "1969-12-31", scope: "company", closed: true }, "/date"],
    [{ date: date(1), scope: "plant", closed: true }, "/scope"],
    [{ date: date(1), scope: "company" }, "/shifts"],
    [{ date: date(1), scope: "company", closed: false }, "/closed"],
    [{ date: date(1), scope: "company", closed: true, shifts: [shift] }, "/shifts"],
    [{ date: date(1), scope: "company", shifts: [] }, "/shifts"],
    [{ date: date(1), scope: "line", closed: true }, "/lineId"],
    [{ date: date(1), scope: "company", lineId: own.line.id, closed: true }, "/lineId"],
    [{ date: date(1), scope: "line", lineId: other.line.id, closed: true }, "/lineId"],
    [{ date: date(1), scope: "machine", machineId: other.machine.id, closed: true }, "/machineId"],
    [{ date: date(1), scope: "company", shifts: [{ ...shift, shiftId: other.early.id }] }, "/shifts/0/shiftId"],
    [{ date: date(1), scope: "company", shifts: [shift, shift] }, "/shifts/1/shiftId"],
    [
      { date: date(1), scope: "company", shifts: [shift, { shiftId: own.late.id, start: "11:59", end: "20:00" }] },
      "/shifts/1/start",
    ],
    [
      { date: date(1), scope: "company", shifts: [{ ...shift, breaks: [{ name: "B", start: "13:00", end: "14:00" }] }] },
      "/shifts/0/breaks/0",
    ],
  ];
  for (const [body, pointer] of refused) expectProblem(await own.send("POST", "calendar-days", body), 400, pointer);
  expect((await own.send("GET", "calendar-days")).body.data).toEqual([]);
  const day = await own.enter({ date: date(1), scope: "company", closed: true });
  expectProblem(await own.send("POST", "calendar-days", { date: date(1), scope: "company", shifts: [shift] }), 409);
  expectProblem(await own.send("PATCH", `calendar-days/${day.id}`, { date: date(2) }), 400, "/date");
  expectProblem(await other.send("GET", `calendar-days/${day.id}`), 404);
});
