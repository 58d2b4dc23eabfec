import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "andon-links-"));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("names each link or file that does not exist, each page that is in no index, and nothing else", {
  timeout: 30_000,
}, async () => {
  const readme = [
    "# Title, of a page",
    "[good](docs/a.md) [good](docs/a.md#a-b--c) [good](#title-of-a-page) [good](https://nowhere.example/x#y) [good](docs)",
    "[dead](docs/b.md) [dead](docs/a.md#missing) [dead](#missing)",
    "`[code](not-a-link.md)`",
    "```\n[code](not-a-link.md)\n```",
  ];
  mkdirSync(join(folder, "docs/deeper"), { recursive: true });
  mkdirSync(join(folder, "src/deeper"), { recursive: true });
  // Not in one piece: the check reads this file too.
  const line = ["// See src", "gone.ts, src", "deeper", "here.ts."].join("/");
  const block = ["/** Of test", "gone.ts. */"].join("/");
  writeFileSync(join(folder, "src/deeper/here.ts"), `${line}\n${block}\nconst x = "src/data.ts";\n`);
  writeFileSync(join(folder, "wrangler.toml"), 'a = "" # See src/old.ts.\n');
  writeFileSync(join(folder, "README.md"), readme.join("\n\n"));
  writeFileSync(join(folder, "docs/a.md"), "# A `b`, & c\n\n```sh\n# missing\n```\n\n[good](../README.md)\n");
  writeFileSync(join(folder, "docs/deeper/c.md"), "[dead](a.md) [good](../a.md)\n");
  writeFileSync(join(folder, "docs/README.md"), "[index](a.md#a-b--c) [of a folder](deeper/README.md)\n");
  writeFileSync(join(folder, "docs/deeper/README.md"), "[index](c.md)\n");
  writeFileSync(join(folder, "docs/deeper/lost.md"), "In no index. `src/gone.ts` `lost.ts` `here.ts` `src/<area>/x.ts`\n");
  const script = resolve(import.meta.dirname, "../../scripts/checks/check-links.ts");
  const { code, output } = await new Promise<{ code: unknown; output: string }>((done) => {
    execFile(process.execPath, [script, folder], (error, _out, output) => done({ code: error?.code, output }));
  });
  expect(code).toBe(1);
  expect(output.trim().split("\n")).toEqual([
    "README.md: docs/b.md is not there",
    "README.md: docs/a.md#missing names no heading",
    "README.md: #missing names no heading",
    "docs/deeper/c.md: a.md is not there",
    "docs/deeper/lost.md: src/gone.ts is not there",
    "docs/deeper/lost.md: lost.ts is not there",
    "src/deeper/here.ts: src/gone.ts is not there",
    "src/deeper/here.ts: test/gone.ts is not there",
    "wrangler.toml: src/old.ts is not there",
    "docs/README.md: docs/deeper/lost.md is not in the index",
  ]);
});
