import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { HOUR, MINUTE, SECOND, stopClockAtNoon } from "../../support/clock.ts";
import { createVersion } from "../../support/factories.ts";
import { doJob } from "../../support/jobs.ts";
import { countAt, flushMachine, ingest } from "../../support/machines.ts";
import { plant, TO } from "./closed-plant.ts";
import { outcomeOf, thingsOf, tried, writers } from "./writers.ts";

stopClockAtNoon();

describe("each writer of the past", () => {
  it("works before books are closed", async () => {
    const p = await plant();
    const things = await thingsOf(p);
    for (const writer of writers) expect.soft([writer.what, await outcomeOf(writer, p, things)]).toEqual([writer.what, "done"]);
  }, 180_000);

  it("changes no number once books are being closed, apart from those that machines still take, which are in the sums", async () => {
    const p = await plant();
    const things = await thingsOf(p);
    const { machineId, close, get, locked } = p;
    // Planned set-up of before has not begun, so no machine closes its books yet.
    const { versionId } = await createVersion(
      p.companyId,
      { kind: "shift", entity: "999999999", body: null },
      { dueAt: TO - HOUR },
    );
    const { id, state, machinesLeft } = (await close()).body;
    expect([state, machinesLeft]).toEqual(["closing", 1]);
    for (const writer of writers) {
      const { what, after, during = after } = writer;
      expect.soft([what, await outcomeOf(writer, p, things)]).toEqual([what, during]);
    }
    await env.DB_0.prepare("update set_up_versions set due_at = null where id = ?").bind(versionId).run();
    await flushMachine(machineId);
    vi.setSystemTime(Date.now() + MINUTE);
    await doJob("sweep", Date.now());
    const closed = await get(id);
    expect(closed.state).toBe("closed");
    const before = await locked();
    expect(closed.machines[0].sums).toEqual(closed.machines[0].sumsNow);
    await flushMachine(machineId);
    expect(await locked()).toEqual(before);
    expect((await get(id)).machines[0].sumsNow).toEqual(closed.machines[0].sums);
  }, 180_000);

  it("changes no number after books were closed, and is refused by a 409 that names the member and the rule, as its dry run is", async () => {
    const p = await plant();
    const things = await thingsOf(p);
    const { machineId, close, get, locked, held, send } = p;
    const { id, state } = (await close()).body;
    expect(state).toBe("closed");
    const before = await locked();
    for (const writer of writers) {
      const { what, after, dryRun } = writer;
      if (dryRun) expect.soft(["the dry run of", what, await tried(writer, p, things)]).toEqual(["the dry run of", what, after]);
      expect.soft([what, await outcomeOf(writer, p, things)]).toEqual([what, after]);
      await flushMachine(machineId);
      expect.soft([what, await locked()]).toEqual([what, before]);
    }
    for (const entry of await held()) expect((await send("POST", `/v1/held-events/${entry.id}/accept`, {})).status).toBe(409);
    const { machines } = await get(id);
    expect(machines[0].sumsNow).toEqual(machines[0].sums);
  }, 180_000);
});

describe("200 late events that race a closing", () => {
  it("are in the sums or held, and the stored sums are the read ones for good", async () => {
    const { gateway, nodeId, machineId, close, get, held, locked } = await plant();
    const events = Array.from({ length: 200 }, (_, i) =>
      countAt(nodeId, TO - 5 * HOUR + i * 13 * SECOND + 1, 1, { id: `race ${i}` }),
    );
    const units = async () =>
      ((await locked()).records as { totalUnits: number }[]).reduce((sum, one) => sum + one.totalUnits, 0);
    const before = await units();
    // A machine takes few calls at a time.
    const send = async (some: typeof events) => {
      for (const event of some) expect(await ingest(gateway, [event])).toMatchObject({ accepted: 1, rejected: [] });
    };
    const sending = Promise.all([0, 1, 2, 3].map((n) => send(events.slice(n * 50, n * 50 + 50))));
    const { id } = (await close()).body;
    await sending;
    await flushMachine(machineId);
    const { state, machines } = await get(id);
    expect(state).toBe("closed");
    expect(machines[0].sums).toEqual(machines[0].sumsNow);
    const heldUnits = (await held()).reduce((sum: number, { units: more }: { units: number }) => sum + more, 0);
    expect((await units()) - before + heldUnits).toBe(200);
  });
});
