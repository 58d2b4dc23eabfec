import { describe, expect, it } from "vitest";
import { HOUR, MINUTE, stopClockAtNoon } from "../../support/clock.ts";
import { countAt, flushMachine, ingest, stopsOf } from "../../support/machines.ts";
import { iso, plant, START, TO } from "./closed-plant.ts";

stopClockAtNoon();

/** From four minutes before to 32 minutes after, the machine made nothing. */
const AT = START + 6 * HOUR;

/**
 * The plant with a cause that took the place of another one, whose time was longer. The stop of which the later one was said is gone, and so it is an
 * orphan. A stop that only the earlier one was said of is there.
 */
async function plantWithOrphan() {
  const p = await plant();
  const { machineId, nodeId, gateway, send } = p;
  const [first, later] = [await p.cause(), await p.cause()];
  const of = async (method: string, path: string, body?: object) => {
    const { status, body: answer } = await send(method, path, body);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`);
    return answer;
  };
  const stopAt = async (at: number) => {
    const stops = await stopsOf(machineId);
    const [stop] = stops.filter(({ startAt, endAt, deletedAt }) => deletedAt === null && startAt <= at && at < (endAt ?? TO));
    return stop ?? { id: 0, generalCauseId: null };
  };
  const count = async (...minutes: number[]) => {
    await ingest(
      gateway,
      minutes.map((minute) => countAt(nodeId, AT + minute * MINUTE, 1, { id: `late ${minute}` })),
    );
    await flushMachine(machineId);
  };
  await of("PUT", `/v1/stops/${(await stopAt(AT)).id}/classification`, { generalCauseId: first.causeId });
  await count(0, 4, 8, 12);
  await of("PUT", `/v1/stops/${(await stopAt(AT + 20 * MINUTE)).id}/classification`, { generalCauseId: later.causeId });
  const withdrawn = { from: iso(AT), to: iso(AT + 10 * MINUTE), kinds: ["count"], reason: "A test of the sensor" };
  await of("POST", "/v1/event-withdrawals", { machineId, ...withdrawn });
  await flushMachine(machineId);
  await count(18, 24);
  const orphans = async () => (await of("GET", "/v1/orphaned-edits")).data;
  const [{ id: orphanId, said }] = await orphans();
  expect(said.generalCauseId).toBe(later.causeId);
  return { ...p, of, stopAt, orphans, orphanId, firstId: Number(first.causeId) };
}

describe("an orphaned edit of a time whose books are closed", () => {
  it("is dropped, and what was said before counts only when they are reopened", async () => {
    const { close, reopen, locked, send, stopAt, machineId, orphanId, orphans, firstId } = await plantWithOrphan();
    const { id } = (await close()).body;
    const before = await locked();
    expect(await stopAt(AT)).toMatchObject({ generalCauseId: null });
    expect((await send("DELETE", `/v1/orphaned-edits/${orphanId}`)).status).toBe(204);
    await flushMachine(machineId);
    expect(await locked()).toEqual(before);
    expect(await orphans()).toEqual([]);
    await reopen(id);
    await flushMachine(machineId);
    expect(await stopAt(AT)).toMatchObject({ generalCauseId: firstId });
  });

  it("is put on a stop of the open time, and is an orphan again when that stop is deleted and the books are reopened", async () => {
    const { close, reopen, locked, of, machineId, orphanId, orphans } = await plantWithOrphan();
    const { id } = (await close()).body;
    const before = await locked();
    const times = { startTime: iso(TO + 2 * HOUR), endTime: iso(TO + 2 * HOUR + 10 * MINUTE) };
    const { id: stopId } = await of("POST", "/v1/stops", { machineId, ...times });
    await of("POST", `/v1/orphaned-edits/${orphanId}/attach`, { stopId });
    await of("DELETE", `/v1/stops/${stopId}`);
    await flushMachine(machineId);
    expect(await locked()).toEqual(before);
    await reopen(id);
    await flushMachine(machineId);
    expect(await orphans()).toMatchObject([{ id: orphanId }]);
  });
});
