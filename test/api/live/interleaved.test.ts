import { evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, inject, it } from "vitest";
import type { Row } from "../../../src/client/live-protocol.ts";
import { call } from "../../support/call.ts";
import { eventually } from "../../support/eventually.ts";
import { createOperator, createUser } from "../../support/factories.ts";
import { type LiveClient, still, watch } from "../../support/live.ts";
import { machineObject } from "../../support/machine-object.ts";
import { countAt, ingest } from "../../support/machines.ts";
import { createRunningLine } from "../../support/running-line.ts";

// In any order of actions, a screen ends up with the same rows as the state, and the numbers of an epoch only grow.

it("shows what the state says after any interleaving of changes, evictions and breaks", async () => {
  const plant = await plantInMotion();
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...moves), { minLength: 5, maxLength: 25 }), async (steps) => {
      const [roaming, steady] = [new Roaming(plant.token), new Roaming(plant.token)];
      await roaming.comeBack();
      await steady.comeBack();
      for (const one of steps) {
        if (one === "leave") roaming.leave();
        else if (one === "come back") await roaming.comeBack();
        else await plant[one]();
      }
      await roaming.comeBack();
      // Counts may wait for a while: an edit is sent at once, with everything before it.
      await plant.edit();
      await eventually(async () => {
        const expected = still(await plant.state());
        for (const screen of [roaming, steady]) expect(still(screen.rows())).toEqual(expected);
      });
      for (const screen of [roaming, steady]) {
        for (const messages of Map.groupBy(screen.client?.messages ?? [], ({ epoch }) => epoch).values()) {
          const numbers = messages.map(({ seq }) => seq);
          expect(numbers).toEqual([...new Set(numbers)].sort((x, y) => x - y));
        }
        screen.leave();
      }
    }),
    { numRuns: inject("histories").runs, endOnFailure: true },
  );
}, 600_000);

const moves = ["count", "sign", "rename", "edit", "alarm", "evictMachine", "evictHub", "leave", "come back"] as const;

/** A screen that disconnects, and reconnects where it left off. */
class Roaming {
  client: LiveClient | null = null;
  readonly #token: string;
  #known: LiveClient | null = null;

  constructor(token: string) {
    this.#token = token;
  }

  leave(): void {
    if (this.client) this.#known = this.client;
    this.client?.leave();
    this.client = null;
  }

  async comeBack(): Promise<void> {
    if (this.client) return;
    this.client = await watch(this.#token, this.#known?.place);
    if (this.client.last.type === "snapshot") return;
    // The rows that it had before and did not receive again.
    for (const [id, row] of this.#known?.rows ?? []) if (!this.client.rows.has(id)) this.client.rows.set(id, row);
  }

  rows(): Row[] {
    return [...(this.client?.rows.values() ?? [])];
  }
}

/** A running line, and all actions that may happen to it. */
async function plantInMotion() {
  const { companyId, machine, gatewayToken } = await createRunningLine();
  const { operatorId } = await createOperator(companyId);
  const { token } = await createUser(companyId, "admin");
  const state = async () => (await call("GET", "/v1/state", { token })).body.data;
  const [{ stop }] = await state();
  let n = 0;
  let isIn = false;
  const patch = async (path: string, name: string) => {
    n += 1;
    const answer = await call("PATCH", path, { token, body: { name: `${name} ${n}` } });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  };
  // An object that is not running need not be evicted.
  const evict = (object: DurableObjectStub) => evictDurableObject(object).catch(() => undefined);
  const object = machineObject(env, machine.id);
  return {
    token,
    state,
    count: () => ingest(gatewayToken, [countAt(machine.nodeId, Date.now(), 1)]),
    sign: () => {
      isIn = !isIn;
      const [at, action] = [new Date().toISOString(), isIn ? "in" : "out"];
      return ingest(gatewayToken, [{ type: "operator", at, machineId: machine.id, operatorId, action }]);
    },
    rename: () => patch(`/v1/machines/${machine.id}`, "Press"),
    edit: () => patch(`/v1/stops/${stop.id}`, "Jam"),
    alarm: () => runDurableObjectAlarm(object),
    evictMachine: () => evict(object as unknown as DurableObjectStub),
    evictHub: () => evict(env.HUBS.getByName(String(companyId)) as unknown as DurableObjectStub),
  };
}
