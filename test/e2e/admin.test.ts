import { rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databaseFile } from "../../scripts/bench/plant-folder.ts";
import { inDatabase } from "../../scripts/service.ts";
import { apiClient } from "../../src/client/client.ts";
import { admin } from "./admin.ts";
import { answered, ingest, login } from "./api.ts";
import { migratedFolder, startBuilt, stopBuilt } from "./built-service.ts";
import { freePort } from "./plant.ts";

const stateFolder = migratedFolder();
const email = "o'hara@plant.test";
const company = "O'Hara's; DROP TABLE users; --";
let url: string;

beforeAll(async () => {
  url = (await startBuilt({ stateFolder, port: await freePort() })).url;
});

afterAll(async () => {
  await stopBuilt();
  rmSync(stateFolder, { recursive: true, force: true });
});

async function run(args: string[], input?: string): Promise<string> {
  const { status, output, errors } = await admin(stateFolder, args, input);
  expect(status, errors).toBe(0);
  expect(output + errors).not.toContain("scrypt$");
  return output;
}

async function refuse(args: string[], input?: string): Promise<string> {
  const { status, output, errors } = await admin(stateFolder, args, input);
  expect([status, output]).toEqual([1, ""]);
  return errors;
}

async function rowsOf(sql: string) {
  return await inDatabase(stateFolder, ({ rows }) => rows(sql));
}

function printed(output: string, label: RegExp): string {
  return label.exec(output)?.[1] ?? "";
}

describe("npm run admin", () => {
  test("makes the code of a service without users, in place of the one before", async () => {
    const claim = async (code: string) => {
      const body = { code, name: "Scarlett", email: "first@plant.test", companyName: "X", timezone: "UTC" };
      const response = await fetch(`${url}/v1/claim`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ ...body, password: "first first first" }),
      });
      return ((await response.json()) as { errors: { pointer: string }[] }).errors.map(({ pointer }) => pointer);
    };
    const made = async () => printed(await run(["claim-code"]), /enter the code (\S{4}-\S{4})\./);
    const [old, code] = [await made(), await made()];
    // A right code goes on to the password.
    expect([await claim(old), await claim(code)]).toEqual([["/code"], ["/password"]]);
  });

  test("creates the first superuser and company, once, with a generated password that is shown", async () => {
    const args = ["create-superuser", "--email", "O'Hara@Plant.test", "--name", "Scarlett O'Hara"];
    expect(await refuse(args)).toMatch(/There is no company: name it with --company/);
    expect(await refuse([...args, "--company", company, "--timezone", "Nowhere"])).toMatch(
      /--timezone Nowhere is no IANA time zone/,
    );
    expect(await refuse([...args, "--company", company], "too short")).toMatch(/must have 15 to 128 characters/);
    expect(await refuse([...args, "--company", company], "30SecondsToMars")).toMatch(/is one of the most common/);
    expect(await refuse([...args, "--company", company], "scarlett-o'hara-2026")).toMatch(/is easy to guess/);
    const password = printed(await run([...args, "--company", company, "--timezone", "Europe/Madrid"]), /^Password: (\S{20,})$/m);
    expect(await login(url, { email, password })).toMatch(/^eyJ/);
    expect(await refuse([...args, "--company", company])).toMatch(/There is a user o'hara@plant.test already/);
    expect(await rowsOf("SELECT name, timezone FROM companies")).toEqual([{ name: company, timezone: "Europe/Madrid" }]);
    // Without a name, the only company is used.
    await run(["create-superuser", "--email", "second@plant.test", "--name", "Second"], "the password of the second\n");
    expect(await login(url, { email: "second@plant.test", password: "the password of the second" })).toMatch(/^eyJ/);
  });

  test("resets a password, which ends tokens from before", async () => {
    const versions = () => rowsOf(`SELECT token_version FROM users WHERE name = 'Second'`);
    expect(await versions()).toEqual([{ token_version: 1 }]);
    expect(await run(["reset-password", "--email", "second@plant.test"], "another good password")).not.toContain(
      "another good password",
    );
    expect(await versions()).toEqual([{ token_version: 2 }]);
    await expect(login(url, { email: "second@plant.test", password: "the password of the second" })).rejects.toThrow(/401/);
    expect(await login(url, { email: "second@plant.test", password: "another good password" })).toMatch(/^eyJ/);
    expect(await refuse(["reset-password", "--email", "nobody@plant.test"])).toMatch(/There is no user nobody@plant.test/);
  });

  test("waits while the running service has locked the database", async () => {
    const service = new DatabaseSync(databaseFile(stateFolder));
    service.exec("BEGIN IMMEDIATE");
    const made = run(["gateway-token", "--company", company, "--name", "Hall 0"]);
    await new Promise((done) => setTimeout(done, 3000));
    expect(service.prepare("SELECT count(*) AS count FROM gateway_tokens").get()).toEqual({ count: 0 });
    service.exec("ROLLBACK");
    service.close();
    expect(await made).toMatch(/^andon_gw_1_\S{43}$/m);
    expect(await rowsOf("SELECT name FROM gateway_tokens")).toEqual([{ name: "Hall 0" }]);
  });

  test("creates a gateway token, of which only the hash is stored", async () => {
    expect(await refuse(["gateway-token", "--company", "No such", "--name", "Hall 1"])).toMatch(/There is no company No such/);
    const token = printed(await run(["gateway-token", "--company", company, "--name", "Hall 1"]), /^(andon_gw_1_\S{43})$/m);
    expect(await ingest(url, token, [])).toMatchObject({ accepted: 0, duplicates: 0, rejected: [], warnings: [] });
    expect(JSON.stringify(await rowsOf("SELECT * FROM gateway_tokens"))).not.toContain(token);
    expect(await run(["gateway-token", "--company", "1", "--name", "Hall 2"])).toContain(`Hall 2 of ${company}`);
  });

  test("lists API tokens, and revokes one", async () => {
    const client = apiClient(url, await login(url, { email: "second@plant.test", password: "another good password" }));
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const make = async (body: { name: string; role: "user" | "superuser"; isReadOnly?: boolean; expiresAt?: string }) =>
      answered(await client.POST("/v1/api-tokens", { body }));
    const made = await make({ name: "ERP", role: "user", isReadOnly: true, expiresAt });
    await make({ name: "Everywhere", role: "superuser" });
    const listed = await run(["api-tokens", "--company", company]);
    expect(listed).toContain(
      `${made.id}  ERP: user, read-only in ${company}, by second@plant.test, last used never, expires ${expiresAt}`,
    );
    expect(listed).toMatch(/Everywhere: superuser in all companies.*expires never\n2 API tokens in /);
    expect(listed).not.toMatch(/andon_api_|[0-9a-f]{64}/);
    expect(await refuse(["api-tokens", "--company", "No such"])).toMatch(/There is no company No such/);
    expect(await run(["revoke-api-token", "--id", String(made.id)])).toBe(
      `The API token ${made.id}, ERP, is refused within 30 s.\n`,
    );
    expect((await fetch(`${url}/v1/operators`, { headers: { authorization: `Bearer ${made.token}` } })).status).toBe(401);
    expect(await run(["api-tokens"])).toMatch(/^\d+ {2}Everywhere.*\n1 API token in /);
    expect(await refuse(["revoke-api-token", "--id", String(made.id)])).toMatch(/There is no API token \d+, or it is revoked/);
    expect(await refuse(["revoke-api-token", "--id", "x"])).toMatch(/--id is no id/);
  });

  test("shows its usage for unknown arguments", async () => {
    for (const args of [[], ["destroy"], ["create-superuser", "more"], ["reset-password", "--local", "--remote"]]) {
      const { status, output } = await admin(stateFolder, args);
      expect([status, output]).toEqual([1, expect.stringContaining("npm run admin -- reset-password --email E")]);
    }
    expect(await refuse(["reset-password", "--mail", "x"])).toMatch(/--mail/);
    expect(await refuse(["reset-password", "--email", "nobody"])).toMatch(/--email is no e-mail address/);
    expect(await refuse(["gateway-token", "--name", "Hall 1"])).toMatch(/--company is needed/);
  });
});
