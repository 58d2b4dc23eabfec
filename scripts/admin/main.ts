import { readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { newToken } from "../../src/core/bearer-token.ts";
import { hashPassword } from "../../src/core/password.ts";
import { makeClaimCode } from "../claim-code.ts";
import { type Database, inDatabase } from "../service.ts";
import { sql } from "../sql-text.ts";
import { backUp, restore } from "./backup.ts";
import { readPassword } from "./read-password.ts";
import { republishSql } from "./republish.ts";

const usage = `Administration that needs no login, but the database itself.

  npm run admin -- claim-code
  npm run admin -- create-superuser --email E --name N [--company C [--timezone Z]]
  npm run admin -- reset-password --email E
  npm run admin -- gateway-token --company C --name N
  npm run admin -- api-tokens [--company C]
  npm run admin -- revoke-api-token --id N
  npm run admin -- republish
  npm run admin -- rotate-key
  npm run admin -- backup FOLDER
  npm run admin -- restore FOLDER [--replace]

  --local     the database of npm start -- --empty, in .wrangler/state or the folder that ANDON_STATE names; the default
  --remote    the deployed database

claim-code makes a new code for the first page of a service without users, which makes the first account and the company; the code before
is useless then.
--company takes a company's name or id. create-superuser makes the company if there is none of that name. Passwords have 15 to 128
characters and are not easy to guess; they are asked for, or read from standard input. For an empty one a random password is made and
printed once. api-tokens lists the API tokens that are not revoked, by id. republish is for after a restore of the database. rotate-key
shows how many texts each encryption key has sealed, and when the previous one is not needed any more (docs/deploy.md). backup copies the
data of a local service, which may be running, to a new folder; restore puts them back into a state folder without data (or, with --replace,
beside its data), while no service runs. See docs/backup.md.`;

const { values: options, positionals } = readArguments();
/** Null: the remote database. */
const stateFolder = options.remote ? null : resolve(process.env.ANDON_STATE ?? ".wrangler/state");
const place =
  stateFolder === null ? "the deployed database" : relative(process.cwd(), stateFolder).replace(/^\.\..*|^$/, stateFolder);
const now = Date.now();
let database: Database;
const commands: Record<string, () => Promise<void>> = {
  "claim-code": createClaimCode,
  "create-superuser": createSuperuser,
  "reset-password": resetPassword,
  "gateway-token": createGatewayToken,
  "api-tokens": listApiTokens,
  "revoke-api-token": revokeApiToken,
  republish,
  "rotate-key": showKeys,
};
/** Commands for a local service's folder, which take another folder. */
const folderCommands: Record<string, (folder: string, stateFolder: string) => Promise<void>> = {
  backup: makeBackup,
  restore: restoreBackup,
};

async function createClaimCode(): Promise<void> {
  const [row] = await query<{ users: number }>(sql`SELECT count(*) AS users FROM users`);
  if (row?.users !== 0) throw new Error(`There are users in ${place}: create-superuser makes another superuser.`);
  console.log(`Open the first page of the service, and enter the code ${await makeClaimCode(stateFolder)}. It is good once.`);
}

async function createSuperuser(): Promise<void> {
  const email = given("email").toLowerCase();
  const name = given("name");
  if (await findUser(email)) throw new Error(`There is a user ${email} already: reset-password gives it a new password.`);
  const { company, statements } = await companyToBe();
  const password = await readPassword({ email, name, company: company.name }, isCommon);
  const passwordHash = await hashPassword(password.text);
  const user = sql`INSERT INTO users (company_id, name, email, password_hash, role, created_at, updated_at)
    VALUES (${company.id}, ${name}, ${email}, ${passwordHash}, 'superuser', ${now}, ${now})`;
  await database.run([...statements, user]);
  console.log(
    `Made the superuser ${email} of ${company.name} in ${place}.${password.isMade ? `\nPassword: ${password.text}` : ""}`,
  );
}

async function resetPassword(): Promise<void> {
  const email = given("email").toLowerCase();
  const user = await findUser(email);
  if (!user) throw new Error(`There is no user ${email}.`);
  const password = await readPassword({ ...user, email }, isCommon);
  const passwordHash = await hashPassword(password.text);
  await database.run([
    sql`UPDATE users SET password_hash = ${passwordHash}, token_version = token_version + 1, updated_at = ${now}
      WHERE email = ${email} AND deleted_at IS NULL`,
  ]);
  const failures = sql`DELETE FROM login_attempts WHERE key = ${`account|${email}`} OR instr(key, ${`pair|${email}|`}) = 1`;
  await inDatabase(stateFolder, ({ run }) => run([failures]), "DIRECTORY");
  console.log(
    `${email} has a new password; tokens from before end within 30 s.${password.isMade ? `\nPassword: ${password.text}` : ""}`,
  );
}

async function createGatewayToken(): Promise<void> {
  const name = given("name");
  const company = await findCompany(given("company"));
  if (!company) throw new Error(`There is no company ${options.company}.`);
  const made = newToken("gw", company.id);
  await database.run([
    sql`INSERT INTO gateway_tokens (company_id, name, token_hash, created_at, updated_at)
      VALUES (${company.id}, ${name}, ${made.tokenHash}, ${now}, ${now})`,
  ]);
  console.log(`Gateway ${name} of ${company.name} has a token. It is shown only now:\n${made.token}`);
}

interface ApiToken {
  id: number;
  name: string;
  role: string;
  is_read_only: number;
  company: string;
  email: string;
  expires_at: number | null;
  last_used_at: number | null;
}

async function listApiTokens(): Promise<void> {
  const company = options.company === undefined ? undefined : await findCompany(given("company"));
  if (options.company !== undefined && !company) throw new Error(`There is no company ${options.company}.`);
  const tokens =
    await query<ApiToken>(sql`SELECT api_tokens.id, api_tokens.name, api_tokens.role, is_read_only, expires_at, last_used_at,
      companies.name AS company, users.email AS email
    FROM api_tokens JOIN companies ON companies.id = api_tokens.company_id JOIN users ON users.id = created_by
    WHERE revoked_at IS NULL AND (${company?.id ?? null} IS NULL OR api_tokens.company_id = ${company?.id ?? null})
    ORDER BY api_tokens.id`);
  const timeOf = (at: number | null) => (at === null ? "never" : new Date(at).toISOString());
  for (const { id, name, role, email, ...token } of tokens) {
    const where = role === "superuser" ? "all companies" : token.company;
    const rights = token.is_read_only ? `${role}, read-only` : role;
    const times = `last used ${timeOf(token.last_used_at)}, expires ${timeOf(token.expires_at)}`;
    console.log(`${id}  ${name}: ${rights} in ${where}, by ${email}, ${times}`);
  }
  console.log(`${tokens.length} API token${tokens.length === 1 ? "" : "s"} in ${place}.`);
}

async function revokeApiToken(): Promise<void> {
  const id = Number(given("id"));
  if (!Number.isSafeInteger(id)) throw new Error("--id is no id: api-tokens lists them.");
  const [token] = await query<{ name: string }>(sql`SELECT name FROM api_tokens WHERE id = ${id} AND revoked_at IS NULL`);
  if (!token) throw new Error(`There is no API token ${id}, or it is revoked already.`);
  await database.run([
    sql`UPDATE api_tokens SET revoked_at = ${now}, updated_at = ${now} WHERE id = ${id} AND revoked_at IS NULL`,
  ]);
  console.log(`The API token ${id}, ${token.name}, is refused within 30 s.`);
}

async function makeBackup(folder: string, state: string): Promise<void> {
  const startedAt = performance.now();
  const { files } = await backUp(state, folder);
  const megabytes = (files.reduce((sum, { bytes }) => sum + bytes, 0) / 2 ** 20).toFixed(1);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`Backed up ${place} to ${folder}: ${files.length} files, ${megabytes} MB, ${seconds} s. It contains the secrets.`);
}

async function restoreBackup(folder: string, state: string): Promise<void> {
  const { at, kept } = await restore(folder, state, options.replace);
  console.log(
    `Restored the backup of ${at} to ${place}. When the service runs, every machine publishes again what the database lacks.`,
  );
  if (kept) console.log(`What was there before is in ${kept}: delete it when you do not need it any more.`);
}

/** For a restored database: the machines' objects send again everything that they have and it lacks. */
async function republish(): Promise<void> {
  await database.run([republishSql]);
  console.log("Every machine sends again what it holds, a hundred machines a minute.");
}

/** How long a restored database may need the previous key again: D1 keeps 30 days of history. */
const restorableMs = 30 * 86_400_000;

interface KeyUse {
  key: string;
  is_current: number;
  texts: number;
  unused_since: number | null;
  counted_at: number;
}

/** Shows the keys, as the service's job counted them. */
async function showKeys(): Promise<void> {
  const keys = await query<KeyUse>(sql`SELECT * FROM key_uses ORDER BY is_current DESC, key`);
  const [current] = keys;
  if (!current) {
    console.log(`The service has not counted the encrypted texts in ${place} yet: it does so within ten minutes of its start.`);
    return;
  }
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  for (const { key, is_current, texts, unused_since } of keys) {
    const name = key === "" ? "without an id (from before November 2026)" : key;
    const role = is_current ? ", ENCRYPTION_KEY" : "";
    const count = `${texts} text${texts === 1 ? "" : "s"}`;
    const until =
      unused_since === null || is_current ? "" : ` since ${day(unused_since)}, needed until ${day(unused_since + restorableMs)}`;
    console.log(`${name}${role}: ${count}${until}`);
  }
  const left = keys.reduce((sum, { is_current, texts }) => sum + (is_current ? 0 : texts), 0);
  const neededUntil =
    Math.max(0, ...keys.map(({ is_current, unused_since }) => (is_current ? 0 : (unused_since ?? 0)))) + restorableMs;
  if (left > 0) console.log(`${left} are encrypted again, a hundred every ten minutes. Keep ENCRYPTION_KEY_PREVIOUS until then.`);
  else if (neededUntil > now && keys.length > 1)
    console.log(`Keep ENCRYPTION_KEY_PREVIOUS until ${day(neededUntil)}: a restore may bring older texts back.`);
  else console.log("ENCRYPTION_KEY_PREVIOUS is not needed: it may be empty.");
  console.log(`Counted ${new Date(current.counted_at).toISOString()} in ${place}.`);
}

interface Company {
  id: number;
  name: string;
}

/** The company of a new superuser, and the SQL that creates it if it does not exist yet. */
async function companyToBe(): Promise<{ company: Company; statements: string[] }> {
  const { company: wanted, timezone = "UTC" } = options;
  if (wanted === undefined) {
    const [first, second] = await query<Company>(sql`SELECT id, name FROM companies WHERE deleted_at IS NULL LIMIT 2`);
    if (first && !second) return { company: first, statements: [] };
    throw new Error(
      first ? "There are several companies: say which with --company." : "There is no company: name it with --company.",
    );
  }
  const known = await findCompany(wanted);
  if (known) return { company: known, statements: [] };
  if (!Intl.supportedValuesOf("timeZone").concat("UTC").includes(timezone)) {
    throw new Error(`--timezone ${timezone} is no IANA time zone such as Europe/Madrid.`);
  }
  const [last] = await query<{ id: number }>(sql`SELECT coalesce(max(id), 0) AS id FROM companies`);
  const company = { id: (last?.id ?? 0) + 1, name: wanted };
  const made = sql`INSERT INTO companies (id, name, timezone, production_day, has_production_days, jurisdiction, created_at, updated_at)
    VALUES (${company.id}, ${company.name}, ${timezone}, 'shiftStart', 1, ${jurisdictionOfDatabase()}, ${now}, ${now})`;
  return { company, statements: [made] };
}

/** The jurisdiction of the database, in wrangler.toml as its id is; null: none, as for each local one. */
function jurisdictionOfDatabase(): string | null {
  if (!options.remote) return null;
  const settings = readFileSync(resolve(import.meta.dirname, "../../wrangler.toml"), "utf8");
  return /^DB_0_JURISDICTION = "(\w+)"/m.exec(settings)?.[1] ?? null;
}

async function findCompany(nameOrId: string): Promise<Company | undefined> {
  const found = await query<Company>(
    sql`SELECT id, name FROM companies WHERE deleted_at IS NULL AND (name = ${nameOrId} OR cast(id AS text) = ${nameOrId})`,
  );
  if (found.length > 1)
    throw new Error(`${nameOrId} is the name or id of ${found.length} companies: ${found.map(({ id }) => id).join(", ")}.`);
  return found[0];
}

async function findUser(email: string): Promise<{ name: string; company: string } | undefined> {
  const [user] = await query<{ name: string; company: string }>(
    sql`SELECT users.name, companies.name AS company FROM users JOIN companies ON companies.id = users.company_id
      WHERE email = ${email} AND users.deleted_at IS NULL`,
  );
  return user;
}

async function isCommon(key: number): Promise<boolean> {
  const found = await query(sql`SELECT 1 FROM common_passwords WHERE key = ${key}`);
  return found.length > 0;
}

async function query<Row>(text: string): Promise<Row[]> {
  return (await database.rows(text)) as Row[];
}

function readArguments() {
  const text = { type: "string" } as const;
  const flag = { type: "boolean", default: false } as const;
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        id: text,
        email: text,
        name: text,
        company: text,
        timezone: text,
        local: flag,
        remote: flag,
        replace: flag,
        help: flag,
      },
    });
  } catch (error) {
    return fail(error as Error);
  }
}

function given(option: "id" | "email" | "name" | "company"): string {
  const value = options[option]?.trim() ?? "";
  if (value === "" || /\p{Cc}/u.test(value)) throw new Error(`--${option} is needed, on one line.`);
  if (option === "email" && !/^[^@\s]+@[^@\s]+$/.test(value)) throw new Error("--email is no e-mail address.");
  return value;
}

function fail({ message }: Error): never {
  console.error(/no such table/.test(message) ? noTables() : message);
  process.exit(1);
}

function noTables(): string {
  if (stateFolder === null)
    return "The database has no tables yet: `npx wrangler d1 migrations apply DB_0 --remote`, and the same with DIRECTORY, make them.";
  return `The database in ${place} has no tables yet: \`npm start -- --empty\` makes them.`;
}

const [command = "", ...others] = positionals;
const isPossible = !options.help && !(options.local && options.remote);
const run = isPossible && others.length === 0 ? commands[command] : undefined;
const runInFolder = isPossible && others.length === 1 ? folderCommands[command] : undefined;
if (run) {
  const withDatabase = (opened: Database) => {
    database = opened;
    return run();
  };
  await inDatabase(stateFolder, withDatabase).catch(fail);
} else if (runInFolder) {
  if (stateFolder === null)
    fail(new Error(`${command} is for a local service: docs/backup.md says how a deployed one is restored.`));
  await runInFolder(resolve(others[0] ?? ""), stateFolder).catch(fail);
} else console.log(usage);
process.exit(run || runInFolder || options.help ? 0 : 1);
