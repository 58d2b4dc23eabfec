import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { runJob } from "../../scripts/crons.ts";
import { executeSqlFile } from "../../scripts/service.ts";
import { occupy } from "../../scripts/state-folder.ts";
import { admin } from "./admin.ts";
import { ingest, login, settledTotal } from "./api.ts";
import { migratedFolder, startBuilt, stopBuilt } from "./built-service.ts";
import { factor, freePort, freshStateFolder, newPlant, type Plant } from "./plant.ts";

const folders: string[] = [];

afterAll(async () => {
  await stopBuilt();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function kept(folder: string): string {
  folders.push(folder);
  return folder;
}

/** A count every second, in batches, until `isOver`. Calls `seen` with the number of all acknowledged ones. */
async function keepCounting(url: string, token: string, plant: Plant, isOver: () => boolean, seen: (counts: number) => void) {
  const all = [];
  for (let n = 0; !isOver(); n++) {
    const events = Array.from({ length: 20 }, (_, i) => {
      const at = new Date(plant.commissionedAt + (n * 20 + i) * 1000).toISOString();
      return { type: "count" as const, at, nodeId: plant.nodeId, channel: plant.channel, value: 1 };
    });
    expect(await ingest(url, token, events)).toMatchObject({ accepted: 20 });
    all.push(...events);
    seen(all.length);
  }
  return all;
}

test("a backup of a running service, made while it is written to, holds everything acknowledged before, and reports agree after its restore", async () => {
  const first = kept(migratedFolder());
  const plant = await newPlant(first, 1);
  await executeSqlFile(first, plant.sqlFile);
  const { url } = await startBuilt({ stateFolder: first, port: await freePort() });
  const token = await login(url, plant);
  let acknowledged = 0;
  let isOver = false;
  const counting = keepCounting(
    url,
    token,
    plant,
    () => isOver,
    (counts) => (acknowledged = counts),
  );
  await expect.poll(() => acknowledged, { timeout: 60_000 }).toBeGreaterThan(300);
  const before = acknowledged;
  const target = join(kept(freshStateFolder()), "backup");
  const made = await admin(first, ["backup", target]);
  expect([made.status, made.errors]).toEqual([0, ""]);
  await sleep(500);
  isOver = true;
  const events = await counting;
  expect(events.length).toBeGreaterThan(before);
  await stopBuilt();

  const second = kept(freshStateFolder());
  const restored = await admin(second, ["restore", target]);
  expect([restored.status, restored.errors]).toEqual([0, ""]);
  const { url: again, runtimeUrl } = await startBuilt({ stateFolder: second, port: await freePort() });
  await runJob(runtimeUrl, "* * * * *");
  const total = await settledTotal(again, token, plant.machineId, before * factor);
  expect(total).toBeGreaterThanOrEqual(before * factor);
  // What was acknowledged after the backup is sent again by a gateway that has kept it: nothing counts twice.
  const known = total / factor;
  for (let i = 0; i < events.length; i += 1000) {
    const part = events.slice(i, i + 1000);
    const duplicates = Math.max(0, Math.min(part.length, known - i));
    expect(await ingest(again, token, part)).toMatchObject({ accepted: part.length - duplicates, duplicates });
  }
  expect(await settledTotal(again, token, plant.machineId, events.length * factor)).toBe(events.length * factor);
});

test("a restore refuses a folder with data, a running service and a damaged backup, and changes nothing then", async () => {
  const state = kept(migratedFolder());
  const target = join(kept(freshStateFolder()), "backup");
  expect((await admin(state, ["backup", target])).status).toBe(0);
  const { version } = JSON.parse(readFileSync(join(target, "manifest.json"), "utf8")) as { version: string };
  expect(version.split(" ")[0]).toBe(packageJson.version);
  const refusal = async (folder: string, args: string[]) => {
    const { status, errors } = await admin(folder, args);
    expect(status).toBe(1);
    return errors;
  };
  expect(await refusal(state, ["backup", target])).toContain("exists already");
  expect(await refusal(state, ["restore", target])).toContain("has data");
  const other = kept(freshStateFolder());
  occupy(other, { command: "npm run serve", url: "http://localhost:1" });
  expect(await refusal(other, ["restore", target])).toContain(`npm run serve (process ${process.pid}) uses`);
  // One that does not say so, as an older version.
  const running = await startBuilt({ stateFolder: state, port: await freePort() });
  expect((await fetch(`${running.url}/health`)).status).toBe(200);
  expect(await refusal(state, ["restore", target, "--replace"])).toContain("Another process uses the data");
  await running.kill();
  const names = readdirSync(state).sort();
  appendFileSync(join(target, "v3/d1/miniflare-D1DatabaseObject/metadata.sqlite"), "x");
  expect(await refusal(state, ["restore", target, "--replace"])).toContain("is damaged");
  rmSync(join(target, "v3/d1/miniflare-D1DatabaseObject/metadata.sqlite"));
  expect(await refusal(state, ["restore", target, "--replace"])).toContain("is missing");
  rmSync(join(target, "manifest.json"));
  expect(await refusal(state, ["restore", target, "--replace"])).toContain("is no finished backup");
  expect(readdirSync(state).sort()).toEqual(names);
  expect(existsSync(join(state, "v3"))).toBe(true);
});
