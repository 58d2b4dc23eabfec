import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { ProjectionRow } from "../../../src/machine/publish/projection-rows.ts";
import { MachineStorage } from "../../../src/machine/storage/machine-storage.ts";
import { machineObject } from "../../support/machine-object.ts";
import { stateIn } from "../../support/object-storage.ts";

type Kind = ProjectionRow["kind"];

const kind = fc.constantFrom<Kind[]>("record", "run", "stop");
const key = fc.integer({ min: 100, max: 112 }).map(String);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constant("save"), kind, key) },
  { weight: 2, arbitrary: fc.tuple(fc.constant("delete"), kind, key) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom("raise", "restart", "fail"), kind, key) },
);

it("the projection returns the last saved version of each row, wherever it is stored", async () => {
  await runInDurableObject(machineObject(env, 1_000_000_013), (_, { storage }) => {
    const property = fc.property(fc.array(step, { minLength: 1, maxLength: 40, size: "max" }), (steps) => {
      storage.sql.exec("DELETE FROM projection");
      storage.kv.delete("state");
      let machine = new MachineStorage(storage);
      const expected = new Map<string, ProjectionRow>();
      for (const [i, [what, kind, key]] of steps.entries()) {
        if (what === "restart") machine = new MachineStorage(storage);
        else act(machine, expected, what, rowOf(kind, key, i));
        expect(machine.projection.get(kind, key)).toEqual(expected.get(`${kind} ${key}`) ?? null);
      }
      const all = [...expected.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
      const { projection } = new MachineStorage(storage);
      for (const kind of ["record", "run", "stop"] as const) {
        const ofKind = all.filter((row) => row.kind === kind);
        expect(projection.startingWith(kind, "")).toEqual(ofKind);
        expect(projection.between(kind, "104", "108")).toEqual(ofKind.filter(({ key }) => key >= "104" && key < "108"));
      }
      const runs = projection.runsSince(105).sort((a, b) => (a.key < b.key ? -1 : 1));
      expect(runs).toEqual(all.filter(({ kind, until }) => kind === "run" && until > 105));
    });
    fc.assert(property, { numRuns: 100 });
  });
});

it("the projection keeps the newest record and part in the state and all other rows in the table", async () => {
  await runInDurableObject(machineObject(env, 1_000_000_014), (_, { storage }) => {
    const machine = new MachineStorage(storage);
    const rows = [
      ...[rowOf("record", "100"), rowOf("record", "200"), rowOf("part", "200")],
      ...[rowOf("stop", "1:200"), rowOf("record", "150")],
    ];
    machine.transaction(() => {
      for (const one of rows) machine.projection.save(one);
    });
    const stored = storage.sql.exec("SELECT kind, key FROM projection ORDER BY kind, key").toArray();
    expect(stored).toEqual([
      { kind: "record", key: "100" },
      { kind: "record", key: "150" },
      { kind: "stop", key: "1:200" },
    ]);
    expect(stateIn(storage)["newest rows"]).toMatchObject({ record: { key: "200" }, part: { key: "200" } });
  });
});

function rowOf(kind: Kind, key: string, n = 1): ProjectionRow {
  return {
    kind,
    key,
    until: Number(key.split(":").at(-1)),
    body: `{"n":${n}}`,
    createdAt: 1,
    updatedAt: n,
    version: n,
    madeAfter: 0,
  };
}

/** Does a step, and records its expected result. */
function act(machine: MachineStorage, expected: Map<string, ProjectionRow>, what: string, row: ProjectionRow): void {
  const { projection } = machine;
  const name = `${row.kind} ${row.key}`;
  if (what === "save") {
    machine.transaction(() => projection.save(row));
    expected.set(name, row);
  } else if (what === "delete") {
    machine.transaction(() => projection.delete(row));
    expected.delete(name);
  } else if (what === "raise") {
    machine.transaction(() => projection.raiseVersions());
    for (const [name, row] of expected) expected.set(name, { ...row, version: row.version + 1 });
  } else {
    const failing = () => {
      projection.save(row);
      throw new Error("fails");
    };
    expect(() => machine.transaction(failing)).toThrow("fails");
  }
}
