import { expect, it } from "vitest";
import { call } from "../../../support/call.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../../support/clock.ts";
import {
  createChannels,
  createCompany,
  createGatewayToken,
  createMachine,
  createShift,
  createUser,
} from "../../../support/factories.ts";
import { countAt, flushMachine, ingest } from "../../../support/machines.ts";

type Machine = Awaited<ReturnType<typeof createMachine>>;

/** A machine with a standard of 12 s and a shift yesterday from 06:00 to 14:00, and what `GET /v1/setup/check` finds implausible at it. */
async function newMachine(channels: Parameters<typeof createChannels>[1] = [{ channel: 1, type: "total" }]) {
  const day = Math.floor(Date.now() / DAY) * DAY - DAY;
  const { companyId } = await createCompany();
  await createShift(companyId, { start: "06:00", end: "14:00" });
  const machine = await createMachine(companyId, { commissionedAt: day, standardCycleSeconds: 12 });
  await createChannels(machine, channels);
  const { token: gateway } = await createGatewayToken(companyId);
  const { token } = await createUser(companyId, "admin");
  const found = async () => {
    const { body } = await call("GET", "/v1/setup/check", { token });
    const codes = ["reports_seldom", "standard_too_slow", "channel_silent"];
    return (body.data as { code: string; message: string; object: { id: number } }[])
      .filter(({ code, object }) => codes.includes(code) && object.id === machine.id)
      .map(({ code, message }) => [code, message]);
  };
  /** Sends counts at a steady interval through the shift. */
  const count = async (everyMs: number, eventOf: (at: number, machine: Machine) => object) => {
    const times = Array.from({ length: (8 * HOUR) / everyMs }, (_, i) => day + 6 * HOUR + i * everyMs);
    const events = times.map((at) => eventOf(at, machine));
    for (let i = 0; i < events.length; i += 1000) await ingest(gateway, events.slice(i, i + 1000));
    await flushMachine(machine.id);
  };
  return { found, count };
}

it("a device that reports less often than its machine's limits allow is found, with the value to set", async () => {
  const { found, count } = await newMachine();
  await count(150 * SECOND, (at, { nodeId }) => countAt(nodeId, at, 12));
  expect(await found()).toEqual([["reports_seldom", expect.stringMatching(/about every 150 s.* Set reportingSeconds to 180\./)]]);
});

it("so is one whose silence becomes no data", async () => {
  const { found, count } = await newMachine();
  await count(320 * SECOND, (at, { nodeId }) => countAt(nodeId, at, 26));
  expect(await found()).toEqual([["reports_seldom", expect.stringMatching(/about every 320 s.* Set reportingSeconds to 390\./)]]);
});

it("an effectiveness over 150 % names the standard that would fit", async () => {
  const { found, count } = await newMachine();
  await count(MINUTE, (at, { nodeId }) => countAt(nodeId, at, 10));
  expect(await found()).toEqual([["standard_too_slow", expect.stringMatching(/was 200 % in its last shift: 5\.99 s per cycle/)]]);
});

it("a channel that counts nothing while others do is named", async () => {
  const { found, count } = await newMachine([
    { channel: 1, type: "total" },
    { channel: 2, type: "good" },
  ]);
  await count(MINUTE, (at, { nodeId }) => countAt(nodeId, at, 5));
  expect(await found()).toEqual([["channel_silent", expect.stringMatching(/^Its good channel \(node \d+, channel 2\)/)]]);
});

it("a machine whose numbers are plausible is not mentioned", async () => {
  const { found, count } = await newMachine([
    { channel: 1, type: "total" },
    { channel: 2, type: "defect" },
  ]);
  // Half of the time it stops for four minutes, again and again; otherwise it is as fast as its standard.
  await count(MINUTE, (at, { nodeId }) => countAt(nodeId, at, at % (10 * MINUTE) < 6 * MINUTE ? 5 : 0));
  expect(await found()).toEqual([]);
});
