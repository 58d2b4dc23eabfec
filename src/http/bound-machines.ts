import type { RouteConfig } from "@hono/zod-openapi";
import type { Context, Handler } from "hono";
import type { UserActor } from "../core/actor.ts";
import type { Reader } from "../core/caller.ts";
import { instant } from "../core/inputs.ts";
import { refuseUnknown } from "../core/named-ids.ts";
import { forbidden, invalid } from "../core/problem.ts";
import { findOperatorNames } from "../core/queries.ts";
import { recordOf } from "../core/record-id.ts";
import { callMachine, type MachineStub } from "../objects/machines.ts";
import type { HonoEnv, UserEnv } from "./env.ts";
import { callerOf, isReading } from "./session.ts";

/**
 * Which machine an operation is about, for a token that is bound to machines, such as a terminal's: it must be one of them. Operations without a
 * binding refuse such tokens.
 * - `path`: the machine whose `id` is in the path
 * - `body`: the `machineId` in the body, which must be there
 * - `query`: the `machineIds` in the query; if there are none, those of the token are taken
 * - `record`: the machine of the stop or correction whose `id` is in the path, or whose `ids` are in the body. The id contains the machine, so this
 *   works before D1 has the record
 * - `company`: none. It reads set-up that people at every machine choose from
 * - a function: returns the machines of each thing whose `id` is in the path, or whose `ids` are in the body
 */
export type MachineBinding = "path" | "body" | "query" | "record" | "company" | MachinesOf;
type MachinesOf = (reader: Pick<Reader, "db">, ids: readonly string[]) => Promise<MachinesOfNamed>;

/** The machines of each thing that exists. One of them must be the token's. */
type MachinesOfNamed = readonly (readonly number[])[];

/** A company that has nothing: company ids begin at 1. */
const NO_COMPANY = 0;

/**
 * The handler of a route. To a token that is bound to machines, it answers about other machines as it does about those of another company: it is
 * called for somebody who belongs to none.
 */
export function bindsMachines<H>(route: RouteConfig, handler: H): H {
  const { "x-machines": binding } = route as { "x-machines"?: MachineBinding };
  // Without a binding, the guard has refused such a token.
  if (!binding) return handler;
  const inner = handler as Handler<UserEnv>;
  const bound: Handler<UserEnv> = async (c, next) => {
    const { actor } = c.var;
    const own = actor.apiToken?.machineIds ?? null;
    if (own === null) return inner(c, next);
    const machineId = await machineOf(c, binding, own);
    c.set("actor", machineId === null ? { ...actor, companyId: NO_COMPANY } : await actingAt(c, machineId));
    try {
      return await inner(c, next);
    } finally {
      // The log and the limits are about the real one.
      c.set("actor", actor);
    }
  };
  return bound as H;
}

/** Members of a request that name machines, or what has machines. */
interface Named {
  machineId?: number;
  machineIds?: number[];
  ids?: number[];
}

/** The one of the token's machines that a request is about, or the first, if it is about none or several; null: it is about another machine. */
async function machineOf(c: Context<UserEnv>, binding: MachineBinding, own: readonly number[]): Promise<number | null> {
  const [first = 0] = own;
  const valid = (part: string) => c.req.valid(part as never) as Named | undefined;
  const [inPath] = Object.values(c.req.param() as Record<string, string>);
  const ifOwn = (id: number) => (own.includes(id) ? id : null);
  if (binding === "company") return first;
  if (binding === "path") return ifOwn(Number(inPath));
  if (binding === "body") {
    const { machineId } = valid("json") ?? {};
    if (machineId === undefined)
      throw forbidden("The token of a terminal may do this for one of its machines only: name it, as machineId.");
    return ifOwn(machineId);
  }
  if (binding === "query") {
    const query = valid("query");
    if (!query) return null;
    query.machineIds ??= [...own];
    const foreign = query.machineIds.find((id) => !own.includes(id));
    // The company's calendar is needed before the machines are looked for, so nobody's company will not do.
    if (foreign !== undefined) refuseUnknown({ member: "machineIds", id: foreign });
    return first;
  }
  const ids = inPath === undefined ? (valid("json")?.ids ?? []).map(String) : [inPath];
  const machines = binding === "record" ? ids.map((id) => [recordOf(Number(id)).machineId]) : await binding(callerOf(c), ids);
  const ofToken = machines.map((some) => some.find((id) => own.includes(id)));
  return ofToken.length === ids.length && ofToken.every((id) => id !== undefined) ? (ofToken[0] ?? null) : null;
}

/** Who acts at a machine: for what is written, the operators who were signed in there when it was done, if there were any. */
async function actingAt(c: Context<UserEnv>, machineId: number): Promise<UserActor> {
  const { actor } = c.var;
  if (isReading(c as unknown as Context<HonoEnv>)) return actor;
  const { env, db, objects } = callerOf(c);
  const at = actedAt(c);
  // Help can be called for at a machine whose object does not answer.
  const ids = await callMachine(env, machineId, (machine) => signedInAt(machine, at), objects).catch(() => []);
  const names = ids.length > 0 ? await findOperatorNames(db, actor.companyId, ids) : [];
  return names.length > 0 ? { ...actor, userName: names.join(", ") } : actor;
}

/** When a terminal's action was done, which may have waited for the network. */
const ACTED_AT = "x-acted-at";
/** An action that arrives sooner is about now. */
const LATE_AFTER_MS = 1000;

/** The instant of an action that arrives late; null: it is about now. Throws 400 if the header is no time. */
function actedAt(c: Context<UserEnv>): number | null {
  const sent = c.req.header(ACTED_AT);
  if (sent === undefined) return null;
  const { data: at } = instant.safeParse(sent);
  if (at === undefined) {
    const message = "must be an ISO 8601 date-time with Z or an offset";
    throw invalid([{ pointer: `/header/${ACTED_AT}`, code: "invalid_format", message }]);
  }
  return at > Date.now() - LATE_AFTER_MS ? null : at;
}

/** The operators who were signed in at a machine at an instant (null: now). */
async function signedInAt(machine: Pick<MachineStub, "state" | "past">, at: number | null): Promise<number[]> {
  if (at === null) return (await machine.state())?.signedIn.map(({ operatorId }) => operatorId) ?? [];
  const past = await machine.past("presences", { start: at, end: at + 1 });
  return past?.presences.flatMap(({ operatorId }) => operatorId) ?? [];
}
