import { companyDb } from "../../db/client.ts";
import { budgetOf } from "../../limits/budget.ts";
import { findDue, followVersions } from "../../resource/begin-versions.ts";
import type { StoredVersion } from "../../resource/item-versions.ts";
import type { SetUpRow } from "../../resource/queries.ts";
import type { Resource } from "../../resource/resource.ts";
import { companies } from "./companies/resource.ts";
import { machines } from "./machines/resource.ts";
import { shifts } from "./shifts/resource.ts";
import { skus } from "./skus/resource.ts";
import { stopCauses } from "./stop-causes/resource.ts";

/** The most versions that a run reads; the next run continues. */
const VERSIONS_PER_RUN = 500;

type Follow = (env: Env, due: readonly StoredVersion[], now: number) => Promise<string[]>;

/** How the rows of each kind of versions follow them. */
const followers: ReadonlyMap<StoredVersion["kind"], Follow> = new Map([
  ...followersOf(machines),
  ...followersOf(skus),
  ...followersOf(shifts),
  ...followersOf(companies),
  ...followersOf(stopCauses),
]);

function followersOf<Row extends SetUpRow>(resource: Resource<Row>): [StoredVersion["kind"], Follow][] {
  return (resource.versioned ?? []).map((members) => [
    members.kind,
    (env, due, now) => followVersions(env, resource, members, due, now),
  ]);
}

/**
 * Makes the rows of items follow those of their versions that have begun or ended by `now` (epoch ms). Each item has a write of its own, and is due until
 * that has succeeded.
 * @throws if some failed, after doing the others; the next run tries them again
 */
export async function beginVersions(env: Env, now: number): Promise<void> {
  const due = await findDue(companyDb(env, "first-primary"), now, VERSIONS_PER_RUN);
  const failures: string[] = [];
  for (const [item, versions] of Map.groupBy(due, ({ companyId, kind, entity }) => `${kind} ${entity} of company ${companyId}`)) {
    if (budgetOf(env)?.isUsed) break;
    const follow = versions[0] && followers.get(versions[0].kind);
    try {
      const withdrawn = (await follow?.(env, versions, now)) ?? [];
      if (withdrawn.length > 0) console.error(JSON.stringify({ event: "versions_withdrawn", item, withdrawn }));
    } catch (error) {
      failures.push(`${item}: ${error}`);
    }
  }
  if (failures.length > 0)
    throw new Error(`${failures.length} items could not follow their versions: ${failures.slice(0, 5).join("; ")}`);
}
