import { MINUTE_MS } from "../../src/oee/time.ts";
import type { Caller } from "./caller.ts";
import type { LoadProfile } from "./load.ts";
import { asker } from "./office.ts";
import type { Plant } from "./plant-folder.ts";
import type { Line } from "./table.ts";

/** The first generated order is InProgress. */
const openOrder = "order-1";

/** Logs in, and does the most frequent writes. They have no bare counterpart: their cost is that of their rows, and of the password. */
export async function measureWrites(caller: Caller, { benchCompany }: Plant, profile: LoadProfile): Promise<Line[]> {
  const [first] = benchCompany.crowd.flatMap(({ machineIds }) => machineIds);
  const now = Date.now();
  const stop = await caller.ask<{ id: number }>({
    ...{ name: "record a stop", method: "POST", path: "/v1/stops" },
    body: { machineId: first, startTime: iso(now - 20 * MINUTE_MS), endTime: iso(now - 10 * MINUTE_MS), name: "Fire drill" },
  });
  const classified = (n: number) => ({ generalCauseId: String(benchCompany.companyId * 8), description: `Belt ${n}` });
  // One at a time: a stop belongs to one object, and people edit one after the other.
  const alone = { ...profile, callers: 1 };
  return [
    await caller.measure("7 login", () => ({ name: "", method: "POST", path: "/identity/login", body: asker }), alone),
    await caller.measure("16 report progress", () => ({
      ...{ name: "", method: "PATCH", path: `/work/${openOrder}/progress` },
      body: { correct: 1, comment: "Counted by hand" },
    })),
    await caller.measure(
      "classify a stop",
      (n) => ({ name: "", method: "PUT", path: `/v1/stops/${stop.id}/classification`, body: classified(n) }),
      alone,
    ),
    await caller.measure("keep the own config", (n) => ({
      name: "",
      method: "PUT",
      path: "/v1/config",
      body: { config: { n } },
    })),
  ];
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
