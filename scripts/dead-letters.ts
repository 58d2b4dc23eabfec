import { relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Database, inDatabase } from "./service.ts";
import { sql } from "./sql-text.ts";

const usage = `Messages of queues that could not be handled, as often as it was tried.

  npm run dead-letters                       lists them
  npm run dead-letters -- --requeue          has all of them sent again, within a minute
  npm run dead-letters -- --requeue --id I   only that one

  --local     those of npm start -- --empty, in .wrangler/state or the folder that ANDON_STATE names; the default
  --remote    those of the deployed service

A message only says where to look: what is due stands in the database, so that nothing is lost with one, and nothing done twice.`;

interface DeadLetter {
  id: string;
  queue: string;
  body: string;
  error: string | null;
  created_at: number;
  is_requeued: number;
}

const { values: options, positionals } = readArguments();
/** Null: the deployed database. */
const stateFolder = options.remote ? null : resolve(process.env.ANDON_STATE ?? ".wrangler/state");
const place =
  stateFolder === null ? "the deployed database" : relative(process.cwd(), stateFolder).replace(/^\.\..*|^$/, stateFolder);
const isWrong = positionals.length > 0 || (options.local && options.remote) || (options.id !== undefined && !options.requeue);
if (isWrong || options.help) {
  console.log(usage);
  process.exit(isWrong ? 1 : 0);
}
await (options.requeue ? requeue(options.id) : list()).catch(fail);
process.exit(0);

async function list(): Promise<void> {
  const letters = await inDatabase(
    stateFolder,
    async ({ rows }) => (await rows("SELECT * FROM dead_letters ORDER BY created_at, id")) as unknown[] as DeadLetter[],
    "DIRECTORY",
  );
  for (const { id, queue, body, error, created_at: at, is_requeued: isRequeued } of letters) {
    const state = isRequeued ? "to be sent again" : (error ?? "its consumer did not say why");
    console.log(`${id}  ${new Date(at).toISOString()}  ${queue} ${body}: ${state}`);
  }
  console.log(`${letters.length} dead letter${letters.length === 1 ? "" : "s"} in ${place}.`);
}

async function requeue(id: string | undefined): Promise<void> {
  const isMeant = (column: string) => `is_requeued = 0 AND (${sql`${id ?? null}`} IS NULL OR ${column} = ${sql`${id ?? null}`})`;
  const mark = async ({ rows, run }: Database) => {
    const found = await rows(`SELECT id FROM dead_letters WHERE ${isMeant("id")}`);
    await run([`UPDATE dead_letters SET is_requeued = 1 WHERE ${isMeant("id")}`]);
    return found.length;
  };
  const count = await inDatabase(stateFolder, mark, "DIRECTORY");
  if (id !== undefined && count === 0) throw new Error(`There is no dead letter ${id}, or it is to be sent again already.`);
  console.log(`${count} dead letter${count === 1 ? " is" : "s are"} sent again within a minute, by the service's cron.`);
}

function readArguments() {
  const flag = { type: "boolean", default: false } as const;
  try {
    return parseArgs({
      allowPositionals: true,
      options: { id: { type: "string" }, requeue: flag, local: flag, remote: flag, help: flag },
    });
  } catch (error) {
    return fail(error as Error);
  }
}

function fail({ message }: Error): never {
  console.error(
    /no such table/.test(message) ? `There are no tables in ${place} yet: the service was never started on them.` : message,
  );
  process.exit(1);
}
