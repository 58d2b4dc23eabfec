import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runBridge, simulator, testFolder, writeConfig } from "./support/program.ts";

test("each fault of a configuration is named with its line and member, and a secret in it with what to do instead", async () => {
  const path = join(testFolder(), "plant.toml");
  const checked = async (text: string) => {
    writeFileSync(path, text);
    const { code, output } = await runBridge(["check", path]);
    expect(code).toBe(2);
    return output.replaceAll(path, "plant.toml");
  };
  const andon = '[andon]\nurl = "http://127.0.0.1:1"\n';
  expect(await checked(`${andon}[[source]\n`)).toMatch(/^plant.toml:3: /);
  expect(await checked(`${andon}${simulator(["P1", "P2"], "5 s")}`)).toMatch(
    /^plant.toml:9: source.0.signal.0.every: must be a duration/,
  );
  expect(await checked(`${andon}password = "x"\n${simulator(["P1"], "5s")}`)).toMatch(
    /^plant.toml:3: andon.password: .*password_file/,
  );
  expect(await checked(`[andon]\nurl = "ftp://x"\n${simulator(["P1"], "5s")}`)).toMatch(/^plant.toml:2: andon.url: /);
  expect(await checked(andon)).toMatch(/^plant.toml:1: source: /);
  expect(await checked(`${andon}${simulator(["P1"], "5s")}${simulator(["P1"], "5s")}`)).toMatch(
    /^plant.toml:11: source.1.id: another source has the id "sim"/,
  );
});

test("a command that does not exist, a wrong option and a missing file are refused with what to do", async () => {
  expect(await runBridge(["start"])).toMatchObject({ code: 2, output: expect.stringContaining('no command "start"') });
  expect(await runBridge(["run", "--fast"])).toMatchObject({ code: 2, output: expect.stringContaining("--fast") });
  expect(await runBridge(["run", "/nowhere.toml"])).toMatchObject({
    code: 2,
    output: expect.stringContaining("andon-bridge init"),
  });
  expect(await runBridge(["--help"])).toMatchObject({ code: 0, output: expect.stringContaining("preview") });
});

test("the JSON schema of the configuration describes every member of a source", async () => {
  const { code, output } = await runBridge(["schema"]);
  expect(code).toBe(0);
  const schema = JSON.parse(output);
  expect(schema.required).toEqual(["andon", "source"]);
  expect(output).toContain("The machine's reference in Andon");
});

test("check names the step that fails, and ends with 1", async () => {
  const path = writeConfig(testFolder(), "http://127.0.0.1:1", simulator(["P1"], "5s"));
  const { code, output } = await runBridge(["check", path]);
  expect(code).toBe(1);
  expect(output).toMatch(/FAILED andon: connection: .*127\.0\.0\.1:1 cannot be reached/);
  expect(output).toContain("ok     sim: first value");
});
