import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, existsSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

// `npm run proofs [names]`: the long proofs in full, and what they said, with commit and date, in docs/results/proofs-<date>.md. `npm run verify`
// runs most of them with fewer rounds.

const root = resolve(import.meta.dirname, "../..");

/** The proofs by name: the npm script, and what it proves. */
const proofs: Record<string, { script: string; proves: string }> = {
  "bridge-kills": {
    script: "bridge-kills",
    proves: "what machines publish is in Andon to the unit after 100 kills of the bridge, 20 of Andon and 10 of the broker",
  },
  "bridge-outage": {
    script: "bridge-outage",
    proves: "1.3 million counts of an outage of 72 h take at most 200 MB and are all in Andon, and none of 13 days is refused",
  },
  "bridge-messages": {
    script: "bridge-messages",
    proves:
      "2,000 messages a second are taken from mosquitto for ten minutes, none is lost, and what a full broker drops is told",
  },
  crash: { script: "crash", proves: "what was answered survives 100 kills, and what is sent again counts once" },
  faults: { script: "faults", proves: "1,000 plans of storage that fails lose and double nothing" },
  deliveries: { script: "deliveries", proves: "10,000 events reach 20 subscriptions in order, through 20 kills" },
  "put-right": {
    script: "put-right",
    proves: "10,000 plants that are put right afterwards, 500 of them through kills, equal those that were right from the start",
  },
  "as-of": { script: "as-of", proves: "reports as of 100 earlier instants are what they were, after 1,000 changes" },
  "plant-files": {
    script: "plant-files",
    proves: "the files of 100 random plants make empty companies the same, and change nothing twice",
  },
  recalculations: {
    script: "recalculations",
    proves: "1,000 days of a machine are recalculated within a minute, 30 of 50 machines within three",
  },
  imports: { script: "imports", proves: "a million lines are imported, imported again and undone, within ten minutes each" },
  hostile: { script: "hostile", proves: "one company's load does not slow another company's requests" },
  overload: { script: "overload", proves: "an overloaded service refuses instead of failing, and recovers" },
  live: { script: "live", proves: "watchers of 200 machines see each change" },
  coverage: { script: "coverage", proves: "every branch of the engine is tested" },
  mutants: { script: "mutants", proves: "changed code of the engine fails a test" },
  "seeded-faults": { script: "seeded-faults", proves: "known mistakes fail the tests that name them" },
};

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(proofs);
const unknown = names.filter((name) => !(name in proofs));
if (unknown.length > 0) fail(`There is no proof ${unknown.join(", ")}: there are ${Object.keys(proofs).join(", ")}`);
const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
// A result belongs to a commit.
if (git("status", "--porcelain", "--", ":!docs/results") !== "") fail("Commit your changes first: a result names its commit");

const date = new Date().toISOString().slice(0, 10);
const file = join(root, `docs/results/proofs-${date}.md`);
if (!existsSync(file)) {
  const head = ["| proof | command | commit | result | minutes |", "|---|---|---|---|---:|"];
  writeFileSync(file, [`# Proofs of ${date}`, "", "Written by `npm run proofs`.", "", ...head, ""].join("\n"));
}
const commit = git("rev-parse", "--short", "HEAD");
for (const name of names) {
  const { script, proves } = proofs[name] as (typeof proofs)[string];
  const startedAt = Date.now();
  const { status } = spawnSync("npm", ["run", script], { cwd: root, stdio: "inherit" });
  const minutes = ((Date.now() - startedAt) / 60_000).toFixed(1);
  const result = status === 0 ? "holds" : "**failed**";
  appendFileSync(file, `| ${proves} | \`npm run ${script}\` | ${commit} | ${result} | ${minutes} |\n`);
  console.log(`proofs: ${name} ${status === 0 ? "holds" : "FAILED"} after ${minutes} minutes`);
  if (status !== 0) process.exitCode = 1;
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
