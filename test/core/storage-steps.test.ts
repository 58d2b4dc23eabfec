import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { migrate, type Step } from "../../src/core/storage-steps.ts";
import { hubOf } from "../../src/objects/hubs.ts";
import { createCompany } from "../support/factories.ts";

const first = { id: "0001_first", sql: "CREATE TABLE first (a INTEGER); INSERT INTO first VALUES (1);" };
const second = { id: "0002_second", sql: "INSERT INTO first (a) VALUES (2)" };
const later = { id: "0003_later", sql: "ALTER TABLE first ADD COLUMN b INTEGER" };
const breaking = { id: "0004_breaking!", sql: "ALTER TABLE first RENAME TO other" };

/** Does something in the storage of a new hub, which has no steps of its own. */
async function inStorage(work: (storage: DurableObjectStorage) => void) {
  const { companyId } = await createCompany();
  await runInDurableObject(hubOf(env, companyId) as unknown as DurableObjectStub, (_, { storage }) => work(storage));
}

function contentOf({ sql }: DurableObjectStorage) {
  const tables = sql.exec<{ name: string; sql: string }>(
    "SELECT name, sql FROM sqlite_master WHERE name NOT LIKE '\\_%' ESCAPE '\\'",
  );
  return [tables.toArray(), sql.exec("SELECT * FROM first").toArray(), sql.exec("SELECT * FROM migrations").toArray()];
}

it("a storage takes each step once, in order, and continues where it was", async () => {
  await inStorage((storage) => {
    const done: string[] = [];
    const run = (step: Step) => ({ ...step, run: () => void done.push(step.id) });
    migrate(storage, [run(first)]);
    migrate(storage, [first, run(second)]);
    migrate(storage, [run(first), run(second)]);
    expect(done).toEqual([first.id, second.id]);
    expect(storage.sql.exec("SELECT a FROM first").toArray()).toEqual([{ a: 1 }, { a: 2 }]);
  });
});

it("a step that fails leaves nothing behind, and is taken the next time", async () => {
  await inStorage((storage) => {
    const failing: Step = {
      ...second,
      run: () => {
        throw new Error("not now");
      },
    };
    expect(() => migrate(storage, [first, failing])).toThrow("not now");
    expect(storage.sql.exec("SELECT a FROM first").toArray()).toEqual([{ a: 1 }]);
    migrate(storage, [first, second]);
    expect(storage.sql.exec("SELECT a FROM first").toArray()).toEqual([{ a: 1 }, { a: 2 }]);
  });
});

it("a version accepts later steps that it does not know, takes those that it lacks, and does not compare texts", async () => {
  await inStorage((storage) => {
    migrate(storage, [first, later]);
    migrate(storage, [{ ...first, sql: "-- other words" }, second]);
    expect(storage.sql.exec("SELECT a FROM first").toArray()).toEqual([{ a: 1 }, { a: 2 }]);
    const [, , taken] = contentOf(storage);
    expect(taken).toMatchObject([{ id: first.id }, { id: second.id }, { id: later.id }]);
    // The later version continues.
    migrate(storage, [first, second, later]);
    expect(contentOf(storage)[2]).toEqual(taken);
  });
});

it("a version refuses a breaking step that it does not know, by name, and changes nothing", async () => {
  await inStorage((storage) => {
    migrate(storage, [first, { ...breaking, sql: "" }]);
    const before = contentOf(storage);
    expect(() => migrate(storage, [first, second])).toThrow("step 0004_breaking! of a later version");
    expect(contentOf(storage)).toEqual(before);
    migrate(storage, [first, second, breaking]);
    expect(storage.sql.exec("SELECT id FROM migrations").toArray()).toHaveLength(3);
  });
});

it("nothing is written to the storage of an object without steps", async () => {
  await inStorage((storage) => {
    migrate(storage, []);
    expect(storage.sql.exec("SELECT name FROM sqlite_master WHERE name = 'migrations'").toArray()).toEqual([]);
  });
});
