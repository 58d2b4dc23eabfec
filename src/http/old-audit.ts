import { type Column, is, SQL, sql } from "drizzle-orm";
import type { Context } from "hono";
import { type AuditAction, brief, kindOf } from "../core/audit.ts";
import { audit } from "../db/schema.ts";
import type { ActorEnv, HonoEnv, UserEnv } from "../http/env.ts";
import { db } from "../http/session.ts";

const maxCharacters = 2000;

/** What was done to an object. Expressions see the database as it is where the statement stands in its batch. */
export interface AuditedWrite {
  action: AuditAction;
  /** Whose the object is. What is nobody's is told to the company of whoever does it. */
  companyId: number | null | Column | SQL;
  objectId: number | string | Column | SQL;
  /** As the API shows it, never a secret; null: it is not there. An expression gives JSON text, not longer than it has to be. */
  before: object | SQL | null;
  after: object | SQL | null;
}

/**
 * Gives the statement that stores an entry, for the batch that does the work: stored together or not at all.
 * @param source what the expressions speak of, and when there is an entry: `FROM ... WHERE ...`
 */
export type Audit = (write: AuditedWrite, source?: SQL) => ReturnType<typeof insertEntry>;

interface User {
  userId: number;
  companyId: number;
}

/** The audit of what the actor does in this request. */
export function auditBy(c: Context): Audit {
  return auditAs(c, (c as Context<UserEnv>).var.actor);
}

/** The audit of what a user does in this request. */
export function auditAs(c: Context, user: User): Audit {
  return (write, source = sql`WHERE true`) => insertEntry(c as Context<HonoEnv>, user, write, source);
}

/** The audit entry of a new object as a row, for machines' objects to store with what it tells of. Null: gateways have none. */
export function auditRow(c: Context<ActorEnv>, action: AuditAction, objectId: number, companyId: number, after: object) {
  const { actor, requestId } = c.var;
  if (actor.kind !== "user") return null;
  const what = { action, objectType: kindOf(action), objectId: String(objectId), before: null, after: brief(after) };
  return { id: crypto.randomUUID(), at: Date.now(), companyId, userId: actor.userId, requestId, ...what };
}

/** A list as JSON: an item (JSON) for each row that `from` gives; of a long list only how many there are. */
export function briefList(item: Column | SQL, from: SQL): SQL {
  return sql`(SELECT json(iif(length(list) <= ${maxCharacters}, list, json_object('count', items)))
    FROM (SELECT json_group_array(json(${item})) AS list, count(*) AS items ${from}))`;
}

/** Stored JSON as it is; of a long one only how many characters it has. */
export function briefJson(json: Column | SQL): SQL {
  return sql`json(iif(length(${json}) <= ${maxCharacters}, ${json}, json_object('characters', length(${json}))))`;
}

function insertEntry(c: Context<HonoEnv>, user: User, write: AuditedWrite, source: SQL) {
  const { action, companyId, objectId, before, after } = write;
  const id = typeof objectId === "number" ? String(objectId) : objectId;
  const jsonOf = (state: object | SQL | null) => (state === null || is(state, SQL) ? state : JSON.stringify(brief(state)));
  return db(c)
    .insert(audit)
    .select(
      sql`SELECT ${crypto.randomUUID()}, ${Date.now()}, coalesce(${companyId}, ${user.companyId}), ${user.userId},
        ${c.var.requestId}, ${action}, ${kindOf(action)}, ${id}, ${jsonOf(before)}, ${jsonOf(after)} ${source}`,
    );
}
