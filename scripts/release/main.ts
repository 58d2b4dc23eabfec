import { resolve } from "node:path";
import { Refusal, release } from "./release.ts";

// `npm run release -- patch|minor|major|x.y.z [--dry-run]`: checks, writes the version, commits and tags it. Does not push.

const args = process.argv.slice(2);
const [wanted, ...others] = args.filter((arg) => arg !== "--dry-run");
if (wanted === undefined || others.length > 0) {
  console.error("npm run release -- patch|minor|major|x.y.z [--dry-run]");
  process.exit(2);
}
try {
  release({
    ...{ root: resolve(import.meta.dirname, "../.."), wanted, today: new Date().toISOString().slice(0, 10) },
    checks: [
      ["npm", "run", "check"],
      ["npm", "test"],
      ["npm", "run", "test:upgrade"],
    ],
    ...{ isDryRun: args.includes("--dry-run"), say: console.log },
  });
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  console.error(`No release: ${error.message}.`);
  process.exitCode = 1;
}
