import { companyQuery, user } from "../../../app/session.ts";
import { type ApiSchema, api } from "../../../data/api.ts";
import { everyOf } from "../../../data/every.ts";
import { may } from "../../../data/may.ts";
import { allOf } from "../../../data/pages.ts";
import { formats, plant } from "../../../data/plant.ts";
import { type Loaded, useRead } from "../../../data/query.ts";
import { lossKeyOf } from "../../../domain/actions.ts";
import { MINUTE_MS } from "../../../domain/time.ts";
import { actions as t } from "../../../texts/actions.ts";
import { desk } from "../../../texts/desk.ts";
import { lossName } from "../../../ui/words.ts";

export type Action = ApiSchema<"Action">;
export type ActionWithEffect = ApiSchema<"ActionWithEffect">;

/** All open actions: they are put in order by their dates, which the API does not do. */
export function useOpenActions(): Loaded<Action[]> {
  const query = { ...companyQuery(), states: ["open" as const], limit: 500 };
  return useRead(["/v1/actions", query], () => allOf((cursor) => api("get", "/v1/actions", { query: { ...query, ...cursor } })), {
    everyMs: MINUTE_MS,
  });
}

/** How many actions are added up at once: each takes as much as a report, of which a company may make only some at a time. */
const MOST_AT_ONCE = 2;
let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(read: () => Promise<T>): Promise<T> {
  if (running < MOST_AT_ONCE) running++;
  else await new Promise<void>((go) => waiting.push(go));
  try {
    return await read();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

/** An action with what became of its loss. */
export function useActionWithEffect(id: number): Loaded<ActionWithEffect> {
  return useRead(["/v1/actions/{id}", id], () => inTurn(() => api("get", "/v1/actions/{id}", { path: { id } })));
}

/** The name of the loss of an action. */
export function lossTextOf(action: Action): string {
  return kindText(lossKeyOf(action)) ?? lossName({ ...action, isUnknown: false });
}

/** The name of a loss that is no cause; undefined: the key is that of a cause. */
export function kindText(key: string): string | undefined {
  const { speed, quality, noData } = desk.brief.parts;
  return ({ speed, quality, noData, "/": desk.losses.unknown } as Record<string, string>)[key];
}

/** Where the loss of an action is. */
export function placeText({ machine, line }: Pick<Action, "machine" | "line">): string {
  return machine?.name ?? line?.name ?? t.everywhere;
}

/** The day of a plant's calendar on which an instant is. */
export function dayText(at: string | number): string {
  return formats().day(at);
}

/** The days from an instant up to another one. */
export function daysText(from: string, to: string): string {
  return t.days(dayText(from), dayText(Date.parse(to) - 1));
}

interface Named {
  id: number;
  name: string | null;
}

/**
 * The users who may be chosen as owners. Who may not read the users chooses among those who have open actions.
 * @param own who owns it now, also if the account has ended
 */
export function useOwners(own: Named | null): { value: string; label: string }[] {
  const isKnown = may("users:read");
  const users = useRead(isKnown ? ["/v1/users", plant.value?.id] : null, () => everyOf("/v1/users"));
  const open = useOpenActions();
  const others = isKnown
    ? (users.data ?? []).filter(({ isActive }) => isActive)
    : (open.data ?? []).flatMap(({ owner, createdBy }) => [owner, createdBy]);
  const names = new Map<number, string>([...others, ...(own ? [own] : [])].map(({ id, name }) => [id, name ?? ""]));
  const me = user.value?.userId;
  // A superuser who looks at another company is none of its users.
  if (me !== undefined && !names.has(me) && companyQuery().companyId === undefined) names.set(me, t.me);
  const { compare } = new Intl.Collator();
  return [...names].map(([id, label]) => ({ value: String(id), label })).sort((a, b) => compare(a.label, b.label));
}
