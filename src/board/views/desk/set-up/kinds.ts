import { companyQuery, user } from "../../../app/session.ts";
import { type ApiSchema, api, type PathOf, send } from "../../../data/api.ts";
import { everyOf } from "../../../data/every.ts";
import { firstOf, someOf } from "../../../data/pages.ts";
import { type Loaded, useRead } from "../../../data/query.ts";
import type { Members, SetUpKind, SetUpPart } from "../../../domain/set-up.ts";
import { loadCauses, type SetUp } from "../plant-data.ts";

// The operations behind each kind of set-up.

export type DryRun = ApiSchema<"DryRun">;
export type CalendarDay = ApiSchema<"CalendarDay">;
export type Version = ApiSchema<"SetUpVersion">;

/** The kinds whose items have versions. */
type DatedKind = Exclude<SetUpKind, "sensors">;

const paths = {
  machine: "/v1/machines/{id}",
  sku: "/v1/skus/{id}",
  shift: "/v1/shifts/{id}",
  company: "/v1/companies/{id}",
  cause: "/v1/stop-causes/{id}",
} as const satisfies Record<DatedKind, PathOf<"patch">>;

/** The service tries a change for at most 15 s, and leaves the rest to a job. */
const TRIED_WITHIN_MS = 30_000;

/** An item that can be chosen. */
export interface Choice {
  id: string;
  name: string;
}

/** The items of a kind that the desk knows; null: they are to be read. */
export function choicesIn({ machines, shifts }: SetUp, kind: SetUpKind): Choice[] | null {
  const named = (all: readonly { id: number; name: string }[]) => all.map(({ id, name }) => ({ id: String(id), name }));
  if (kind === "company") return [{ id: String(companyQuery().companyId ?? user.peek()?.companyId), name: "" }];
  if (kind === "machine" || kind === "sensors") return named(machines);
  return kind === "shift" ? named(shifts) : null;
}

/** Reads the items of a kind: at least so many, and whether there are more. */
export async function readChoices(kind: SetUpKind, most: number): Promise<{ data: Choice[]; hasMore: boolean }> {
  switch (kind) {
    case "cause": {
      const causes = await loadCauses();
      const nameOf = (id: number | null): string => {
        const found = causes.find((one) => one.id === id);
        return found ? [nameOf(found.parentId), found.name].filter(Boolean).join(" › ") : "";
      };
      const data = causes.map(({ id }) => ({ id: String(id), name: nameOf(id) }));
      return { data: data.sort((a, b) => (a.name < b.name ? -1 : 1)), hasMore: false };
    }
    case "sku": {
      const query = { ...companyQuery(), limit: 500 };
      const { data, hasMore } = await firstOf(most, (cursor) => api("get", "/v1/skus", { query: { ...query, ...cursor } }));
      return { data: data.map(({ id, name }) => ({ id, name: id === name ? id : `${id} · ${name}` })), hasMore };
    }
    default:
      throw new Error(`The desk knows the items of ${kind}`);
  }
}

/** An item as it is now. */
export async function readItem(kind: SetUpKind, id: string): Promise<Members> {
  if (kind !== "sensors") return await send<Members>("get", paths[kind], { path: { id }, query: companyQuery() });
  const all = await everyOf("/v1/count-sensors");
  return { ...(all.find(({ machineId }) => machineId === Number(id)) ?? { isCountEnabled: true, configs: [] }) };
}

/**
 * Changes an item. Returns what it would do, if it is only tried.
 * @param item as it was when the person saw it: the change is refused (412) if somebody has changed it since. Channels have no such check.
 */
export async function changeItem(
  kind: SetUpKind,
  id: string,
  { item, body, idempotencyKey }: { item: Members; body: Members; idempotencyKey?: string },
): Promise<DryRun | null> {
  const request = {
    ...{ path: { id }, query: companyQuery(), body, withinMs: TRIED_WITHIN_MS },
    ...(kind !== "sensors" && { ifMatch: `"${item.updatedAt}"` }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  };
  const { dryRun } =
    kind === "sensors"
      ? await send<{ dryRun?: DryRun }>("put", "/v1/machines/{id}/count-sensor" satisfies PathOf<"put">, request)
      : await send<{ dryRun?: DryRun }>("patch", paths[kind], request);
  return dryRun ?? null;
}

/** All calendar days. */
export function useCalendarDays(): Loaded<CalendarDay[]> {
  return useRead(["/v1/calendar-days"], () => everyOf("/v1/calendar-days"));
}

/** Deletes a calendar day, unless somebody has changed it since it was read. Returns what that would do, if it is only tried. */
export async function deleteDay(
  { id, updatedAt }: CalendarDay,
  { isTried = false, idempotencyKey }: { isTried?: boolean; idempotencyKey?: string },
): Promise<DryRun | null> {
  const found = await api("delete", "/v1/calendar-days/{id}", {
    ...{ path: { id }, query: { ...companyQuery(), ...(isTried && { dryRun: true }) } },
    ...{ ifMatch: `"${updatedAt}"`, withinMs: TRIED_WITHIN_MS },
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  });
  return found?.dryRun ?? null;
}

/** The versions of an item, the one recorded last first. */
export function readVersions(kind: DatedKind, id: string, most: number, step: number) {
  return firstOf(most, async ({ cursor }) => {
    const query = { ...companyQuery(), limit: step, ...(cursor !== undefined && { cursor }) };
    const path = `${paths[kind]}/versions` satisfies PathOf<"get">;
    return await send<{ data: Version[]; cursor: string | null }>("get", path, { path: { id }, query });
  });
}

/** Withdraws a version. Returns what that would do, if it is only tried. */
export async function withdrawVersion(
  kind: DatedKind,
  path: { id: string; versionId: number },
  { isTried, key }: { isTried: boolean; key?: string },
): Promise<DryRun | null> {
  const request = {
    ...{ path, query: { ...companyQuery(), ...(isTried && { dryRun: true }) }, withinMs: TRIED_WITHIN_MS },
    ...(key !== undefined && { idempotencyKey: key }),
  };
  const address = `${paths[kind]}/versions/{versionId}` satisfies PathOf<"delete">;
  return (await send<{ dryRun?: DryRun } | undefined>("delete", address, request))?.dryRun ?? null;
}

/** The lists of the parts of the set-up whose deleted items can be restored. */
const lists = {
  machine: "/v1/machines",
  lines: "/v1/lines",
  sku: "/v1/skus",
  shift: "/v1/shifts",
  cause: "/v1/stop-causes",
  days: "/v1/calendar-days",
  reasons: "/v1/defect-reasons",
  people: "/v1/operators",
} as const satisfies Partial<Record<SetUpPart, PathOf<"get">>>;
export type RestorablePart = keyof typeof lists;

/** Whether deleted items of a part of the set-up can be restored. */
export function isRestorable(part: SetUpPart): part is RestorablePart {
  return part in lists;
}

/** A deleted item. A calendar day has a date instead of a name. */
export interface Deleted {
  id: string | number;
  name?: string;
  date?: string;
  deletedAt: string | null;
}

/** The first deleted items of a part, at most `most`, and whether there are more. The API lists them among the items in use. */
export async function deletedOf(part: RestorablePart, most: number): Promise<{ data: Deleted[]; hasMore: boolean }> {
  const query = { ...companyQuery(), includeDeleted: true, limit: 500 };
  const page = (cursor: { cursor?: string }) =>
    send<{ data: Deleted[]; cursor: string | null }>("get", lists[part], { query: { ...query, ...cursor } });
  const data = await someOf(most + 1, ({ deletedAt }) => deletedAt !== null, page);
  return { data: data.slice(0, most), hasMore: data.length > most };
}

/** Restores a deleted item. */
export async function restore(part: RestorablePart, id: string, idempotencyKey: string): Promise<void> {
  const path = `${lists[part]}/{id}/restore` satisfies PathOf<"post">;
  await send("post", path, { path: { id }, query: companyQuery(), idempotencyKey });
}
