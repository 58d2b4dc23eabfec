import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { ProjectionRow } from "../../../src/machine/publish/projection-rows.ts";
import { MachineStorage } from "../../../src/machine/storage/machine-storage.ts";
import { machineObject } from "../../support/machine-object.ts";
import { isAnyWaiting } from "../../support/object-storage.ts";

const row = (key: string, version: number): ProjectionRow => {
  const kind = Number(key) % 3 === 0 ? "stop" : "record";
  return { kind, key, until: Number(key) % 7, body: "{}", createdAt: 1, updatedAt: 1, version, madeAfter: 0 };
};
const key = fc.integer({ min: 0, max: 120 }).map(String);
const keys = fc.array(key, { maxLength: 80, size: "max" });
const step = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(fc.constant("add"), keys) },
  { weight: 2, arbitrary: fc.tuple(fc.constant("sent"), keys) },
  { weight: 1, arbitrary: fc.constant<[string, string[]]>(["restart", []]) },
);

type Row = Pick<ProjectionRow, "until">;
type Expected = Map<string, ProjectionRow>;

function add(machine: MachineStorage, expected: Expected, key: string): void {
  const added = row(key, (expected.get(key)?.version ?? 0) + 1);
  expected.set(key, added);
  machine.transaction(() => {
    machine.projection.save(added);
    machine.waiting.add(added);
  });
}

function sent(machine: MachineStorage, expected: Expected, key: string): void {
  const waiting = expected.get(key) ?? row(key, 1);
  // One version of it was sent, and another one has come in the meantime.
  machine.transaction(() => machine.waiting.remove({ ...waiting, version: waiting.version - 1 }));
  if (Number(key) % 2 === 0) return;
  machine.transaction(() => machine.waiting.remove(waiting));
  expected.delete(key);
}

function byOrder(a: ProjectionRow, b: ProjectionRow): number {
  return a.until - b.until || b.kind.localeCompare(a.kind) || (a.key < b.key ? -1 : 1);
}

it("the outbox contains all rows added and not yet sent, in order", async () => {
  await runInDurableObject(machineObject(env, 1_000_000_012), (_, { storage }) => {
    const property = fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
      storage.sql.exec("DELETE FROM outbox");
      storage.sql.exec("DELETE FROM projection");
      storage.kv.delete("state");
      let machine = new MachineStorage(storage);
      const expected: Expected = new Map();
      for (const [what, keys] of steps) {
        if (what === "restart") machine = new MachineStorage(storage);
        for (const key of keys) (what === "sent" ? sent : add)(machine, expected, key);
        expect([machine.waiting.isAny(), isAnyWaiting(storage)]).toEqual([expected.size > 0, expected.size > 0]);
      }
      const inOrder = [...expected.values()].sort(byOrder);
      expect([...machine.rowsToSend(1000)].map(({ bytes: _, ...row }) => row)).toEqual(inOrder);
      expect([...machine.rowsToSend(3)]).toHaveLength(Math.min(3, inOrder.length));
      const tiers = [({ until }: Row) => until === 0, ({ until }: Row) => until >= 4, ({ until }: Row) => until > 0 && until < 4];
      const pastLast = tiers.flatMap((isOf) => inOrder.filter((one) => isOf(one) && one.until <= 5));
      expect([...machine.rowsToSend(1000, 4, 5)].map(({ bytes: _, ...row }) => row)).toEqual(pastLast);
    });
    fc.assert(property, { numRuns: 40 });
  });
});
