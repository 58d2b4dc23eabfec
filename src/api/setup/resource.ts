import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { UserActor } from "../../core/actor.ts";
import type { Fault } from "../../core/problem.ts";
import type { UserEnv } from "../../http/env.ts";
import type { allowPermission, allowRoles } from "../../http/permission.ts";
import { isoOf } from "../../oee/time.ts";
import type { Viewer } from "../widgets/queries.ts";
import type { SetUpRow, SetUpTable } from "./queries.ts";

type Access = ReturnType<typeof allowRoles> | ReturnType<typeof allowPermission>;

/** A change that is asked for: the row as it is (null: a new one), and as it is to be (null: gone). */
export interface Asked<Row> {
  actor: UserActor;
  before: Row | null;
  next: Row | null;
}

/** What the set-up keeps of a kind: its members, declared once, and the rules that are its own. */
export interface Resource<Row extends SetUpRow> {
  /** In PascalCase, for operation ids: `Machine`, `Machines`. */
  name: string;
  names: string;
  /** In plain words: `machine`, `machines`. */
  noun: string;
  nouns: string;
  path: string;
  description: string;
  access: { read: Access; create: Access; change: Access; remove: Access };
  table: SetUpTable<Row>;
  /** A path's id as text; gives what the table has. */
  id: z.ZodType<number | string, string>;
  item: z.ZodObject;
  /** Members of a POST beside `companyId`, and of a PATCH; they give the row's own values. */
  create: z.ZodObject;
  change: z.ZodObject;
  /** What a POST answers where that is more than the item. */
  createdItem?: z.ZodObject;
  toItem(row: Row, viewer: Viewer): Record<string, unknown>;
  /** What the audit keeps of an item, where that is not all of it. */
  toAudited?(item: Record<string, unknown>, row: Row): Record<string, unknown>;
  /** A body of a POST, for the document. */
  example: Record<string, unknown>;
  /** Whether it is the companies themselves: superusers that name none are given all of them. */
  isCompany?: true;
  /** Whether an id is unique in its company alone: superusers that name none mean their own. */
  idIsPerCompany?: true;
  /** What is wrong between the members of a row that is to be stored. */
  faults?(next: Row, before: Row | null): Fault[];
  /** Throws the problem of what may not be done, or not by this user. */
  refuse?(asked: Asked<Row>): void;
  /** Makes values of what is not stored as it was sent. `shown` is answered this once and kept nowhere. */
  derive?(
    sent: Record<string, unknown>,
    before: Row | null,
    /** The request, and the company whose item it is or is to be. */
    of: { c: Context<UserEnv>; companyId: number | null },
  ): Promise<{ values: Partial<Row>; shown?: Record<string, string> }>;
  /** A member of a PATCH that confirms the change and is no part of the item: neither stored nor audited. */
  confirmation?: string;
  /** Runs after a row was made and before the answer; never throws. */
  created?(c: Context<UserEnv>, row: Row): Promise<unknown>;
}

const timestamp = z.iso.datetime();

/** The members that every item ends with, beside its id and company. */
export const stampMembers = {
  createdAt: timestamp,
  updatedAt: timestamp,
  deletedAt: timestamp.nullable().openapi({ description: "Null unless deleted" }),
};

/** The values of `stampMembers`. */
export function stampsOf({ createdAt, updatedAt, deletedAt }: SetUpRow) {
  return { createdAt: isoOf(createdAt), updatedAt: isoOf(updatedAt), deletedAt: isoOf(deletedAt) };
}

export const companyIdMember = z.int().openapi({ description: "Whose it is", example: 1 });
