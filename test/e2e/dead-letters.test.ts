import { rmSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import { inDatabase } from "../../scripts/service.ts";
import { runScript } from "./admin.ts";
import { migratedFolder } from "./built-service.ts";

const stateFolder = migratedFolder();
afterAll(() => rmSync(stateFolder, { recursive: true, force: true }));

const script = resolve(import.meta.dirname, "../../scripts/dead-letters.ts");
const run = (...args: string[]) => runScript([script, ...args], { ANDON_STATE: stateFolder });

test("npm run dead-letters lists them and sends them again", async () => {
  expect((await run()).output).toMatch(/^0 dead letters in /);
  await inDatabase(stateFolder, ({ run: execute }) =>
    execute(
      ["first", "it's"].map(
        (id, i) => `INSERT INTO dead_letters (id, queue, body, error, created_at)
          VALUES ('${id.replace("'", "''")}', 'EVENTS', '{"companyId":${i}}', ${i === 0 ? "NULL" : "'D1 is away'"}, ${i})`,
      ),
    ),
  );
  const listed = (await run()).output.split("\n");
  expect(listed[0]).toBe(`first  1970-01-01T00:00:00.000Z  EVENTS {"companyId":0}: its consumer did not say why`);
  expect(listed[1]).toBe(`it's  1970-01-01T00:00:00.001Z  EVENTS {"companyId":1}: D1 is away`);
  expect(listed[2]).toMatch(/^2 dead letters in /);
  const marked = async () =>
    (await inDatabase(stateFolder, ({ rows }) => rows("SELECT id FROM dead_letters WHERE is_requeued ORDER BY id"))).map(
      ({ id }) => id,
    );
  const wrong = await run("--requeue", "--id", "second");
  expect([wrong.status, wrong.output]).toEqual([1, ""]);
  expect(wrong.errors).toMatch(/There is no dead letter second/);
  expect((await run("--requeue", "--id", "it's")).output).toMatch(/^1 dead letter is sent again within a minute/);
  expect(await marked()).toEqual(["it's"]);
  expect((await run()).output).toMatch(/it's.*: to be sent again\n/);
  expect((await run("--requeue")).output).toMatch(/^1 dead letter is sent again/);
  expect(await marked()).toEqual(["first", "it's"]);
  for (const args of [["--id", "first"], ["--local", "--remote"], ["all"]]) {
    const refused = await run(...args);
    expect([refused.status, refused.output]).toEqual([1, expect.stringContaining("npm run dead-letters -- --requeue")]);
  }
});
