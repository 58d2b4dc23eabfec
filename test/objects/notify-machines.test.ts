import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { announce } from "../../src/objects/notify-machines.ts";
import { changed } from "../support/service.ts";

/** Machine objects that record the calls that they receive, in order. */
function listeners() {
  const notified: [machineId: string, version: number][] = [];
  let [atOnce, most] = [0, 0];
  const getByName = (machineId: string) => ({
    async configure(version: number) {
      atOnce += 1;
      most = Math.max(most, atOnce);
      await scheduler.wait(5);
      atOnce -= 1;
      notified.push([machineId, version]);
      return true;
    },
  });
  return { bindings: { ...env, MACHINES: changed(env.MACHINES, { getByName }) }, notified, most: () => most };
}

const machinesOf = (companyId: number, count: number, configVersion: number) =>
  Array.from({ length: count }, (_, i) => ({ companyId, machineId: companyId * 1000 + i, configVersion }));

it("an announcement notifies few machines at a time and includes changes made meanwhile", async () => {
  const { bindings, notified, most } = listeners();
  const versions = [2, 3, 4, 5, 6, 7, 8, 9];
  const all = versions.map((version) => announce(bindings, machinesOf(71, 20, version)));
  await Promise.all(all);
  expect(most()).toBeLessThanOrEqual(4);
  // The first four are in progress when the others come, and are notified once more.
  expect(notified.length).toBeLessThanOrEqual(24);
  const last = new Map(notified);
  expect([...last.values()]).toEqual(Array(20).fill(9));
});

it("a large announcement leaves the rest to the sweep and does not delay another company's", async () => {
  const { bindings, notified } = listeners();
  const large = announce(bindings, machinesOf(72, 300, 2));
  await announce(bindings, machinesOf(73, 2, 2));
  expect(notified.filter(([machineId]) => machineId.startsWith("73"))).toHaveLength(2);
  expect(notified.length).toBeLessThan(20);
  await large;
  expect(notified.filter(([machineId]) => machineId.startsWith("72"))).toHaveLength(200);
});
