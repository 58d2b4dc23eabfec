import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { migrate } from "../../scripts/service.ts";
import { migratedFolder, stopBuilt } from "./built-service.ts";
import { Receivers } from "./deliveries/receivers.ts";
import { freshStateFolder } from "./plant.ts";
import { breakingStepsSince, buildCommit, commitToUpgrade } from "./upgrade/released-build.ts";
import { UpgradeRun } from "./upgrade/upgrade-run.ts";

// An upgrade that is rolled back and repeated: `npm run test:upgrade`, and in `npm run verify`. UPGRADE_FROM names another commit than that of the
// last release.

const commit = commitToUpgrade();
const folders = {
  released: mkdtempSync(join(tmpdir(), "andon-released-")),
  state: freshStateFolder(),
  control: migratedFolder(),
};
const receivers = new Receivers();
let run: UpgradeRun | undefined;
afterAll(async () => {
  run?.close();
  await stopBuilt();
  receivers.stop();
  for (const folder of Object.values(folders)) rmSync(folder, { recursive: true, force: true });
});

test.skipIf(commit === null)(
  "after an upgrade from the last release, a roll-back and another upgrade nothing is lost, and nothing was refused",
  async () => {
    const released = await buildCommit(commit ?? "", folders.released);
    const [breaking] = breakingStepsSince(released);
    await receivers.start(["good", "good"]);
    const [receiver, ofControl] = receivers.list;
    if (!receiver || !ofControl) throw new Error("two receivers were started");

    await migrate(folders.state, released.source);
    run = await UpgradeRun.begin(folders, released.build, [receiver, ofControl]);
    await run.work(0);
    await run.killDuringWrites({ isMigrated: false });

    await migrate(folders.state);
    await run.start();
    await run.check();
    await run.work(1);
    await run.killDuringWrites();

    await run.start(released.build);
    if (breaking !== undefined) {
      await run.expectRefusal(breaking);
    } else {
      await run.check();
      await run.work(2);
      await run.killDuringWrites();
    }

    await run.start();
    await run.check();
    await run.work(3);
    await run.killDuringWrites();

    await run.start();
    await run.check();
    await run.expectAllTold();
    expect(receivers.faults).toEqual([]);
  },
  1_200_000,
);
