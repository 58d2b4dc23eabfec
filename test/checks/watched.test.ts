import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");

test("the local server builds again after a change of any source but the board's", () => {
  const [, list = ""] = /^watch_dir = \[(.*)\]$/m.exec(readFileSync(join(root, "wrangler.toml"), "utf8")) ?? [];
  const watched = [...list.matchAll(/"src\/([^"]+)"/g)].map(([, name]) => name);
  // No code: declarations for the compiler.
  const others = ["board", "node.d.ts", "tsconfig.json"];
  expect(watched.sort()).toEqual(
    readdirSync(join(root, "src"))
      .filter((name) => !others.includes(name))
      .sort(),
  );
});
